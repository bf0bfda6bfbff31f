r"""Construct and recognise the standard noises, $\mathcal N(0, 1)$ and the uniform on (0, 1), by formula."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval, Support
from symaux.laws.families import (
    cauchy,
    exponential,
    gumbel,
    half_cauchy,
    half_normal,
    laplace,
    logistic,
    normal,
    uniform,
)
from symaux.laws.law import Law, Spelling


def standard_normal(value: Any) -> Law:
    """Return the law N(0, 1) of a noise.

    >>> is_standard_normal(standard_normal(sp.Symbol("e", real=True)))
    True
    """
    return normal(value, 0, 1)


def standard_uniform(value: Any) -> Law:
    """Return the uniform law of a noise on (0, 1)."""
    return uniform(value, 0, 1)


def is_standard_normal(law: Law) -> bool:
    """Return whether a law is N(0, 1), by its formula and not by its name."""
    return law.support == REALS and sp.expand(law.log_density + law.value**2 / 2 + sp.log(2 * sp.pi) / 2) == 0


def is_standard_uniform(law: Law) -> bool:
    """Return whether a law is uniform on (0, 1)."""
    return law.support == Interval(sp.S.Zero, sp.S.One) and law.proper and sp.expand(law.log_density) == 0


STANDARD = tuple((f, (0, 1)) for f in (normal, uniform, logistic, cauchy, gumbel, laplace)) + tuple(
    (f, (1,)) for f in (exponential, half_normal, half_cauchy)
)


def with_family_name(law: Law) -> Law:
    """Return the law, with the name of its family if it is a standard one; this changes how it prints and no formula.

    >>> e = sp.Symbol("e", real=True)
    >>> print(with_family_name(Law(e, -e**2/2 - sp.log(2*sp.pi)/2, REALS)))
    e ~ normal(0, 1)
    """
    if law.spelling or law.parameters:
        return law
    plain = sp.Symbol("x", **({"positive": True} if law.support == Interval(sp.S.Zero, sp.oo) else {"real": True}))
    found = _named(sp.expand_log(law.log_density.xreplace({law.value: plain})), law.support, plain)
    return law if found is None else replace(law, spelling=found)


@functools.lru_cache(maxsize=1024)
def _named(log_density: Formula, support: Support, x: sp.Symbol) -> Spelling | None:
    for family, arguments in STANDARD:
        known = family(x, *arguments)
        if known.support == support and sp.expand(sp.expand_log(known.log_density) - log_density) == 0:
            return known.spelling
    return None
