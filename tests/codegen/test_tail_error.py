"""How formulas are measured before code is made of them: against numbers of high precision, at parameters far apart."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from symaux.codegen.stabilise.tail_error import reference_values, tail_errors
from symaux.codegen.stabilise.tail_forms import most_accurate_form
from symaux.formulas.functions.elementary import complement
from symaux.formulas.functions.registry import cotpi
from symaux.laws.standard_noise import standard_uniform

U = sp.Symbol("u", positive=True)
UNIFORM = standard_uniform(U)


def _as_it_is(formula: sp.Expr) -> sp.Expr:
    return formula


def test_the_truth_of_a_special_function_does_not_round_a_level_to_a_double() -> None:
    known = {t.level: t.value for t in reference_values(sp.erfcinv(U), UNIFORM, [{}])}
    with mp.workdps(60):
        assert abs(mp.erfc(known[1e-12]) / mp.mpf(1e-12) - 1) < 1e-30


def test_a_quantile_of_a_levy_law_keeps_its_digits_at_the_lower_end() -> None:
    plain, rounded = 1 / sp.erfcinv(U) ** 2, 1 / sp.erfinv(-complement(U)) ** 2
    known = reference_values(plain, UNIFORM, [{}])
    assert max(tail_errors(plain, U, known, _as_it_is)[0]) < 1e-13 < max(tail_errors(rounded, U, known, _as_it_is)[0])
    assert not most_accurate_form(plain, UNIFORM, (), _as_it_is).has(sp.erfinv)


def test_digits_are_measured_while_the_caller_is_traced() -> None:
    import jax
    import jax.numpy as jnp

    p = sp.Symbol("p", positive=True)
    formula = -cotpi(1 / (2 * sp.atanh(U / (1 + p)) + 1))
    known, seen = reference_values(formula, UNIFORM, [{p: sp.S.Half}]), []

    def traced(p: jax.Array, u: jax.Array) -> jax.Array:
        seen.append(tail_errors(formula, U, known, _as_it_is))
        return p * u

    jax.jit(jax.vmap(jax.value_and_grad(traced), in_axes=(None, 0)))(jnp.float32(0.5), jnp.ones(2, jnp.float32))
    assert len(seen) == 1 and len(seen[0][0]) == len(seen[0][1]) == 5


def test_what_is_lost_far_out_decides_too() -> None:
    """Of l**(-a) - u*(l**(-a) - r**(-a)) next to u = 1, the slope in l is lost once l**a is far below r**a."""
    a, low, high = sp.symbols("a l r", positive=True)
    plain = (low**-a - U * (low**-a - high**-a)) ** (-1 / a)
    assert most_accurate_form(plain, UNIFORM, (high > low,), _as_it_is).has(complement)


def test_a_cotangent_of_a_power_keeps_its_digits_at_both_ends() -> None:
    """Where u**p comes near to one, which for a large p is not where u does, a double has no room for the distance."""
    p = sp.Symbol("p", positive=True)
    known = reference_values(
        -cotpi(U**p), UNIFORM, [{p: sp.Rational(number)} for number in ("1/25", "3/7", "5/2", "20")]
    )
    assert max(map(max, tail_errors(-cotpi(U**p), U, known, _as_it_is))) < 1e-13
