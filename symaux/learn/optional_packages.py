"""The packages of the extra ``infer``, loaded where they are used, with an error that says how to get them."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from symaux.errors import DataError
from symaux.validate.nuts import Missing

PRECISIONS = ("float32", "float64")


def needed(package: str) -> Any:
    """Return a package of the extra, or ``Missing``.

    >>> needed("blackjay")
    Traceback (most recent call last):
    symaux.validate.nuts.Missing: sa.learn needs blackjay, which is not installed: pip install 'symaux[infer]'
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ArviZ announces its next version when it is imported
            return importlib.import_module(package)
    except ImportError as none:
        top = package.split(".")[0]
        message = f"sa.learn needs {top}, which is not installed: pip install 'symaux[infer]'"
        raise Missing(message) from none


@contextmanager
def numbers(precision: str) -> Iterator[None]:
    """Single or double precision inside, whatever the caller's setting; BlackJAX mixes types, so promotion is usual."""
    import jax

    if precision not in PRECISIONS:
        raise DataError(f"precision is one of {', '.join(PRECISIONS)}, not {precision!r}")
    with jax.enable_x64(precision == "float64"), jax.numpy_dtype_promotion("standard"):
        yield
