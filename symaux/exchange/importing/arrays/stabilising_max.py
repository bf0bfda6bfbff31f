r"""Detect maxima that cancel: those that a softmax or a log-sum-exp subtracts for stability need no translation.

$e^{x_k - m}/\sum_j e^{x_j - m}$ is the same for every m. This is tested numerically: the function is run with every
maximum moved, and must give the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

MAXIMUM = "reduce_max"
MOVED = (1.25, -0.75)


def has_cancelling_maxima(closed: Any, arguments: Sequence[Any], inner: dict[str, str]) -> bool:
    """Return whether a traced function has maxima, and gives the same result with all of them moved."""
    import jax

    if not has_maximum(closed, inner):
        return False
    with jax.numpy_dtype_promotion("standard"):
        still = _run(closed, arguments, inner, 0.0)
        return all(_close(still, _run(closed, arguments, inner, by)) for by in MOVED)


def has_maximum(closed: Any, inner: dict[str, str]) -> bool:
    """Return whether a maximum occurs in a traced function, or in one that it calls."""
    jaxpr = getattr(closed, "jaxpr", closed)
    names = [(e.primitive.name, e.params) for e in jaxpr.eqns]
    return any(n == MAXIMUM or (n in inner and has_maximum(p[inner[n]], inner)) for n, p in names)


def _run(closed: Any, arguments: Sequence[Any], inner: dict[str, str], by: float) -> list[Any]:
    jaxpr = getattr(closed, "jaxpr", closed)
    known = dict(zip(jaxpr.constvars, getattr(closed, "consts", ()), strict=True))
    known |= dict(zip(jaxpr.invars, arguments, strict=True))

    def read(atom: Any) -> Any:
        return atom.val if hasattr(atom, "val") else known[atom]

    for equation in jaxpr.eqns:
        name, given = equation.primitive.name, [read(atom) for atom in equation.invars]
        if name in inner:
            called = equation.params[inner[name]]
            made = _run(called, given[-len(getattr(called, "jaxpr", called).invars) :], inner, by)
        else:
            made = equation.primitive.bind(*given, **equation.params)
            made = made if equation.primitive.multiple_results else [made + by if name == MAXIMUM else made]
        known |= dict(zip(equation.outvars, made, strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _close(these: list[Any], those: list[Any]) -> bool:
    pairs = zip(these, those, strict=True)
    return all(np.allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-4, atol=1e-5) for a, b in pairs)
