"""Format what the command line prints: derivations as text, JSON, LaTeX or code; verdicts; the list of rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symaux.exchange.archive.records import with_words
from symaux.laws.law import Law
from symaux.rules.derivation import Derivation
from symaux.rules.form import AuxiliaryForm
from symaux.rules.verdict import Verdict
from symaux.show.display.latex import latex


@dataclass(frozen=True)
class Choice:
    """The requested output of a derivation; text if no other is requested."""

    json: bool = False
    code: bool = False
    latex: bool = False
    explain: bool = False
    html: bool = False

    @property
    def format(self) -> str:
        return "latex" if self.latex else "text"


def all_forms(law: Law, noise: str, accept: str | None) -> Iterator[AuxiliaryForm]:
    """Yield every form of a law as it is found; raise an error with the reason if there is none."""
    import symaux as sa

    forms = sa.forms(law, noise=noise, accept=accept)
    yield next(forms, None) or sa.derive(law, noise=noise, accept=accept)
    yield from forms


def find_forms(law: Law, noise: str, accept: str | None, all_of_them: bool) -> list[AuxiliaryForm]:
    """Return the best form of a law, or all of them."""
    import symaux as sa

    return list(all_forms(law, noise, accept)) if all_of_them else [sa.derive(law, noise=noise, accept=accept)]


def show_law(forms: list[AuxiliaryForm], choice: Choice, listed: bool = False) -> str:
    """Return the forms of a law in the requested output."""
    if choice.json:
        return json.dumps([with_words(f) for f in forms] if listed else with_words(forms[0]), indent=2)
    if choice.code:
        from symaux.api_forms import form_model_source

        return "\n\n".join(form_model_source(f) for f in forms)
    if choice.html:
        return html_page(forms[0])
    if choice.explain:
        return "\n\n".join(f.explain(choice.format) for f in forms)
    if choice.latex:
        return "\n".join(form_latex(f) for f in forms)
    return "\n\n".join(form_text(f) for f in forms)


def show_model(derivation: Derivation, choice: Choice) -> str:
    """Return the derivation of a model in the requested output."""
    if choice.json:
        return json.dumps(with_words(derivation), indent=2)
    if choice.code:
        import symaux as sa

        return sa.to_source(derivation)
    if choice.html:
        return html_page(derivation)
    if choice.explain:
        return derivation.explain(choice.format)
    if choice.latex:
        return "\n".join(statement_latex(s) for s in derivation.after.statements)
    return f"{derivation}\n\n{derivation.after}\n\n{derivation.verdict}"


def html_page(thing: AuxiliaryForm | Derivation) -> str:
    """Return the page about a derivation as HTML."""
    from symaux.show.reporting.report import report

    return report(thing)


def form_text(form: AuxiliaryForm) -> str:
    """Return a form with its evidence and its steps as text.

    >>> import sympy as sp
    >>> from symaux.laws.families import exponential
    >>> from symaux.api import derive
    >>> z, r = sp.symbols("z r", positive=True)
    >>> form_text(derive(exponential(z, r))).split("\\n")[0]
    'z = eps_z/r'
    """
    noise = "\n".join(f"  {n}" for n in form.noise)
    return f"{form.law.value} = {form.value}\n{noise}\n\n{form.derivation}\n\n{form.verdict}"


def form_latex(form: AuxiliaryForm) -> str:
    """Return the form as one displayed formula."""
    noises = r",\quad ".join(rf"\log p({latex(n.value)}) = {latex(n.log_density)}" for n in form.noise)
    return rf"\[ {latex(form.law.value)} = {latex(form.value)},\quad {noises} \]"


def statement_latex(statement: Any) -> str:
    """Return a statement of a model as a displayed formula."""
    if isinstance(statement, Law):
        return rf"\[ \log p({latex(statement.value)}) = {latex(statement.log_density)} \]"
    aim = getattr(statement, "target", None)
    left = rf"{latex(aim)} = " if aim is not None else r"\log p \mathrel{+}= "
    return rf"\[ {left}{latex(statement.formulas[0])} \]"


def verification(derivation: Derivation, verdict: Verdict, as_json: bool = False, calibration: Any = None) -> str:
    """Return a line for every step, then the whole, and the calibration if there is one."""
    if as_json:
        steps = [{"variable": s.variable, "rule": s.rule, "verdict": s.verdict.as_dict()} for s in derivation.steps]
        data = {"steps": steps, "kept": dict(sorted(derivation.kept.items())), "verdict": verdict.as_dict()}
        return json.dumps(data | ({} if calibration is None else {"calibration": calibration.as_dict()}), indent=2)
    lines = [f"{s.variable}: {s.rule}: {s.verdict.status.value}" for s in derivation.steps]
    lines += [f"{name}: kept: {reason}" for name, reason in sorted(derivation.kept.items())]
    ranks = [] if calibration is None else ["", str(calibration)]
    return "\n".join([*lines, "", f"the whole: {verdict}", *ranks])


def rechecks(found: list[Any]) -> str:
    """Return the results of records that were checked again, as plain data."""
    data = [{"holds": r.holds, "flaws": list(r.flaws), "verdict": r.verdict.as_dict()} for r in found]
    return json.dumps(data, indent=2)


def rules() -> str:
    """Return the rules in the order in which they are tried, each with its description."""
    from symaux.rules.plugins import default_rules

    known = default_rules()
    width = max(len(rule.name) for rule in known)
    return "\n".join(f"{rule.name:{width}}  {rule.summary}" for rule in known)
