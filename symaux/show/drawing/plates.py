"""Draw plates as rectangles around their members, from the positions themselves, so that overlaps are drawn correctly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symaux.show.drawing.arrows import Curve, point_at
from symaux.show.drawing.labels import text_width
from symaux.show.drawing.outlines import Shape, label_width

PAD, STEP = 11.0, 8.0  # around the members, and more for each plate that would share the border
LINE = 15.0  # the height of a plate's text, at the bottom
FONT = 12.0


@dataclass(frozen=True)
class Box:
    """A plate's rectangle and its text, which is at the right or, if arrows pass there, at the left."""

    plate: str
    text: str
    x: float
    y: float
    w: float
    h: float
    right: bool = True

    @property
    def text_x(self) -> float:
        return self.x + self.w - 6.0 if self.right else self.x + 6.0


@dataclass(frozen=True)
class _Extent:
    left: float
    top: float
    right: float
    bottom: float


def boxes(plates: Mapping[str, str], shapes: Sequence[Shape], curves: Sequence[Curve]) -> list[Box]:
    """Return the rectangles of all plates, the largest first."""
    members = {p: [s for s in shapes if p in s.vertex.plates] for p in plates}
    order = sorted((p for p in plates if members[p]), key=lambda p: (len(members[p]), p))
    loops = {c.arrow.tail: c for c in curves if c.arrow.tail == c.arrow.head}
    extents = {p: _extent([_room(s, loops.get(s.vertex.name)) for s in members[p]]) for p in order}
    passing = [point_at(piece, k / 12) for c in curves for piece in c.pieces for k in range(13)]
    made = [_box(p, plates[p], extents[p], [extents[q] for q in order[: order.index(p)]], passing) for p in order]
    return made[::-1]


def _room(s: Shape, loop: Curve | None) -> _Extent:
    """Return the room of a member, with the label above an input and the loop of a lag."""
    half = max(s.w, label_width(s.vertex.label, s.font) if s.vertex.kind == "input" else 0.0) / 2
    above = s.h / 2 + (s.font + 2 if s.vertex.kind == "input" else 0.0)
    ends = [loop.text_at[0] - 14.0, loop.text_at[0] + 14.0] if loop else []
    return _Extent(min(s.x - half, *ends, s.x), s.y - above, max(s.x + half, *ends, s.x), s.y + s.h / 2)


def _extent(rooms: Sequence[_Extent]) -> _Extent:
    return _Extent(
        min(r.left for r in rooms), min(r.top for r in rooms), max(r.right for r in rooms), max(r.bottom for r in rooms)
    )


def _box(plate: str, text: str, extent: _Extent, smaller: Sequence[_Extent], passing: Sequence[tuple]) -> Box:
    """Return a plate's rectangle; each side is moved out once for every smaller plate that has its border there."""
    near = [e for e in smaller if e.left <= extent.right and extent.left <= e.right]
    near = [e for e in near if e.top <= extent.bottom and extent.top <= e.bottom]

    def pad(side: str, step: float) -> float:
        return PAD + step * sum(abs(getattr(e, side) - getattr(extent, side)) < PAD for e in near)

    left, top = extent.left - pad("left", STEP), extent.top - pad("top", STEP)
    right, bottom = extent.right + pad("right", STEP), extent.bottom + pad("bottom", LINE + 2) + LINE - 5
    lacking = max(0.0, text_width(text, FONT) + 10.0 - (right - left)) / 2
    left, right = left - lacking, right + lacking
    crossed = [_crossed(passing, side, bottom, text_width(text, FONT) + 6.0) for side in (right - 1.0, left + 1.0)]
    return Box(plate, text, left, top, right - left, bottom - top, right=crossed[0] <= crossed[1])


def _crossed(passing: Sequence[tuple], side: float, bottom: float, wide: float) -> int:
    """Return how many points of arrows fall on the place of the text."""
    return sum(abs(x - side) < wide and bottom - LINE < y < bottom for x, y in passing)
