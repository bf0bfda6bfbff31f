r"""Recognise functions of JAX by name, and leave out of the formula what they do for numerical stability.

``logaddexp`` has a maximum, an absolute value and a test for NaN inside; the formula is $\log(e^x + e^y)$. A name is
not trusted: the function must also agree with the formula at a few points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import sympy as sp

from symaux.formulas.functions.elementary import log1p, softplus

NAMED: dict[str, Callable[..., Any]] = {
    "softplus": softplus,
    "logaddexp": lambda x, y: softplus(x) if y == 0 else y + softplus(x - y),
    "xlogy": lambda x, y: x * sp.log(y),
    "xlog1py": lambda x, y: x * log1p(y),
    "logit": lambda x: sp.log(x / (1 - x)),
    "relu": lambda x: sp.Max(x, 0),
    "log_sigmoid": lambda x: -cast(Any, softplus(-x)),
}
POINTS = ((sp.Rational(3, 10), sp.Rational(7, 10)), (sp.Rational(4, 5), sp.Rational(1, 5)))
WHOLE = (sp.Integer(1), sp.Integer(3))  # for integer arguments


def named_function(equation: Any) -> Callable[..., Any] | None:
    """Return the formula of a called function whose name is known and whose numbers agree with it."""
    formula = NAMED.get(str(equation.params.get("name", "")))
    closed = equation.params.get("call_jaxpr", equation.params.get("jaxpr"))
    if formula is None or closed is None or len(equation.outvars) != 1:
        return None
    return formula if _agrees(formula, closed) else None


def _agrees(formula: Callable[..., Any], closed: Any) -> bool:
    from jax.core import eval_jaxpr

    inputs = closed.jaxpr.invars
    if len(inputs) > len(POINTS[0]):
        return False
    for point, whole in zip(POINTS, WHOLE, strict=True):
        numbers = [whole if v.aval.dtype.kind in "iu" else x for v, x in zip(inputs, point, strict=False)]
        given = [np.full(v.aval.shape, float(x), v.aval.dtype) for v, x in zip(inputs, numbers, strict=True)]
        (seen,) = eval_jaxpr(closed.jaxpr, closed.consts, *given)
        if not np.allclose(np.asarray(seen), float(sp.N(formula(*numbers))), rtol=1e-5):
            return False
    return True


__all__ = ["named_function"]
