r"""Write an affine recursion as a prefix sum: $z_t = a_t z_{t-1} + b_t$ by ``lax.associative_scan``, in $\log T$ rounds.

Two steps compose to one: $(a_2, b_2) \circ (a_1, b_1) = (a_2 a_1,\ a_2 b_1 + b_2)$. It pays where many units work in parallel,
as on an accelerator, and is written when the caller asks for it; recursions not affine element by element stay scans.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.broadcast import lower_broadcast
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.tangent import leaves, outermost_sums, partial_derivatives
from symaux.codegen.recursion.scan import Recursion
from symaux.codegen.recursion.scan_text import concatenate_code
from symaux.formulas.symbols.indices import as_lag, indices_of, name_of, references


def affine_parts(recursion: Recursion) -> tuple[Any, Any] | None:
    """Return (a, b) of a single chain that is $a z_{t-1} + b$ at the same plates; None for everything else.

    The formula is in terms of slots, so a and b may depend on time.
    """
    if len(recursion.chains) != 1 or recursion.first != 1:
        return None
    ((name, chain),) = recursion.chains.items()
    formula = recursion.formulas[name]
    read = [leaf for leaf in leaves(formula) if name_of(leaf) == name]
    if len(read) != 1 or any(name_of(r) == name for s in outermost_sums(formula) for r in references(s)):
        return None
    (before,) = read
    if not isinstance(before, Indexed) or not _is_step_back(before, chain.node):
        return None
    slope = partial_derivatives(formula).get(before, sp.S.Zero)
    if slope.has(before):
        return None
    return slope, formula.xreplace({before: sp.S.Zero})


def _is_step_back(before: Any, node: Any) -> bool:
    """Return whether an element is that of the time before, at the same plates."""
    own = indices_of(node.general.target)
    shifts = [as_lag(i) for i in before.indices]
    expected = [(i, 1 if position == node.axis else 0) for position, i in enumerate(own)]
    return shifts == expected


def write_associative_scan(writer: Writer, recursion: Recursion) -> bool:
    """Write an affine recursion as an associative scan; return False where it is not affine."""
    parts = affine_parts(recursion)
    if parts is None:
        return False
    ((name, chain),) = recursion.chains.items()
    code, order = writer.names[name], (recursion.time, *chain.axes)
    held = {}
    arrays = dict(recursion.inputs)
    for symbol, piece in recursion.slots.items():
        timed = piece.code in arrays
        held[symbol] = replace(piece, axes=(recursion.time, *piece.axes)) if timed else piece
    for step, array in recursion.inputs:
        writer.append_line(f"{step} = {array}")
    scope = replace(recursion.scopes[name], order=order, slots=held)
    factor, shift = (writer.fresh(f"{code}_{part}") for part in ("factor", "shift"))
    writer.append_line(f"{factor} = {lower_broadcast(parts[0], order, scope, lower).code}")
    writer.append_line(f"{shift} = {lower_broadcast(parts[1], order, scope, lower).code}")
    writer.helpers.add("affine_steps")
    rest = writer.fresh(f"{code}_rest")
    writer.append_line(f"{rest} = affine_steps({recursion.before(name)[0]}, {factor}, {shift})")
    writer.append_line(f"{code} = {concatenate_code(recursion.before(name), rest, chain.node.axis or 0)}")
    return True
