r"""The log-density: $\log p(x, z) = \sum_j \log p(v_j \mid \mathrm{pa}_j)$, one line per statement."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.codegen.function.escape import comment
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import SUM, Piece, add, aligned
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.fused_terms import runs_over
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.sums import reduce
from symaux.codegen.module.statistics import Collected, collapsed, there
from symaux.codegen.recursion.axis_order import flat, rows, turn
from symaux.codegen.recursion.checkpoint import write_block
from symaux.codegen.stabilise.known_exponentials import opened, with_known
from symaux.codegen.stabilise.simplify import Simplify
from symaux.formulas.symbols.indices import label, name_of, references
from symaux.formulas.symbols.support import CorrelationFactors, Integers, Interval, PositiveDefinite, Simplex, bounds
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, plates_of


def density(writer: Writer) -> None:
    """Writes ``lp`` as the sum of all factors, and the guard that makes it −∞ outside the supports."""
    factors = [s for s in writer.model.statements if not isinstance(s, Deterministic) and not _constant(s)]
    known = {made.statement: made for made in writer.collected}
    inside = {factor: block for block in writer.blocks for factor in block.factors}
    blocked: dict[Any, dict[Any, Any]] = {block: {} for block in writer.blocks}
    split = []
    for factor in factors:
        if block := inside.get(factor):
            formula = known[factor].plan.rest if factor in known else _formula(writer, factor)
            blocked[block][factor], rest = block.apart(formula)
            split.append((sp.S.Zero, rest))
        else:
            split.append(_split(writer, factor, known.get(factor)))
    often = Counter(_run(writer, factor) for factor, (whole, _) in zip(factors, split, strict=True) if whole != 0)
    waiting: dict[Any, list[Piece]] = {}
    lp = "lp = "
    for factor, (whole, rest) in zip(factors, split, strict=True):
        together = whole != 0 and often[_run(writer, factor)] > 1
        piece = term(writer, factor, rest if together else whole + rest)
        writer.say(f"# {comment(str(factor))}")
        if together:
            waiting.setdefault(_run(writer, factor), []).append(_elements(writer, factor, whole))
        if piece.code != "0":
            writer.say(f"{lp}{_accumulated(piece)}" if lp == "lp = lp" else f"{lp}{piece.code}")
            lp = "lp = lp"
        if factor in known:
            _branches(writer, known[factor], lp)
            lp = "lp = lp"
    for pieces in waiting.values():
        summed = Piece(f"jnp.sum({add(pieces, pieces[0].axes).code})")
        writer.say(f"{lp}{_accumulated(summed)}" if lp == "lp = lp" else f"{lp}{summed.code}")
        lp = "lp = lp"
    for block, formulas in blocked.items():
        summed = write_block(writer, block, formulas, term)
        writer.say(f"{lp}{_accumulated(summed)}" if lp == "lp = lp" else f"{lp}{summed.code}")
        lp = "lp = lp"
    if lp == "lp = ":
        writer.say("lp = jnp.zeros(())")
    _write_guards(writer)


def _write_guards(writer: Writer) -> None:
    conditions = [c for s in writer.model.statements if isinstance(s, Law) for c in guards(writer, s)]
    if conditions:
        writer.say(f"inside = {' & '.join(f'jnp.all({c})' for c in conditions)}")
        writer.say("return jnp.where(inside, lp, -jnp.inf)")
    else:
        writer.say("return lp")


def _accumulated(piece: Piece) -> str:
    """What follows ``lp``; a sum is added term by term, so that no sign meets another."""
    return f" - {piece.code[1:]}" if piece.code.startswith("-") else f" + {piece.tight(SUM)}"


def _constant(statement: Any) -> bool:
    return isinstance(statement, Law) and statement.log_density == 0


def _branches(writer: Writer, made: Collected, lp: str) -> None:
    """The sum of what statistics replace: from them where they are there, from the data where they are not."""
    statement = made.statement
    assert isinstance(statement, Law | Factor)
    writer.helpers.add("collected")
    for head, write in (
        (f"if {there(made)}:", lambda inner: collapsed(inner, made)),
        ("else:", lambda inner: term(inner, statement, made.plan.replaced)),
    ):
        inner = writer.nested()
        piece = write(inner)
        inner.say(f"{lp}{_accumulated(piece)}" if lp == "lp = lp" else f"{lp}{piece.code}")
        writer.say(head)
        writer.lines.extend(f"    {line}" for line in inner.lines)


def formula_of(
    statement: Law | Factor,
    model: Model,
    simplify: Simplify,
    known: dict[Any, Any],
    dropped: frozenset[str] | None = None,
) -> Any:
    """Return the log-density of a statement as it is generated; without the terms that read nothing but what is
    ``dropped``.

    ``known`` holds the exponentials that the model has computed.
    """
    formula = statement.log_density if isinstance(statement, Law) else statement.formula
    simple = simplify(opened(formula, model, simplify))
    made = with_known(simple if dropped is None else sp.expand_log(simple), known)
    if dropped is None:
        return made
    terms = sp.Add.make_args(sp.expand_mul(made, deep=False))
    return sp.Add(*(t for t in terms if not {name_of(r) for r in references(t)} <= dropped))


def _formula(writer: Writer, statement: Law | Factor) -> Any:
    return formula_of(statement, writer.model, writer.simplify, writer.known, writer.dropped)


def _split(writer: Writer, statement: Law | Factor, made: Collected | None = None) -> tuple[Any, Any]:
    """Return the terms that run over all plates of the statement and hang on latents, and the others.

    Those of several statements over the same plates are added first and summed once.
    """
    formula = _formula(writer, statement) if made is None else made.plan.rest
    over = {label(p) for p in plates_of(statement)}
    if len(over) != 1 or (isinstance(statement, Law) and statement.event) or formula.has(sp.Sum):
        return sp.S.Zero, formula
    still = {*writer.model.inputs, *writer.model.observed}
    terms = sp.Add.make_args(sp.expand_mul(formula, deep=False))
    whole = [t for t in terms if runs_over(t, over) and not {name_of(r) for r in references(t)} <= still]
    return sp.Add(*whole), sp.Add(*(t for t in terms if t not in whole))


def _run(writer: Writer, statement: Law | Factor) -> Any:
    """What statements must share to be summed together: the axes, and where they start."""
    scope = writer.scope(statement)
    return tuple((writer.model.axes.of_plate(p), scope.first(label(p))) for p in plates_of(statement))


def _elements(writer: Writer, statement: Law | Factor, whole: Any) -> Piece:
    """Return the value of the terms for every element, along axes that bear the names of their groups."""
    (simple,), scope = writer.prepared(_name(statement), [whole], writer.scope(statement), lower)
    piece = lower(simple, scope)
    return replace(piece, axes=tuple(writer.model.axes.group[axis] for axis in piece.axes))


def _name(statement: Law | Factor) -> str:
    return statement.name if isinstance(statement, Law) else "factor"


def term(writer: Writer, statement: Law | Factor, formula: Any) -> Piece:
    """Return a formula summed over the plates of its statement."""
    if formula == 0:
        return Piece("0")
    event = statement.event if isinstance(statement, Law) else ()
    (simple,), scope = writer.prepared(_name(statement), [formula], _scope(writer, statement, formula), lower)
    over = tuple(label(p) for p in plates_of(statement) if p not in event)
    return reduce(sp.expand_mul(simple, deep=False), over, scope, lower)


def _scope(writer: Writer, statement: Law | Factor, formula: Any) -> Scope:
    """Where a term is lowered: with short axes first, where it multiplies a chain that is held like that."""
    scope = writer.scope(statement)
    order = turn(scope.order, rows(formula, writer.turned, writer.model.axes), writer.model.axes)
    if not order:
        return scope
    return replace(scope, order=tuple(scope.order[place] for place in order), product=flat(scope.use))


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
    """Return a latent vector must lie in its support, up to rounding; observed ones are the data's own."""
    guard = GUARDS.get(type(law.support))
    if guard is None or law.name in writer.model.observed:
        return []
    writer.helpers.add(guard)
    axes = tuple(map(label, plates_of(law)))
    last = tuple(map(label, law.event))
    piece = aligned(lower(law.value, writer.scope(law)), (*(a for a in axes if a not in last), *last))
    return [f"{guard}({piece.code})"]


def _observed_only(writer: Writer, bound: sp.Expr) -> bool:
    """Return whether a bound depends on observed variables only: they are checked once; inputs may be in the
    position."""
    return {name_of(r) for r in references(bound)} <= writer.model.observed
