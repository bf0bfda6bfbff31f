"""Colours and strokes, one table for all formats.

The focus is filled dark and its blanket wears a broad ring, so both are seen in grey too, and by the colour-blind (the
palette is Okabe and Ito's); the grey of observed variables stays visible under either.
"""

from __future__ import annotations

from dataclasses import dataclass

from symaux.drawing.diagram import Vertex

INK, GREY, PLATE = "#1a1a1a", "#c9c9c9", "#6b6b6b"
BLUE, ORANGE, TINT = "#0072b2", "#e69f00", "#fdf0d3"


@dataclass(frozen=True)
class Style:
    """How a vertex is painted; ``ring`` lies around the outline, ``core`` is a smaller shape inside."""

    fill: str
    text: str = INK
    ring: str | None = None
    core: str | None = None


def style(vertex: Vertex) -> Style:
    """The paint of a vertex.

    >>> from symaux.drawing.labels import label
    >>> style(Vertex("x", "observed", label("x"))).fill == GREY
    True
    """
    observed, small = vertex.kind == "observed", vertex.kind in ("input", "factor")
    match vertex.role:
        case "focus":
            if small:
                return Style(BLUE, INK, BLUE)
            return Style(GREY, "#ffffff", BLUE, BLUE) if observed else Style(BLUE, "#ffffff", BLUE)
        case "image":
            return Style("#ffffff", INK, BLUE)
        case "blanket":
            return Style(GREY if observed else INK if small else TINT, INK, ORANGE)
    return Style(INK if small else GREY if observed else "#ffffff")
