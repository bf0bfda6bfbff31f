"""What every test runs under: float64, and no silent change of type."""

from __future__ import annotations

import jax
from hypothesis import settings

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")

# Compilation makes the first example slow, and two workers share two cores: a deadline per example would only be noise.
settings.register_profile("symaux", deadline=None, derandomize=True)
settings.load_profile("symaux")
