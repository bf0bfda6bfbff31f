"""Data and positions that do not fit the model: refused with the name of the node."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symaux as sa

a, b, c = sp.symbols("a b c", real=True)
z, y, x, w = sa.arrays("z y x w")
county = sa.arrays("county", integer=True)
i, j, t, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("t", 5), sa.plate("n")
N = sa.normal


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
    "gather with fractions": ({"county": np.array([0, 3, 1, 0.5, 2, 0])}, ["county", "integers"]),
    "negative sigma": ({"sigma": np.array([1.0, 1, 1, -1, 1, 1])}, ["y", "sigma", "> 0"]),
    "zero sigma": ({"sigma": np.array([1.0, 1, 1, 0, 1, 1])}, ["y", "sigma", "> 0"]),
    "sigma that is no number": ({"sigma": np.array([1.0, 1, 1, np.nan, 1, 1])}, ["y", "sigma", "> 0"]),
    "observed above its support": ({"w": np.array([0, 6, 2, 1, 3, 4])}, ["w", "support"]),
    "observed below its support": ({"w": np.array([0, -1, 2, 1, 3, 4])}, ["w", "support"]),
    "observed between integers": ({"w": np.array([0, 1.5, 2, 1, 3, 4])}, ["w", "support"]),
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
