"""What every test runs under: float64, and no silent change of type."""

from __future__ import annotations

import zlib

import jax
import numpy as np
import pytest
from hypothesis import settings
from support.models import eight_schools

import symaux as sa

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")

# Compilation makes the first example slow, and two workers share two cores: a deadline per example would only be noise.
settings.register_profile("symaux", deadline=None, derandomize=True)
settings.load_profile("symaux")


@pytest.fixture(scope="session")
def schools() -> sa.Derivation:
    """Eight schools in auxiliary form."""
    return sa.auxiliary(eight_schools())


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that depend on the test alone, not on those that ran before it."""
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a catalogue with ``sweep(n)`` every n-th case is tried each day, and the others with the long tests."""
    for item in items:
        sweep, case = item.get_closest_marker("sweep"), getattr(item, "callspec", None)
        if sweep and case and max(case.indices.values()) % sweep.args[0]:
            item.add_marker(pytest.mark.long)
