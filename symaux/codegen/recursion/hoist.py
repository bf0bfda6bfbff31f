"""Move out of a scan everything that does not depend on its carry: it is computed for all times at once."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.writer import Writer, slot_for
from symaux.codegen.lower.array_code import Piece, align
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.recursion.chains import Chain
from symaux.formulas.symbols.indices import bound_plates, free_plates, label, name_of, references


def hoist(
    formula: Any,
    chain: Chain,
    members: dict[str, Chain],
    outer: Scope,
    writer: Writer,
    slots: dict[Any, Piece],
    inputs: list[Any],
) -> Any:
    """Write everything in a formula that is free of the chains before the scan; return it with slots in their place."""
    if isinstance(formula, sp.Expr) and not any(name_of(r) in members for r in references(formula)):
        return _slot(formula, chain, outer, writer, slots, inputs)
    if isinstance(formula, Indexed) or not formula.args:
        return formula
    if isinstance(formula, sp.Add | sp.Mul):
        free = [a for a in formula.args if not any(name_of(r) in members for r in references(a))]
        rest = [hoist(a, chain, members, outer, writer, slots, inputs) for a in formula.args if a not in free]
        known = formula.func(*free)
        return formula.func(_slot(known, chain, outer, writer, slots, inputs) if free else known, *rest)
    bound = bound_plates(formula)
    if bound:
        inner = outer.within(*bound)
        head, *limits = formula.args
        return formula.func(hoist(head, chain, members, inner, writer, slots, inputs), *limits)
    return formula.func(*(hoist(a, chain, members, outer, writer, slots, inputs) for a in formula.args))


def _slot(formula: Any, chain: Chain, outer: Scope, writer: Writer, slots: dict[Any, Piece], inputs: list[Any]) -> Any:
    """Write a value before the scan, or take it as an input of each step; return the symbol that stands for it.

    An array over time that is only scaled is passed as it is: a step scales its part of it at no cost.
    """
    timed = [f for f in sp.Mul.make_args(formula) if chain.time in free_plates(f)]
    if len(timed) == 1 and timed[0] != formula and isinstance(timed[0], Indexed):
        parts = (formula / timed[0], timed[0])
        return sp.Mul(*(_slot(part, chain, outer, writer, slots, inputs) for part in parts))
    over_time = chain.time in free_plates(formula)
    if formula.is_number or (not over_time and (formula.is_Atom or isinstance(formula, Indexed))):
        return formula
    piece = lower(formula, outer)
    time = label(chain.time)
    axes = tuple(axis for axis in piece.axes if axis != time)
    if chain.permutation:
        axes = tuple(axis for axis in outer.order if axis in axes)
    code = writer.fresh(f"{writer.names[chain.name]}_in")
    symbol = slot_for(formula, code, chain.time)
    if over_time:
        inputs.append((code, align(piece, (time, *axes)).code))
    else:
        writer.append_line(f"{code} = {align(piece, axes).code if axes else piece.code}")
    slots[symbol] = Piece(code, axes)
    return symbol
