r"""Find distribution functions by structure: a part h of the formula such that h(z) has a density of Pearson's system.

If y = h(z) has a density of Pearson's system (see ``symaux.laws.densities.pearson``), its antiderivative A is elementary or
one incomplete gamma or beta function, and so is that of z, $A(h(z))$. Kumaraswamy: $h = z^a$; Weibull: $(z/s)^k$;
Gumbel: $e^{-(z-m)/s}$; and so on. Parts are first tested numerically, so that only those that qualify are worked out.

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

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.algebra.regroup import SLOT
from symaux.formulas.algebra.subexpressions import candidate_substitutions
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import sign_on
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.change_of_variables import change_variable
from symaux.laws.densities.log_derivative import LogDerivatives
from symaux.laws.densities.pearson import as_pearson_fraction, pearson_antiderivative
from symaux.laws.kernel import value_symbol
from symaux.laws.law import Law

UNREAD = 3
LARGE = 120  # operations: sympy would take too long to make one fraction of such a formula


@dataclass(frozen=True)
class Substitution:
    """A map y = h(z) as a formula and as a chain of layers, and an antiderivative of y's density up to a constant factor."""

    formula: Formula
    chain: MonotoneChain
    variable: sp.Symbol
    antiderivative: Formula
    onto: MonotoneChain  # the antiderivative as a chain of layers on the image of h

    @property
    def direction(self) -> int:
        return self.chain.direction * self.onto.direction

    def value_at_level(self, level: Formula) -> Formula:
        """Return the z at which A(h(z)) equals the given level."""
        return self.chain.inverse(self.onto.inverse(level))

    @property
    def composed(self) -> Formula:
        """Return A(h(z))."""
        return self.antiderivative.xreplace({self.variable: self.formula})

    def scale(self, law: Law) -> Formula | None:
        """Return the constant K for which K·A(h(z)) is an antiderivative of the density."""
        z, sign = law.value, sign_on(law.value, self.chain.domain)
        derivative = factor_formula(sp.together(defined(self.composed).diff(z)))
        difference = sp.expand(sp.expand_log(law.log_density - log_modulus(derivative, sign)))
        for way in (difference, sp.simplify(difference), *(difference.subs(z, point) for point in (1, sp.S.Half, 2))):
            if not way.has(z, sp.nan, sp.zoo, sp.oo):
                return self.direction * _exponential(way)
        return None


def _exponential(constant: Formula) -> Formula:
    """Return the exponential of a constant in its shortest form."""
    gathered = sp.simplify(constant)
    return sp.simplify(sp.exp(gathered)) if gathered != 0 else sp.S.One


def substitutions(law: Law, where: Interval) -> Iterator[Substitution]:
    """Yield every part of the formula that has a density of Pearson's system on an interval."""
    numeric, unread = LogDerivatives(law, where), []
    for inner in candidate_substitutions(law.log_density, law.value):
        if not numeric.pearson(inner):
            continue
        chain = MonotoneChain.of(inner, law.value, where)
        if chain is None:
            continue
        y = sp.Symbol("y", **value_symbol(Law(law.value, sp.S.Zero, chain.image)).assumptions0)
        log_derivative = numeric.fraction(inner, y)
        if log_derivative is None:
            unread.append((inner, chain, y))
        elif (found := _substitution(inner, chain, y, log_derivative)) is not None:
            yield found
    for inner, chain, y in unread[:UNREAD]:
        log_derivative = _log_derivative_in_y(law, inner, chain, y)
        if log_derivative is not None and (found := _substitution(inner, chain, y, log_derivative)) is not None:
            yield found


def _substitution(inner: Formula, chain: MonotoneChain, y: sp.Symbol, log_derivative: Formula) -> Substitution | None:
    formula = pearson_antiderivative(log_derivative, y, chain.image)
    onto = None if formula is None else MonotoneChain.of(formula, y, chain.image)
    return None if formula is None or onto is None else Substitution(inner, chain, y, formula, onto)


def _log_derivative_in_y(law: Law, inner: Formula, chain: MonotoneChain, y: sp.Symbol) -> Formula | None:
    """Return the logarithmic derivative as a fraction in y by substituting the inverse, where numbers did not give it."""
    formula = push_forward(law, inner, chain, y).log_density.diff(y)
    return as_pearson_fraction(formula, y) if sp.count_ops(formula) < LARGE else None


def push_forward(law: Law, inner: Formula, chain: MonotoneChain, y: sp.Symbol) -> Law:
    """Return the law of y = h(z); h and its inner layers are replaced by y and its inverses, so that nothing is
    simplified back."""
    known, outer, here = {inner: y}, list(chain.layers), law.value
    for done, layer in enumerate(chain.layers):
        here = layer.formula.xreplace({SLOT: here})
        if here != inner:
            known[here] = MonotoneChain(tuple(outer[done + 1 :]), layer.image).inverse(y)
    known.pop(law.value, None)
    return change_variable(replace(law, log_density=law.log_density.xreplace(known)), y, chain.inverse(y), chain.image)


__all__ = ["Substitution", "push_forward", "substitutions"]
