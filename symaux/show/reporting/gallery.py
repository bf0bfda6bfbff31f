"""Build the gallery as a site: a page and a thumbnail for each model and each law, and an index of the thumbnails.

A script of the gallery defines ``model`` (with ``options`` for the rewrite and a ``focus`` for its picture), or ``laws``,
a dict from names to functions that make a law.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symaux.errors import NoRuleApplies, SymauxError
from symaux.files.script import run_script
from symaux.show.display.mathml_statements import law_math
from symaux.show.reporting.density_plot import NothingToCompare, compare
from symaux.show.reporting.html import tag, text
from symaux.show.reporting.html_page import document
from symaux.show.reporting.model_page import density_svg
from symaux.show.reporting.report import report

DEFINES = re.compile(r"^(model|laws)\s*=", re.MULTILINE)
INTRODUCTION = "Models and laws in auxiliary form: derived from their formulas, with evidence, pictures and code."


@dataclass(frozen=True)
class Exhibit:
    """One exhibit: its file name, its title, whether it is a model or a law, and the function that makes page and thumbnail."""

    name: str
    title: str
    kind: str
    make: Callable[[], tuple[str, str]]


def exhibits(folder: Path) -> Iterator[Exhibit]:
    """Return the models and laws that the scripts of a folder define, models first."""
    paths = [p for p in sorted(folder.glob("*.py")) if DEFINES.search(p.read_text(encoding="utf-8"))]
    scripts = [(path.stem, run_script(path)) for path in paths]
    for name, script in scripts:
        if "model" in script:
            yield _model(name, script)
    for _, script in scripts:
        for name, make in script.get("laws", {}).items():
            yield Exhibit(f"law-{_file_name(name)}", name, "law", lambda name=name, make=make: _law(name, make))


def _file_name(name: str) -> str:
    """Return a name without characters that are unsafe in a path.

    >>> _file_name("Fisher's z/2")
    'Fisher-s-z-2'
    """
    return re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")


def _model(name: str, script: dict[str, Any]) -> Exhibit:
    title = ((script.get("__doc__") or name).strip().splitlines() or [name])[0]

    def make() -> tuple[str, str]:
        from symaux.api import auxiliary
        from symaux.show.drawing.render import render

        derivation = auxiliary(script["model"], **script.get("options", {}))
        return report(derivation, title), render(derivation, focus=script.get("focus"), legend=False)

    return Exhibit(_file_name(name), title, "model", make)


def _law(name: str, make: Callable[[], Any]) -> tuple[str, str]:
    """Return the page of a law with its evidence, or a page with the reason why it has no form."""
    try:
        law = make()
    except SymauxError as failure:
        return document(name, tag("pre", text(failure), tabindex="0"), "", "", ""), ""
    try:
        form = _form(law)
    except SymauxError as failure:
        return document(name, tag("p", law_math(law)), "", tag("pre", text(failure), tabindex="0"), ""), ""
    try:
        thumbnail = density_svg(compare(form), str(form.law.value))
    except NothingToCompare:
        thumbnail = ""
    return report(form, name), thumbnail


def _form(law: Any) -> Any:
    """Return the best form; a form checked only by sampling where there is nothing stronger: its page says so."""
    from symaux.api import derive

    try:
        return derive(law)
    except NoRuleApplies:
        return derive(law, accept="sampled")


def index(shown: Iterable[tuple[Exhibit, str]], more: Iterable[tuple[str, str]] = ()) -> str:
    """Return the index: a card with a thumbnail for each exhibit, and links to other pages (file, title)."""
    listed = list(shown)
    groups = [(kind, [pair for pair in listed if pair[0].kind == kind]) for kind in ("model", "law")]
    parts = [
        tag(
            "section", tag("h2", f"{kind.capitalize()}s"), tag("div", *map(_card, pairs), class_="cards"), id=f"{kind}s"
        )
        for kind, pairs in groups
        if pairs
    ]
    links = [tag("a", f"{kind.capitalize()}s ({len(pairs)})", href=f"#{kind}s") for kind, pairs in groups if pairs]
    links += [tag("a", text(title), href=file) for file, title in more]
    return document("The symaux gallery", tag("p", INTRODUCTION, class_="lead"), "".join(links), "".join(parts), "")


def _card(pair: tuple[Exhibit, str]) -> str:
    exhibit, thumbnail = pair
    shown = thumbnail or tag("p", "no picture", class_="lead")
    picture = tag("div", shown, class_="thumbnail", aria_hidden="true")
    return tag("a", picture, tag("span", text(exhibit.title)), class_="card", href=f"{exhibit.name}.html")
