r"""Write products $c \log x$ in the masses of discrete laws so that they are 0 where c is, even if x is 0 too.

The mass of no success with probability 0 is $0^0 = 1$; its logarithm $0 \cdot \log 0$ would be NaN in floating point.

>>> z, p = sp.Symbol("z", integer=True), sp.Symbol("p", real=True)
>>> with_boundaries(z*sp.log(p) + (1 - z)*sp.log(1 - p))
times_log(z, p) + times_log(1 - z, 1 - p)
>>> with_boundaries(sp.log(p)), with_boundaries(z*sp.log(2) - z*sp.log(1 + sp.exp(p)))
(log(p), -z*log(exp(p) + 1) + z*log(2))
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.codegen.cfunctions import log1p

LOGARITHMS = (sp.log, log1p)


class times_log(sp.Function):
    """c log x, which is 0 where c is 0."""


class times_log1p(sp.Function):
    """c log(1 + x), which is 0 where c is 0."""


def with_boundaries(formula: Any) -> Any:
    """Return a sum with its products of a varying coefficient and a logarithm as functions that know the boundary."""
    coefficients: dict[Any, list[Any]] = {}
    others: list[Any] = []
    for term in sp.Add.make_args(formula):
        logarithms = [f for f in sp.Mul.make_args(term) if isinstance(f, LOGARITHMS) and _may_vanish(f)]
        if len(logarithms) == 1:
            coefficients.setdefault(logarithms[0], []).append(term / logarithms[0])
        else:
            others.append(term)
    return sp.Add(*others, *(_product(sp.Add(*c), logarithm) for logarithm, c in coefficients.items()))


def _product(coefficient: Any, logarithm: Any) -> Any:
    if coefficient.is_number:
        return coefficient * logarithm
    function = times_log if isinstance(logarithm, sp.log) else times_log1p
    return function(coefficient, logarithm.args[0])


def _may_vanish(logarithm: Any) -> bool:
    """Return whether the argument of a logarithm may round to zero: not a positive number, nor 1 and something positive."""
    argument = logarithm.args[0] + (1 if isinstance(logarithm, log1p) else 0)
    number, rest = argument.as_coeff_Add()
    return not (number.is_positive and (rest.is_nonnegative or rest == 0))
