r"""The log-density: $\log p(x, z) = \sum_j \log p(v_j \mid \mathrm{pa}_j)$, one line per statement."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.codegen.contract import reduce
from symaux.codegen.lower import lower
from symaux.codegen.pieces import SUM, Piece, aligned
from symaux.codegen.text import comment
from symaux.codegen.writer import Writer
from symaux.indices import label, name_of, references
from symaux.laws import Law
from symaux.statements import Deterministic, Factor, plates_of
from symaux.support import CorrelationFactors, Integers, Interval, PositiveDefinite, Simplex, bounds


def density(writer: Writer) -> None:
    """Writes ``lp`` as the sum of all factors, and the guard that makes it −∞ outside the supports."""
    started = False
    for statement in writer.model.statements:
        if isinstance(statement, Deterministic) or _constant(statement):
            continue
        piece = term(writer, statement)
        writer.say(f"# {comment(str(statement))}")
        writer.say(_accumulated(piece) if started else f"lp = {piece.code}")
        started = True
    if not started:
        writer.say("lp = jnp.zeros(())")
    conditions = [c for s in writer.model.statements if isinstance(s, Law) for c in guards(writer, s)]
    if conditions:
        writer.say(f"inside = {' & '.join(f'jnp.all({c})' for c in conditions)}")
        writer.say("return jnp.where(inside, lp, -jnp.inf)")
    else:
        writer.say("return lp")


def _accumulated(piece: Piece) -> str:
    """``lp`` plus a piece; a sum is added term by term, so that no sign meets another."""
    return f"lp = lp - {piece.code[1:]}" if piece.code.startswith("-") else f"lp = lp + {piece.tight(SUM)}"


def _constant(statement: Any) -> bool:
    return isinstance(statement, Law) and statement.log_density == 0


def term(writer: Writer, statement: Law | Factor) -> Piece:
    """The factor of a statement, summed over its plates."""
    name = statement.name if isinstance(statement, Law) else "factor"
    formula = statement.log_density if isinstance(statement, Law) else statement.formula
    event = statement.event if isinstance(statement, Law) else ()
    (simple,), scope = writer.prepared(name, [formula], writer.scope(statement), lower)
    over = tuple(label(p) for p in plates_of(statement) if p not in event)
    return reduce(sp.expand_mul(simple, deep=False), over, scope, lower)


def guards(writer: Writer, law: Law) -> list[str]:
    """What must hold at run time for a value to lie in its support: latents, and supports that may move."""
    if law.event:
        return _vector_guards(writer, law)
    if not isinstance(law.support, Interval | Integers):
        return []
    observed = law.name in writer.model.observed
    scope, found = writer.scope(law), []
    for bound, sign in zip(bounds(law.support), (">", "<"), strict=True):
        if bound in (sp.oo, -sp.oo) or (observed and _observed_only(writer, bound)):
            continue
        relation = sp.StrictGreaterThan if sign == ">" else sp.StrictLessThan
        if isinstance(law.support, Integers):
            relation = sp.GreaterThan if sign == ">" else sp.LessThan
        found.append(lower(relation(law.value, bound, evaluate=False), scope).code)
    return found


GUARDS = {
    Simplex: "on_simplex",
    CorrelationFactors: "is_correlation_factor",
    PositiveDefinite: "is_positive_definite",
}


def _vector_guards(writer: Writer, law: Law) -> list[str]:
    """A latent vector must lie in its support, up to rounding; observed ones are the data's own."""
    guard = GUARDS.get(type(law.support))
    if guard is None or law.name in writer.model.observed:
        return []
    writer.helpers.add(guard)
    axes = tuple(map(label, plates_of(law)))
    last = tuple(map(label, law.event))
    piece = aligned(lower(law.value, writer.scope(law)), (*(a for a in axes if a not in last), *last))
    return [f"{guard}({piece.code})"]


def _observed_only(writer: Writer, bound: sp.Expr) -> bool:
    """Whether a bound depends on observed variables only: they are checked once; inputs may be in the position."""
    return {name_of(r) for r in references(bound)} <= writer.model.observed
