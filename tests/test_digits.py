"""How formulas are measured before code is made of them: against numbers of high precision, at parameters far apart."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from symaux.codegen.digits import lost, truths
from symaux.codegen.ends import steady
from symaux.functions import complement
from symaux.special import cotpi
from symaux.standard import standard_uniform

U = sp.Symbol("u", positive=True)
UNIFORM = standard_uniform(U)


def _as_it_is(formula: sp.Expr) -> sp.Expr:
    return formula


def test_the_truth_of_a_special_function_does_not_round_a_level_to_a_double() -> None:
    known = {t.level: t.value for t in truths(sp.erfcinv(U), UNIFORM, [{}])}
    with mp.workdps(60):
        assert abs(mp.erfc(known[1e-12]) / mp.mpf(1e-12) - 1) < 1e-30


def test_a_quantile_of_a_levy_law_keeps_its_digits_at_the_lower_end() -> None:
    plain, rounded = 1 / sp.erfcinv(U) ** 2, 1 / sp.erfinv(-complement(U)) ** 2
    known = truths(plain, UNIFORM, [{}])
    assert max(lost(plain, U, known, _as_it_is)[0]) < 1e-13 < max(lost(rounded, U, known, _as_it_is)[0])
    assert not steady(plain, UNIFORM, (), _as_it_is).has(sp.erfinv)


def test_digits_are_measured_while_the_caller_is_traced() -> None:
    import jax
    import jax.numpy as jnp

    formula = -cotpi(U)
    known, seen = truths(formula, UNIFORM, [{}]), []

    def traced(x: jax.Array) -> jax.Array:
        seen.append(lost(formula, U, known, _as_it_is))
        return x

    jax.jit(jax.vmap(jax.grad(lambda x: traced(x) ** 2)))(jnp.ones(2))
    assert max(seen[0][0]) < 1e-13


def test_what_is_lost_far_out_decides_too() -> None:
    """Of l**(-a) - u*(l**(-a) - r**(-a)) next to u = 1, the slope in l is lost once l**a is far below r**a."""
    a, low, high = sp.symbols("a l r", positive=True)
    plain = (low**-a - U * (low**-a - high**-a)) ** (-1 / a)
    assert steady(plain, UNIFORM, (high > low,), _as_it_is).has(complement)
