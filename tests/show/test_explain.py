"""Derivations for a reader: every step, its rule, its side conditions and its evidence, whatever the names are."""

from __future__ import annotations

import html.parser
import re

import pytest
import sympy as sp

import symaux as sa
from symaux.show.display.explain import FORMATS
from symaux.show.display.latex import escape_text

z, a, b = sp.symbols("z a b", positive=True)
KUMARASWAMY = sa.law(z, a * b * z ** (a - 1) * (1 - z**a) ** (b - 1), support=(0, 1))


def chain() -> sa.Derivation:
    z1, z2, x = sp.symbols("z1 z2 x", real=True)
    laws = (sa.normal(z1, 0, 1), sa.normal(z2, sp.tanh(z1), 2), sa.normal(x, z2, 1))
    return sa.auxiliary(sa.Model.of(*laws, observed=[x]))


class Balanced(html.parser.HTMLParser):
    """Every tag that opens is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.met.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def well_formed(text: str) -> set[str]:
    reader = Balanced()
    reader.feed(text)
    assert not reader.open
    return reader.met


def balanced(text: str) -> None:
    """Environments nest and braces match."""
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", text):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    bare = re.sub(r"\\[{}\\]", "", text)
    assert bare.count("{") == bare.count("}")
    assert text.count(r"\left") == text.count(r"\right")


def test_text_has_rules_conditions_and_evidence() -> None:
    shown = sa.derive(KUMARASWAMY).explain()
    assert "1. inverse_cdf\n" in shown and "for a positive, b positive\n" in shown
    assert "- g is continuous and strictly monotone, from (0, 1) onto (0, 1)" in shown
    assert shown.endswith("proved: the two laws are equal for all parameters in the region")


def test_every_step_is_numbered() -> None:
    form = sa.derive(KUMARASWAMY, noise="normal")
    shown = form.explain("text")
    assert len(form.steps) > 1
    assert all(f"\n{number}. {step.rule}\n" in shown for number, step in enumerate(form.steps, 1))
    assert form.explain("latex").count(r"\item By \texttt{") == len(form.steps)


@pytest.mark.parametrize("derivation", [sa.derive(KUMARASWAMY).derivation, chain()], ids=["law", "model"])
def test_latex_and_html_are_well_formed(derivation: sa.Derivation) -> None:
    balanced(derivation.explain("latex"))
    assert r"\begin{align*}" in derivation.explain("latex")
    assert {"ol", "li", "math"} <= well_formed(derivation.explain("html"))


def test_a_model_says_what_was_kept() -> None:
    for format in FORMATS:
        assert "so nothing is gained" in chain().explain(format)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "50%_{x}", "a&b", "\\input{x}", "$x$"])
def test_names_cannot_break_out(name: str) -> None:
    odd = sp.Symbol(name, positive=True)
    form = sa.derive(sa.law(z, odd * sp.exp(-odd * z)))
    assert "script" not in well_formed(form.explain("html")) | well_formed(form._repr_html_())
    shown = form.explain("latex")
    balanced(shown)
    assert r"\input{" not in shown.replace(r"\textbackslash{}input", "") and escape_text(name) in shown


def test_notebooks_show_forms_derivations_and_verdicts() -> None:
    form = sa.derive(KUMARASWAMY)
    for thing in (form, form.derivation, form.verdict, chain()):
        assert "proved" in thing._repr_html_()
        well_formed(thing._repr_html_())
    assert r"\varepsilon_{z}" in form._repr_latex_() and r"\varepsilon_{z}" in form.derivation._repr_latex_()


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(sa.SymauxError, match="text, latex, html"):
        sa.derive(KUMARASWAMY).explain("pdf")
