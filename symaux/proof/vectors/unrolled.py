r"""Write out formulas in index notation, element by element, and split products of positive factors.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> a, k = arrays("a", positive=True), plate("k", 3)
>>> Explicit({"k": 3})(sp.Sum(a[k], k), {})
a[0] + a[1] + a[2]
>>> s = sp.Symbol("s", positive=True)
>>> log_of((1 - s/(1 + s))**2*s)
log(s) - 2*log(s + 1)
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.assumptions import assumptions_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import is_size, label, name_of


@dataclass(frozen=True)
class Explicit:
    """A writer of formulas for plates of given lengths; ``known`` holds the replacements of elements."""

    lengths: Mapping[str, int]
    known: dict[Any, Any] = field(default_factory=dict)
    seen: dict[Any, Any] = field(default_factory=dict)

    def __call__(self, formula: Any, where: Mapping[Any, int]) -> Any:
        match formula:
            case Idx():
                return sp.Integer(where[formula])
            case Indexed():
                return self.element(formula, tuple(self(i, where) for i in formula.indices))
            case sp.Symbol():
                return sp.Integer(self.lengths[formula.name.removeprefix("size_")]) if is_size(formula) else formula
            case sp.Sum():
                return sp.Add(*(self(formula.function, {**where, **at}) for at in self.over(formula.variables)))
            case ArrayFunction():
                return self.array_function(formula, where)
        return formula.func(*(self(arg, where) for arg in formula.args)) if formula.args else formula

    def element(self, of: Indexed, index: tuple[Any, ...]) -> Any:
        """Return the symbol, or the replacement, of one element."""
        key = (name_of(of), index)
        if key not in self.known:
            self.known[key] = sp.Symbol(f"{name_of(of)}{list(index)}", **assumptions_of(of))
        return self.known[key]

    def over(self, plates: Any) -> list[dict[Any, int]]:
        """Return all positions along plates."""
        ranges = itertools.product(*(range(self.lengths[label(p)]) for p in plates))
        return [dict(zip(plates, index, strict=True)) for index in ranges]

    def array_function(self, formula: ArrayFunction, where: Mapping[Any, int]) -> Any:
        """Return one element of an array function, written out by its definition."""
        outer = tuple((p, at) for p, at in where.items() if p not in formula.plates)
        if (formula, outer) not in self.seen:
            along = [tuple(formula.plates[p] for p in positions) for positions in formula.along]
            operands = [self.array(o, plates, where) for o, plates in zip(formula.operands, along, strict=True)]
            self.seen[formula, outer] = formula.definition(*operands, *formula.words, m=sp)
        value = self.seen[formula, outer]
        for plate in formula.results:
            value = value[where[plate]]
        return sp.Integer(value) if isinstance(value, int) else value

    def array(self, operand: Any, plates: tuple[Any, ...], where: Mapping[Any, int]) -> Any:
        """Return an operand as nested lists along its plates."""
        if not plates:
            return self(operand, where)
        length = self.lengths[label(plates[0])]
        return [self.array(operand, plates[1:], {**where, plates[0]: k}) for k in range(length)]


def factors(formula: Formula) -> dict[Formula, Formula]:
    """Return a product as powers of factors that are not products themselves; sums are brought over one denominator."""
    found: dict[Formula, Formula] = {}
    stack = [(formula, sp.S.One)]
    while stack:
        part, power = stack.pop()
        if part.is_Mul:
            stack += [(arg, power) for arg in part.args]
        elif part.is_Pow and (part.exp.is_Integer or part.base.is_positive):
            stack.append((part.base, power * part.exp))
        elif part.is_Pow and all(base.is_positive for base in factors(part.base)):
            stack += [(base, power * part.exp * inner) for base, inner in factors(part.base).items()]
        elif part.is_Rational and part.is_positive and not (part.is_Integer and sp.isprime(part)):
            primes: Formula = sp.factorrat(part)
            stack += [(sp.Integer(prime), power * times) for prime, times in primes.items()]
        elif part.is_Add and (better := _over_one_denominator(part)) != part:
            stack.append((better, power))
        else:
            found[part] = found.get(part, sp.S.Zero) + power
    return {base: power for base, power in found.items() if sp.expand(power) != 0}


@functools.lru_cache(maxsize=4096)
def _over_one_denominator(formula: Formula) -> Formula:
    return factor_formula(sp.together(formula))


def product(formula: Formula) -> Formula:
    """Return the product of the factors, cancelled."""
    return sp.Mul(*(base**power for base, power in factors(formula).items()))


def log_of(formula: Formula) -> Formula:
    """Return the logarithm of a positive product, factor by factor."""
    return sp.Add(*(power * sp.expand_log(sp.log(base)) for base, power in factors(formula).items()))


def split_log_products(formula: Formula) -> Formula:
    """Return the formula with every logarithm of a product split."""
    return formula.replace(lambda e: isinstance(e, sp.log), lambda e: log_of(e.args[0]))
