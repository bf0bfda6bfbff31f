r"""$\log(1 - e^x) = \operatorname{log1mexp}(x)$ and $\log(e^x - 1) = \operatorname{log\_expm1}(x)$; powers likewise.

Applies to a logarithm, or a power with an exponent that is not an integer, of a difference of one and an exponential. Where
such a formula is real the difference is positive, which tells the sign of x.

>>> x, p = sp.symbols("x p", real=True)
>>> log_of_difference(sp.log(-expm1(x))), log_of_difference(sp.log(expm1(x)))
(log1mexp(x), log_expm1(x))
>>> log_of_difference((-expm1(x))**p)
exp(p*log1mexp(x))
>>> log_of_difference(1/expm1(x)), log_of_difference((-log1mexp(x))**p)
(recip_expm1(x), exp(p*cloglog_exp(x)))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import cloglog_exp, expm1, log1mexp, log_expm1, recip_expm1


def log_of_difference(formula: Any) -> Any | None:
    """The logarithm of a difference from one, without the difference."""
    if isinstance(formula, sp.log):
        return _logarithm(formula.args[0])
    if isinstance(formula, sp.Pow) and not formula.exp.is_integer:
        found = _logarithm(formula.base)
        return None if found is None else sp.exp(formula.exp * found)
    if isinstance(formula, sp.Pow) and isinstance(formula.base, expm1) and formula.exp == -1:
        return recip_expm1(formula.base.args[0])
    return None


def _logarithm(formula: Any) -> Any | None:
    if isinstance(formula, expm1):
        return log_expm1(formula.args[0])
    if isinstance(-formula, log1mexp):
        return cloglog_exp((-formula).args[0])
    if isinstance(formula, recip_expm1):
        return -log_expm1(formula.args[0])
    return log1mexp((-formula).args[0]) if isinstance(-formula, expm1) else None
