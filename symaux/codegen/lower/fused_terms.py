r"""Add terms that run over the same plates before they are summed: one pass over the elements instead of several.

$\sum_{nd} x_{nd} l_{nd} - \sum_{nd} \log(1 + e^{l_{nd}})$ becomes ``total(x * l - softplus_term(l))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import softplus
from symaux.formulas.symbols.indices import free_plates, label


class softplus_term(sp.Function):
    """A softplus function that is only summed, so that an error small relative to 1 is accurate enough."""


class softplus_known(sp.Function):
    """log(1 + exp(x)) as a term of a sum, with exp(x) as a second argument."""


def split_fusable(terms: Sequence[Any], over: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """Split off the terms whose factors all run over every plate, if there are several and one has a softplus.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> x, y, b, n, k = *arrays("x y b"), plate("n"), plate("k")
    >>> split_fusable([x[n, k]*y[n, k], softplus(x[n, k]), b[k]*x[n, k]], ("n", "k"))
    ([x[n, k]*y[n, k], softplus(x[n, k])], [b[k]*x[n, k]])
    """
    whole = [term for term in terms if runs_over(term, set(over))]
    if len(whole) < 2 or not any(term.has(softplus) for term in whole):
        return [], list(terms)
    return whole, [term for term in terms if term not in whole]


def runs_over(term: Any, over: set[str]) -> bool:
    """Return whether every factor of a term but its number runs over all of these plates."""
    _, factors = term.as_coeff_mul()
    return bool(over and factors) and all({label(p) for p in free_plates(f)} >= over for f in factors)


def fused_sum(whole: Sequence[Any]) -> Any:
    """Return the sum of the terms; a softplus function that is alone in its term becomes ``softplus_term``."""
    return sp.Add(*(_term(term) for term in whole))


def _term(term: Any) -> Any:
    number, factors = term.as_coeff_mul()
    if len(factors) == 1 and isinstance(factors[0], softplus):
        return number * softplus_term(factors[0].args[0])
    return term
