"""Lower an element of an array: plates become axes, lags slices, and index arrays gathers.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> z, t, i = arrays("z"), plate("t"), plate("i")
>>> scope = Scope({"z": "z"}, size=lambda p: f"size_{p}", order=("t", "i"), start={"t": 1})
>>> lower_element(z[t - 1, i], scope, None).code, lower_element(z[t, 0], scope, None).code
('z[:-1]', 'z[1:, 0]')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy.tensor.indexed import Indexed

from symaux.codegen.lower.array_code import ATOM, Piece, align, union_axes
from symaux.codegen.lower.scope import Lower, Scope
from symaux.formulas.symbols.indices import as_lag, is_gather, label, name_of


def lower_element(element: Indexed, scope: Scope, lower: Lower | None) -> Piece:
    """Return the code for ``z[t - 1, i]``, ``alpha[county[i]]``, ``W[i, i]`` or ``z[0]``."""
    if scope.reader and (piece := scope.reader(element, scope)):
        return piece
    array = scope.names[name_of(element)]
    indices: tuple[Any, ...] = element.indices
    gathers = [i for i in indices if is_gather(i)]
    if not gathers:
        return _slice_code(array, indices, scope)
    assert lower is not None
    found = {index: _integer_index(index, lower(index, scope), scope) for index in gathers}
    plates = [label(shift[0]) for i in indices if (shift := as_lag(i))]
    mixed = {axis for piece in found.values() for axis in piece.axes} & set(plates)
    if len(gathers) == 1 and not mixed and len(set(plates)) == len(plates):
        return _gather_code(array, element.indices, gathers[0], found[gathers[0]], scope)
    return _broadcast_gather(array, element.indices, found, scope)


def _integer_index(index: Any, piece: Piece, scope: Scope) -> Piece:
    """Return the code of an index as an integer: index arrays are integers, everything else is read as floats."""
    if index not in scope.slots and name_of(index) in scope.whole:
        return piece
    return Piece(f"{piece.tight(ATOM)}.astype(int)", piece.axes)


def _plate_and_lag(index: Any) -> tuple[Any, int]:
    """Return the plate and the lag of an index that is neither a number nor a gather."""
    shift = as_lag(index)
    assert shift is not None, index
    return shift


def _slice(index: Any, scope: Scope) -> str:
    if index.is_Integer:
        return str(int(index))
    plate, back = _plate_and_lag(index)
    first = scope.first(label(plate)) - back
    return f"{first or ''}:{f'-{back}' if back else ''}"


def _slice_code(array: str, indices: Sequence[Any], scope: Scope) -> Piece:
    marks = [_slice(index, scope) for index in indices]
    axes = tuple(label(shift[0]) for i in indices if (shift := as_lag(i)))
    while marks and marks[-1] == ":":
        marks.pop()
    code = f"{array}[{', '.join(marks)}]" if marks else array
    return _diagonal(code, axes) if len(set(axes)) < len(axes) else Piece(code, axes)


def _diagonal(code: str, axes: tuple[str, ...]) -> Piece:
    """Return the diagonal of an array that the same plate indexes twice, as in W[i, i]."""
    distinct = tuple(dict.fromkeys(axes))
    letters = {axis: chr(ord("a") + position) for position, axis in enumerate(distinct)}
    pattern = f"{''.join(letters[a] for a in axes)}->{''.join(letters[a] for a in distinct)}"
    return Piece(f"jnp.einsum({pattern!r}, {code})", distinct)


def _gather_code(array: str, indices: Sequence[Any], gather: Any, found: Piece, scope: Scope) -> Piece:
    """Return a single gather that shares no plate with another index: ordinary indexing puts its axes at its place."""
    fixed = [str(int(i)) if i.is_Integer else ":" for i in indices]
    while fixed and fixed[-1] == ":":
        fixed.pop()
    code = f"{array}[{', '.join(fixed)}]" if fixed else array
    left = [i for i in indices if not i.is_Integer]
    marks = [found.code if i == gather else _slice(i, scope) for i in left]
    while marks[-1] == ":":
        marks.pop()
    axes = tuple(a for i in left for a in (found.axes if i == gather else (label(_plate_and_lag(i)[0]),)))
    return Piece(f"{code}[{', '.join(marks)}]", axes)


def _broadcast_gather(array: str, indices: Sequence[Any], found: dict[Any, Piece], scope: Scope) -> Piece:
    """Return several gathers, or one that shares a plate with another index, as in p[i, y[i]], by broadcast index arrays."""
    pieces = [found[i] if i in found else _positions(i, scope) for i in indices]
    axes = union_axes(pieces, scope.order)
    return Piece(f"{array}[{', '.join(align(p, axes).code for p in pieces)}]", axes)


def _positions(index: Any, scope: Scope) -> Piece:
    if index.is_Integer:
        return Piece(str(int(index)))
    plate, back = _plate_and_lag(index)
    name = label(plate)
    first = scope.first(name) - back
    last = f"{scope.size(name)} - {back}" if back else scope.size(name)
    return Piece(f"jnp.arange({f'{first}, ' if first else ''}{last})", (name,))
