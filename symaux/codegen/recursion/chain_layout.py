"""Which chains over time are held with their short axes first, and how what they are made of is read then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.indexing import read
from symaux.codegen.lower.scope import Reader, Scope
from symaux.codegen.lower.tangent import sums
from symaux.codegen.recursion.axis_order import rows, turn
from symaux.codegen.recursion.chains import Chain
from symaux.formulas.symbols.indices import is_gather, name_of, references
from symaux.model.statements import reads


def turned_chains(writer: Writer, chains: dict[str, Chain]) -> dict[str, Chain]:
    """Return the chains with short axes first, where that makes the products of a step faster."""
    if not writer.differentiable or writer.recursions not in ("scan", "unrolled"):
        return chains
    axes, short = writer.model.axes, frozenset[str]()
    for name in chains:
        formula = writer.simplify(writer.model.nodes[name].general.formula)
        found = rows(formula, chains, axes)
        if not found and any(name_of(r) in chains for part in sums(formula) for r in references(part)):
            return chains
        short |= found
    made = {name: replace(chain, turn=turn(chain.axes, short, axes)) for name, chain in chains.items()}
    writer.turned.update(name for name, chain in made.items() if chain.turn)
    return made


def turned_arrays(writer: Writer, chains: dict[str, Chain]) -> Reader | None:
    """Reads arrays with the axes of a turned chain from transposes, which are written here, one for each array."""
    axes, found = writer.model.axes, {}
    for chain in (chain for chain in chains.values() if chain.turn):
        elements = [r for statement in chain.node.statements for r in reads(statement)]
        alike = {r.name for r in elements if axes.of_array(r.name) == axes.of_array(chain.name)}
        gathered = {r.name for r in elements if any(map(is_gather, r.indices))}
        for name in sorted(alike - gathered - {*chains, *found}):
            found[name] = (writer.fresh(f"{writer.names[name]}_turned"), chain.held)
            writer.say(f"{found[name][0]} = jnp.transpose({writer.names[name]}, {chain.held})")

    def reader(element: Any, scope: Scope) -> Piece | None:
        if not isinstance(element, Indexed) or name_of(element) not in found:
            return None
        (code, held) = found[name_of(element)]
        array: Any = sp.IndexedBase(name_of(element))
        turned = array[tuple(element.indices[place] for place in held)]
        return read(turned, replace(scope, names={name_of(element): code}, reader=None), None)

    return reader if found else None
