"""Compose the picture: panels side by side in a common frame, captions, and a legend. All formats are written from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symaux.show.drawing.arrows import Curve, route
from symaux.show.drawing.diagram import Arrow, Diagram, Vertex
from symaux.show.drawing.labels import Label, text_width
from symaux.show.drawing.layout import Layout, layout
from symaux.show.drawing.outlines import Shape, label_width, shape
from symaux.show.drawing.plates import Box, boxes

MARGIN, GAP = 16.0, 44.0
CAPTION, LEGEND = 15.0, 12.0
KINDS = ("latent", "observed", "deterministic", "input", "factor")
SHADES = ((0.0, "λ = 0, auxiliary form"), (0.5, "λ = ½, half way"), (1.0, "λ = 1, original form"))


@dataclass(frozen=True)
class Panel:
    """One drawn model. Its shapes, curves and boxes have the panel's own coordinates; ``dx`` moves it into the picture."""

    title: str
    note: str
    shapes: tuple[Shape, ...]
    curves: tuple[Curve, ...]
    boxes: tuple[Box, ...]
    dx: float
    left: float
    right: float


@dataclass(frozen=True)
class Entry:
    """One entry of the legend: a small shape, its meaning, and the focus' own label."""

    shape: Shape
    text: str
    label: Label | None = None


@dataclass(frozen=True)
class Picture:
    """The panels, the legend and the size of a picture."""

    panels: tuple[Panel, ...]
    legend: tuple[Entry, ...]
    width: float
    height: float
    captions: float  # y of the titles


def picture(diagrams: Sequence[Diagram], titles: Sequence[str] = ("",), *, legend: bool = True) -> Picture:
    """Return a picture with panels of one height: a variable has the same position in each, up to the panel's shift."""
    where = layout(diagrams)
    panels = [_panel(d, title, where) for d, title in zip(diagrams, titles, strict=True)]
    top, bottom = min(map(_top, panels)), max(map(_bottom, panels))
    placed, x = [], MARGIN
    for panel in panels:
        placed.append(_move(panel, x - panel.left, MARGIN - top))
        x += panel.right - panel.left + GAP
    total = max(x - GAP + MARGIN, 60.0)
    captions = bottom - top + MARGIN + 28.0
    below = captions + (20.0 if any(p.note for p in panels) else 4.0) if any(titles) else captions - 18.0
    keys = _keys(diagrams) if legend else []
    total = max(total, 2 * MARGIN + max(map(_key_width, keys), default=0.0))
    entries, height = _legend(keys, total, below)
    shift = (total - (x - GAP + MARGIN)) / 2
    return Picture(tuple(replace(p, dx=p.dx + shift) for p in placed), entries, total, height, captions)


def _panel(diagram: Diagram, title: str, where: Layout) -> Panel:
    shapes = {name: shape(v, *where.places[name]) for name, v in diagram.vertices.items()}
    curves = tuple(route(a, shapes, _spline(a, where)) for a in diagram.arrows)
    plates = tuple(boxes(diagram.plates, list(shapes.values()), curves))
    note = f"{diagram.blanket} variable{'s' * (diagram.blanket != 1)} in the blanket" if diagram.focus else ""
    reach = [_half(s) for s in shapes.values()]
    lefts = [s.x - r for s, r in zip(shapes.values(), reach, strict=True)] + [b.x for b in plates]
    rights = [s.x + r for s, r in zip(shapes.values(), reach, strict=True)] + [b.x + b.w for b in plates]
    points = [p for c in curves for piece in c.pieces for p in (piece[0], piece[3])]
    points += [(c.text_at[0] + d, 0.0) for c in curves if c.arrow.text for d in (-18.0, 18.0)]
    lefts, rights = [*lefts, *(p[0] for p in points)], [*rights, *(p[0] for p in points)]
    left, right = min(lefts, default=0.0), max(rights, default=0.0)
    lacking = max(0.0, max(text_width(title, CAPTION), text_width(note, LEGEND)) - (right - left)) / 2 if title else 0.0
    return Panel(title, note, tuple(shapes.values()), curves, plates, 0.0, left - lacking, right + lacking)


def _half(s: Shape) -> float:
    label_half = label_width(s.vertex.label, s.font) / 2 if s.vertex.kind == "input" else 0.0
    return max(s.w / 2, label_half) + (5.0 if s.vertex.role else 0.0)


def _spline(arrow: Arrow, where: Layout) -> list | None:
    return None if arrow.lagged else where.routes.get((arrow.tail, arrow.head))


def _top(panel: Panel) -> float:
    heads = [s.y - s.h / 2 - (s.font + 4 if s.vertex.kind == "input" else 6) for s in panel.shapes]
    return min([*heads, *(b.y for b in panel.boxes), *_heights(panel)], default=0.0)


def _bottom(panel: Panel) -> float:
    feet = [s.y + s.h / 2 + 6 for s in panel.shapes]
    return max([*feet, *(b.y + b.h for b in panel.boxes), *_heights(panel)], default=0.0)


def _heights(panel: Panel) -> list[float]:
    return [y for c in panel.curves for piece in c.pieces for _, y in (piece[0], piece[3])]


def _move(panel: Panel, dx: float, dy: float) -> Panel:
    """Return the panel moved down; its shift to the right is kept separate, so that panels remain comparable."""
    return replace(
        panel,
        shapes=tuple(replace(s, y=s.y + dy) for s in panel.shapes),
        curves=tuple(_lowered(c, dy) for c in panel.curves),
        boxes=tuple(replace(b, y=b.y + dy) for b in panel.boxes),
        dx=dx,
    )


def _lowered(curve: Curve, dy: float) -> Curve:
    pieces = tuple(tuple((x, y + dy) for x, y in piece) for piece in curve.pieces)
    tip = None if curve.tip is None else (curve.tip[0], curve.tip[1] + dy)
    return replace(curve, pieces=pieces, tip=tip, text_at=(curve.text_at[0], curve.text_at[1] + dy))


@dataclass(frozen=True)
class _Key:
    kind: str
    role: str
    text: str
    label: Label | None = None
    weight: float | None = None


def _keys(diagrams: Sequence[Diagram]) -> list[_Key]:
    """Return the keys of the legend: the kinds of vertices in the picture, the focus and its blanket, and the shades."""
    vertices = [v for d in diagrams for v in d.vertices.values()]
    found = [_Key(kind, "", kind) for kind in KINDS if any(v.kind == kind for v in vertices)]
    if focused := next((d.focus for d in diagrams if d.focus), None):
        found.append(_Key("latent", "focus", "focus", replace(focused, tilde=False)))
        found.append(_Key("latent", "blanket", "Markov blanket"))
    if any(v.weight is not None for v in vertices):
        found += [_Key("latent", "", text, weight=weight) for weight, text in SHADES]
    return found


def _key_width(key: _Key) -> float:
    name = label_width(key.label, LEGEND) + 5.0 if key.label else 0.0
    return 38.0 + text_width(key.text, LEGEND) + name


def _legend(keys: list[_Key], total: float, top: float) -> tuple[tuple[Entry, ...], float]:
    """Return the entries in centred lines of about the same length below the panels, and the end of the picture."""
    made: list[Entry] = []
    y = top + 14.0
    for line in _lines_of_keys(keys, total - 2 * MARGIN):
        x = (total - sum(map(_key_width, line)) + 8.0) / 2
        for key in line:
            vertex = Vertex("", key.kind, Label("", "", mathematical=False), (), key.role, key.weight)
            size = {"input": 7.0, "factor": 9.0, "deterministic": 17.0}.get(key.kind, 10.0 if key.role else 14.0)
            made.append(Entry(Shape(vertex, x + 9.0, y, size, size, 0.0), key.text, key.label))
            x += _key_width(key)
        y += 22.0
    return tuple(made), y - 22.0 + 11.0 + MARGIN / 2


def _lines_of_keys(keys: list[_Key], room: float) -> list[list[_Key]]:
    """Return as few lines as fit, with the entries evenly distributed over them."""
    for count in range(1, len(keys) + 1):
        per_line = -(-len(keys) // count)
        lines = [keys[k : k + per_line] for k in range(0, len(keys), per_line)]
        if all(sum(map(_key_width, line)) - 8.0 <= room for line in lines):
            return lines
    return [[key] for key in keys]
