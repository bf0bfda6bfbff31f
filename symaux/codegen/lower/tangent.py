r"""Differentiate a formula along given tangents: $\dot f = \sum_a \frac{\partial f}{\partial a}\,\dot a$, sums term by term.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> W, z, k = arrays("W"), arrays("z"), plate("k", 3)
>>> dW = arrays("dW")
>>> tangent(sp.tanh(sp.Sum(W[k]*z[k], k)), {W[k]: dW[k]})
(1 - tanh(Sum(W[k]*z[k], (k, 0, 2)))**2)*Sum(dW[k]*z[k], (k, 0, 2))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.formulas.symbols.indices import is_size

SMOOTH = (sp.tanh, sp.exp, sp.sin, sp.cos, sp.atan, sp.sinh, sp.cosh)  # finite derivatives wherever the value is finite


def leaves(formula: Any) -> list[Any]:
    """Return the variables and elements that a formula reads, index arrays left out, in a fixed order."""
    found: set[Any] = set()
    stack = [formula]
    while stack:
        match stack.pop():
            case Idx():
                pass
            case (Indexed() | sp.Symbol()) as leaf:
                found |= set() if is_size(leaf) else {leaf}
            case other:
                stack.extend(other.args)
    return sorted(found, key=sp.default_sort_key)


def outermost_sums(formula: Any) -> list[Any]:
    """Return the outermost sums in a formula, in a fixed order."""
    found: set[Any] = set()
    stack = [formula]
    while stack:
        match stack.pop():
            case sp.Sum() as inner:
                found.add(inner)
            case Indexed() | Idx():
                pass
            case other:
                stack.extend(other.args)
    return sorted(found, key=sp.default_sort_key)


def partial_derivatives(formula: Any) -> dict[Any, Any]:
    """Return the derivative of a formula with respect to each outermost sum, and each leaf outside of sums."""
    parts = outermost_sums(formula)
    names = {part: sp.Dummy(f"s{number}", real=True) for number, part in enumerate(parts)}
    flat = formula.xreplace(names)
    outside = [leaf for leaf in leaves(flat) if not isinstance(leaf, sp.Dummy)]
    names |= {leaf: sp.Dummy(f"v{number}", real=True) for number, leaf in enumerate(outside)}
    flat, back = flat.xreplace(names), {dummy: part for part, dummy in names.items()}
    return {part: sp.diff(flat, dummy).xreplace(back) for part, dummy in names.items()}


def tangent(formula: Any, moves: Mapping[Any, Any]) -> Any:
    """Return the directional derivative of a formula whose leaves have the given tangents; others have none."""
    total = sp.S.Zero
    for part, slope in partial_derivatives(formula).items():
        total += slope * (_of_sum(part, moves) if isinstance(part, sp.Sum) else moves.get(part, sp.S.Zero))
    return total


def _of_sum(total: sp.Sum, moves: Mapping[Any, Any]) -> Any:
    moved = tangent(total.function, moves)
    return sp.S.Zero if moved == 0 else sp.Sum(sp.expand_mul(moved), *total.limits)


def is_tame(formula: Any, moving: Callable[[Any], bool]) -> bool:
    """Return whether a formula depends smoothly on moving leaves: linear sums, products, integer powers and SMOOTH only."""
    if not any(map(moving, leaves(formula))) or isinstance(formula, sp.Symbol | Indexed):
        return True
    match formula:
        case sp.Sum():
            return _is_linear(formula.function, moving)
        case sp.Add() | sp.Mul():
            return all(is_tame(arg, moving) for arg in formula.args)
        case sp.Pow():
            base, exponent = formula.args
            return bool(exponent.is_Integer and exponent.is_positive) and is_tame(base, moving)
    return isinstance(formula, SMOOTH) and is_tame(formula.args[0], moving)


def _is_linear(summand: Any, moving: Callable[[Any], bool]) -> bool:
    """Return whether a summand is linear in the moving leaves and contains no sum."""
    if outermost_sums(summand):
        return False
    return not any(
        moving(leaf) for part, slope in partial_derivatives(summand).items() if moving(part) for leaf in leaves(slope)
    )
