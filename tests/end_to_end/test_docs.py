"""The code of the documents runs and prints what they show, their links and paths exist, and their tables are up to date."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from support import architecture_page
from support.paths import ROOT

PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.S)
EXAMPLES = [(page, *match.groups()) for page in PAGES for match in EXAMPLE.finditer(page.read_text())]


def name(value: object) -> str:
    return value.stem if isinstance(value, Path) else ""


def test_every_block_of_code_shows_what_it_prints() -> None:
    assert len(EXAMPLES) == sum(page.read_text().count("```python") for page in PAGES) >= 5


@pytest.mark.parametrize(("page", "code", "output"), EXAMPLES, ids=name)
def test_the_code_prints_what_the_page_shows(page: Path, code: str, output: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, str(page), "exec"), {"__name__": "example"})
    assert out.getvalue().strip() == output.strip()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_paths_exist(page: Path) -> None:
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).exists(), link
    for path in re.findall(r"`((?:symaux|tests|rewrites|gallery)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path


def test_the_diagram_and_the_measures_are_up_to_date() -> None:
    page = architecture_page.PAGE.read_text()
    assert page == architecture_page.written_page(page), "run `make docs-tables`"
