"""The central rule: location and scale are read off the symmetries of a formula, whatever the parameters are called."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import exp, log, pi, sqrt

from rewrites.location_scale import location_scale
from symaux.laws import families as f
from symaux.laws.densities.charts import chart
from symaux.laws.law import Law, flat, law
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

Z = sp.Symbol("z", real=True)
X = sp.Symbol("x", positive=True)
M = sp.Symbol("m", real=True)
S, K, V = sp.symbols("s k v", positive=True)
STANDARD_NORMAL = -(log(2) + log(pi)) / 2  # its log-density at zero


def only(target: Law) -> Rewrite:
    (rewrite,) = location_scale(target)
    return rewrite


def noise_at(rewrite: Rewrite, point: sp.Expr) -> sp.Expr:
    (noise,) = rewrite.noise
    return sp.expand_log(noise.log_density.subs(noise.value, point))


def test_a_normal_law_is_its_location_plus_its_scale_times_the_standard_normal() -> None:
    rewrite = only(f.normal(Z, M, S))
    (noise,) = rewrite.noise
    assert sp.simplify(rewrite.value - M - S * noise.value) == 0 and not noise.parameters
    assert noise_at(rewrite, sp.Integer(2)) == STANDARD_NORMAL - 2


def test_a_formula_needs_no_name_for_its_scale() -> None:
    """A variance or a precision: the generating function has the root of one, and of the inverse of the other."""
    by_variance = only(law(Z, exp(-((Z - M) ** 2) / (2 * V)) / sqrt(2 * pi * V)))
    by_precision = only(law(Z, sqrt(V / (2 * pi)) * exp(-V * (Z - M) ** 2 / 2)))
    for rewrite, scale in ((by_variance, sqrt(V)), (by_precision, 1 / sqrt(V))):
        assert sp.simplify(rewrite.value - M - scale * rewrite.noise[0].value) == 0
        assert noise_at(rewrite, sp.Integer(2)) == STANDARD_NORMAL - 2


def test_a_positive_law_with_a_rate_is_divided_by_it() -> None:
    rewrite = only(f.exponential(X, S))
    (noise,) = rewrite.noise
    assert sp.simplify(rewrite.value - noise.value / S) == 0
    assert noise.value.is_positive and noise_at(rewrite, sp.Integer(3)) == -3


def test_a_rewrite_of_the_shape_that_is_left_keeps_the_shape_alone() -> None:
    t = only(chart(f.student_t(Z, K, M, S)).law)
    assert set(t.noise[0].parameters) == {K} and sp.simplify(t.value - M - S * t.noise[0].value) == 0
    inverse_gaussian = f.inverse_gaussian(X, S, K)
    verdict = verify(inverse_gaussian, only(inverse_gaussian), noise_is_normalised=True)
    assert verdict.status is Status.PROVED


@pytest.mark.parametrize(
    "declined",
    [
        f.kumaraswamy(X, S, K),
        f.beta(X, S, K),
        f.normal(Z, 0, 1),
        f.bernoulli(sp.Symbol("y", integer=True), V),
        flat(Z),
        f.uniform(X, 0, 1),
    ],
    ids=["kumaraswamy", "beta", "without parameters", "discrete", "improper", "fixed ends"],
)
def test_a_law_without_symmetry_is_declined(declined: Law) -> None:
    assert list(location_scale(declined)) == []
