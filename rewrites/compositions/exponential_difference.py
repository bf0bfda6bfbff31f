r"""An exponential less another: $z = m + t_1/\lambda_1 - t_2/\lambda_2$.

**Applies when** the log-density is a line on either side of one corner: Laplace and its asymmetric kin. Smooth in the noise,
where the quantile function has two branches.

>>> import sympy as sp
>>> from symaux.rules.toolkit import laplace
>>> z, b = sp.Symbol("z", real=True), sp.Symbol("b", positive=True)
>>> (found,) = exponential_difference(laplace(z, 0, b))
>>> found.value
b*t - b*t2

*Reference*: Kotz, Kozubowski and Podgórski, The Laplace Distribution and Generalizations, section 2.2.
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import T2, exponential_noise
from symaux.rules.toolkit import REALS, Law, Rewrite, rule, split_at_corner


@rule
def exponential_difference(law: Law) -> Rewrite | None:
    r"""$z = m + t_1/\lambda_1 - t_2/\lambda_2$ for exponentials, from a log-density of two lines that meet."""
    sides = split_at_corner(law) if law.support == REALS and law.proper else None
    if sides is None:
        return None
    rising, falling = (sp.simplify(side.diff(law.value)) for side in sides[:2])
    if not (rising.is_positive and falling.is_negative) or rising.has(law.value) or falling.has(law.value):
        return None
    up, down = exponential_noise(), exponential_noise(T2)
    return Rewrite((up.law, down.law), sides[2] - up.formula / falling - down.formula / rising)
