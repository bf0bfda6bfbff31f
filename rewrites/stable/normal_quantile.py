r"""Inverse error functions as $\Phi^{-1}$ of a small probability, and $\Phi^{-1}$ of one that is known by its logarithm.

$$\sqrt2\operatorname{erfinv}(2x - 1) = \Phi^{-1}(x) = -\sqrt2\operatorname{erfcinv}(2x),\qquad
\Phi^{-1}(1 - x) = -\Phi^{-1}(x).$$

Applies where the probability is small as it stands, or a product or a power that may be too small for the format.

>>> u, c = sp.symbols("u c", positive=True)
>>> x = sp.Symbol("x", real=True)
>>> normal_quantile(sp.erfinv(1 - 2*u)), normal_quantile(ndtri(1 - u)), normal_quantile(sp.erfcinv(2*u))
(-sqrt(2)*ndtri(u)/2, -ndtri(u), -sqrt(2)*ndtri(u)/2)
>>> normal_quantile(ndtri(u**(1/c))), normal_quantile(ndtri(u*ndtr(x)))
(ndtri_exp(log(u)/c), ndtri_exp(log(u) + log_ndtr(x)))
>>> normal_quantile(sp.erfcinv(1 - u))
erfinv(u)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import Formula, expm1, log_ndtr, ndtr, ndtri, ndtri_exp, one_minus


def normal_quantile(formula: Any) -> Any | None:
    """A normal quantile by the tail that is small."""
    match formula:
        case sp.erfcinv() if (rest := one_minus(formula.args[0])) is not None:
            return sp.erfinv(rest)
        case sp.erfcinv():
            level: Formula = formula.args[0]
            return -ndtri(level / 2) / sp.sqrt(2)
        case sp.erfinv() if isinstance(formula.args[0], sp.Add):
            return _error_inverse(*formula.args[0].as_coeff_Add())
        case ndtri() if isinstance(formula.args[0], sp.Add):
            number, rest = formula.args[0].as_coeff_Add()
            return -ndtri(-rest) if number == 1 and rest.could_extract_minus_sign() else None
        case ndtri():
            log_p, way = _logarithm(formula.args[0])
            return None if log_p is None else way * ndtri_exp(log_p)
    return None


def _error_inverse(number: Any, rest: Any) -> Any | None:
    if number == -1:
        return ndtri(rest / 2) / sp.sqrt(2)
    return -ndtri(-rest / 2) / sp.sqrt(2) if number == 1 else None


def _logarithm(level: Any) -> tuple[Any, int]:
    """The logarithm of a probability that is a product or a power; of one minus it, for a difference."""
    if isinstance(-level, expm1):
        return (-level).args[0], -1
    factors = sp.Mul.make_args(level)
    if any(isinstance(f, sp.exp | ndtr) or (isinstance(f, sp.Pow) and not f.exp.is_integer) for f in factors):
        return sp.Add(*map(_log, factors)), 1
    return None, 1


def _log(factor: Any) -> Any:
    match factor:
        case sp.exp():
            return factor.args[0]
        case ndtr():
            return log_ndtr(factor.args[0])
        case sp.Pow():
            return factor.exp * sp.log(factor.base)
    return sp.log(factor)
