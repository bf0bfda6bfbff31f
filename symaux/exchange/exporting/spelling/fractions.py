"""Split products into numerator and denominator, and decide which factors need brackets."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE


def binding_strength(item: Any) -> int:
    """Return the precedence of the printed text; what is printed as a call, an element or in brackets is an atom."""
    if isinstance(item, sp.Add) or (item.is_Number and item < 0):
        return int(PRECEDENCE["Add"])
    if isinstance(item, sp.Mul) and item.as_coeff_Mul()[0] < 0:
        return int(PRECEDENCE["Add"])
    if isinstance(item, sp.Mul) or (item.is_Rational and not item.is_Integer):
        return int(PRECEDENCE["Mul"])
    return int(PRECEDENCE["Atom"])


def split_fraction(product: Any) -> tuple[list[Any], list[Any]]:
    """Return the factors above and below the line, a number first; exp(-x) stays above, because 1/exp(x) may overflow."""
    up: list[Any] = []
    down: list[Any] = []
    for factor in product.as_ordered_factors():
        if factor.is_Rational and not factor.is_Integer:
            up += [sp.Integer(factor.p)] if factor.p != 1 else []
            down.append(sp.Integer(factor.q))
        elif (
            isinstance(factor, sp.Pow)
            and factor.exp.is_Rational
            and factor.exp < 0
            and logistic_argument(factor) is None
        ):
            down.append(sp.Pow(factor.base, -factor.exp))
        else:
            up.append(factor)
    return up, down


def logistic_argument(formula: Any) -> Any | None:
    """Return the x of 1/(1 + exp(-x)), or None.

    >>> logistic_argument(1/(1 + sp.exp(-2*sp.Symbol("x"))))
    2*x
    """
    other: Any
    match formula:
        case sp.Pow(base=sp.Add(args=(sp.Integer() as one, sp.exp() as other)), exp=power) if one == 1 and power == -1:
            return -other.args[0]
    return None


def as_real_literal(number: Any) -> str:
    """Print an integer so that Stan takes it for a real number."""
    return f"{number}.0" if abs(number) < 2**53 else repr(float(number))
