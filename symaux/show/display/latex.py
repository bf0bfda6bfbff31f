r"""Typeset formulas and text as LaTeX and HTML: names are escaped, noise is ε, and no name can end its element."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from symaux.show.display.mathml import to_mathml

ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
           ">": r"\textgreater{}", "|": r"\textbar{}"} | {c: f"\\{c}" for c in "&%$#_{}"}  # fmt: skip
PLAIN = re.compile(r"\w+")


def escape_text(text: str) -> str:
    r"""Return text escaped for LaTeX.

    >>> print(escape_text("100% of inverse_cdf"))
    100\% of inverse\_cdf
    """
    return "".join(ESCAPES.get(character, character) for character in text)


def latex(formula: Any) -> str:
    r"""Return a formula in LaTeX: noise is ε with its variable as index, a name of several letters is upright.

    >>> print(latex(sp.Symbol("eps_z_1")*sp.Symbol("scale") + sp.Symbol("mu")))
    \varepsilon_{z,1} \mathrm{scale} + \mu
    >>> print(latex(sp.Symbol("50%")))
    \mathrm{50\%}
    """
    symbols = formula.atoms(sp.Symbol)
    return sp.latex(formula, symbol_names={s: label for s in symbols if (label := _label(s))})


def _label(symbol: sp.Symbol) -> str:
    if not PLAIN.fullmatch(symbol.name):
        return rf"\mathrm{{{escape_text(symbol.name)}}}"
    head, _, rest = symbol.name.partition("_")
    if head == "eps" and rest:
        return rf"\varepsilon_{{{rest.replace('_', ',')}}}"
    if head == "partial" and rest:
        return rf"\tilde{{z}}_{{{rest.replace('_', ',')}}}"
    plain = len(symbol.name) > 1 and symbol.name.isalpha() and sp.latex(symbol) == symbol.name
    return rf"\mathrm{{{symbol.name}}}" if plain else ""


def membership(support: Any) -> str:
    r"""Return the support of a variable in LaTeX, to be placed after the variable.

    >>> from symaux.formulas.symbols.support import Interval
    >>> print(membership(Interval(sp.S.Zero, sp.oo)))
    \in \left(0, \infty\right)
    """
    if hasattr(support, "lower") and not support.discrete:
        return rf"\in \left({latex(support.lower)}, {latex(support.upper)}\right)"
    return rf"\text{{ on {escape_text(str(support))}}}"


def mathml(formula: Any) -> str:
    """Return a formula as MathML, which browsers show natively; a name that is not an identifier is text in it.

    >>> mathml(sp.Symbol("z") + 1)
    '<math><mrow><mi>z</mi><mo>+</mo><mn>1</mn></mrow></math>'
    >>> mathml(sp.Symbol("<b>"))
    '<math><mtext>&lt;b&gt;</mtext></math>'
    """
    return f"<math>{to_mathml(formula)}</math>"
