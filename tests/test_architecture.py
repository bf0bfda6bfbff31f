"""Dependencies run one way, text never becomes code but in one place, and files stay small."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(p for top in ("symaux", "rewrites") for p in (ROOT / top).rglob("*.py"))
EVERYTHING = [*MODULES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "gallery").rglob("*.py"))]
ROOTS = {
    "symaux/__init__.py",
    "symaux/cli.py",
    "symaux/defaults.py",
    "symaux/demo.py",
    "symaux/printing.py",
    "symaux/running.py",
}
LONGEST = 400


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Every module that a file imports, and whether it does so when it is itself imported."""
    tree = ast.parse(path.read_text())
    lazy = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for inner in ast.walk(node)
    }
    typing = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in typing:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node not in lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{shown(path)}: a relative import"
            yield from ((f"{node.module}.{alias.name}", node not in lazy) for alias in node.names)


def inside(path: Path, *packages: str) -> bool:
    return any(shown(path).startswith(p) for p in packages)


def top(module: str) -> str:
    return module.split(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_rules_are_an_argument(path: Path) -> None:
    """No symaux module imports rewrites; the defaults come from the entry points."""
    if inside(path, "symaux/"):
        assert not [m for m, _ in imports(path) if top(m) == "rewrites"]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_rewrites_use_the_engine_as_a_user_would(path: Path) -> None:
    if not inside(path, "rewrites/"):
        return
    own = {"symaux", "rewrites", "sympy", "mpmath", "__future__", *sys.stdlib_module_names}
    assert not [m for m, _ in imports(path) if top(m) not in own]
    beyond = ("symaux.codegen", "symaux.drawing", "symaux.proof", "symaux.cli", "symaux.defaults", "symaux.engine")
    assert not [m for m, _ in imports(path) if m.startswith(beyond)]
    assert not [m for m, _ in imports(path) if m.split(".")[-1].startswith("_") and top(m) == "symaux"]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_only_code_generation_loads_jax(path: Path) -> None:
    """Others may reach for it inside a function, drawing not at all."""
    found = [(m, at_import) for m, at_import in imports(path) if top(m) in ("jax", "jaxlib")]
    if inside(path, "symaux/drawing/", "symaux/language/", "symaux/proof/", "rewrites/"):
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
        "symaux/codegen/execute.py": {"exec", "compile"},
        "symaux/targets.py": {"run_path"},
    }
    assert found <= allowed.get(shown(path), set())


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_dependencies_run_one_way(path: Path) -> None:
    """The composition root sees everything; nothing sees it at import, and the language knows only laws."""
    loaded = {m for m, at_import in imports(path) if at_import}
    if shown(path) not in ROOTS:
        assert not [m for m in loaded if m.startswith(("symaux.cli", "symaux.defaults", "symaux.demo"))]
    forbidden = {
        "symaux/proof/": ("symaux.engine", "symaux.search", "symaux.codegen", "symaux.drawing", "symaux.plugins"),
        "symaux/drawing/": ("symaux.engine", "symaux.proof", "symaux.codegen", "symaux.plugins"),
        "symaux/codegen/": ("symaux.engine", "symaux.proof", "symaux.drawing", "symaux.plugins"),
        "symaux/language/": ("symaux.engine", "symaux.proof", "symaux.drawing", "symaux.codegen", "symaux.plugins"),
    }
    for package, beyond in forbidden.items():
        if inside(path, package):
            assert not [m for m, _ in imports(path) if m.startswith(beyond)]


def test_imports_make_no_circle() -> None:
    import networkx as nx

    names = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in MODULES}
    graph = nx.DiGraph()
    for name, path in names.items():
        for module, at_import in imports(path):
            target = module if module in names else module.rpartition(".")[0]
            if at_import and target in names and target != name and not name.startswith(f"{target}."):
                graph.add_edge(name, target)
    circle = next(iter(nx.simple_cycles(graph)), None)
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
    """A submodule must not take the place of the function of the same name, as symaux.laws could of sa.law."""
    modules = [".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for p in MODULES]
    first = "; ".join(f"import {m}" for m in modules if m.startswith("symaux.") and m != "symaux.cli")
    check = "print('LOADED', *(n for n in sa.__all__ if isinstance(getattr(sa, n), types.ModuleType)))"
    code = f"{first}\nimport types, symaux as sa\n{check}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == ["LOADED"]


def test_help_does_not_load_sympy() -> None:
    code = "from symaux.cli import cli; cli.main(['--help'], standalone_mode=False)"
    for command in ("", "'derive', ", "'demo', "):
        heavy = {"sympy", "networkx", "jax", "jaxlib", "numpy", "lark", "rich"}
        assert not loaded_by(code.replace("['--help']", f"[{command}'--help']")) & heavy
