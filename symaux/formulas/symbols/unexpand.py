r"""Factor sums that are expanded products: $ab e^{-x} - b e^{-x} = (a - 1)b e^{-x}$.

>>> x, a, b = sp.symbols("x a b", positive=True)
>>> as_product(a*b*sp.exp(-x - a*x) - b*sp.exp(-b*x - a*x))
b*(a*exp(-x) - exp(-b*x))*exp(-a*x)
>>> as_product(a*x - a*b - 2*x + 2*b)
(a - 2)*(-b + x)
>>> as_product(1 - x**2), as_product(2/(a - a*b) + 2*x/(b - 1))
(1 - x**2, 2*(a*x - 1)/(a*(b - 1)))
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import sympy as sp

from symaux.sandbox import run_bounded, value_or

MANY, FEW, LONG, SECONDS = 24, 4, 300, 2.0  # most terms; fewest terms to factor; most operations to factor


def as_product(total: Any) -> Any:
    """Return a sum with its common factors taken out, and the rest factored where that is shorter."""
    if not total.is_Add or len(total.args) > MANY:
        return total
    common, rest = _common([Counter(_factors(t)) for t in total.args])
    if (len(sp.Add.make_args(rest)) >= FEW or _is_fraction(rest)) and sp.count_ops(rest) < LONG:
        rest = min(rest, value_or(run_bounded(sp.factor, rest, seconds=SECONDS), rest), key=sp.count_ops)
    return common * rest


def _is_fraction(total: Any) -> bool:
    """Return whether a sum has terms with sums in their denominators, which may be one expanded fraction."""
    factors = (f for term in sp.Add.make_args(total) for f in sp.Mul.make_args(term))
    return any(isinstance(f, sp.Pow) and f.base.is_Add and f.exp == -1 for f in factors)


def _factors(term: Any) -> dict[Any, int]:
    """Return the factors of a term with their multiplicities; an exponential of a sum is a product of exponentials."""
    factors: Counter[Any] = Counter()
    for factor in sp.Mul.make_args(term):
        base, times = factor.as_base_exp()
        if isinstance(factor, sp.exp):
            exponent: Any = sp.expand_mul(factor.args[0])
            factors.update(sp.exp(part) for part in sp.Add.make_args(exponent))
        elif times.is_Integer and times > 0 and not base.is_number:
            factors[base] += int(times)
        else:
            factors[factor] += 1
    return factors


def _common(terms: list[Counter[Any]]) -> tuple[Any, Any]:
    """Return the common factor of all terms, and the sum of the terms without it."""
    shared = terms[0]
    for term in terms[1:]:
        shared = shared & term
    return _product(shared), sp.Add(*(_product(term - shared) for term in terms))


def _product(factors: Counter[Any]) -> Any:
    return sp.Mul(*(f**k for f, k in factors.items()))
