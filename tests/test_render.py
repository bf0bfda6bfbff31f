"""Pictures, taken apart as XML: who is drawn, as what, where, and that no name of a model gets out of its place."""

from __future__ import annotations

import random
import re
import time
import xml.etree.ElementTree as ET

import networkx as nx
import pygraphviz
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symaux.analysis.factor_graph import factor_graph
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws.families import half_cauchy, half_normal, normal
from symaux.model.model import Model
from symaux.model.statements import deterministic, factor
from symaux.rules.derivation import Derivation
from symaux.show.drawing import svg
from symaux.show.drawing.diagram import diagram
from symaux.show.drawing.labels import label
from symaux.show.drawing.layout import layout
from symaux.show.drawing.picture import picture
from symaux.show.drawing.render import FORMATS, RenderError, render

SVG = "{http://www.w3.org/2000/svg}"
OUTLINES = {
    "latent": "ellipse",
    "observed": "ellipse",
    "input": "ellipse",
    "deterministic": "polygon",
    "factor": "rect",
}


def chain() -> Derivation:
    """The paper's figure 2, all three rewritten."""
    z, x, e = sp.symbols("z1:4", real=True), sp.symbols("x1:4", real=True), sp.symbols("eps_z1:4", real=True)
    seen = [normal(x[i], z[i], 1) for i in range(3)]
    before = Model.of(normal(z[0], 0, 1), normal(z[1], z[0], 1), normal(z[2], z[1], 1), *seen, observed=x)
    walk = [deterministic(z[0], e[0]), deterministic(z[1], z[0] + e[1]), deterministic(z[2], z[1] + e[2])]
    return Derivation(before, Model.of(*(normal(n, 0, 1) for n in e), *walk, *seen, observed=x))


def schools() -> Derivation:
    mu, tau, j = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True), plate("j", 8)
    (theta, y, e), sigma = arrays("theta y eps_theta"), arrays("sigma", positive=True)
    priors, seen = [normal(mu, 0, 5), half_cauchy(tau, 5)], normal(y[j], theta[j], sigma[j])
    before = Model.of(*priors, normal(theta[j], mu, tau), seen, observed=[y])
    rewritten = [normal(e[j], 0, 1), deterministic(theta[j], mu + tau * e[j])]
    return Derivation(before, Model.of(*priors, *rewritten, seen, observed=[y]))


def crossed() -> Model:
    """Two plates that overlap without nesting: rows i, columns j, and r in both."""
    a, b, r = arrays("a b r")
    i, j, s = plate("i", 20), plate("j"), sp.Symbol("sigma", positive=True)
    return Model.of(
        half_normal(s, 1), normal(a[i], 0, 1), normal(b[j], 0, 1), normal(r[i, j], a[i] * b[j], s), observed=[r]
    )


def three_plates() -> Model:
    """A deep generative model: data n, layers a and b, pixels p; the weights stand between the layers."""
    z1, z2, x, w1, w2, bias = arrays("z1 z2 x W1 W2 c")
    n, a, b, p = plate("n"), plate("a", 4), plate("b", 5), plate("p", 6)
    return Model.of(
        normal(w1[b, a], 0, 1),
        normal(w2[p, b], 0, 1),
        normal(bias[p], 0, 1),
        normal(z1[n, a], 0, 1),
        normal(z2[n, b], sp.tanh(sp.Sum(w1[b, a] * z1[n, a], a)), 1),
        normal(x[n, p], sp.Sum(w2[p, b] * z2[n, b], b) + bias[p], 1),
        observed=[x],
    )


def series() -> Model:
    z, x, t = *arrays("z x"), plate("t", 6)
    return Model.of(normal(z[0], 0, 1), normal(z[t], z[t - 1], 1), normal(x[t], z[t], 1), observed=[x])


def panels(text: str) -> list[ET.Element]:
    return ET.fromstring(text).findall(f"{SVG}g[@class='panel']")


def nodes(panel: ET.Element) -> dict[str, ET.Element]:
    return {g.get("data-name", ""): g for g in panel.iter(f"{SVG}g") if g.get("class", "").startswith("node")}


def roles(panel: ET.Element) -> dict[str, str]:
    return {name: " ".join(g.get("class", "").split()[2:]) for name, g in nodes(panel).items()}


def place(node: ET.Element) -> tuple[float, float]:
    """The middle of the outline."""
    outline = next(e for e in node if e.get("class") == "shape")
    if outline.tag == f"{SVG}polygon":
        corners = [tuple(map(float, c.split(","))) for c in outline.get("points", "").split()]
        return round(corners[0][0], 2), round(corners[1][1], 2)
    if outline.tag == f"{SVG}rect":
        x, y, w, h = (float(outline.get(k, "0")) for k in ("x", "y", "width", "height"))
        return round(x + w / 2, 2), round(y + h / 2, 2)
    return float(outline.get("cx", "0")), float(outline.get("cy", "0"))


def rectangle(panel: ET.Element, name: str) -> tuple[float, float, float, float]:
    (group,) = [g for g in panel.iter(f"{SVG}g") if g.get("data-plate") == name]
    rect = group.find(f"{SVG}rect")
    assert rect is not None
    x, y, w, h = (float(rect.get(k, "0")) for k in ("x", "y", "width", "height"))
    return x, y, x + w, y + h


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


@pytest.mark.parametrize("made", [chain, schools])
def test_the_same_variable_stands_at_the_same_place(made: object) -> None:
    before, after = map(nodes, panels(render(made())))  # type: ignore[operator]
    assert all(place(before[name]) == place(after[name]) for name in before)


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


def test_mathematical_labels() -> None:
    assert label("eps_theta").text == "ε_θ"
    assert label("z1").latex == "z_{1}"
    assert label("mu_alpha").latex == r"\mu_{\alpha}"
    assert label("log_tau").latex == r"\log \tau"
    assert label("eps_z_1[0,2]").latex == r"\varepsilon_{z,1,0,2}"
    assert label("county_effect").text == "county_effect"
    assert label("theta", ("j",), tilde=True).latex == r"\tilde{\theta}_{j}"
    after = nodes(panels(render(schools()))[1])
    assert [e.get("class") for e in after["theta"]].count("tilde") == 1
    assert "".join(after["theta"].find(f"{SVG}text").itertext()) == "θj"  # type: ignore[union-attr]
    assert not [e for e in after["tau"] if e.get("class") == "tilde"]


def test_long_names_are_cut_and_stay_inside() -> None:
    name = "a_name_" * 30 + "end"
    node = nodes(panels(render(Model.of(normal(sp.Symbol(name, real=True), 0, 1))))[0])[name]
    assert node.findtext(f"{SVG}title") == name
    text = "".join(node.find(f"{SVG}text").itertext())  # type: ignore[union-attr]
    outline = next(e for e in node if e.get("class") == "shape")
    assert len(text) <= 24 and "…" in text
    assert 2 * float(outline.get("rx", "0")) > 0.45 * 11 * len(text)


def test_plates_hold_their_members_and_nobody_else() -> None:
    for model in (schools().before, schools().after, crossed(), three_plates(), series()):
        (panel,) = panels(render(model))
        shown = diagram(model)
        for name in shown.plates:
            left, top, right, bottom = rectangle(panel, name)
            inside = {n for n, g in nodes(panel).items() if left < place(g)[0] < right and top < place(g)[1] < bottom}
            assert inside == {n for n, v in shown.vertices.items() if name in v.plates}, name


def test_overlapping_plates_overlap_truly() -> None:
    (panel,) = panels(render(crossed()))
    a, b = rectangle(panel, "i"), rectangle(panel, "j")
    x, y = place(nodes(panel)["r"])
    assert all(box[0] < x < box[2] and box[1] < y < box[3] for box in (a, b))
    texts = [t.text for t in panel.iter(f"{SVG}text") if t.get("class") == "plate-label"]
    assert sorted(map(str, texts)) == ["i = 0..19", "j"]


def test_borders_of_plates_do_not_coincide() -> None:
    n, t = plate("n", 3), plate("t", 4)
    z = arrays("z")
    (panel,) = panels(render(Model.of(normal(z[n, t], 0, 1))))
    assert all(abs(p - q) > 4 for p, q in zip(rectangle(panel, "n"), rectangle(panel, "t"), strict=True))


def test_lags_are_dashed_and_say_how_far_back() -> None:
    (panel,) = panels(render(series()))
    (loop,) = [g for g in panel.iter(f"{SVG}g") if g.get("class") == "edge lag"]
    assert loop.get("data-tail") == loop.get("data-head") == "z"
    assert loop.find(f"{SVG}path").get("stroke-dasharray")  # type: ignore[union-attr]
    assert loop.findtext(f"{SVG}text") == "t−1"


def test_an_unrolled_slice_runs_from_left_to_right() -> None:
    (panel,) = panels(render(series().unroll(), focus="z[2]"))
    drawn = nodes(panel)
    where = [place(drawn[f"z[{k}]"]) for k in range(6)]
    assert where == sorted(where) and len({y for _, y in where}) == 1
    assert {n for n, role in roles(panel).items() if role == "blanket"} == {"z[1]", "z[3]", "x[2]"}


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


@pytest.mark.parametrize("transform", ["", "log", "logit", "eps", "flow"])
@pytest.mark.parametrize(
    "name", ["phi", "tau", "phi_2", "phi_1_2", "beta_ab", "rate", "lambda_", "logit_x", "z10", "a_b_c_d"]
)
def test_every_identifier_is_mathematics_that_matplotlib_reads(transform: str, name: str) -> None:
    mathtext = pytest.importorskip("matplotlib.mathtext")
    from symaux.show.drawing.raster import _name

    for indices in ((), ("n", "t")):
        shown, math = _name(label(f"{transform}_{name}" if transform else name, indices, tilde=not indices))
        assert not math or mathtext.MathTextParser("agg").parse(shown) is not None
    assert math == (name != "lambda_")


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


def test_300_nodes_in_under_5_seconds() -> None:
    chance = random.Random(0)
    graph = nx.DiGraph(factors=())
    for k in range(300):
        graph.add_node(f"v{k}", kind="stochastic", observed=k > 250)
        graph.add_edges_from((f"v{p}", f"v{k}") for p in chance.sample(range(k), min(k, chance.choice([1, 1, 2]))))
    began = time.process_time()
    text = render(graph, focus="v7")
    assert time.process_time() - began < 5
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
