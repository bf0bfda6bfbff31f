"""Write the report of one law: its formula, the derivation, the verdict, the density with draws, g, and the code."""

from __future__ import annotations

from symaux.model.statements import Deterministic
from symaux.progress import notify
from symaux.rules.form import AuxiliaryForm
from symaux.show.display.mathml import to_mathml
from symaux.show.display.mathml_statements import law_math, math_element, statement_math
from symaux.show.reporting import sections as parts
from symaux.show.reporting.density_plot import DRAWS, At, NothingToCompare, compare, generating_curves
from symaux.show.reporting.html import figure, tag, text
from symaux.show.reporting.html_page import Section, page
from symaux.show.reporting.model_page import density_svg, short
from symaux.show.reporting.svg_plot import plot


def law_page(form: AuxiliaryForm, title: str = "") -> str:
    """Return the page about the form of a law."""
    sections = [
        Section("form", "The form", _form(form)),
        Section("derivation", "The derivation", parts.steps(form.derivation)),
        Section("draws", "Density, draws and g", _plots(form)),
        Section("code", "Generated code", parts.code(lambda: _source(form))),
    ]
    lead = tag("p", parts.badge(form.verdict)) + parts.evidence(form.verdict)
    return page(title or f"The auxiliary form of {form.law.name}", lead, [s for s in sections if s.body])


def _form(form: AuxiliaryForm) -> str:
    lines = [law_math(form.law), statement_math(Deterministic(form.law.value, form.value)), *map(law_math, form.noise)]
    return parts.scroll(*(tag("div", line, class_="formulas") for line in lines))


def _plots(form: AuxiliaryForm) -> str:
    notify("drawing from", form.law)
    try:
        found = compare(form)
    except NothingToCompare as none:
        return tag("p", f"No plot, for {text(none)}.")
    values = ", ".join(math_element(to_mathml(p), "<mo>=</mo>", to_mathml(v)) for p, v in found.at.items())
    told = f"The density as given, and {DRAWS:,} draws of the generating function"
    bars = figure(density_svg(found, str(form.law.value)), told, f" at {values}." if values else ".")
    return tag("div", bars, _generating(form, found.at), class_="plots")


def _generating(form: AuxiliaryForm, at: At) -> str:
    try:
        curves = generating_curves(form, at)
    except NothingToCompare:
        return ""
    noise, *rest = form.noise
    held = f"; {math_element(to_mathml(rest[0].value))} held at its 10 %, 50 % and 90 % quantiles" if rest else ""
    names = (short(str(noise.value)), short(str(form.law.value)))
    drawn = plot(f"{names[1]} as a function of {names[0]}", curves, None, names)
    return figure(drawn, "The generating function along ", math_element(to_mathml(noise.value)), held, ".")


def _source(form: AuxiliaryForm) -> str:
    from symaux.api_forms import form_model_source

    return form_model_source(form)
