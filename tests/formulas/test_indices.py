"""Plates, arrays and what a formula reads."""

from __future__ import annotations

import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.symbols.indices import (
    as_lag,
    at_index,
    extent,
    free_plates,
    is_gather,
    name_of,
    names_outside_indices,
    references,
)

z, alpha = sa.arrays("z alpha")
county = sa.arrays("county", integer=True)
i, t, n = sa.plate("i", 3), sa.plate("t", 5), sa.plate("n")
mu = sp.Symbol("mu", real=True)


def test_plates() -> None:
    assert extent(i) == 3 and (i.lower, i.upper) == (0, 2)
    assert extent(n) == sp.Symbol("size_n", integer=True, positive=True)
    assert sa.plate("i", 3) == i


def test_arrays() -> None:
    one = sa.arrays("one", positive=True)
    assert one[i].is_positive and z[i].is_real and not z[i].is_positive
    assert [str(a.label) for a in sa.arrays("a, b c")] == ["a", "b", "c"]
    assert isinstance(sa.arrays(["only"]), tuple)
    with pytest.raises(sa.ModelError):
        sa.arrays("")


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (t, (t, 0)),
        (t - 1, (t, 1)),
        (t - 3, (t, 3)),
        (t + 1, (t, -1)),
        (sp.Integer(2), None),
        (2 * t, None),
        (county[i], None),
    ],
)
def test_lags(index, expected) -> None:
    assert as_lag(index) == expected


def test_gathers() -> None:
    assert is_gather(county[i]) and is_gather(sp.Symbol("k", integer=True))
    assert not any(map(is_gather, (i, t - 1, sp.Integer(0))))


def test_references() -> None:
    formula = mu * sp.Sum(alpha[county[i]] * z[t - 1, i], i) + extent(n) + t
    assert {str(r) for r in references(formula)} == {"mu", "alpha[county[i]]", "county[i]", "z[t - 1, i]"}
    assert set(names_outside_indices(formula)) == {"mu", "alpha", "z", "size_n"}
    assert free_plates(formula) == {t}


def test_at_index_leaves_bound_plates_alone() -> None:
    formula = z[i] / sp.Sum(z[i], i)
    assert at_index(formula, i, sp.Integer(1)) == z[1] / sp.Sum(z[i], i)
    assert at_index(z[t - 1], t, sp.Integer(3)) == z[2]


def test_names() -> None:
    assert [name_of(v) for v in (mu, z, z[i], "mu")] == ["mu", "z", "z", "mu"]
    with pytest.raises(sa.ModelError):
        name_of(mu + 1)
