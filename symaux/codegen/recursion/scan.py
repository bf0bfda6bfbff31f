r"""Write recursions over time as one ``lax.scan``: $z_t = g(z_{t-1}, \ldots, \varepsilon_t)$, several chains together.

What does not depend on the chains is computed before the scan, for all times at once, and passed to each step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.expression import lower_along
from symaux.codegen.lower.scope import Scope
from symaux.codegen.recursion.chain_layout import transposed_reader, with_short_axes_first
from symaux.codegen.recursion.chains import Chain, chain_of, step_reader, write_fixed_elements
from symaux.codegen.recursion.hoist import hoist
from symaux.codegen.recursion.scan_text import Elements, ScanText
from symaux.formulas.symbols.indices import label
from symaux.model.node import Node
from symaux.model.statements import reads


@dataclass
class Recursion:
    """Chains over time with their formulas, in which slots stand for what is computed before the scan."""

    chains: dict[str, Chain]
    first: int  # the number of elements computed before the scan starts
    elements: Elements
    formulas: dict[str, Any]
    scopes: dict[str, Scope]  # in which a formula is lowered for all times at once
    slots: dict[Any, Piece]
    inputs: list[tuple[str, str]]  # (identifier in a step, code of the array over time)

    @property
    def time(self) -> str:
        return label(next(iter(self.chains.values())).time)

    def before(self, name: str) -> list[str]:
        """Return the identifiers of the elements before the scan."""
        return [self.elements[name, position] for position in range(self.first)]

    def carry_identifiers(self, writer: Writer, prefix: str = "") -> Elements:
        """Return fresh identifiers for the scan carry: every chain as far back as it is read."""
        return {
            (name, back): writer.fresh(f"{prefix}{writer.names[name]}_back{back}")
            for name, chain in self.chains.items()
            for back in range(1, chain.memory + 1)
        }


def write_recursion(writer: Writer, nodes: list[Node]) -> None:
    """Write the fixed elements, the scan, and the arrays that it outputs."""
    from symaux.codegen.recursion.associative_scan import write_associative_scan
    from symaux.codegen.recursion.custom_jvp import write_with_jvp

    recursion = read_recursion(writer, nodes)
    if writer.recursions.endswith("parallel") and write_associative_scan(writer, recursion):
        return
    ruled = writer.differentiable and not writer.recursions.endswith("checkpoint")
    if not ruled or not write_with_jvp(writer, recursion):
        _write_plain_scan(writer, recursion)


def read_recursion(writer: Writer, nodes: list[Node]) -> Recursion:
    """Write the fixed elements and the inputs of a recursion; return it with its formulas in terms of slots."""
    chains = with_short_axes_first(writer, {node.name: chain_of(node, nodes) for node in nodes})
    first = max(len(chain.node.initial) for chain in chains.values())
    arrays = transposed_reader(writer, chains)
    elements = write_fixed_elements(writer, list(chains.values()), first, arrays)
    recursion = Recursion(chains, first, elements, {}, {}, {}, [])
    for name, chain in chains.items():
        general: Any = chain.node.general
        outer = replace(writer.scope(general), start={label(chain.time): first})
        outer = replace(outer, order=(label(chain.time), *chain.axes)) if chain.permutation else outer
        formula = writer.simplify(general.formula)
        reading = replace(outer, reader=arrays)
        recursion.formulas[name] = hoist(formula, chain, chains, reading, writer, recursion.slots, recursion.inputs)
        recursion.scopes[name] = outer
    return recursion


def _write_plain_scan(writer: Writer, recursion: Recursion) -> None:
    """Write a scan that jax differentiates by itself."""
    scan = build_scan(writer, recursion)
    if writer.differentiable and writer.recursions.endswith("checkpoint"):
        scan.function = "blocked_scan"
        writer.helpers.add("blocked_scan")
    out = {name: writer.fresh(f"{writer.names[name]}_rest") for name in recursion.chains}
    scan.write(writer.append_line, recursion.elements, recursion.first, _length(writer, recursion), list(out.values()))
    for name, chain in recursion.chains.items():
        writer.append_line(f"{writer.names[name]} = {chain.concatenate(recursion.before(name), out[name])}")


def build_scan(writer: Writer, recursion: Recursion) -> ScanText:
    """Return the scan of a recursion, not yet written."""
    now = {name: writer.fresh(f"{writer.names[name]}_t") for name in recursion.chains}
    scan = ScanText(recursion.carry_identifiers(writer), now, recursion.inputs, unrolled=writer.unrolled)
    reader = step_reader(recursion.chains, recursion.elements, scan.past, now)
    for name, chain in recursion.chains.items():
        inner = replace(recursion.scopes[name], order=chain.axes, start={}, slots=recursion.slots, reader=reader)
        scan.lines.append((now[name], lower_along(recursion.formulas[name], chain.axes, inner).code))
    return scan


def _length(writer: Writer, recursion: Recursion) -> str:
    """Return the code for the number of times; empty where an input has that length."""
    return "" if recursion.inputs else writer.size(recursion.time)


__all__ = ["Recursion", "build_scan", "read_recursion", "reads", "write_recursion"]
