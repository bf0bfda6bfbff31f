r"""$\log I_\nu(x) = \nu\log\tfrac x2 + \log\frac{I_\nu(x)}{(x/2)^\nu}$ where x is a multiple of an exponential that may vanish.

>>> y, q = sp.Symbol("y", real=True), sp.Symbol("q", positive=True)
>>> log_of_bessel(sp.log(sp.besseli(q, 2*sp.exp(y))))
q*y + log_iv_over_power(q, 2*exp(y))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import Formula, log_iv_over_power


def log_of_bessel(formula: Any) -> Any | None:
    """The logarithm of a Bessel function of an exponential, with its power of the exponential taken apart."""
    if not isinstance(formula, sp.log) or not isinstance(formula.args[0], sp.besseli):
        return None
    bessel: Formula = formula.args[0]
    order, x = bessel.args
    powers: list[Formula] = [f.exp for f in sp.Mul.make_args(x) if isinstance(f, sp.exp)]
    size = sp.Mul(*(f for f in sp.Mul.make_args(x) if not isinstance(f, sp.exp)))
    if not powers or not size.is_positive:
        return None
    return order * (sp.log(size / 2) + sp.Add(*powers)) + log_iv_over_power(order, x)
