r"""$\log\Gamma(x + n) - \log\Gamma(x) = \operatorname{log\_rising}(x, n)$, and $x\log x - x\log(x + m) = -x\log(1 + \frac mx)$.

Applies to a sum with two such terms, for a number or an integer n: where x is large, as the dispersion of a count or the
degrees of freedom of a Student law may be, the terms are large and their difference is not.

>>> x, m = sp.symbols("x m", positive=True)
>>> k = sp.Symbol("k", integer=True)
>>> log_of_gammas(sp.loggamma(x + k) - sp.loggamma(x) + m), log_of_gammas(sp.loggamma(x/2 + sp.S.Half) - sp.loggamma(x/2))
(m + log_rising(x, k), log_rising(x/2, 1/2))
>>> log_of_gammas(x*sp.log(x) - (x + k)*sp.log(x + m))
-k*log(m + x) - x*log1p(m/x)
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.rules.toolkit import log1p, log_rising


def log_of_gammas(formula: Any) -> Any | None:
    """The logarithm of a quotient of gamma functions, or of powers, that may be almost equal."""
    return (_gammas(formula) or _powers(formula)) if isinstance(formula, sp.Add) else None


def _gammas(formula: Any) -> Any | None:
    """c loggamma(x + n) - c loggamma(x) among the terms of a sum."""
    gammas: list[tuple[Any, Any, Any]] = [
        (c, f.args[0], term) for term in formula.args for c, f in [term.as_coeff_Mul()] if isinstance(f, sp.loggamma)
    ]
    for weight, above, first in gammas:
        for other, below, second in gammas:
            n = sp.expand(above - below)
            known = (
                n.is_positive
                if n.is_number
                else n.is_integer and len(sp.Add.make_args(n)) < len(sp.Add.make_args(above))
            )
            if weight == -other and known and below.free_symbols and not below.is_integer:
                return sp.Add(*(t for t in formula.args if t not in (first, second)), weight * log_rising(below, n))
    return None


def _powers(formula: Any) -> Any | None:
    """c x log(x) - (c x + k) log(x + m) among the terms of a sum."""
    for term in formula.args:
        c, rest = term.as_coeff_Mul()
        x = next((f for f in sp.Mul.make_args(rest) if isinstance(f, sp.Symbol | Indexed) and f.is_positive), None)
        if x is None or rest != x * sp.log(x):
            continue
        for other in formula.args:
            logs: list[Any] = [
                f for f in sp.Mul.make_args(other) if isinstance(f, sp.log) and x in sp.Add.make_args(f.args[0])
            ]
            for log in (f for f in logs if f.args[0] != x):
                weight = sp.expand(-other / log)
                if c * x in sp.Add.make_args(weight):
                    left = (t for t in formula.args if t not in (term, other))
                    return sp.Add(*left, -(weight - c * x) * log, -c * x * log1p((log.args[0] - x) / x))
    return None
