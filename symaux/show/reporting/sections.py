"""Write the sections of a report that are text and formulas: statements, gains, steps with their evidence, code."""

from __future__ import annotations

from collections.abc import Callable

from symaux.analysis.blanket import markov_blanket
from symaux.analysis.factor_graph import factor_graph
from symaux.analysis.information import information_distance
from symaux.errors import SymauxError
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.rules.derivation import Derivation, Step
from symaux.rules.verdict import Status, Verdict
from symaux.show.display.explain import verdict_on_step
from symaux.show.display.mathml import name_mathml
from symaux.show.display.mathml_statements import law_math, model_rows, statement_math
from symaux.show.reporting.highlight import highlight
from symaux.show.reporting.html import tag, text

SIGNS = {
    Status.PROVED: ("good", "✓"), Status.CERTIFIED: ("good", "✓"), Status.APPROXIMATE: ("fair", "≈"),
    Status.SAMPLED: ("fair", "?"), Status.UNDECIDED: ("fair", "?"), Status.REFUTED: ("bad", "✗"),
}  # fmt: skip
HEADS = ("Markov blanket", "steps from the farthest observation")
MOST = 60  # rows of the table of gains


def scroll(*inner: str) -> str:
    """Return content that may be wider than the screen in a box that scrolls, also by the keyboard."""
    return tag("div", *inner, class_="scroll", tabindex="0")


def statements(model: Model, title: str, before: Model | None = None) -> str:
    """Return the statements of a model, one per row; those that are not in ``before`` are marked."""
    old = set(before.statements) if before else set(model.statements)
    rows = []
    for statement, formula, where, observed in model_rows(model):
        new = statement not in old
        mark = tag("span", "observed" if observed else "new", class_="tag") if observed or new else ""
        cells = [tag("td", formula), tag("td", where, class_="range"), tag("td", mark)]
        rows.append(tag("tr", *cells, class_="new" if new else "old"))
    return tag("div", tag("h3", title), scroll(tag("table", *rows, class_="statements")))


def badge(verdict: Verdict) -> str:
    """Return the status as a sign and as text, never by colour alone."""
    kind, sign = SIGNS[verdict.status]
    return tag("span", f"{sign} ", text(verdict.status.value), class_=f"verdict {kind}")


def evidence(verdict: Verdict) -> str:
    """Return the region that a verdict covers and what it rests on."""
    joint = "; or " if verdict.points else ", "
    where = [f"for {joint.join(verdict.region)}"] if verdict.region else []
    told = [*where, *verdict.evidence, *(f"witness: {name} = {value}" for name, value in verdict.witness)]
    listed = tag("ul", *(tag("li", text(line)) for line in told))
    return tag("details", tag("summary", "evidence"), listed) if told else ""


def step(given: Step) -> str:
    """Return one rewrite: the law, the generating function, the noise, and the evidence."""
    made = statement_math(Deterministic(given.before.value, given.after.value))
    formulas = [law_math(given.before), made, *map(law_math, given.after.noise)]
    shown = tag("div", scroll(*(tag("div", formula) for formula in formulas)), class_="formulas")
    verdict = verdict_on_step(given)
    head = tag("span", text(given.rule), class_="rule") + f" on {math_name(given.variable)}"
    return tag("li", head, shown, badge(verdict), evidence(verdict))


def math_name(name: str) -> str:
    """Return a name as it occurs in formulas."""
    return tag("math", name_mathml(name))


def steps(derivation: Derivation) -> str:
    """Return all steps in order, then the variables that were not rewritten, with the reasons."""
    listed = tag("ol", *map(step, derivation.steps), class_="steps-list") if derivation.steps else ""
    kept = [tag("li", math_name(name), f": {text(why)}") for name, why in sorted(derivation.kept.items())]
    return listed + (tag("h3", "Kept as they were") + tag("ul", *kept) if kept else "")


def gains(derivation: Derivation) -> str:
    """Return for each latent the size of its blanket and the steps from the farthest observation, before and after."""
    sides = [factor_graph(model) for model in (derivation.before, derivation.after)]
    reach = [{x: information_distance(side, x) for x in sorted(side.observed)} for side in sides]
    rows = []
    for name in [n for n in sides[0].kinds if n in sides[0].latents][:MOST]:
        sizes = [len(markov_blanket(side, name)) for side in sides]
        far = [_farthest(side.coordinates(name), seen) for side, seen in zip(sides, reach, strict=True)]
        cells = [tag("td", str(value), class_="number") for value in (*sizes, *far)]
        rows.append(tag("tr", tag("td", math_name(name)), *cells))
    if not rows:
        return ""
    wide = [tag("th", words, scope="colgroup", colspan="2") for words in HEADS]
    head = tag("tr", tag("th", "variable", scope="col", rowspan="2"), *wide)
    both = tag("tr", *2 * [tag("th", "before", scope="col"), tag("th", "after", scope="col")])
    return scroll(tag("table", tag("thead", head, both), tag("tbody", *rows), class_="gains"))


def _farthest(own: frozenset[str], seen: dict[str, dict[str, int]]) -> str:
    found = [min((reached[n] for n in own if n in reached), default=0) for reached in seen.values()]
    return str(max(found, default=0) or "–")


def code(write: Callable[[], str]) -> str:
    """Return generated code with a button that copies it, or the reason why there is none."""
    try:
        source = write()
    except SymauxError as failure:
        return tag("p", "No code was generated:") + tag("pre", text(failure), tabindex="0")
    button = tag("button", "Copy", type="button", class_="copy", data_copies="source", hidden=True)
    shown = tag("pre", tag("code", highlight(source), id="source"), tabindex="0")
    return tag("div", button, shown, class_="code")
