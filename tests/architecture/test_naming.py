"""Names and sentences are plain technical English: what a program can check of docs/glossary.md and CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.layers import modules
from support.paths import ROOT

FILES = modules("symaux", "rewrites")
PARTICIPLES = (
    "told made found given held kept own apart together opened settled plain seen chosen whole near shown judged joined"
    " turned spread steadied"
)
BANNED_NAMES = frozenset(PARTICIPLES.split())
BANNED_MODULES = BANNED_NAMES | {"utils", "helpers", "core", "base", "misc", "common"}
BANNED_PHRASES = re.compile(
    r"(?<!there )\b(is|are) no (?!longer|more|larger|smaller|wider|better|other|less|fewer)[a-z]|(?<!there )\bis none\b"
    r"|\bhas no word\b|\bnews of\b"
)
# Names that were there before private functions and methods were read. This list may only shrink.
BASELINE = {
    "symaux/proof/scalar/reflection.py": {"_turned"},
    "symaux/proof/scalar/refute.py": {"_judged", "_settled"},
    "symaux/proof/shadowed.py": {"_plain"},
    "symaux/proof/vectors/random_point.py": {"plain"},
    "symaux/proof/vectors/refute.py": {"_shown"},
    "symaux/trusted/checker/check.py": {"plain"},
    "symaux/trusted/cover.py": {"_apart", "_shown", "settled"},
    "symaux/trusted/fold.py": {"_shown"},
    "symaux/trusted/region.py": {"_near", "_whole"},
    "symaux/trusted/tail_bound.py": {"_shown"},
}
# The docstring of a function or a module begins with one of these; a new verb is added once somebody needs it.
VERBS = frozenset((ROOT / "tests" / "architecture" / "verbs.txt").read_text().split())


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    yield from (n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.FunctionDef))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def inside(path: Path, *folders: str) -> bool:
    return shown(path).startswith(folders)


@pytest.mark.parametrize("path", [p for p in FILES.values() if not inside(p, "symaux/codegen/library/")], ids=shown)
def test_names_say_what_they_do(path: Path) -> None:
    """Those of methods and of private functions too, but for the library, whose names are those of generated code."""
    assert path.stem not in BANNED_MODULES
    nodes = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    banned = {n.name for n in nodes if n.name.strip("_") in BANNED_NAMES}
    assert banned <= BASELINE.get(shown(path), set())


@pytest.mark.parametrize(
    "path",
    [p for p in FILES.values() if not inside(p, "symaux/codegen/library/", "rewrites/")],
    ids=shown,
)
def test_docstrings_of_modules_begin_with_a_verb(path: Path) -> None:
    """But for those of the library and of rules, which begin with their formula."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    assert re.split(r"[\s,.:;]", text, maxsplit=1)[0] in VERBS, f"{shown(path)}: {text.splitlines()[:1]}"


@pytest.mark.parametrize(
    "path",
    [p for p in FILES.values() if not inside(p, "symaux/codegen/library/", "symaux/laws/families.py", "rewrites/")],
    ids=shown,
)
def test_docstrings_of_functions_begin_with_a_verb(path: Path) -> None:
    """Commands of the command line show their docstrings as help, and families and methods of sympy show a formula."""
    for function in functions(path):
        text = ast.get_docstring(function) or ""
        if not text or text.startswith("$"):
            continue
        first = re.split(r"[\s,.:;]", text, maxsplit=1)[0]
        assert first in VERBS, f"{shown(path)}:{function.lineno} {function.name}: {text.splitlines()[0]}"


@pytest.mark.parametrize("path", [p for p in FILES.values() if p.stem != "prepare"], ids=shown)
def test_sentences_are_plain_english(path: Path) -> None:
    """But for ``prepare``, whose sentences are generated code, which changes with a version only."""
    lines = enumerate(path.read_text().splitlines(), 1)
    assert not [f"{shown(path)}:{n}: {line.strip()}" for n, line in lines if BANNED_PHRASES.search(line)]


@pytest.mark.parametrize("page", [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"], ids=shown)
def test_pages_are_plain_english(page: Path) -> None:
    lines = [line for line in page.read_text().splitlines() if "never" not in line]
    assert not [line for line in lines if BANNED_PHRASES.search(line)]
