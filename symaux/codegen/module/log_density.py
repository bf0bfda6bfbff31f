r"""Write the log-density $\log p(x, z) = \sum_j \log p(v_j \mid \mathrm{pa}_j)$, one line per statement."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.codegen.function.escape import escape_comment
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import SUM, Piece, add
from symaux.codegen.lower.boundary import with_boundaries
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.fused_terms import runs_over
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.sums import sum_over
from symaux.codegen.module.statistics import CollapsedStatement, has_statistics_code, lower_collapsed
from symaux.codegen.recursion.axis_order import axis_permutation, batched_matmul, short_plates
from symaux.codegen.recursion.checkpoint import write_block
from symaux.codegen.stabilise.known_exponentials import expand_log_arguments, with_known_exponentials
from symaux.codegen.stabilise.simplify import Simplify
from symaux.formulas.symbols.indices import label, name_of, references
from symaux.laws.law import Law
from symaux.model.domains import indicated
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, plates_of


def write_log_density(writer: Writer, guarded: bool = False) -> None:
    """Write ``lp`` as the sum of all factors; ``guarded`` says that ``inside`` has been written, outside of which it is −∞.

    Terms of several statements over the same plates are summed once, after all statements; so are blocks of recursions.
    """
    factors = [s for s in writer.model.statements if not isinstance(s, Deterministic) and not _constant(s)]
    collapsed = {c.statement: c for c in writer.collected}
    block_of = {factor: block for block in writer.blocks for factor in block.factors}
    blocked: dict[Any, dict[Any, Any]] = {block: {} for block in writer.blocks}
    split = []  # of each factor, the terms over all of its plates, and the others
    for factor in factors:
        if block := block_of.get(factor):
            rest = collapsed[factor].plan.rest if factor in collapsed else None
            formula = _formula(writer, factor) if rest is None else _at_boundaries(factor, rest)
            blocked[block][factor], rest = block.split_terms(formula)
            split.append((sp.S.Zero, rest))
        else:
            split.append(_split(writer, factor, collapsed.get(factor)))
    often = Counter(_run(writer, factor) for factor, (whole, _) in zip(factors, split, strict=True) if whole != 0)
    fused: dict[Any, list[Piece]] = {}  # terms of several statements over the same axes
    lp = "lp = "  # and "lp = lp" as soon as there is something to add to
    for factor, (whole, rest) in zip(factors, split, strict=True):
        is_fused = whole != 0 and often[_run(writer, factor)] > 1
        piece = lower_term(writer, factor, rest if is_fused else whole + rest)
        writer.append_line(f"# {escape_comment(str(factor))}")
        if is_fused:
            fused.setdefault(_run(writer, factor), []).append(_elements(writer, factor, whole))
        if piece.code != "0":
            writer.append_line(f"{lp}{_accumulated(piece)}" if lp == "lp = lp" else f"{lp}{piece.code}")
            lp = "lp = lp"
        if factor in collapsed:
            _branches(writer, collapsed[factor], lp)
            lp = "lp = lp"
    for pieces in fused.values():
        summed = Piece(f"jnp.sum({add(pieces, pieces[0].axes).code})")
        writer.append_line(f"{lp}{_accumulated(summed)}" if lp == "lp = lp" else f"{lp}{summed.code}")
        lp = "lp = lp"
    for block, formulas in blocked.items():
        summed = write_block(writer, block, formulas, lower_term)
        writer.append_line(f"{lp}{_accumulated(summed)}" if lp == "lp = lp" else f"{lp}{summed.code}")
        lp = "lp = lp"
    if lp == "lp = ":
        writer.append_line("lp = jnp.zeros(())")
    writer.append_line("return jnp.where(inside, lp, -jnp.inf)" if guarded else "return lp")


def _accumulated(piece: Piece) -> str:
    """Return the code that adds a piece to ``lp``; a sum is added term by term, and a minus sign subtracts."""
    return f" - {piece.code[1:]}" if piece.code.startswith("-") else f" + {piece.tight(SUM)}"


def _constant(statement: Any) -> bool:
    if isinstance(statement, Factor):
        return indicated(statement) is not None  # which is one of the guards
    return isinstance(statement, Law) and statement.log_density == 0


def _branches(writer: Writer, collapsed: CollapsedStatement, lp: str) -> None:
    """Write the terms that statistics replace: from the statistics where they are given, and otherwise from the data."""
    statement = collapsed.statement
    assert isinstance(statement, Law | Factor)
    writer.helpers.add("collected")
    for head, write in (
        (f"if {has_statistics_code(collapsed)}:", lambda inner: lower_collapsed(inner, collapsed)),
        ("else:", lambda inner: lower_term(inner, statement, _at_boundaries(statement, collapsed.plan.replaced))),
    ):
        inner = writer.nested()
        piece = write(inner)
        inner.append_line(f"{lp}{_accumulated(piece)}" if lp == "lp = lp" else f"{lp}{piece.code}")
        writer.append_line(head)
        writer.lines.extend(f"    {line}" for line in inner.lines)


def formula_of(
    statement: Law | Factor,
    model: Model,
    simplify: Simplify,
    known: dict[Any, Any],
    dropped: frozenset[str] | None = None,
) -> Any:
    """Return the log-density of a statement as it is generated, without the terms that read only ``dropped`` names.

    ``known`` holds the exponentials that the model computes.
    """
    formula = statement.log_density if isinstance(statement, Law) else statement.formula
    simple = simplify(expand_log_arguments(formula, model, simplify))
    generated = with_known_exponentials(simple if dropped is None else sp.expand_log(simple), known)
    if dropped is None:
        return generated
    terms = sp.Add.make_args(sp.expand_mul(generated, deep=False))
    return sp.Add(*(t for t in terms if not {name_of(r) for r in references(t)} <= dropped))


def _formula(writer: Writer, statement: Law | Factor) -> Any:
    formula = formula_of(statement, writer.model, writer.simplify, writer.known, writer.dropped)
    return _at_boundaries(statement, formula)


def _at_boundaries(statement: Any, formula: Any) -> Any:
    """Return the formula of a mass with 0·log 0 = 0; a density has no value at the ends of its support."""
    return with_boundaries(formula) if isinstance(statement, Law) and statement.discrete else formula


def _split(writer: Writer, statement: Law | Factor, collapsed: CollapsedStatement | None = None) -> tuple[Any, Any]:
    """Split a log-density into the terms that run over all plates of the statement and depend on latents, and the others.

    The former, of several statements over the same plates, are added first and summed once.
    """
    formula = _formula(writer, statement) if collapsed is None else _at_boundaries(statement, collapsed.plan.rest)
    over = {label(p) for p in plates_of(statement)}
    if len(over) != 1 or (isinstance(statement, Law) and statement.event) or formula.has(sp.Sum):
        return sp.S.Zero, formula
    still = {*writer.model.inputs, *writer.model.observed}
    terms = sp.Add.make_args(sp.expand_mul(formula, deep=False))
    whole = [t for t in terms if runs_over(t, over) and not {name_of(r) for r in references(t)} <= still]
    return sp.Add(*whole), sp.Add(*(t for t in terms if t not in whole))


def _run(writer: Writer, statement: Law | Factor) -> Any:
    """Return what statements must share to be summed together: their axes and first indices."""
    scope = writer.scope(statement)
    return tuple((writer.model.axes.of_plate(p), scope.first(label(p))) for p in plates_of(statement))


def _elements(writer: Writer, statement: Law | Factor, whole: Any) -> Piece:
    """Return the code of the terms for every element, with axes named after their groups."""
    (simple,), scope = writer.simplify_and_share(_name(statement), [whole], writer.scope(statement), lower)
    piece = lower(simple, scope)
    return replace(piece, axes=tuple(writer.model.axes.group[axis] for axis in piece.axes))


def _name(statement: Law | Factor) -> str:
    return statement.name if isinstance(statement, Law) else "factor"


def lower_term(writer: Writer, statement: Law | Factor, formula: Any) -> Piece:
    """Return the code of a formula summed over the plates of its statement."""
    if formula == 0:
        return Piece("0")
    event = statement.event if isinstance(statement, Law) else ()
    (simple,), scope = writer.simplify_and_share(_name(statement), [formula], _scope(writer, statement, formula), lower)
    over = tuple(label(p) for p in plates_of(statement) if p not in event)
    return sum_over(sp.expand_mul(simple, deep=False), over, scope, lower)


def _scope(writer: Writer, statement: Law | Factor, formula: Any) -> Scope:
    """Return the scope in which a term is lowered; short axes first, where it multiplies a chain that is stored like that."""
    scope = writer.scope(statement)
    order = axis_permutation(
        scope.order, short_plates(formula, writer.transposed, writer.model.axes), writer.model.axes
    )
    if not order:
        return scope
    return replace(scope, order=tuple(scope.order[place] for place in order), product=batched_matmul(scope.use))
