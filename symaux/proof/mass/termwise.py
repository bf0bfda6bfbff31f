r"""Integrate power series term by term: $\int\sum_j T_j(t)\,dt = \sum_j\int T_j(t)\,dt$ for $T_j \ge 0$ (Tonelli).

A Bessel function I or a hypergeometric function with positive parameters and a positive argument is a sum of positive
terms. If each integral $I_j$ is a classical one and $I_{j+1}/I_j$ is rational in j, the sum of all is again such a function:
so mixtures with Poisson weights are seen to integrate to one, and integrals over a noise that leave such a mixture are known.

>>> t, q, c = sp.symbols("t q c", positive=True)
>>> log_total(q*sp.log(t)/2 - t + sp.log(sp.besseli(q, 2*sp.sqrt(c*t))), t, Interval(sp.S(0), sp.oo))
c + q*log(c)/2
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.algebra.hypergeometric_sums import sum_from_ratio
from symaux.formulas.algebra.signs import is_always_positive
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.special_factor import find_special_factor, with_standard_functions
from symaux.proof.mass.definite_integrals import log_integral
from symaux.proof.scalar.residual import point_inside, split_logarithms

J = sp.Symbol("j_", nonnegative=True)  # not declared whole: sympy would write log-gammas of it in another way


def log_total(log_integrand: Formula, t: sp.Symbol, where: Interval) -> Formula | None:
    r"""Return $\log\int e^{\ell(t)}\,dt$, from the table or by the terms of a series; None if it is not recognised."""
    found = log_integral(log_integrand, t, where)
    return _by_terms(log_integrand, t, where) if found is None else found


def _by_terms(log_integrand: Formula, t: sp.Symbol, where: Interval) -> Formula | None:
    term = log_term(log_integrand, t, where)
    part = None if term is None else log_integral(term, t, where)
    if part is None:
        return None
    ratio: Formula = sp.factor(sp.exp(sp.expand(_split_gammas(part.xreplace({J: J + 1})) - _split_gammas(part))))
    summed = sum_from_ratio(ratio, J) if ratio.is_rational_function(J) else None
    if summed is None:
        return None
    return sp.expand(part.xreplace({J: sp.S.Zero})) + log_modulus(summed)


def _split_gammas(formula: Formula) -> Formula:
    r"""Expand $\log\Gamma(a + j + 1) = \log\Gamma(a + j) + \log(a + j)$ and logarithms of products."""
    shifted = formula.replace(sp.loggamma, lambda a: log_modulus(sp.expand_func(sp.gamma(sp.expand(a)))))
    return split_logarithms(shifted)


def log_term(log_integrand: Formula, t: sp.Symbol, where: Interval) -> Formula | None:
    """Return the logarithm of the j-th term of an integrand with one factor that is a series of positive terms."""
    spelled = with_standard_functions(log_integrand)
    for kind in (sp.besseli, sp.hyper):
        found = find_special_factor(spelled, t, kind) if spelled.has(kind) else None
        if found is None or found.offset != 0:
            continue
        rest = spelled.xreplace({found.function: sp.S.One})
        terms = _terms(found.function, {t: point_inside(where)})
        return None if terms is None else rest + terms
    return None


def _terms(function: Formula, chart: dict[Formula, Formula]) -> Formula | None:
    x = function.args[-1]
    if not is_always_positive(x.xreplace(chart)):
        return None
    if isinstance(function, sp.besseli):
        order: Formula = function.args[0]
        powers = (2 * J + order) * log_modulus(x / 2)
        return (
            powers - sp.loggamma(J + 1) - sp.loggamma(J + order + 1)
            if is_always_positive(sp.expand(order + 1))
            else None
        )
    above, below = (tuple(map(sp.expand, each)) for each in function.args[:2])
    if not all(map(is_always_positive, (*above, *below))):
        return None
    if len(above) > len(below) + 1 or (
        len(above) == len(below) + 1 and not is_always_positive((1 - x).xreplace(chart))
    ):
        return None
    rising = sum((_rising(a) for a in above), sp.S.Zero) - sum((_rising(b) for b in below), sp.S.Zero)
    return rising + J * log_modulus(x) - sp.loggamma(J + 1)


def _rising(a: Formula) -> Formula:
    r"""Return $\log\,(a)_j = \log\Gamma(a + j) - \log\Gamma(a)$."""
    return sp.loggamma(a + J) - sp.loggamma(a)
