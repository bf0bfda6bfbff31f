r"""Restate a claim about $z = e^{h}$ on the positive numbers as a claim about $h = \log z$ with the law of $\log z$.

The logarithm is one-to-one: masses and distances are the same. But $e^h$ far out in a heavy tail is so steep that no
cell of it is short enough, and the tail of its density so long that no power of z is a majorant.

>>> z, e = sp.Symbol("z", positive=True), sp.Symbol("e", real=True)
>>> log_normal = Density(z, -((sp.log(z) - 1)/2)**2/2 - sp.log(2*z) - sp.log(2*sp.pi)/2, Interval(sp.S.Zero, sp.oo))
>>> normal = Density(e, -e**2/2 - sp.log(2*sp.pi)/2, REALS)
>>> made = to_log_scale(Pushforward(log_normal, normal, sp.exp(1 + 2 * e)))
>>> print(made.value, "|", sp.expand(made.law.log_density))
2*e + 1 | -symaux y**2/8 + symaux y/4 - 3*log(2)/2 - log(pi)/2 - 1/8
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.support import REALS, Interval
from symaux.trusted.density import Density, Pushforward

Y = sp.Symbol("symaux y", real=True)


def to_log_scale(claim: Pushforward) -> Pushforward:
    """Return the claim about log z where g is a positive multiple of an exponential; otherwise the claim itself."""
    factor, rest = sp.S.One, claim.value
    if isinstance(rest, sp.Mul):
        factor, rest = rest.as_independent(claim.noise.value, as_Add=False)
    support = claim.law.support
    if not (isinstance(rest, sp.exp) and factor.is_positive and rest.args[0].is_real):
        return claim
    if not isinstance(support, Interval) or (support.lower, support.upper) != (0, sp.oo):
        return claim
    log_density = claim.law.log_density.xreplace({claim.law.value: sp.exp(Y)}) + Y
    return Pushforward(Density(Y, log_density, REALS), claim.noise, sp.log(factor) + rest.args[0])
