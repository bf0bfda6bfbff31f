"""Models that pictures are drawn of, and what can be read off a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import sympy as sp

from support.models import eight_schools, papers_chain
from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws.families import half_normal, normal
from symaux.model.model import Model
from symaux.model.statements import deterministic
from symaux.rules.derivation import Derivation

SVG = "{http://www.w3.org/2000/svg}"


def chain() -> Derivation:
    """The paper's figure 2, all three rewritten by hand."""
    before, (z1, z2, z3), e = papers_chain(), sp.symbols("z1:4", real=True), sp.symbols("eps_z1:4", real=True)
    walk = [deterministic(z1, e[0]), deterministic(z2, z1 + e[1]), deterministic(z3, z2 + e[2])]
    seen = [law for law in before.statements if str(law.value).startswith("x")]
    return Derivation(before, Model.of(*(normal(n, 0, 1) for n in e), *walk, *seen, observed=before.observed))


def schools() -> Derivation:
    """Eight schools, the effects rewritten by hand."""
    before, j, (theta, e) = eight_schools(), plate("j", 8), arrays("theta eps_theta")
    mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
    kept = [law for law in before.statements if law.value != theta[j]]
    rewritten = [normal(e[j], 0, 1), deterministic(theta[j], mu + tau * e[j])]
    return Derivation(before, Model.of(*kept[:-1], *rewritten, kept[-1], observed=before.observed))


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


def drawn(text: str) -> list[dict[str, tuple[float, float]]]:
    """The places of the variables, panel by panel."""
    found = []
    for panel in ET.fromstring(text).findall(f"{SVG}g[@class='panel']"):
        nodes = {g.get("data-name", ""): g for g in panel.iter(f"{SVG}g") if g.get("class", "").startswith("node")}
        found.append({name: _place(g) for name, g in nodes.items()})
    return found


def _place(g: ET.Element) -> tuple[float, float]:
    for e in g:
        if e.tag == f"{SVG}ellipse":
            return float(e.get("cx", 0)), float(e.get("cy", 0))
        if e.tag == f"{SVG}polygon":
            (x, _), (_, y_) = (p.split(",") for p in e.get("points", "").split()[:2])
            return float(x), float(y_)
    return 0.0, 0.0
