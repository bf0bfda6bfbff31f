"""SciPy's continuous distributions as formulas with location and scale; ``rearrange`` hides their patterns.

``UNWRITTEN`` says of the others why they have no density that one can write down.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from corpus.entry import Entry, grid
from corpus.scipy_formulas import ROWS, UNWRITTEN, Row, x

PLACE, SCALE = [0, "-1.3", "4.2", "0.3", -10], [1, "2.5", "0.2", 12, "0.9"]
LOC, SIZE, Z = sp.Symbol("loc", real=True), sp.Symbol("scale", positive=True), sp.Symbol("z", real=True)

__all__ = ["ROWS", "UNWRITTEN", "entries", "located"]


def located(name: str, row: Row) -> Entry:
    """The law of z = loc + scale*x."""
    size = SIZE if row.scaled else sp.S.One
    scale = {"scale": SCALE} if row.scaled else {}
    shapes = {s.name: values for s, values in row.shapes.items()}

    def outside(end: Any) -> Any:
        return end if end in (sp.oo, -sp.oo) else LOC + size * end

    own = row.numeric

    def numeric(z: Any, loc: Any, scale: Any = 1, **rest: Any) -> Any:
        return own((z - loc) / scale, **rest) / scale  # type: ignore[misc]

    return Entry(
        name,
        Z,
        row.formula.xreplace({x: (Z - LOC) / size}) / size,
        (outside(row.lower), outside(row.upper)),
        grid(**shapes, loc=PLACE, **scale),
        row.conditions,
        tuple(outside(b) for b in row.breaks),
        numeric if own else None,
    )


def entries() -> list[Entry]:
    """All that have a density one can write down.

    >>> len(entries()) + len(UNWRITTEN)
    110
    """
    return [located(name, row) for name, row in sorted(ROWS.items())]
