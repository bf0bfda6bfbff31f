"""Store scan carries with their short axis first, so that matrix products run over the long one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.indexing import lower_element
from symaux.codegen.lower.scope import Reader, Scope
from symaux.codegen.lower.tangent import outermost_sums
from symaux.codegen.recursion.axis_order import axis_permutation, short_plates
from symaux.codegen.recursion.chains import Chain
from symaux.formulas.symbols.indices import is_gather, name_of, references
from symaux.model.statements import reads


def with_short_axes_first(writer: Writer, chains: dict[str, Chain]) -> dict[str, Chain]:
    """Return the chains with short axes first, where that makes the matrix products of a step faster."""
    if not writer.differentiable or writer.recursions not in ("scan", "unrolled"):
        return chains
    axes, short = writer.model.axes, frozenset[str]()
    for name in chains:
        formula = writer.simplify(writer.model.nodes[name].general.formula)
        plates = short_plates(formula, chains, axes)
        if not plates and any(name_of(r) in chains for part in outermost_sums(formula) for r in references(part)):
            return chains
        short |= plates
    transposed = {
        name: replace(chain, permutation=axis_permutation(chain.axes, short, axes)) for name, chain in chains.items()
    }
    writer.transposed.update(name for name, chain in transposed.items() if chain.permutation)
    return transposed


def transposed_reader(writer: Writer, chains: dict[str, Chain]) -> Reader | None:
    """Write a transpose of each array that has the axes of a transposed chain; return a reader of elements from them."""
    axes, transposes = writer.model.axes, {}
    for chain in (chain for chain in chains.values() if chain.permutation):
        elements = [r for statement in chain.node.statements for r in reads(statement)]
        alike = {r.name for r in elements if axes.of_array(r.name) == axes.of_array(chain.name)}
        gathered = {r.name for r in elements if any(map(is_gather, r.indices))}
        for name in sorted(alike - gathered - {*chains, *transposes}):
            transposes[name] = (writer.fresh(f"{writer.names[name]}_turned"), chain.storage_order)
            writer.append_line(f"{transposes[name][0]} = jnp.transpose({writer.names[name]}, {chain.storage_order})")

    def reader(element: Any, scope: Scope) -> Piece | None:
        if not isinstance(element, Indexed) or name_of(element) not in transposes:
            return None
        (code, order) = transposes[name_of(element)]
        array: Any = sp.IndexedBase(name_of(element))
        transposed = array[tuple(element.indices[place] for place in order)]
        return lower_element(transposed, replace(scope, names={name_of(element): code}, reader=None), None)

    return reader if transposes else None
