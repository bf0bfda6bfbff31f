r"""A non-central chi-square against a gamma: $z = d\,x/2t$, and $z = x/(x + 2t)$ on the unit interval.

**Applies when** the density is $z^{a-1}(z + d)^{-a-b}\,{}_1F_1(a+b; a; \tfrac\lambda2\tfrac z{z+d})$ on $(0, \infty)$, or
$z^{a-1}(1-z)^{b-1}\,{}_1F_1(a+b; a; \tfrac\lambda2z)$ on $(0, 1)$: non-central F and beta. Here $t \sim \Gamma(b)$, and
$x \sim \chi'^2_{2a}(\lambda)$, which other rules take from there. Undoes an integral over t that is done term by term.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, a, b, lam = sp.symbols("z a b lam", positive=True)
>>> kummer = sp.hyper((a + b,), (a,), lam*z/2)
>>> (found,) = noncentral_ratio(law(z, z**(a - 1)*(1 - z)**(b - 1)*kummer*sp.exp(-lam/2)/sp.beta(a, b), support=(0, 1)))
>>> found.value
x/(2*t + x)

*Reference*: Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions 2, chapter 30.
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import gamma_noise
from symaux.rules.toolkit import Formula, Interval, Law, Rewrite, find_special_factor, rule

X = sp.Symbol("x", positive=True)
HALF_LINE, UNIT = Interval(sp.S.Zero, sp.oo), Interval(sp.S.Zero, sp.S.One)


@rule
def noncentral_ratio(law: Law) -> Rewrite | None:
    r"""$z = d\,x/2t$ or $x/(x + 2t)$ for a non-central chi-square x and a gamma t, from a function ${}_1F_1$."""
    if law.support not in (HALF_LINE, UNIT) or not law.proper or not law.log_density.has(sp.hyper):
        return None
    found = find_special_factor(law.log_density, law.value, sp.hyper)
    if found is None or found.offset != 0 or [len(row) for row in found.function.args[:2]] != [1, 1]:
        return None
    (top,), (a,), k = found.function.args
    b, spread = sp.expand(top - a), _scale_and_noncentrality(law, sp.cancel(k))
    if spread is None or not (a.is_positive and b.is_positive):
        return None
    d, noncentrality = spread
    mixing = gamma_noise(b)
    ratio = d * X / (2 * mixing.formula) if law.support == HALF_LINE else X / (X + 2 * mixing.formula)
    return Rewrite((_chi_square(2 * a, noncentrality), mixing.law), ratio)


def _scale_and_noncentrality(law: Law, k: Formula) -> tuple[Formula, Formula] | None:
    """d and the non-centrality, where k is half of that times z/(z + d), or times z."""
    z = law.value
    if law.support == UNIT:
        half, d = sp.cancel(k / z), sp.S.One
    else:
        half = sp.limit(k, z, sp.oo) if k.is_rational_function(z) else sp.nan
        d = sp.cancel(z * (half / k - 1)) if half.is_positive else sp.nan
    return (d, sp.factor(2 * half)) if half.is_positive and d.is_positive and not (half.has(z) or d.has(z)) else None


def _chi_square(n: Formula, noncentrality: Formula) -> Law:
    r"""$\tfrac12 e^{-(x+\lambda)/2}(x/\lambda)^{(n-2)/4}I_{n/2-1}(\sqrt{\lambda x})$."""
    bessel = sp.log(sp.besseli(sp.expand(n / 2 - 1), sp.sqrt(noncentrality) * sp.sqrt(X)))
    powers = (n - 2) / 4 * (sp.log(X) - sp.log(noncentrality))
    return Law(X, -(X + noncentrality) / 2 + powers + bessel - sp.log(2), HALF_LINE)
