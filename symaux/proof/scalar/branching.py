r"""Find parts of a formula that parameters alone decide and that may change branch between stated points.

A certificate at six values of $\mu$ says something about a family that has one formula. $\max(\sigma, 10^{-6})$,
$\sqrt{(\mu + 10^6)^2}$ and $10^4\arcsin\sin(\mu/10^4)$ are two formulas that meet far from any value that is tried.

>>> m, s, e = sp.Symbol("m", real=True), sp.Symbol("s", positive=True), sp.Symbol("e", real=True)
>>> [find_branching_part(f, e) for f in (s*e + sp.sqrt(m**2 + 1), e*sp.Max(s, 5), sp.asin(sp.sin(m)) + e)]
[None, Max(5, s), asin(sin(m))]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symaux.formulas.algebra.piecewise import CORNERS
from symaux.formulas.algebra.signs import is_nonnegative, sign_of
from symaux.formulas.functions.registry import record_of
from symaux.formulas.symbols.support import Interval, point_inside

JUMPS = (sp.sign, sp.Heaviside, sp.floor, sp.ceiling, sp.frac, sp.Mod, sp.KroneckerDelta, sp.DiracDelta, sp.arg)
POLES = (sp.tan, sp.cot, sp.sec, sp.csc, sp.atan2)


def find_branching_part(formula: Any, variable: Any) -> Any:
    """Return the shortest part without the variable that may be more than one analytic function of its parameters, or None."""
    conditions = {c for each in formula.atoms(sp.Piecewise) for _, c in each.args if c not in (sp.true, sp.false)}
    found = [c for c in conditions if not c.has(variable)]
    found += [e for e in sp.preorder_traversal(formula) if _is_part(e, variable) and _may_branch(e)]
    return min(found, key=lambda part: (sp.count_ops(part), str(part)), default=None)


def _is_part(e: Any, variable: Any) -> bool:
    return isinstance(e, sp.Expr) and bool(e.free_symbols) and not e.has(variable)


def _may_branch(e: Any) -> bool:
    if isinstance(e, (*CORNERS, *JUMPS, *POLES)):
        return not (isinstance(e, sp.Abs) and sign_of(e.args[0]))
    if isinstance(e, sp.Pow) and not e.exp.is_integer and not isinstance(e, sp.exp):
        return not is_nonnegative(e.base)
    known = next((within for kinds, within in WITHIN if isinstance(e, kinds)), None)
    return known is not None and not known(e.args[0])


def _positive(x: Any) -> bool:
    return sign_of(x) == 1


WITHIN: tuple[tuple[Any, Callable[[Any], bool]], ...] = (  # where an inverse is the inverse of one branch
    (sp.log, _positive),
    ((sp.asin, sp.acos, sp.atanh), lambda x: _positive(1 - x) and _positive(1 + x)),
    (sp.acosh, lambda x: _positive(x - 1)),
    (sp.LambertW, lambda x: _positive(x + sp.exp(-1)) or is_nonnegative(x)),
)


def may_jump(formula: Any, variable: Any, support: Interval) -> bool:
    """Return whether a formula may jump, or have a pole, inside of an interval; False only if no part of it does.

    A derivative does not see a jump: what is recognised by its derivative and its value at one point must be continuous.

    >>> z = sp.Symbol("z", real=True)
    >>> line = Interval(-sp.oo, sp.oo)
    >>> [may_jump(f, z, line) for f in (sp.Abs(z) - sp.log(1 + z**2), sp.Piecewise((1, z > 20), (2, True)), sp.atan(1/(z - 3)))]
    [False, True, True]
    """
    inside = {variable: point_inside(support)}
    return any(_jumps(part, inside) for part in sp.preorder_traversal(formula) if part.has(variable))


def _jumps(part: Any, inside: dict[Any, Any]) -> bool:
    if isinstance(part, (sp.Piecewise, *JUMPS)):
        return True
    if isinstance(part, sp.Pow) and not (part.exp.is_integer and part.exp.is_nonnegative):
        base = part.base.xreplace(inside)
        return not (sign_of(base) or (part.exp.is_nonnegative and is_nonnegative(base)))
    record = record_of(part.func)
    return record is not None and record.breaks is not None and not sign_of(record.breaks(*part.args).xreplace(inside))
