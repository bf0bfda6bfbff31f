"""The order of the rooms, stated once: for the architecture test and for the diagram in docs/architecture.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from support.paths import ROOT

# A room may import those above it, when it is loaded or lazily, and nothing below.
LAYERS = (
    *("errors", "progress", "sandbox", "files"),
    *("formulas", "trusted", "laws", "model", "rules", "proof", "derivation", "language", "codegen", "validate"),
    *("api", "api_forms", "analysis", "learn", "show", "exchange", "cli", "__main__"),
)
# The order inside of a room; "*" stands for the modules of the room itself.
WITHIN = {
    "formulas": ("symbols", "functions", "numeric", "algebra"),
    "laws": ("*", "densities", "approximation"),
    "proof": (
        "well_formed",
        "scalar",
        "equality",
        "mass",
        "composition",
        "vectors",
        "certificates",
        "shadowed",
        "verify",
    ),
    "codegen": (
        *("load", "library_text", "library", "lower", "stabilise"),
        *("function", "recursion", "module", "runtime"),
    ),
    "show": ("drawing", "display", "reporting"),
    "exchange": ("exporting", "importing", "archive"),
    "exchange.exporting": ("spelling", "stan", "python", "targets", "export"),
    "exchange.importing": ("arrays", "laws", "numpyro", "pymc", "sympy_stats"),
}
# Convenience methods of records, which reach for what stands below them when they are called. This list may only shrink.
CONVENIENCE = {
    ("api", "learn.choose.choose"),  # auxiliary(choose="advise")
    ("laws.law", "show.display.notebook"),  # law._repr_latex_
    ("model.model", "language.print_model"),  # model.text
    ("model.model", "show.display.notebook"),  # model._repr_html_
    ("rules.derivation", "api"),  # derivation.verify()
    ("rules.derivation", "show.display.explain"),  # derivation.explain()
    ("rules.derivation", "show.display.notebook"),
    ("rules.form", "api_forms"),  # form.sample(), form.generate(), form.quantile()
    ("rules.form", "show.display.explain"),
    ("rules.form", "show.display.latex"),
    ("rules.verdict", "show.display.explain"),
    ("rules.verdict", "show.display.notebook"),
    ("formulas.functions.elementary", "formulas.numeric.line_quantile"),  # sympy's evalf of a quantile
    ("formulas.functions.series", "formulas.numeric.evaluate"),  # sympy's evalf of a series
}


def modules(*packages: str) -> dict[str, Path]:
    """Return the file of every module of the given packages, by its dotted name."""
    paths = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    return {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in paths}


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield every name that a file imports, and whether it does so when it is itself imported."""
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
            assert node.level == 0, f"{path.relative_to(ROOT)}: a relative import"
            yield from ((f"{node.module}.{alias.name}", node not in lazy) for alias in node.names)


def edges(files: dict[str, Path]) -> Iterator[tuple[str, str, bool]]:
    """Yield every pair of modules of which the first imports the second, and whether it does so at load time."""
    for name, path in files.items():
        for imported, at_load in imports(path):
            target = imported if imported in files else imported.rpartition(".")[0]
            if target in files and target != name:
                yield name, target, at_load


def position(module: str, order: tuple[str, ...]) -> int:
    """Return the place of a module in an order of rooms."""
    for place, room in enumerate(order):
        if module == room or module.startswith(f"{room}."):
            return place
    assert "*" in order, f"{module} is in no room of {order}: add it where data flow"
    return order.index("*")


def upward(files: dict[str, Path]) -> set[tuple[str, str]]:
    """Return the pairs of modules, without "symaux.", of which the first imports one that stands below it."""
    wrong = set()
    for name, target, _ in edges(files):
        a, b = name.removeprefix("symaux."), target.removeprefix("symaux.")
        if "symaux" in (name, target):
            continue
        orders = [("", LAYERS), *((f"{room}.", order) for room, order in WITHIN.items())]
        for room, order in orders:
            if a.startswith(room) and b.startswith(room):
                inner = a.removeprefix(room), b.removeprefix(room)
                if position(inner[1], order) > position(inner[0], order):
                    wrong.add((a, b))
    return wrong
