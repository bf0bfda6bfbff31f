"""Rooms are layers, text never becomes code but in one place, and files stay small."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from support.layers import CONVENIENCE, LAYERS, ROOT, edges, imports, modules, upward

FILES = modules("symaux", "rewrites")
MODULES = list(FILES.values())
EVERYTHING = [*MODULES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "gallery").rglob("*.py"))]
LONGEST = 400
CROWDED = 24  # files in a directory
SHORT = {"symaux/proof/equality"}  # packages that still say too little; this list may only shrink


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def inside(path: Path, *packages: str) -> bool:
    return any(shown(path).startswith(p) for p in packages)


def top(module: str) -> str:
    return module.split(".")[0]


def test_a_room_imports_only_what_stands_above_it() -> None:
    """Lazy imports count too; the exceptions are convenience methods, and one that is gone leaves the list."""
    assert upward(modules("symaux")) == CONVENIENCE


def test_the_order_of_the_rooms_would_notice_an_import_from_below(tmp_path: Path) -> None:
    path = tmp_path / "law.py"
    path.write_text("def lazily():\n    from symaux.codegen.load import load\n")
    files = {**modules("symaux"), "symaux.laws.law": path}
    assert ("laws.law", "codegen.load") in upward(files)


def test_there_are_few_rooms_and_none_is_crowded() -> None:
    rooms = {path.name for path in (ROOT / "symaux").iterdir() if path.is_dir() and path.name != "__pycache__"}
    loose = {path.stem for path in (ROOT / "symaux").glob("*.py")}
    assert rooms | loose == {*LAYERS, "__init__"}
    assert len(loose) <= 8 and len(rooms) <= 17
    for folder in {path.parent for path in MODULES}:
        assert len([p for p in folder.glob("*.py") if p.name != "__init__.py"]) <= CROWDED, shown(folder)


@pytest.mark.parametrize("folder", sorted({p.parent for p in FILES.values()}), ids=shown)
def test_a_room_says_what_it_holds_and_where_to_begin(folder: Path) -> None:
    """Three to six sentences that name the file to read first; every file that they name exists."""
    text = (ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or "").partition(">>>")[0]
    words = " ".join(text.split())
    sentences = re.findall(r"\.(?= |$)", re.sub(r"``.*?``|\$.*?\$", "", words))
    assert shown(folder) in SHORT or 3 <= len(sentences) <= 6, f"{shown(folder)}: {len(sentences)} sentences"
    first = words.rpartition("Read ``")[2].partition("``")[0]
    assert (folder / first).is_file(), f"{shown(folder)}: which file should be read first?"
    for named in re.findall(r"``([\w/]+\.(?:py|md))``", words):
        assert any((home / named).is_file() for home in (folder, *folder.parents)), f"{shown(folder)}: no file {named}"


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_rules_are_an_argument(path: Path) -> None:
    """No symaux module imports rewrites; the defaults come from the entry points."""
    if inside(path, "symaux/"):
        assert not [m for m, _ in imports(path) if top(m) == "rewrites"]


@pytest.mark.parametrize("path", [p for p in MODULES if inside(p, "rewrites/")], ids=shown)
def test_rewrites_use_the_public_api_alone(path: Path) -> None:
    """Exactly what somebody else's rules would import: symaux, and the toolkit for authors of rules; doctests too."""
    own = {"symaux", "rewrites", "sympy", "mpmath", "__future__", *sys.stdlib_module_names}
    assert not [m for m, _ in imports(path) if top(m) not in own]
    deep = [m for m, _ in imports(path) if top(m) == "symaux" and m != "symaux"]
    assert not [m for m in deep if not m.startswith("symaux.rules.toolkit.")]
    assert not re.search(r"(from|import) symaux\.(?!rules\.toolkit)", path.read_text())


def test_the_toolkit_exports_what_rules_use_and_stands_above_them() -> None:
    exported = set(importlib.import_module("symaux.rules.toolkit").__all__)
    used = {m.rpartition(".")[2] for p in MODULES if inside(p, "rewrites/") for m, _ in imports(p) if "toolkit" in m}
    assert used <= exported


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_only_code_generation_loads_jax(path: Path) -> None:
    """Others may reach for it inside a function, drawing not at all."""
    found = [(m, at_import) for m, at_import in imports(path) if top(m) in ("jax", "jaxlib")]
    if inside(path, "symaux/show/drawing/", "symaux/language/", "symaux/proof/", "rewrites/"):
        assert not found
    elif not inside(path, "symaux/codegen/"):
        assert not [m for m, at_import in found if at_import]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_text_becomes_code_in_one_place(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    named = {(c.func.id if isinstance(c.func, ast.Name) else getattr(c.func, "attr", "")) for c in calls}
    plain = {c.func.id for c in calls if isinstance(c.func, ast.Name)}
    found = (named & {"sympify", "parse_expr", "lambdify", "run_path"}) | (
        plain & {"eval", "exec", "compile", "__import__"}
    )
    allowed = {
        "symaux/codegen/load.py": {"exec", "compile"},
        "symaux/files/script.py": {"run_path"},
    }
    assert found <= allowed.get(shown(path), set())


def test_imports_make_no_circle() -> None:
    loaded = [(name, target) for name, target, at_load in edges(FILES) if at_load and not name.startswith(f"{target}.")]
    circle = next(iter(nx.simple_cycles(nx.DiGraph(loaded))), None)
    assert circle is None, " -> ".join(circle or [])


@pytest.mark.parametrize("path", [p for p in EVERYTHING if not inside(p, "gallery/generated/")], ids=shown)
def test_no_file_gets_away(path: Path) -> None:
    """Nobody writes what is generated: it is as long as the library functions that it carries."""
    assert len(path.read_text().splitlines()) <= LONGEST


def loaded_by(code: str) -> set[str]:
    text = f"{code}\nimport sys; print('LOADED', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=60)
    return {top(m) for m in done.stdout.partition("LOADED")[2].split()}


def test_import_symaux_does_not_load_jax() -> None:
    assert not loaded_by("import symaux") & {"jax", "jaxlib", "sympy", "networkx"}
    assert not loaded_by("import symaux; symaux.Model, symaux.auxiliary, symaux.derive") & {"jax", "jaxlib"}


def test_public_names_are_what_they_say_whatever_was_imported_first() -> None:
    """A submodule must not take the place of the function of the same name, as symaux.laws.law could of sa.law."""
    modules = [".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for p in MODULES]
    first = "; ".join(f"import {m}" for m in modules if m.startswith("symaux.") and m != "symaux.cli.main")
    check = "*(n for home in (sa, sa.learn) for n in home.__all__ if isinstance(getattr(home, n), types.ModuleType))"
    code = f"{first}\nimport types, symaux as sa\nprint('LOADED', {check})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == ["LOADED"]


def test_help_does_not_load_sympy() -> None:
    code = "from symaux.cli.main import cli; cli.main(['--help'], standalone_mode=False)"
    for command in ("", "'derive', ", "'demo', "):
        heavy = {"sympy", "networkx", "jax", "jaxlib", "numpy", "lark", "rich"}
        assert not loaded_by(code.replace("['--help']", f"[{command}'--help']")) & heavy
