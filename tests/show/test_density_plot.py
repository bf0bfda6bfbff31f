"""Plots of a density beside draws from the form."""

from __future__ import annotations

import pytest
import sympy as sp

import symaux as sa
from symaux.show.reporting.density_plot import (
    DRAWS,
    NothingToCompare,
    compare,
    generating_curves,
    readable_parameters,
    to_parametric,
)

z, a, b = sp.symbols("z a b", positive=True)


def test_draws_lie_under_the_density() -> None:
    """Each bar is a share of DRAWS draws: five standard errors from the mean of the density over it."""
    for law in (sa.law(z, a * b * z ** (a - 1) * (1 - z**a) ** (b - 1), support=(0, 1)), sa.gumbel(z, 1, 2)):
        found = compare(sa.derive(law))
        width = found.bars.edges[1] - found.bars.edges[0]
        for k, height in enumerate(found.bars.heights):
            inside = [h for x, h in found.density if found.bars.edges[k] <= x < found.bars.edges[k + 1]]
            share = sum(inside) / len(inside) * width
            assert abs(height * width - share) < 5 * (share / DRAWS) ** 0.5 + 0.003


def test_heavy_tails_do_not_flatten_the_plot() -> None:
    """A Cauchy's draws reach into the thousands; the plot shows where most of them are."""
    found = compare(sa.derive(sa.cauchy(z, 0, 1)), {})
    assert -10 < found.bars.edges[0] < -2 and 2 < found.bars.edges[-1] < 10
    bulk = compare(sa.derive(sa.normal(z, 0, 1)), {})
    assert bulk.bars.edges[0] < -2.5 and bulk.bars.edges[-1] > 2.5


def test_a_wrong_form_would_be_seen() -> None:
    from dataclasses import replace

    form = sa.derive(sa.normal(z, a, b))
    wrong = compare(replace(form, value=form.value * 2))
    assert max(abs(h - 0) for h in wrong.bars.heights) < 0.75 * max(h for _, h in compare(form).density)


def test_vectors_and_numbers_have_no_curve() -> None:
    y, i = sa.arrays("y"), sa.plate("i", 3)
    with pytest.raises(NothingToCompare, match="vector"):
        compare(sa.derive(sa.dirichlet(y[i], sa.arrays("alpha", positive=True)[i])))


def test_numbers_stay_numbers_and_formulas_become_parameters() -> None:
    w, i = sa.arrays("w"), sa.plate("i", 3)
    found = to_parametric(sa.normal(z, sp.Sum(w[i], i), 2))
    assert list(found.meaning.values()) == [sp.Sum(w[i], i)] and list(found.numbers.values()) == [2]
    at = readable_parameters(found.law, found.numbers)
    assert 2 in at.values() and len(at) == 2


def test_a_plot_does_not_search_again() -> None:
    """The kernel that is plotted is the one that was derived: nothing is tried anew."""
    from symaux.progress import listen

    c, d = sp.symbols("c d", real=True)
    law = sa.student_t(c, 3, sp.tanh(d), 2)
    sa.derive(law, noise="normal")
    heard: list[str] = []
    with listen(lambda rule, given: heard.append(rule)):
        sa.derive(to_parametric(law).law, noise="normal")
    assert heard == []


def test_g_is_drawn_along_its_first_noise() -> None:
    form = sa.derive(sa.exponential(z, a))
    (curve,) = generating_curves(form, {a: sp.Integer(2)})
    assert all(y == pytest.approx(x / 2, rel=1e-5) for x, y in curve)
    assert len(generating_curves(sa.derive(sa.laplace(z, 0, 1), noise="auto"), {})) >= 1
