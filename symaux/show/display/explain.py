r"""Explain a derivation to a reader: numbered steps with rules, side conditions and evidence, in text, LaTeX or HTML.

>>> import sympy as sp
>>> from symaux.api import derive
>>> from symaux.laws.families import exponential
>>> z, r = sp.symbols("z r", positive=True)
>>> print(explain(derive(exponential(z, r)).derivation, "text"))
z ~ exponential(r)
<BLANKLINE>
1. location_scale
     z ~ exponential(r)
     z = eps_z/r
     eps_z ~ exponential(1)
     proved: the two laws are equal for all parameters in the region
       for r positive
       - g is continuous and strictly monotone, from (0, oo) onto (0, oo)
       - log q(eps) - log|g'(eps)| - log p(g(eps)) = 0, symbolically
       - the noise is normalised: its density integrates to 1
<BLANKLINE>
hence z = eps_z/r
  eps_z ~ exponential(1)
  proved: the two laws are equal for all parameters in the region
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symaux.errors import SymauxError
from symaux.laws.densities.charts import region
from symaux.laws.law import Law
from symaux.model.statements import Deterministic
from symaux.rules.derivation import Derivation, Step
from symaux.rules.verdict import Verdict
from symaux.show.display.latex import escape_text, latex, membership
from symaux.show.display.mathml_statements import law_math, statement_math

UNCHANGED = "every other statement is as it was; each noise is one fresh root of the graph"


def explain(derivation: Derivation, format: str = "text") -> str:
    """Return the derivation in one of the formats of ``FORMATS``."""
    if format not in FORMATS:
        raise SymauxError(f"an explanation is made as {', '.join(FORMATS)}, not as {format!r}")
    return FORMATS[format](derivation)


def to_text(derivation: Derivation) -> str:
    """Return numbered steps, each with its evidence, then what follows from them."""
    steps = [f"{number}. {step.rule}\n{_step_text(step)}" for number, step in enumerate(derivation.steps, 1)]
    kept = [f"kept {name}: {reason}" for name, reason in sorted(derivation.kept.items())]
    parts = [str(derivation.before), *steps, "\n".join(kept), _result_text(derivation)]
    return "\n\n".join(part for part in parts if part)


def verdict_on_step(step: Step) -> Verdict:
    """Return the verdict on a step, with its region in the parameters of the law itself: proofs are about kernels."""
    return step.verdict if getattr(step.verdict, "points", ()) else replace(step.verdict, region=region(step.before))


def _step_text(step: Step) -> str:
    lines = [str(step.before), f"{step.before.value} = {step.after.value}", *map(str, step.after.noise)]
    return "\n".join(f"     {line}" for line in [*lines, *str(verdict_on_step(step)).split("\n")])


def _result_text(derivation: Derivation) -> str:
    if not is_model(derivation):
        return f"hence {derivation.after}"
    return f"hence, since {UNCHANGED},\n{derivation.after}\n  {derivation.verdict.status.value}"


def is_model(derivation: Derivation) -> bool:
    """Return whether a whole model was rewritten, and not one law."""
    return not isinstance(derivation.before, Law)


def align(lines: list[str]) -> str:
    r"""Return formulas with one ``&`` each, one below another.

    >>> print(align(["a &= b", "c &= d"]))
    \begin{align*}
      a &= b \\
      c &= d
    \end{align*}
    """
    body = " \\\\\n  ".join(lines)
    return f"\\begin{{align*}}\n  {body}\n\\end{{align*}}"


def law_latex(law: Law) -> str:
    """Return the log-density and the support of a law, as a line of an alignment."""
    given = ", ".join(map(latex, law.parameters))
    about = latex(law.value) + (rf" \mid {given}" if given else "")
    if not law.proper and law.log_density == 0:
        return rf"\log p({about}) &= \text{{constant}}, && {latex(law.value)} {membership(law.support)}"
    return rf"\log p({about}) &= {latex(law.log_density)}, && {latex(law.value)} {membership(law.support)}"


def to_latex(derivation: Derivation) -> str:
    """Return an enumeration with an alignment for every step; needs amsmath."""
    steps = "\n".join(_step_latex(step) for step in derivation.steps)
    parts = [f"\\begin{{enumerate}}\n{steps}\n\\end{{enumerate}}"] if derivation.steps else []
    parts += [
        rf"\noindent Kept {escape_text(n)}: {escape_text(reason)}." for n, reason in sorted(derivation.kept.items())
    ]
    return "\n".join([*parts, _result_latex(derivation)])


def _step_latex(step: Step) -> str:
    made = [law_latex(step.before), rf"{latex(step.before.value)} &= {latex(step.after.value)}"]
    shown = align([*made, *map(law_latex, step.after.noise)])
    return rf"\item By \texttt{{{escape_text(step.rule)}}}:" + f"\n{shown}\n{verdict_latex(verdict_on_step(step))}"


def verdict_latex(verdict: Verdict) -> str:
    """Return the status, the region, and a list of the evidence."""
    where = rf", for {escape_text(', '.join(verdict.region))}" if verdict.region else ""
    told = [*verdict.evidence, *(f"witness: {name} = {value}" for name, value in verdict.witness)]
    listed = "\n".join(rf"  \item {escape_text(line)}" for line in told)
    items = f"\n\\begin{{itemize}}\n{listed}\n\\end{{itemize}}" if told else ""
    return rf"\emph{{{escape_text(verdict.status.value)}}}{where}.{items}"


def _result_latex(derivation: Derivation) -> str:
    if is_model(derivation):
        statements = align([statement_latex(s) for s in derivation.after.statements])
        return f"Hence, since {UNCHANGED},\n{statements}\n{escape_text(derivation.verdict.status.value)}."
    form = derivation.after
    lines = [rf"{latex(form.law.value)} &= {latex(form.value)}", *map(law_latex, form.noise)]
    return f"Hence\n{align(lines)}\n\\emph{{{escape_text(form.verdict.status.value)}}}."


def statement_latex(statement: Any) -> str:
    """Return a statement of a model, as a line of an alignment."""
    if isinstance(statement, Law):
        return law_latex(statement)
    aim = getattr(statement, "target", None)
    left = rf"{latex(aim)} &=" if aim is not None else r"\log p &\mathrel{+}="
    return f"{left} {latex(statement.formulas[0])}"


def to_html(derivation: Derivation) -> str:
    """Return a self-contained fragment: no script, no style sheet, formulas as MathML."""
    steps = "".join(f"<li>{_step_html(step)}</li>" for step in derivation.steps)
    kept = "".join(
        f"<li>kept <code>{html.escape(name)}</code>: {html.escape(reason)}</li>"
        for name, reason in sorted(derivation.kept.items())
    )
    listed = (f"<ol>{steps}</ol>" if steps else "") + (f"<ul>{kept}</ul>" if kept else "")
    return f'<div class="symaux-derivation">{listed}{_result_html(derivation)}</div>'


def law_html(law: Law) -> str:
    """Return a law as its name, or as its log-density and support."""
    return law_math(law)


def _step_html(step: Step) -> str:
    made = statement_math(Deterministic(step.before.value, step.after.value))
    shown = [law_html(step.before), made, *map(law_html, step.after.noise)]
    body = "<br>".join(shown)
    return f"<b>{html.escape(step.rule)}</b><br>{body}<br>{verdict_html(verdict_on_step(step))}"


def verdict_html(verdict: Verdict) -> str:
    """Return the status, the region, and a list of the evidence."""
    where = f" (for {html.escape(', '.join(verdict.region))})" if verdict.region else ""
    told = [*verdict.evidence, *(f"witness: {name} = {value}" for name, value in verdict.witness)]
    listed = "".join(f"<li>{html.escape(line)}</li>" for line in told)
    return f"<i>{html.escape(verdict.status.value)}</i>{where}" + (f"<ul>{listed}</ul>" if told else "")


def form_html(form: Any) -> str:
    """Return the generating function, its noise and the status."""
    made = statement_math(Deterministic(form.law.value, form.value))
    body = "<br>".join([made, *map(law_html, form.noise)])
    return f"{body}<br><i>{html.escape(form.verdict.status.value)}</i>"


def _result_html(derivation: Derivation) -> str:
    if not is_model(derivation):
        return f"<p>hence<br>{form_html(derivation.after)}</p>"
    after = "<br>".join(map(statement_math, derivation.after.statements))
    status = html.escape(derivation.verdict.status.value)
    return f"<p>hence, since {UNCHANGED},</p><p>{after}</p><p><i>{status}</i></p>"


FORMATS: dict[str, Callable[[Derivation], str]] = {"text": to_text, "latex": to_latex, "html": to_html}

__all__ = ["FORMATS", "explain", "form_html", "verdict_html"]
