"""Digits for comparisons of special functions."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest
from flint import ctx  # pyright: ignore[reportMissingImports]


@pytest.fixture
def precision() -> Any:
    """320 bits for flint and 40 digits for mpmath."""
    before, ctx.prec = ctx.prec, 320
    with mp.workdps(40):
        yield
    ctx.prec = before
