"""What changes of variable are found and proved by, each on a small formula that was not found or not proved once."""

from __future__ import annotations

from dataclasses import replace

import mpmath as mp
import pytest
import sympy as sp

from symaux.errors import LawError
from symaux.formulas.algebra.canonical import canonical
from symaux.formulas.algebra.monotone_chain import Chain
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.densities.antiderivative import substitutions
from symaux.laws.densities.log_derivative import Slopes
from symaux.laws.densities.pearson import primitive
from symaux.laws.law import Law
from symaux.laws.standard_noise import standard_uniform
from symaux.laws.validity import refuse_bad_mass
from symaux.proof.scalar.cdf_witness import differs
from symaux.proof.scalar.claim import claim
from symaux.proof.scalar.compiled_claim import compiled
from symaux.sandbox import Done, bounded

P, Q, W = sp.symbols("p q w", positive=True)
Z, R = sp.symbols("z r", real=True)
Y = sp.Symbol("y", real=True)
U = sp.Symbol("u", positive=True)
UNIT = Interval(sp.S.Zero, sp.S.One)


def test_numbers_far_out_do_not_hide_the_slope_of_a_hyperbolic_secant() -> None:
    s = sp.sinh(P * sp.asinh(Z) - 2 * R)
    density = sp.log(P) - sp.log(Z**2 + 1) / 2 + sp.log(sp.cosh(P * sp.asinh(Z) - 2 * R)) - sp.log(sp.cosh(s))
    where = Interval(2 * Q, 2 * Q + W)
    seen = Slopes(Law(Z, density, where), where)
    assert seen.pearson(sp.sinh(s))
    assert sp.simplify(seen.fraction(sp.sinh(s), Y) + 2 * Y / (Y**2 + 1)) == 0
    assert not seen.pearson(sp.asinh(Z))


def test_the_slope_of_a_marshall_olkin_family_is_a_ratio_over_pi() -> None:
    density = -sp.log(Z**2 + 1) - 2 * sp.log(2 * P * sp.atan(Z) + sp.pi * P - 2 * sp.atan(Z) + sp.pi)
    seen = Slopes(Law(Z, density, REALS), REALS)
    wanted = -4 * (P - 1) / (2 * (P - 1) * Y + sp.pi * (P + 1))
    assert sp.simplify(seen.fraction(sp.atan(Z), Y) - wanted) == 0


def test_powers_of_pi_with_a_parameter_are_no_units() -> None:
    law = Law(Z, -sp.log(Z**2 + 1) + (P - 1) * sp.log(sp.atan(Z) / sp.pi**P + sp.pi ** (1 - P) / 2), REALS)
    assert Slopes(law, REALS).units == (1, 1 / sp.pi, sp.pi)


def test_the_integral_of_an_inverse_square_starts_at_the_lower_end() -> None:
    where = Interval(-sp.pi / 2, sp.pi / 2)
    found = primitive(-4 * (P - 1) / (2 * (P - 1) * Y + sp.pi * (P + 1)), Y, where)
    chain = Chain.of(found, Y, where)
    assert chain is not None and chain.image.lower == 0
    assert sp.simplify(chain.inverse(found) - Y) == 0


def test_a_power_of_a_product_with_an_exponential_is_one_power() -> None:
    z = sp.Symbol("z", positive=True)
    chain = Chain.of((1 / (sp.exp(z) - 1)) ** (1 / P) * sp.exp(z / P), z, Interval(sp.S.Zero, sp.oo))
    assert chain is not None and (chain.image, chain.direction) == (Interval(sp.S.One, sp.oo), -1)


def test_the_end_of_a_scaled_interval_is_cancelled() -> None:
    angle = sp.atan(sp.exp(R))
    formula = sp.tan((U**P + 2 * angle / (sp.pi - 2 * angle)) * (sp.pi / 2 - angle))
    chain = Chain.of(formula, U, UNIT)
    assert chain is not None and chain.image == Interval(sp.exp(R), sp.oo)


@pytest.mark.parametrize("x", [sp.asinh(R), -sp.sinh(R), -R, sp.sinh(R)])
def test_angles_of_exponentials_have_one_way_to_be_written(x: sp.Expr) -> None:
    plain, turned = canonical(sp.atan(sp.exp(x))), canonical(sp.atan(sp.exp(-x)))
    assert sp.expand(plain + turned) == sp.pi / 2
    at = {R: sp.Rational(7, 10)}
    assert abs((plain - sp.atan(sp.exp(x))).subs(at).evalf(30)) < 1e-25


def test_the_hyperbolic_secant_of_a_sinh_has_the_angle_as_distribution_function() -> None:
    law = Law(Z, -sp.log(sp.cosh(Z)) - sp.log(sp.pi), REALS)
    assert any(
        sp.atan in {f.func for f in found.antiderivative.atoms(sp.Function)} for found in substitutions(law, REALS)
    )


def _power_from_log_two(a: sp.Rational) -> Law:
    """F(z) = (exp(z) - 2)**a from log 2 to log 3."""
    return Law(Z, sp.log(sp.exp(Z) - 2) * (a - 1) + Z + sp.log(a), Interval(sp.log(2), sp.log(3)))


def test_digits_that_are_lost_at_an_end_are_no_witness() -> None:
    """Next to log 2 the last digit of z hides a mass of 1e-25 to the power of 3/7, in every subdivision."""
    law = _power_from_log_two(sp.Rational(3, 7))
    assert differs(claim(law, standard_uniform(U), sp.log(2 + U ** sp.Rational(7, 3)))) is None
    wrong = differs(claim(law, standard_uniform(U), sp.log(2 + U ** sp.Rational(5, 3))))
    assert wrong is not None and "mass" in wrong[0]


def test_digits_that_are_lost_at_an_end_are_no_reason_to_refuse_a_density() -> None:
    refuse_bad_mass(_power_from_log_two(sp.Rational(1, 8)))
    thrice = replace(
        _power_from_log_two(sp.Rational(1, 2)), log_density=_power_from_log_two(sp.Rational(1, 2)).log_density + 1
    )
    with pytest.raises(LawError, match="does not integrate to one"):
        refuse_bad_mass(thrice)


def test_a_long_formula_is_not_asked_whether_it_is_infinite() -> None:
    inner = -sp.exp(Z) + 1 - 1 / (1 - U)
    root = sp.sqrt(W**2 / (W + 1) + (W - 1) * sp.exp(Z) / inner) / sp.sqrt(W + 1)
    value = sp.sinh((-R + sp.log(-sp.tan(sp.pi * sp.exp(Z) / (2 * (W / (W + 1) + root) * inner)))) / P)
    assert isinstance(bounded(_at_a_half, value, seconds=20), Done)


def _at_a_half(value: sp.Expr) -> mp.mpf:
    x = sp.Symbol("x", real=True)
    made = claim(Law(x, -(x**2), REALS), standard_uniform(U), value)
    point = {s: sp.Rational(1, 3) for s in made.parameters}
    return compiled(made).g(sp.S.Half, point)
