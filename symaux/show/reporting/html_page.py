"""Write the page around all content: one file that fetches nothing, which its own security policy enforces."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from symaux.show.reporting.html import tag, text

FOOT = "Made by symaux. Nothing on this page is fetched from elsewhere."


@dataclass(frozen=True)
class Section:
    """A section of the page: the name of its anchor, its heading, and its HTML."""

    anchor: str
    heading: str
    body: str

    def __str__(self) -> str:
        name = f"{self.anchor}-heading"
        return tag("section", tag("h2", text(self.heading), id=name), self.body, id=self.anchor, aria_labelledby=name)


@lru_cache(maxsize=4)
def asset(name: str) -> str:
    """Return the text of the style sheet or of the script."""
    return files("symaux.show.reporting").joinpath(name).read_text(encoding="utf-8")


def policy(script: str) -> str:
    """Return a security policy under which nothing is fetched, and no script runs but this one.

    >>> policy("").split(";")[0]
    "default-src 'none'"
    """
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def head(title: str, script: str) -> str:
    """Return the head of a document with the common style sheet, and the policy that allows one script."""
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", text(title)),
        f"\n<style>\n{asset('page.css')}</style>\n",
    )


def document(title: str, lead: str, links: str, body: str, script: str) -> str:
    """Return a whole document: a heading, an introduction, links, the content, and a script."""
    top = tag("header", tag("h1", text(title)), lead, tag("nav", links, aria_label="Sections"))
    skip = tag("a", "Skip to the content", class_="skip", href="#content")
    inside = "\n".join([skip, top, tag("main", body, id="content"), tag("footer", FOOT), f"<script>{script}</script>"])
    whole = tag("html", head(title, script), tag("body", "\n", inside, "\n"), lang="en")
    return f"<!doctype html>\n{whole}\n"


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """Return a document of sections."""
    links = "".join(tag("a", text(s.heading), href=f"#{s.anchor}") for s in sections)
    return document(title, lead, links, "\n".join(map(str, sections)), asset("page.js"))
