"""Products as fractions: what stands above the line, what below, and which parts need brackets."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE


def tightness(item: Any) -> int:
    """How tightly the printed text binds: whatever is printed as a call, an element or in brackets does not fall apart."""
    if isinstance(item, sp.Add) or (item.is_Number and item < 0):
        return int(PRECEDENCE["Add"])
    if isinstance(item, sp.Mul) and item.as_coeff_Mul()[0] < 0:
        return int(PRECEDENCE["Add"])
    if isinstance(item, sp.Mul) or (item.is_Rational and not item.is_Integer):
        return int(PRECEDENCE["Mul"])
    return int(PRECEDENCE["Atom"])


def sides(product: Any) -> tuple[list[Any], list[Any]]:
    """What a product multiplies, a number first, and what it divides by; exp(-x) is no division, lest it overflow."""
    up: list[Any] = []
    down: list[Any] = []
    for factor in product.as_ordered_factors():
        if factor.is_Rational and not factor.is_Integer:
            up += [sp.Integer(factor.p)] if factor.p != 1 else []
            down.append(sp.Integer(factor.q))
        elif isinstance(factor, sp.Pow) and factor.exp.is_Rational and factor.exp < 0 and odds(factor) is None:
            down.append(sp.Pow(factor.base, -factor.exp))
        else:
            up.append(factor)
    return up, down


def odds(formula: Any) -> Any | None:
    """Return the x of 1/(1 + exp(-x)), or None.

    >>> odds(1/(1 + sp.exp(-2*sp.Symbol("x"))))
    2*x
    """
    other: Any
    match formula:
        case sp.Pow(base=sp.Add(args=(sp.Integer() as one, sp.exp() as other)), exp=power) if one == 1 and power == -1:
            return -other.args[0]
    return None


def real(number: Any) -> str:
    """Return a whole number that Stan takes for a real one."""
    return f"{number}.0" if abs(number) < 2**53 else repr(float(number))
