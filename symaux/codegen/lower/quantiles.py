"""Lower quantiles that generated code solves for: the law's density or mass is passed as a function of its variable."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.codegen.lower.array_code import Piece, align, union_axes
from symaux.codegen.lower.scope import Lower, Scope
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.functions.elementary import DiscreteQuantile, ImplicitQuantile, ndtr
from symaux.formulas.symbols.support import REALS
from symaux.laws.kernel import atoms


def lower_implicit_quantile(formula: ImplicitQuantile, scope: Scope, lower: Lower) -> Piece:
    """Return a call with the density as a function of its variable and its parameters, so that gradients reach all of them."""
    u, variable, log_density = formula.args
    read = sorted(atoms(log_density) - {variable}, key=sp.default_sort_key)
    names = {atom: sp.Symbol(f"p{number}", real=True) for number, atom in enumerate(read)}
    inner = Scope({s.name: s.name for s in (*names.values(), sp.Symbol("t"))}, scope.size, use=scope.use)
    body = lower(log_density.xreplace({**names, variable: sp.Symbol("t", real=True)}), inner)
    given = [lower(u, scope), lower(complement(u), scope), *(lower(atom, scope) for atom in read)]
    axes = union_axes(given, scope.order)
    scope.use("implicit_quantile")
    arguments = ", ".join(align(piece, axes).code for piece in given)
    signature = ", ".join(["t", *(s.name for s in names.values())])
    corners = _breaks(log_density, variable, names, inner, lower)
    return Piece(f"implicit_quantile(lambda {signature}: {body.code}, {corners}, {arguments})", axes)


def _breaks(log_density: Any, variable: Any, names: dict[Any, Any], scope: Scope, lower: Lower) -> str:
    """Return the code of the corners of the density, where h(t) is an integer in floor(h(t)), as a function of parameters."""
    steps: list[Any] = [e.args[0] for e in log_density.atoms(sp.floor) if e.has(variable)]
    lines: set[Any] = {x for step in steps for x in (step.args if isinstance(step, sp.Min) else (step,))}
    chains = [MonotoneChain.of(x, variable, REALS) for x in sorted(lines, key=str)]
    inverses = [c.inverse(sp.Symbol("whole", real=True)).xreplace(names) for c in chains if c is not None]
    if not inverses:
        return "None"
    inner = replace(scope, names=scope.names | {"whole": "whole"})
    places = ", ".join(f"lambda whole: {lower(inverse, inner).code}" for inverse in inverses)
    scope.use("corners_at")
    return f"lambda {', '.join(s.name for s in names.values())}: corners_at({places})"


def complement(u: Any) -> Any:
    """Return 1 - u, without cancellation where u is a normal distribution function."""
    if isinstance(u, ndtr):
        level: Any = u.args[0]
        return ndtr(-level)
    return 1 - u


def lower_discrete_quantile(formula: DiscreteQuantile, scope: Scope, lower: Lower) -> Piece:
    """Return a call with the mass function as a function of an integer, and its bounds."""
    u, value, log_mass, low, high = formula.args
    level = lower(u, scope)
    inner = scope.with_slots({value: Piece("whole", level.axes)})
    mass = align(lower(log_mass, inner), level.axes)
    ends = ", ".join(align(lower(end, scope), level.axes).code for end in (low, high))
    scope.use("discrete_quantile")
    return Piece(f"discrete_quantile({level.code}, lambda whole: {mass.code}, {ends})", level.axes)
