"""Write the report of a model's derivation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symaux.analysis.time_slice import slice_time_series, time_axes
from symaux.errors import NoRuleApplies
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.progress import notify
from symaux.rules.derivation import Derivation
from symaux.show.display.mathml import to_mathml
from symaux.show.display.mathml_statements import math_element
from symaux.show.drawing.labels import label
from symaux.show.reporting import sections as parts
from symaux.show.reporting.choice_section import choice_section
from symaux.show.reporting.density_plot import (
    DRAWS,
    At,
    Comparison,
    NothingToCompare,
    ParametricLaw,
    compare,
    readable_parameters,
    to_parametric,
)
from symaux.show.reporting.html import figure, tag, text
from symaux.show.reporting.html_page import Section, page
from symaux.show.reporting.interactive_diagram import influence_figure
from symaux.show.reporting.svg_plot import plot

WHOLE = "Hover over a variable, or move to it with the arrow keys, to light up its Markov blanket in both forms."
OTHERS = 8  # variables that are listed below a plot that they share
TOLD = f"The curve is the density as given; the bars are {DRAWS:,} draws of the generating function from fresh noise."
SLICE = (
    "The first steps of the series, one node a time step; everything without a time index is held fixed and left out."
)


def model_page(derivation: Derivation, title: str = "") -> str:
    """Return the page about the derivation of a model."""
    notify("verifying", "the whole model")
    verdict = derivation.verify()
    sections = [
        Section("model", "The model", _models(derivation)),
        Section("choice", "How far, and why", choice_section(derivation)),
        Section("blankets", "Blankets and information", _blankets(derivation)),
        Section("derivation", "The derivation", parts.steps(derivation)),
        Section("draws", "Densities and draws", _draws(derivation)),
        Section("code", "Generated code", _code(derivation)),
    ]
    lead = [
        tag("p", text(_counted(derivation)), class_="lead"),
        tag("p", parts.badge(verdict)),
        parts.evidence(verdict),
    ]
    return page(
        title or f"A model and its {_title(derivation).lower()}", "".join(lead), [s for s in sections if s.body]
    )


def _counted(derivation: Derivation) -> str:
    before, after = derivation.before, derivation.after
    moved = [n for n in before.latents if _has_noise(derivation, n)]
    listed = f": {', '.join(moved)}" if moved else ""
    return f"{len(before.latents)} latent and {len(after.observed)} observed variables, {len(moved)} rewritten{listed}."


def _has_noise(derivation: Derivation, name: str) -> bool:
    """Return whether a latent became a function of noise, and not only one of itself on the real line."""
    rewritten = derivation.after.nodes[name].kind == "deterministic"
    return rewritten and any(s.variable == name and s.rule != "unconstrain" for s in derivation.steps)


def _models(derivation: Derivation) -> str:
    before, after = derivation.before, derivation.after
    both = [parts.statements(before, "Original"), parts.statements(after, _title(derivation), before)]
    return tag("div", *both, class_="columns")


def _title(derivation: Derivation) -> str:
    return "Chosen forms" if derivation.choice else "Auxiliary form"


def _blankets(derivation: Derivation) -> str:
    """Return the templates, and for a time series a slice of it, which shows distances along the series."""
    notify("drawing", "both forms")
    both: tuple[Model, Model] = (derivation.before, derivation.after)
    titles = ("Original", _title(derivation))
    made = [influence_figure(1, both, WHOLE, titles)]
    if time_axes(derivation.before):
        made.append(influence_figure(2, [slice_time_series(model) for model in both], SLICE, titles))
    return "".join(made) + parts.gains(derivation)


def _draws(derivation: Derivation) -> str:
    """Return a plot for each law that was rewritten as a function of noise; laws with one kernel share it."""
    nodes = [node for name, node in derivation.before.nodes.items() if node.latent and _has_noise(derivation, name)]
    kernels: dict[Any, list[Law]] = {}
    for law in (s for node in nodes for s in node.statements if isinstance(s, Law)):
        kernels.setdefault(law if law.event else _shared(to_parametric(law)), []).append(law)
    shown = [_plot(laws) for laws in kernels.values()]
    return tag("p", TOLD) + tag("div", *shown, class_="plots") if shown else ""


def _shared(found: ParametricLaw) -> Any:
    return found.law, tuple(found.numbers.items())


def _plot(laws: list[Law]) -> str:
    from symaux.api import derive

    law, *others = laws
    notify("drawing from", law)
    name = math_element(to_mathml(law.value))
    more = "; likewise " + ", ".join(math_element(to_mathml(o.value)) for o in others[:OTHERS]) if others else ""
    more += f" and {len(others) - OTHERS} more" if len(others) > OTHERS else ""
    try:
        simple = to_parametric(law)
        found = compare(derive(simple.law, noise="normal"), readable_parameters(simple.law, simple.numbers))
    except (NothingToCompare, NoRuleApplies) as none:
        return figure("", name, f": no plot, for {text(none)}", more, ".")
    return figure(density_svg(found, str(law.value)), name, _at(found.at, simple.meaning), more, ".")


def density_svg(found: Comparison, name: str) -> str:
    """Return the density of a comparison over its histogram."""
    title = f"density of {name} and a histogram of {DRAWS} draws"
    return plot(title, [found.density], found.bars, (short(name), "density"))


def short(name: str) -> str:
    """Return a name for an axis: as it is drawn in diagrams, on one line."""
    return label(name.replace(" ", "")).text


def _at(at: At, meaning: Mapping[Any, Any]) -> str:
    pairs = [math_element(to_mathml(meaning[p]), "<mo>=</mo>", to_mathml(v)) for p, v in at.items() if p in meaning]
    return f" with {', '.join(pairs)}" if pairs else ""


def _code(derivation: Derivation) -> str:
    from symaux.api import to_source

    notify("generating", "code")
    return parts.code(lambda: to_source(derivation.after))
