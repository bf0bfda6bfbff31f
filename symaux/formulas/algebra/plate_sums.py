r"""Pull factors that do not depend on the index out of sums over plates, $\sum_k z\,a_k = z\sum_k a_k$.

Sums over plates are opaque to the algebra of laws: one that still contains the value afterwards cannot be a parameter.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, references

SMALL = 4  # exponents of powers that are expanded
WHOLE = (sp.Sum, sp.Product, ArrayFunction)


def sums_containing(formula: sp.Basic, value: Any) -> list[Any]:
    """Return the sums, products and array functions in a formula that contain a value.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> a, k, z = arrays("a"), plate("k", 3), sp.Symbol("z")
    >>> sums_containing(z + sp.Sum(a[k], k), z), sums_containing(sp.Sum(z*a[k], k), z)
    ([], [Sum(z*a[k], (k, 0, 2))])
    """
    return [part for part in formula.atoms(*WHOLE) if value in references(part) and _over_plates(part)]


def _over_plates(part: Any) -> bool:
    """Return whether a sum runs over plates or is an array function; a sum over integers is a series."""
    return isinstance(part, ArrayFunction) or any(isinstance(limit[0], Idx) for limit in part.limits)


def pull_out_of_sums(formula: Any, value: Any) -> Any:
    """Return the formula with a value outside the sums over plates, where it is a factor of their terms.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> a, k, z = arrays("a"), plate("k", 3), sp.Symbol("z")
    >>> pull_out_of_sums(sp.Sum(z + z*a[k], k), z)
    z*Sum(a[k], (k, 0, 2)) + 3*z
    """
    found = {part: _outside(part) for part in sums_containing(formula, value) if isinstance(part, sp.Sum)}
    return formula.xreplace(found) if found else formula


def _outside(part: sp.Sum) -> Formula:
    plates = [limit[0] for limit in part.limits]
    return sp.Add(*(_term(term, plates, part.limits) for term in sp.Add.make_args(_expanded(part.function))))


def _expanded(term: Formula) -> Formula:
    """Expand products and small powers of sums, as $(z - a_k)^2$; large powers would get too long."""
    small = all(abs(power.exp) <= SMALL for power in term.atoms(sp.Pow) if power.exp.is_Integer)
    return sp.expand(term, deep=False) if small else sp.expand_mul(term, deep=False)


def _term(term: Formula, plates: list[Any], limits: Any) -> Formula:
    free, rest = term.as_independent(*plates, as_Add=False)
    if rest == 1:
        return free * sp.Mul(*map(extent, plates))
    return free * sp.Sum(rest, *limits)


__all__ = ["pull_out_of_sums", "sums_containing"]
