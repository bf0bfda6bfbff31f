"""Combine pieces of generated code, expressions with the plates along their axes, by broadcasting.

>>> add([Piece("mu", ("n",)), Piece("b", ("i",))], ("n", "i")).code
'mu[:, None] + b'
>>> multiply([Piece("a + b", (), SUM), Piece("c", ())], ()).code
'(a + b) * c'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

ATOM, UNARY, PRODUCT, SUM, COMPARISON = 5, 4, 3, 2, 1  # Python's operator precedence
Axes = tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """Code, the plates along its axes, and how tightly it binds."""

    code: str
    axes: Axes = ()
    binds: int = ATOM

    def tight(self, level: int) -> str:
        """Return the code, in parentheses unless it binds at least as tightly as ``level``."""
        return self.code if self.binds >= level else f"({self.code})"


def union_axes(pieces: Iterable[Piece], order: Sequence[str]) -> Axes:
    """Return all axes of the pieces, in the order of ``order``."""
    present = {axis for piece in pieces for axis in piece.axes}
    return tuple(axis for axis in order if axis in present)


def align(piece: Piece, axes: Axes, *, full: bool = False) -> Piece:
    """Return the piece with its axes in the order of ``axes`` and new axes where it has none, so that it broadcasts."""
    present = tuple(axis for axis in axes if axis in piece.axes)
    assert len(present) == len(piece.axes), f"{piece} has axes that are not among {axes}"
    if present != piece.axes:
        permutation = tuple(piece.axes.index(axis) for axis in present)
        code = f"{piece.tight(ATOM)}.T" if permutation == (1, 0) else f"jnp.transpose({piece.code}, {permutation})"
        piece = Piece(code, present)
    if not present:
        return piece
    wanted = axes if full else axes[axes.index(present[0]) :]
    if wanted == present:
        return piece
    marks = [":" if axis in present else "None" for axis in wanted]
    while marks[-1] == ":" and not full and len(marks) > 1 and "None" in marks[:-1]:
        marks.pop()
    return Piece(f"{piece.tight(ATOM)}[{', '.join(marks)}]", wanted)


def add(pieces: Sequence[Piece], order: Sequence[str]) -> Piece:
    """Return the sum of pieces; a term that starts with a minus sign is subtracted."""
    axes = union_axes(pieces, order)
    terms = [align(piece, axes) for piece in pieces]
    lead = next((t for t in terms if not t.code.startswith("-")), terms[0])  # y - mu reads better than -mu + y
    terms = [lead, *(t for t in terms if t is not lead)]
    code = terms[0].tight(SUM)
    for term in terms[1:]:
        text = term.tight(PRODUCT)
        code += f" - {text[1:].lstrip()}" if text.startswith("-") else f" + {text}"
    return Piece(code, axes, SUM if len(terms) > 1 else terms[0].binds)


def multiply(pieces: Sequence[Piece], order: Sequence[str], over: Sequence[Piece] = ()) -> Piece:
    """Return the product of pieces, divided by those in ``over``."""
    axes = union_axes([*pieces, *over], order)
    above = [align(piece, axes) for piece in pieces]
    below = [align(piece, axes) for piece in over]
    code = " * ".join([above[0].tight(PRODUCT), *(p.tight(UNARY) for p in above[1:])]) if above else "1"
    if below:
        under = multiply(below, order).tight(ATOM) if len(below) > 1 else below[0].tight(ATOM)
        code = f"{code} / {under}"
    elif len(above) == 1:
        return replace(above[0], axes=axes)
    return Piece(code, axes, PRODUCT)


def negate(piece: Piece) -> Piece:
    """Return minus the piece."""
    return Piece(f"-{piece.tight(PRODUCT)}", piece.axes, PRODUCT)


def call(template: str, arguments: Sequence[Piece], order: Sequence[str]) -> Piece:
    """Return the template of a function filled with its arguments, which broadcast."""
    axes = union_axes(arguments, order)
    filled = template.format(*(align(a, axes).tight(SUM if "{0} " in template else COMPARISON) for a in arguments))
    binds = PRODUCT if template.startswith("1 /") else ATOM
    return Piece(filled, axes, binds)
