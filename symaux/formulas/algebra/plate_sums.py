r"""A value inside of a sum over a plate: what does not depend on the index comes out, $\sum_k z\,a_k = z\sum_k a_k$.

Sums over plates are opaque to the algebra of laws: one that still holds the value afterwards is no parameter.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import extent, references

SMALL = 4  # powers that are written out
WHOLE = (sp.Sum, sp.Product, ArrayFunction)


def sums_with(formula: sp.Basic, value: Any) -> list[Any]:
    """Return the sums, products and functions of whole arrays in a formula that hold a value.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> a, k, z = arrays("a"), plate("k", 3), sp.Symbol("z")
    >>> sums_with(z + sp.Sum(a[k], k), z), sums_with(sp.Sum(z*a[k], k), z)
    ([], [Sum(z*a[k], (k, 0, 2))])
    """
    return [part for part in formula.atoms(*WHOLE) if value in references(part) and _over_plates(part)]


def _over_plates(part: Any) -> bool:
    """Return whether a sum runs over plates, or is a function of whole arrays; one over whole numbers is a series."""
    return isinstance(part, ArrayFunction) or any(isinstance(limit[0], Idx) for limit in part.limits)


def pulled_out(formula: Any, value: Any) -> Any:
    """Return the formula with a value outside of the sums over plates, where it is a factor of their terms.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> a, k, z = arrays("a"), plate("k", 3), sp.Symbol("z")
    >>> pulled_out(sp.Sum(z + z*a[k], k), z)
    z*Sum(a[k], (k, 0, 2)) + 3*z
    """
    found = {part: _outside(part) for part in sums_with(formula, value) if isinstance(part, sp.Sum)}
    return formula.xreplace(found) if found else formula


def _outside(part: sp.Sum) -> sp.Expr:
    plates = [limit[0] for limit in part.limits]
    return sp.Add(*(_term(term, plates, part.limits) for term in sp.Add.make_args(_expanded(part.function))))


def _expanded(term: sp.Expr) -> sp.Expr:
    """Products and small powers of sums written out, $(z - a_k)^2$; a large one would be long."""
    small = all(abs(power.exp) <= SMALL for power in term.atoms(sp.Pow) if power.exp.is_Integer)
    return sp.expand(term, deep=False) if small else sp.expand_mul(term, deep=False)


def _term(term: sp.Expr, plates: list[Any], limits: Any) -> sp.Expr:
    free, rest = term.as_independent(*plates, as_Add=False)
    if rest == 1:
        return free * sp.Mul(*map(extent, plates))
    return free * sp.Sum(rest, *limits)


__all__ = ["pulled_out", "sums_with"]
