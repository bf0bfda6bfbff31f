r"""$g_v - \log\sum_l e^{g_l}$ is one function of the logits g: a categorical law with a softmax, fused.

Applies to a sum that holds the terms of $g_l$ at an index v, where the logits differ from element to element; the same logits
for all are left apart, so that repeated data can be counted.

>>> g, y, n, l = arrays("g"), arrays("y", integer=True), plate("n"), plate("l", 3)
>>> softmax_at(g[n, y[n]] - sp.log(sp.Sum(sp.exp(g[n, l]), l)) + 1)
LogSoftmaxAt(g[n, l], y[n], l) + 1
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.rules.toolkit import LogSoftmaxAt, arrays, at_index, free_plates, is_gather, plate


def softmax_at(formula: Any) -> Any | None:
    """Logits at an index, less the logarithm of their sum of exponentials."""
    if not isinstance(formula, sp.Add):
        return None
    for term in formula.args:
        found = _logits(-term)
        if found is None:
            continue
        logits, along = found
        others = [other for other in formula.args if other is not term]
        for index in _indices(others):
            picked = sp.Add.make_args(at_index(logits, along, index))
            if all(part in others for part in picked):
                return sp.Add(LogSoftmaxAt(logits, index, along), *(o for o in others if o not in picked))
    return None


def _logits(formula: Any) -> tuple[Any, Any] | None:
    """(g, l) of log(Sum(exp(g), l)), where g has other plates too."""
    inner = formula.args[0] if isinstance(formula, sp.log) else None
    if not isinstance(inner, sp.Sum) or len(inner.limits) != 1 or not isinstance(inner.function, sp.exp):
        return None
    logits, index = inner.function.args[0], inner.limits[0][0]
    return (logits, index) if free_plates(logits) - {index} else None


def _indices(formulas: list[Any]) -> list[Any]:
    """What picks elements in these formulas."""
    elements = {e for formula in formulas for e in formula.atoms(Indexed)}
    return sorted({i for e in elements for i in e.indices if is_gather(i)}, key=str)


__all__ = ["arrays", "plate", "softmax_at"]
