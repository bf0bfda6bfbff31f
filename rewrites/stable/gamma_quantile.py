r"""$\log P^{-1}(a, u)$ and powers of $P^{-1}(a, u)$, where the quantile itself underflows; levels known by logarithms.

Applies to a logarithm or a power of an inverse incomplete gamma function, and to one of a level whose logarithm is known.

>>> a, u, c = sp.symbols("a u c", positive=True)
>>> gamma_quantile(sp.log(gammaincinv(a, u)))
log_gamma_quantile(a, log(u), log(1 - u))
>>> gamma_quantile(gammainccinv(a, u)**(1/c))
exp(log_gamma_quantile(a, log(1 - u), log(u))/c)
>>> gamma_quantile(gammaincinv(a, gammainc(c, u)))
exp(log_gamma_quantile(a, log(gammainc(c, u)), log(gammaincc(c, u))))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import (
    betainc,
    betaincc,
    expm1,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    log_gamma_quantile,
    ndtr,
)

PAIRS = ((gammainc, gammaincc), (betainc, betaincc))
Tails = gammainc | gammaincc | betainc | betaincc


def gamma_quantile(formula: Any) -> Any | None:
    """A function of a gamma quantile, by the logarithm of the quantile."""
    match formula:
        case sp.log() if isinstance(formula.args[0], gammaincinv | gammainccinv):
            return _logarithm(formula.args[0])
        case sp.Pow() if isinstance(formula.base, gammaincinv | gammainccinv):
            return sp.exp(formula.exp * _logarithm(formula.base))
        case gammaincinv() | gammainccinv() if known_by_logarithm(formula.args[-1]):
            return sp.exp(_logarithm(formula))
    return None


def _logarithm(quantile: Any) -> Any:
    shape, level = quantile.args
    below, above = sp.log(level), sp.log(complement(level))
    return log_gamma_quantile(shape, *((below, above) if isinstance(quantile, gammaincinv) else (above, below)))


def known_by_logarithm(level: Any) -> bool:
    """Whether a probability is a power or an exponential, or one minus one; or a distribution function with two tails."""
    return isinstance(level, sp.exp | expm1 | sp.Pow | Tails) or isinstance(-level, expm1)


def complement(level: Any) -> Any:
    """1 - u, as a formula."""
    if isinstance(-level, expm1):
        return sp.exp((-level).args[0])
    for lower, upper in PAIRS:
        if isinstance(level, lower | upper):
            return (upper if isinstance(level, lower) else lower)(*level.args)
    return ndtr(-level.args[0]) if isinstance(level, ndtr) else 1 - level
