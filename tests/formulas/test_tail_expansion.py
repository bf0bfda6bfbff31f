"""Formulas near an end of their noise: equal to the plain ones, with every digit where those keep few."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from symaux.api import form_simplifier as simplify
from symaux.codegen.stabilise.tail_forms import most_accurate_form
from symaux.codegen.stabilise.ulp_error import compile_formula
from symaux.formulas.algebra.tail_expansion import expand_at_tail, split_powers
from symaux.formulas.functions.elementary import complement
from symaux.formulas.functions.registry import lambertw0_of_exp, lambertwm1_of_exp
from symaux.formulas.numeric.evaluate import real
from symaux.laws.standard_noise import standard_normal, standard_uniform

v, a, b = sp.symbols("v a b", positive=True)
AT = {a: sp.Rational(7, 5), b: sp.Rational(3, 4)}
SMALL = [1e-15, 1e-9, 1e-4, 0.2]
u = 1 - v
LOST = {
    "a power of a tangent": (1 - 1 / (sp.tan(sp.pi * v / 2) + 1)) ** a,
    "a logarithm of a double logarithm": sp.log(sp.log((sp.exp(a) - 1 + 1 / u) * sp.exp(-a)) + a - sp.log(sp.exp(a))),
    "a logit of an arc tangent": -sp.log(-1 + (sp.atan(1 / v) / sp.pi + sp.Rational(1, 2)) ** (-1 / b)),
    "a cotangent of a ratio": sp.cot(sp.pi * (u * a / (u * a - u + 1)) ** b),
    "an error function from above": sp.log(sp.log(sp.exp(sp.sqrt(2) * sp.erfcinv(2 / (-b + 1 + b / u))) + 1) / a),
    "a root that meets its number": 1 - sp.sqrt(1 - v * a / (1 + v)),
    "a logarithm near that of its limit": sp.log(a + v) - sp.log(a),
    "an inverse hyperbolic sine": sp.asinh(a + v) - sp.asinh(a),
    "a hyperbolic tangent of something large": 1 - sp.tanh(-2 * sp.log(v)),
    "an arc cosine": sp.acos(1 - v),
    "Lambert's function near the number that it undoes": sp.log(a - lambertw0_of_exp(a + sp.log(a) + sp.log(u))),
    "Lambert's other branch": sp.LambertW(-sp.exp(-a - 2) * u, -1) - lambertwm1_of_exp(-a - 2),
    "Lambert's other branch near a number": -lambertwm1_of_exp(sp.log(1 + a) - (1 + a) + sp.log(u)) - (1 + a),
    "Lambert's function of something small": sp.log((a - lambertw0_of_exp(a + sp.log(v * a))) / a),
    "Lambert's function itself": sp.LambertW(a * u) - sp.LambertW(a),
}


def error(formula: sp.Expr, plain: sp.Expr, level: float, simplify: Any = lambda f: f) -> float:
    """Relative, of the generated code in double precision, against the plain formula at many digits."""
    names = {s.name: np.float64(float(AT.get(s, level))) for s in formula.free_symbols}
    seen = float(compile_formula(formula, simplify)(**names))
    with mp.workdps(80):
        exact = real(plain, {v: mp.mpf(level), **{s: mp.mpf(float(x)) for s, x in AT.items()}})
        return float(abs(seen - exact) / abs(exact)) if abs(exact) > 1e-290 else 0.0


@pytest.mark.parametrize("name", LOST)
def test_digits_are_kept_however_near_the_end(name: str) -> None:
    plain = LOST[name]
    assert max(error(expand_at_tail(plain, v), plain, level, simplify()) for level in SMALL) < 1e-12
    assert max(error(plain, plain, level) for level in SMALL) > 1e-9


FUNCTIONS = [sp.sin, sp.cos, sp.tan, sp.cot, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.atanh, sp.exp, sp.log]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_added_to_a_limit_is_right_far_from_it_too(function: type) -> None:
    r"""$f(c + v) - f(c)$ with a symbol for $f(c)$'s place, at values of v that are not small."""
    c = sp.Rational(1, 3)
    plain = function(c + v) - function(c)
    for level in (0.5, 0.05, 1e-14):
        with mp.workdps(60):
            exact, made = (real(f, {v: mp.mpf(level)}) for f in (plain, expand_at_tail(plain, v)))
            assert abs(made / exact - 1) < mp.mpf(10) ** -40
        assert error(expand_at_tail(plain, v), plain, level) < 1e-14


def test_factors_are_raised_one_by_one_only_where_they_are_positive() -> None:
    x = sp.Symbol("x", real=True)
    assert split_powers((v * a**b) ** (1 / b)) == v ** (1 / b) * a
    assert split_powers(sp.sqrt(x**2 * (x - 1) ** 2)) == sp.sqrt(x**2 * (x - 1) ** 2)


def test_a_limit_is_nothing_only_where_its_region_says_so() -> None:
    t, w = sp.Symbol("t", real=True), sp.Symbol("w", positive=True)
    level = standard_uniform(sp.Symbol("u", positive=True))
    x = level.value
    form = sp.log(-1 + (t + 1) * (sp.sqrt((-4 * x * t + t**2 + 2 * t + 1) / (t + 1) ** 2) + 1) / (2 * x))
    better = most_accurate_form(form, level, (t < 1, t > -1), simplify(), lambda f: f.xreplace({t: (w - 1) / (w + 1)}))
    unknown = most_accurate_form(form, level, (t < 1, t > -1), simplify())
    assert better.has(complement) and not unknown.has(complement)


def test_noise_that_is_normal_has_two_ends_too() -> None:
    e = standard_normal(sp.Symbol("e", real=True))
    from symaux.formulas.functions.elementary import ndtr

    form = sp.log(-sp.log(ndtr(e.value)))
    plain, better = (
        compile_formula(form, lambda f: f),
        compile_formula(most_accurate_form(form, e, (), simplify()), simplify()),
    )
    with mp.workdps(40):
        exact = mp.log(-mp.log(mp.ncdf(8)))
    assert not abs(float(plain(e=np.float64(8.0))) - exact) < 1e-3
    assert abs(float(better(e=np.float64(8.0))) - exact) < 1e-14 * abs(exact)
