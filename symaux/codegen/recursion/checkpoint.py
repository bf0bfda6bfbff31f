r"""Compute long recursions in blocks of about √T steps, with the terms that read them: $\sum_b \sum_{t \in b} \ell_t(z_t)$.

A block returns only its last state and its sum, and is recomputed for a gradient, so that no array over time has to be
stored: neither the chain, nor what the terms compute from it. So every term must read the chain at its own time only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.codegen.function.escape import escape_comment
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.recursion.deterministics import is_recursion, recursion_groups, write_assignment
from symaux.codegen.recursion.scan import Recursion, build_scan, read_recursion
from symaux.codegen.recursion.scan_text import target_code, tuple_code
from symaux.formulas.symbols.indices import name_of, references
from symaux.formulas.symbols.support import bounds
from symaux.laws.law import Law
from symaux.model.domains import indicated
from symaux.model.model import Model
from symaux.model.node import Node
from symaux.model.statements import Factor, Statement, plates_of, reads, summed_plates, target
from symaux.model.unroll import first_index

Term = Callable[[Writer, Any, Any], Piece]


@dataclass(frozen=True)
class Block:
    """A recursion, the variables computed from it at each time, and the factors that read either."""

    nodes: tuple[Node, ...]
    derived: tuple[Node, ...]
    factors: tuple[Law | Factor, ...]
    time: str  # the group of its axis over time

    @property
    def names(self) -> frozenset[str]:
        return frozenset(node.name for node in (*self.nodes, *self.derived))

    def split_terms(self, formula: Any) -> tuple[Any, Any]:
        """Return the terms of a log-density that read the recursion, and the others."""
        terms = sp.Add.make_args(sp.expand_mul(formula, deep=False))
        inside = [t for t in terms if any(name_of(r) in self.names for r in references(t))]
        return sp.Add(*inside), sp.Add(*(t for t in terms if t not in inside))


def find_blocks(writer: Writer) -> Iterator[Block]:
    """Yield the recursions of a model whose values are only read by terms at the same time."""
    model, taken = writer.model, set[str]()
    for members in recursion_groups(writer):
        nodes = [model.nodes[name] for name in members]
        block = _block(model, nodes) if is_recursion(nodes) else None
        if block and not taken & block.names and not _collects(writer, block):
            taken |= block.names
            yield block


def _collects(writer: Writer, block: Block) -> bool:
    """Return whether precomputed sums over data, such as that of x in exp(z) x, are multiplied by values of the recursion."""
    replaced = [made.plan.replaced for made in writer.collected if made.statement in block.factors]
    return any(name_of(r) in block.names for formula in replaced for r in references(formula))


def _block(model: Model, nodes: list[Node]) -> Block | None:
    axes = model.axes
    times = {axes.of_array(node.name)[node.axis] for node in nodes if node.axis is not None}
    if len(times) != 1:
        return None
    (time,), inside, derived = times, {node.name for node in nodes}, list[Node]()
    for name in model.order:
        node = model.nodes[name]
        if node.kind == "deterministic" and name not in inside and {*node.parents, *node.lags} & inside:
            if node.axis is not None or not _at_each_time(model, node.general, time):
                return None
            inside.add(name)
            derived.append(node)
    if any(name_of(r) in inside for opened in model.domain for r in references(opened.condition)):
        return None  # a guard reads all values at once
    factors = [s for s in model.statements if isinstance(s, Law | Factor) and {r.name for r in reads(s)} & inside]
    if any(isinstance(s, Factor) and indicated(s) is not None for s in factors):
        return None
    fits = all(_at_each_time(model, s, time) and not _moves(s, inside) for s in factors)
    return Block(tuple(nodes), tuple(derived), tuple(factors), time) if factors and fits else None


def _at_each_time(model: Model, statement: Statement, time: str) -> bool:
    """Return whether a statement holds for all times, and reads variables over time at its own time only."""
    plates = [p for p in plates_of(statement) if model.axes.of_plate(p) == time]
    if len(plates) != 1 or first_index(model, statement, plates[0]) or (isinstance(statement, Law) and statement.event):
        return False
    if any(model.axes.of_plate(p) == time for p in summed_plates(statement)):
        return False
    aim = target(statement)
    elements = [*([] if aim is None else [aim]), *(r.element for r in reads(statement))]
    return all(_reads_now(model, element, plates[0], time) for element in elements)


def _reads_now(model: Model, element: Any, plate: Idx, time: str) -> bool:
    indices = getattr(element, "indices", ())
    along = model.axes.of_array(name_of(element)) if indices else ()
    return all(index == plate for index, group in zip(indices, along, strict=True) if group == time)


def _moves(statement: Law | Factor, inside: set[str]) -> bool:
    """Return whether the support of a law depends on the recursion; it is checked where all values exist at once."""
    ends = bounds(statement.support) if isinstance(statement, Law) else ()
    return any(name_of(r) in inside for bound in ends for r in references(bound))


def write_block(writer: Writer, block: Block, formulas: dict[Any, Any], term: Term) -> Piece:
    """Write the step and the terms of a block of times; return the code of the sum over all times."""
    recursion = read_recursion(writer, list(block.nodes))
    scan = build_scan(writer, recursion)
    scan.write_step(writer.append_line)
    arrays = _write_terms(writer, block, recursion, formulas, term)
    writer.helpers.add("blocked_sum")
    before = tuple_code([tuple_code(recursion.before(name)) for name in recursion.chains])
    given = tuple_code([_time_first(writer, block, name) for name in arrays])
    parts = [
        scan.carry_code(recursion.elements, recursion.first),
        before,
        scan.inputs_code() if scan.inputs else "None",
        given,
    ]
    return Piece(f"blocked_sum(step, terms, {', '.join(parts)}, {writer.size(recursion.time)})")


def _write_terms(writer: Writer, block: Block, recursion: Recursion, formulas: dict[Any, Any], term: Term) -> list[str]:
    """Write the terms of a block, in which arrays over time keep the names of the whole arrays; return the arrays it needs."""
    inner, lp = writer.nested(), "lp = "
    for node in block.derived:
        write_assignment(inner, node)
    for factor, formula in formulas.items():
        inner.append_line(f"# {escape_comment(str(factor))}")
        inner.append_line(f"{lp}{term(inner, factor, formula).code}")
        lp = "lp = lp + "
    made: list[Any] = [*formulas.values(), *(f for node in block.derived for f in node.general.formulas)]
    read = {name_of(r) for formula in made for r in references(formula)} - block.names
    arrays = sorted(name for name in read if name in writer.model.axes.ranks and block.time in _axes(writer, name))
    codes = [writer.names[name] for name in recursion.chains]
    writer.append_line("def terms(made, given):")
    writer.append_line(f"    {target_code(codes)} = made")
    if arrays:
        writer.append_line(f"    {target_code([writer.names[name] for name in arrays])} = given")
    for name in (*recursion.chains, *arrays):
        if place := _axes(writer, name).index(block.time):
            writer.append_line(f"    {writer.names[name]} = jnp.moveaxis({writer.names[name]}, 0, {place})")
    size = writer.size(recursion.time)
    if any(re.search(rf"\b{size}\b", line) for line in inner.lines):
        name = next(iter(recursion.chains))
        writer.append_line(f"    {size} = {writer.names[name]}.shape[{_axes(writer, name).index(block.time)}]")
    writer.lines.extend(f"    {line}" for line in [*inner.lines, "return lp"])
    writer.append_line("")
    return arrays


def _axes(writer: Writer, name: str) -> tuple[str, ...]:
    return writer.model.axes.of_array(name)


def _time_first(writer: Writer, block: Block, name: str) -> str:
    place = _axes(writer, name).index(block.time)
    return f"jnp.moveaxis({writer.names[name]}, {place}, 0)" if place else writer.names[name]
