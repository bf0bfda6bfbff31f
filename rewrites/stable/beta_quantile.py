r"""Complements, odds, logarithms and powers of a beta quantile $x = I^{-1}_u(a, b)$, exact at both ends.

$$1 - I^{-1}_u(a, b) = I^{-1}_{1-u}(b, a),\qquad \frac x{1-x} = e^l,\qquad 2x - 1 = \tanh\tfrac l2,\qquad
x^p = e^{-p\operatorname{softplus}(-l)},$$

with $l$ the logit, which is worked out from $\log u$ and $\log(1 - u)$.

>>> a, b, c, u = sp.symbols("a b c u", positive=True)
>>> beta_quantile(1 - betaincinv(a, b, u))
betainccinv(b, a, u)
>>> beta_quantile(betaincinv(a, b, u)/(1 - betaincinv(a, b, u))) == sp.exp(logit(betaincinv(a, b, u)))
True
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from rewrites.stable.gamma_quantile import complement, known_by_logarithm
from symaux.rules.toolkit import betainccinv, betaincinv, logit_betaincinv, softplus


def beta_quantile(formula: Any) -> Any | None:
    """A function of a beta quantile, by the quantile of the complement or by its logit."""
    match formula:
        case sp.Add():
            return _difference(formula)
        case sp.Mul():
            return _odds(formula)
        case sp.log() if isinstance(formula.args[0], betaincinv | betainccinv):
            return -softplus(-logit(formula.args[0]))
        case sp.Pow() if isinstance(formula.base, betaincinv | betainccinv) and formula.exp != -1:
            return sp.exp(-formula.exp * softplus(-logit(formula.base)))
        case betaincinv() | betainccinv() if known_by_logarithm(formula.args[-1]):
            return 1 / (1 + sp.exp(-logit(formula)))
    return None


def logit(quantile: Any) -> Any:
    """The log odds, from the logarithms of both tails."""
    a, b, level = quantile.args
    below, above = sp.log(level), sp.log(complement(level))
    return logit_betaincinv(a, b, *((below, above) if isinstance(quantile, betaincinv) else (above, below)))


def complement_quantile(quantile: Any) -> Any:
    """1 - x, as a quantile of the beta law with its shapes exchanged."""
    a, b, level = quantile.args
    return (betainccinv if isinstance(quantile, betaincinv) else betaincinv)(b, a, level)


def _difference(formula: Any) -> Any | None:
    """c - c x and c - 2 c x among the terms of a sum."""
    for term in formula.args:
        for x in (f for f in sp.Mul.make_args(term) if isinstance(f, betaincinv | betainccinv)):
            for other in formula.args:
                if other == -term / x:
                    return sp.Add(*(t for t in formula.args if t not in (term, other)), other * complement_quantile(x))
                if other == -term / (2 * x):
                    rest = (t for t in formula.args if t not in (term, other))
                    return sp.Add(*rest, -other * sp.tanh(logit(x) / 2))
    return None


def _odds(formula: Any) -> Any | None:
    """x (1 - x)**-1, in either spelling, to any common power."""
    powers = {f.as_base_exp()[0]: f.as_base_exp()[1] for f in formula.args}
    for x, p in powers.items():
        if isinstance(x, betaincinv | betainccinv):
            for other, way in ((1 - x, 1), (x - 1, -1), (complement_quantile(x), 1)):
                if powers.get(other) == -p and (way == 1 or p.is_integer):
                    return formula / (x / other) ** p * way ** int(p if way < 0 else 1) * sp.exp(p * logit(x))
    return None
