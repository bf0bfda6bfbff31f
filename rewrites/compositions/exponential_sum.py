r"""Exponentials with different rates added: $z = t_1/\lambda_1 + t_2/\lambda_2 + \dots$

**Applies when** the density is $e^{-\lambda_1 z} - e^{-\lambda_2 z}$ up to its constant, on $(0, \infty)$ and however it is
factored, or a sum of more exponentials that begins as $z^{n-1}$: the hypoexponential law, Bateman's equations.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, a = sp.symbols("z a", positive=True)
>>> (found,) = exponential_sum(law(z, (1 + a)*sp.exp(-z)*(1 - sp.exp(-a*z))/a))
>>> found.value
t + t2/(a + 1)

*Reference*: Ross, Introduction to Probability Models, section 5.2.4.
"""

from __future__ import annotations

import sympy as sp

from rewrites.compositions.noises import T2, exponential_noise
from symaux.rules.toolkit import (
    Formula,
    Interval,
    Law,
    Rewrite,
    as_line,
    exponential_terms,
    find_special_factor,
    rule,
    with_standard_functions,
)


@rule
def exponential_sum(law: Law) -> Rewrite | None:
    r"""$z = t_1/\lambda_1 + t_2/\lambda_2 + \dots$ for exponentials, from $e^{-\lambda_1 z} - e^{-\lambda_2 z}$ and so on."""
    if law.support != Interval(sp.S.Zero, sp.oo) or not law.proper:
        return None
    z = law.value
    rates = _several(law)
    if rates is not None:
        noises = [exponential_noise(sp.Symbol(f"t{k}", positive=True)) for k in range(1, len(rates) + 1)]
        total = sp.Add(*(noise.formula / rate for noise, rate in zip(noises, rates, strict=True)))
        return Rewrite(tuple(noise.law for noise in noises), total)
    found = find_special_factor(_one_exponential(with_standard_functions(law.log_density), z), z, sp.exp)
    if found is None or found.offset != -1 or found.rest.has(z):
        return None
    ends = as_line(found.argument, z)
    if ends is None or ends[0] != 0:
        return None
    rates = [-found.rest, sp.expand(-found.rest - ends[1])]
    if not all(rate.is_positive for rate in rates):
        return None
    slow, fast = exponential_noise(), exponential_noise(T2)
    return Rewrite((slow.law, fast.law), slow.formula / rates[0] + fast.formula / rates[1])


def _one_exponential(formula: Formula, z: sp.Symbol) -> Formula:
    """The formula with an exponential taken out of a logarithm that holds two."""
    rates = sorted((e.args[0] for e in formula.atoms(sp.exp) if e.has(z)), key=str)
    if len(rates) != 2:
        return formula
    first: Formula = rates[0]
    return formula.replace(
        lambda e: isinstance(e, sp.log) and e.has(z),
        lambda e: first + sp.log(sp.expand(sp.expand(e.args[0]) * sp.exp(-first))),
    )


def _several(law: Law) -> list[Formula] | None:
    r"""The rates of three to six exponentials with $\sum_j c_j\lambda_j^k = 0$ for $k < n - 1$: so it begins as $z^{n-1}$."""
    terms = exponential_terms(law.log_density, law.value)
    if terms is None or not 3 <= len(terms) <= 6 or not all(rate.is_positive for rate in terms):
        return None
    moments = (sp.Add(*(weight * rate**k for rate, weight in terms.items())) for k in range(len(terms) - 1))
    flat = all(sp.cancel(sp.together(moment)) == 0 for moment in moments)
    return sorted(terms, key=sp.default_sort_key) if flat else None
