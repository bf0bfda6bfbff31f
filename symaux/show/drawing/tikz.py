r"""Write TikZ with the ``bayesnet`` library, as papers draw their models: ``\usetikzlibrary{bayesnet}`` in the preamble."""

from __future__ import annotations

from symaux.show.drawing.arrows import Curve
from symaux.show.drawing.diagram import Arrow
from symaux.show.drawing.labels import escape_latex
from symaux.show.drawing.layout import has_overlaps
from symaux.show.drawing.outlines import Shape
from symaux.show.drawing.picture import Panel, Picture
from symaux.show.drawing.style import BLUE, ORANGE, SKY

STYLES = {
    "latent": "latent",
    "observed": "obs",
    "deterministic": "det",
    "input": "const",
    "factor": "factor",
    "ellipsis": "const",
}
PAINT = {"focus": "focus", "image": "focused value", "blanket": "blanket", "": ""}
SCALE = 1 / 42  # centimetres for a point of the picture, for nodes of bayesnet's size
INNER, CAPTION = 5.5, 14.0  # what bayesnet adds around a plate and for its caption, in points of the picture
PREAMBLE = rf"""% \usepackage{{amsmath,tikz}} \usetikzlibrary{{bayesnet}}
\definecolor{{symauxfocus}}{{HTML}}{{{BLUE[1:].upper()}}}
\definecolor{{symauxblanket}}{{HTML}}{{{ORANGE[1:].upper()}}}
\begin{{tikzpicture}}[>=latex, focus/.style={{draw=symauxfocus, line width=2pt, fill=symauxfocus, text=white}},
  focused value/.style={{draw=symauxfocus, line width=2pt}}, blanket/.style={{draw=symauxblanket, line width=2pt}}]
"""


SHADE = rf"\definecolor{{symauxshade}}{{HTML}}{{{SKY[1:].upper()}}}" + "\n"


def write(picture: Picture) -> str:
    """Return a ``tikzpicture`` with the panels side by side."""
    body = [line for number, panel in enumerate(picture.panels) for line in _panel(panel, number, picture)]
    shaded = any(shape.vertex.weight is not None for panel in picture.panels for shape in panel.shapes)
    return (SHADE if shaded else "") + PREAMBLE + "\n".join(body) + "\n\\end{tikzpicture}\n"


def _panel(panel: Panel, number: int, picture: Picture) -> list[str]:
    ids = {shape.vertex.name: f"p{number}n{k}" for k, shape in enumerate(panel.shapes)}
    lines = [_node(shape, ids[shape.vertex.name], panel.dx) for shape in panel.shapes]
    lines += [_arrow(curve, ids, panel.dx) for curve in panel.curves]
    lines += _plates(panel, number, ids)
    if panel.title:
        middle = (panel.left + panel.right) / 2 + panel.dx
        lines.append(rf"\node at {_at(middle, picture.captions)} {{{escape_latex(panel.title)}}};")
    return lines


def _plates(panel: Panel, number: int, ids: dict[str, str]) -> list[str]:
    """Return plates around their members, which survives moving a node; overlapping ones around positions."""
    boxes = panel.boxes[::-1]
    members = {b.plate: frozenset(s.vertex.name for s in panel.shapes if b.plate in s.vertex.plates) for b in boxes}
    crossing = has_overlaps(members)
    lines = []
    for k, box in enumerate(boxes):
        around = "".join(f"({ids[s.vertex.name]})" for s in panel.shapes if s.vertex.name in members[box.plate])
        around += "".join(f"(p{number}b{j}.south east)" for j in range(k) if _nested(panel, j, k))
        corners = (box.x + INNER, box.y + INNER), (box.x + box.w - INNER, box.y + box.h - INNER - CAPTION)
        if crossing:
            ends = [
                rf"\coordinate (p{number}b{k}{end}) at {_at(x + panel.dx, y)};"
                for end, (x, y) in zip("az", corners, strict=True)
            ]
            lines.append(" ".join(ends))
        inside = f"(p{number}b{k}a)(p{number}b{k}z)" if crossing else around
        lines.append(rf"\plate {{p{number}b{k}}} {{{inside}}} {{${_range(box.text)}$}}")
    return lines


def _nested(panel: Panel, inner: int, outer: int) -> bool:
    """Return whether a plate lies inside another, so that bayesnet draws the outer one around it."""
    plates = [box.plate for box in reversed(panel.boxes)]
    holders = [{s.vertex.name for s in panel.shapes if plates[k] in s.vertex.plates} for k in (inner, outer)]
    return holders[0] <= holders[1]


def _node(shape: Shape, name: str, dx: float) -> str:
    vertex = shape.vertex
    fill = f"fill=symauxshade!{100 * (1 - vertex.weight):.0f}" if vertex.weight is not None else ""
    options = ", ".join(filter(None, (STYLES[vertex.kind], PAINT[vertex.role], fill)))
    text = "" if vertex.kind == "factor" else r"$\cdots$" if vertex.kind == "ellipsis" else f"${vertex.label.latex}$"
    return rf"\node[{options}] ({name}) at {_at(shape.x + dx, shape.y)} {{{text}}};"


def _arrow(curve: Curve, ids: dict[str, str], dx: float) -> str:
    arrow = curve.arrow
    tail, head = ids[arrow.tail], ids[arrow.head]
    text = f"${_range(arrow.text)}$"
    if arrow.tail == arrow.head:
        return rf"\draw[->, dashed] ({tail}) to[loop right] node[right] {{{text}}} ({head});"
    if arrow.lagged:
        return rf"\draw[->, dashed] ({tail}) to[bend left] node[auto] {{{text}}} ({head});"
    if not arrow.directed:
        return rf"\draw ({tail}) -- ({head});"
    straight = len(curve.pieces) == 1 and _straight(curve)
    if straight:
        return rf"\edge{_line(arrow)} {{{tail}}} {{{head}}};"
    points = [p for _, b, c, d in curve.pieces for p in (b, c, d)]
    joined = ""
    for k in range(0, len(points), 3):
        end = f"({head})" if k + 3 == len(points) else _at(points[k + 2][0] + dx, points[k + 2][1])
        b, c = _at(points[k][0] + dx, points[k][1]), _at(points[k + 1][0] + dx, points[k + 1][1])
        joined += f" .. controls {b} and {c} .. {end}"
    return rf"\draw[->] ({tail}){joined};"


def _line(arrow: Arrow) -> str:
    return "" if arrow.width == Arrow.width else f" [line width={arrow.width:.2f}pt]"


def _straight(curve: Curve) -> bool:
    (ax, ay), (bx, by), _, (dx, dy) = curve.pieces[0]
    return abs((bx - ax) * (dy - ay) - (by - ay) * (dx - ax)) < 1.0


def _range(text: str) -> str:
    return escape_latex(text).replace("−", "-").replace("..", r"\ldots ")


def _at(x: float, y: float) -> str:
    return f"({x * SCALE:.3f},{-y * SCALE:.3f})"
