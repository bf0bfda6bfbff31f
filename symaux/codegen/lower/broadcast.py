"""Broadcast a value to given axes: repeat it along those that its formula does not depend on."""

from __future__ import annotations

from typing import Any

from symaux.codegen.lower.arithmetic import is_constant
from symaux.codegen.lower.array_code import Piece, align
from symaux.codegen.lower.scope import Lower, Scope


def lower_broadcast(formula: Any, axes: tuple[str, ...], scope: Scope, lower: Lower) -> Piece:
    """Return the code of a formula with exactly the given axes; a number becomes an array, since other code may index it."""
    piece = Piece(f"jnp.asarray({float(formula)!r})") if is_constant(formula) else lower(formula, scope)
    return align(broadcast(piece, axes, scope), axes)


def broadcast(piece: Piece, axes: tuple[str, ...], scope: Scope) -> Piece:
    """Return the piece with at least the given axes, repeated along the missing ones."""
    missing = [axis for axis in axes if axis not in piece.axes]
    if not missing:
        return piece
    wanted = tuple(a for a in scope.order if a in piece.axes or a in axes)
    shape = ", ".join(scope.length(axis) for axis in wanted)
    code = align(piece, wanted).code
    return Piece(f"jnp.broadcast_to({code}, ({shape}{',' if len(wanted) == 1 else ''}))", wanted)
