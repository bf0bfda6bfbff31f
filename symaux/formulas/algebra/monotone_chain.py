r"""Decompose a formula into a chain of one-variable maps, each strictly monotone on the image of the one before it.

$\mu + \sigma\tan(\pi(u - \tfrac12))$ on (0, 1) is $u \mapsto u - \tfrac12 \mapsto \pi\,\cdot \mapsto \tan \mapsto
\sigma\,\cdot \mapsto \mu + \cdot$; each layer is continuous and strictly monotone where it is used, and the
images of the end points give the exact image. Reversing the chain gives the inverse function.

>>> u, s = sp.Symbol("u", positive=True), sp.Symbol("s", positive=True)
>>> chain = MonotoneChain.of(s*sp.tan(sp.pi*(u - sp.Rational(1, 2))), u, Interval(sp.S(0), sp.S(1)))
>>> chain.image, chain.direction, chain.inverse(sp.Symbol("z", real=True))
(Interval(lower=-oo, upper=oo), 1, atan(z/s)/pi + 1/2)
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.monotone_map import Layer, as_monotone_map
from symaux.formulas.algebra.regroup import SLOT, regroup
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.numeric.points import sign_on
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import Sign, known_sign
from symaux.formulas.symbols.support import Interval


@dataclass(frozen=True)
class MonotoneChain:
    """The layers of a formula, innermost first, all strictly monotone on their intervals."""

    layers: tuple[Layer, ...]
    domain: Interval

    @staticmethod
    def of(formula: Formula, variable: Formula, domain: Interval) -> MonotoneChain | None:
        """Return the chain of a formula on an interval; None where a layer is not known to be strictly monotone."""
        chain = _chain(formula, variable, domain)
        marks = {} if chain is not None else _marks(formula, variable)
        return _chain_with_marks(formula, variable, domain, marks) if marks else chain

    @staticmethod
    def through(maps: list[Formula], domain: Interval) -> MonotoneChain | None:
        """Return the chain of maps, innermost first, each a formula in ``SLOT``."""
        layers, where = [], domain
        for each in maps:
            layer = as_monotone_map(each, where)
            if layer is None:
                return None
            layers.append(layer)
            where = layer.image
        return MonotoneChain(tuple(layers), domain)

    @property
    def image(self) -> Interval:
        """Return the exact image of the domain."""
        return self.layers[-1].image if self.layers else self.domain

    @property
    def direction(self) -> int:
        """Return 1 if the formula increases, -1 if it decreases."""
        return sp.prod(layer.direction for layer in self.layers)

    def inverse(self, formula: Formula) -> Formula:
        """Return the inverse function at a formula."""
        for layer in reversed(self.layers):
            formula = layer.inverse(formula)
        return formula


def _chain(formula: Formula, variable: Formula, domain: Interval) -> MonotoneChain | None:
    maps = peel_maps(formula, variable, sign_on(variable, domain))
    return None if maps is None else MonotoneChain.through(maps, domain)


def _marks(formula: Formula, variable: Formula) -> dict[Formula, Formula]:
    """Return a positive symbol for every sum without the variable that only ``sign_of`` can show to be positive.

    An example is exp(p) - 1 for p > 0, whose sign sympy does not know.
    """
    sums = [e for e in formula.atoms(sp.Add) if not e.has(variable) and e.is_positive is None]
    return {e: sp.Dummy(positive=True) for e in sums if sign_of(e) == 1}


def _chain_with_marks(
    formula: Formula, variable: Formula, domain: Interval, marks: dict[Formula, Formula]
) -> MonotoneChain | None:
    """Return the chain built with positive symbols in place of those sums, with the sums put back."""
    chain, back = _chain(formula.xreplace(marks), variable, domain), {mark: e for e, mark in marks.items()}
    return (
        None
        if chain is None
        else MonotoneChain(tuple(_substitute_layer(layer, back) for layer in chain.layers), domain)
    )


def _substitute_layer(layer: Layer, back: dict[Formula, Formula]) -> Layer:
    image = Interval(layer.image.lower.xreplace(back), layer.image.upper.xreplace(back))
    return Layer(layer.formula.xreplace(back), layer.direction, image, lambda y: layer.inverse(y).xreplace(back))


def peel_maps(formula: Formula, variable: Formula, sign: Sign = known_sign) -> list[Formula] | None:
    """Return the maps of a formula, innermost first, each a formula in ``SLOT``.

    None if the formula cannot be rewritten so that the variable occurs once.
    """
    maps: list[Formula] = []
    if not formula.has(variable):
        return None
    while formula != variable:
        split = _outermost(formula, variable)
        if split is None:
            again = regroup(formula, variable, sign)
            if again is None:
                return None
            maps, formula = [*reversed(again.maps), *maps], again.inner
            continue
        outer, formula = split
        maps.insert(0, outer)
    return [each.xreplace({variable: SLOT}) for each in maps]


def _outermost(formula: Formula, variable: Formula) -> tuple[Formula, Formula] | None:
    """Return the outermost map and its argument; None unless the variable occurs in exactly one argument."""
    dependent = [arg for arg in formula.args if arg.has(variable)]
    if len(dependent) != 1:
        return None
    (inner,) = dependent
    outer = formula.func(*(SLOT if arg is inner else arg for arg in formula.args))
    return outer, inner
