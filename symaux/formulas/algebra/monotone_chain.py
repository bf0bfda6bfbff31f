r"""A formula as a chain of one-variable maps, each strictly monotone on the interval that the one before it reaches.

$\mu + \sigma\tan(\pi(u - \tfrac12))$ on (0, 1) is $u \mapsto u - \tfrac12 \mapsto \pi\,\cdot \mapsto \tan \mapsto
\sigma\,\cdot \mapsto \mu + \cdot$; each layer is continuous and increasing where it is used, and the images of the
end points give the exact image. The chain backwards is the inverse function.

>>> u, s = sp.Symbol("u", positive=True), sp.Symbol("s", positive=True)
>>> chain = Chain.of(s*sp.tan(sp.pi*(u - sp.Rational(1, 2))), u, Interval(sp.S(0), sp.S(1)))
>>> chain.image, chain.direction, chain.inverse(sp.Symbol("z", real=True))
(Interval(lower=-oo, upper=oo), 1, atan(z/s)/pi + 1/2)
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.monotone_map import Layer, monotone
from symaux.formulas.algebra.regroup import SLOT, regrouped
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.numeric.points import sign_on
from symaux.formulas.symbols.log import Sign, known_sign
from symaux.formulas.symbols.support import Interval


@dataclass(frozen=True)
class Chain:
    """The layers of a formula from the inside out, all strictly monotone."""

    layers: tuple[Layer, ...]
    domain: Interval

    @staticmethod
    def of(formula: sp.Expr, variable: sp.Expr, domain: Interval) -> Chain | None:
        """Return the chain of a formula on an interval; None where a layer is not known to be strictly monotone."""
        found = _chain(formula, variable, domain)
        marks = {} if found is not None else _marks(formula, variable)
        return _marked(formula, variable, domain, marks) if marks else found

    @staticmethod
    def through(maps: list[sp.Expr], domain: Interval) -> Chain | None:
        """Return the chain of maps, innermost first, each a formula in ``SLOT``."""
        layers, where = [], domain
        for each in maps:
            layer = monotone(each, where)
            if layer is None:
                return None
            layers.append(layer)
            where = layer.image
        return Chain(tuple(layers), domain)

    @property
    def image(self) -> Interval:
        return self.layers[-1].image if self.layers else self.domain

    @property
    def direction(self) -> int:
        return sp.prod(layer.direction for layer in self.layers)

    def inverse(self, formula: sp.Expr) -> sp.Expr:
        for layer in reversed(self.layers):
            formula = layer.inverse(formula)
        return formula


def _chain(formula: sp.Expr, variable: sp.Expr, domain: Interval) -> Chain | None:
    maps = peeled(formula, variable, sign_on(variable, domain))
    return None if maps is None else Chain.through(maps, domain)


def _marks(formula: sp.Expr, variable: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """Return sums without the variable, such as exp(p) - 1 for p > 0, that can be shown to be positive but are not
    to sympy."""
    sums = [e for e in formula.atoms(sp.Add) if not e.has(variable) and e.is_positive is None]
    return {e: sp.Dummy(positive=True) for e in sums if sign_of(e) == 1}


def _marked(formula: sp.Expr, variable: sp.Expr, domain: Interval, marks: dict[sp.Expr, sp.Expr]) -> Chain | None:
    """Return the chain with a positive symbol for every such sum while it is made."""
    found, back = _chain(formula.xreplace(marks), variable, domain), {mark: e for e, mark in marks.items()}
    return None if found is None else Chain(tuple(_restored(layer, back) for layer in found.layers), domain)


def _restored(layer: Layer, back: dict[sp.Expr, sp.Expr]) -> Layer:
    image = Interval(layer.image.lower.xreplace(back), layer.image.upper.xreplace(back))
    return Layer(layer.formula.xreplace(back), layer.direction, image, lambda y: layer.inverse(y).xreplace(back))


def peeled(formula: sp.Expr, variable: sp.Expr, sign: Sign = known_sign) -> list[sp.Expr] | None:
    """Return the maps, innermost first, each a formula in ``SLOT``; None if the variable cannot be brought to one
    place."""
    maps: list[sp.Expr] = []
    if not formula.has(variable):
        return None
    while formula != variable:
        split = _outermost(formula, variable)
        if split is None:
            again = regrouped(formula, variable, sign)
            if again is None:
                return None
            maps, formula = [*reversed(again.maps), *maps], again.inner
            continue
        outer, formula = split
        maps.insert(0, outer)
    return [each.xreplace({variable: SLOT}) for each in maps]


def _outermost(formula: sp.Expr, variable: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    """Return the outermost map and what it is applied to, where the variable stands in one argument only."""
    dependent = [arg for arg in formula.args if arg.has(variable)]
    if len(dependent) != 1:
        return None
    (inner,) = dependent
    outer = formula.func(*(SLOT if arg is inner else arg for arg in formula.args))
    return outer, inner
