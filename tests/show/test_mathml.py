"""Formulas as MathML: well formed whatever stands in them, and as one writes them on paper."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symaux as sa
from symaux.show.display.latex import mathml
from symaux.show.display.mathml import to_mathml
from symaux.show.display.mathml_statements import law_math, model_rows, statement_math

z, a, b = sp.symbols("z a b", positive=True)
theta, j, k = sa.arrays("theta"), sa.plate("j", 8), sa.plate("k")
ELEMENTS = set(
    [
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mspace",
        "msub",
        "msup",
        "mfrac",
        "msqrt",
        "mroot",
        "munder",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
    ]
)


def read(formula: object) -> str:
    """The text of the formula, from well-formed MathML that holds nothing but MathML."""
    root = ET.fromstring(mathml(formula))
    assert {e.tag for e in root.iter()} <= ELEMENTS
    return "".join(root.itertext()).replace("\u2061", "").replace("\u2062", "")


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (theta[j - 1], "θj−1"),
        (sp.Symbol("eps_z_1"), "εz,1"),
        (a - (b - z), "a−b+z"),
        (-((a + b) ** 2), "−(a+b)2"),
        (sp.Symbol("log_tau") ** 2, "(logτ)2"),
        ((-z) ** a, "(−z)a"),
        (sp.Sum(theta[k], k), "∑kθk"),
        (sp.Sum(theta[j], j), "∑j=07θj"),
        (sp.Piecewise((z, z < 1), (a, True)), "{zif z<1aotherwise"),
        (sa.ndtri(z), "Φ−1(z)"),
        (sp.besselk(a, z), "Ka(z)"),
        (2 * sp.Integer(3) ** a, "2·3a"),
        (abs(a - z), "|a−z|"),
        (sp.Float(1e-20), "1·10−20"),
        (sp.Symbol("a b"), "a b"),
    ],
)
def test_it_reads_as_on_paper(formula: sp.Expr, text: str) -> None:
    assert read(formula) == text


def test_fractions_roots_and_powers_have_their_own_elements() -> None:
    assert to_mathml(sp.sqrt(z)) == "<msqrt><mi>z</mi></msqrt>"
    assert to_mathml(z ** sp.Rational(1, 3)) == "<mroot><mi>z</mi><mn>3</mn></mroot>"
    assert to_mathml(1 / z) == "<mfrac><mn>1</mn><mi>z</mi></mfrac>"
    assert to_mathml(z**-a) == "<msup><mi>z</mi><mrow><mo>−</mo><mi>a</mi></mrow></msup>"


@settings(max_examples=80, deadline=None)
@given(st.text(min_size=1, max_size=10))
def test_any_name_stays_text(name: str) -> None:
    read(sp.Symbol(name) + 1)


def test_laws_in_notation() -> None:
    texts = {"".join(ET.fromstring(law_math(law)).itertext()) for law in (sa.half_cauchy(z, 5), sa.normal(z, a, b))}
    assert texts == {"z∼HalfCauchy(5)", "z∼Normal(a,b)"}
    by_formula = law_math(sa.law(z, a * sp.exp(-a * z)))
    assert "∈" in by_formula and "∣" in by_formula


@pytest.mark.long
def test_every_form_of_the_catalogue_has_mathml() -> None:
    for law in (sa.student_t(z, a, 0, b), sa.beta(z, a, b), sa.inverse_gaussian(z, a, b)):
        form = sa.derive(law)
        for formula in (form.value, law.log_density):
            read(formula)


def test_a_model_has_a_row_for_each_statement_with_its_range() -> None:
    y, t = sa.arrays("y"), sa.plate("t", 5)
    model = sa.Model.of(sa.normal(y[0], 0, 1), sa.normal(y[t], y[t - 1], 1), sa.factor(-z), observed=[y])
    rows = model_rows(model)
    assert ["".join(ET.fromstring(r[1]).itertext()).replace("\u2061", "") for r in rows] == [
        "y0∼Normal(0,1)",
        "yt∼Normal(yt−1,1)",
        "logp+=−z",
    ]
    assert "".join(ET.fromstring(rows[1][2]).itertext()) == "t=1…4"
    assert [observed for *_, observed in rows] == [True, True, False]
    assert statement_math(sa.deterministic(z, a * b)).count("<mi>") == 3
