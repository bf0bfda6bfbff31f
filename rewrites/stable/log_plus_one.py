r"""$\log(1 + e^x) = \operatorname{softplus}(x)$ and $\log(1 + x) = \operatorname{log1p}(x)$.

Applies when the argument of a logarithm is one plus a single term, one plus a sum, or a sum over one of its terms.

>>> x = sp.Symbol("x", real=True)
>>> log_plus_one(sp.log(1 + sp.exp(x))), log_plus_one(sp.log(1 - x))
(softplus(x), log1p(-x))
>>> c = sp.Symbol("c", positive=True)
>>> log_plus_one(log1p(c*sp.exp(x)))
softplus(x + log(c))
>>> log_plus_one(sp.log((c - x)/c))
log1p(-x/c)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import is_surely_positive, log1p, softplus


def log_plus_one(formula: Any) -> Any | None:
    """The logarithm of one plus something, with all digits of the something."""
    if isinstance(formula, log1p):
        return _of_exponential(formula.args[0])
    if isinstance(formula, sp.log) and isinstance(formula.args[0], sp.Mul):
        return _of_quotient(formula.args[0])
    if not isinstance(formula, sp.log) or not isinstance(formula.args[0], sp.Add):
        return None
    number, rest = formula.args[0].as_coeff_Add()
    if number != 1:
        return None
    if isinstance(rest, sp.exp):
        return softplus(rest.args[0])
    return None if rest.has(sp.exp) and isinstance(rest, sp.Add) else log1p(rest)


def _of_exponential(term: Any) -> Any | None:
    """log(1 + c exp(x)) for c > 0, where the exponential may overflow."""
    powers = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
    rest = [f for f in sp.Mul.make_args(term) if not isinstance(f, sp.exp)]
    if not powers or not all(map(is_surely_positive, rest)):
        return None
    exponents: list[Any] = [f.args[0] for f in powers]
    return softplus(sp.Add(*exponents, *map(sp.log, rest)))


def _of_quotient(product: Any) -> Any | None:
    """log((c + x)/c), whose argument is one plus x/c."""
    for total in (f for f in product.args if isinstance(f, sp.Add)):
        terms = [product / total * term for term in total.args]
        if sp.S.One in terms:
            return log1p(sp.Add(*terms) - 1)
    return None
