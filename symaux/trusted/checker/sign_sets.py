"""Calculate with sets of signs: subsets of {-1, 0, 1} that contain the sign of a formula wherever it is defined."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from symaux.formulas.symbols.formula import Formula

SignSet = frozenset[int]
ANY, POSITIVE, NEGATIVE, ZERO = frozenset({-1, 0, 1}), frozenset({1}), frozenset({-1}), frozenset({0})
NOT_NEGATIVE, NOT_POSITIVE = frozenset({0, 1}), frozenset({-1, 0})


def product_of_signs(a: SignSet, b: SignSet) -> SignSet:
    """Return the signs of a product of factors with the given signs."""
    return frozenset(x * y for x in a for y in b)


def absolute(signs: SignSet) -> SignSet:
    """Return the signs of the absolute value."""
    return frozenset(abs(s) for s in signs)


def sum_of_signs(signs: Iterable[SignSet]) -> SignSet:
    """Return the signs of a sum of terms with the given signs."""
    every = list(signs)
    for side, sign in ((NOT_NEGATIVE, 1), (NOT_POSITIVE, -1)):
        if all(s <= side for s in every):
            return (
                ZERO if all(s == ZERO for s in every) else frozenset({sign}) if any(0 not in s for s in every) else side
            )
    return ANY


def assumed_signs(symbol: Formula) -> SignSet:
    """Return the signs that the assumptions of a symbol allow."""
    if symbol.is_positive:
        return POSITIVE
    if symbol.is_negative:
        return NEGATIVE
    signs = NOT_NEGATIVE if symbol.is_nonnegative else NOT_POSITIVE if symbol.is_nonpositive else ANY
    return ZERO if symbol.is_zero else signs - ZERO if symbol.is_nonzero else signs


def assumed_interval(symbol: Formula) -> tuple[Formula, Formula]:
    """Return an open interval that contains a symbol by its assumptions."""
    signs = assumed_signs(symbol)
    return (sp.S.Zero if signs == POSITIVE else -sp.oo), (sp.S.Zero if signs == NEGATIVE else sp.oo)
