"""Write the interactive diagram: both forms side by side, data for hovering and for spreading information, and controls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import networkx as nx

from symaux.analysis.factor_graph import FactorGraph, factor_graph
from symaux.model.model import Model
from symaux.show.drawing.diagram import diagram
from symaux.show.drawing.picture import MARGIN, Picture, picture
from symaux.show.drawing.svg import write as as_svg
from symaux.show.reporting.html import tag, text
from symaux.show.reporting.influence import influence, most_improved_source, sources_of, twins

TITLES = ("Original", "Auxiliary form")
KEYS = ("latent", "observed", "deterministic", "input", "factor")
ROLES = {
    "is-focus": "what you look at",
    "is-blanket": "its Markov blanket",
    "is-reached": "reached, after so many steps",
}
CIRCLE = '<ellipse class="shape" cx="11" cy="11" rx="7" ry="7"/>'
SWATCHES = {
    "deterministic": '<polygon class="shape" points="11,2 20,11 11,20 2,11"/>',
    "input": '<ellipse class="shape" cx="11" cy="11" rx="3.5" ry="3.5"/>',
    "factor": '<rect class="shape" x="7" y="7" width="8" height="8"/>',
}


def influence_figure(
    number: int, networks: Sequence[Model | nx.DiGraph], caption: str, titles: Sequence[str] = TITLES
) -> str:
    """Return the HTML of one diagram of both forms; the page's script looks for its class."""
    drawn = picture([diagram(network) for network in networks], [""] * len(networks))
    panels = [_panel(part, title) for part, title in zip(separate(drawn), titles, strict=True)]
    kinds = {shape.vertex.kind for panel in drawn.panels for shape in panel.shapes}
    graph, listed = factor_graph(networks[0]), sources_of(networks[0])
    before, after = (influence(network, listed) for network in networks)
    observed = [name for name in listed if name in graph.observed]
    chosen = most_improved_source(before, after, observed or listed, graph.latents)
    data = {"panels": [before.as_data(), after.as_data()], "latents": sorted(graph.latents), "twins": twins(*networks)}
    body = [_controls(number, graph, listed, chosen), tag("div", *panels, class_="panels"), _legend(kinds)]
    return tag("figure", *body, tag("figcaption", text(caption)), _embed(data), class_="influence")


def separate(drawn: Picture) -> list[Picture]:
    """Return each panel as a picture of its own, of one height, so that a narrow screen can stack them."""
    height = drawn.captions - 28.0 + MARGIN
    alone = [(replace(p, dx=MARGIN - p.left), p.right - p.left + 2 * MARGIN) for p in drawn.panels]
    return [replace(drawn, panels=(p,), legend=(), width=width, height=height) for p, width in alone]


def _panel(drawn: Picture, title: str) -> str:
    """Return a panel with its natural width for the style sheet, so that a large picture scrolls and does not shrink."""
    inside = tag("div", as_svg(drawn, title), class_="scroll")
    return tag("div", tag("h3", title), inside, class_="diagram", style=f"--natural: {drawn.width:.0f}px")


def _controls(number: int, graph: FactorGraph, listed: Sequence[str], chosen: str) -> str:
    observed = [n for n in listed if n in graph.observed]
    groups = {"observed": observed, "latent": [n for n in listed if n not in graph.observed]}
    options = [
        tag("optgroup", *(tag("option", text(n), value=n, selected=n == chosen) for n in names), label=kind)
        for kind, names in groups.items()
        if names
    ]
    source, steps = f"source-{number}", f"steps-{number}"
    made = [
        tag("label", "A change at", for_=source),
        tag("select", *options, id=source, class_="source"),
        tag("label", "gradient steps so far", for_=steps),
        tag("input", id=steps, class_="steps", type="range", min="0", max="1", value="0", step="1"),
        tag("output", "0", class_="count", for_=steps),
    ]
    return tag("div", *made, class_="controls") + tag("p", class_="told", role="status")


def _legend(kinds: set[str]) -> str:
    keys = [_key(f"node {kind}", SWATCHES.get(kind, CIRCLE), kind) for kind in KEYS if kind in kinds]
    keys += [_key(f"node latent {role}", CIRCLE, told) for role, told in ROLES.items()]
    return tag("ul", *keys, class_="legend")


def _key(classes: str, swatch: str, told: str) -> str:
    size = {"viewBox": "0 0 22 22", "width": "22", "height": "22", "aria_hidden": "true"}
    return tag("li", tag("svg", tag("g", swatch, class_=classes), class_="symaux", **size), told)


def _embed(data: Mapping[str, Any]) -> str:
    """Return data for the script, as JSON in which nothing can end the element.

    >>> _embed({"a": "</script>"}).count("</script>")
    1
    """
    held = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    safe = held.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return tag("script", safe, type="application/json", class_="data")
