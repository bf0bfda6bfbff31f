r"""A normal and an exponential added: $z = m + s\,\varepsilon + t/\lambda$.

**Applies when** the density is $e^{c - \lambda z}\,\Phi(a + bz)$ on the line, however it is written: then $s = 1/|b|$, and the
exponential points to where the density falls as $e^{-\lambda z}$. Undoes $\int_0^\infty \mathcal N(z - t/\lambda)e^{-t}\,dt$.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, k = sp.Symbol("z", real=True), sp.Symbol("k", positive=True)
>>> (found,) = ex_gaussian(law(z, sp.exp(1/(2*k**2) - z/k)*sp.erfc((1/k - z)/sp.sqrt(2))/(2*k)))
>>> found.value
e + k*t

*Reference*: Grushka, Characterization of exponentially modified Gaussian peaks in chromatography (1972).
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import NORMAL, exponential_noise
from symaux.rules.toolkit import REALS, Law, Rewrite, as_line, find_special_factor, rule


@rule
def ex_gaussian(law: Law) -> Rewrite | None:
    r"""$z = m + s\,\varepsilon + t/\lambda$: a normal and an exponential, from $e^{-\lambda z}\,\Phi(a + bz)$."""
    if law.support != REALS or not law.proper:
        return None
    found = find_special_factor(law.log_density, law.value, sp.erf)
    if found is None or found.offset not in (1, -1) or found.rest.has(law.value) or found.rest == 0:
        return None
    ends = as_line(found.offset * sp.sqrt(2) * found.argument, law.value)
    if ends is None or not (ends[1].is_positive or ends[1].is_negative):
        return None
    (a, b), rate = ends, -found.rest
    scale = 1 / sp.Abs(b)
    exponential = exponential_noise()
    location = sp.simplify(-a / b - rate / b**2)
    value = location + scale * NORMAL.formula + sp.simplify(1 / rate) * exponential.formula
    return Rewrite((NORMAL.law, exponential.law), value)
