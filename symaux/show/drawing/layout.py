"""Place all vertices: by Graphviz's ``dot`` for nested plates, by a search on a grid for plates that overlap.

Several diagrams are laid out as one, so that a variable has the same place in all of them.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from symaux.errors import ModelError
from symaux.show.drawing.diagram import Arrow, Diagram
from symaux.show.drawing.grid_search import grid_places
from symaux.show.drawing.outlines import Point, footprint

LIMIT = 2_000  # vertices; a larger picture is not legible
MARGIN = 18  # around the members of a plate, in points
LOOP = 90  # room for a lag on itself, half of it on each side
STEM = re.compile(r"(.*?)(\d+|\[\d+\])")


@dataclass(frozen=True)
class Layout:
    """The position of every vertex (y downwards) and Graphviz's route for arrows that need one."""

    places: dict[str, Point]
    routes: dict[tuple[str, str], list[Point]]


@dataclass(frozen=True)
class Union:
    """The union of several diagrams, which is laid out as one."""

    sizes: dict[str, tuple[float, float]]
    arrows: tuple[Arrow, ...]
    plates: dict[str, frozenset[str]]
    noise: dict[str, str]  # the name of a noise -> the variable that it belongs to
    inputs: frozenset[str]


def layout(diagrams: Sequence[Diagram]) -> Layout:
    """Return one position per name for all the diagrams; the diagrams' own positions, if they give all."""
    if diagrams and all(d.places and set(d.places) == set(d.vertices) for d in diagrams):
        return Layout({name: at for d in diagrams for name, at in d.places.items()}, {})
    union = unite(diagrams)
    if len(union.sizes) > LIMIT:
        raise ModelError(f"{len(union.sizes)} vertices are too many to draw; unroll fewer, as in model.unroll(n=5)")
    if has_overlaps(union.plates):
        edges = [(a.tail, a.head) for a in union.arrows if a.tail != a.head]
        return Layout(grid_places(union.sizes, edges, union.plates, union.noise), {})
    return _dot(union)


def unite(diagrams: Sequence[Diagram]) -> Union:
    """Return the vertices, arrows and plates of all diagrams; the largest size of each vertex counts."""
    sizes: dict[str, tuple[float, float]] = {}
    members: defaultdict[str, set[str]] = defaultdict(set)
    arrows = dict.fromkeys(arrow for diagram in diagrams for arrow in diagram.arrows)
    looped = {arrow.tail for arrow in arrows if arrow.tail == arrow.head}
    for diagram in diagrams:
        for name, vertex in diagram.vertices.items():
            w, h = footprint(vertex)
            known = sizes.get(name, (0.0, 0.0))
            sizes[name] = (max(known[0], w + (LOOP if name in looped else 0)), max(known[1], h))
            for plate in vertex.plates:
                members[plate].add(name)
    noise = {n: v for n in sizes if (v := _noise_of(n, sizes))}
    inputs = frozenset(n for d in diagrams for n, v in d.vertices.items() if v.kind == "input")
    return Union(sizes, tuple(arrows), {p: frozenset(members[p]) for p in sorted(members)}, noise, inputs)


def _noise_of(name: str, names: dict[str, tuple[float, float]]) -> str | None:
    if not name.startswith("eps_"):
        return None
    variable = name.removeprefix("eps_")
    candidates = (variable, re.sub(r"_\d+(?=\[|$)", "", variable))
    return next((v for v in candidates if v in names), None)


def has_overlaps(plates: dict[str, frozenset[str]]) -> bool:
    """Return whether two plates overlap without nesting, which Graphviz's clusters cannot draw."""
    return any(a & b and not (a <= b or b <= a) for a, b in combinations(plates.values(), 2))


def horizontal_chains(union: Union) -> list[list[str]]:
    """Return the chains to draw from left to right: z1 → z2 → z3 and z[0] → z[1], each with children of its own."""
    after: defaultdict[str, set[str]] = defaultdict(set)
    before: defaultdict[str, set[str]] = defaultdict(set)
    parents_of_others: set[str] = set()
    for arrow in union.arrows:
        stems = [match[1] if (match := STEM.fullmatch(name)) else None for name in (arrow.tail, arrow.head)]
        if stems[0] is not None and stems[0] == stems[1] and arrow.tail != arrow.head:
            after[arrow.tail].add(arrow.head)
            before[arrow.head].add(arrow.tail)
        else:
            parents_of_others.add(arrow.tail)
    links = {
        tail: next(iter(heads))
        for tail, heads in after.items()
        if len(heads) == 1 and heads <= parents_of_others and tail in parents_of_others
    }
    links = {
        tail: head for tail, head in links.items() if len(before[head]) == 1 and _in_same_plates(union, tail, head)
    }
    starts = [name for name in union.sizes if name in links and name not in links.values()]
    return [_follow(links, start) for start in starts]


def _follow(links: dict[str, str], start: str) -> list[str]:
    chain = [start]
    while chain[-1] in links:
        chain.append(links[chain[-1]])
    return chain


def _in_same_plates(union: Union, one: str, other: str) -> bool:
    return all((one in members) == (other in members) for members in union.plates.values())


def _dot(union: Union) -> Layout:
    """Return Graphviz's layout; Graphviz sees numbers only and no name of the model, so nothing needs escaping."""
    import pygraphviz

    ids = {name: f"n{number}" for number, name in enumerate(union.sizes)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # Graphviz's remarks on flat edges and fonts
        graph = pygraphviz.AGraph(string=_dot_text(union, ids))
        drawn = json.loads(graph.draw(format="json0", prog="dot") or "{}")
    names = {number: name for name, number in ids.items()}
    placed = {o["name"]: o for o in drawn.get("objects", ()) if o["name"] in names}
    places = {names[i]: _flip(o["pos"]) for i, o in placed.items()}
    numbered = {o["_gvid"]: names[i] for i, o in placed.items()}
    routes = {
        (numbered[e["tail"]], numbered[e["head"]]): _spline(e["pos"]) for e in drawn.get("edges", ()) if "pos" in e
    }
    return Layout({name: places[name] for name in union.sizes}, routes)


def _dot_text(union: Union, ids: dict[str, str]) -> str:
    lines = ["digraph {", 'graph [nodesep=0.42 ranksep=0.5 splines=true newrank=true label=""]']
    lines += ['node [label="" shape=ellipse fixedsize=true]', "edge [headclip=false tailclip=false arrowhead=none]"]
    for name, (w, h) in union.sizes.items():
        lines.append(f"{ids[name]} [width={w / 72:.4f} height={h / 72:.4f}]")
    lines += _clusters(union, ids)
    for chain in horizontal_chains(union):
        lines.append("{rank=same " + " ".join(ids[name] for name in chain) + "}")
    for arrow in union.arrows:
        if arrow.tail != arrow.head:
            lines.append(f"{ids[arrow.tail]} -> {ids[arrow.head]} [{_weight(union, arrow)}]")
    return "\n".join([*lines, "}"])


def _weight(union: Union, arrow: Arrow) -> str:
    if arrow.lagged:
        return "constraint=false"
    if union.noise.get(arrow.tail) == arrow.head:
        return "weight=30"
    return "weight=1" if arrow.tail in union.inputs else "weight=4"


def _clusters(union: Union, ids: dict[str, str]) -> list[str]:
    """Return nested subgraphs, the largest plate outermost; plates with the same members nest by name."""
    order = sorted(union.plates, key=lambda p: (-len(union.plates[p]), p))
    inside: defaultdict[str | None, list[str]] = defaultdict(list)
    for position, plate in enumerate(order):
        outer = [p for p in order[:position] if union.plates[plate] <= union.plates[p]]
        inside[outer[-1] if outer else None].append(plate)
    return [line for plate in inside[None] for line in _cluster(plate, inside, union, ids, order)]


def _cluster(plate: str, inside: dict, union: Union, ids: dict[str, str], order: list[str]) -> list[str]:
    members = " ".join(ids[name] for name in union.sizes if name in union.plates[plate])
    inner = [line for p in inside[plate] for line in _cluster(p, inside, union, ids, order)]
    return [f"subgraph cluster_{order.index(plate)} {{ margin={MARGIN}", *inner, members, "}"]


def _flip(pos: str) -> Point:
    x, y = pos.split(",")[:2]
    return float(x), -float(y)


def _spline(pos: str) -> list[Point]:
    """Return the control points of a cubic B-spline; Graphviz's end points of arrow heads are left out."""
    return [_flip(part) for part in pos.split() if part[0] not in "se"]
