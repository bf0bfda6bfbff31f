r"""Recognise sums of exponential variables, $z = \varepsilon_1/\lambda_1 + \dots + \varepsilon_n/\lambda_n$, by Laplace
transforms.

$E\,e^{-sz} = \prod_i \frac{\lambda_i}{\lambda_i + s}$, and a density $\sum_j c_j e^{-\mu_j z}$ has the transform
$\sum_j \frac{c_j}{\mu_j + s}$. Two continuous functions with one transform are equal (Lerch 1903).

>>> from symaux.laws.families import exponential
>>> from symaux.proof.composition.joint import joint_claim
>>> z, e, f = sp.symbols("z e f", positive=True)
>>> noises = exponential(e, 1), exponential(f, 1)
>>> sums = [Law(z, sp.log(c*(sp.exp(-z) - sp.exp(-2*z))), Interval(sp.S(0), sp.oo)) for c in (2, 3)]
>>> [is_sum_of_exponentials(joint_claim(law, noises, e + f/2)) for law in sums]
[True, False]
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.exponential_terms import exponential_terms
from symaux.laws.law import Law
from symaux.proof.composition.joint import Joint

HALF_LINE = Interval(sp.S.Zero, sp.oo)
S = sp.Symbol("s_", positive=True)


def is_sum_of_exponentials(made: Joint) -> bool:
    """Return whether g adds standard exponential noises over rates, and the law has the transform of their sum."""
    if made.law.support != HALF_LINE or not all(map(_is_standard, made.noise)):
        return False
    values = [noise.value for noise in made.noise]
    shares = [made.value.diff(value) for value in values]
    if any(share.has(*values) or not share.is_positive for share in shares):
        return False
    if made.value.xreplace(dict.fromkeys(values, sp.S.Zero)) != 0:
        return False
    terms = exponential_terms(made.law.log_density, made.law.value)
    if terms is None or not all(rate.is_positive for rate in terms):
        return False
    law = sp.Add(*(weight / (rate + S) for rate, weight in terms.items()))
    return sp.cancel(sp.together(law - sp.Mul(*(1 / (1 + share * S) for share in shares)))) == 0


def _is_standard(noise: Law) -> bool:
    return noise.support == HALF_LINE and sp.expand(noise.log_density + noise.value) == 0
