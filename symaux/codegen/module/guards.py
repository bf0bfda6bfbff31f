r"""Write the guards of a log-density: it is $-\\infty$ outside of the supports and where a condition on parameters fails.

Outside, the terms of the log-density may be NaN, and so may their gradients, which a final ``where`` does not stop: zero
times NaN is NaN. So the position passes a gate, which lets gradients through inside only.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import align
from symaux.codegen.lower.expression import lower
from symaux.codegen.recursion.deterministics import write_deterministics
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import free_plates, label, name_of, references
from symaux.formulas.symbols.support import CorrelationFactors, Integers, Interval, PositiveDefinite, Simplex, bounds
from symaux.laws.law import Law
from symaux.model.domains import guards
from symaux.model.statements import Deterministic, Statement, plates_of


def write_guards(writer: Writer) -> bool:
    """Write ``inside`` and the gate of the position, after the variables that the guards read; return whether there are any."""
    conditions, computed = _conditions(writer)
    if not conditions:
        return False
    write_deterministics(writer, only=computed)
    writer.append_line(f"inside = {' & '.join(f'jnp.all({c})' for c in conditions)}")
    moving = [writer.names[name] for name in sorted(writer.model.latents)]
    if moving:
        writer.helpers.add("gate")
        writer.append_line(f"{', '.join(moving)}{',' if len(moving) == 1 else ''} = gate(inside, {', '.join(moving)})")
    return True


def _conditions(writer: Writer) -> tuple[list[str], frozenset[str]]:
    """Return the code of all guards, and the names that they read."""
    before, writer.names.read = set(writer.names.read), set()
    model = writer.model
    codes = [c for s in model.statements if isinstance(s, Law) for c in support_guards(writer, s)]
    codes += [_code(writer, statement, condition) for statement, condition in guards(model)]
    read, writer.names.read = frozenset(writer.names.read), before | writer.names.read
    return list(dict.fromkeys(codes)), read


def _code(writer: Writer, statement: Statement, condition: Any) -> str:
    """Return the code of a condition; it may have plates that its statement lacks, as the weights of a mixture do."""
    if isinstance(
        statement, Deterministic
    ):  # the sign that its formula must have: by its value, which is there already
        return lower(condition.func(statement.target, sp.S.Zero, evaluate=False), writer.scope(statement)).code
    own = [p for p in plates_of(statement) if p in free_plates(condition)]
    more = sorted(free_plates(condition) - set(own), key=str)
    return lower(writer.simplify(condition), writer.scope(statement).within(*more)).code


def support_guards(writer: Writer, law: Law) -> list[str]:
    """Return the run-time conditions for a value to lie in its support: of latents, and of supports that may vary."""
    if law.event:
        return _vector_guards(writer, law)
    if not isinstance(law.support, Interval | Integers):
        return []
    observed = law.name in writer.model.observed
    scope, conditions = writer.scope(law), []
    for bound, sign in zip(bounds(law.support), (">", "<"), strict=True):
        if bound in (sp.oo, -sp.oo) or (observed and _observed_only(writer, bound)):
            continue
        relation = sp.StrictGreaterThan if sign == ">" else sp.StrictLessThan
        if isinstance(law.support, Integers):
            relation = sp.GreaterThan if sign == ">" else sp.LessThan
        conditions.append(lower(relation(law.value, bound, evaluate=False), scope).code)
    return conditions


GUARDS = {
    Simplex: "on_simplex",
    CorrelationFactors: "is_correlation_factor",
    PositiveDefinite: "is_positive_definite",
}


def _vector_guards(writer: Writer, law: Law) -> list[str]:
    """Return the condition that a latent vector lies in its support, up to rounding; none for observed ones."""
    guard = GUARDS.get(type(law.support))
    if guard is None or law.name in writer.model.observed:
        return []
    writer.helpers.add(guard)
    axes = tuple(map(label, plates_of(law)))
    last = tuple(map(label, law.event))
    piece = align(lower(law.value, writer.scope(law)), (*(a for a in axes if a not in last), *last))
    return [f"{guard}({piece.code})"]


def _observed_only(writer: Writer, bound: Formula) -> bool:
    """Return whether a bound depends on observed variables only, which are checked once; inputs may be in the position."""
    return {name_of(r) for r in references(bound)} <= writer.model.observed
