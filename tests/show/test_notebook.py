"""In a notebook things show themselves: HTML that is well formed, SVG, LaTeX, and plain text that reads well."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
import sympy as sp

import symaux as sa

z, a, b, mu = sp.Symbol("z", real=True), *sp.symbols("a b", positive=True), sp.Symbol("mu", real=True)
theta, y, j = *sa.arrays("theta y"), sa.plate("j", 4)


def model(size: int | None = None) -> sa.Model:
    plate = sa.plate("j", size) if size else j
    seen = sa.normal(y[plate], theta[plate], 1)
    return sa.Model.of(sa.normal(mu, 0, 1), sa.normal(theta[plate], mu, a), seen, observed=[y])


def things() -> list[object]:
    form = sa.derive(sa.exponential(sp.Symbol("t", positive=True), a))
    aux = sa.auxiliary(model())
    return [model(), aux, form, form.derivation, form.law, form.verdict, sa.law(z, sp.exp(-z), support=(0, sp.oo))]


@pytest.mark.parametrize("thing", things(), ids=lambda thing: type(thing).__name__)
def test_everything_shows_itself(thing: object) -> None:
    page = thing._repr_html_()  # type: ignore[attr-defined]
    tree = ET.fromstring(f"<div>{page.replace('<br>', '<br/>')}</div>")
    assert not [e for e in tree.iter() if e.tag.rpartition("}")[2] in ("script", "img", "link")]
    text = thing._repr_latex_()  # type: ignore[attr-defined]
    assert text.count("{") == text.count("}") and text.count(r"\begin") == text.count(r"\end")
    assert len(str(thing)) > 3


def test_models_and_derivations_show_pictures() -> None:
    for thing in (model(), sa.auxiliary(model())):
        assert ET.fromstring(thing._repr_svg_() or "").tag.endswith("svg")  # type: ignore[attr-defined]
        assert "<svg" in thing._repr_html_()  # type: ignore[attr-defined]


def test_laws_by_name_and_by_formula() -> None:
    named = sa.half_cauchy(sp.Symbol("tau", positive=True), 5)
    assert named._repr_latex_() == r"$\displaystyle \tau \sim \mathrm{HalfCauchy}\left(5\right)$"
    plain = sa.law(a, b * sp.exp(-a * b))
    assert (
        plain._repr_latex_()
        == r"$\displaystyle \log p(a) = - a b + \log{\left(b \right)}, \quad a \in \left(0, \infty\right)$"
    )
    assert "constant" in sa.flat(z)._repr_latex_() and "Flat" in sa.flat(z)._repr_html_()


def test_names_stay_text() -> None:
    odd = sp.Symbol("<script>$", real=True)
    shown = sa.Model.of(sa.normal(odd, 0, 1))
    assert "<script>" not in shown._repr_html_() and r"\$" in shown._repr_latex_()


def test_a_model_that_is_too_large_to_draw_still_shows_its_statements() -> None:
    names = sp.symbols("v0:2100", real=True)
    large = sa.Model.of(*(sa.normal(v, 0, 1) for v in names))
    assert large._repr_svg_() is None
    assert large._repr_html_().count("<tr>") == 2100
