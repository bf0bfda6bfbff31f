"""Convert the words of a declaration, ``sigma > 0`` or ``county integer``, to sympy's assumptions, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.core.facts import InconsistentAssumptions
from sympy.tensor.indexed import IndexedBase

from symaux.errors import LanguageError
from symaux.formulas.symbols import assumptions
from symaux.formulas.symbols.support import Integers, Interval

SIGNS = {">": "positive", ">=": "nonnegative", "<": "negative", "<=": "nonpositive"}
WORDS = ("real", "integer", *assumptions.SIGNS, "nonzero")
WEAKEST_FIRST = ("nonzero", "real", "nonnegative", "nonpositive", "integer", "positive", "negative")
ANYTHING = "any"  # no assumption at all, not even that it is real


def symbol(name: str, words: Iterable[str], rank: int) -> Any:
    """Return the symbol or array of a name with these assumptions.

    >>> symbol("s", ["positive"], 0).is_positive, symbol("w", ["any"], 1)[0].is_real
    (True, None)
    """
    assumptions: dict[str, Any] = {word: True for word in words if word != ANYTHING}
    return IndexedBase(name, **assumptions) if rank else sp.Symbol(name, **assumptions)


def is_satisfiable(words: Iterable[str]) -> bool:
    """Return whether all the words hold for some number other than zero.

    >>> is_satisfiable(["integer", "positive"]), is_satisfiable(["positive", "negative"])
    (True, False)
    """
    try:
        return not sp.Symbol("x", **{word: True for word in words if word != ANYTHING}).is_zero
    except InconsistentAssumptions:
        return False


def is_consistent_with(words: Iterable[str], law: Any) -> bool:
    """Return whether words about a variable can hold, judged by the bounds of its law's support.

    >>> from symaux.laws.families import normal
    >>> is_consistent_with(["positive"], normal(sp.Symbol("x", real=True), 0, 1))
    False
    """
    known = sp.Symbol("x", **{word: True for word in words if word != ANYTHING})
    if known.is_integer and not law.discrete:
        return False
    if not isinstance(law.support, Interval | Integers):
        return True
    below = known.is_nonnegative and law.support.lower.is_extended_negative
    above = known.is_nonpositive and law.support.upper.is_extended_positive
    return not below and not above


def words_of(base: Any) -> tuple[str, ...]:
    """Return the fewest words that state the assumptions of a symbol or array; raise LanguageError if none do.

    >>> words_of(sp.Symbol("n", integer=True, positive=True)), words_of(sp.Symbol("z"))
    (('integer', 'positive'), ('any',))
    """
    label: Any = base.label if isinstance(base, IndexedBase) else base
    known = label.assumptions0
    kept = [word for word in WORDS if known.get(word)]
    for word in [w for w in WEAKEST_FIRST if w in kept]:
        if len(kept) > 1 and _says([w for w in kept if w != word], known):
            kept.remove(word)
    if not _says(kept, known):
        raise LanguageError(f"the language cannot express the assumptions of {label.name}")
    return tuple(kept) or (ANYTHING,)


def _says(words: list[str], known: dict[str, bool]) -> bool:
    return sp.Symbol("x", **dict.fromkeys(words, True)).assumptions0 == known


def phrase(words: Iterable[str]) -> str:
    """Return the words as they follow a name in a declaration.

    >>> phrase(["integer", "nonnegative"]), phrase(["real"])
    (' >= 0 integer', ' real')
    """
    signs = {word: sign for sign, word in SIGNS.items()}
    words = list(words)
    bounds = "".join(f" {signs[word]} 0" for word in words if word in signs)
    return bounds + "".join(f" {word}" for word in words if word not in signs)
