"""Models as values: edges are read off the formulas, statements are printed."""

from __future__ import annotations

import sympy as sp

import symaux as sa

a, b, c = sp.symbols("a b c", real=True)
s = sp.Symbol("s", positive=True)
z, y, x, w = sa.arrays("z y x w")
county = sa.arrays("county", integer=True)
i, j, t, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("t", 5), sa.plate("n")
N = sa.normal


def test_edges_are_read_off_the_formulas() -> None:
    model = sa.Model.of(
        N(a, 0, s),
        N(z[i], a, 1),
        sa.deterministic(b, sp.Sum(z[i] * w[i], i)),
        N(y[n], z[county[n]] + b, 1),
        sa.factor(-(b**2)),
        observed=[y],
    )
    edges = {("s", "a"), ("a", "z"), ("z", "b"), ("w", "b"), ("z", "y"), ("county", "y"), ("b", "y")}
    assert set(model.graph.edges) == edges
    assert model.latents == ("a", "z")
    assert model.inputs == ("county", "s", "w")
    assert model.order.index("a") < model.order.index("z") < model.order.index("b") < model.order.index("y")


def test_a_model_prints_its_statements() -> None:
    model = sa.Model.of(N(a, 0, 1), N(y[n], a, 1), sa.deterministic(b, 2 * a), sa.factor(-b), observed=[y])
    assert str(model).splitlines() == [
        "plate n",
        "a ~ normal(0, 1)",
        "observe y[n] ~ normal(a, 1)",
        "b = 2*a",
        "factor -b",
    ]
