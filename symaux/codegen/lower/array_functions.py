"""Lower functions of whole arrays, such as a triangular solve or a softmax: their own plates are the last axes."""

from __future__ import annotations

from symaux.codegen.lower.array_code import Piece, align
from symaux.codegen.lower.broadcast import broadcast
from symaux.codegen.lower.scope import Lower, Scope
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import label


def lower_array_function(formula: ArrayFunction, scope: Scope, function: str, lower: Lower) -> Piece:
    """Return a call of a function of whole arrays; other plates are leading axes, over which it is vectorised."""
    inner = scope.within(*formula.plates)
    names = [label(plate) for plate in formula.plates]
    batch = tuple(axis for axis in inner.order if axis not in names)
    given = []
    for operand, positions in zip(formula.operands, formula.along, strict=True):
        core = tuple(names[p] for p in positions)
        piece = lower(operand, inner)
        missing = tuple(axis for axis in core if axis not in piece.axes)
        piece = broadcast(align(piece, tuple(a for a in inner.order if a in piece.axes)), missing, inner)
        given.append(align(piece, (*batch, *core)))
    scope.use(function)
    axes = tuple(a for a in batch if any(a in piece.axes for piece in given))
    arguments = ", ".join([*(piece.code for piece in given), *map(repr, formula.words)])
    return Piece(f"{function}({arguments})", (*axes, *map(label, formula.results)))
