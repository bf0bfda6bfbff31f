"""Prove conditions on parameters from what a model says about the variables in them.

A variable is a function of a positive symbol, by its support: $p = s/(1 + s)$ on (0, 1). Deterministic variables are inlined,
and series are positive by induction. What is not proved is unknown, never false.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.algebra.signs import is_nonnegative, sign_of
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.symbols.array_functions import ArrayFunction, Normalised, StickBreaking
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import bound_plates, indices_of, name_of, references
from symaux.formulas.symbols.support import Interval, Simplex
from symaux.laws.law import Law
from symaux.model.statements import Deterministic, Statement

if TYPE_CHECKING:
    from symaux.model.model import Model

INEQUALITIES = (sp.StrictGreaterThan, sp.StrictLessThan, sp.GreaterThan, sp.LessThan)
LAYERS = 8  # of deterministic variables that are inlined for a proof
POINTS = 8  # at which the sign of a function of noise is looked at
LARGE = 40  # operations: to look for the sign of a longer formula takes seconds


class Prover:
    """A prover of conditions from what a model says about the variables in them."""

    def __init__(self, model: Model, known: set[Any]) -> None:
        self.model = model
        self.charted: dict[Any, Any] = {}
        self.positive = {c.gts - c.lts: sp.Dummy("known", positive=True) for c in known if _is_strict(c)}

    @cached_property
    def moving(self) -> frozenset[str]:
        return frozenset(self.model.nodes) - self.model.observed

    def concerns(self, condition: Any) -> bool:
        """Return whether a condition reads a latent or computed variable: those on data alone are checked with the data."""
        return any(name_of(r) in self.moving for r in references(condition))

    def without_positive_factors(self, condition: Any) -> Any:
        """Return the condition x > 0 or x >= 0 without the factors of x that are proved to be positive.

        What stands on both sides of a comparison is left out: a < a + w is w > 0.
        """
        if isinstance(condition, INEQUALITIES):
            difference = sp.expand(_difference(condition))
            if not self.concerns(difference):
                return difference > 0 if _is_strict(condition) else difference >= 0
        if not isinstance(condition, sp.StrictGreaterThan | sp.GreaterThan) or condition.rhs != 0:
            return condition
        product: Any = condition.lhs
        factors = sp.Mul.make_args(product)
        rest = [f for f in factors if not (self.concerns(f) and any(sign_of(form) == 1 for form in self._forms(f)))]
        return condition if len(rest) == len(factors) else condition.func(sp.Mul(*rest), 0)

    def holds(self, condition: Any) -> bool:
        """Return whether a condition is proved."""
        if not isinstance(condition, INEQUALITIES):
            return False
        difference = _difference(condition)
        if _is_strict(condition):
            return any(sign_of(form) == 1 for form in self._forms(difference))
        return any(is_nonnegative(form) for form in self._forms(difference))

    def is_rewritten(self, statement: Statement, condition: Any) -> bool:
        """Return whether a sign belongs to a function of noise that a rewrite made, and is not seen to be wrong.

        That such a function stays in the support of its law is proved with the rewrite; it may be a quantile function, whose
        sign is not found here. A text may claim anything to be noise: so points are looked at.
        """
        if not isinstance(statement, Deterministic):
            return False
        return any(name_of(r) in self.model.auxiliary for r in references(statement.formula)) and self._seems(condition)

    def _seems(self, condition: Any) -> bool:
        """Return whether a condition holds at some random points, as far as it can be evaluated at them."""
        formula = self._in_charts(condition.gts - condition.lts)
        if formula.has(ArrayFunction):
            return True
        rng = random.Random(0)
        for _ in range(POINTS):
            point = {s: sp.Float(_draw(s, rng)) for s in formula.free_symbols}
            value = real(formula, point)
            if value is not None and value < 0:
                return False
        return True

    def fails(self, condition: Any) -> bool:
        """Return whether a condition is proved to be false for all values of its variables."""
        if not isinstance(condition, INEQUALITIES):
            return False
        difference = -_difference(condition)
        if not _is_strict(condition):
            return any(sign_of(form) == 1 for form in self._forms(difference))
        return any(is_nonnegative(form) for form in self._forms(difference))

    def _forms(self, formula: Formula) -> Iterator[Formula]:
        """Yield the formula in positive symbols, as it is written, and with deterministic variables inlined."""
        for _ in range(LAYERS):
            if formula.count_ops() > LARGE:
                return
            charted = self._in_charts(formula)
            yield charted
            if (fraction := _as_fraction(charted)) != charted:
                yield fraction
            inlined = formula.xreplace({e: f for e in references(formula) if (f := self._inlined(e)) is not None})
            if inlined == formula:
                return
            formula = inlined

    def _in_charts(self, formula: Formula) -> Formula:
        """Return the formula with each variable as a function of a positive symbol, by its support, and sums as symbols."""
        formula = formula.xreplace(self.positive)
        sums = [
            s for s in formula.atoms(sp.Sum) if not any(s in o.function.atoms(sp.Sum) for o in formula.atoms(sp.Sum))
        ]
        formula = formula.xreplace({total: self._sum(total) for total in sums})
        formula = formula.xreplace({e: self._chart(e) for e in references(formula)})
        return formula.xreplace({i: self._index(i) for i in formula.atoms(Idx)})

    def _index(self, plate: Any) -> Formula:
        """Return a symbol for an index, which counts from 0."""
        return self.charted.setdefault(plate, sp.Dummy(str(plate), integer=True, nonnegative=True))

    def _sum(self, total: sp.Sum) -> Formula:
        inner = self._in_charts(total.function)
        if total not in self.charted and self._is_average(total):
            s = sp.Dummy("s", positive=True)
            self.charted[total] = s / (1 + s)
        if total not in self.charted:
            word = "positive" if sign_of(inner) == 1 else "nonnegative" if is_nonnegative(inner) else "real"
            self.charted[total] = sp.Dummy("total", **{word: True})
        return self.charted[total]

    def _is_average(self, total: sp.Sum) -> bool:
        """Return whether a sum is the average of numbers between 0 and 1, with weights on a simplex."""
        for weight in {e for e in references(total.function) if self._on_simplex(e, total.variables)}:
            rest = total.function / weight
            if not rest.has(weight):
                between = self._in_charts(rest), self._in_charts(1 - rest)
                return all(sign_of(_as_fraction(form)) == 1 for form in between)
        return False

    def _on_simplex(self, element: Any, plates: Any) -> bool:
        node = self.model.nodes.get(name_of(element))
        stated = node.general if node is not None else None
        along = list(indices_of(element)[-1:]) == list(plates)
        if isinstance(stated, Deterministic):  # in auxiliary form
            return along and isinstance(stated.formula, StickBreaking | Normalised)
        return along and isinstance(stated, Law) and isinstance(stated.support, Simplex)

    def _chart(self, element: Any) -> Formula:
        if element not in self.charted:
            self.charted[element] = self._charted(element)
        return self.charted[element]

    def _charted(self, element: Any) -> Formula:
        node = self.model.nodes.get(name_of(element))
        if node is None or element.is_integer:
            return element
        if node.kind == "deterministic":
            return element if element.is_positive or not self._is_positive(node) else sp.Dummy("d", positive=True)
        low, high = _range([s for s in node.statements if isinstance(s, Law)])
        s = sp.Dummy("s", positive=True)
        match low.is_finite, high.is_finite:
            case True, True:
                return low + (high - low) * s / (1 + s)
            case True, _:
                return low + s
            case _, True:
                return high - s
        return element

    def _is_positive(self, node: Any) -> bool:
        """Return whether all statements of a series are positive if the earlier elements are: a proof by induction."""
        if node.axis is None and not node.lags:
            return False  # it is inlined
        made = []
        for statement in node.statements:
            own = {
                r: sp.Dummy("earlier", positive=True) for r in references(statement.formula) if name_of(r) == node.name
            }
            self.charted |= own
            made.append(sign_of(self._in_charts(statement.formula)) == 1)
            for element in own:
                del self.charted[element]
        return all(made)

    def _inlined(self, element: Any) -> Formula | None:
        """Return the formula of a deterministic element; None for a series, and where a sum binds one of its indices."""
        node = self.model.nodes.get(name_of(element))
        if node is None or node.kind != "deterministic" or node.axis is not None or node.lags:
            return None
        (statement,) = node.statements
        assert isinstance(statement, Deterministic)
        own, read = indices_of(statement.target), indices_of(element)
        bound = {p for part in sp.preorder_traversal(statement.formula) for p in bound_plates(part)}
        inside = {p for index in read for p in index.atoms(Idx)}
        return (
            None
            if bound & inside or statement.formula.has(ArrayFunction)
            else statement.formula.xreplace(dict(zip(own, read, strict=True)))
        )


def _draw(symbol: Any, rng: random.Random) -> float:
    sign = -1 if symbol.is_negative else 1
    return sign * math.exp(rng.gauss(0, 1)) if symbol.is_positive or symbol.is_negative else rng.gauss(0, 1)


def _difference(condition: Any) -> Formula:
    """Return the larger side of an inequality less the smaller one."""
    return condition.gts - condition.lts


def _as_fraction(formula: Formula) -> Formula:
    """Return the formula as one fraction."""
    made: Any = sp.together(formula)
    return sp.factor_terms(made)


def _is_strict(condition: Any) -> bool:
    return isinstance(condition, sp.StrictGreaterThan | sp.StrictLessThan)


def _range(laws: list[Law]) -> tuple[Formula, Formula]:
    """Return numbers between which all values of a variable lie, by the supports of its laws."""
    ends = [_ends(law) for law in laws]
    return sp.Min(*(low for low, _ in ends)), sp.Max(*(high for _, high in ends))


def _ends(law: Law) -> tuple[Any, Any]:
    match law.support:
        case Simplex():
            return sp.S.Zero, sp.S.One
        case Interval(lower=lower, upper=upper):
            low = lower if lower.is_number else sp.S.Zero if lower.is_nonnegative else -sp.oo
            high = upper if upper.is_number else sp.S.Zero if upper.is_nonpositive else sp.oo
            return low, high
    return -sp.oo, sp.oo


__all__ = ["Prover"]
