r"""An affine recursion as a prefix sum: $z_t = a_t z_{t-1} + b_t$ by ``lax.associative_scan``, in $\log T$ rounds.

Two steps are one: $(a_2, b_2) \circ (a_1, b_1) = (a_2 a_1,\ a_2 b_1 + b_2)$. It pays where many units work side by side, as on
an accelerator, and is written when the caller asks for it; recursions that are not affine element by element stay scans.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.broadcast import evaluated
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.tangent import leaves, slopes, sums
from symaux.codegen.recursion.scan import Recursion
from symaux.codegen.recursion.scan_text import joined
from symaux.formulas.symbols.indices import indices_of, lag, name_of, references


def affine(found: Recursion) -> tuple[Any, Any] | None:
    """(a, b) for a single chain that is $a z_{t-1} + b$ at the same plates; None for everything else.

    The formula is in terms of slots, so a and b may depend on time.
    """
    if len(found.chains) != 1 or found.first != 1:
        return None
    ((name, chain),) = found.chains.items()
    formula = found.formulas[name]
    read = [leaf for leaf in leaves(formula) if name_of(leaf) == name]
    if len(read) != 1 or any(name_of(r) == name for s in sums(formula) for r in references(s)):
        return None
    (before,) = read
    if not isinstance(before, Indexed) or not _is_step_back(before, chain.node):
        return None
    slope = slopes(formula).get(before, sp.S.Zero)
    if slope.has(before):
        return None
    return slope, formula.xreplace({before: sp.S.Zero})


def _is_step_back(before: Any, node: Any) -> bool:
    """Return whether an element is the one before, at the same plates."""
    own = indices_of(node.general.target)
    shifts = [lag(i) for i in before.indices]
    expected = [(i, 1 if position == node.axis else 0) for position, i in enumerate(own)]
    return shifts == expected


def in_parallel(writer: Writer, found: Recursion) -> bool:
    """Writes an affine recursion as an associative scan; False where it is not one."""
    parts = affine(found)
    if parts is None:
        return False
    ((name, chain),) = found.chains.items()
    code, order = writer.names[name], (found.time, *chain.axes)
    held = {}
    arrays = dict(found.inputs)
    for symbol, piece in found.slots.items():
        timed = piece.code in arrays
        held[symbol] = replace(piece, axes=(found.time, *piece.axes)) if timed else piece
    for step, array in found.inputs:
        writer.say(f"{step} = {array}")
    scope = replace(found.scopes[name], order=order, slots=held)
    factor, shift = (writer.fresh(f"{code}_{part}") for part in ("factor", "shift"))
    writer.say(f"{factor} = {evaluated(parts[0], order, scope, lower).code}")
    writer.say(f"{shift} = {evaluated(parts[1], order, scope, lower).code}")
    writer.helpers.add("affine_steps")
    rest = writer.fresh(f"{code}_rest")
    writer.say(f"{rest} = affine_steps({found.before(name)[0]}, {factor}, {shift})")
    writer.say(f"{code} = {joined(found.before(name), rest, chain.node.axis or 0)}")
    return True
