r"""Keep the branches of a piecewise formula finite where they are not taken.

The gradient of ``jnp.where(c, f(x), g(x))`` is NaN as soon as that of f or g is, taken or not. So each branch gets its
variable only where it is taken, and some harmless value elsewhere.

>>> u, c = sp.symbols("u c", positive=True)
>>> guard_branches([((-sp.log(2*u))**(1/c), u < sp.S.Half), (u, sp.true)])[0][1:]
(u < 1/2, (_u, u, u < 1/2, 1/4))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.formulas.functions.elementary import ndtr, ndtri

Guard = tuple[
    Any, Any, Any, Any
]  # a symbol, the variable it stands for, the condition of the branch, a value elsewhere


def guard_branches(branches: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any, Guard | None]]:
    """Return (branch, condition, guard) in order, the branch in terms of the guard's symbol; None where none is needed."""
    variables = {_variable(condition) for _, condition in branches if condition != sp.true}
    if len(variables) != 1 or None in variables or branches[-1][1] != sp.true:
        return [(branch, condition, None) for branch, condition in branches]
    (level,) = variables
    ends = [None, *(_bound(condition) for _, condition in branches[:-1]), None]
    made = []
    for number, (branch, condition) in enumerate(branches):
        taken = sp.And(condition, *(sp.Not(other) for _, other in branches[:number]))
        safe, guard = _safe(branch, level, taken, ends[number], ends[number + 1])
        made.append((safe, condition, guard))
    return made


def _variable(condition: Any) -> Any | None:
    """Return x for a condition x < c, and Phi(x) for Phi(x) < c; None for others."""
    if not isinstance(condition, sp.StrictLessThan | sp.LessThan) or condition.rhs.has(condition.lhs):
        return None
    level = condition.lhs
    inner = level.args[0] if isinstance(level, ndtr) else level
    known = isinstance(inner, sp.Symbol | Indexed) and not condition.rhs.has(inner)
    return level if known else None


def _bound(condition: Any) -> Any:
    return condition.rhs


def _safe(branch: Any, level: Any, taken: Any, low: Any, high: Any) -> tuple[Any, Guard | None]:
    inner = level.args[0] if isinstance(level, ndtr) else level
    if not branch.has(inner) or not any(map(_risky, sp.preorder_traversal(branch))):
        return branch, None
    between = _between(low, high, bounded=isinstance(level, ndtr) or bool(level.is_positive))
    other = ndtri(between) if isinstance(level, ndtr) else between
    name = sp.Dummy(str(inner), **inner.assumptions0)  # a symbol: sympy would fold a Piecewise outwards
    return branch.xreplace({inner: name}), (name, inner, taken, other)


def _risky(part: Any) -> bool:
    """Return whether the value or the derivative of a function may be infinite or undefined somewhere."""
    if isinstance(part, sp.Pow):
        return not (part.exp.is_Integer and part.exp.is_positive)
    return isinstance(part, sp.Function) and not isinstance(part, sp.sin | sp.cos | sp.tanh | sp.atan | sp.Abs)


def _between(low: Any, high: Any, bounded: bool) -> Any:
    """Return a value between two bounds; a positive variable is treated as a probability as long as that fits."""
    match low, high:
        case None, _:
            return high / 2 if bounded else high - 1
        case _, None if bounded:
            return sp.Max((1 + low) / 2, 2 * low - 1, evaluate=low.is_number)
        case _, None:
            return low + 1
    return (low + high) / 2
