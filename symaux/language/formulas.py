"""Parse formulas: ``formula`` and ``condition`` build one, ``names`` lists the variables that one reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lark import Token, Tree

from symaux.errors import LanguageError
from symaux.language.build import MAX_CONDITIONS, Builder
from symaux.language.formula_functions import CONDITIONAL, NAMES, TOTAL, VALUES
from symaux.language.grammar import condition_tree, formula_tree
from symaux.language.input_checks import check_text
from symaux.language.law_calls import LawBuilder
from symaux.language.locations import Location, error_at
from symaux.language.names import check_twins, why_invalid

MAX_NODES = 2_000
MAX_DEPTH = 80

Reading = Callable[[str], Tree[Token]]


def formula(text: str, symbols: Mapping[str, Any]) -> Any:
    """Return the sympy formula of a text, in the given symbols. Decimals are exact; ``^`` and ``**`` are powers.

    >>> import sympy as sp
    >>> z, a = sp.symbols("z a", positive=True)
    >>> formula("a*z^(a - 1)/0.5", {"z": z, "a": a})
    2*a*z**(a - 1)
    >>> formula("exq(z)", {"z": z})
    Traceback (most recent call last):
        ...
    symaux.errors.LanguageError: line 1, column 1: unknown function 'exq'; did you mean exp?
      exq(z)
      ^
    """
    parsed = _checked(text)
    try:
        return Builder(text, symbols).build(parsed)
    except (RecursionError, OverflowError, MemoryError, ValueError, TypeError) as failure:
        raise LanguageError(f"the formula cannot be worked out: {failure}\n  {text[:100]}") from failure


def condition(text: str, symbols: Mapping[str, Any]) -> Any:
    """Return the condition of a text: one comparison, or a chain of them.

    >>> import sympy as sp
    >>> condition("0 < p < 1", {"p": sp.Symbol("p", real=True)})
    (p > 0) & (p < 1)
    """
    (chain,) = _checked(text, condition_tree).children
    try:
        return LawBuilder(Builder(text, symbols), {}).condition(chain)
    except (RecursionError, OverflowError, MemoryError, ValueError, TypeError) as failure:
        raise LanguageError(f"the condition cannot be worked out: {failure}\n  {text[:100]}") from failure


def names(text: str, reading: Reading = formula_tree) -> tuple[str, ...]:
    """Return the variables that a formula reads, sorted; raise LanguageError for an invalid name.

    >>> names("a*b*z**(a-1) + pi")
    ('a', 'b', 'z')
    """
    found: set[str] = set()
    for node, name in _read(_checked(text, reading), frozenset()):
        if name in VALUES:
            continue
        if reason := why_invalid(name, NAMES):
            raise error_at(f"{name!r} cannot be a variable: {reason}", Location(text, node.meta.start_pos))
        found.add(name)
    check_twins(found)
    return tuple(sorted(found))


def _read(node: Tree[Token], bound: frozenset[str]) -> Iterator[tuple[Tree[Token], str]]:
    """Yield the names that occur in a tree, without the index of a sum in its term."""
    if node.data in ("name", "element") and str(node.children[0]) not in bound:
        yield node, str(node.children[0])
    parts = [child for child in node.children if isinstance(child, Tree)]
    if node.data == "call" and node.children[0] == TOTAL and len(parts) == 4 and parts[1].data == "name":
        term, index, *ends = parts
        yield from _read(term, bound | {str(index.children[0])})
        parts = ends
    for part in parts:
        yield from _read(part, bound)


def _checked(text: str, reading: Reading = formula_tree) -> Tree[Token]:
    check_text(text)
    return check_size(text, reading(text))


def check_size(text: str, parsed: Tree[Token]) -> Tree[Token]:
    """Return the tree itself; raise LanguageError if it is too large or too deep."""
    size = conditions = 0
    level: list[Tree[Token]] = [parsed]
    for _ in range(MAX_DEPTH):
        size += len(level)
        conditions += sum(map(_conditions, level))
        if size > MAX_NODES:
            raise LanguageError(f"the formula has more than {MAX_NODES} parts; give it in pieces")
        if conditions > MAX_CONDITIONS:
            raise LanguageError(f"the formula has more than {MAX_CONDITIONS} conditions (where) or sums")
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return parsed
    raise error_at(f"the formula is nested more than {MAX_DEPTH} deep", Location(text, level[0].meta.start_pos))


def _conditions(node: Tree[Token]) -> int:
    """Return how many conditions a node counts for: a where, an ``and``, a sum over integers; not a sum over a plate."""
    if node.data in ("both", "either"):
        return len(node.children) // 2
    if node.data != "call":
        return 0
    return int(node.children[0] == CONDITIONAL or (node.children[0] == TOTAL and len(node.children) > 3))
