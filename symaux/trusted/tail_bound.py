r"""Bound the mass of a tail: where $w(y) = \frac{d\log p}{d\log y}$ keeps away from -1, a power of y is a majorant.

If $w \le -1-\alpha$ for all $y \ge Y$ then $\int_Y^\infty p \le Y p(Y)/\alpha$; if $w \ge \alpha - 1$ for all
$y \le Y$ then $\int_0^Y p \le Y p(Y)/\alpha$. Exponential and Gaussian tails have every α. Both need p to be continuous in
the tail: a derivative does not see a jump (see ``tail_continuity.py``).

>>> y = sp.Symbol("y", positive=True)
>>> Tail(-y**2 / 2, y, "far").exponent(3.0) > 7.9
True
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from flint import arb

from symaux.formulas.functions.elementary import ndtr
from symaux.formulas.functions.registry import gammaincc
from symaux.formulas.numeric.balls.evaluate import exact_ball
from symaux.formulas.numeric.balls.intervals import INFINITE, Span, enclose
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.tail_continuity import require_continuous, resolve_steps

Values = Mapping[Any, Span]
Stand = tuple[sp.Symbol, Callable[[Values], Span]]  # a symbol, and the span of what it stands for
Form = tuple[Formula, tuple[Stand, ...]]
MULTIPLES = 8  # exp(8*y) is the eighth power of exp(y); polynomials of higher degree are not formed
ENOUGH = 0.5  # the mass of the tail is at most y p(y)/α: a larger α does not help much
MOST_OPERATIONS = 120  # of a slope that is factored: sympy may take minutes for a longer one
JUMPS = (sp.Piecewise, sp.sign, sp.Heaviside, sp.floor, sp.ceiling)


@dataclass(frozen=True)
class Tail:
    """The log-density as a function of the distance y to a finite end of the support ("near"), or along an infinite one
    ("far")."""

    log_density: Formula
    y: sp.Symbol
    end: str
    given: tuple[tuple[sp.Symbol, sp.Rational], ...] = ()  # numbers of many digits, kept out of the algebra

    @cached_property
    def forms(self) -> tuple[Callable[[], Form], ...]:
        """Return ways to write the logarithmic derivative, cheap ones first: its enclosure depends on the writing."""
        slope = self._slope()
        expanded = functools.cache(lambda: (sp.expand(_in_exponentials(slope[0])), slope[1]))

        def collected() -> Form:
            formula, stands = expanded()
            return sp.Mul(self.y, sp.expand(formula / self.y), evaluate=False), stands

        def factored() -> Form:
            formula, stands = _name_exponentials(expanded())
            if sp.count_ops(formula) > MOST_OPERATIONS:
                raise Undecided("too long to factor")
            return sp.factor(formula), stands

        large = tuple(
            functools.partial(lambda more: _without_large(expanded(), self.y, more), m) for m in ((), (sp.log,))
        )
        ways = (lambda: slope, expanded, collected, factored, *(() if self.end == "near" else large))
        return tuple(map(functools.cache, ways))

    def exponent(self, y: float) -> arb:
        """Return a large α that is proved for the tail from y; raise Undecided if there is none."""
        reach = Span(arb(y), INFINITE) if self.end == "far" else Span(arb(0), arb(y))
        given = {symbol: Span(exact_ball(value), exact_ball(value)) for symbol, value in self.given}
        require_continuous(self.log_density, {self.y: reach, **given}, self.y)
        resolved = resolve_steps(self.log_density, {self.y: reach, **given}, self.y)
        tail = self if resolved == self.log_density else _tail_of(resolved, self.y, self.end, self.given)
        return tail._majorant(reach, given, y)

    def _majorant(self, reach: Span, given: dict[Any, Span], y: float) -> arb:
        """Return a large α for a tail that is known to be continuous on its reach."""
        best = arb(0)
        for form in self.forms:
            try:
                formula, stands = form()
                best = best.max(self._shown(enclose(formula, _values(stands, {self.y: reach, **given}))))
            except Undecided:
                continue
            if best > ENOUGH:
                break
        if not best > 0:
            raise Undecided(f"no majorant for the tail from {y}")
        return best

    def _shown(self, slope: Span) -> arb:
        alpha = -1 - slope.upper if self.end == "far" else 1 + slope.lower
        return alpha.lower().min(arb(10) ** 6)

    def mass(self, y: float, density: arb) -> arb:
        """Return an upper bound of the integral from y to the end, given the density at y."""
        return (arb(y) * density / self.exponent(y)).upper()

    def _slope(self) -> Form:
        """Return y d/dy, with symbols for parts that no span encloses well: y f'/f where f(0) = 0, and erfc far out."""
        formula, slope, stands = self.log_density, sp.S.Zero, []
        for number, logarithm in enumerate(sorted(self.log_density.atoms(sp.log), key=str)):
            named = self._named(logarithm.args[0], number)
            if named is None:
                continue
            held = sp.Symbol(f"log{number}_", real=True)
            formula = formula.xreplace({logarithm: held})
            slope += formula.diff(held) * named[0]
            stands += named[1]
            formula = formula.xreplace({held: sp.S.Zero}) if not formula.diff(held).has(self.y, held) else formula
            if formula.has(held):
                return self.y * self.log_density.diff(self.y), ()
        rest = (self.y * term.diff(self.y) for term in sp.Add.make_args(formula))
        return sp.Add(slope, *rest), tuple(stands)

    def _named(self, f: Formula, number: int) -> tuple[Formula, list[Stand]] | None:
        if not f.has(self.y) or f.has(*JUMPS):
            return None
        if self.end == "near" and f != self.y and sp.simplify(f.xreplace({self.y: sp.S.Zero})) == 0:
            steep, ratio = f.diff(self.y), sp.Symbol(f"ratio{number}_", real=True)
            return ratio, [(ratio, lambda values: _quotient_of_slopes(steep, values))]
        _, function = f.as_coeff_Mul()
        if self.end == "far" and isinstance(function, sp.erfc | ndtr):
            x: Formula = function.args[0]
            u = x if isinstance(function, sp.erfc) else -x / sp.sqrt(2)
            mills = sp.Symbol(f"mills{number}_", positive=True)
            return -self.y * u.diff(self.y) * mills, [(mills, lambda values: _mills(u, values))]
        if isinstance(function, sp.cosh):
            inner: Formula = function.args[0]
            return self.y * inner.diff(self.y) * sp.tanh(inner), []
        if self.end == "far" and isinstance(function, gammaincc) and not function.args[0].has(self.y):
            a, v = function.args
            hazard = sp.Symbol(f"hazard{number}_", positive=True)
            return -self.y * v.diff(self.y) * hazard, [(hazard, lambda values: _gamma_hazard(a, v, values))]
        return None


_tail_of = functools.lru_cache(maxsize=256)(
    Tail
)  # the writings of a slope are worked out once for all shells of a tail


def _quotient_of_slopes(steep: Formula, values: Values) -> Span:
    """Return y f'(y)/f(y) = f'(y)/f'(x) for some x between 0 and y, by the mean value theorem."""
    found = enclose(steep, values)
    if not (found.lower.is_finite() and found.upper.is_finite()):
        raise Undecided("a slope without bound")
    return found * found.reciprocal()


def _mills(u: Formula, values: Values) -> Span:
    r"""Enclose $u + \sqrt{u^2 + 4/\pi} \le 2e^{-u^2}/(\sqrt\pi\,\mathrm{erfc}(u)) < u + \sqrt{u^2 + 2}$ for u ≥ 0 (DLMF
    7.8.2); below 0 it is positive and at most its value at 0, since it increases."""
    low = enclose(u, values).lower
    if low >= 0:
        return enclose(u, values) + Span((enclose(u**2, values).lower + 4 / arb.pi()).sqrt(), INFINITE)
    if enclose(u, values).upper <= 0:
        return Span(arb(0), 2 / arb.pi().sqrt())
    raise Undecided("erfc on both sides of zero")


def _gamma_hazard(a: Formula, v: Formula, values: Values) -> Span:
    r"""Enclose $v^{a-1}e^{-v}/\Gamma(a, v)$, which goes to 1 and is monotone: rising for a ≥ 1, falling for a ≤ 1 (the
    gamma density is log-concave or log-convex; Barlow and Proschan, Statistical Theory of Reliability, 1975, ch. 3)."""
    shape, least = enclose(a, values), enclose(v, values).lower
    if not (least > 0 and least.is_finite() and shape.lower > 0):
        raise Undecided("a hazard rate at zero")
    order = shape.lower.union(shape.upper)
    first = least ** (order - 1) * (-least).exp() / least.gamma_upper(order)
    return Span(first.lower().min(arb(1)), first.upper().max(arb(1)))


def _values(stands: tuple[Stand, ...], values: dict[Any, Span]) -> Values:
    for symbol, span in stands:
        values[symbol] = span(values)
    return values


def _without_large(form: Form, y: sp.Symbol, more: tuple[Any, ...] = ()) -> Form:
    """Write y, growing exponentials and other growing functions as one over something small, and then one fraction."""
    slope, stands = form
    x = sp.Symbol("x_", positive=True)
    made: list[Stand] = [*stands, (x, lambda values: values[y].reciprocal())]
    bases: list[tuple[Formula, sp.Symbol]] = []  # exponents u, with symbols for exp(-u)
    for number, large in enumerate(sorted(slope.atoms(sp.exp, *more), key=lambda e: (sp.count_ops(e), str(e)))):
        small, inner = sp.Symbol(f"small{number}_", positive=True), large.args[0]
        known = next(((b, k) for u, b in bases if isinstance(large, sp.exp) and (k := _multiple(inner, u))), None)
        if known is not None:
            slope = slope.xreplace({large: known[0] ** -known[1]})
        elif isinstance(large, sp.exp):
            u = inner if _grows(large, y) else -inner
            bases.append((u, small))
            slope = slope.xreplace({large: small ** (-1 if u is inner else 1)})
            made.append((small, _of(sp.exp(-u))))
        elif _grows(large, y):
            slope = slope.xreplace({large: 1 / small})
            made.append((small, _one_over(large)))
    above, below = sp.fraction(sp.cancel(sp.together(slope.xreplace({y: 1 / x}))))
    divisors: Any = sp.factor(below)
    growing = sp.Mul(
        *(f for f in sp.Mul.make_args(divisors) if _grows(f.xreplace({x: 1 / y}), y))
    )  # oo/oo says nothing
    return (above if growing == 1 else sp.expand(above / growing)) / sp.factor(below / growing), tuple(made)


def _multiple(inner: Formula, u: Formula) -> int | None:
    """Return k where an exponent is k times another, for a small whole number; else None."""
    ratio = sp.cancel(inner / u) if u.free_symbols == inner.free_symbols else sp.nan
    return int(ratio) if ratio.is_Integer and 0 < abs(ratio) <= MULTIPLES else None


def _in_exponentials(formula: Formula) -> Formula:
    for function, sign in ((sp.cosh, 1), (sp.sinh, -1)):
        formula = formula.replace(function, lambda x, sign=sign: (sp.exp(x) + sign * sp.exp(-x)) / 2)
    return formula


def _name_exponentials(form: Form) -> Form:
    """Return a form with a symbol for every exponential, whose span is enclosed by itself.

    To polynomials exp(0.9999999*y) is the power 9999999 of exp(y/10000000), and exp(1/3000) as bad.
    """
    formula, stands = form
    found = sorted(formula.atoms(sp.exp), key=sp.default_sort_key)
    names: dict[Any, Any] = {e: sp.Symbol(f"exp{k}_", positive=True) for k, e in enumerate(found)}
    return formula.xreplace(names), (*stands, *((names[e], _of(e)) for e in found))


def _of(formula: Formula) -> Callable[[Values], Span]:
    return lambda values: enclose(formula, values)


def _one_over(formula: Formula) -> Callable[[Values], Span]:
    return lambda values: enclose(formula, values).reciprocal()


def _grows(formula: Formula, y: sp.Symbol) -> bool:
    others = {symbol: Span(arb(0), arb(0)) for symbol in formula.free_symbols}
    try:
        return not enclose(formula, {**others, y: Span(arb(1000), INFINITE)}).upper.is_finite()
    except Undecided:
        return False
