"""Pictures, taken apart as XML: who is drawn, as what, where, and that no name of a model gets out of its place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import networkx as nx
import pygraphviz
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from support.pictures import SVG, chain, crossed, nodes, panels, place, roles, schools, series

from symaux.analysis.factor_graph import factor_graph
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.model.statements import deterministic, factor
from symaux.show.drawing.render import FORMATS, RenderError, render, svg

OUTLINES = {
    "latent": "ellipse",
    "observed": "ellipse",
    "input": "ellipse",
    "deterministic": "polygon",
    "factor": "rect",
}


def test_papers_figure_2() -> None:
    """X in a row, Z → Z → Z in a row above, noises on top, each above its own diamond."""
    before, after = panels(render(chain()))
    assert set(nodes(before)) == {"z1", "z2", "z3", "x1", "x2", "x3"}
    where = {name: place(node) for name, node in nodes(after).items()}
    for row in ("x", "z", "eps_z"):
        assert len({where[f"{row}{k}"][1] for k in (1, 2, 3)}) == 1
        assert where[f"{row}1"][0] < where[f"{row}2"][0] < where[f"{row}3"][0]
    for k in "123":
        assert where[f"eps_z{k}"][1] < where[f"z{k}"][1] < where[f"x{k}"][1]
        assert where[f"eps_z{k}"][0] == pytest.approx(where[f"z{k}"][0], abs=1.0)


@pytest.mark.parametrize("made", [chain, schools])
def test_every_variable_is_drawn_with_its_shape(made: object) -> None:
    derivation = made()  # type: ignore[operator]
    for panel, model in zip(panels(render(derivation)), (derivation.before, derivation.after), strict=True):
        graph, drawn = factor_graph(model), nodes(panel)
        assert set(drawn) == set(graph.kinds)
        for name, node in drawn.items():
            kind = graph.kinds[name]
            kind = kind if kind != "stochastic" else "observed" if name in model.observed else "latent"
            assert node.get("class") == f"node {kind}"
            outline = next(e for e in node if e.get("class") == "shape")
            assert outline.tag == SVG + OUTLINES[kind]
            assert (outline.get("fill") == "#c9c9c9") == (kind == "observed")
        edges = {(g.get("data-tail"), g.get("data-head")) for g in panel.iter(f"{SVG}g") if g.get("class") == "edge"}
        assert edges == set(model.graph.edges)


def test_focus_and_blanket_in_both_panels() -> None:
    before, after = map(roles, panels(render(chain(), focus="z1")))
    assert before == {"z1": "focus", "z2": "blanket", "x1": "blanket", "z3": "", "x2": "", "x3": ""}
    assert after["eps_z1"] == "focus" and after["z1"] == "image"
    assert {n for n, role in after.items() if role == "blanket"} == {"eps_z2", "eps_z3", "x1", "x2", "x3"}


def test_observed_stays_grey_under_focus_and_blanket() -> None:
    for focus in ("x1", "z1"):
        node = nodes(panels(render(chain(), focus=focus))[0])["x1"]
        fills = {e.get("class"): e.get("fill") for e in node}
        assert fills["shape"] == "#c9c9c9" and "ring" in fills


def test_focus_may_be_a_symbol_or_an_array() -> None:
    theta = arrays("theta")
    assert (
        render(schools(), focus=theta)
        == render(schools(), focus="theta")
        == render(schools(), focus=theta[plate("j", 8)])
    )
    with pytest.raises(ModelError, match="nobody"):
        render(schools(), focus="nobody")


def test_lags_are_dashed_and_say_how_far_back() -> None:
    (panel,) = panels(render(series()))
    (loop,) = [g for g in panel.iter(f"{SVG}g") if g.get("class") == "edge lag"]
    assert loop.get("data-tail") == loop.get("data-head") == "z"
    assert loop.find(f"{SVG}path").get("stroke-dasharray")  # type: ignore[union-attr]
    assert loop.findtext(f"{SVG}text") == "t−1"


def test_factors_are_squares() -> None:
    a, b = sp.symbols("a b", real=True)
    (panel,) = panels(render(Model.of(normal(a, 0, 1), normal(b, 0, 1), factor(-((a - b) ** 2)))))
    assert nodes(panel)["factor 1"].get("class") == "node factor"


ELEMENTS = {"svg", "g", "rect", "path", "polygon", "ellipse", "text", "tspan", "title"}
ATTACKS = [
    "<script>alert(1)</script>",
    '"; rm -rf',
    "]]>",
    "&amp;",
    "'><svg onload=x>",
    "\\N",
    "a\nb",
    "$x$",
    "\x00",
    "-->",
]


def attacked(name: str) -> Model:
    s, y = sp.Symbol(name, real=True), sp.Symbol("y" + name, real=True)
    return Model.of(normal(s, 0, 1), normal(y, s, sp.Symbol("in" + name, positive=True)), observed=[y])


@pytest.mark.parametrize("name", ATTACKS)
def test_names_stay_text_in_svg(name: str) -> None:
    text = render(attacked(name), focus=name)
    root = ET.fromstring(text)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= ELEMENTS
    attributes = {key for e in root.iter() for key in e.attrib}
    assert not {key for key in attributes if key.startswith("on")} and "href" not in attributes
    drawn = nodes(panels(text)[0])
    assert len(drawn) == 3
    if name.isprintable():
        assert name in drawn


@pytest.mark.parametrize("name", ATTACKS)
def test_names_stay_text_in_dot(name: str) -> None:
    graph = pygraphviz.AGraph(string=render(attacked(name), format="dot"))
    assert len(graph.nodes()) == 3 and len(graph.edges()) == 2


@pytest.mark.parametrize("name", ATTACKS)
def test_names_stay_text_in_tikz(name: str) -> None:
    tikz = render(attacked(name), format="tikz")
    assert tikz.count(r"\node[") == 3
    assert not re.search(r"(?<!\\)[%#&](?! \\usepackage)", tikz.replace("% \\usepackage", ""))


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=12))
def test_any_name_gives_well_formed_svg_and_dot(name: str) -> None:
    graph = nx.DiGraph(factors=())
    graph.add_node(name, kind="stochastic", observed=True)
    graph.add_edge(name + "'", name)
    assert len(nodes(panels(render(graph, focus=name))[0])) in (1, 2)  # unprintable names may look alike
    assert pygraphviz.AGraph(string=render(graph, format="dot")).directed


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_picture_every_time(kind: str) -> None:
    if kind in ("png", "pdf"):
        pytest.importorskip("matplotlib")
    assert render(schools(), "mu", kind) == render(schools(), "mu", kind)
    assert render(crossed(), format=kind) == render(crossed(), format=kind)


@pytest.mark.parametrize("name", ["z", *ATTACKS])
def test_png_and_pdf(name: str) -> None:
    pytest.importorskip("matplotlib")
    assert render(attacked(name), format="png").startswith(b"\x89PNG\r\n\x1a\n")
    assert render(attacked(name), format="pdf").startswith(b"%PDF-")


def test_formats() -> None:
    assert render(chain(), format="dot").startswith("digraph")
    tikz = render(schools(), "mu", "tikz")
    assert tikz.count(r"\plate") == 2 and r"\node[det] " in tikz and r"{$\tilde{\theta}_{j}$}" in tikz
    assert tikz.count("{") == tikz.count("}")
    assert svg(chain().before) == render(chain().before)
    with pytest.raises(RenderError, match="no format 'gif'; there are svg"):
        render(chain(), format="gif")
    with pytest.raises(RenderError, match="not int"):
        render(3)


def test_one_law_is_figure_1() -> None:
    """A law alone, and with its auxiliary form: the parents, the noise, and the diamond."""
    z, mu, e = sp.symbols("z mu eps_z", real=True)
    drawn = panels(render((normal(z, mu, 1), Model.of(normal(e, 0, 1), deterministic(z, mu + e)))))
    assert [nodes(p)["z"].get("class") for p in drawn] == ["node latent", "node deterministic"]


def test_empty_models_and_single_nodes() -> None:
    assert not nodes(panels(render(Model.of()))[0])
    assert len(nodes(panels(render(Model.of(normal(sp.Symbol("z", real=True), 0, 1))))[0])) == 1
