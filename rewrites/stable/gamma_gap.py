r"""$x - P^{-1}(a, u\,P(a, x))$: how far below its cut a quantile of a gamma law below x lies, with all its digits.

Applies to a sum with a multiple of x and the opposite multiple of such a quantile.

>>> u, a, x = sp.symbols("u a x", positive=True)
>>> gamma_gap(1 - gammaincinv(a, u*gammainc(a, x))/x)
gammaincinv_gap(a, u, 1 - u, x)/x
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symaux.rules.toolkit import gammainc, gammaincinv, gammaincinv_gap


def gamma_gap(formula: Any) -> Any | None:
    """A cut less a quantile below it."""
    if not isinstance(formula, sp.Add):
        return None
    for term in formula.args:
        for quantile in (f for f in sp.Mul.make_args(term) if isinstance(f, gammaincinv)):
            for u, x in _cuts(*quantile.args):
                other = -term / quantile * x
                if other in formula.args:
                    left = (t for t in formula.args if t not in (term, other))
                    return sp.Add(*left, -term / quantile * gammaincinv_gap(quantile.args[0], u, 1 - u, x))
    return None


def _cuts(shape: Any, level: Any) -> Iterator[tuple[Any, Any]]:
    """u and x, for a level u P(shape, x)."""
    for factor in sp.Mul.make_args(level):
        if isinstance(factor, gammainc) and factor.args[0] == shape:
            yield level / factor, factor.args[1]
