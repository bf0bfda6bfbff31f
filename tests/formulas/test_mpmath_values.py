"""Quantiles at any precision: all their digits, and few evaluations for them."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest

from symaux.formulas.functions import mpmath_values as precise

LEVELS = ("1e-40", "0.0003", "0.3", "0.9", "0.9992", "0.9999999")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("shape", ["0.01", "0.7", "1.166", "40"])
def test_a_gamma_quantile_has_all_digits_and_takes_few_evaluations(
    shape: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that went on until its steps were nought took four hundred evaluations where rounding kept them from it."""
    counts = []
    for name in ("gamma_lower", "gamma_upper"):
        inner = getattr(precise, name)

        def counted(a: Any, x: Any, inner: Any = inner) -> Any:
            counts.append(1)
            return inner(a, x)

        monkeypatch.setattr(precise, name, counted)
    with mp.workdps(30):
        u = mp.mpf(level)
        x = precise.gamma_quantile(mp.mpf(shape), u)
    assert len(counts) < 80
    with mp.workdps(50):
        lower = mp.gammainc(mp.mpf(shape), 0, x, regularized=True)
        upper = mp.gammainc(mp.mpf(shape), x, mp.inf, regularized=True)
        assert min(abs(lower / u - 1), abs(upper / (1 - u) - 1)) < mp.mpf("1e-25")
