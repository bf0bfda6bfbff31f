r"""Find numerically whether a part of a log-density has a logarithmic derivative of Pearson's form.

$$\frac{d\log p_Y}{dy} = \frac{b_1 y + b_0}{a_2 y^2 + a_1 y + a_0}$$

For y = h(z) it is $(\ell'(z) - h''/h')/h'$; one pass through the formula, as power series, gives it for every part at once.
Whether it is of Pearson's form is a question of linear dependence at points of high precision; its coefficients, as short
formulas in the parameters, are found by linear algebra again. Nothing here is a proof: it only shows where one is worth
looking for.

>>> z, a, b = sp.symbols("z a b", positive=True)
>>> weibull = Law(z, sp.log(a) + (a - 1)*sp.log(z) - b*z**a + sp.log(b), Interval(sp.S(0), sp.oo))
>>> seen = LogDerivatives(weibull, weibull.support)
>>> seen.pearson(z), seen.pearson(z**a), seen.fraction(z**a, sp.Symbol("y", positive=True))
(False, True, -b)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.linear import has_dependent_columns, solve_exactly
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point, inside, points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.kernel import kernel
from symaux.laws.law import Law

SPOTS = [sp.Rational(n, 29) for n in (14, 16, 12, 18, 10, 20, 13, 17, 8, 22, 11, 15, 19, 9, 6, 24)]  # the middle first
ENOUGH = 8
DIGITS = 40
BITS = 320
FUNCTIONS = 2
MOST, TELLING = 45, 12  # points of the parameters; among how many of them two must have numbers of moderate size
MODERATE = 10**4  # beyond, $(y^2 + 1)s = -2y$ and $ys = -2$ are the same to the digits that a relation is solved to
LEFT, RIGHT = 3, 2  # the derivative s times y**2, y, 1; then y, 1
# Which of [y²s, ys, s] and [y, 1] are in the relation: simple ones first. The first of the left gets coefficient one.
LEFTS = ((2,), (1,), (1, 2), (0,), (0, 1), (0, 2), (0, 1, 2))
RELATIONS = [((2,), (4,)), ((2,), (3, 4))] + [(left, right) for left in LEFTS[1:] for right in ((4,), (3,), (3, 4))]
Relation = tuple[tuple[int, ...], tuple[int, ...]]
Values = list[tuple[Any, Any]]
Monomial = tuple[tuple[int, int], ...]


class LogDerivatives:
    """The derivative of a law's log-density at points of its parameters and spots of an interval, evaluated lazily."""

    def __init__(self, law: Law, where: Interval) -> None:
        self.value, self.where, self.conditions = law.value, where, law.conditions
        self.varying = defined(law.log_density.as_independent(law.value, as_Add=True)[1])
        formulas = (self.varying, where.lower, where.upper)
        parameters: list[Any] = sorted({s for f in formulas for s in f.free_symbols} - {law.value}, key=str)
        self.points = list(points(parameters, conditions=law.conditions, seed=7, count=MOST))
        made = kernel(Law(law.value, self.varying, REALS))
        self.generators, self.functions = made.arguments, _functions(made.law)
        self.units = (sp.S.One, *_units(self.varying))
        self.read: dict[int, _LazyList] = {}
        self.parts: dict[Any, Values] = {}
        self.known: dict[Any, list[Any]] = {}

    def pearson(self, inner: Formula) -> bool:
        """Return whether, at a few points, the part h is monotone and y = h(z) has a derivative of Pearson's form."""
        with mp.workdps(DIGITS):
            first = range(len(self.points))[:2]
            if all(self._tells(inner, n) for n in first) and not all(_pearson(self._at(inner, n)) for n in first):
                return False  # the usual case, in which no more points are needed
            telling = itertools.islice(self._telling(inner), 2)
            return bool(self.points) and all(_pearson(seen) for _, seen in telling)

    def fraction(self, inner: Formula, y: sp.Symbol) -> Formula | None:
        """Return the derivative as a fraction in y with coefficients that are short formulas in the parameters."""
        with mp.workdps(DIGITS):
            found = [_rows(seen) for _, seen in itertools.islice(self._telling(inner), 2)]
            relation = next((r for r in RELATIONS if all(_solved(rows, r) for rows in found)), None)
            if relation is None:
                return None
            left, right = relation
            orders = [((first, *(k for k in left if k != first)), right) for first in left]
            return next((made for order in orders if (made := self._fraction(inner, order, y)) is not None), None)

    def _fraction(self, inner: Formula, relation: Relation, y: sp.Symbol) -> Formula | None:
        """Return the fraction, scaled so that the first term of the relation has coefficient one."""
        solved = _LazyList((p, n) for p, seen in self._telling(inner) if (n := _solved(_rows(seen), relation)))
        (first, *left), right = relation
        formulas = []
        for place in range(len(left) + len(right)):
            formula = self._formula(solved, place)
            if formula is None:
                return None
            formulas.append(self._restored(formula))
        monomials = [y**2, y, sp.S.One, y, sp.S.One]
        below = monomials[first] + sum(f * monomials[k] for f, k in zip(formulas, left, strict=False))
        above = sum(f * monomials[k] for f, k in zip(formulas[len(left) :], right, strict=True))
        return sp.cancel(sp.together(above / below))

    def _formula(self, solved: _LazyList, place: int) -> Formula | None:
        """Return a formula in the generators with these values at these points: a sum of monomials or a ratio of two,
        perhaps times a power of pi."""
        symbols = [*self.generators, *self.functions]
        sums = list(_ansatz([bool(s.is_nonzero) for s in symbols]))
        for monomials, unit in itertools.product(sums, self.units):
            found = self._fitted(solved, place, unit, monomials)
            if found is not None:
                return found[0]
        _, linear, *_ = sums
        for unit, (n, lead) in itertools.product(self.units, enumerate(linear)):
            found = self._fitted(solved, place, unit, linear, [m for m in linear if m not in linear[: n + 1]], lead)
            if found is not None:
                return found[0] / found[1]
        return None

    def _fitted(
        self,
        solved: _LazyList,
        place: int,
        unit: Formula,
        above: list[Monomial],
        below: Sequence[Monomial] = (),
        lead: Monomial = (),
    ) -> tuple[Formula, Formula] | None:
        """Return two sums of monomials with rational weights whose ratio has these values; ``lead`` has weight one below."""
        count = len(above) + len(below)
        seen = solved.first(count + 3)
        values = [self._values(point) for point, _ in seen]
        if len(seen) < count + 2 or any(None in each for each in values):
            return None
        rows, scale = [], real(unit, {})
        for each, (_, numbers) in zip(values, seen, strict=True):
            number = numbers[place] / scale
            rows.append(
                [
                    *(_product(each, m) for m in above),
                    *(-number * _product(each, m) for m in below),
                    number * _product(each, lead),
                ]
            )
        solution = solve_exactly(rows, count)
        if solution is None:
            return None
        symbols = [*self.generators, *self.functions]
        weights = [sp.Rational(c.numerator, c.denominator) for c in solution]
        terms = [w * _product(symbols, m) for w, m in zip(weights, [*above, *below], strict=True)]
        return unit * sp.Add(*terms[: len(above)]), sp.Add(_product(symbols, lead), *terms[len(above) :])

    def _restored(self, formula: Formula) -> Formula:
        return formula.xreplace(self.functions).xreplace(self.generators)

    def _values(self, point: Point) -> list[Any]:
        """Return the generators and their functions at a point."""
        key = tuple(point.values())
        if key not in self.known:
            values = {symbol: real(formula, point) for symbol, formula in self.generators.items()}
            self.known[key] = [*values.values(), *(real(formula, values) for formula in self.functions.values())]
        return self.known[key]

    def _telling(self, inner: Formula) -> Iterator[tuple[Point, Values]]:
        """Yield values at the points where the numbers of the part are of moderate size; at all points if hardly any are.

        Far out one term of a relation dominates: $\\sinh z$ and $e^z$ cannot be told apart there.
        """
        few = [number for number in range(len(self.points))[:TELLING] if self._tells(inner, number)]
        telling = [*few, *range(TELLING, len(self.points))] if len(few) > 1 else range(len(self.points))
        for number in telling:
            if len(few) < 2 or self._tells(inner, number):
                yield self.points[number], self._at(inner, number, moderate=len(few) > 1)

    def _tells(self, inner: Formula, number: int) -> bool:
        return len(self._at(inner, number, moderate=True)) == ENOUGH

    def _at(self, inner: Formula, number: int, moderate: bool = False) -> Values:
        """Return the part and its derivative at a few spots for one point of the parameters; nothing if it is not monotone."""
        if (inner, number, moderate) not in self.parts:
            self.parts[inner, number, moderate] = self._worked_out(defined(inner), number, moderate)
        return self.parts[inner, number, moderate]

    def _worked_out(self, inner: Formula, number: int, moderate: bool) -> Values:
        found = []
        for reading, derivative in self._readings(number):
            if len(found) == ENOUGH:
                break
            series = _coefficients(reading, inner)
            numbers = None if series is None else _in_part(derivative, *series)
            if numbers is not None and not (moderate and max(map(abs, numbers)) > MODERATE):
                found.append(numbers)
        turns = len({way for _, _, way in found}) > 1
        return [] if turns else [(y, s) for y, s, _ in found]

    def _readings(self, number: int) -> Iterator[tuple[Any, Any]]:
        """Return the formula as power series at successive spots, each with the derivative of the log-density there."""
        if number not in self.read:
            spots = (inside(self.where, self.points[number], fraction) for fraction in SPOTS)
            self.read[number] = _LazyList(_expanded(self.varying, self.value, self.points[number], spots))
        return iter(self.read[number])


def _expanded(
    formula: Formula, value: Formula, point: Point, spots: Iterator[Formula | None]
) -> Iterator[tuple[Any, Any]]:
    from flint import ctx

    from symaux.formulas.numeric.balls.evaluate import BallEvaluator, exact_ball, variable_series

    with ctx.workprec(BITS):
        constants: dict[Any, Any] = {symbol: exact_ball(number) for symbol, number in point.items()}
    for spot in spots:
        where = None if spot is None else real(spot, {})
        if where is None:
            continue
        with ctx.workprec(BITS):
            reading = BallEvaluator({value: variable_series(_ball(where), 2)}, constants)
        series = _coefficients(reading, formula)
        if series is not None:
            yield reading, series[1]


def _ball(number: Any) -> Any:
    from flint import arb

    return arb(mp.nstr(number, DIGITS))


def _coefficients(reading: Any, formula: Formula) -> list[Any] | None:
    """Return the value and the first two coefficients of a formula, as balls."""
    from flint import ctx

    from symaux.formulas.numeric.balls.evaluate import coefficients
    from symaux.formulas.numeric.balls.signs import Undecided

    with ctx.workprec(BITS):
        try:
            return coefficients(reading.of(formula), 3)
        except (Undecided, ZeroDivisionError, ValueError, OverflowError, NotImplementedError):
            return None


def _in_part(derivative: Any, y: Any, first: Any, second: Any) -> tuple[Any, Any, int] | None:
    """Return y, the derivative of its log-density and the direction of the part; None where too few digits are left."""
    from flint import ctx

    with ctx.workprec(BITS):
        if not (first > 0 or first < 0):
            return None
        numbers = [_number(y), _number((derivative - 2 * second / first) / first)]
    return None if None in numbers else (*numbers, 1 if first > 0 else -1)


def _number(ball: Any) -> Any:
    """Return the midpoint of a ball that is narrow enough, None otherwise; a narrow ball that contains zero is zero."""
    if not ball.is_finite() or (ball.rad() > 1e-36 and ball.rel_accuracy_bits() < 3.4 * DIGITS):
        return None
    if ball.contains(0):
        return mp.mpf(0)
    mantissa, exponent = ball.mid().man_exp()
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent))


class _LazyList:
    """The items of an iterator, computed lazily and remembered."""

    def __init__(self, source: Iterator[Any]) -> None:
        self.source, self.known = source, []

    def first(self, count: int) -> list[Any]:
        self.known += itertools.islice(self.source, max(count - len(self.known), 0))
        return self.known[:count]

    def __iter__(self) -> Iterator[Any]:
        for place in itertools.count(1):
            if len(self.first(place)) < place:
                return
            yield self.known[place - 1]


def _units(formula: Formula) -> list[Formula]:
    """Return the integer powers of pi that occur in a formula, and their reciprocals."""
    powers = {p.exp for p in formula.atoms(sp.Pow) if p.base == sp.pi and p.exp.is_Integer}
    sizes = sorted({1, *map(abs, powers)}) if formula.has(sp.pi) else []
    return [sp.pi ** (sign * size) for size in sizes for sign in (-1, 1)]


def _functions(law: Law) -> dict[sp.Symbol, Formula]:
    """Return the shortest functions of the generators alone that occur in the formula: coefficients may contain them."""
    parts = {e for e in sp.preorder_traversal(law.log_density) if isinstance(e, sp.Function | sp.Pow)}
    free = [e for e in parts if e.free_symbols and not e.has(law.value) and not e.is_rational_function()]
    shortest = sorted(free, key=lambda e: (sp.count_ops(e), str(e)))[:FUNCTIONS]
    return {sp.Symbol(f"f{n}_", positive=e.is_positive, real=True): e for n, e in enumerate(shortest)}


def _ansatz(nonzero: list[bool]) -> Iterator[list[Monomial]]:
    """Yield sets of monomials, each a tuple of places and powers; only what is never zero gets negative powers."""
    places = range(len(nonzero))
    one: list[Monomial] = [()]
    each: list[Monomial] = [((p, 1),) for p in places]
    inverse: list[Monomial] = [((p, -1),) for p in places if nonzero[p]]
    squares: list[Monomial] = [((p, 2),) for p in places]
    yield one
    yield [*one, *each]
    yield [*one, *each, *squares, *inverse, *(((p, -2),) for ((p, _),) in inverse)]
    yield [*one, *each, *squares, *(((p, 1), (q, 1)) for p, q in itertools.combinations(places, 2))]
    yield [*one, *each, *inverse, *(((p, 1), (q, -1)) for p, q in itertools.permutations(places, 2) if nonzero[q])]


def _product(values: list[Any], monomial: Monomial) -> Any:
    made: Any = mp.mpf(1) if values and isinstance(values[0], mp.mpf) else sp.S.One
    for place, power in monomial:
        made = made * values[place] ** power
    return made


def _rows(seen: Values) -> list[list[Any]]:
    return [[y * y * s, y * s, s, y, mp.mpf(1)] for y, s in seen]


def _pearson(seen: Values) -> bool:
    return bool(seen) and has_dependent_columns(_rows(seen))


def _solved(rows: list[list[Any]], relation: Relation) -> list[Any] | None:
    """Return the coefficients of one relation, in the order of its terms after the first; None if it does not hold."""
    (first, *left), right = relation
    columns = [*left, *right]
    if len(rows) < len(columns) + 2:
        return None
    matrix = mp.matrix([[-row[k] if k < LEFT else row[k] for k in columns] for row in rows])
    target = mp.matrix([row[first] for row in rows])
    try:
        solution = mp.lu_solve(matrix, target)
    except (ZeroDivisionError, ValueError):  # columns that depend on each other
        return None
    size = mp.norm(target, mp.inf) + mp.norm(matrix * solution, mp.inf)
    small = mp.norm(matrix * solution - target, mp.inf) <= mp.mpf(10) ** (-DIGITS // 3) * (size or 1)
    return list(solution) if small else None


__all__ = ["LogDerivatives"]
