r"""Build laws that differ only in names once: $z_9 \sim N(\tanh z_8, 1)$ is $z_1 \sim N(\tanh z_0, 1)$ in other names.

Formulas are rewritten in standard names, one for each variable and its assumptions; the law in these names is cached, and
another law like it takes everything from there. Its log-density is renamed only when it is read.

>>> a, b = sp.symbols("a b", positive=True)
>>> with_standard_names((a - b, b))
((v0 - v1, v1), {v0: a, v1: b})
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import sympy as sp

from symaux.laws.law import Law, Spelling, lazy_law

Make = Callable[[Any, tuple[Any, ...]], Law]


@lru_cache(maxsize=4096)
def _named(number: int, assumptions: tuple[tuple[str, bool], ...]) -> sp.Symbol:
    return sp.Symbol(f"v{number}", **dict(assumptions))


def with_standard_names(formulas: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[Any, Any]] | None:
    """Return the formulas in standard names, and the symbols behind these; None unless all of them are scalar symbols."""
    found: dict[Any, Any] = {}
    for formula in formulas:
        symbols = [formula] if formula.is_Symbol else sorted(formula.free_symbols, key=str)
        for symbol in symbols:
            if type(symbol) is not sp.Symbol:
                return None
            if symbol not in found:
                found[symbol] = _named(len(found), tuple(symbol.assumptions0.items()))
    if found and any(type(a) is not sp.Symbol and a.has(sp.Indexed, sp.Sum) for a in formulas):
        return None
    return tuple(f.xreplace(found) for f in formulas), {name: symbol for symbol, name in found.items()}


class TemplateCache:
    """The laws of one family that have been built, by their arguments in standard names."""

    def __init__(self, make: Make) -> None:
        self.made: Callable[[Any, tuple[Any, ...]], Law] = lru_cache(maxsize=1024)(make)

    def law(self, value: Any, arguments: tuple[Any, ...]) -> Law | None:
        """Return the law from the cached one that differs in names alone; None where formulas read arrays or sums."""
        plain = with_standard_names((value, *arguments))
        if plain is None:
            return None
        (name, *others), back = plain
        like = self.made(name, tuple(others))
        assert like.spelling is not None
        spelling = Spelling(like.spelling.family, arguments, like.spelling.template, like.spelling.symbols)
        return lazy_law(like, value, spelling, back)
