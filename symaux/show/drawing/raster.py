"""Write PNG and PDF from the same picture by matplotlib, whose wheel carries fonts: no font of the system is needed."""

from __future__ import annotations

import io
import re
from typing import Any

from symaux.show.drawing.arrows import Curve
from symaux.show.drawing.diagram import RenderError
from symaux.show.drawing.labels import Label
from symaux.show.drawing.outlines import Shape
from symaux.show.drawing.picture import CAPTION, LEGEND, Panel, Picture
from symaux.show.drawing.plates import FONT
from symaux.show.drawing.style import INK, PLATE, Style, style
from symaux.show.drawing.svg import arrow_head

DPI = 200
COMMA = re.compile(r"(?<!\\),")  # not that of a thin space


def write(picture: Picture, kind: str) -> bytes:
    """Return the bytes of a PNG or of a PDF, the same every time."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.backends.backend_pdf import FigureCanvasPdf
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise RenderError(f"{kind} needs matplotlib (pip install matplotlib); svg, dot and tikz do not") from missing

    out = io.BytesIO()
    with rc_context({"mathtext.fontset": "cm", "font.family": "serif", "font.serif": ["STIXGeneral", "DejaVu Serif"]}):
        figure = Figure(figsize=(picture.width / 72, picture.height / 72), dpi=DPI)
        canvas = FigureCanvasAgg(figure) if kind == "png" else FigureCanvasPdf(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, picture.width), ylim=(picture.height, 0))
        axes.axis("off")
        _draw(axes, picture)
        if kind == "png":
            canvas.print_png(out, metadata={"Software": None})  # type: ignore[union-attr]
        else:
            canvas.print_pdf(out, metadata={"CreationDate": None, "Producer": None, "Creator": None})  # type: ignore[union-attr]
    return out.getvalue()


def _draw(axes: Any, picture: Picture) -> None:
    for panel in picture.panels:
        _panel(axes, panel, picture)
    for entry in picture.legend:
        _outlines(axes, entry.shape, 0.0, style(entry.shape.vertex))
        left, foot = entry.shape.x + 15.0, entry.shape.y + 4.0
        name, math = _name(entry.label) if entry.label else ("", False)
        _words(axes, f"{entry.text} {name}", left, foot, LEGEND, ha="left", parse_math=math)


def _panel(axes: Any, panel: Panel, picture: Picture) -> None:
    from matplotlib.patches import FancyBboxPatch

    for box in panel.boxes:
        round_ = "round,pad=0,rounding_size=7"
        place = (box.x + panel.dx, box.y)
        axes.add_patch(FancyBboxPatch(place, box.w, box.h, boxstyle=round_, fill=False, edgecolor=PLATE, linewidth=1))
        end = {"ha": "right" if box.right else "left", "style": "italic", "path_effects": _white_edge()}
        _words(axes, box.text, box.text_x + panel.dx, box.y + box.h - 5.0, FONT, **end)
    for curve in panel.curves:
        _curve(axes, curve, panel.dx)
    for shape in panel.shapes:
        _vertex(axes, shape, panel.dx)
    middle = (panel.left + panel.right) / 2 + panel.dx
    _words(axes, panel.title, middle, picture.captions, CAPTION)
    if panel.title:
        _words(axes, panel.note, middle, picture.captions + 17.0, LEGEND)


def _curve(axes: Any, curve: Curve, dx: float) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    points = [curve.pieces[0][0], *(p for piece in curve.pieces for p in piece[1:])]
    codes = [Path.MOVETO, *[Path.CURVE4] * (len(points) - 1)]
    dashes = (0, (4.5, 2.7)) if curve.arrow.lagged else "solid"
    path = Path([(x + dx, y) for x, y in points], codes)
    axes.add_patch(
        PathPatch(path, fill=False, edgecolor=INK, linewidth=curve.arrow.width, linestyle=dashes, capstyle="butt")
    )
    if curve.tip:
        axes.add_patch(Polygon([(x + dx, y) for x, y in arrow_head(curve)], closed=True, color=INK, linewidth=0))
    if curve.arrow.text:
        x, y = curve.text_at
        _words(axes, curve.arrow.text, x + dx, y + 4.0, FONT, style="italic", path_effects=_white_edge())


def _white_edge() -> list[Any]:
    """Return a white edge for text, which stays legible where a line passes behind it."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=3, foreground="white")]


def _vertex(axes: Any, shape: Shape, dx: float) -> None:
    paint = style(shape.vertex)
    if shape.vertex.kind == "ellipsis":
        _words(axes, "…", shape.x + dx, shape.y + 0.15 * shape.font, shape.font)
        return
    _outlines(axes, shape, dx, paint)
    if shape.vertex.kind == "input":
        _label(axes, shape.vertex.label, shape.x + dx, shape.y - 8.0, shape.font, INK)
    elif shape.vertex.kind != "factor":
        _label(axes, shape.vertex.label, shape.x + dx, shape.y + 0.3 * shape.font, shape.font, paint.text)


def _outlines(axes: Any, shape: Shape, dx: float, paint: Style) -> None:
    if paint.ring:
        axes.add_patch(_outline(shape, dx, 5.0, fill=False, edgecolor=paint.ring, linewidth=4))
    axes.add_patch(_outline(shape, dx, 0.0, facecolor=paint.fill, edgecolor=INK, linewidth=1.2))
    if paint.core:
        axes.add_patch(_outline(shape, dx, -9.0, facecolor=paint.core, linewidth=0))


def _outline(shape: Shape, dx: float, grown: float, **paint: Any) -> Any:
    from matplotlib.patches import Ellipse, Polygon, Rectangle

    x, y, w, h = shape.x + dx, shape.y, shape.w + grown, shape.h + grown
    match shape.vertex.kind:
        case "deterministic":
            a, b = shape.w / 2 + 0.65 * grown, shape.h / 2 + 0.65 * grown
            return Polygon([(x, y - b), (x + a, y), (x, y + b), (x - a, y)], closed=True, zorder=2, **paint)
        case "factor":
            return Rectangle((x - w / 2, y - h / 2), w, h, zorder=2, **paint)
        case _:
            return Ellipse((x, y), w, h, zorder=2, **paint)


def _label(axes: Any, label: Label, x: float, y: float, size: float, colour: str) -> None:
    text, math = _name(label)
    _words(axes, text, x, y, size, color=colour, parse_math=math)


def _name(label: Label) -> tuple[str, bool]:
    """Return a name as mathematics if it is an identifier of Latin or Greek letters; any other text as it is."""
    if not label.mathematical or not label.name.isascii():
        return label.text, False
    without_spaces = COMMA.sub("{,}", label.latex)  # mathtext puts a space after a comma, even in a subscript
    return f"${without_spaces.replace('…', chr(92) + 'ldots ')}$", True


def _words(axes: Any, text: str, x: float, y: float, size: float, **options: Any) -> None:
    options = {"ha": "center", "va": "baseline", "color": INK, "parse_math": False, "zorder": 3} | options
    axes.text(x, y, "".join(c if c.isprintable() else "\ufffd" for c in text), fontsize=size, **options)
