r"""The uniform law from a normal one: $u = \Phi(\varepsilon)$.

**Applies when** the law is the uniform one on (0, 1); used where noise must live on the whole real line.

>>> import sympy as sp
>>> from symaux.families import uniform
>>> (found,) = probit(uniform(sp.Symbol("u", positive=True), 0, 1))
>>> print(found.value, found.noise[0].log_density)
ndtr(eps) -eps**2/2 - log(2*pi)/2

*Reference*: Devroye, Non-Uniform Random Variate Generation, section II.2 (the inversion principle, backwards).
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from symaux.families import normal
from symaux.functions import ndtr
from symaux.law import Law
from symaux.rule import Rewrite, rule
from symaux.support import Interval


@rule
def probit(law: Law) -> Rewrite | None:
    r"""$u = \Phi(\varepsilon)$ for a uniform u and a standard normal noise."""
    if law.support != Interval(sp.S.Zero, sp.S.One) or law.log_density != 0:
        return None
    eps = sp.Symbol("eps", real=True)
    return Rewrite((replace(normal(eps, 0, 1), spelling=None),), ndtr(eps))
