r"""Evaluate a claim without solving equations, starting from a quantile instead of the noise.

Where $g(\varepsilon)$ goes through a quantile $w = Q(\varphi(\varepsilon))$, start from w and work out $\varepsilon =
\varphi^{-1}(F(w))$.

>>> from symaux.formulas.functions.registry import gammaincinv
>>> e, a = sp.symbols("e a", positive=True)
>>> found = start_from_quantile(2*gammaincinv(a, 1 - e**2), e, Interval(sp.S(0), sp.S(1)))
>>> found.node, found.start, found.noise
(gammainccinv(a, e**2), Interval(lower=0, upper=oo), sqrt(gammaincc(a, w)))
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.functions.monotone import SHAPES
from symaux.formulas.functions.record import Shape
from symaux.formulas.functions.registry import QUANTILES
from symaux.formulas.functions.special_function import Special
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval

W = sp.Symbol("w", real=True)
SOLVED = tuple(q for q in QUANTILES if issubclass(q, Special))  # quantiles without a closed form


@dataclass(frozen=True)
class Forward:
    """The quantile in the formula, the interval that it ranges over, and the noise as a formula in its value ``W``."""

    node: Formula
    start: Interval
    noise: Formula


def start_from_quantile(formula: Formula, e: Formula, support: Interval) -> Forward | None:
    """Return how to start from the one quantile in a formula; None if there is none, or more than one."""
    nodes = [node for node in formula.atoms(*SOLVED) if node.has(e)]
    if len(nodes) != 1:
        return None
    (node,) = nodes
    place, shape = SHAPES[node.func]
    chain = MonotoneChain.of(node.args[place], e, support)
    if chain is None:
        return None
    made = shape(*(arg for n, arg in enumerate(node.args) if n != place))
    ends = [_at(node, end, place, made) for end in (chain.image.lower, chain.image.upper)]
    lower, upper = ends if made.rises else reversed(ends)
    return Forward(node, Interval(lower, upper), chain.inverse(made.inverse(W)))


def _at(node: Formula, end: Formula, place: int, shape: Shape) -> Formula:
    if end == shape.lower:
        return shape.at_lower
    if end == shape.upper:
        return shape.at_upper
    return node.func(*(end if n == place else arg for n, arg in enumerate(node.args)))
