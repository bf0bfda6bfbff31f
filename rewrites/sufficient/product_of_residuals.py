r"""$\sum_n w_n r_n s_n = \sum_j \rho_j \sigma_j$ for residuals that are linear in data, over as few rows as there are columns.

With columns $D = (\sqrt w, \sqrt w\,x_1, \dots)$, a residual is $e + D(\varphi(\theta) - \hat\varphi)$, where
$e = \sqrt w\,y + D\hat\varphi$ is what a least-squares fit leaves, and $(D, e) = QR$ has the same products as its triangle R.
Nothing is squared before it is subtracted, and large parts that cancel each other do so once and for all in $e$: no digits
are lost that the long sum keeps.

>>> y, n, mu = arrays("y"), plate("n"), sp.Symbol("mu", real=True)
>>> sides = DataSides(frozenset({"y"}), (), (n,))
>>> product_of_residuals((y[n] - mu)**2, sides)
Sum(((-centre 1 - mu)*rows 2[row] + offset 0[row])**2, (row, 0, size_row - 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from symaux.rules.toolkit import ROW, DataSides, LinearPart, arrays, linear_parts, plate, split_factors


def product_of_residuals(term: Any, sides: DataSides) -> Any | None:
    """A product of two residuals, or a square, over the rows that replace the data."""
    free, data, mixed = split_factors(term, sides)
    weight = root(data)
    if len(mixed) != 2 or weight is None:
        return None
    first, second = (linear_parts(sp.expand_mul(part), weight, sides) for part in mixed)
    if first is None or second is None:
        return None
    return free * sp.Sum(residual(first, sides) * residual(second, sides), (ROW, ROW.lower, ROW.upper))


def residual(found: Sequence[LinearPart], sides: DataSides) -> Any:
    """A residual in rows: what is left of its own data, and the others times how far they are from their centres."""
    own = [part for part in found if part.coefficient.is_number and not part.limits]
    others = [part for part in found if part not in own]
    offset = sp.Add(*(part.coefficient * part.column for part in own))
    columns = tuple(part.column for part in others)
    made = [sides.offset(offset, columns)] if own else []
    for part in others:
        centre = sides.centre(part.column, offset, columns) if own else sp.S.Zero
        made.append(part.over((part.coefficient - centre) * sides.rows(part.column)))
    return sp.Add(*made)


def root(weight: Any) -> Any | None:
    """The square root of a weight that is surely not negative.

    >>> root(sp.Symbol("s", real=True)**-2)
    1/s
    """
    parts = []
    for factor in sp.Mul.make_args(weight):
        base, power = factor.as_base_exp()
        if not (power / 2).is_integer and not base.is_positive:
            return None
        parts.append(base ** (power / 2))
    return sp.Mul(*parts)


__all__ = ["arrays", "plate", "product_of_residuals", "residual", "root"]
