r"""The quantile function as a piecewise polynomial: $z = h(\sum_j c_{kj} T_j(t))$ in the log-odds of u.

**Applies when** the law has no parameters, none are left after exact steps, or the conditions of the law say between which
numbers one or two of them are: then the coefficients are polynomials of them, and one bound holds in the whole box.
It is not among ``RULES``: what it gives is APPROXIMATE, with a proved bound of the Kolmogorov distance, and is looked at only
when that is asked for.

>>> import sympy as sp
>>> from symaux.rules.toolkit import normal
>>> print(approximation.apply(normal(sp.Symbol("z", real=True), 0, 1)).value)
chebyshev(log(eps) - log(1 - eps); 10 pieces of degree 10)

*Reference*: Kingma, Fast Gradient-Based Inference with Continuous Latent Variable Models in Auxiliary Form (2013),
section 3, uses polynomials of the inverse distribution function, without a bound.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from symaux.rules.toolkit import (
    ChebyshevPieces,
    Interval,
    Law,
    Rewrite,
    Rule,
    fit_quantile_box,
    fit_quantile_table,
    is_standard_uniform,
    logit,
    map_line_onto,
    parameter_box,
    rule,
    standard_uniform,
)

TOLERANCE = 1e-10  # of the Kolmogorov distance, as a probability
FOR_A_BOX = 1e-7  # the least over a box, where one bound holds for all parameters
MOST = 2  # parameters of a box: the number of coefficients grows as a power of it


def approximated(law: Law, tolerance: float) -> Rewrite | None:
    """The quantile function of a law, to a Kolmogorov distance of about the tolerance; over a box, of about 1e-7 at best."""
    if not isinstance(law.support, Interval) or not law.proper or is_standard_uniform(law):
        return None
    parameters = sorted(law.parameters, key=str)
    box = parameter_box(parameters, law.conditions) if parameters else ()
    if box is None or len(parameters) > MOST:
        return None
    found = fit_quantile_box(law, box, max(tolerance, FOR_A_BOX)) if parameters else fit_quantile_table(law, tolerance)
    if found is None:
        return None
    eps = sp.Symbol("eps", positive=True)
    line, table = found
    return Rewrite(
        (standard_uniform(eps),), map_line_onto(law.support, ChebyshevPieces(logit(eps), table, *parameters), line)
    )


def to_within(tolerance: float) -> Rule:
    """The same rule with a tolerance of one's own: ``rules=(*RULES, to_within(1e-6))``."""
    return replace(approximation, apply=lambda law: approximated(law, tolerance))


@rule
def approximation(law: Law) -> Rewrite | None:
    r"""$z \approx h(\sum_j c_{kj} T_j)$ in the log-odds of a uniform u, with a proved bound of the distance."""
    return approximated(law, TOLERANCE)
