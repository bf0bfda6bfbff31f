"""Approximate quantile functions: the bound of the Kolmogorov distance is proved, tight and never mistaken for equality."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import pytest
import sympy as sp

import symaux as sa
from rewrites import APPROXIMATIONS, RULES
from rewrites.approximation import to_within
from symaux.api import form_source
from symaux.formulas.functions.chebyshev import ChebyshevPieces, Table, end
from symaux.formulas.numeric.points import evaluate
from symaux.laws.law import Law
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

z, x = sp.Symbol("z", positive=True), sp.Symbol("x", real=True)
IRWIN_HALL = sa.law(
    z, sp.Piecewise((z**2 / 2, z < 1), ((-2 * z**2 + 6 * z - 3) / 2, z < 2), ((3 - z) ** 2 / 2, True)), support=(0, 3)
)
LAWS = {
    "normal": sa.normal(x, 0, 1),
    "gamma": sa.gamma(z, sp.Rational(5, 2), 1),
    "irwin_hall": IRWIN_HALL,
    "von_mises": sa.von_mises(x, 0, 2),
    "cauchy": sa.cauchy(x, 0, 1),
    "laplace": sa.laplace(x, 0, 1),
    "beta": sa.beta(z, sp.Rational(1, 2), 3),
}


def irwin_hall_cdf(t: Any) -> Any:
    return sum((-1) ** k * mp.binomial(3, k) * max(t - k, 0) ** 3 for k in range(4)) / 6


@cache
def von_mises_waves() -> list[Any]:
    return [mp.besseli(n, 2) / mp.besseli(0, 2) for n in range(1, 40)]


def von_mises_cdf(t: Any) -> Any:
    waves = mp.fsum(ratio * mp.sin(n * t) / n for n, ratio in enumerate(von_mises_waves(), 1))
    return mp.mpf(1) / 2 + t / (2 * mp.pi) + waves / mp.pi


CDF: dict[str, Callable[[Any], Any]] = {
    "normal": mp.ncdf,
    "gamma": lambda t: mp.gammainc(mp.mpf(5) / 2, 0, t, regularized=True),
    "irwin_hall": irwin_hall_cdf,
    "von_mises": von_mises_cdf,
    "cauchy": lambda t: mp.mpf(1) / 2 + mp.atan(t) / mp.pi,
    "laplace": lambda t: mp.exp(t) / 2 if t < 0 else 1 - mp.exp(-t) / 2,
    "beta": lambda t: mp.betainc(0.5, 3, 0, t, regularized=True),
}


@cache
def approximate(law: Law) -> sa.AuxiliaryForm:
    return next(f for f in sa.forms(law, rules=(), accept="approximate") if f.verdict.status is Status.APPROXIMATE)


def bound(verdict: sa.Verdict) -> float:
    (found,) = re.findall(r"is at most (\S+)", " ".join(verdict.evidence))
    return float(found)


def measured(form: Any, cdf: Callable[[Any], Any], count: int = 900) -> float:
    """The largest |F(Q(u)) - u| at many u, in high precision, by a distribution function of mpmath's."""
    worst = mp.mpf(0)
    with mp.workdps(30):
        for k in range(count + 1):
            u = 1 / (1 + mp.exp(-mp.mpf(-34 + mp.mpf(68) * k / count)))
            worst = max(worst, abs(cdf(evaluate(form.value, {form.noise[0].value: u})) - u))
    return float(worst)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", LAWS)
def test_the_bound_is_honest_and_tight(name: str) -> None:
    form = approximate(LAWS[name])
    seen = measured(form, CDF[name])
    assert seen <= bound(form.verdict) <= 10 * seen
    assert bound(form.verdict) < 2e-10


def test_it_is_only_made_on_request_and_is_never_true() -> None:
    law = LAWS["gamma"]
    assert not set(APPROXIMATIONS) & set(RULES)
    assert sa.derive(law).verdict.status is Status.PROVED
    assert all(f.verdict.status is not Status.APPROXIMATE for f in sa.forms(law))
    form = sa.derive(law, accept="approximate")
    assert form.verdict.status is Status.APPROXIMATE and not form.verdict
    assert not form.derivation.verify()


def test_a_closed_form_is_still_better() -> None:
    rate = sp.Symbol("r", positive=True)
    assert sa.derive(sa.exponential(z, rate), accept="approximate").verdict.status is Status.PROVED
    assert sa.derive(LAWS["normal"], accept="approximate").verdict.status is Status.PROVED


@pytest.mark.long
def test_parameters_that_exact_steps_take_away() -> None:
    rate = sp.Symbol("r", positive=True)
    form = sa.derive(sa.gamma(z, sp.Rational(5, 2), rate), accept="approximate", noise="normal")
    assert [s.rule for s in form.steps] == ["location_scale", "approximation", "probit"]
    assert form.verdict.status is Status.APPROXIMATE
    exact = sa.derive(sa.gamma(z, sp.Rational(5, 2), rate))
    u, at = jnp.linspace(0.001, 0.999, 101), {"r": 3.0}
    assert jnp.allclose(form.quantile(u, at), exact.quantile(u, at), rtol=1e-7)
    slope = jax.grad(lambda r: form.quantile(0.3, {"r": r}))(3.0)
    assert jnp.allclose(slope, -form.quantile(0.3, at) / 3.0)


def test_a_law_with_a_free_shape_has_none() -> None:
    shape = sp.Symbol("a", positive=True)
    assert not [
        f for f in sa.forms(sa.gamma(z, shape, 1), accept="approximate") if f.verdict.status is Status.APPROXIMATE
    ]


def retabled(form: sa.AuxiliaryForm, change: Callable[[Table], Table]) -> Rewrite:
    (pieces,) = form.value.atoms(ChebyshevPieces)
    return Rewrite(form.noise, form.value.xreplace({pieces: ChebyshevPieces(pieces.args[0], change(pieces.table))}))


def changed(piece: int, number: int, by: float) -> Callable[[Table], Table]:
    def change(table: Table) -> Table:
        rows = [list(row) for row in table.rows]
        rows[piece][number] += by
        return Table(table.edges, rows, table.slopes)

    return change


def lifted(by: float) -> Callable[[Table], Table]:
    """Every piece moved alike: still continuous, still increasing."""
    return lambda table: Table(table.edges, [(row[0] + by, *row[1:]) for row in table.rows], table.slopes)


def turned(table: Table) -> Table:
    return Table(table.edges, [tuple(-c for c in row) for row in table.rows], table.slopes)


def refused(verdict: sa.Verdict) -> bool:
    return not verdict and verdict.status is not Status.APPROXIMATE


@pytest.mark.parametrize("change", [changed(3, 0, 2.0**-40), changed(4, 2, 1e-3), changed(5, 1, -0.5), turned])
def test_a_tampered_coefficient_is_not_accepted(change: Callable[[Table], Table]) -> None:
    assert refused(verify(LAWS["normal"], retabled(approximate(LAWS["normal"]), change)))


def test_tampering_that_keeps_the_pieces_together_shows_in_the_bound() -> None:
    form = approximate(LAWS["normal"])
    moved = retabled(form, lifted(2.0**-20))
    verdict = verify(LAWS["normal"], moved)
    seen = measured(moved, mp.ncdf, 200)
    assert verdict.status is Status.APPROXIMATE and not verdict
    assert 3e-7 < seen <= bound(verdict) < 1.2 * seen
    assert refused(verify(LAWS["normal"], retabled(form, lifted(2.0**-5))))


def test_a_fold_between_the_edges_is_not_accepted() -> None:
    """T_2 - 1 vanishes at both ends of a piece: the pieces meet, and one of them falls somewhere."""

    def fold(table: Table) -> Table:
        rows = [list(row) for row in table.rows]
        rows[4][2] += 8.0
        rows[4][0] -= 8.0
        return Table(table.edges, rows, table.slopes)

    form = approximate(LAWS["normal"])
    made = retabled(form, fold)
    (pieces,) = made.value.atoms(ChebyshevPieces)
    assert pieces.table.continuous() and refused(verify(LAWS["normal"], made))


def test_the_table_of_another_law_is_not_accepted() -> None:
    form = approximate(LAWS["normal"])
    for other in (sa.logistic(x, 0, 1), sa.normal(x, 0, sp.Rational(101, 100)), LAWS["cauchy"]):
        assert refused(verify(other, Rewrite(form.noise, form.value)))
    u = form.noise[0].value
    assert refused(verify(LAWS["normal"], Rewrite(form.noise, form.value.xreplace({u: 1 - u}))))


def test_a_density_that_is_none_has_no_approximation() -> None:
    form = approximate(LAWS["normal"])
    heavier = replace(LAWS["normal"], log_density=LAWS["normal"].log_density + sp.Rational(1, 100), spelling=None)
    assert verify(heavier, Rewrite(form.noise, form.value)).status is Status.REFUTED


def test_a_tolerance_of_ones_own() -> None:
    form = sa.derive(LAWS["normal"], rules=(to_within(1e-5),), noise="uniform", accept="approximate")
    (pieces,) = form.value.atoms(ChebyshevPieces)
    (finer,) = approximate(LAWS["normal"]).value.atoms(ChebyshevPieces)
    assert 1e-9 < bound(form.verdict) < 2e-5
    assert len(pieces.table.rows) < len(finer.table.rows)


def test_the_pieces_meet_exactly() -> None:
    (pieces,) = approximate(IRWIN_HALL).value.atoms(ChebyshevPieces)
    rows = pieces.table.rows
    assert len(rows) > 1 and all(end(a, 1) == end(b, -1) for a, b in pairwise(rows))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", ["normal", "gamma", "irwin_hall", "cauchy"])
def test_generated_code_is_the_polynomial(name: str) -> None:
    form = approximate(LAWS[name])
    u = jnp.array([1e-14, 1e-9, 0.01, 0.3, 0.5, 0.999, 1 - 1e-12])
    noise = form.noise[0]
    made = jax.jit(lambda u: form.generate({noise.name: u}))(u)
    exact = [float(evaluate(form.value, {noise.value: sp.Float(float(v), 30)})) for v in u]
    assert jnp.allclose(made, jnp.array(exact), rtol=1e-9, atol=1e-12)
    slopes = jax.vmap(jax.grad(lambda v: form.generate({noise.name: v})))(u)
    density = [float(sp.exp(form.law.log_density).subs(form.law.value, sp.Float(v, 30))) for v in exact[2:6]]
    assert jnp.allclose(slopes[2:6] * jnp.array(density), 1.0, rtol=1e-4) and bool(jnp.all(slopes > 0))
    assert form.sample(jax.random.key(0), shape=(5,)).shape == (5,)


def test_generated_code_states_the_bound() -> None:
    form = approximate(LAWS["gamma"])
    source = form_source(form)
    doc = source.partition("def generate(eps, at):")[2].split('"""')[1]
    assert "sup |F(Q(u)) - u| is at most" in doc and "approximate:" in doc
    assert "symaux" not in source


def test_the_command_line_states_the_bound() -> None:
    from click.testing import CliRunner

    from symaux.cli.main import cli

    text = ["derive", "2*sqrt(z)*exp(-z)/sqrt(pi)", "--support", "0", "oo", "--accept", "approximate"]
    result = CliRunner().invoke(cli, [*text, "--code"])
    assert result.exit_code == 0, result.output
    assert "sup |F(Q(u)) - u| is at most" in result.stdout.split('"""')[1] and "chebyshev_pieces(" in result.stdout
    assert '"APPROXIMATE"' in CliRunner().invoke(cli, [*text, "--json"]).stdout
