"""The text of library functions, and of those that they call, without importing jax."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def _library() -> dict[str, tuple[str, frozenset[str]]]:
    """Every function of the library: its text, and the library functions that it names."""
    text = (Path(__file__).parent / "library.py").read_text(encoding="utf-8")
    functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    return {
        name: (
            ast.get_source_segment(text, node) or "",
            frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in functions and n.id != name),
        )
        for name, node in functions.items()
    }


def names() -> frozenset[str]:
    """The names of all library functions: no variable may take one."""
    return frozenset(_library())


def source(names: set[str]) -> list[str]:
    """The texts of the named functions and of what they need, in the library's order.

    >>> [text.splitlines()[0] for text in source({"mixed"})]
    ['def mixed(exponents, weights):']
    """
    library = _library()
    wanted, stack = set(), sorted(names)
    while stack:
        name = stack.pop()
        if name not in wanted:
            wanted.add(name)
            stack.extend(library[name][1])
    return [text for name, (text, _) in library.items() if name in wanted]
