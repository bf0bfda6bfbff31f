r"""Narrow products with the long axis last: $W^\top Z$ with $Z$ of shape (10, 100), not $Z W$ with (100, 10).

A chain over time whose steps multiply a short axis, as in $\sum_k W_{ki} z_{t-1,nk}$, is held with that axis first and its
other plates last: then the innermost loops of products, of functions and of sums run over the long axis, and are vectors.
Outside, every array has the axes that the model gives it; XLA cancels the transposes that meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp

from symaux.codegen.lower.array_code import PRODUCT, Piece, aligned
from symaux.codegen.lower.tangent import sums
from symaux.codegen.recursion.scan_text import Walk
from symaux.formulas.symbols.indices import free_plates, label, name_of, references
from symaux.model.axes import Axes

WIDEST = 16  # measured: ahead for any number of series; of 32 it depends on them, and from 64 on it is behind


def rows(formula: Any, chains: Iterable[str], axes: Axes) -> frozenset[str]:
    """Return the plates along the short sides of what multiplies the chains; none where a product is of another
    kind."""
    found: set[str] = set()
    for part in sums(formula):
        if any(name_of(r) in chains for r in references(part)):
            short = _short_sides(part, chains, axes)
            if not short:
                return frozenset()
            found |= short
    return frozenset(found)


def _short_sides(part: Any, chains: Iterable[str], axes: Axes) -> set[str]:
    """Return the plates of $W$ in $\\sum_k W_{ki} z_{nk}$, if $W$ is a matrix with short sides and z has other
    plates."""
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


def turn(plates: tuple[str, ...], short: frozenset[str], axes: Axes) -> tuple[int, ...]:
    """Return the order in which axes are held, short ones first; empty if that is the order they have.

    >>> turn(("n", "i"), frozenset("i"), Axes({}, {}, {})), turn(("i", "n"), frozenset("i"), Axes({}, {}, {}))
    ((1, 0), ())
    """
    groups = {axes.group.get(side, side) for side in short}
    kept = tuple(range(len(plates)))
    order = tuple(sorted(kept, key=lambda place: axes.group.get(plates[place], plates[place]) not in groups))
    return () if order == kept else order


Product = Callable[[list[Piece], tuple[str, ...], tuple[str, ...]], Piece | None]


def flat(use: Callable[[str], None]) -> Product:
    """Return a product of matrices for all times at once: the axes beside the sum as one."""

    def product(pieces: list[Piece], over: tuple[str, ...], out: tuple[str, ...]) -> Piece | None:
        sides = _sides(sorted(pieces, key=lambda p: len(p.axes)), over)
        if sides is None:
            return None
        use("contracted")
        rest = [tuple(a for a in out if a in p.axes) for p in sides]
        left, right = (aligned(p, (*over, *beside)).code for p, beside in zip(sides, rest, strict=True))
        return Piece(f"contracted({left}, {right})", rest[0] + rest[1])

    return product


def in_a_step(walk: Walk, fresh: Callable[[str], str]) -> Product:
    """Return a product of matrices in a step of a scan: the one that all steps share is transposed before."""

    def product(pieces: list[Piece], over: tuple[str, ...], out: tuple[str, ...]) -> Piece | None:
        sides = _sides(sorted(pieces, key=lambda p: out[0] not in p.axes), over)
        if sides is None or len(out) != 2 or not sides[0].code.isidentifier() or sides[0].code in walk.own():
            return None
        left, right = aligned(sides[0], (out[0], *over)).code, aligned(sides[1], (*over, out[1])).code
        known = {line: code for code, line in walk.before}
        if left not in known and not left.isidentifier():
            known[left] = fresh(f"{sides[0].code}_turned")
            walk.before.append((known[left], left))
        return Piece(f"{known.get(left, left)} @ {right}", out, PRODUCT)

    return product


def _sides(pieces: list[Piece], over: tuple[str, ...]) -> tuple[Piece, Piece] | None:
    """Return two factors that have nothing in common but the one axis that is summed, each with axes of its own."""
    if len(pieces) != 2 or len(over) != 1 or set(pieces[0].axes) & set(pieces[1].axes) != set(over):
        return None
    return (pieces[0], pieces[1]) if all(len(p.axes) > 1 for p in pieces) else None
