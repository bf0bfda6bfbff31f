"""Route arrows as curves: straight where nothing is in the way, else by Graphviz or with a bend; clipped at the outlines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from symaux.show.drawing.diagram import Arrow
from symaux.show.drawing.outlines import Point, Shape

HEAD = 8.0  # the length of an arrow's head
CLEARANCE = 5.0  # points between an arrow and a shape that it passes
BENDS = (0.0, 22.0, -22.0, 40.0, -40.0, 64.0, -64.0, 90.0, -90.0)  # in points, tried in this order
Cubic = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Curve:
    """An arrow as cubic Bézier pieces; ``tip`` is where its head points, None if it has none."""

    arrow: Arrow
    pieces: tuple[Cubic, ...]
    tip: Point | None
    text_at: Point


def route(arrow: Arrow, shapes: dict[str, Shape], spline: list[Point] | None) -> Curve:
    """Return the curve of an arrow between two placed shapes."""
    tail, head = shapes[arrow.tail], shapes[arrow.head]
    if tail is head:
        return _loop(arrow, tail, [s for s in shapes.values() if s is not tail])
    others = [s for s in shapes.values() if s is not tail and s is not head]
    bends = BENDS[1:] if arrow.lagged else BENDS
    pieces = next(
        (p for bend in bends[: 1 if spline else None] if is_clear(p := _bent(tail, head, bend), others)), None
    )
    if pieces is None:
        pieces = _cubics(spline) if spline else _bent(tail, head, bends[0])
    return _clipped(arrow, pieces, tail, head)


def is_clear(pieces: Sequence[Cubic], others: Iterable[Shape]) -> bool:
    """Return whether a curve stays off the other shapes."""
    points = [point_at(piece, k / 10) for piece in pieces for k in range(11)]
    return not any(is_near(shape, points) for shape in others)


def is_near(shape: Shape, points: Sequence[Point]) -> bool:
    """Return whether a line through the points comes close to a shape."""
    reach = max(shape.w, shape.h) / 2 + CLEARANCE
    for (ax, ay), (bx, by) in pairwise(points):
        if min(ax, bx) - reach > shape.x or max(ax, bx) + reach < shape.x:
            continue
        if min(ay, by) - reach > shape.y or max(ay, by) + reach < shape.y:
            continue
        dx, dy = bx - ax, by - ay
        along = ((shape.x - ax) * dx + (shape.y - ay) * dy) / ((dx * dx + dy * dy) or 1.0)
        along = min(1.0, max(0.0, along))
        if shape.contains((ax + along * dx, ay + along * dy), CLEARANCE):
            return True
    return False


def point_at(piece: Cubic, t: float) -> Point:
    """Return a point of a cubic Bézier curve."""
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    return tuple(a * p + b * q + c * r + d * s for p, q, r, s in zip(*piece, strict=True))  # type: ignore[return-value]


def split(piece: Cubic, t: float) -> tuple[Cubic, Cubic]:
    """Split a cubic Bézier curve into two parts (de Casteljau).

    >>> split(((0, 0), (1, 0), (2, 0), (3, 0)), 0.5)[0]
    ((0, 0), (0.5, 0.0), (1.0, 0.0), (1.5, 0.0))
    """
    p, q, r, s = piece
    pq, qr, rs = interpolate(p, q, t), interpolate(q, r, t), interpolate(r, s, t)
    pqr, qrs = interpolate(pq, qr, t), interpolate(qr, rs, t)
    middle = interpolate(pqr, qrs, t)
    return (p, pq, pqr, middle), (middle, qrs, rs, s)


def interpolate(a: Point, b: Point, t: float) -> Point:
    """Return the point a fraction of the way from one point to another."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _bent(tail: Shape, head: Shape, bend: float) -> list[Cubic]:
    a, b = (tail.x, tail.y), (head.x, head.y)
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    off = (-(b[1] - a[1]) / length * bend * 4 / 3, (b[0] - a[0]) / length * bend * 4 / 3)
    one, two = interpolate(a, b, 1 / 3), interpolate(a, b, 2 / 3)
    return [(a, (one[0] + off[0], one[1] + off[1]), (two[0] + off[0], two[1] + off[1]), b)]


def _cubics(spline: list[Point]) -> list[Cubic]:
    return [tuple(spline[k : k + 4]) for k in range(0, len(spline) - 3, 3)]  # type: ignore[misc]


def _clipped(arrow: Arrow, pieces: Sequence[Cubic], tail: Shape, head: Shape) -> Curve:
    middle = point_at(pieces[len(pieces) // 2], 0.5 if len(pieces) % 2 else 0.0)
    left = _outside(list(pieces), tail, 1.0)
    whole = _reversed(_outside(_reversed(left), head, 1.0))
    if not arrow.directed:
        return Curve(arrow, tuple(whole), None, middle)
    shaft = _reversed(_outside(_reversed(left), head, HEAD))
    return Curve(arrow, tuple(shaft), whole[-1][3], middle)


def _reversed(pieces: Sequence[Cubic]) -> list[Cubic]:
    return [tuple(reversed(piece)) for piece in reversed(pieces)]  # type: ignore[misc]


def _outside(pieces: list[Cubic], shape: Shape, margin: float) -> list[Cubic]:
    """Return the part of a curve after it leaves the shape that it starts in."""
    while len(pieces) > 1 and shape.contains(pieces[0][3], margin):
        pieces = pieces[1:]
    low, high = 0.0, 1.0
    for _ in range(30):
        t = (low + high) / 2
        low, high = (t, high) if shape.contains(point_at(pieces[0], t), margin) else (low, t)
    return [split(pieces[0], high)[1], *pieces[1:]]


def _loop(arrow: Arrow, shape: Shape, others: Sequence[Shape]) -> Curve:
    """Return the curve of a lag of a variable on itself: a loop at the freer side."""
    crowd = {side: sum(0 < side * (s.x - shape.x) < 95 and abs(s.y - shape.y) < 40 for s in others) for side in (1, -1)}
    side = 1 if crowd[1] <= crowd[-1] else -1
    out = shape.w / 2 + 42.0
    centre = (shape.x, shape.y)
    piece = (centre, (shape.x + side * out, shape.y - 38.0), (shape.x + side * out, shape.y + 38.0), centre)
    made = _clipped(arrow, split(piece, 0.5), shape, shape)
    far = point_at(piece, 0.5)
    return Curve(arrow, made.pieces, made.tip, (far[0] + side * 16.0, far[1]))
