r"""$\log((1 - u)S + uT) = \log S + x\,m(u, 1 - u, x)$, $x = \log\frac TS$, $m(u, v, x) = \frac1x\log(v + ue^x)$.

Applies to a logarithm, or a power, of a sum that is linear in a probability, between two products of exponentials and powers:
quantiles of truncated exponential and power laws. A power is the geometric mean of the powers of S and T with the weights
$1 - m$ and m. And $c - c\,m(u, v, x) = c\,m(v, u, -x)$; $(-\log(v + ue^{-w^k}))^{1/k}$ is a quantile of a Weibull law.

>>> u, r, a, w, z = sp.symbols("u r a w z", positive=True)
>>> log_of_mixture(sp.log(u*sp.exp(r) - u + 1)), log_of_mixture(log1p(u*expm1(-r)))
(r*mean_exponent(u, 1 - u, r), -r*mean_exponent(u, 1 - u, -r))
>>> log_of_mixture((w**a + u*(z**a - w**a))**(1/a))
geometric_mean(w, z, mean_exponent(1 - u, u, -a*log_ratio(z, w)), mean_exponent(u, 1 - u, a*log_ratio(z, w)))
>>> log_of_mixture(r - r*mean_exponent(u, 1 - u, r)), log_of_mixture(sp.log(1 + u*r))
(r*mean_exponent(1 - u, u, -r), None)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.rules.toolkit import (
    complement,
    expm1,
    geometric_mean,
    is_surely_positive,
    log1p,
    log_mean_exponent,
    log_ratio,
    mean_exponent,
    ndtr,
    weibull_below,
)


def log_of_mixture(formula: Any) -> Any | None:
    """A logarithm or a power of the mean of two exponentials, or the complement of the share of its exponent."""
    match formula:
        case sp.log() if isinstance(formula.args[0], mean_exponent):
            return log_mean_exponent(*formula.args[0].args)
        case sp.Pow() if isinstance(formula.base, mean_exponent) and not formula.exp.is_integer:
            return sp.exp(formula.exp * log_mean_exponent(*formula.base.args))
        case sp.Pow() if isinstance(formula.base, sp.Mul) and not formula.exp.is_integer:
            return _power_of_level(formula.base, formula.exp)
        case sp.log() if isinstance(formula.args[0], sp.Add):
            return _logarithm(formula.args[0])
        case log1p():
            inner: Any = formula.args[0]
            return _logarithm(1 + inner)
        case sp.Pow() if isinstance(formula.base, sp.Add) and not formula.exp.is_integer:
            return _power(formula.base, formula.exp)
        case sp.Add():
            return _merge_complement(formula)
    return None


def _logarithm(mean: Any) -> Any | None:
    for u, v, low, high in _mixtures(mean):
        x = _log_quotient(high, low)
        return _log(low) + x * mean_exponent(u, v, x)
    return None


def _power(mean: Any, exponent: Any) -> Any | None:
    for u, v, low, high in _mixtures(mean):
        x = _log_quotient(high, low)
        shares = mean_exponent(v, u, -x), mean_exponent(u, v, x)
        if low.has(sp.exp) or high.has(sp.exp):
            return sp.exp(exponent * _log(low) + exponent * x * shares[1])
        return geometric_mean(low**exponent, high**exponent, *shares)
    return None


def _power_of_level(level: Any, exponent: Any) -> Any | None:
    """A power of $-\\log(v + ue^{-w^k})$, which is $w^k$ times the share of the exponent."""
    for share in (f for f in level.args if isinstance(f, mean_exponent)):
        u, v, x = share.args
        w, k = (-x).as_base_exp()
        if level == -x * share and (-x).is_Pow and not isinstance(-x, sp.exp) and is_surely_positive(w):
            return weibull_below(u, v, w, k) ** (exponent * k)
    return None


def _mixtures(mean: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Probabilities u and 1 - u, and the two products between which a sum is linear in u."""
    plain = mean.replace(lambda f: isinstance(f, complement | expm1 | ndtr), _as_linear_in_probability)
    for level in sorted(plain.atoms(sp.Symbol, Indexed, ndtr), key=str):
        slope = (
            plain.diff(level) if isinstance(level, sp.Symbol | Indexed) else plain.xreplace({level: MARK}).diff(MARK)
        )
        if slope == 0 or slope.has(level) or slope.has(MARK) or not (level.is_positive or isinstance(level, ndtr)):
            continue
        low = sp.expand_mul(plain.xreplace({level: sp.S.Zero}))
        high = sp.expand_mul(low + slope)
        if _is_product(low) and _is_product(high) and any(map(_exponents, (low, high))):
            yield level, _complement(level), low, high
            return


MARK = sp.Dummy("mark", positive=True)


def _complement(level: Any) -> Any:
    return ndtr(-level.args[0]) if isinstance(level, ndtr) else 1 - level


def _as_linear_in_probability(function: Any) -> Any:
    """Such a function in terms that are linear in a probability."""
    (x,) = function.args
    if isinstance(function, ndtr):
        return 1 - ndtr(-x) if x.could_extract_minus_sign() else function
    return 1 - x if isinstance(function, complement) else sp.exp(x) - 1


def _is_product(term: Any) -> bool:
    """Whether a term is a product of exponentials and of powers of what is surely positive."""
    return not term.is_Add and all(isinstance(f, sp.exp) or is_surely_positive(f) for f in sp.Mul.make_args(term))


def _exponents(term: Any) -> bool:
    """Whether a term has an exponential, or a power with an exponent that varies."""
    factors: tuple[Any, ...] = sp.Mul.make_args(term)
    return any(isinstance(f, sp.exp) or (f.is_Pow and f.exp.free_symbols) for f in factors)


def _log(term: Any) -> Any:
    factors: tuple[Any, ...] = sp.Mul.make_args(term)
    logs: list[Any] = [f.args[0] if isinstance(f, sp.exp) else _log_power(*f.as_base_exp()) for f in factors]
    return sp.Add(*logs)


def _log_power(base: Any, exponent: Any) -> Any:
    return exponent * sp.log(base)


def _log_quotient(high: Any, low: Any) -> Any:
    """log(high/low); with equal exponents by the quotient of the bases, which may be near one."""
    (top, p), (bottom, q) = high.as_base_exp(), low.as_base_exp()
    powers = high.is_Pow and low.is_Pow and not isinstance(high, sp.exp) and not isinstance(low, sp.exp)
    return p * log_ratio(top, bottom) if powers and p == q else _log(high) - _log(low)


def _merge_complement(formula: Any) -> Any | None:
    """c - c m(u, v, x) among the terms of a sum."""
    for term in formula.args:
        for share in (f for f in sp.Mul.make_args(term) if isinstance(f, mean_exponent)):
            u, v, x = share.args
            if (other := -term / share) in formula.args:
                return sp.Add(*(t for t in formula.args if t not in (term, other)), other * mean_exponent(v, u, -x))
    return None
