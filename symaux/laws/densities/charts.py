r"""Reparameterise a law so that sympy can see the conditions it implies, as assumptions on symbols: a chart.

A uniform law on (a, b) implies $a < b$, a triangular one $a < c < b$. With $b = a + w$, $w > 0$, that is an
assumption on a symbol, and logarithms and signs come out right without forcing anything.

>>> from symaux.laws.families import uniform
>>> z, a, b = sp.symbols("z a b", real=True)
>>> found = chart(uniform(z, a, b))
>>> found.law.log_density, found.law.support.upper, found.region
(-log(w1), a + w1, ('b > a',))
>>> found.restored(found.law.support.upper)
b
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.formulas.algebra.inequalities import simplify_positivity
from symaux.formulas.symbols.assumptions import WORDS
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.kernel import atoms
from symaux.laws.law import Law
from symaux.laws.parameter_signs import INEQUALITIES, sides

GAMMAS = (sp.gamma, sp.beta)


@dataclass(frozen=True)
class Chart:
    """A law in new parameters, the substitutions to them and back, and the region that it covers."""

    law: Law
    forward: dict[Any, Any]
    back: dict[Any, Any]
    region: tuple[str, ...]

    def charted(self, formula: Formula) -> Formula:
        return formula.xreplace(self.forward)

    def restored(self, formula: Any) -> Any:
        """Return a formula in the old parameters, with fractions in lowest terms and products of roots as one root."""
        if not formula.args or not formula.has(*self.back):
            return formula.xreplace(self.back)
        if isinstance(formula, sp.Expr) and formula.is_rational_function():
            return sp.factor(formula.xreplace(self.back))
        if isinstance(formula, sp.Mul) and any(map(_is_root, formula.args)):
            return min(self._with_one_root(formula), key=sp.count_ops)
        parts = [arg for arg in formula.args if isinstance(arg, sp.Expr) and arg.is_rational_function()]
        if not isinstance(formula, sp.Add | sp.Mul) or len(parts) < 2:
            return formula.func(*map(self.restored, formula.args))
        rest = [self.restored(arg) for arg in formula.args if arg not in parts]
        return formula.func(self.restored(formula.func(*parts)), *rest)

    def _with_one_root(self, product: Formula) -> Iterator[Formula]:
        """Yield a product of roots as one root, without and with the positive factors under it."""
        roots = [f for f in product.args if _is_root(f)]
        others = [f for f in product.args if not _is_root(f)]
        positive = [f for f in others if f.is_positive and f.is_rational_function()]
        rest = self.restored(sp.Mul(*(f for f in others if f not in positive)))
        square, factor = sp.Mul(*(f**2 for f in roots)), sp.Mul(*positive)
        yield sp.sqrt(self.restored(square)) * self.restored(factor) * rest
        yield sp.sqrt(self.restored(square * factor**2)) * rest

    def restored_law(self, law: Law) -> Law:
        """Return a law in the old parameters."""
        if not self.back:
            return law
        found, support = law.substituted(self.back), law.support
        if isinstance(support, Interval):
            support = Interval(self.restored(support.lower), self.restored(support.upper))
        return replace(found, log_density=self.restored(law.log_density), support=support)


def chart(law: Law) -> Chart:
    """Return the chart of a law: conditions become assumptions on new parameters where they can; others are only stated."""
    forward: dict[Any, Any] = {}
    back: dict[Any, Any] = {}
    for condition in required_positives(law):
        left = condition.xreplace(forward)
        if left.is_positive:
            continue
        name = _new_name(law, back)
        change = _change(left, name, law.value) or _change(_without_positive_parts(left), name, law.value)
        if change is None:
            continue
        inverse = change.inverse.xreplace(back)
        forward = {symbol: formula.xreplace({change.old: change.formula}) for symbol, formula in forward.items()}
        if change.old in back:
            del back[change.old]
        else:
            forward[change.old] = change.formula
        back[change.new] = inverse
    return Chart(_with_expanded_parameters(law.substituted(forward)) if forward else law, forward, back, region(law))


def _with_expanded_parameters(law: Law) -> Law:
    """Return the law with arguments of moduli and logarithms of the parameters expanded, so that sympy knows their signs."""
    expanded = law.log_density.replace(
        lambda e: isinstance(e, sp.Abs | sp.log) and law.value not in atoms(e), lambda e: e.func(sp.expand(e.args[0]))
    )
    gammas = expanded.replace(
        lambda e: isinstance(e, (*GAMMAS, sp.loggamma)) and law.value not in atoms(e), _with_signs
    )
    return replace(law, log_density=gammas.replace(_is_log_of_gammas, lambda e: log_modulus(e.args[0])))


def _with_signs(function: Formula) -> Formula:
    r"""Return a gamma or beta function with arguments that sympy knows to be positive, as it does not for
    $w - \frac{vw}{1 + v}$."""
    return function.func(*(arg if arg.is_positive else _positive(arg) for arg in function.args))


def _positive(formula: Formula) -> Formula:
    better = sp.factor(formula)
    return better if better.is_positive else formula


def _is_log_of_gammas(e: sp.Basic) -> bool:
    return isinstance(e, sp.log) and isinstance(e.args[0], GAMMAS) and all(a.is_positive for a in e.args[0].args)


def _is_root(factor: Formula) -> bool:
    return factor.is_Pow and abs(factor.exp) == sp.S.Half and bool(factor.base.is_positive)


def required_positives(law: Law) -> list[Formula]:
    """Return formulas in the parameters that must be positive for the law to be valid, and are not known to be."""
    found = list(_strict(law.conditions))
    if isinstance(law.support, Interval) and law.support.lower.is_finite and law.support.upper.is_finite:
        found.append(law.support.upper - law.support.lower)
    for logarithm in sorted(law.log_density.atoms(sp.log), key=str):
        if law.value not in atoms(logarithm):
            found.append(logarithm.args[0])
    simpler = [part for f in found for part in simplify_positivity(f)]
    unknown = [f for f in dict.fromkeys(simpler) if not f.is_nonnegative and f.free_symbols]
    return sorted(unknown, key=lambda f: (len(f.free_symbols), sp.count_ops(f), str(f)))


def region_conditions(law: Law) -> tuple[Any, ...]:
    """Return the conditions of a law together with those that its formulas imply, such as ends of the support in order.

    >>> from symaux.laws.families import uniform
    >>> region_conditions(uniform(*sp.symbols("z a b", real=True)))
    (-a + b > 0,)
    """
    return (*law.conditions, *(f > 0 for f in required_positives(law)))


def region(law: Law) -> tuple[str, ...]:
    """Return the region of the parameters as text: their assumptions, then the conditions."""
    words = []
    for parameter in law.parameters:
        known = [word for word in WORDS if getattr(parameter, f"is_{word}")]
        known = [word for word in known if not (word.startswith("non") and len(known) > 1)]
        words += [f"{parameter} {' '.join(known)}"] if known else []
    return (*words, *(_in_words(f) for f in required_positives(law)))


def _in_words(positive: Formula) -> str:
    plus, minus = [], []
    for term in sp.Add.make_args(positive):
        (minus if term.could_extract_minus_sign() else plus).append(term)
    return f"{sp.Add(*plus)} > {sp.Add(*(-term for term in minus))}"


def _strict(conditions: Iterable[Any]) -> Iterator[Formula]:
    for condition in conditions:
        if isinstance(condition, sp.And):
            yield from _strict(sorted(condition.args, key=str))
        elif isinstance(condition, INEQUALITIES):
            # an end point of the region has no neighbourhood: the region that is covered is the open one
            larger, smaller = sides(condition)
            yield larger - smaller


def _without_positive_parts(positive: Formula) -> Formula:
    """Return a formula of the same sign without positive denominators and factors: 1 - h for 1/h - 1.

    >>> h, c = sp.symbols("h c", positive=True)
    >>> _without_positive_parts(1/(c*h) - 1/c)
    1 - h
    """
    above, below = sp.fraction(sp.together(positive))
    if not below.is_positive:
        return positive
    return _without_exponential(sp.expand(_without_positive_factors(sp.factor(above))))


def _without_positive_factors(product: Formula) -> Formula:
    number, factors = product.as_coeff_mul()
    return number * sp.Mul(*(f for f in factors if not f.is_positive))


def _without_exponential(difference: Formula) -> Formula:
    """Return a formula of the same sign without exponentials: x - log(c) for exp(x) - c, and log(c) - x for c - exp(x)."""
    number, rest = difference.as_coeff_Add()
    if isinstance(rest, sp.exp) and number.is_negative:
        return rest.args[0] - sp.log(-number)
    return sp.log(number) - (-rest).args[0] if isinstance(-rest, sp.exp) and number.is_positive else difference


@dataclass(frozen=True)
class _Change:
    """A change of parameter: ``old`` is ``formula`` in the positive symbol ``new``, which is ``inverse`` in ``old``."""

    old: sp.Symbol
    new: sp.Symbol
    formula: Formula
    inverse: Formula


def _change(positive: Formula, name: str, value: Formula) -> _Change | None:
    """Return a change of one parameter after which sympy knows that the formula, linear in it, is positive."""
    for symbol in sorted(positive.free_symbols, key=lambda s: _preference(s, positive)):
        slope = positive.diff(symbol)
        if symbol == value or symbol.is_integer or not symbol.is_real or not slope.is_number or slope == 0:
            continue
        bound: Any = -positive.xreplace({symbol: sp.S.Zero}) / slope
        signed = symbol.is_positive or symbol.is_negative or symbol.is_nonnegative or symbol.is_nonpositive
        w = sp.Symbol(symbol.name if bound == sp.S.Zero else name, positive=True)
        if not signed:
            return _Change(symbol, w, bound + w / slope, slope * (symbol - bound))
        if symbol.is_nonnegative and slope.is_positive and bound.is_nonnegative:
            return _Change(symbol, w, bound + w, symbol - bound)
        if symbol.is_positive and slope.is_negative and bound.is_positive:
            return _Change(symbol, w, bound * w / (1 + w), symbol / (bound - symbol))
    return None


def _preference(symbol: sp.Symbol, positive: Formula) -> tuple[bool, bool, str]:
    """Return a sort key: symbols without a sign first, then those in which the formula increases."""
    return bool(symbol.is_positive or symbol.is_negative), not positive.diff(symbol).is_positive, str(symbol)


def _new_name(law: Law, used: dict[Any, Any]) -> str:
    taken = {str(symbol) for formula in law.formulas for symbol in formula.free_symbols} | {str(w) for w in used}
    return next(name for name in (f"w{n}" for n in range(1, 99)) if name not in taken)
