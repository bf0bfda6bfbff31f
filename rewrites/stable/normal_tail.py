r"""$1 - \Phi(x) = \Phi(-x)$, $\log\Phi(x)$ and $\Phi(x)^p = e^{p\log\Phi(x)}$ without loss in the tails.

Applies to the normal distribution function under a complement, a logarithm or a power, also where it is written as erfc.

>>> x, p = sp.symbols("x p", real=True)
>>> normal_tail(1 - ndtr(x)), normal_tail(sp.log(ndtr(x))), normal_tail(ndtr(x)**p)
(ndtr(-x), log_ndtr(x), exp(p*log_ndtr(x)))
>>> normal_tail(sp.log(sp.erfc(x)))
log_ndtr(-sqrt(2)*x) + log(2)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import log_ndtr, ndtr


def normal_tail(formula: Any) -> Any | None:
    """The normal distribution function where it is small or near one."""
    match formula:
        case sp.Add():
            return _complement(formula)
        case sp.log() if isinstance(formula.args[0], ndtr):
            return log_ndtr(formula.args[0].args[0])
        case sp.log() if isinstance(formula.args[0], sp.erfc):
            return sp.log(2) + log_ndtr(-sp.sqrt(2) * formula.args[0].args[0])
        case sp.log() if _two_minus_erfc(formula.args[0]):  # what sympy makes of erfc(-x)
            return sp.log(2) + log_ndtr(sp.sqrt(2) * (2 - formula.args[0]).args[0])
        case sp.Pow() if isinstance(formula.base, ndtr):
            return sp.exp(formula.exp * log_ndtr(formula.base.args[0]))
    return None


def _complement(formula: Any) -> Any | None:
    """c - c Phi(x) among the terms of a sum."""
    for term in formula.args:
        for normal in (f for f in sp.Mul.make_args(term) if isinstance(f, ndtr)):
            other = -term / normal
            if other in formula.args:
                return sp.Add(*(t for t in formula.args if t not in (term, other)), other * ndtr(-normal.args[0]))
    return None


def _two_minus_erfc(formula: Any) -> bool:
    return isinstance(formula, sp.Add) and isinstance(2 - formula, sp.erfc)
