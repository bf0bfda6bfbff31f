"""Write SVG by hand: every text is escaped here, and the same picture gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from symaux.show.drawing.arrows import HEAD, Curve
from symaux.show.drawing.labels import Label, text_width
from symaux.show.drawing.outlines import SUBSCRIPT, Point, Shape
from symaux.show.drawing.picture import CAPTION, LEGEND, Entry, Panel, Picture
from symaux.show.drawing.plates import FONT, Box
from symaux.show.drawing.style import INK, PLATE, Style, style

DIGITS = re.compile(r"(?<![&#\w])\d+(?![\w;])|(?<=[^\W\d])\d+(?![\w;])")  # not those of an escaped character
TALL = frozenset("bdfhkltβδζθλξφψABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞΠΣΥΦΨΩ0123456789")  # a tilde is higher on these
FAMILY = "'Latin Modern Math','STIX Two Text','Times New Roman',Times,serif"


def write(picture: Picture, title: str = "") -> str:
    """Return the picture as one SVG element, without a reference to anything outside it."""
    size = f'width="{_n(picture.width)}" height="{_n(picture.height)}"'
    view = f'viewBox="0 0 {_n(picture.width)} {_n(picture.height)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="symaux" {size} {view} role="img" font-family="{FAMILY}">',
        f"<title>{_text(title)}</title>" if title else "",
        f'<rect class="background" {size} fill="#ffffff"/>',
        *(line for panel in picture.panels for line in _panel(panel, picture)),
        *_legend(picture.legend),
        "</svg>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _panel(panel: Panel, picture: Picture) -> Iterator[str]:
    yield f'<g class="panel" data-title={_attribute(panel.title)} transform="translate({_n(panel.dx)} 0)">'
    yield from map(_box, panel.boxes)
    for curve in panel.curves:
        yield from _curve(curve)
    for shape in panel.shapes:
        yield from _vertex(shape)
    yield from map(_plate_text, panel.boxes)
    if panel.title:
        middle = (panel.left + panel.right) / 2
        yield _words(panel.title, middle, picture.captions, CAPTION, "caption")
        if panel.note:
            yield _words(panel.note, middle, picture.captions + 17.0, LEGEND, "note")
    yield "</g>"


def _box(box: Box) -> str:
    place = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.w)}" height="{_n(box.h)}"'
    return (
        f'<g class="plate" data-plate={_attribute(box.plate)}>'
        f'<rect {place} rx="7" fill="none" stroke="{PLATE}" stroke-width="1"/></g>'
    )


def _plate_text(box: Box) -> str:
    """Return the text of a plate, written after the arrows with a white edge: it stays legible where an arrow passes."""
    return _halo(box.text, box.text_x, box.y + box.h - 5.0, "plate-label", "end" if box.right else "start")


def _curve(curve: Curve) -> Iterator[str]:
    arrow = curve.arrow
    names = f"data-tail={_attribute(arrow.tail)} data-head={_attribute(arrow.head)}"
    yield f'<g class="{"edge lag" if arrow.lagged else "edge"}" {names}>'
    dash = ' stroke-dasharray="5 3"' if arrow.lagged else ""
    yield f'<path d="{_path(curve)}" fill="none" stroke="{INK}" stroke-width="{_n(arrow.width)}"{dash}/>'
    if curve.tip:
        yield f'<polygon points="{" ".join(map(_point, arrow_head(curve)))}" fill="{INK}"/>'
    if arrow.text:
        yield _halo(arrow.text, curve.text_at[0], curve.text_at[1] + 4.0, "lag-label", "middle")
    yield "</g>"


def _path(curve: Curve) -> str:
    start = f"M{_point(curve.pieces[0][0])}"
    return start + "".join(f" C{_point(b)} {_point(c)} {_point(d)}" for _, b, c, d in curve.pieces)


def arrow_head(curve: Curve) -> tuple[Point, Point, Point]:
    """Return the corners of an arrow's head: from the end of its shaft to its tip."""
    assert curve.tip is not None
    (bx, by), (tx, ty) = curve.pieces[-1][3], curve.tip
    length = ((tx - bx) ** 2 + (ty - by) ** 2) ** 0.5 or 1.0
    ux, uy, half = (tx - bx) / length, (ty - by) / length, max(HEAD * 0.42, 1.1 * curve.arrow.width)
    return (bx - uy * half, by + ux * half), (tx, ty), (bx + uy * half, by - ux * half)


def _vertex(shape: Shape) -> Iterator[str]:
    vertex, paint = shape.vertex, style(shape.vertex)
    classes = " ".join(filter(None, ("node", vertex.kind, vertex.role)))
    yield f'<g class="{classes}" data-name={_attribute(vertex.name)}>'
    told = vertex.name if vertex.weight is None else f"{vertex.name}, λ = {vertex.weight:.2f}"
    yield f"<title>{_text(told)}</title>"
    if vertex.kind == "ellipsis":
        yield f"{_words('…', shape.x, shape.y + 0.15 * shape.font, shape.font, 'ellipsis')}</g>"
        return
    yield from _outlines(shape, paint)
    if vertex.kind == "input":
        yield _label(vertex.label, shape.x, shape.y - 8.0, shape.font, INK)
    elif vertex.kind != "factor":
        yield _label(vertex.label, shape.x, shape.y + 0.3 * shape.font, shape.font, paint.text)
    yield "</g>"


def _outlines(shape: Shape, paint: Style) -> Iterator[str]:
    if paint.ring:
        yield _outline(shape, 5.0, f'class="ring" fill="none" stroke="{paint.ring}" stroke-width="4"')
    yield _outline(shape, 0.0, f'class="shape" fill="{paint.fill}" stroke="{INK}" stroke-width="1.2"')
    if paint.core:
        yield _outline(shape, -9.0, f'class="core" fill="{paint.core}"')


def _outline(shape: Shape, grown: float, paint: str) -> str:
    """Return the outline of a shape, larger by some points; a diamond's corners move further for the same border."""
    x, y = shape.x, shape.y
    match shape.vertex.kind:
        case "deterministic":
            a, b = shape.w / 2 + 1.3 * grown / 2, shape.h / 2 + 1.3 * grown / 2
            corners = ((x, y - b), (x + a, y), (x, y + b), (x - a, y))
            return f'<polygon {paint} points="{" ".join(map(_point, corners))}"/>'
        case "factor":
            a, b = (shape.w + grown) / 2, (shape.h + grown) / 2
            return f'<rect {paint} x="{_n(x - a)}" y="{_n(y - b)}" width="{_n(2 * a)}" height="{_n(2 * b)}"/>'
        case _:
            a, b = (shape.w + grown) / 2, (shape.h + grown) / 2
            return f'<ellipse {paint} cx="{_n(x)}" cy="{_n(y)}" rx="{_n(a)}" ry="{_n(b)}"/>'


def _label(label: Label, x: float, y: float, size: float, colour: str) -> str:
    """Return the label around a middle; its tilde is drawn as a curve, because fonts place theirs badly."""
    attributes = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="middle" fill="{colour}"'
    made = f'<text class="label" {attributes}>{_spans(label, size)}</text>'
    return made + (_tilde(label, x, y, size, colour) if label.tilde else "")


def _spans(label: Label, size: float) -> str:
    spans = f'<tspan font-style="italic">{_text(label.head)}</tspan>' if label.mathematical else _text(label.head)
    if label.function:
        spans = f"{_text(label.function)}\u2009{spans}"
    if label.sub:
        small = f'dy="{_n(0.22 * size)}" font-size="{_n(SUBSCRIPT * size)}"'
        upright = DIGITS.sub(r'<tspan font-style="normal">\g<0></tspan>', _text(label.sub))
        spans += f'<tspan class="sub" font-style="italic" {small}>{upright}</tspan>'
    return spans


def tilde(label: Label, x: float, y: float, size: float) -> tuple[Point, Point, Point, Point]:
    """Return the tilde of a label as one cubic curve above its base.

    The text is narrower than the room that is reserved for it.
    """
    before, after = (
        text_width(label.function + " ", size) if label.function else 0.0,
        text_width(label.sub, size * SUBSCRIPT),
    )
    middle, half = x + 0.8 * (before - after) / 2, 0.26 * size
    top, swing = y - (0.82 if TALL & set(label.head) else 0.63) * size, 0.24 * size
    rise = 0.09 * size
    left, right = (middle - half, top + rise), (middle + half, top - rise)
    return left, (middle - half / 3, top - swing), (middle + half / 3, top + swing), right


def _tilde(label: Label, x: float, y: float, size: float, colour: str) -> str:
    a, b, c, d = tilde(label, x, y, size)
    path = f"M{_point(a)} C{_point(b)} {_point(c)} {_point(d)}"
    return f'<path class="tilde" d="{path}" fill="none" stroke="{colour}" stroke-width="1.1" stroke-linecap="round"/>'


def _legend(entries: Iterable[Entry]) -> Iterator[str]:
    yield '<g class="legend">'
    for entry in entries:
        yield from _outlines(entry.shape, style(entry.shape.vertex))
        left, foot = entry.shape.x + 15.0, entry.shape.y + 4.0
        name = f" {_spans(entry.label, LEGEND)}" if entry.label else ""
        yield _words(entry.text, left, foot, LEGEND, "key", "start", name)
    yield "</g>"


def _words(text: str, x: float, y: float, size: float, kind: str, anchor: str = "middle", spans: str = "") -> str:
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place} fill="{INK}">{_text(text)}{spans}</text>'


def _halo(text: str, x: float, y: float, kind: str, anchor: str) -> str:
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(FONT)}" text-anchor="{anchor}" font-style="italic"'
    edge = 'stroke="#ffffff" stroke-width="3" paint-order="stroke"'
    return f'<text class="{kind}" {place} fill="{INK}" {edge}>{_text(text)}</text>'


def _point(point: Point) -> str:
    return f"{_n(point[0])},{_n(point[1])}"


def _n(number: float) -> str:
    """Return a number with at most two decimals, and no negative zero."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _legal(text: str) -> str:
    """Return text without control characters and lone surrogates, which XML does not allow even escaped."""
    return "".join(c if c.isprintable() or c == " " else "\ufffd" for c in text)


def _text(text: str) -> str:
    return escape(_legal(text))


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))
