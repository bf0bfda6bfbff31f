"""Lower branches and comparisons: a piecewise formula is ``jnp.where``, with branches finite where they are not taken."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from symaux.codegen.lower.array_code import ATOM, COMPARISON, SUM, Piece, align, call, union_axes
from symaux.codegen.lower.function_table import RELATIONS
from symaux.codegen.lower.gated_branches import gate_branch
from symaux.codegen.lower.safe_branches import guard_branches
from symaux.codegen.lower.scope import Lower, Scope


def lower_piecewise(formula: sp.Piecewise, scope: Scope, lower: Lower) -> Piece:
    """Return nested ``jnp.where``; the value is NaN where no branch is taken."""
    cases = guard_branches([(branch.args[0], branch.args[1]) for branch in formula.args])
    taken = [sp.And(condition, *(sp.Not(c) for _, c, _ in cases[:n])) for n, (_, condition, _) in enumerate(cases)]
    made = [_branch(*case, where, scope, lower) for case, where in zip(cases, taken, strict=True)]
    result = made.pop()
    if cases[-1][1] != sp.true:
        result = _where(lower(cases[-1][1], scope), result, Piece("jnp.nan"), scope)
    for piece, (_, condition, _) in zip(reversed(made), reversed(cases[:-1]), strict=True):
        result = _where(lower(condition, scope), piece, result, scope)
    return result


def _branch(branch: Any, condition: Any, guard: Any, taken: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a branch whose gradients are finite where it is not taken."""
    inner = _inside(guard, scope, lower)
    branch, inner = gate_branch(branch, taken, inner, lower, None if guard is None else guard[0])
    return lower(branch, inner)


def _inside(guard: Any, scope: Scope, lower: Lower) -> Scope:
    """Return the scope of a branch, in which its variable is harmless where the branch is not taken."""
    if guard is None:
        return scope
    name, variable, taken, otherwise = guard
    test, inner, other = (lower(part, scope) for part in (taken, variable, otherwise))
    return scope.with_slots({name: _where(test, inner, other, scope)})


def _where(condition: Piece, then: Piece, otherwise: Piece, scope: Scope) -> Piece:
    return call("jnp.where({0}, {1}, {2})", [condition, then, otherwise], scope.order)


def lower_condition(formula: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a relation or a Boolean expression."""
    match formula:
        case BooleanTrue() | BooleanFalse():
            return Piece(str(bool(formula)))
        case Not():
            return call("~({0})", [lower(formula.args[0], scope)], scope.order)
        case And() | Or():
            sign = " & " if isinstance(formula, And) else " | "
            parts = [lower(arg, scope) for arg in sorted(formula.args, key=sp.default_sort_key)]
            axes = union_axes(parts, scope.order)
            return Piece(sign.join(align(p, axes).tight(ATOM) for p in parts), axes, COMPARISON)
    left, right = (lower(arg, scope) for arg in formula.args)
    axes = union_axes([left, right], scope.order)
    code = f"{align(left, axes).tight(SUM)} {RELATIONS[type(formula)]} {align(right, axes).tight(SUM)}"
    return Piece(code, axes, COMPARISON)


def lower_extreme(formula: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a maximum or a minimum."""
    name = "maximum" if isinstance(formula, sp.Max) else "minimum"
    made, *rest = (lower(arg, scope) for arg in sorted(formula.args, key=sp.default_sort_key))
    for piece in rest:
        made = call(f"jnp.{name}({{0}}, {{1}})", [made, piece], scope.order)
    return made


def lower_delta(formula: sp.KroneckerDelta, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a Kronecker delta, as a float."""
    left, right = (lower(arg, scope) for arg in formula.args)
    axes = union_axes([left, right], scope.order)
    code = f"({align(left, axes).tight(SUM)} == {align(right, axes).tight(SUM)}).astype(float)"
    return Piece(code, axes)
