"""Names as a reader sees them: two things under one name, or under names that look alike, are refused everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.symbols.names import describe_clash, skeleton, taken_name

Z, MU = sp.symbols("z mu", real=True)
KELVIN, CYRILLIC_A, FULLWIDTH_A, ZERO_WIDTH = "\u212a", "\u0430", "\uff41", "a\u200b"

ALIKE = {
    "the Kelvin sign": ("K", KELVIN),
    "a Cyrillic letter": ("a", CYRILLIC_A),
    "a full-width letter": ("a", FULLWIDTH_A),
    "an invisible character": ("a", ZERO_WIDTH),
    "a mathematical letter": ("x", "\U0001d465"),
    "micro and mu": ("\u00b5", "\u03bc"),
    "composed and decomposed": ("\u00e9", "e\u0301"),
    "a variation selector": ("b", "b\ufe0f"),
    "a Greek capital": ("B", "\u0392"),
    "spaces": ("a b", "a\u00a0 b"),
}


@pytest.mark.parametrize("pair", ALIKE.values(), ids=ALIKE)
def test_names_that_look_alike_have_one_skeleton(pair: tuple[str, str]) -> None:
    assert skeleton(pair[0]) == skeleton(pair[1])
    one, other = (sp.Symbol(name, positive=True) for name in pair)
    with pytest.raises(sa.LawError, match="look alike") as caught:
        sa.normal(Z, one, other)
    assert repr(pair[0]) in str(caught.value) and repr(pair[1]) in str(caught.value), "the error names both"


@pytest.mark.parametrize(
    "pair", [("a", "α"), ("x1", "x_1"), ("l", "I"), ("y", "γ"), ("K", "k"), ("x0", "xO"), ("é", "e")]
)
def test_names_that_a_reader_can_tell_apart_are_accepted(pair: tuple[str, str]) -> None:
    one, other = (sp.Symbol(name, positive=True) for name in pair)
    assert sa.derive(sa.normal(Z, one, other)).verdict


REAL, POSITIVE = sp.Symbol("a", real=True), sp.Symbol("a", positive=True)
I3, I5 = sa.plate("i", 3), sa.plate("i", 5)
X, Y = sa.arrays("x y")
ZN = sp.Symbol("z", negative=True)
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a family": (lambda: sa.normal(Z, REAL, POSITIVE), "different assumptions: positive and real"),
    "a density": (
        lambda: sa.law(Z, sp.exp(-((Z - REAL) ** 2) / 2 / POSITIVE**2) / POSITIVE / sp.sqrt(2 * sp.pi)),
        "two",
    ),
    "a log-density": (lambda: sa.law(Z, log_density=-REAL * POSITIVE * Z**2), "positive and real"),
    "a support": (lambda: sa.law(Z, 1 / (POSITIVE - REAL), support=(REAL, POSITIVE)), "two symbols"),
    "a condition": (lambda: sa.law(Z, sp.exp(-(Z**2) * POSITIVE), conditions=(REAL > 1,)), "two symbols"),
    "the value itself": (lambda: sa.normal(Z, ZN, 1), "negative and real"),
    "a dummy": (lambda: sa.normal(Z, sp.Dummy("a", real=True), POSITIVE), "two symbols"),
    "an array and a scalar": (lambda: sa.normal(X[I3], sp.Symbol("x", real=True), 1), "scalar and as an array"),
    "an element in disguise": (lambda: sa.normal(Z, X[0], sp.Symbol("x[0]", positive=True)), "element of the array x"),
    "two plates": (lambda: sa.normal(X[I3], Y[I5], 1), "two plates, of 3 and of 5"),
    "a plate and a variable": (lambda: sa.normal(X[I3], sp.Symbol("i", real=True), 1), "plate and as a variable"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_two_things_under_one_name_are_refused(case: str) -> None:
    make, words = REFUSED[case]
    with pytest.raises((sa.LawError, sa.ModelError), match=words):
        make()


def test_a_model_is_checked_as_a_whole() -> None:
    """No statement clashes by itself: only together do they mean two things by one name."""
    first, second = sa.normal(sp.Symbol("K", real=True), 0, 1), sa.normal(sp.Symbol(KELVIN, real=True), 0, 1)
    with pytest.raises(sa.ModelError, match="look alike"):
        sa.Model.of(first, second)
    with pytest.raises(sa.ModelError, match="different assumptions"):
        sa.Model.of(sa.normal(MU, 0, REAL**2 + 1), sa.exponential(POSITIVE, 1))
    with pytest.raises(sa.ModelError, match="different assumptions"):
        sa.Model.of(sa.normal(MU, 0, 1), sa.factor(-(REAL**2)), sa.factor(-(POSITIVE**2)))
    with pytest.raises(sa.ModelError, match="look alike"):
        sa.Model.of(sa.normal(Z, 0, 1), sa.deterministic(sp.Symbol("z\u200d", real=True), 2 * Z))
    conditional = sa.law(Z, sp.exp(-(Z**2) / 2) / sp.sqrt(2 * sp.pi), conditions=(REAL > 1,))
    with pytest.raises(sa.ModelError, match="different assumptions"):
        sa.Model.of(conditional, sa.exponential(POSITIVE, 1))


def test_a_law_that_was_made_by_hand_is_checked_before_it_is_derived() -> None:
    plain = sa.normal(Z, REAL, 1)
    by_hand = sa.Law(
        Z, plain.log_density + POSITIVE - POSITIVE + sp.log(POSITIVE) - sp.log(sp.Abs(POSITIVE)), plain.support
    )
    assert sa.derive(by_hand).verdict, "what cancels is not there"
    by_hand = sa.Law(Z, -((Z - REAL) ** 2) / 2 / POSITIVE**2 - sp.log(2 * sp.pi * POSITIVE**2) / 2, plain.support)
    with pytest.raises(sa.LawError, match="different assumptions"):
        sa.derive(by_hand)


def test_a_claim_with_two_symbols_of_one_name_is_not_judged() -> None:
    e = sp.Symbol("e", real=True)
    claims = [
        (sa.normal(Z, MU, 1), sa.Rewrite((sa.normal(e, 0, 1),), sp.Symbol("mu", positive=True) + e)),
        (sa.normal(Z, MU, 1), sa.Rewrite((sa.normal(sp.Dummy("mu", real=True), 0, 1),), 2 * MU)),
        (
            sa.normal(Z, sp.Symbol("K", real=True), 1),
            sa.Rewrite((sa.normal(e, 0, 1),), sp.Symbol(KELVIN, real=True) + e),
        ),
    ]
    for law, form in claims:
        found = sa.verify(law, form)
        assert not found and found.status.name == "UNDECIDED", found


@pytest.mark.parametrize("name", ["eps_z", "\u0435ps_z", "eps_z\u200b", "eps_z[0]"])
def test_a_new_name_is_compared_as_it_looks(name: str) -> None:
    assert taken_name("eps_z", [sp.Symbol(name) + 1]) == name
    assert taken_name("eps_zz", [sp.Symbol(name) + 1]) is None


def test_what_a_function_binds_is_its_own() -> None:
    from symaux.formulas.symbols.indices import Bound

    assert describe_clash([Bound("t", real=True) + sp.Symbol("t", positive=True)]) is None
    k = sp.Symbol("k", integer=True)
    x = sa.arrays("x")[sa.plate("k", 3)]
    assert describe_clash([sp.Sum(sp.Symbol("a") ** k, (k, 0, 5)), x]) is None, "the index of a sum is its own"
    assert describe_clash([sp.Sum(x, sa.plate("k", 3)), k]) is not None
