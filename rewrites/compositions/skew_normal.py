r"""A normal and the modulus of another: $z = m + s\,(\alpha|\varepsilon_1| + \varepsilon_2)/\sqrt{1+\alpha^2}$.

**Applies when** the density is $2\,\mathcal N(z; m, s^2)\,\Phi(\alpha(z-m)/s)$ on the line, however it is written; with
the modulus as a half-normal noise, g is smooth.

>>> import sympy as sp
>>> from symaux.rules.toolkit import skew_normal as family
>>> z, a = sp.symbols("z a", real=True)
>>> (found,) = skew_normal(family(z, 0, 1, a))
>>> found.value
(a*t + e)/sqrt(a**2 + 1)

*Reference*: Azzalini, A class of distributions which includes the normal ones (1985).
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import HALF_NORMAL, NORMAL
from symaux.rules.toolkit import REALS, Law, Rewrite, as_line, find_special_factor, rule


@rule
def skew_normal(law: Law) -> Rewrite | None:
    r"""$z = m + s\,(\alpha t + \varepsilon)/\sqrt{1 + \alpha^2}$ for a half-normal t, from a normal density times $\Phi$."""
    if law.support != REALS or not law.proper:
        return None
    z, found = law.value, find_special_factor(law.log_density, law.value, sp.erf)
    if found is None or found.offset not in (1, -1):
        return None
    ends, slope = as_line(found.offset * sp.sqrt(2) * found.argument, z), as_line(found.rest, z)
    if ends is None or slope is None or not slope[1].is_negative:
        return None
    location, scale = sp.simplify(-slope[0] / slope[1]), 1 / sp.sqrt(-slope[1])
    if sp.simplify(ends[0] + ends[1] * location) != 0:
        return None
    skew = sp.simplify(ends[1] * scale)
    value = (skew * HALF_NORMAL.formula + NORMAL.formula) / sp.sqrt(1 + skew**2)
    return Rewrite((HALF_NORMAL.law, NORMAL.law), location + scale * value)
