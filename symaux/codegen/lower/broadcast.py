"""A value along given axes: repeated along those that its formula does not depend on."""

from __future__ import annotations

from typing import Any

from symaux.codegen.lower.arithmetic import is_constant
from symaux.codegen.lower.array_code import Piece, aligned
from symaux.codegen.lower.scope import Lower, Scope


def evaluated(formula: Any, axes: tuple[str, ...], scope: Scope, lower: Lower) -> Piece:
    """Return the value of a formula along the given axes; a mere number becomes an array, since others may index it."""
    piece = Piece(f"jnp.asarray({float(formula)!r})") if is_constant(formula) else lower(formula, scope)
    return aligned(broadcast(piece, axes, scope), axes)


def broadcast(piece: Piece, axes: tuple[str, ...], scope: Scope) -> Piece:
    """Return the piece with at least the given axes, repeated along those that it lacks."""
    missing = [axis for axis in axes if axis not in piece.axes]
    if not missing:
        return piece
    wanted = tuple(a for a in scope.order if a in piece.axes or a in axes)
    shape = ", ".join(scope.length(axis) for axis in wanted)
    code = aligned(piece, wanted).code
    return Piece(f"jnp.broadcast_to({code}, ({shape}{',' if len(wanted) == 1 else ''}))", wanted)
