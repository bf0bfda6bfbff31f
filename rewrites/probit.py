r"""The uniform law from a normal one: $u = \Phi(\varepsilon)$.

**Applies when** the law is the uniform one on (0, 1); used where noise must live on the whole real line.

>>> import sympy as sp
>>> from symaux.rules.toolkit import uniform
>>> up, down = probit(uniform(sp.Symbol("u", positive=True), 0, 1))
>>> print(up.value, down.value, up.noise[0].log_density)
ndtr(eps) ndtr(-eps) -eps**2/2 - log(2*pi)/2

*Reference*: Devroye, Non-Uniform Random Variate Generation, section II.2 (the inversion principle, backwards).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from symaux.rules.toolkit import Interval, Law, Rewrite, ndtr, normal, rule


@rule
def probit(law: Law) -> Iterator[Rewrite]:
    r"""$u = \Phi(\pm\varepsilon)$ for a uniform u and a standard normal noise."""
    if law.support != Interval(sp.S.Zero, sp.S.One) or law.log_density != 0:
        return
    eps = sp.Symbol("eps", real=True)
    noise = replace(normal(eps, 0, 1), spelling=None)
    yield Rewrite((noise,), ndtr(eps))
    yield Rewrite((noise,), ndtr(-eps))
