"""Read a condition at a point, a ball or a span: how comparisons combine is decided here for all three.

What a comparison means differs (numbers, balls, spans), so that it is an argument; ``And``, ``Or``, ``Not`` and the relations
are read here alone.

>>> x, y = sp.symbols("x y", real=True)
>>> at = {x: 1, y: 1}
>>> holds(~((x > 0) & (y > 0)), lambda a, b: at.get(a, a) - at.get(b, b))
False
>>> holds(sp.Eq(x, y), lambda a, b: at.get(a, a) - at.get(b, b))
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.core.relational import Relational


def holds(condition: Any, difference: Callable[[Any, Any], Any]) -> bool:
    """Return whether a condition holds, where ``difference`` has the sign of left minus right side of a comparison."""
    match condition:
        case sp.logic.boolalg.BooleanTrue() | sp.logic.boolalg.BooleanFalse() | bool():
            return bool(condition)
        case sp.And():
            return all([holds(arg, difference) for arg in condition.args])
        case sp.Or():
            return any([holds(arg, difference) for arg in condition.args])
        case sp.Not():
            return not holds(condition.args[0], difference)
        case sp.Xor():
            return sum(holds(arg, difference) for arg in condition.args) % 2 == 1
        case Relational():
            comparison: Any = condition  # sympy declares rel_op in the classes below Relational alone
            sign = difference(comparison.lhs, comparison.rhs)
            match comparison.rel_op:
                case "<":
                    return bool(sign < 0)
                case "<=":
                    return bool(sign <= 0)
                case ">":
                    return bool(sign > 0)
                case ">=":
                    return bool(sign >= 0)
                case "==":
                    return bool(sign == 0)
                case "!=":
                    return bool(sign != 0)
    raise ValueError(f"not a condition: {condition}")
