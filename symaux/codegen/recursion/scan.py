r"""Recursions over time become one ``lax.scan``: $z_t = g(z_{t-1}, \ldots, \varepsilon_t)$, several chains together.

What does not depend on the chains is computed before the scan, for all times at once, and handed to each step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.expression import evaluated
from symaux.codegen.lower.scope import Scope
from symaux.codegen.recursion.chain_layout import turned_arrays, turned_chains
from symaux.codegen.recursion.chains import Chain, chain_of, fixed_elements, step_reader
from symaux.codegen.recursion.hoist import hoisted
from symaux.codegen.recursion.scan_text import Elements, Walk
from symaux.formulas.symbols.indices import label
from symaux.model.node import Node
from symaux.model.statements import reads


@dataclass
class Recursion:
    """Chains over time with their formulas, in which slots stand for what is computed before the scan."""

    chains: dict[str, Chain]
    first: int  # how many elements have been computed before the scan starts
    elements: Elements
    formulas: dict[str, Any]
    scopes: dict[str, Scope]  # where a formula is lowered for all times at once
    slots: dict[Any, Piece]
    inputs: list[tuple[str, str]]  # (identifier in a step, code of the array over time)

    @property
    def time(self) -> str:
        return label(next(iter(self.chains.values())).time)

    def before(self, name: str) -> list[str]:
        """Return the identifiers of the elements before the scan."""
        return [self.elements[name, position] for position in range(self.first)]

    def past(self, writer: Writer, prefix: str = "") -> Elements:
        """Fresh identifiers for what is carried: every chain as far back as it is read."""
        return {
            (name, back): writer.fresh(f"{prefix}{writer.names[name]}_back{back}")
            for name, chain in self.chains.items()
            for back in range(1, chain.memory + 1)
        }


def recursion(writer: Writer, nodes: list[Node]) -> None:
    """Writes the fixed elements, the scan, and the arrays that come out of it."""
    from symaux.codegen.recursion.associative_scan import in_parallel
    from symaux.codegen.recursion.custom_jvp import with_tangents

    found = read_recursion(writer, nodes)
    if writer.recursions.endswith("parallel") and in_parallel(writer, found):
        return
    ruled = writer.differentiable and not writer.recursions.endswith("checkpoint")
    if not ruled or not with_tangents(writer, found):
        _plain(writer, found)


def read_recursion(writer: Writer, nodes: list[Node]) -> Recursion:
    """Return the recursion that the nodes make, with its fixed elements and its inputs written."""
    chains = turned_chains(writer, {node.name: chain_of(node, nodes) for node in nodes})
    first = max(len(chain.node.initial) for chain in chains.values())
    arrays = turned_arrays(writer, chains)
    elements = fixed_elements(writer, list(chains.values()), first, arrays)
    made = Recursion(chains, first, elements, {}, {}, {}, [])
    for name, chain in chains.items():
        general: Any = chain.node.general
        outer = replace(writer.scope(general), start={label(chain.time): first})
        outer = replace(outer, order=(label(chain.time), *chain.axes)) if chain.turn else outer
        formula = writer.simplify(general.formula)
        reading = replace(outer, reader=arrays)
        made.formulas[name] = hoisted(formula, chain, chains, reading, writer, made.slots, made.inputs)
        made.scopes[name] = outer
    return made


def _plain(writer: Writer, found: Recursion) -> None:
    """A scan that jax differentiates by itself."""
    walk = walked(writer, found)
    if writer.differentiable and writer.recursions.endswith("checkpoint"):
        walk.function = "blocked_scan"
        writer.helpers.add("blocked_scan")
    out = {name: writer.fresh(f"{writer.names[name]}_rest") for name in found.chains}
    walk.write(writer.say, found.elements, found.first, _length(writer, found), list(out.values()))
    for name, chain in found.chains.items():
        writer.say(f"{writer.names[name]} = {chain.joined(found.before(name), out[name])}")


def walked(writer: Writer, found: Recursion) -> Walk:
    """Return the steps of a recursion, not yet written."""
    now = {name: writer.fresh(f"{writer.names[name]}_t") for name in found.chains}
    walk = Walk(found.past(writer), now, found.inputs, unrolled=writer.unrolled)
    reader = step_reader(found.chains, found.elements, walk.past, now)
    for name, chain in found.chains.items():
        inner = replace(found.scopes[name], order=chain.axes, start={}, slots=found.slots, reader=reader)
        walk.lines.append((now[name], evaluated(found.formulas[name], chain.axes, inner).code))
    return walk


def _length(writer: Writer, found: Recursion) -> str:
    """Return the code for the number of times; asked for only where no input has that many."""
    return "" if found.inputs else writer.size(found.time)


__all__ = ["Recursion", "read_recursion", "reads", "recursion", "walked"]
