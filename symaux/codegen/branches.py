r"""Branches of a piecewise formula that stay finite where they are not taken.

``jnp.where(c, f(x), g(x))`` has a gradient that is not a number as soon as f or g has one, taken or not. So each branch gets
its variable only where it is taken, and some harmless value elsewhere.

>>> u, c = sp.symbols("u c", positive=True)
>>> guarded([((-sp.log(2*u))**(1/c), u < sp.S.Half), (u, sp.true)])[0][0]
(-log(2*Piecewise((u, u < 1/2), (1/4, True))))**(1/c)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.functions import ndtr, ndtri

Branch = tuple[Any, Any]


def guarded(branches: Sequence[Branch]) -> list[Branch]:
    """The branches in order, each with a harmless variable where it is not taken; as they are where no order is seen."""
    variables = {_variable(condition) for _, condition in branches if condition != sp.true}
    if len(variables) != 1 or None in variables or branches[-1][1] != sp.true:
        return list(branches)
    (level,) = variables
    ends = [None, *(_bound(condition) for _, condition in branches[:-1]), None]
    made = []
    for number, (branch, condition) in enumerate(branches):
        taken = sp.And(condition, *(sp.Not(other) for _, other in branches[:number]))
        made.append((_safe(branch, level, taken, ends[number], ends[number + 1]), condition))
    return made


def _variable(condition: Any) -> Any | None:
    """x for x < c, or Phi(x) for Phi(x) < c."""
    if not isinstance(condition, sp.StrictLessThan | sp.LessThan) or condition.rhs.has(condition.lhs):
        return None
    level = condition.lhs
    inner = level.args[0] if isinstance(level, ndtr) else level
    known = isinstance(inner, sp.Symbol | Indexed) and not condition.rhs.has(inner)
    return level if known else None


def _bound(condition: Any) -> Any:
    return condition.rhs


def _safe(branch: Any, level: Any, taken: Any, low: Any, high: Any) -> Any:
    if not any(map(_risky, sp.preorder_traversal(branch))):
        return branch
    inner = level.args[0] if isinstance(level, ndtr) else level
    between = _between(low, high, bounded=isinstance(level, ndtr) or bool(level.is_positive))
    other = ndtri(between) if isinstance(level, ndtr) else between
    return branch.xreplace({inner: sp.Piecewise((inner, taken), (other, sp.true), evaluate=False)})


def _risky(part: Any) -> bool:
    """Whether a function may have no finite value or slope somewhere."""
    if isinstance(part, sp.Pow):
        return not (part.exp.is_Integer and part.exp.is_positive)
    return isinstance(part, sp.Function) and not isinstance(part, sp.sin | sp.cos | sp.tanh | sp.atan | sp.Abs)


def _between(low: Any, high: Any, bounded: bool) -> Any:
    """A value between two ends; a positive variable is taken for a probability as long as that fits."""
    match low, high:
        case None, _:
            return high / 2 if bounded else high - 1
        case _, None if bounded:
            return sp.Piecewise(((1 + low) / 2, low < 1), (2 * low, sp.true))
        case _, None:
            return low + 1
    return (low + high) / 2
