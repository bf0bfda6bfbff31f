"""Families by name."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import strategies as st

from symaux.errors import LanguageError
from symaux.language import family_law, formula
from symaux.language.formula_functions import FUNCTIONS

a, b = sp.symbols("a b", positive=True)

pieces = st.one_of(
    st.sampled_from(["x", "a", "1", "0.5", "10", "9", "999", "pi", "oo", "1e300"]),
    st.sampled_from(["+", "-", "*", "/", "**", "^", "(", ")", ",", "<", "[", "]", " ", "."]),
    st.sampled_from([f"{name}(" for name in sorted(FUNCTIONS)] + ["where(", "sum("]),
)


@pytest.mark.parametrize("name", ["Gumbel", "gumbel", "LOGNORMAL", "log_normal", "StudentT", "Weibull"])
def test_families_by_name(name: str) -> None:
    law = family_law(name)
    assert law is not None and law.spelling is not None
    assert law.spelling.family.replace("_", "") == name.replace("_", "").lower()


def test_unknown_name() -> None:
    with pytest.raises(LanguageError, match="unknown name 'alpha1'; did you mean alpha\\?"):
        formula("2*alpha1", {"alpha": a})
