r"""$\frac AB - 1 = \frac{A - B}B$, where the numerator becomes shorter than B.

Applies to a sum of two terms in the ratio of a quotient and minus one, such as $\frac1{1-w} - 1 = \frac w{1-w}$ or
$\frac2{1+u} - 1 = \frac{1-u}{1+u}$, and to $\frac1u - 1$.

>>> u, w, b = sp.symbols("u w b", positive=True)
>>> quotient_difference(1/(1 - w) - 1), quotient_difference(-b - b/(w - 1))
(w/(1 - w), -b*w/(w - 1))
>>> quotient_difference(2/(u + 1) - 1), quotient_difference(1 - 1/u)
((1 - u)/(u + 1), (u - 1)/u)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symaux.rules.toolkit import betainccinv, betaincinv, gammainccinv, gammaincinv, ndtr


def quotient_difference(formula: Any) -> Any | None:
    """The difference of a quotient and a number that it may be close to."""
    if not isinstance(formula, sp.Add):
        return None
    for term in formula.args:
        for below in _denominators(term):
            for other in formula.args:
                above = -term * below / other
                if above.is_number and not (above / below).is_negative and (left := _shorter(above - below, below)):
                    rest = (t for t in formula.args if t not in (term, other))
                    return sp.Add(*rest, -other * left / below)
    return None


def _denominators(term: Any) -> Iterator[Any]:
    for factor in sp.Mul.make_args(term):
        if isinstance(factor, sp.Pow) and factor.exp == -1:
            yield factor.base


def _shorter(difference: Any, below: Any) -> Any | None:
    """The difference of numerator and denominator, where it says more than the two did."""
    simple = sp.expand(difference)
    if isinstance(below, sp.Add):
        rational = not any(isinstance(t, sp.exp) for t in below.args)
        return simple if rational and len(sp.Add.make_args(simple)) <= len(below.args) and _unit(below) else None
    return simple if below.is_Symbol or isinstance(below, KINDS) else None


def _unit(below: Any) -> bool:
    number, rest = below.as_coeff_Add()
    return (
        number != 0
        and not rest.is_Add
        and (rest.is_Symbol or (-rest).is_Symbol or isinstance(_without_coefficient(rest), KINDS))
    )


def _without_coefficient(term: Any) -> Any:
    return term.as_coeff_Mul()[1]


KINDS = (ndtr, betaincinv, betainccinv, gammaincinv, gammainccinv)
