"""Approximate quantile functions over boxes of parameters: one proved bound for the whole box, honest and never the default."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import pytest
import sympy as sp

import symaux as sa
from symaux.api import form_source
from symaux.errors import SymauxError
from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.chebyshev_box import BoxTable
from symaux.formulas.numeric.points import evaluate
from symaux.laws.densities.parameter_box import restrict_to_box
from symaux.proof.certificates.interpolation_bound import antiderivative, cosines, lebesgue_bound
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

z, a = sp.symbols("z a", positive=True)
GAMMA = sa.gamma(z, a, 1)
BOX = {"a": (2, sp.Rational(5, 2))}


@cache
def form() -> sa.AuxiliaryForm:
    return next(
        f for f in sa.forms(GAMMA, rules=(), accept="approximate", box=BOX) if f.verdict.status is Status.APPROXIMATE
    )


def bound(verdict: sa.Verdict) -> float:
    (found,) = re.findall(r"is at most (\S+)", " ".join(verdict.evidence))
    return float(found)


def measured(value: sp.Expr, noise: Any, shape: Any, count: int = 120) -> float:
    """The largest |F(Q(u)) - u| at many u, in high precision, by mpmath's own distribution function."""
    worst = mp.mpf(0)
    with mp.workdps(30):
        for k in range(count + 1):
            u = 1 / (1 + mp.exp(-mp.mpf(-24 + mp.mpf(48) * k / count)))
            at = evaluate(value, {noise: u, a: mp.mpf(shape)})
            worst = max(worst, abs(mp.gammainc(shape, 0, at, regularized=True) - u))
    return float(worst)


def test_the_bound_holds_everywhere_in_the_box_and_is_no_wild_guess() -> None:
    made = form()
    assert made.verdict.status is Status.APPROXIMATE and not made.verdict
    assert "for all 2 <= a <= 5/2" in made.verdict.evidence[0]
    seen = max(measured(made.value, made.noise[0].value, shape) for shape in (2, 2.03, 2.21, 2.347, 2.5))
    assert seen <= bound(made.verdict) <= 40 * seen and bound(made.verdict) < 1e-6


@pytest.mark.long
def test_generated_code_is_the_polynomial_and_differentiable_in_the_parameter() -> None:
    made, exact = form(), sa.derive(GAMMA)
    u = jnp.array([1e-6, 0.01, 0.3, 0.5, 0.999])
    for shape in (2.0, 2.2, 2.5):
        assert jnp.allclose(made.quantile(u, {"a": shape}), exact.quantile(u, {"a": shape}), rtol=1e-5)
        slopes = [jax.grad(lambda p, f=f: f.quantile(0.3, {"a": p}))(shape) for f in (made, exact)]
        assert abs(slopes[0] - slopes[1]) < 1e-4
    many = jax.jit(lambda p: made.quantile(u, {"a": p}))(jnp.linspace(2.0, 2.5, 5))
    assert many.shape == (5,) and bool(jnp.all(jnp.isfinite(many)))
    assert made.sample(jax.random.key(0), {"a": 2.1}, shape=(5,)).shape == (5,)


def test_outside_of_the_box_there_is_no_number() -> None:
    assert bool(jnp.isnan(form().quantile(0.5, {"a": 2.6})))


def test_generated_code_states_the_bound_and_the_box() -> None:
    source = form_source(form())
    doc = source.partition("def generate(eps, at):")[2].split('"""')[1]
    assert "for all 2 <= a <= 5/2" in doc and "is at most" in doc and "symaux" not in source


def changed(change: Callable[[BoxTable], BoxTable]) -> Rewrite:
    made = form()
    (pieces,) = made.value.atoms(ChebyshevPieces)
    tampered = ChebyshevPieces(pieces.args[0], change(pieces.table), *pieces.parameters)
    return Rewrite(made.noise, made.value.xreplace({pieces: tampered}))


def moved(by: list[tuple[int, int, float]], piece: int | None = None) -> Callable[[BoxTable], BoxTable]:
    """Coefficients (degree in x, mode of the parameter) changed, in one piece or in all."""

    def change(table: BoxTable) -> BoxTable:
        rows = [[list(modes) for modes in row] for row in table.rows]
        for k, row in enumerate(rows):
            for degree, mode, shift in by if piece in (None, k) else []:
                row[degree][mode] += shift
        return BoxTable(table.edges, rows, table.slopes, table.sides, table.orders)

    return change


def test_right_at_one_point_of_the_box_and_wrong_elsewhere_shows_in_the_bound() -> None:
    """T_1 vanishes in the middle of the box: there the law is the same as before, and off by 1e-5 at the ends."""
    wrong = changed(moved([(0, 1, 2.0**-16)]))
    verdict = verify(form().law, wrong)
    seen = measured(wrong.value, form().noise[0].value, 2.5)
    assert seen > 2e-6
    assert verdict.status is not Status.APPROXIMATE or seen <= bound(verdict)
    assert not verdict


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "change",
    [
        moved([(0, 0, 2.0**-40)], piece=3),  # pieces that do not meet
        moved([(0, 2, 2.0**-40)], piece=3),  # for some parameters only
        moved([(2, 0, 8.0), (0, 0, -8.0)], piece=3),  # a fold that keeps the pieces together
        moved([(0, 1, 0.25)]),  # far off but for the middle of the box
    ],
    ids=["gap", "gap in a mode", "fold", "far off"],
)
def test_a_tampered_table_is_not_accepted(change: Callable[[BoxTable], BoxTable]) -> None:
    verdict = verify(form().law, changed(change))
    assert not verdict and verdict.status is not Status.APPROXIMATE


def test_a_fold_at_one_end_of_the_box_is_not_accepted() -> None:
    """(T_2(x) - 1)(T_1(s) + 1)/2: nothing at the lower end of the box, a fold at the upper."""
    by = [(2, 0, 4.0), (2, 1, 4.0), (0, 0, -4.0), (0, 1, -4.0)]
    verdict = verify(form().law, changed(moved(by, piece=3)))
    assert not verdict and verdict.status is not Status.APPROXIMATE


@pytest.mark.long
def test_the_table_of_another_law_or_another_box_is_not_accepted() -> None:
    made = form()
    for other in (
        restrict_to_box(sa.gamma(z, a, sp.Rational(101, 100)), BOX),
        restrict_to_box(sa.weibull(z, a, 1), BOX),
        restrict_to_box(GAMMA, {"a": (2, 4)}),
        GAMMA,
    ):
        verdict = verify(other, Rewrite(made.noise, made.value))
        assert not verdict and (verdict.status is not Status.APPROXIMATE or bound(verdict) > 1e-4)


def test_interpolation_is_bounded_as_it_says() -> None:
    """The antiderivative of an interpolant, and Lebesgue's constant, against their definitions."""
    n = 6
    values = [float(c.mid()) ** 3 for c in cosines(n)]
    made = antiderivative(n)
    for t in (-1.0, -0.3, 0.8, 1.0):
        total = sum(
            float(made[k, i].mid()) * v * float(mp.chebyt(k, t)) for k in range(n + 1) for i, v in enumerate(values)
        )
        assert abs(total - (t**4 - 1) / 4) < 1e-14
    nodes = [float(c.mid()) for c in cosines(n)]
    largest = max(
        sum(
            abs(mp.fprod((t - y) / (x - y) for y in nodes if y != x))  # Lagrange's polynomials
            for x in nodes
        )
        for t in (k / 200 - 1 for k in range(401))
    )
    assert largest <= float(lebesgue_bound(n).mid())


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ({"k": (1, 4)}, "not a parameter"),
        ({"a": (4, 1)}, "smaller first"),
        ({"a": (0, 1)}, "positive"),
        ({"a": 3}, "two numbers"),
        ({"a": (1, sp.oo)}, "finite"),
    ],
)
def test_a_box_that_is_none_is_told(box: Any, words: str) -> None:
    with pytest.raises(SymauxError, match=words):
        list(sa.forms(GAMMA, accept="approximate", box=box))


def test_a_box_needs_the_permission_to_approximate() -> None:
    with pytest.raises(SymauxError, match="accept='approximate'"):
        sa.derive(GAMMA, box=BOX)


@pytest.mark.long
def test_a_box_of_moderate_width() -> None:
    found = next(f for f in sa.forms(GAMMA, rules=(), accept="approximate", box={"a": (1, 4)}))
    assert found.verdict.status is Status.APPROXIMATE and bound(found.verdict) < 1e-6
