r"""$c\,e^x - c = c\operatorname{expm1}(x)$ and $c\,b^p - c = c\operatorname{expm1}(p\log b)$.

Applies to a sum in which two terms differ by a factor that is an exponential or a power, and have opposite signs: where
the factor is near one, their difference keeps none of its digits. A base is positive wherever its power is real, unless the
exponent is an integer.

>>> u, a, b, c = sp.symbols("u a b c", positive=True)
>>> near_difference(u**(-1/c) - 1), near_difference(1 - (1 - u)**(1/b))
(expm1(-log(u)/c), -expm1(log(1 - u)/b))
>>> near_difference(a - b/c + b*u**(-c)/c)
a + b*expm1(-c*log(u))/c
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symaux.rules.toolkit import expm1, is_surely_positive, log1mexp, log1p


def near_difference(formula: Any) -> Any | None:
    """The difference of two terms that may be almost equal, with all its digits."""
    if not isinstance(formula, sp.Add):
        return None
    terms = set(formula.args)
    for term in formula.args:
        for factor, exponent in _factors(term):
            other = -term / factor
            if other in terms and other != term:
                return sp.Add(*(t for t in formula.args if t not in (term, other)), -other * expm1(exponent))
    return None


def _factors(term: Any) -> Iterator[tuple[Any, Any]]:
    """The exponentials and powers in a product with their logarithms: all of them together, then one by one."""
    found = [(f, x) for f in sp.Mul.make_args(term) if (x := _logarithm(f)) is not None]
    if len(found) > 1:
        yield sp.Mul(*(f for f, _ in found)), sp.Add(*(x for _, x in found))
    yield from found


def _logarithm(factor: Any) -> Any | None:
    if factor.is_number:
        return None
    if isinstance(factor, sp.exp):
        return factor.args[0]
    if isinstance(factor, sp.Pow) and not factor.exp.is_integer and _real(factor.base):
        return factor.exp * sp.log(factor.base)
    return None


def _real(base: Any) -> bool:
    """Whether a base is positive wherever its power is real."""
    return is_surely_positive(base) or isinstance(base, sp.Add) or isinstance(-base, sp.log | log1p | log1mexp)
