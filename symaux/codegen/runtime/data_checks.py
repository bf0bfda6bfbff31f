"""Check that data satisfy the assumptions of a model's inputs, such as ``sigma > 0``: formulas were simplified by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from sympy.tensor.indexed import Indexed

from symaux.errors import DataError
from symaux.model.model import Model
from symaux.model.statements import reads

HOLDS: dict[str, Callable[[Any], Any]] = {
    "positive": lambda x: x > 0,
    "negative": lambda x: x < 0,
    "nonnegative": lambda x: x >= 0,
    "nonpositive": lambda x: x <= 0,
    "integer": lambda x: x == np.floor(x),
}

WORDS = {"integer": "integers"}


def check_assumptions(model: Model, data: Mapping[str, Any]) -> None:
    """Raise DataError for an input that contradicts the assumptions of its symbol; traced values are not checked.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> x, s = sp.Symbol("x", real=True), sp.Symbol("s", positive=True)
    >>> check_assumptions(Model.of(normal(x, 0, s)), {"s": -1.0})
    Traceback (most recent call last):
        ...
    symaux.errors.DataError: s is assumed to be positive, but its data are not
    """
    for name, element in _inputs(model).items():
        value = _numbers(data.get(name))
        for word, holds in HOLDS.items():
            if value is not None and getattr(element, f"is_{word}") and not np.all(holds(value)):
                raise DataError(f"{name} is assumed to be {WORDS.get(word, word)}, but its data are not")


def _inputs(model: Model) -> dict[str, Any]:
    names = set(model.inputs)
    found: dict[str, Any] = {}
    for statement in model.statements:
        for read in reads(statement):
            if read.name in names and read.name not in found:
                array = cast(Any, read.element.base if isinstance(read.element, Indexed) else None)
                found[read.name] = read.element if array is None else array.label
    return found


def _numbers(value: Any) -> Any:
    """Return the data as an array; None where there are none, or while jax traces them."""
    if value is None:
        return None
    try:
        return np.asarray(value)
    except Exception as failure:  # jax has an error of its own for values that are being traced
        if "Tracer" in type(failure).__name__:
            return None
        raise
