"""Write DOT text with pinned positions, for ``neato -n2``: every name is a quoted string."""

from __future__ import annotations

from symaux.show.drawing.labels import Label
from symaux.show.drawing.outlines import Shape
from symaux.show.drawing.picture import Panel, Picture
from symaux.show.drawing.style import style

SHAPES = {
    "latent": "ellipse",
    "observed": "ellipse",
    "deterministic": "diamond",
    "input": "point",
    "factor": "square",
    "ellipsis": "plaintext",
}


def write(picture: Picture) -> str:
    """Return one digraph; each panel's vertices have their own prefix, plates are listed in ``plates`` attributes."""
    lines = ["digraph symaux {", "  graph [splines=true];", '  node [fixedsize=true fontname="Times-Italic"];']
    for number, panel in enumerate(picture.panels):
        lines += _panel(panel, f"p{number}:" if len(picture.panels) > 1 else "", picture.height)
    return "\n".join([*lines, "}"]) + "\n"


def _panel(panel: Panel, prefix: str, height: float) -> list[str]:
    lines = [f"  // {_comment(panel.title)}"] if panel.title else []
    lines += [_vertex(shape, panel.dx, prefix, height) for shape in panel.shapes]
    for curve in panel.curves:
        arrow = curve.arrow
        options = {"style": "dashed", "label": arrow.text, "constraint": "false"} if arrow.lagged else {}
        options |= {} if arrow.directed else {"arrowhead": "none"}
        ends = f"{quote(prefix + arrow.tail)} -> {quote(prefix + arrow.head)}"
        lines.append(f"  {ends}{_options(options)};")
    return lines


def _vertex(shape: Shape, dx: float, prefix: str, height: float) -> str:
    vertex, paint = shape.vertex, style(shape.vertex)
    options = {"shape": SHAPES[vertex.kind], "pos": f"{shape.x + dx:.2f},{height - shape.y:.2f}"}
    options |= {"width": f"{shape.w / 72:.3f}", "height": f"{shape.h / 72:.3f}", "style": "filled"}
    options |= {"fillcolor": paint.fill, "fontcolor": paint.text, "fontsize": f"{shape.font:g}"}
    if vertex.kind == "input":
        options["xlabel"] = label_text(vertex.label)
    options["label"] = {"input": "", "factor": "", "ellipsis": "…"}.get(vertex.kind, label_text(vertex.label))
    if paint.ring:
        options |= {"color": paint.ring, "penwidth": "4"}
    if vertex.plates:
        options["plates"] = ",".join(vertex.plates)
    options["class"] = " ".join(filter(None, (vertex.kind, vertex.role)))
    return f"  {quote(prefix + vertex.name)}{_options(options)};"


def label_text(label: Label) -> str:
    """Return the label in one line, with a combining tilde on a rewritten variable."""
    return label.text.replace(label.head, label.head + "\u0303", 1) if label.tilde else label.text


def _options(options: dict[str, str]) -> str:
    return f" [{' '.join(f'{key}={quote(value)}' for key, value in options.items())}]" if options else ""


def quote(text: str) -> str:
    r"""Return a DOT string: only a double quote ends it, and a backslash would start an escape of a label.

    >>> print(quote('"; rm \\N'))
    "\"; rm \\N"
    """
    legal = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return '"' + legal.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _comment(text: str) -> str:
    return " ".join(text.split())
