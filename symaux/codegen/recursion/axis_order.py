r"""Order axes so that matrix products run over the long one: $W^\top Z$ with $Z$ of shape (10, 100), not $Z W$ with (100, 10).

A chain over time whose steps multiply a short axis, as in $\sum_k W_{ki} z_{t-1,nk}$, is stored with that axis first and its
other plates last: then the innermost loops of products, functions and sums run over the long axis, and vectorise.
Outside the scan, every array has the axes that the model gives it; XLA cancels adjacent transposes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp

from symaux.codegen.lower.array_code import PRODUCT, Piece, align
from symaux.codegen.lower.tangent import outermost_sums
from symaux.codegen.recursion.scan_text import ScanText
from symaux.formulas.symbols.indices import free_plates, label, name_of, references
from symaux.model.axes import Axes

WIDEST = (
    16  # measured: faster up to 16 for any number of series; at 32 it depends on that number, from 64 on it is slower
)


def short_plates(formula: Any, chains: Iterable[str], axes: Axes) -> frozenset[str]:
    """Return the plates of the short matrices that multiply the chains; none if any product is of another kind."""
    found: set[str] = set()
    for part in outermost_sums(formula):
        if any(name_of(r) in chains for r in references(part)):
            short = _short_sides(part, chains, axes)
            if not short:
                return frozenset()
            found |= short
    return frozenset(found)


def _short_sides(part: Any, chains: Iterable[str], axes: Axes) -> set[str]:
    """Return the plates of $W$ in $\\sum_k W_{ki} z_{nk}$, if $W$ is a matrix with short sides and z has other plates."""
    factors = [f for f in sp.Mul.make_args(part.function) if not f.is_number]
    if len(part.limits) != 1 or len(factors) != 2:
        return set()
    moving = [any(name_of(r) in chains for r in references(f)) for f in factors]
    if sum(moving) != 1:
        return set()
    values, weights = factors if moving[0] else reversed(factors)
    beside, sides = ({label(p) for p in free_plates(f)} for f in (values, weights))
    over = {label(part.limits[0][0])}
    groups = {axes.group.get(side, side) for side in sides}
    long = {axes.group.get(side, side) for side in beside - over}
    short = all(axes.lengths.get(group, WIDEST + 1) <= WIDEST for group in groups)
    alone = over <= sides and over <= beside and len(sides) == 2 and not groups & long
    return sides if alone and short and len(beside) > 1 else set()


def axis_permutation(plates: tuple[str, ...], short: frozenset[str], axes: Axes) -> tuple[int, ...]:
    """Return the order in which axes are stored, short ones first; empty if that is the order they have.

    >>> none = Axes({}, {}, {})
    >>> axis_permutation(("n", "i"), frozenset("i"), none), axis_permutation(("i", "n"), frozenset("i"), none)
    ((1, 0), ())
    """
    groups = {axes.group.get(side, side) for side in short}
    unchanged = tuple(range(len(plates)))
    order = tuple(sorted(unchanged, key=lambda place: axes.group.get(plates[place], plates[place]) not in groups))
    return () if order == unchanged else order


Product = Callable[[list[Piece], tuple[str, ...], tuple[str, ...]], Piece | None]


def batched_matmul(use: Callable[[str], None]) -> Product:
    """Return a writer of matrix products for all times at once, with the axes that are not summed flattened into one."""

    def product(pieces: list[Piece], over: tuple[str, ...], out: tuple[str, ...]) -> Piece | None:
        sides = _sides(sorted(pieces, key=lambda p: len(p.axes)), over)
        if sides is None:
            return None
        use("contracted")
        rest = [tuple(a for a in out if a in p.axes) for p in sides]
        left, right = (align(p, (*over, *beside)).code for p, beside in zip(sides, rest, strict=True))
        return Piece(f"contracted({left}, {right})", rest[0] + rest[1])

    return product


def scan_matmul(scan: ScanText, fresh: Callable[[str], str]) -> Product:
    """Return a writer of matrix products in a step of a scan; a matrix that all steps share is transposed before the scan."""

    def product(pieces: list[Piece], over: tuple[str, ...], out: tuple[str, ...]) -> Piece | None:
        sides = _sides(sorted(pieces, key=lambda p: out[0] not in p.axes), over)
        if (
            sides is None
            or len(out) != 2
            or not sides[0].code.isidentifier()
            or sides[0].code in scan.step_identifiers()
        ):
            return None
        left, right = align(sides[0], (out[0], *over)).code, align(sides[1], (*over, out[1])).code
        known = {line: code for code, line in scan.before}
        if left not in known and not left.isidentifier():
            known[left] = fresh(f"{sides[0].code}_turned")
            scan.before.append((known[left], left))
        return Piece(f"{known.get(left, left)} @ {right}", out, PRODUCT)

    return product


def _sides(pieces: list[Piece], over: tuple[str, ...]) -> tuple[Piece, Piece] | None:
    """Return two factors that share only the one summed axis, each with further axes; None for other products."""
    if len(pieces) != 2 or len(over) != 1 or set(pieces[0].axes) & set(pieces[1].axes) != set(over):
        return None
    return (pieces[0], pieces[1]) if all(len(p.axes) > 1 for p in pieces) else None
