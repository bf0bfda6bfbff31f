"""The page of benchmarks by sections, so that each script replaces its own and leaves the others alone."""

from __future__ import annotations

import re

from support.paths import GALLERY

PAGE = GALLERY / "benchmarks.md"


def replaced(page: str, title: str, text: str) -> str:
    """The page with one section's text new, where it was or at the end.

    >>> print(replaced("# B\\n\\n## One\\n\\nold\\n\\n## Two\\n\\nkept\\n", "One", "new"), end="")
    # B
    <BLANKLINE>
    ## One
    <BLANKLINE>
    new
    <BLANKLINE>
    ## Two
    <BLANKLINE>
    kept
    """
    head, *rest = re.split(r"^## ", page, flags=re.MULTILINE)
    sections = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in rest}
    sections[title] = text.strip()
    return "\n\n".join([head.strip(), *(f"## {name}\n\n{body}" for name, body in sections.items())]) + "\n"


def put(title: str, text: str) -> None:
    """Writes a section into the page."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# Benchmarks\n"
    PAGE.write_text(replaced(page, title, text), encoding="utf-8")
