r"""Compare a strictly monotone function with a level: $h(u) > v$ if and only if $u > h^{-1}(v)$, for an increasing h.

The record of h says on which interval it is strictly monotone, its values at the ends and its inverse; the other arguments
must be positive. A level outside of the values of h compares at once. For a power, $b^e > v$ with b, v > 0 if and only if
$e\log b > \log v$. Used for the sign of a sum of which one term is a multiple of such a function.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy as sp

from symaux.formulas.functions.record import Shape
from symaux.formulas.functions.registry import record_of
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.sign_sets import ANY, SignSet

if TYPE_CHECKING:
    from symaux.trusted.checker.signs import Signs


def shape_of(signs: Signs, f: Formula) -> tuple[Shape, Formula] | None:
    """Return the shape of a function and its monotone argument, if that lies in the interval of the shape on the region."""
    record = record_of(f.func)
    if record is None or record.shape is None or len(f.args) != len(record.domain):
        return None
    others = [arg for n, arg in enumerate(f.args) if n != record.varies]
    argument = f.args[record.varies]
    if any(signs.region.variable in arg.free_symbols for arg in others) or not all(map(signs.is_positive, others)):
        return None
    shape = record.shape(*others)
    return (shape, argument) if signs.is_between(argument, shape.lower, shape.upper) else None


def level_sign(signs: Signs, f: Formula, level: Formula) -> SignSet:
    """Return the signs of f - level for a strictly monotone function f."""
    found = shape_of(signs, f)
    if found is None:
        return _wave_sign(signs, f, level) if isinstance(f, sp.sin | sp.cos) else ANY
    shape, argument = found
    low, high = (shape.at_lower, shape.at_upper) if shape.rises else (shape.at_upper, shape.at_lower)
    if low != -sp.oo and signs.of(low - level) <= {0, 1}:
        return frozenset({1})
    if high != sp.oo and signs.of(level - high) <= {0, 1}:
        return frozenset({-1})
    if not signs.is_between(level, low, high):
        return ANY
    direction = 1 if shape.rises else -1
    return frozenset(direction * s for s in signs.of(argument - shape.inverse(level)))


def _wave_sign(signs: Signs, f: Formula, level: Formula) -> SignSet:
    """Return the signs of a sine or cosine minus a level that it does not cross, or of a cosine within a quarter turn."""
    angle = f.args[0]
    if isinstance(f, sp.cos) and level == 0 and signs.is_between(angle, -sp.pi / 2, sp.pi / 2):
        return frozenset({1})
    if isinstance(f, sp.sin) and level == 0:
        turns = ((1, sp.S.Zero, sp.pi), (-1, -sp.pi, sp.S.Zero))
        return next((frozenset({s}) for s, low, high in turns if signs.is_between(angle, low, high)), ANY)
    if signs.of(-1 - level) <= {0, 1}:
        inside = isinstance(f, sp.cos) and signs.is_between(angle, -sp.pi, sp.pi)
        return frozenset({1}) if inside or signs.is_positive(-1 - level) else frozenset({0, 1})
    return frozenset({-1, 0}) if signs.of(level - 1) <= {0, 1} else ANY


def _power_sign(signs: Signs, f: Formula, level: Formula) -> SignSet:
    if not signs.is_positive(f.base):
        return ANY
    if signs.of(level) <= {-1, 0}:
        return frozenset({1})
    return signs.of(f.exp * sp.log(f.base) - sp.log(level)) if signs.is_positive(level) else ANY


def levels(signs: Signs, total: Any) -> Iterator[SignSet]:
    """Yield the signs of a sum by each of its terms that is a multiple of a monotone function or of a power."""
    for term in total.args:
        for factor in sp.Mul.make_args(term):
            is_power = isinstance(factor, sp.Pow) and not isinstance(factor.exp, sp.Integer)
            record = record_of(factor.func)
            if not is_power and (record is None or record.shape is None):
                continue
            multiple = term / factor
            scale = signs.of(multiple)
            if 0 in scale or len(scale) != 1:
                continue
            level = -(total - term) / multiple
            found = _power_sign(signs, factor, level) if is_power else level_sign(signs, factor, level)
            yield frozenset(s * t for s in scale for t in found)
