"""Write the section of a report that gives the chosen form of each variable and the reason."""

from __future__ import annotations

from symaux.rules.choice import Choice, describe_weight
from symaux.rules.derivation import Derivation
from symaux.show.drawing.render import render
from symaux.show.reporting.html import figure, tag, text
from symaux.show.reporting.sections import math_name, scroll

HOW = {
    "advise": "The weights λ follow from how sharp each variable's prior and its data are, measured at a short pilot run",
    "learn": "The weights λ were fitted by a short variational run",
}
MEANING = "λ = 1 is the original form, λ = 0 the auxiliary form; in between a variable is tied least to its parents."


def choice_section(derivation: Derivation) -> str:
    """Return a sentence for each latent, its weight, and the picture that is shaded by the weights."""
    choice = derivation.choice
    if choice is None:
        return ""
    took = f"; choosing took {choice.gradients:,} gradients." if choice.gradients else "."
    rows = [_row(choice, name) for name in choice.reasons]
    head = tag("tr", *(tag("th", words, scope="col") for words in ("variable", "λ", "why")))
    shown = scroll(tag("table", tag("thead", head), tag("tbody", *rows), class_="gains"))
    drawn = figure(render(derivation), "Each variable is shaded by its λ, in the mean over its elements.")
    return tag("p", text(f"{HOW[choice.how]}{took} {MEANING}")) + shown + drawn


def _row(choice: Choice, name: str) -> str:
    weight = choice.weights.get(name)
    said = "–" if weight is None else describe_weight(weight).removeprefix("weights ").removeprefix("weight ")
    return tag("tr", tag("td", math_name(name)), tag("td", text(said)), tag("td", text(choice.reasons[name])))
