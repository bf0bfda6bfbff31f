"""Models that are no Bayesian networks are refused at once, with the name of the node."""

from __future__ import annotations

import itertools

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


def test_legal_but_unusual_models() -> None:
    sa.Model.of()
    sa.Model.of(sa.uniform(a, 0, s), N(b, a, 1))
    sa.Model.of(sa.student_t(a, 1, 0, 1), sa.cauchy(b, a, 1))
    sa.Model.of(N(z[0], 0, 1), N(z[t], z[t - 1], 1), N(x[0], z[0], 1), N(x[t], x[t - 1] + z[t - 1], 1))


def test_an_index_may_be_computed_through_many_others() -> None:
    a, y = sa.arrays("a"), sp.Symbol("y", real=True)
    chain = [sp.Symbol(f"g{k}", integer=True) for k in range(1200)]
    steps = [sa.deterministic(later, 1 * earlier) for earlier, later in itertools.pairwise(chain)]
    model = sa.Model.of(sa.normal(a[sa.plate("j", 5)], 0, 1), *steps, sa.normal(y, a[chain[-1]], 1), observed=[y])
    assert model.inputs == ("g0",)


def test_a_formula_that_is_too_deep_is_refused_and_not_a_crash() -> None:
    x, y, mu = sp.symbols("x y mu", real=True)
    deep = x
    for number in range(400):
        deep = sp.tanh(deep, evaluate=False) + mu / (number + 2)
    for make in (
        lambda: sa.normal(y, deep, 1),
        lambda: sa.deterministic(y, deep),
        lambda: sa.factor(deep),
        lambda: sa.law(y, log_density=deep - y),
        lambda: sa.exponential(sp.Symbol("w", positive=True), deep),
    ):
        with pytest.raises(sa.LawError, match="nested more than"):
            make()
