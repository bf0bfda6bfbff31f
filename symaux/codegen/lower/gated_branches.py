r"""Gate the variables of a branch: where the branch is not taken, gradients do not pass.

The gradient of ``jnp.where(c, f(x), 0)`` is NaN as soon as that of f is infinite, taken or not: zero times infinity. With
``jnp.where(c, x, stop_gradient(x))`` for x in f, the value is the same, and the gradient of x is that of the branch taken.

>>> x, y = sp.symbols("x y", real=True)
>>> is_risky(sp.log(x - y)), is_risky(x*y + sp.tanh(x)), is_risky(x/(1 + y**2)), is_risky(sp.sqrt(x))
(True, False, False, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.codegen.lower.array_code import call
from symaux.codegen.lower.scope import Lower, Scope
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import Bound, free_plates, is_size

SAFE = (sp.sin, sp.cos, sp.tanh, sp.atan, sp.Abs, sp.sign, sp.erf, sp.erfc, sp.asinh)  # finite, with finite slopes


def gate_branch(branch: Any, taken: Any, scope: Scope, lower: Lower, guarded: Any = None) -> tuple[Any, Scope]:
    """Return a branch in gated variables, and a scope that knows them; ``guarded`` is a variable that is safe already."""
    risky = [part for part in sp.preorder_traversal(branch) if is_risky_here(part) and not _has(part, guarded)]
    leaves = dict.fromkeys(leaf for part in risky for leaf in _leaves(part))
    if taken == sp.true or not leaves:
        return branch, scope
    names, slots = {}, {}
    for leaf in leaves:
        plates = sorted(free_plates(leaf) | free_plates(taken), key=str)
        inner = scope.within(*plates)
        given = {k: v for k, v in leaf.assumptions0.items() if k != "commutative" and v is not None}
        try:
            value = lower(leaf, inner)
        except KeyError:
            continue  # the index of a sum inside of the branch: it has no gradient
        array: Any = IndexedBase(sp.Symbol(f"_gated_{len(scope.slots) + len(names)}", **given))
        names[leaf] = array[tuple(plates)] if plates else sp.Dummy("gated", **given)
        stopped = call("lax.stop_gradient({0})", [value], inner.order)
        slots[names[leaf]] = call("jnp.where({0}, {1}, {2})", [lower(taken, inner), value, stopped], inner.order)
    return _replaced(branch, names), scope.with_slots(slots)


def risky_in_branches(formula: Any) -> set[Any]:
    """Return the risky parts of all branches in a formula: outside of them, they would be computed without their gate."""
    branches = [branch.args[0] for choice in formula.atoms(sp.Piecewise) for branch in choice.args]
    return {part for branch in branches for part in sp.preorder_traversal(branch) if is_risky(part)}


def is_risky(formula: Any) -> bool:
    """Return whether the value or a derivative of a formula may be infinite or undefined somewhere."""
    return any(map(is_risky_here, sp.preorder_traversal(formula)))


def is_risky_here(part: Any) -> bool:
    """Return whether the outermost operation of a formula may have an infinite value or derivative."""
    if isinstance(part, sp.Pow):
        if part.exp.is_Integer and part.exp.is_positive:
            return False
        return not _is_away_from_zero(part.base)
    if isinstance(part, sp.log):
        return not _is_away_from_zero(part.args[0])
    return isinstance(part, sp.Function | ArrayFunction) and not isinstance(part, (*SAFE, sp.Piecewise))


def _is_away_from_zero(formula: Any) -> bool:
    """Return whether a formula is a variable or number that is known to be positive, or at least a positive number."""
    if isinstance(formula, sp.Symbol | Indexed):
        return bool(formula.is_positive)
    number, rest = formula.as_coeff_Add()
    return bool(number.is_positive and (rest == 0 or rest.is_nonnegative))


def _has(part: Any, guarded: Any) -> bool:
    return guarded is not None and part.has(guarded)


def _leaves(formula: Any) -> Iterator[Any]:
    """Yield the variables and elements of arrays that a formula reads as numbers; indices are not among them."""
    stack = [formula]
    while stack:
        part = stack.pop()
        if isinstance(part, Indexed) or (isinstance(part, sp.Symbol) and not isinstance(part, Idx | Bound)):
            if not is_size(part):
                yield part
        else:
            stack.extend(part.args)


def _replaced(formula: Any, names: dict[Any, Any]) -> Any:
    """Replace leaves, but not inside of the indices of others."""
    if formula in names:
        return names[formula]
    if isinstance(formula, Indexed | sp.Symbol) or not formula.args:
        return formula
    return formula.func(*(_replaced(arg, names) for arg in formula.args))


__all__ = ["gate_branch", "is_risky", "risky_in_branches"]
