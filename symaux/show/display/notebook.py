"""Show models, laws, forms and verdicts in a notebook as HTML, SVG and LaTeX.

HTML is complete in itself: formulas are MathML, pictures SVG, and nothing is fetched.
"""

from __future__ import annotations

from typing import Any

from symaux.errors import SymauxError
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.rules.verdict import Verdict
from symaux.show.display.explain import align, statement_latex, verdict_latex
from symaux.show.display.latex import escape_text, latex, membership
from symaux.show.display.mathml_statements import law_math, model_rows


def picture(x: Any) -> str | None:
    """Return the SVG of a model or a derivation; None for one that is too large to draw."""
    from symaux.show.drawing.render import svg

    try:
        return svg(x)
    except SymauxError:
        return None


def model_html(model: Model) -> str:
    """Return a model's picture above its statements."""
    rows = [
        f"<tr><td>{'observed' if seen else ''}</td><td>{formula}</td><td>{where}</td></tr>"
        for _, formula, where, seen in model_rows(model)
    ]
    return f"{picture(model) or ''}<table>{''.join(rows)}</table>"


def model_latex(model: Model) -> str:
    """Return the statements of a model, one below another."""
    return align([statement_latex(statement) for statement in model.statements])


def law_html(law: Law) -> str:
    """Return a law as its family, or as its log-density and support."""
    return law_math(law)


def law_latex(law: Law) -> str:
    r"""Return a law in LaTeX: a family as its name.

    >>> import sympy as sp
    >>> from symaux.laws.families import half_normal
    >>> print(law_latex(half_normal(sp.Symbol("tau", positive=True), 2)))
    $\displaystyle \tau \sim \mathrm{HalfNormal}\left(2\right)$
    """
    value = latex(law.value)
    if law.spelling:
        name = "".join(part.capitalize() for part in law.spelling.family.split("_"))
        arguments = ", ".join(map(latex, law.spelling.arguments))
        return rf"$\displaystyle {value} \sim \mathrm{{{escape_text(name)}}}\left({arguments}\right)$"
    told = latex(law.log_density) if law.proper or law.log_density != 0 else r"\text{constant}"
    return rf"$\displaystyle \log p({value}) = {told}, \quad {value} {membership(law.support)}$"


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict in LaTeX: the status, the region and the evidence."""
    return verdict_latex(verdict)
