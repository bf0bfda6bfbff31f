r"""$\sum_n h(\theta)\,t(x_n) = h(\theta)\sum_n t(x_n)$: a term of an exponential family.

Applies to a term that is linear in formulas of data alone, as $y_n\log\lambda$ or $y_n\sum_k x_{nk}b_k$ are.

>>> y, n = arrays("y"), plate("n")
>>> sides = DataSides(frozenset({"y"}), (), (n,))
>>> total(y[n]*sp.log(sp.Symbol("lambda", positive=True)), sides)
total 0*log(lambda)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import DataSides, arrays, linear_parts, plate, split_factors


def total(term: Any, sides: DataSides) -> Any | None:
    """A term with totals for what runs over data."""
    free, data, mixed = split_factors(term, sides)
    if len(mixed) > 1:
        return None
    if not mixed:
        return free * sides.total(data)
    found = linear_parts(sp.expand_mul(mixed[0]), data, sides)
    if found is None:
        return None
    return free * sp.Add(*(part.over(part.coefficient * sides.total(part.column)) for part in found))


__all__ = ["arrays", "plate", "total"]
