"""Compute sizes and outlines: how large a vertex is for its label, and where an arrow meets it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from symaux.show.drawing.diagram import Vertex
from symaux.show.drawing.labels import Label, text_width

FONT, SMALLEST = 17.0, 11.0  # label sizes: shrunk a little first, then the shape grows
SUBSCRIPT = 0.68  # of the size of the label
CIRCLE, DIAMOND, DOT, SQUARE, ELLIPSIS = 38.0, 48.0, 7.0, 10.0, 26.0
Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A vertex with the position of its centre (y downwards), its size, and the size of its label."""

    vertex: Vertex
    x: float
    y: float
    w: float
    h: float
    font: float

    def radius(self, angle: float) -> float:
        """Return the distance of the outline from the centre in a direction."""
        across, along = abs(math.cos(angle)) / (self.w / 2), abs(math.sin(angle)) / (self.h / 2)
        match self.vertex.kind:
            case "deterministic":
                return 1 / (across + along)
            case "factor":
                return 1 / max(across, along)
            case _:
                return 1 / math.hypot(across, along)

    @property
    def border(self) -> float:
        """Return the width of the ring around a focus or a member of its blanket; arrows end outside it."""
        return 0.0 if not self.vertex.role else 6.0 if self.vertex.kind == "deterministic" else 4.6

    def contains(self, point: Point, margin: float = 0.0) -> bool:
        """Return whether a point lies inside the outline and its ring, grown by a margin."""
        dx, dy = point[0] - self.x, point[1] - self.y
        return math.hypot(dx, dy) < self.radius(math.atan2(dy, dx)) + self.border + margin


def label_width(label: Label, size: float) -> float:
    """Return the width of a label, its subscript included."""
    function = text_width(label.function + " ", size) if label.function else 0.0
    return function + text_width(label.head, size) + text_width(label.sub, size * SUBSCRIPT)


def shape(vertex: Vertex, x: float = 0.0, y: float = 0.0) -> Shape:
    """Return a vertex at a position, large enough for its label.

    >>> from symaux.show.drawing.labels import label
    >>> shape(Vertex("z", "latent", label("z"))).w, shape(Vertex("n", "latent", label("a_rather_long_name"))).w > 60
    (38.0, True)
    """
    match vertex.kind:
        case "input":
            return Shape(vertex, x, y, DOT, DOT, 14.0)
        case "factor":
            return Shape(vertex, x, y, SQUARE, SQUARE, 0.0)
        case "ellipsis":
            return Shape(vertex, x, y, ELLIPSIS, ELLIPSIS, FONT)
        case "deterministic":
            smallest, room = DIAMOND, 0.62 * DIAMOND
        case _:
            smallest, room = CIRCLE, 0.8 * CIRCLE
    font = FONT
    while font > SMALLEST and label_width(vertex.label, font) > room:
        font -= 1.0
    grown = smallest * max(1.0, label_width(vertex.label, font) / room)
    return Shape(vertex, x, y, round(grown, 1), smallest, font)


def footprint(vertex: Vertex) -> tuple[float, float]:
    """Return the room that a vertex takes in the layout; an input's label is above its dot."""
    made = shape(vertex)
    if vertex.kind == "input":
        return max(made.w, label_width(vertex.label, made.font)), 12.0
    return made.w, made.h
