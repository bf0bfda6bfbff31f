r"""Find the signs that a formula can have on a region, from assumptions of symbols, conditions and records of functions.

``Signs(region).of(f)`` is a subset of {-1, 0, 1} that contains the sign of f at every point of the region at which f is
defined: {1} means positive, {0, 1} not negative, all three that nothing is known. No point is ever sampled: signs of symbols
come from their assumptions, those of sums from

* their terms: non-negative terms, of which one is positive, add up to something positive;
* a level: $h(u) - v$ has the sign of $u - h^{-1}(v)$ for an increasing h (``levels.py``);
* linear arithmetic over monomials, with the conditions and the bounds of the region (``linear.py``);
* the ends: what is affine in the variable and not negative at both bounds is positive between them;
* factors; and, for polynomials with rational coefficients in one symbol, the count of their roots by Sturm's theorem.

This stops: densities with a sign dip, negative densities behind a condition such as a > 1000, logarithms of negative numbers.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp

from symaux.formulas.functions.registry import record_of
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.facts import Region
from symaux.trusted.checker.linear import Row, is_contradictory
from symaux.trusted.checker.numbers import enclosure, sign_of_number
from symaux.trusted.checker.sign_sets import (
    ANY,
    NEGATIVE,
    NOT_NEGATIVE,
    NOT_POSITIVE,
    POSITIVE,
    ZERO,
    SignSet,
    absolute,
    assumed_interval,
    assumed_signs,
    product_of_signs,
    sum_of_signs,
)

DEEPEST, LARGEST_DEGREE, MOST_TERMS, MOST_SUMS = 10, 60, 40, 120  # limits of effort, the same at every replay
MOST_OPERATIONS, LARGEST_EXPANDED, NORMAL_DEPTH = 300, 12, 6
RELATIONS = {sp.StrictGreaterThan: POSITIVE, sp.GreaterThan: NOT_NEGATIVE, sp.StrictLessThan: NEGATIVE}
RELATIONS |= {sp.LessThan: NOT_POSITIVE, sp.Equality: ZERO, sp.Unequality: frozenset({-1, 1})}


class Signs:
    """The signs of formulas on one region; every formula is examined once."""

    def __init__(self, region: Region) -> None:
        self.region, self.sums, self.open = region, 0, DEEPEST
        self.known: dict[Any, SignSet] = {}
        self.active: dict[Any, int] = {}  # the formulas that are being examined, and how deep
        self.constraints = list(_constraints(region))

    def of(self, formula: Formula) -> SignSet:
        """Return a set that contains the sign of the formula at every point of the region where it is defined."""
        if formula in self.known:
            return self.known[formula]
        if formula in self.active or len(self.active) >= DEEPEST:
            self.open = min(self.open, self.active.get(formula, DEEPEST))
            return ANY  # a circle proves nothing
        depth = self.active[formula] = len(self.active)
        try:
            signs = self._examine(formula)
        finally:
            del self.active[formula]
        if self.open >= depth:  # else it rests on a formula that is still being examined, and may be known better later
            self.known[formula], self.open = signs, DEEPEST
        return signs

    def is_positive(self, formula: Formula) -> bool:
        return self.of(formula) == POSITIVE

    def is_nonzero(self, formula: Formula) -> bool:
        return 0 not in self.of(formula)

    def is_between(self, formula: Formula, lower: Formula, upper: Formula) -> bool:
        """Return whether a formula lies strictly between two bounds on the whole region."""
        above = lower == -sp.oo or self.is_positive(formula - lower)
        return above and (upper == sp.oo or self.is_positive(upper - formula))

    def decides(self, condition: Any) -> bool | None:
        """Return whether a condition holds on the whole region (True), nowhere in it (False), or is not decided."""
        if condition in (sp.true, sp.false):
            return bool(condition)
        if isinstance(condition, sp.And | sp.Or):
            answers = [self.decides(part) for part in condition.args]
            strong = isinstance(condition, sp.Or)
            return strong if strong in answers else None if None in answers else not strong
        if isinstance(condition, sp.Not):
            inner = self.decides(condition.args[0])
            return None if inner is None else not inner
        allowed = RELATIONS.get(type(condition))
        if allowed is None or condition.has(sp.oo, -sp.oo):
            return None
        signs = self.of(condition.lhs - condition.rhs)
        return True if signs <= allowed else None if signs & allowed else False

    def _examine(self, f: Formula) -> SignSet:
        if f.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.I) or not isinstance(f, sp.Expr):
            return ANY
        if not f.free_symbols:
            number = sign_of_number(f)
            return ANY if number is None else frozenset({number})
        match f:
            case sp.Symbol():
                return assumed_signs(f) & self._linear(f)
            case sp.Mul():
                return functools.reduce(product_of_signs, map(self.of, f.args))
            case sp.Pow():
                return self._power(self.of(f.base), f.exp)
            case sp.Add():
                return self._sum(f)
            case sp.Abs():
                return absolute(self.of(f.args[0]))
            case sp.sign():
                return self.of(f.args[0])
            case sp.Max() | sp.Min():
                return self._extreme([self.of(arg) for arg in f.args], 1 if isinstance(f, sp.Max) else -1)
            case sp.Piecewise():
                branches: Any = f.args
                return frozenset().union(*(self.of(b) for b, c in branches if self.decides(c) is not False))
        return self._function(f)

    def _power(self, base: SignSet, exponent: Formula) -> SignSet:
        if base == POSITIVE:
            return POSITIVE
        if isinstance(exponent, sp.Integer):
            signs = base if exponent % 2 else absolute(base)
            return signs if exponent > 0 else signs - ZERO or ANY
        return NOT_NEGATIVE if base <= NOT_NEGATIVE else ANY

    def _extreme(self, signs: list[SignSet], up: int) -> SignSet:
        pick = max if up == 1 else min
        return frozenset(pick(row) for row in itertools.product(*signs))

    def _function(self, f: Formula) -> SignSet:
        from symaux.trusted.checker.levels import level_sign

        if is_positive_series(self, f):
            return POSITIVE
        record = record_of(f.func)
        if record is None or len(f.args) != len(record.domain) or record.joint:
            return ANY
        if record.shape is not None and (signs := level_sign(self, f, sp.S.Zero)) != ANY:
            return signs
        inside = all(self.is_between(arg, *bounds) for arg, bounds in zip(f.args, record.domain, strict=True))
        if record.image is None or not inside:
            return ANY
        low, high = record.image
        return POSITIVE if low >= 0 else NEGATIVE if high <= 0 else ANY

    def _sum(self, f: sp.Add) -> SignSet:
        signs, self.sums = ANY, self.sums + 1
        for method in (self._terms, self._linear, self._ends, self._factors, self._levels, self._sturm, self._normal):
            if self.sums > MOST_SUMS or sp.count_ops(f) > MOST_OPERATIONS:
                break
            signs &= method(f)
            if len(signs) == 1:
                return signs
        return signs or ANY

    def _terms(self, f: Formula) -> SignSet:
        return sum_of_signs(map(self.of, f.args))

    def _levels(self, f: Formula) -> SignSet:
        from symaux.trusted.checker.levels import levels

        found = ANY
        for candidate in levels(self, f):
            found &= candidate
            if len(found) == 1:
                break
        return found

    def _linear(self, f: Formula) -> SignSet:
        """Return what follows from conditions, bounds and the signs of monomials by linear arithmetic."""
        claim = _row(f, True)
        if claim is None:
            return ANY
        rows = [row for g, strict in self.constraints if (row := _row(g, strict)) is not None]
        monomials = sorted({m for c, _, _ in (claim, *rows) for m in c}, key=sp.default_sort_key)
        for monomial in monomials:
            signs = self.of(monomial) if not isinstance(monomial, sp.Symbol) else assumed_signs(monomial)
            rows += [({monomial: Fraction(s)}, Fraction(0), 0 not in signs) for s in (1, -1) if -s not in signs]
            if (ends := enclosure(monomial)) is not None and not monomial.free_symbols:
                rows += [({monomial: Fraction(1)}, -ends[0], False), ({monomial: Fraction(-1)}, ends[1], False)]
            if isinstance(monomial, sp.Symbol) and monomial.is_integer and monomial.is_positive:
                rows.append(({monomial: Fraction(1)}, Fraction(-1), False))
        place = {monomial: n for n, monomial in enumerate(monomials)}
        rows = [({place[m]: c for m, c in row.items()}, d, strict) for row, d, strict in rows]
        signs = ANY
        for sign in (1, -1):
            contrary = {place[m]: -sign * c for m, c in claim[0].items()}
            for strict, excluded in ((False, {0, -sign}), (True, {-sign})):
                if is_contradictory([*rows, (contrary, -sign * claim[1], strict)]):
                    signs -= excluded
                    break
        return signs or ANY  # contradictory conditions prove nothing

    def _ends(self, f: Formula) -> SignSet:
        """Return the sign of what is affine in the variable, from its slope and its values at the finite bounds."""
        x, low, high = self.region.variable, self.region.lower, self.region.upper
        expanded = expand(f)
        slope = expanded.coeff(x, 1)
        if x not in f.free_symbols or x in slope.free_symbols or x in expand(expanded - slope * x).free_symbols:
            return ANY
        ends = {b: self.of(f.xreplace({x: b})) for b in (low, high) if not b.is_infinite}
        signs = sum_of_signs(ends.values()) if len(ends) == 2 else ANY
        rise = self.of(slope) if signs == ANY else ANY
        for start, away in ((low, 1), (high, -1)):  # from a bound that it is not below, it rises on
            for sign in (1, -1):
                if start in ends and ends[start] <= {0, sign} and rise <= {0, sign * away}:
                    signs &= {sign} if 0 not in rise or 0 not in ends[start] else {0, sign}
        return signs

    def _factors(self, f: Formula) -> SignSet:
        if len(f.args) > MOST_TERMS:
            return ANY
        for spelled in (sp.factor_terms(f), sp.factor(f)):
            if not isinstance(spelled, sp.Add):
                return self.of(spelled)
        return ANY

    def _sturm(self, f: Formula) -> SignSet:
        """Return the sign of a polynomial without roots in the interval of its one symbol."""
        if len(f.free_symbols) != 1:
            return ANY
        (x,) = f.free_symbols
        low, high = (self.region.lower, self.region.upper) if x == self.region.variable else assumed_interval(x)
        if not f.is_polynomial(x) or not all(b.is_Rational or b.is_infinite for b in (low, high)):
            return ANY
        polynomial = sp.Poly(f, x)
        if (not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ) or polynomial.degree() > LARGEST_DEGREE:
            return ANY
        inside = polynomial.count_roots(low, high) - sum(polynomial.eval(b) == 0 for b in (low, high) if b.is_Rational)
        if inside:
            return ANY
        middle = (low + high) / 2 if low.is_finite and high.is_finite else low + 1 if low.is_finite else high - 1
        return frozenset({int(sp.sign(polynomial.eval(middle if middle.is_finite else 0)))})

    def _normal(self, f: Formula) -> SignSet:
        from symaux.trusted.checker.normal_form import NormalForm
        from symaux.trusted.checker.spellings import is_defined

        if len(self.active) > NORMAL_DEPTH:
            return ANY
        spelled = NormalForm(self).formula(f)
        shorter = spelled is not None and spelled != f and sp.count_ops(spelled) <= sp.count_ops(f)
        return self.of(spelled) if shorter and is_defined(self, spelled) else ANY


def expand(f: Formula) -> Formula:
    """Return the formula multiplied out, unless a power of a sum would become very long."""
    powers = (e for e in f.atoms(sp.Pow) if isinstance(e.base, sp.Add) and isinstance(e.exp, sp.Integer))
    return f if any(abs(e.exp) > LARGEST_EXPANDED for e in powers) else sp.expand(f)


def is_positive_series(signs: Signs, f: Formula) -> bool:
    """Return whether f is a hypergeometric series that converges everywhere and has positive terms only (DLMF 16.2.1)."""
    if not isinstance(f, sp.hyper) or len(f.ap) > len(f.bq):
        return False
    return all(map(signs.is_positive, (*f.ap, *f.bq, f.argument)))


def _excess(relation: Any) -> Formula:
    return relation.gts - relation.lts


def _constraints(region: Region) -> Iterable[tuple[Formula, bool]]:
    """Yield what is known to be positive (True) or not negative (False) on a region."""
    x, low, high = region.variable, region.lower, region.upper
    for condition in itertools.chain.from_iterable(sp.And.make_args(c) for c in region.conditions):
        match condition:
            case sp.StrictGreaterThan() | sp.StrictLessThan():
                yield _excess(condition), True
            case sp.GreaterThan() | sp.LessThan():
                yield _excess(condition), False
    yield from ((side, True) for side in (x - low, high - x, high - low) if not side.has(sp.oo, -sp.oo))


@functools.lru_cache(maxsize=4096)
def _row(f: Formula, strict: bool) -> Row | None:
    """Return a formula as a linear form in its monomials."""
    terms = expand(f).as_coefficients_dict()
    if len(terms) > MOST_TERMS or not all(isinstance(c, sp.Rational) for c in terms.values()):
        return None
    row = {m: Fraction(int(c.p), int(c.q)) for m, c in terms.items()}
    return {m: c for m, c in row.items() if m != 1}, row.get(sp.S.One, Fraction(0)), strict
