"""Labels of nodes: mathematics, cut where they are long."""

from __future__ import annotations

import pytest
import sympy as sp
from support.pictures import SVG, nodes, panels, schools

from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.show.drawing.labels import label
from symaux.show.drawing.render import render


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
