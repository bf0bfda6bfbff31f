r"""Distribution functions by structure: a part h of the formula after which the density is one of Pearson's.

If y = h(z) has a density of Pearson's system (see ``symaux.laws.densities.pearson``), its antiderivative A is elementary or
one incomplete gamma or beta function, and so is that of z, $A(h(z))$. Kumaraswamy: $h = z^a$; Weibull: $(z/s)^k$;
Gumbel: $e^{-(z-m)/s}$; and so on. Which parts qualify is first seen with numbers, so that only those are worked out.

>>> z, a, b = sp.symbols("z a b", positive=True)
>>> from symaux.laws.families import kumaraswamy
>>> law = kumaraswamy(z, a, b)
>>> found = next(substitutions(law, law.support))
>>> found.formula, found.chain.image, found.antiderivative, found.scale(law)
(z**a, Interval(lower=0, upper=1), (1 - y)**b, -1)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp

from symaux.formulas.algebra.factor import factored
from symaux.formulas.algebra.monotone_chain import Chain
from symaux.formulas.algebra.regroup import SLOT
from symaux.formulas.algebra.subexpressions import parts
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import sign_on
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.change_of_variables import change_variable
from symaux.laws.densities.log_derivative import Slopes
from symaux.laws.densities.pearson import primitive, rational
from symaux.laws.kernel import value_symbol
from symaux.laws.law import Law

UNREAD = 3
LARGE = 120  # operations: sympy would take too long to make one fraction of such a formula


@dataclass(frozen=True)
class Substitution:
    """y = h(z) as a formula and as a chain of layers; an antiderivative of y's density, up to a constant factor."""

    formula: sp.Expr
    chain: Chain
    variable: sp.Symbol
    antiderivative: sp.Expr
    onto: Chain  # the antiderivative as a chain of layers on the image of h

    @property
    def direction(self) -> int:
        return self.chain.direction * self.onto.direction

    def at(self, level: sp.Expr) -> sp.Expr:
        """Return the z at which A(h(z)) is the given level."""
        return self.chain.inverse(self.onto.inverse(level))

    @property
    def composed(self) -> sp.Expr:
        """Return a(h(z))."""
        return self.antiderivative.xreplace({self.variable: self.formula})

    def scale(self, law: Law) -> sp.Expr | None:
        """Return the constant K for which K·A(h(z)) is an antiderivative of the density."""
        z, sign = law.value, sign_on(law.value, self.chain.domain)
        slope = factored(sp.together(defined(self.composed).diff(z)))
        difference = sp.expand(sp.expand_log(law.log_density - log_modulus(slope, sign)))
        for way in (difference, sp.simplify(difference), *(difference.subs(z, point) for point in (1, sp.S.Half, 2))):
            if not way.has(z, sp.nan, sp.zoo, sp.oo):
                return self.direction * _exponential(way)
        return None


def _exponential(constant: sp.Expr) -> sp.Expr:
    """Return the exponential of a constant in its shortest form."""
    gathered = sp.simplify(constant)
    return sp.simplify(sp.exp(gathered)) if gathered != 0 else sp.S.One


def substitutions(law: Law, where: Interval) -> Iterator[Substitution]:
    """Yield every part of the formula after which the density is one of Pearson's on an interval."""
    seen, unread = Slopes(law, where), []
    for inner in parts(law.log_density, law.value):
        if not seen.pearson(inner):
            continue
        chain = Chain.of(inner, law.value, where)
        if chain is None:
            continue
        y = sp.Symbol("y", **value_symbol(Law(law.value, sp.S.Zero, chain.image)).assumptions0)
        slope = seen.fraction(inner, y)
        if slope is None:
            unread.append((inner, chain, y))
        elif (found := _substitution(inner, chain, y, slope)) is not None:
            yield found
    for inner, chain, y in unread[:UNREAD]:
        slope = _worked_out(law, inner, chain, y)
        if slope is not None and (found := _substitution(inner, chain, y, slope)) is not None:
            yield found


def _substitution(inner: sp.Expr, chain: Chain, y: sp.Symbol, slope: sp.Expr) -> Substitution | None:
    formula = primitive(slope, y, chain.image)
    onto = None if formula is None else Chain.of(formula, y, chain.image)
    return None if formula is None or onto is None else Substitution(inner, chain, y, formula, onto)


def _worked_out(law: Law, inner: sp.Expr, chain: Chain, y: sp.Symbol) -> sp.Expr | None:
    """Return the slope as a fraction in y where it could not be read from numbers, by putting in the inverse."""
    formula = pushed(law, inner, chain, y).log_density.diff(y)
    return rational(formula, y) if sp.count_ops(formula) < LARGE else None


def pushed(law: Law, inner: sp.Expr, chain: Chain, y: sp.Symbol) -> Law:
    """Return the law of y = h(z); h itself and the steps to it become y and its inverses, so that nothing is
    simplified back."""
    known, outer, here = {inner: y}, list(chain.layers), law.value
    for done, layer in enumerate(chain.layers):
        here = layer.formula.xreplace({SLOT: here})
        if here != inner:
            known[here] = Chain(tuple(outer[done + 1 :]), layer.image).inverse(y)
    known.pop(law.value, None)
    return change_variable(replace(law, log_density=law.log_density.xreplace(known)), y, chain.inverse(y), chain.image)


__all__ = ["Substitution", "pushed", "substitutions"]
