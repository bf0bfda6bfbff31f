"""The language of formulas: what it means, and that bad input gets a clear error, quickly, and nothing else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from support.hostile_formulas import REFUSED
from support.timing import within

import symaux as sa
from symaux.errors import LanguageError, SymauxError
from symaux.language import formula, law_from_text, names
from symaux.language.formula_functions import FUNCTIONS

x, y, z = sp.symbols("x y z", real=True)
a, b = sp.symbols("a b", positive=True)
SYMBOLS = {"x": x, "y": y, "z": z, "a": a, "b": b}
QUICK = 1.0  # seconds of the processor, "well under" on an idle machine; the suite shares its cores

MEANINGS = {
    "2": sp.Integer(2),
    "0.1": sp.Rational(1, 10),
    ".5": sp.Rational(1, 2),
    "5.": sp.Integer(5),
    "1e-3": sp.Rational(1, 1000),
    "2.5E2": sp.Integer(250),
    "x + y - z": x + y - z,
    "x - y - z": x - y - z,
    "x/y/z": x / y / z,
    "x/y*z": x / y * z,
    "-x**2": -(x**2),
    "(-x)**2": x**2,
    "2**-x": 2**-x,
    "2^3^2": sp.Integer(512),
    "2**3**2": sp.Integer(512),
    "x**y^z": x ** (y**z),
    "+-+x": -x,
    "--x": x,
    "((x))": x,
    "pi*e": sp.pi * sp.E,
    "E**x": sp.exp(x),
    "a*b*z**(a-1)*(1-z**a)**(b-1)": a * b * z ** (a - 1) * (1 - z**a) ** (b - 1),
    "exp(-z^2/2)/sqrt(2*pi)": sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi),
    "ln(a)": sp.log(a),
    "abs(x)": sp.Abs(x),
    "atan2(y, x)": sp.atan2(y, x),
    "lgamma(a)": sp.loggamma(a),
    "factorial(4)": sp.Integer(24),
    "beta(a, b)": sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b),
    "besseli(0, a)": sp.besseli(0, a),
    "uppergamma(1 - a, b)": sp.uppergamma(1 - a, b),
    "gammainc(a, b)": sp.lowergamma(a, b) / sp.gamma(a),
    "Phi(x)": sp.erfc(-x / sp.sqrt(2)) / 2,
    "sigmoid(x)": 1 / (1 + sp.exp(-x)),
    "softplus(x)": sp.log(1 + sp.exp(x)),
    "logit(a)": sp.log(a / (1 - a)),
    "log1p(a)": sp.log(1 + a),
    "expm1(x)": sp.exp(x) - 1,
    "Max(x, y, 0)": sp.Max(x, y, 0),
    "where(z < a, z, 2*z)": sp.Piecewise((z, z < a), (2 * z, True)),
    "where(z >= 1, 1, where(x <= 0, 2, 3))": sp.Piecewise((1, z >= 1), (sp.Piecewise((2, x <= 0), (3, True)), True)),
    "where(z == 1, x, y)": sp.Piecewise((x, sp.Eq(z, 1)), (y, True)),
    "where(z < 1 or z > 2 and x != 0, x, y)": sp.Piecewise((x, (z < 1) | ((z > 2) & sp.Ne(x, 0))), (y, True)),
    "-oo": -sp.oo,
    "inf": sp.oo,
    "x**40": x**40,
    "gamma(170)": sp.gamma(170),
    "exp(700)": sp.exp(700),
}


@pytest.mark.parametrize("text", MEANINGS)
def test_means(text: str) -> None:
    assert formula(text, SYMBOLS) == MEANINGS[text]


@pytest.mark.parametrize("text", REFUSED)
def test_refused_at_once(text: str) -> None:
    with pytest.raises(LanguageError) as caught:
        formula(text, SYMBOLS)
    assert caught.value.code == "language"
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


@pytest.mark.speed
def test_refusals_are_quick() -> None:
    for text in REFUSED:
        with within(QUICK, text), contextlib.suppress(LanguageError):
            formula(text, SYMBOLS)


@pytest.mark.parametrize("text", [*REFUSED, "oo"])
def test_no_law_either(text: str) -> None:
    with pytest.raises(SymauxError):
        law_from_text(text, "z")


HEAVY = [
    "sin(" * 50 + "x" + ")" * 50,
    "tanh(" * 50 + "1" + ")" * 50,
    "gamma(" * 50 + "x" + ")" * 50,
    "log(" * 50 + "x" + ")" * 50,
    "+".join(f"x**{i}" for i in range(500)),
    "*".join(f"(x + {i})" for i in range(300)),
    "Max(Min(x, y), " * 12 + "z" + ")" * 12,
    "where(x < y, " * 8 + "1" + ", z)" * 8,
    "(1 + x + y + z)**1000",
    "x" + "**x" * 40,
]


@pytest.mark.speed
@pytest.mark.parametrize("text", HEAVY, ids=range(len(HEAVY)))
def test_large_but_legal_is_quick(text: str) -> None:
    with within(2 * QUICK):
        formula(text, SYMBOLS)


def test_error_points_at_the_place() -> None:
    with pytest.raises(LanguageError) as caught:
        formula("a*z + lgama(b)", SYMBOLS)
    assert str(caught.value) == (
        "line 1, column 7: unknown function 'lgama'; did you mean lgamma?\n  a*z + lgama(b)\n        ^"
    )


def test_long_lines_are_shown_around_the_place() -> None:
    with pytest.raises(LanguageError) as caught:
        formula("+".join(["x"] * 400) + "+ $ +" + "+".join(["x"] * 400), SYMBOLS)
    message, line, caret = str(caught.value).split("\n")
    assert "column 802" in message and len(line) < 110 and line[len(caret) - 1] == "$"


def test_names() -> None:
    assert names("a*b*z**(a-1) + exp(pi) + theta[i]") == ("a", "b", "i", "theta", "z")
    assert names("σ1 + μ_x + beta + gamma(a)") == ("a", "beta", "μ_x", "σ1")
    with pytest.raises(LanguageError, match="look alike"):
        names("ν + v")


def test_beta_and_gamma_are_parameters_unless_called() -> None:
    beta = sp.Symbol("beta", real=True)
    assert formula("beta(a, b)*beta", SYMBOLS | {"beta": beta}) == beta * MEANINGS["beta(a, b)"]


def test_elements_of_arrays() -> None:
    w, i = sp.IndexedBase("w", real=True), sp.Idx("i", 3)
    assert formula("2*w[i, 0]", {"w": w, "i": i}) == 2 * w[i, 0]
    with pytest.raises(LanguageError, match="is an array"):
        formula("w", {"w": w})


def test_every_function_builds() -> None:
    for name, function in FUNCTIONS.items():
        arguments = ", ".join(["x", "b", "a"][: function.least])
        assert formula(f"{name}({arguments})", SYMBOLS).free_symbols, name


pieces = st.one_of(
    st.sampled_from(["x", "a", "1", "0.5", "10", "9", "999", "pi", "oo", "1e300"]),
    st.sampled_from(["+", "-", "*", "/", "**", "^", "(", ")", ",", "<", "[", "]", " ", "."]),
    st.sampled_from([f"{name}(" for name in sorted(FUNCTIONS)] + ["where(", "sum("]),
)


@given(st.lists(pieces, max_size=25).map("".join))
def test_any_text_is_a_formula_or_an_error(text: str) -> None:
    with contextlib.suppress(LanguageError):
        formula(text, SYMBOLS)


@pytest.mark.speed
@given(st.lists(pieces, max_size=25).map("".join))
def test_any_text_is_read_quickly(text: str) -> None:
    with within(5 * QUICK, text), contextlib.suppress(LanguageError):
        formula(text, SYMBOLS)


def grown(leaves: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    one = st.sampled_from([n for n, f in FUNCTIONS.items() if f.least == 1])
    return st.one_of(
        st.tuples(leaves, st.sampled_from(["+", "-", "*", "/", "**"]), leaves).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        st.tuples(one, leaves).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(leaves, leaves, leaves).map(lambda t: f"where({t[0]} < {t[1]}, {t[2]}, {t[0]})"),
    )


@given(st.recursive(st.sampled_from(["x", "a", "z", "0", "1", "2", "0.5", "1000", "pi"]), grown, max_leaves=12))
def test_any_wellformed_formula_is_built_or_refused(text: str) -> None:
    try:
        made = formula(text, SYMBOLS)
    except LanguageError:
        return
    assert isinstance(made, sp.Expr) and not made.has(sp.nan, sp.zoo, sp.I)


@pytest.mark.parametrize("role", ["value", "parameter"])
def test_a_symbol_whose_name_is_code_is_only_a_name(role: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through Python any name can be given to a symbol: deriving, verifying and printing must not run it."""
    from symaux.api import derive
    from symaux.laws.law import law

    monkeypatch.chdir(tmp_path)
    code = sp.Symbol("open('run', 'w')", positive=True)
    plain = sp.Symbol("plain", positive=True)
    value, rate = (code, plain) if role == "value" else (plain, code)
    with contextlib.suppress(SymauxError):
        str(derive(law(value, rate * sp.exp(-rate * value))).verdict)
    assert not (tmp_path / "run").exists()


n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)


def test_sums_in_text() -> None:
    x = sp.Symbol("x", positive=True)
    assert formula("sum(x^k/k, k, 1, oo)", {"x": x}).doit() == sp.Sum(x**k / k, (k, 1, sp.oo)).doit()
    assert names("sum(a^k, k, 0, floor(z))") == ("a", "z") and names("k + sum(k, k, 0, 3)") == ("k",)
    for text in (
        "sum(x)",
        "sum(x^k, 2*k, 0, 3)",
        "sum(x^k, x, 0, 3)",
        "sum(x^k, k, 0, 1e9)",
        "sum(oo, k, 0, 3)",
        "sum(1, exp, 0, 3)",
    ):
        with pytest.raises(sa.SymauxError):
            formula(text, {"x": x})
