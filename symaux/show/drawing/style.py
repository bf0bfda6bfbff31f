"""Define colours and strokes in one table for all formats.

The focus is filled dark and its blanket wears a broad ring, so both are seen in grey too, and by the colour-blind (the
palette is Okabe and Ito's); the grey of observed variables stays visible under either.
"""

from __future__ import annotations

from dataclasses import dataclass

from symaux.show.drawing.diagram import Vertex

INK, GREY, PLATE = "#1a1a1a", "#c9c9c9", "#6b6b6b"
BLUE, ORANGE, TINT = "#0072b2", "#e69f00", "#fdf0d3"
WHITE, SKY = "#ffffff", "#56b4e9"


@dataclass(frozen=True)
class Style:
    """The paint of a vertex; ``ring`` lies around the outline, ``core`` is a smaller shape inside."""

    fill: str
    text: str = INK
    ring: str | None = None
    core: str | None = None


def style(vertex: Vertex) -> Style:
    """Return the paint of a vertex.

    >>> from symaux.show.drawing.labels import label
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
            return Style(shade(vertex.weight), INK, BLUE)
        case "blanket":
            plain = TINT if vertex.weight is None else shade(vertex.weight)
            return Style(GREY if observed else INK if small else plain, INK, ORANGE)
    return Style(INK if small else GREY if observed else shade(vertex.weight))


def shade(weight: float | None) -> str:
    """Return a fill: white for the original form, darker the further a variable was rewritten; ink stays legible on all.

    >>> shade(None), shade(1.0), shade(0.0), shade(0.5)
    ('#ffffff', '#ffffff', '#56b4e9', '#aadaf4')
    """
    share = 0.0 if weight is None else 1.0 - min(max(weight, 0.0), 1.0)
    ends = [(int(WHITE[k : k + 2], 16), int(SKY[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in ends)
