"""Models that are no Bayesian networks, and data that do not fit: refused at once, with the name of the node."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symaux as sa

a, b, c = sp.symbols("a b c", real=True)
s = sp.Symbol("s", positive=True)
z, y, x, w = sa.arrays("z y x w")
county = sa.arrays("county", integer=True)
i, j, t, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("t", 5), sa.plate("n")
N = sa.normal


REFUSED = {
    "cycle": (lambda: sa.Model.of(N(a, b, 1), N(b, a, 1)), ["cycle", "a", "b"]),
    "longer cycle": (lambda: sa.Model.of(N(a, b, 1), sa.deterministic(b, c), N(c, a, 1)), ["cycle", "a", "b", "c"]),
    "self-loop": (lambda: sa.Model.of(sa.deterministic(a, a + 1)), ["cycle", "a"]),
    "cycle in one time step": (
        lambda: sa.Model.of(N(z[0], 0, 1), N(z[t], x[t], 1), N(x[0], 0, 1), N(x[t], z[t], 1)),
        ["cycle", "z", "x"],
    ),
    "an element of itself": (lambda: sa.Model.of(N(z[i], sp.Sum(z[i], i), 1)), ["z[i]", "itself"]),
    "duplicate": (lambda: sa.Model.of(N(a, 0, 1), N(a, 1, 1)), ["a", "twice"]),
    "duplicate element": (lambda: sa.Model.of(N(z[0], 0, 1), N(z[0], 1, 1), N(z[t], z[t - 1], 1)), ["z", "twice"]),
    "duplicate plate": (lambda: sa.Model.of(N(z[i], 0, 1), N(z[j], 0, 1)), ["z", "twice"]),
    "law and formula": (lambda: sa.Model.of(N(a, 0, 1), sa.deterministic(a, 2)), ["a", "both a law and a formula"]),
    "undefined index": (lambda: sa.Model.of(N(z[i], w[j], 1)), ["z[i]", "j", "not defined"]),
    "undefined index of a scalar": (lambda: sa.Model.of(N(a, w[j], 1)), ["a", "j", "not defined"]),
    "undefined index of a formula": (lambda: sa.Model.of(sa.deterministic(z[i], w[j])), ["z[i]", "j", "not defined"]),
    "wrong rank": (lambda: sa.Model.of(N(z[i], 0, 1), N(y[i, j], z[i, j], 1)), ["y", "z[i, j]", "2", "1"]),
    "wrong rank of an input": (lambda: sa.Model.of(N(z[i], w[i] + w[i, 0], 1)), ["z[i]", "w"]),
    "plate twice": (lambda: sa.Model.of(N(z[i, i], 0, 1)), ["z[i, i]", "twice"]),
    "support with its own value": (lambda: sa.Model.of(sa.law(a, sp.exp(-a), support=(a, sp.oo))), ["a", "itself"]),
    "negative scale": (lambda: sa.Model.of(N(a, 0, -2)), ["a", "scale", "-2"]),
    "observed not in the model": (lambda: sa.Model.of(N(a, 0, 1), observed=[b]), ["b", "no law", "a"]),
    "observed input": (lambda: sa.Model.of(N(a, b, 1), observed=[b]), ["b", "no law"]),
    "observed deterministic": (lambda: sa.Model.of(sa.deterministic(a, b), observed=[a]), ["a", "deterministic"]),
    "index out of its plate": (lambda: sa.Model.of(N(z[i], 0, 1), N(a, z[3], 1)), ["3", "z", "out of its plate", "i"]),
    "negative index": (lambda: sa.Model.of(N(z[i], 0, 1), N(a, z[-1], 1)), ["z[-1]", "a", "negative"]),
    "fixed element out of its plate": (
        lambda: sa.Model.of(N(z[0], 0, 1), N(z[1], 0, 1), N(z[sa.plate("q", 1)], 0, 1)),
        ["z", "q"],
    ),
    "conflicting plate sizes": (lambda: sa.Model.of(N(z[i], 0, 1), N(y[sa.plate("i", 7)], 0, 1)), ["i", "3", "7"]),
    "two plates of one axis": (lambda: sa.Model.of(N(z[i], 0, 1), N(y[j], z[j], 1)), ["i", "j", "sizes"]),
    "lag without a start": (lambda: sa.Model.of(N(z[t], z[t - 1], 1)), ["z[0]", "statement of its own"]),
    "lag two without a second start": (
        lambda: sa.Model.of(N(z[0], 0, 1), N(z[t], z[t - 2], 1)),
        ["z[1]", "statement of its own"],
    ),
    "gap in the start": (lambda: sa.Model.of(N(z[1], 0, 1), N(z[t], z[t - 1], 1)), ["z[0]", "statement of its own"]),
    "lag of data without a start": (lambda: sa.Model.of(N(y[t], x[t - 1], 1)), ["y[0]", "statement of its own"]),
    "look-ahead": (lambda: sa.Model.of(N(z[0], 0, 1), N(z[t], z[t + 1], 1)), ["z[t + 1]", "looks ahead"]),
    "first reads second": (lambda: sa.Model.of(N(z[0], z[1], 1), N(z[t], z[t - 1], 1)), ["z[0]", "z[1]", "cycle"]),
    "first reads second, through another": (
        lambda: sa.Model.of(N(z[0], y[1], 1), N(z[t], 0, 1), N(y[0], 0, 1), N(y[t], z[t - 1], 1)),
        ["cycle", "z", "y"],
    ),
    "lag inside a sum": (lambda: sa.Model.of(N(a, sp.Sum(w[t - 1], t), 1)), ["a", "w[t - 1]", "t"]),
    "discrete latent": (lambda: sa.Model.of(sa.poisson(a, 3)), ["a", "discrete", "observed"]),
    "scalar and array": (lambda: sa.Model.of(N(a, 0, 1), N(y[i], sa.arrays("a")[i], 1)), ["a", "scalar", "array"]),
    "other assumptions": (
        lambda: sa.Model.of(N(a, 0, 1), N(b, sp.Symbol("a", positive=True), 1)),
        ["a", "assumptions", "positive"],
    ),
    "other assumptions of an array": (
        lambda: sa.Model.of(N(z[i], 0, 1), N(y[i], sa.arrays("z", positive=True)[i], 1)),
        ["z", "assumptions"],
    ),
    "a product as index": (lambda: sa.Model.of(N(y[i], z[2 * i], 1)), ["y[i]", "2*i"]),
    "a shifted gather": (lambda: sa.Model.of(N(y[i], z[county[i] + 1], 1)), ["y[i]", "county[i] + 1"]),
    "a law about a lag": (lambda: sa.Model.of(N(z[0], 0, 1), N(z[t + 1], z[t], 1)), ["z", "t + 1"]),
    "no statement": (lambda: sa.Model.of(3), ["3"]),
    "a sympy.stats variable": (
        lambda: sa.Model.of(__import__("sympy.stats").stats.Normal("q", 0, 1)),
        ["q", "sa.law"],
    ),
    "plate of no size": (lambda: sa.plate("i", 0), ["i", "0"]),
    "plate of negative size": (lambda: sa.plate("i", -3), ["i", "-3"]),
    "plate of a fraction": (lambda: sa.plate("i", 2.5), ["i", "2.5"]),
    "plate of a truth value": (lambda: sa.plate("i", True), ["i", "True"]),
    "plate without a name": (lambda: sa.plate(""), ["name"]),
    "the size of no plate": (lambda: sa.Model.of(N(a, sp.Symbol("size_q", integer=True), 1)), ["a", "size_q", "plate"]),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_model_is_refused_with_the_name_of_the_node(case: str) -> None:
    make, words = REFUSED[case]
    with pytest.raises((sa.ModelError, sa.LawError)) as caught:
        make()
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, str(caught.value)


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


def test_legal_but_unusual_models() -> None:
    sa.Model.of()
    sa.Model.of(sa.uniform(a, 0, s), N(b, a, 1))
    sa.Model.of(sa.student_t(a, 1, 0, 1), sa.cauchy(b, a, 1))
    sa.Model.of(N(z[0], 0, 1), N(z[t], z[t - 1], 1), N(x[0], z[0], 1), N(x[t], x[t - 1] + z[t - 1], 1))


def test_a_model_prints_its_statements() -> None:
    model = sa.Model.of(N(a, 0, 1), N(y[n], a, 1), sa.deterministic(b, 2 * a), sa.factor(-b), observed=[y])
    assert str(model).splitlines() == [
        "plate n",
        "a ~ normal(0, 1)",
        "observe y[n] ~ normal(a, 1)",
        "b = 2*a",
        "factor -b",
    ]


# --------------------------------------------------------------------------------------------------------------- data


def hierarchy() -> sa.Model:
    alpha, sigma = sa.arrays("alpha sigma")
    beta = sp.Symbol("beta", real=True)
    return sa.Model.of(
        N(alpha[j], 0, 1),
        N(y[n], alpha[county[n]] + beta * x[n], sigma[n]),
        sa.binomial(w[n], 5, sa.sigmoid(beta)),
        observed=[y, w],
    )


GOOD = {
    "y": np.zeros(6),
    "w": np.array([0, 5, 2, 1, 3, 4]),
    "x": np.ones(6),
    "sigma": np.ones(6),
    "county": np.array([0, 3, 1, 2, 2, 0]),
}
BAD_DATA = {
    "missing observed": ({"y": None}, ["y", "missing"]),
    "unknown name": ({"q": np.ones(3)}, ["q"]),
    "data for a latent": ({"alpha": np.ones(4)}, ["alpha", "not observed"]),
    "wrong rank": ({"x": np.ones((6, 2))}, ["x", "(6, 2)"]),
    "a scalar for an array": ({"x": 3.0}, ["x", "()"]),
    "conflicting sizes": ({"x": np.ones(5)}, ["5", "6", "n"]),
    "gather out of range": ({"county": np.array([0, 3, 1, 4, 2, 0])}, ["county", "alpha"]),
    "negative gather": ({"county": np.array([0, 3, 1, -1, 2, 0])}, ["county", "alpha"]),
    "gather with fractions": ({"county": np.array([0, 3, 1, 0.5, 2, 0])}, ["county", "whole"]),
    "negative sigma": ({"sigma": np.array([1.0, 1, 1, -1, 1, 1])}, ["y", "sigma", "> 0"]),
    "zero sigma": ({"sigma": np.array([1.0, 1, 1, 0, 1, 1])}, ["y", "sigma", "> 0"]),
    "sigma that is no number": ({"sigma": np.array([1.0, 1, 1, np.nan, 1, 1])}, ["y", "sigma", "> 0"]),
    "observed above its support": ({"w": np.array([0, 6, 2, 1, 3, 4])}, ["w", "support"]),
    "observed below its support": ({"w": np.array([0, -1, 2, 1, 3, 4])}, ["w", "support"]),
    "observed between whole numbers": ({"w": np.array([0, 1.5, 2, 1, 3, 4])}, ["w", "support"]),
    "text": ({"x": ["a"] * 6}, ["x"]),
    "complex numbers": ({"x": np.ones(6) * 1j}, ["x"]),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_data_that_do_not_fit_are_refused(case: str) -> None:
    change, words = BAD_DATA[case]
    data = {name: value for name, value in {**GOOD, **change}.items() if value is not None}
    with pytest.raises(sa.DataError) as caught:
        sa.log_density(hierarchy(), data)
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, str(caught.value)


def test_good_data_are_accepted() -> None:
    assert np.isfinite(sa.log_density(hierarchy(), GOOD)({"alpha": np.zeros(4), "beta": 0.1}))


@pytest.mark.parametrize("picked", [np.array([0, 7]), np.array([0, -1])])
def test_a_gather_out_of_range_of_an_array_without_a_plate_is_refused(picked: np.ndarray) -> None:
    model = sa.Model.of(N(y[n], x[county[n]], 1), observed=[y])
    with pytest.raises(sa.DataError, match="county"):
        sa.log_density(model, {"y": np.zeros(2), "x": np.zeros(4), "county": picked})


def test_a_gather_out_of_range_of_a_latent_whose_length_the_position_gives_is_refused() -> None:
    m = sa.plate("m")
    model = sa.Model.of(N(z[m], 0, 1), N(y[n], z[county[n]], 1), observed=[y])
    logp = sa.log_density(model, {"y": np.zeros(2), "county": np.array([0, 3])})
    assert np.isfinite(logp({"z": np.zeros(4)}))
    with pytest.raises(sa.DataError, match="county picks element 3"):
        logp({"z": np.zeros(3)})


def test_a_gather_out_of_range_under_a_sum_is_refused() -> None:
    model = sa.Model.of(N(z[j], 0, 1), N(a, sp.Sum(z[county[n]], n), 1), observed=[a])
    with pytest.raises(sa.DataError, match="county"):
        sa.log_density(model, {"a": 0.0, "county": np.array([0, 4])})


def test_a_scalar_gather_out_of_range_is_refused() -> None:
    pick = sp.Symbol("pick", integer=True)
    model = sa.Model.of(N(z[j], 0, 1), N(a, z[pick], 1), observed=[a])
    with pytest.raises(sa.DataError, match="pick"):
        sa.log_density(model, {"a": 0.0, "pick": 4})


def test_observed_outside_a_support_that_data_give_is_refused() -> None:
    top = sp.Symbol("top", positive=True)
    model = sa.Model.of(sa.uniform(y[n], 0, top), observed=[y])
    with pytest.raises(sa.DataError, match="y has values outside its support"):
        sa.log_density(model, {"y": np.array([0.5, 2.0]), "top": 1.0})


POSITIONS = {
    "missing": ({"alpha": np.zeros(4)}, ["beta", "missing"]),
    "unexpected": ({"alpha": np.zeros(4), "beta": 0.1, "q": 1.0}, ["q", "not expected"]),
    "wrong length": ({"alpha": np.zeros(5), "beta": 0.1}, ["alpha", "5", "4"]),
    "wrong rank": ({"alpha": np.zeros((4, 1)), "beta": 0.1}, ["alpha", "(4, 1)"]),
    "array for a scalar": ({"alpha": np.zeros(4), "beta": np.zeros(1)}, ["beta", "(1,)"]),
}


@pytest.mark.parametrize("case", POSITIONS)
def test_a_position_that_does_not_fit_is_refused(case: str) -> None:
    position, words = POSITIONS[case]
    with pytest.raises(sa.DataError) as caught:
        sa.log_density(hierarchy(), GOOD)(position)
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, str(caught.value)


def test_generate_says_what_it_lacks() -> None:
    eta = sa.arrays("eta")
    model = sa.Model.of(N(a, 0, 1), sa.deterministic(eta[n], a), N(y[n], eta[n], 1), observed=[y])
    with pytest.raises(sa.DataError, match="y"):
        sa.generate(model)({"a": 0.3})
    np.testing.assert_array_equal(sa.generate(model, {"y": np.zeros(2)})({"a": 0.3})["eta"], [0.3, 0.3])
