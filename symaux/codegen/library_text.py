"""Read the text of library functions, and of everything that they need, without importing jax.

A function brings along its decorators, the rules that are attached to it (``@f.defjvp``), the constants that it reads
and the functions that it calls; nothing else of the library comes with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LIBRARY = Path(__file__).parent / "library"
LIBRARIES = (
    "arrays.py",
    "matrices.py",
    "statistics.py",
    "bessel.py",
    "beta.py",
    "chebyshev.py",
    "gamma.py",
    "hyp2f1.py",
    "hypergeometric.py",
    "implicit_quantile.py",
    "lambert.py",
    "softplus.py",
    "normal.py",
    "tails.py",
    "gaussian_sums.py",
    "truncated.py",
    "trig_pi.py",
    "upper_gamma.py",
    "von_mises.py",
    "zeta.py",
    "bessel_j.py",
    "erfi.py",
    "ratios.py",
    "exponent_means.py",
)  # the order of functions in generated modules, so a new file goes to the end
EVERYTHING = """\
import jax
import jax.numpy as jnp
from jax import core, lax, random
from jax.scipy import linalg, special"""  # what library functions may need


@dataclass(frozen=True)
class Item:
    """A function or a constant: its text, the names in it, and the function whose derivative rule it is."""

    text: str
    reads: frozenset[str]
    rule_of: str | None = None


@cache
def _library() -> dict[str, Item]:
    """Return every library function and constant by name, in an order in which they can be defined in one file."""
    items: dict[str, Item] = {}
    for file in LIBRARIES:
        for name, item in _items((LIBRARY / file).read_text(encoding="utf-8")):
            assert name not in items, f"{name} is defined twice"
            items[name] = item
    return items


def _items(text: str) -> Iterator[tuple[str, Item]]:
    for node in ast.parse(text).body:
        match node:
            case ast.FunctionDef(name=name):
                yield name, Item(_text(text, node), _reads(node), _rule_of(node))
            case ast.Assign(targets=[ast.Name(id=name)]) if name.isupper():
                yield name, Item(_text(text, node), _reads(node))


def _text(text: str, node: ast.FunctionDef | ast.Assign) -> str:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    first = min([node.lineno, *(d.lineno for d in decorators)])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _reads(node: ast.FunctionDef | ast.Assign) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _rule_of(node: ast.FunctionDef) -> str | None:
    """Return the name f from a decorator ``@f.defjvp``; None without one."""
    match node.decorator_list:
        case [ast.Attribute(value=ast.Name(id=name), attr="defjvp"), *_]:
            return name
    return None


def names() -> frozenset[str]:
    """Return the names of all library functions and constants: no variable may take one."""
    return frozenset(_library())


def source(names: set[str]) -> list[str]:
    """Return the texts of the named functions and of what they need, in the library's order.

    >>> [text.splitlines()[0] for text in source({"mixed"})]
    ['def mixed(exponents, weights):']
    >>> [text.partition("(")[0].split()[-1] for text in source({"lambertw0_of_exp"})]
    ['lambertw0_of_exp', 'wright_omega', 'wright_omega_jvp', 'floats']
    """
    library = _library()
    wanted, stack = set(), sorted(names)
    while stack:
        name = stack.pop()
        if name not in wanted:
            wanted.add(name)
            rules = [other for other, item in library.items() if item.rule_of == name]
            stack.extend([*(library[name].reads & set(library)), *rules])
    return [item.text for name, item in library.items() if name in wanted]
