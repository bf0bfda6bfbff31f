r"""Split formulas that are linear in data: $y_n - \mu - \sum_k x_{nk} b_k$ has the columns $y$, $1$ and $x_k$.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> from symaux.formulas.algebra.data_sides import DataSides
>>> y, x, b, n, k = *arrays("y x b"), plate("n"), plate("k", 3)
>>> sides = DataSides(frozenset({"y", "x"}), (), (n,))
>>> for part in linear_parts(y[n] - sp.Symbol("mu") - sp.Sum(x[n, k]*b[k], k), sp.S.One, sides):
...     print(part.column, part.coefficient, part.limits)
1 -mu ()
y[n] 1 ()
x[n, k] -b[k] ((k, 0, 2),)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.formulas.algebra.data_sides import DataSides
from symaux.formulas.symbols.indices import free_plates


@dataclass(frozen=True)
class LinearPart:
    """A column that reads only data, times a coefficient free of the summed plates, summed over ``limits``."""

    column: Any
    coefficient: Any
    limits: tuple[Any, ...] = ()

    def over(self, product: Any) -> Any:
        """Return a product summed over the plates of this part."""
        return sp.Sum(product, *self.limits) if self.limits else product


def split_factors(term: Any, sides: DataSides) -> tuple[Any, Any, list[Any]]:
    """Split a product into (factors free of the summed plates, factors in data, other factors); a square counts twice."""
    free, data, mixed = sp.S.One, sp.S.One, []
    for factor in sp.Mul.make_args(term):
        if sides.is_free(factor):
            free *= factor
        elif sides.is_data(factor):
            data *= factor
        elif isinstance(factor, sp.Pow) and factor.exp == 2:
            inner = split_factors(factor.base, sides)
            free, data, mixed = free * inner[0] ** 2, data * inner[1] ** 2, [*mixed, *inner[2], *inner[2]]
        else:
            mixed.append(factor)
    return free, data, mixed


def linear_parts(formula: Any, weight: Any, sides: DataSides) -> list[LinearPart] | None:
    """Return the linear parts of a formula times a weight in data, one per column; None if it is not linear."""
    parts = _parts(formula, weight, sides)
    if parts is None:
        return None
    coefficients: dict[Any, Any] = {}
    for part in parts:
        key = part.column, part.limits
        coefficients[key] = coefficients.get(key, sp.S.Zero) + part.coefficient
    return [LinearPart(column, coefficient, limits) for (column, limits), coefficient in coefficients.items()]


def _parts(formula: Any, weight: Any, sides: DataSides) -> list[LinearPart] | None:
    if sides.is_free(formula):
        return [LinearPart(weight, formula)]
    if sides.is_data(formula):
        return [LinearPart(weight * formula, sp.S.One)]
    match formula:
        case sp.Add():
            return _of_terms(formula, weight, sides)
        case sp.Mul():
            free, data, mixed = split_factors(formula, sides)
            if len(mixed) > 1:
                return None
            inner = _parts(mixed[0], weight * data, sides) if mixed else [LinearPart(weight * data, sp.S.One)]
            return inner and [replace(part, coefficient=free * part.coefficient) for part in inner]
        case sp.Sum():
            inner = _parts(sp.expand_mul(formula.function), weight, sides)
            return inner and [_within(part, formula.limits) for part in inner]
    return None


def _of_terms(formula: sp.Add, weight: Any, sides: DataSides) -> list[LinearPart] | None:
    """Return the parts of a sum; the terms that are free make one part, and those in data alone one column."""
    free = [t for t in formula.args if sides.is_free(t)]
    data = [t for t in formula.args if t not in free and sides.is_data(t)]
    parts = [LinearPart(weight, sp.Add(*free))] if free else []
    parts += [LinearPart(weight * sp.Add(*data), sp.S.One)] if data else []
    for term in (t for t in formula.args if t not in free and t not in data):
        inner = _parts(term, weight, sides)
        if inner is None:
            return None
        parts += inner
    return parts


def _within(part: LinearPart, limits: tuple[Any, ...]) -> LinearPart:
    """Return a part inside a sum; over plates that its column does not have, the coefficient is summed."""
    mine = tuple(limit for limit in limits if limit[0] in free_plates(part.column))
    others = [limit for limit in limits if limit not in mine]
    coefficient = sp.Sum(part.coefficient, *others) if others else part.coefficient
    return LinearPart(part.column, coefficient, (*part.limits, *mine))
