"""The search over rules: forms come in the same order however long the caller takes."""

from __future__ import annotations

import pytest
import sympy as sp

import symaux as sa
from symaux.derivation.law import forms

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)


def test_forms_do_not_depend_on_how_long_the_caller_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    from rewrites import inverse_cdf, location_scale
    from symaux.derivation import search

    monkeypatch.setattr(search, "SECONDS", 8.0)
    p, clock = sp.Symbol("p_of_this_test", positive=True), [0.0]
    monkeypatch.setattr(search, "cpu_seconds", lambda: clock[0])
    found = forms(sa.law(x, p * sp.exp(-p * x)), (location_scale, inverse_cdf))
    first = next(found)
    clock[0] += 1000.0
    assert next(found).value != first.value
