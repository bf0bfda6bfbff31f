r"""$\int_0^\infty x^{a}\,e^{-bx + c}\,dx = \Gamma(a+1)\,b^{-(a+1)}\,e^{c}$ for $a > -1$, $b > 0$: an integral by its form.

>>> x, a, b = sp.symbols("x a b", positive=True)
>>> log_gamma_integral((a - 1)*sp.log(x) - b*x, x)
-a*log(b) + loggamma(a)
"""

from __future__ import annotations

import sympy as sp


def log_gamma_integral(log_integrand: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    """The logarithm of the integral over positive x, or None where the integrand is not of this form."""
    log_x = sp.Dummy("log_x", real=True)
    formula = sp.expand(sp.expand_log(log_integrand)).xreplace({sp.log(x): log_x})
    power, rate = formula.coeff(log_x), -formula.coeff(x)
    rest = sp.expand(formula - power * log_x + rate * x)
    if rest.has(x, log_x) or power.has(x, log_x) or rate.has(x, log_x):
        return None
    shape = sp.expand(power + 1)
    if not shape.is_positive or not sp.factor(rate).is_positive:
        return None
    return sp.loggamma(shape) - shape * sp.log(rate) + rest
