"""The table of definite integrals against quadrature."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
import sympy.stats
from sympy import exp

from symaux.formulas.numeric.evaluate import number
from symaux.formulas.symbols.support import REALS, Interval
from symaux.proof.mass.definite_integrals import log_integral

Z, E1, E2 = sp.symbols("z e1 e2", real=True)
X, T1, T2, T3 = sp.symbols("x t1 t2 t3", positive=True)
A, B, C, L, S, V = sp.symbols("a b c l s v", positive=True)
M, K = sp.symbols("m k", real=True)


@pytest.mark.parametrize(
    ("formula", "where"),
    [
        ((A - 1) * sp.log(T1) - B * T1, Interval(sp.S.Zero, sp.oo)),
        ((A - 1) * sp.log(T1) - B * T1 - C / T1, Interval(sp.S.Zero, sp.oo)),
        (-(A + 1) * sp.log(T1) - C / T1**2, Interval(sp.S.Zero, sp.oo)),
        ((A - 1) * sp.log(T1) - (A + B) * sp.log(T1 + C), Interval(sp.S.Zero, sp.oo)),
        ((A - 1) * sp.log(T1) + B * sp.log(C - T1), Interval(sp.S.Zero, C)),
        (M * E1 - A * E1**2, REALS),
        (M * E1 - A * E1**2, Interval(K, sp.oo)),
        (M * E1 - A * E1**2, Interval(-sp.oo, K)),
        (M * E1 - A * E1**2, Interval(K, K + C)),
        (-A * T1, Interval(B, B + C)),
        (-(A + 1) * sp.log(B + (E1 - M) ** 2), REALS),
        (A * E1 - B * exp(2 * E1), REALS),
        (V * E1 + A * sp.log(C**2 - E1**2), Interval(-C, C)),
    ],
)
def test_classical_integrals_agree_with_quadrature(formula: sp.Expr, where: Interval) -> None:
    at = {A: 1.25, B: 2.5, C: 0.75, V: 1.5, M: -0.5, K: 0.25}
    (t,) = formula.free_symbols - set(at)
    found = log_integral(formula, t, where)
    assert found is not None
    ends = [_number(end, at) for end in (where.lower, where.upper)]
    middle = [0] if where == REALS else []

    def height(x: mp.mpf) -> mp.mpf:
        try:
            return number(exp(formula), {**at, t: x})
        except OverflowError:  # exp(-exp(x)) far out
            return mp.mpf(0)

    total = mp.quad(height, [ends[0], *middle, ends[1]])
    assert abs(total - number(exp(found), at)) < 1e-12


def _number(end: sp.Expr, at: dict[sp.Symbol, float]) -> mp.mpf:
    if end in (sp.oo, -sp.oo):
        return mp.inf if end == sp.oo else -mp.inf
    return number(end, at)
