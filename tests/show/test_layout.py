"""Where nodes are put: the same place in both panels, no overlaps, and how many there may be."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from support.pictures import chain, drawn, nodes, panels, place, roles, schools, series, three_plates
from support.timing import within

import symaux as sa
from symaux.errors import ModelError
from symaux.rules.derivation import Derivation
from symaux.show.drawing.diagram import diagram
from symaux.show.drawing.layout import layout
from symaux.show.drawing.picture import picture
from symaux.show.drawing.render import render


@pytest.mark.parametrize("made", [chain, schools])
def test_the_same_variable_stands_at_the_same_place(made: object) -> None:
    before, after = map(nodes, panels(render(made())))  # type: ignore[operator]
    assert all(place(before[name]) == place(after[name]) for name in before)


def test_an_unrolled_slice_runs_from_left_to_right() -> None:
    (panel,) = panels(render(series().unroll(), focus="z[2]"))
    drawn = nodes(panel)
    where = [place(drawn[f"z[{k}]"]) for k in range(6)]
    assert where == sorted(where) and len({y for _, y in where}) == 1
    assert {n for n, role in roles(panel).items() if role == "blanket"} == {"z[1]", "z[3]", "x[2]"}


@pytest.mark.speed
def test_300_nodes_in_under_5_seconds() -> None:
    chance = random.Random(0)
    graph = nx.DiGraph(factors=())
    for k in range(300):
        graph.add_node(f"v{k}", kind="stochastic", observed=k > 250)
        graph.add_edges_from((f"v{p}", f"v{k}") for p in chance.sample(range(k), min(k, chance.choice([1, 1, 2]))))
    with within(5):
        text = render(graph, focus="v7")
    assert len(nodes(panels(text)[0])) == 300


def test_too_many_vertices_are_refused() -> None:
    graph = nx.DiGraph(factors=())
    graph.add_nodes_from(map(str, range(2_001)), kind="stochastic", observed=False)
    with pytest.raises(ModelError, match="too many to draw"):
        layout([diagram(graph)])


def test_nodes_do_not_overlap_and_lie_in_the_picture() -> None:
    for x in (chain(), schools(), three_plates(), series().unroll()):
        networks = [x.before, x.after] if isinstance(x, Derivation) else [x]
        drawn = picture([diagram(n) for n in networks], ["a", "b"][: len(networks)])
        for panel in drawn.panels:
            for k, s in enumerate(panel.shapes):
                assert s.w / 2 <= s.x + panel.dx <= drawn.width - s.w / 2
                assert s.h / 2 <= s.y <= drawn.height - s.h / 2
                for other in panel.shapes[k + 1 :]:
                    assert abs(s.x - other.x) >= (s.w + other.w) / 2 or abs(s.y - other.y) >= (s.h + other.h) / 2


def test_places_that_a_graph_gives_are_kept() -> None:
    graph = nx.DiGraph(factors=())
    for k, name in enumerate("abc"):
        graph.add_node(name, kind="stochastic", observed=False, pos=(100.0 * k, 50.0 * (k % 2)))
    (where,) = drawn(sa.render(graph))
    assert where["b"][0] - where["a"][0] == 100.0 and where["b"][1] - where["a"][1] == 50.0
