r"""Recognise sums of uniform variables: $z = \varepsilon_1 + \dots + \varepsilon_n$ has the density of Irwin and Hall (1927).

$p(z) = \sum_{j\le k}\frac{(-1)^j}{(n-1)!}\binom nj(z-j)^{n-1}$ for $z \in (k, k+1)$, by induction from
$p_{n+1}(z) = \int_{z-1}^z p_n$.

>>> from symaux.laws.families import uniform
>>> from symaux.proof.composition.joint import joint_claim
>>> z, e, f = sp.symbols("z e f", positive=True)
>>> triangle = Law(z, sp.log(sp.Min(z, 2 - z)), Interval(sp.S(0), sp.S(2)))
>>> is_sum_of_uniforms(joint_claim(triangle, (uniform(e, 0, 1), uniform(f, 0, 1)), e + f))
True
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.functions.series import Series
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform
from symaux.proof.composition.joint import Joint


def is_sum_of_uniforms(made: Joint) -> bool:
    """Return whether g adds standard uniform noises and the law has the density of their sum between all whole numbers."""
    n, law = len(made.noise), made.law
    if law.support != Interval(sp.S.Zero, sp.Integer(n)) or made.value != sp.Add(*(e.value for e in made.noise)):
        return False
    return all(map(is_standard_uniform, made.noise)) and all(_equal(law, n, k) for k in range(n))


def irwin_hall(z: Formula, n: int, k: int) -> Formula:
    """Return the density for z between k and k + 1.

    >>> irwin_hall(sp.Symbol("z"), 2, 1)
    2 - z
    """
    terms = ((-1) ** j * sp.binomial(n, j) * (z - j) ** (n - 1) for j in range(k + 1))
    return sp.expand(sp.Add(*terms) / sp.factorial(n - 1))


def _equal(law: Law, n: int, k: int) -> bool:
    t = sp.Symbol("t", positive=True)
    inside = k + t / (1 + t)
    density = _written_out(law.density, law.value, k).xreplace({law.value: inside})
    return sp.simplify(density - irwin_hall(inside, n, k)) == 0


def _written_out(formula: Formula, z: Formula, k: int) -> Formula:
    """Return the formula for z between k and k + 1, without sums up to floor(z)."""

    def explicit(term: Formula, index: Formula, lower: Formula, upper: Formula) -> Formula:
        if upper != sp.floor(z) or not lower.is_Integer:
            return Series(term, index, lower, upper)
        return sp.Add(*(term.xreplace({index: sp.Integer(j)}) for j in range(int(lower), k + 1)))

    return formula.replace(Series, explicit)
