"""Implicit quantiles are judged by the numbers that they return."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
from flint import arb
from support.quantile_error import largest_level_error

from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.laws import families as f
from symaux.rules.verdict import Status
from symaux.trusted.mass_bound import enclose_cdf

Z, E, MU = sp.symbols("z e mu", real=True)


def test_an_implicit_quantile_is_judged_by_the_numbers_it_returns() -> None:
    logistic = f.logistic(Z, 0, 1)
    assert enclose_cdf(logistic, 1.0).overlaps(1 / (1 + arb(-1).exp()))
    pairs = [(u, float(mp.log(mp.mpf(u) / (1 - mp.mpf(u))))) for u in (1e-9, 0.1, 0.5, 0.9)]
    assert largest_level_error(logistic, pairs) < 5e-16
    assert largest_level_error(logistic, [(0.5, 1e-6)]) > 2e-7


@pytest.mark.long
def test_generated_inverses_are_enclosed() -> None:
    import symaux as sa

    with mp.workdps(30):
        total = mp.quad(lambda t: mp.exp(-(t**4) / 4 - t**2 / 2), [-mp.inf, 0, mp.inf])
    of = sa.law(Z, sp.exp(-(Z**4) / 4 - Z**2 / 2) / sp.Float(total, 20))
    form = sa.derive(of, noise="uniform")
    assert form.value.has(ImplicitQuantile) and form.verdict.status is Status.CERTIFIED
    us = [1e-6, 0.01, 0.3, 0.5, 0.9, 0.999]
    assert largest_level_error(of, [(u, float(form.quantile(u))) for u in us]) < 1e-12
