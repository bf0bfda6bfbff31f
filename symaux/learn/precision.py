"""Compute in single or in double precision, whatever the caller's setting of JAX."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from symaux.errors import DataError

PRECISIONS = ("float32", "float64")


@contextmanager
def use_precision(precision: str) -> Iterator[None]:
    """Set the precision inside of a ``with``, and the usual promotion of types, because BlackJAX mixes them."""
    import jax

    if precision not in PRECISIONS:
        raise DataError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision!r}")
    with jax.enable_x64(precision == "float64"), jax.numpy_dtype_promotion("standard"):
        yield
