"""The stubs of the packages that load lazily tell editors and type checkers what those packages export, and nothing else."""

from __future__ import annotations

import ast
import importlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(importlib.import_module("symaux").__file__ or "").resolve().parents[1]


def stated(package: str) -> tuple[list[str], dict[str, tuple[str, str]]]:
    """Return ``__all__`` of a stub, and for each imported name its module and its name there."""
    body = ast.parse((ROOT / package.replace(".", "/") / "__init__.pyi").read_text()).body
    (names,) = (ast.literal_eval(s.value) for s in body if isinstance(s, ast.Assign))
    imports = [(s.module or "", alias) for s in body if isinstance(s, ast.ImportFrom) for alias in s.names]
    return names, {alias.asname or alias.name: (module, alias.name) for module, alias in imports}


def homes(package: Any) -> dict[str, tuple[str, str]]:
    return {name: home if isinstance(home, tuple) else (home, name) for name, home in package._HOME.items()}


@pytest.mark.parametrize("name", ["symaux", "symaux.learn"])
def test_a_stub_lists_exactly_the_public_names_and_where_they_live(name: str) -> None:
    package = importlib.import_module(name)
    names, imported = stated(name)
    assert names == package.__all__
    assert imported == {**homes(package), **{sub: (name, sub) for sub in getattr(package, "_PACKAGES", [])}}


def test_stubs_and_markers_are_part_of_the_package() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    kept = {
        path for package, globs in data.items() for g in globs for path in (ROOT / package.replace(".", "/")).glob(g)
    }
    files = {path for top in ("symaux", "rewrites") for path in (ROOT / top).rglob("*") if path.is_file()}
    assert {path for path in files if path.suffix not in (".py", ".pyc")} == kept
    assert {ROOT / "symaux/py.typed", ROOT / "rewrites/py.typed"} <= kept
