"""Build sympy formulas from syntax trees, object by object: no text ever reaches eval, sympify or parse_expr."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, IndexedBase

from symaux.errors import LanguageError
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.symbols.indices import Bound, extent
from symaux.language import array_calls as arraywords
from symaux.language.formula_functions import CONDITIONAL, EXTENT, FUNCTIONS, NAMES, SOLVED, TOTAL, VALUES, Function
from symaux.language.locations import Location, error_at
from symaux.language.names import suggest, why_invalid
from symaux.language.size_limits import MAX_BITS, abbreviate, bit_length, largest_number, power_fault

MAX_DIGITS = 60
MAX_POWER_OF_TEN = 400
MAX_CONDITIONS = 8
MAX_TERMS = 1_000
COMPARISONS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}
RELATIONS = {**COMPARISONS, "==": sp.Eq, "!=": sp.Ne}
CONDITIONS = {"comparison", "both", "either"}  # a < b, conjunctions, disjunctions
Node = Any  # a tree of lark, whose children are trees and tokens


@dataclass(frozen=True)
class Builder:
    """Builder of the formulas of one text, with the symbols that its names stand for."""

    text: str
    symbols: Mapping[str, Any]
    functions: Mapping[str, Function] = field(default_factory=lambda: FUNCTIONS)
    ranks: Mapping[str, int] = field(default_factory=dict)  # how many indices an array has, where that is known

    @property
    def known(self) -> frozenset[str]:
        """Return the names of functions, which variables cannot have."""
        return NAMES | frozenset(self.functions)

    def error(self, message: str, node: Node) -> LanguageError:
        """Return the error that points at a node."""
        return error_at(message, Location(self.text, node.meta.start_pos))

    def build(self, node: Node) -> Any:
        """Build the formula of a node; raise LanguageError at the node that is not a finite real formula."""
        made = getattr(self, f"_{node.data}")(node)
        if made.has(sp.nan, sp.zoo):
            raise self.error("this is not a number: it divides by zero", node)
        if any(bit_length(number) > MAX_BITS for number in made.atoms(sp.Rational)):
            raise self.error("this makes a number with thousands of digits", node)
        if made.has(sp.I):
            raise self.error(f"this is not real: {abbreviate(made)}", node)
        return made

    def _finite(self, node: Node) -> Any:
        made = self.build(node)
        if _terms(made).has(sp.oo, -sp.oo):
            raise self.error("infinity may only be a bound of a support or of a sum, not a part of a formula", node)
        return made

    def _sum(self, node: Node) -> Any:
        first, *rest = node.children
        terms = [self._finite(first)]
        for sign, term in zip(rest[::2], rest[1::2], strict=True):
            terms.append(self._finite(term) if sign == "+" else -self._finite(term))
        return sp.Add(*terms)

    def _product(self, node: Node) -> Any:
        return sp.Mul(*self._factors(node))

    def _factors(self, node: Node, below: bool = False) -> list[Any]:
        """Return the factors of a product, nested products flattened.

        The product is built at once, because sympy turns 2*(x + 1) alone into 2*x + 2. A sign in front is a factor too:
        sympy turns -(x + 1)*y into (-x - 1)*y.
        """
        if node.data == "signed":
            sign, operand = node.children
            return [sp.S.NegativeOne] * (sign == "-") + self._factors(operand, below)
        if node.data != "product":
            return [self._inverse(node) if below else self._finite(node)]
        first, *rest = node.children
        made = self._factors(first, below)
        for sign, factor in zip(rest[::2], rest[1::2], strict=True):
            made += self._factors(factor, below ^ (sign == "/"))
        return made

    def _inverse(self, node: Node) -> Any:
        divisor = self._finite(node)
        if divisor.is_zero:
            raise self.error("division by zero", node)
        return 1 / divisor

    def _signed(self, node: Node) -> Any:
        sign, operand = node.children
        return self.build(operand) if sign == "+" else -self.build(operand)

    def _power(self, node: Node) -> Any:
        base, exponent = self._finite(node.children[0]), self._finite(node.children[2])
        if fault := power_fault(base, exponent):
            raise self.error(fault, node)
        return base**exponent

    def _number(self, node: Node) -> Any:
        text = str(node.children[0])
        mantissa, _, exponent = text.lower().partition("e")
        if len(mantissa) > MAX_DIGITS:
            raise self.error(f"a number of {len(mantissa)} digits; at most {MAX_DIGITS}", node)
        if len(exponent) > 5 or abs(int(exponent or "0")) > MAX_POWER_OF_TEN:
            raise self.error(f"the number {abbreviate(text)} is too large or too small", node)
        exact = Fraction(text)
        return sp.Rational(exact.numerator, exact.denominator)

    def _name(self, node: Node) -> Any:
        name = str(node.children[0])
        if name in self.symbols:
            return self._scalar(name, node)
        if name in VALUES:
            return VALUES[name]
        if reason := why_invalid(name, self.known):
            raise self.error(f"{name!r} cannot be a variable: {reason}", node)
        raise self.error(f"unknown name {name!r}{suggest(name, [*self.symbols, *VALUES])}", node)

    def _scalar(self, name: str, node: Node) -> Any:
        if isinstance(self.symbols[name], IndexedBase):
            raise self.error(f"{name} is an array: index it, as in {name}[i]", node)
        return self.symbols[name]

    def _element(self, node: Node) -> Any:
        name, *indices = node.children
        base = self.symbols.get(str(name))
        if not isinstance(base, IndexedBase):
            near = "" if str(name) in self.symbols else suggest(str(name), self.symbols)
            raise self.error(f"{name!s} is not an array and has no elements{near}", node)
        if (rank := self.ranks.get(str(name), len(indices))) != len(indices):
            # not left to the model: sympy compares elements of different ranks by parsing the names of assumptions
            raise self.error(f"{name!s} has {rank} indices, and {len(indices)} are given", node)
        return base[tuple(self._finite(i) for i in indices)]

    def _keyword(self, node: Node) -> Any:
        raise self.error("only laws take arguments by name", node)

    def _call(self, node: Node) -> Any:
        name, *arguments = node.children
        if name == CONDITIONAL:
            return self._where(node)
        if name == TOTAL:
            return self._total(node)
        if name == SOLVED and SOLVED in self.functions:
            return self._solved(node)
        if name == EXTENT and EXTENT in self.functions:
            return extent(self._plate(node, arguments[0] if len(arguments) == 1 else node))
        if str(name) in arraywords.array_functions() and SOLVED in self.functions:
            return arraywords.build_call(self, node)
        function = self.functions.get(str(name))
        if function is None:
            raise self.error(f"unknown function {str(name)!r}{suggest(str(name), self.known)}", node)
        if not function.least <= len(arguments) <= function.most:
            raise self.error(f"{name!s} takes {function.arity}, not {len(arguments)}", node)
        return self._applied(node, function, [self._finite(a) for a in arguments])

    def _applied(self, node: Node, function: Function, arguments: list[Any]) -> Any:
        if any(largest_number(a) > function.limit for a in arguments):
            limit = f"; at most {function.limit}" if function.limit < 10**6 else ""
            raise self.error(f"{node.children[0]!s} is given too large a number{limit}", node)
        return function.build(*arguments)

    def _where(self, node: Node) -> Any:
        """Build ``where(condition, value, ..., otherwise)``, the value of the first condition that holds."""
        _, *arguments = node.children
        conditions, values = arguments[:-1:2], arguments[1::2]
        if len(arguments) < 3 or len(arguments) % 2 == 0 or any(c.data not in CONDITIONS for c in conditions):
            raise self.error("where takes a comparison and two values: where(z < a, 1, 2)", node)
        pieces = [(self._finite(v), self._condition(c)) for c, v in zip(conditions, values, strict=True)]
        return sp.Piecewise(*pieces, (self._finite(arguments[-1]), True))

    def indicator(self, node: Node) -> Any | None:
        """Build ``where(condition, 0, -oo)``, which only a factor may be; None for anything else."""
        if node.data != "call" or str(node.children[0]) != "where" or len(node.children) != 4:
            return None
        _, condition, inside, outside = node.children
        if condition.data not in CONDITIONS or self.build(inside) != 0 or self.build(outside) != -sp.oo:
            return None
        return sp.Piecewise((sp.S.Zero, self._condition(condition)), (-sp.oo, True))

    def _condition(self, node: Node) -> Any:
        if node.data != "comparison":
            return (sp.And if node.data == "both" else sp.Or)(*map(self._condition, node.children[::2]))
        left, right = self._finite(node.children[0]), self._finite(node.children[2])
        if left.has(sp.Piecewise) or right.has(sp.Piecewise):
            raise self.error("a where in the condition of a where", node)
        return RELATIONS[str(node.children[1])](left, right)

    def _plate(self, call: Node, node: Node) -> Idx:
        """Return the plate that an argument names."""
        plate = self.symbols.get(str(node.children[0])) if node.data == "name" else None
        if isinstance(plate, Idx):
            return plate
        plates = [name for name, meaning in self.symbols.items() if isinstance(meaning, Idx)]
        said = (
            f"; {node.children[0]} is not a plate{suggest(str(node.children[0]), plates)}"
            if node.data == "name"
            else ""
        )
        raise self.error(f"{call.children[0]} needs a declared plate, as in plate k[3]{said}", node)

    def _over_plates(self, arguments: list[Node]) -> bool:
        ahead = [a for a in arguments[:-1] if a.data == "name"]
        return len(arguments) == 2 or (
            len(ahead) == len(arguments) - 1
            and all(isinstance(self.symbols.get(str(a.children[0])), Idx) for a in ahead)
        )

    def _total(self, node: Node) -> Any:
        """Build ``sum(k, term)`` over a plate k, or ``sum(term, k, lower, upper)``, which binds the name k in the term."""
        _, *arguments = node.children
        if len(arguments) > 1 and self._over_plates(arguments):
            *plates, term = arguments
            return sp.Sum(self._finite(term), *(self._plate(node, plate) for plate in reversed(plates)))
        if len(arguments) != 4 or arguments[1].data != "name":
            raise self.error(
                "sum takes a plate and a term, or a term, the name of its index and two bounds: sum(x**k, k, 0, oo)",
                node,
            )
        term, index, low, high = arguments
        name = str(index.children[0])
        if name in self.symbols or name in VALUES or why_invalid(name, NAMES):
            raise self.error(f"{name!r} cannot be the index of a sum: it has another meaning", index)
        lower, upper = self._finite(low), self.build(high)
        if (
            not lower.is_integer
            or upper == -sp.oo
            or (upper.is_number and upper < lower)
            or (upper.is_number and upper - lower > MAX_TERMS and upper != sp.oo)
        ):
            raise self.error(f"a sum runs from an integer to infinity, or over at most {MAX_TERMS} terms", node)
        k = sp.Symbol(name, integer=True, **({"nonnegative": True} if lower.is_nonnegative else {}))
        made = replace(self, symbols={**self.symbols, name: k})._finite(term)
        return sp.Sum(made, (k, lower, upper))

    def _solved(self, node: Node) -> Any:
        """Build ``quantile(u, t, log_density)``, which binds the name t in the log-density on the real line."""
        _, *arguments = node.children
        if len(arguments) != 3 or arguments[1].data != "name":
            raise self.error("quantile takes a level, a name and a log-density of it: quantile(u, t, -t**2/2)", node)
        level, variable, term = arguments
        name = str(variable.children[0])
        if name in self.symbols or why_invalid(name, self.known):
            raise self.error(f"{name!r} cannot be bound by quantile: it has another meaning", variable)
        t = Bound(name, real=True)
        made = replace(self, symbols={**self.symbols, name: t})._finite(term)
        return ImplicitQuantile(self._finite(level), t, made)

    def _comparison(self, node: Node) -> Any:
        raise self.error("a comparison may only be the first argument of where(condition, then, otherwise)", node)

    _both = _either = _comparison


def _terms(formula: Any) -> Any:
    """Return the formula with every sum replaced by its term, whose bounds may be infinite."""
    return formula.replace(sp.Sum, lambda term, *limits: term) if formula.has(sp.Sum) else formula
