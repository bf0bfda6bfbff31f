r"""A normal with a mean over the root of a gamma: $z = \sqrt{d/2}\,(\delta + \varepsilon)/\sqrt t$, $t \sim \Gamma(\nu/2)$.

**Applies when** the density holds ${}_1F_1(\tfrac{\nu+1}2; \tfrac12; x)$ with $x = \tfrac12\delta^2 z^2/(d + z^2)$, as that
of the non-central t does: x tells $\delta$ up to its sign and d, the function tells $\nu$.

>>> import sympy as sp
>>> from symaux.rules.toolkit import Law
>>> from symaux.rules.toolkit import REALS
>>> z = sp.Symbol("z", real=True)
>>> n, d = sp.symbols("n d", positive=True)
>>> even = sp.hyper(((n + 1)/2,), (sp.S.Half,), d**2*z**2/(2*(n + z**2)))
>>> [str(found.value) for found in noncentral_t(Law(z, sp.log(even), REALS))]
['sqrt(2)*sqrt(n)*(d + e)/(2*sqrt(t))', 'sqrt(2)*sqrt(n)*(-d + e)/(2*sqrt(t))']

*Reference*: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 31.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from rewrites.compositions.noises import NORMAL, gamma_noise
from symaux.rules.toolkit import REALS, Formula, Law, Rewrite, rule


@rule
def noncentral_t(law: Law) -> Iterator[Rewrite]:
    r"""$z = \sqrt{d/2}\,(\delta + \varepsilon)/\sqrt t$ for a gamma t, from a function ${}_1F_1$ of $z^2/(d + z^2)$."""
    if law.support != REALS or not law.proper:
        return
    for function in sorted(law.log_density.atoms(sp.hyper), key=str):
        above, below, x = function.args
        if len(above) == 1 and tuple(below) == (sp.S.Half,) and x.is_rational_function(law.value):
            yield from _forms(sp.expand(above[0] - sp.S.Half), sp.cancel(x), law.value)


def _forms(shape: Formula, x: Formula, z: Formula) -> Iterator[Rewrite]:
    top, bottom = sp.fraction(x)
    if sp.degree(top, z) != 2 or sp.degree(bottom, z) != 2:
        return
    far = sp.cancel(sp.Poly(top, z).LC() / sp.Poly(bottom, z).LC())
    spread = sp.cancel(z**2 * (far / x - 1))
    if spread.has(z) or not spread.is_positive or not shape.is_positive:
        return
    shift: Formula = sp.sqrt(sp.factor(2 * far)).replace(sp.Abs, lambda inner: inner)  # of either sign: both are tried
    mixing = gamma_noise(shape)
    for mean in (shift, -shift):
        value = sp.sqrt(spread / 2) * (mean + NORMAL.formula) / sp.sqrt(mixing.formula)
        yield Rewrite((NORMAL.law, mixing.law), value)
