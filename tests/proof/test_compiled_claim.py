"""Claims as compiled functions, for long formulas too."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from symaux.formulas.symbols.support import REALS
from symaux.laws.law import Law
from symaux.laws.standard_noise import standard_uniform
from symaux.proof.scalar.claim import claim
from symaux.proof.scalar.compiled_claim import compile_claim
from symaux.sandbox import Done, run_bounded

P, Q, W = sp.symbols("p q w", positive=True)
Z, R = sp.symbols("z r", real=True)
U = sp.Symbol("u", positive=True)


def test_a_long_formula_is_not_asked_whether_it_is_infinite() -> None:
    inner = -sp.exp(Z) + 1 - 1 / (1 - U)
    root = sp.sqrt(W**2 / (W + 1) + (W - 1) * sp.exp(Z) / inner) / sp.sqrt(W + 1)
    value = sp.sinh((-R + sp.log(-sp.tan(sp.pi * sp.exp(Z) / (2 * (W / (W + 1) + root) * inner)))) / P)
    assert isinstance(run_bounded(_at_a_half, value, seconds=20), Done)


def _at_a_half(value: sp.Expr) -> mp.mpf:
    x = sp.Symbol("x", real=True)
    made = claim(Law(x, -(x**2), REALS), standard_uniform(U), value)
    point = {s: sp.Rational(1, 3) for s in made.parameters}
    return compile_claim(made).g(sp.S.Half, point)
