"""Print the formulas of one element in Stan; sums and functions of whole arrays become lines before the formula.

Every such line records the plates that it depends on, and is placed in the outermost loop possible: the Cholesky factor
of a covariance is computed once, not for each element.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter
from sympy.tensor.indexed import Idx, Indexed

from symaux.exchange.exporting.spelling.fallbacks import respelled
from symaux.exchange.exporting.spelling.fractions import (
    as_real_literal,
    binding_strength,
    logistic_argument,
    split_fraction,
)
from symaux.exchange.exporting.spelling.natural_coordinates import SUPPORTED, Unsupported
from symaux.exchange.exporting.spelling.tables import STAN, log_gamma, nested
from symaux.exchange.exporting.stan.names import fresh_name
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import as_lag, free_plates, is_size, name_of

LARGEST = 2**31  # integers of Stan are below it


@dataclass(frozen=True)
class Chunk:
    """Lines that come before a formula, and the plates that they depend on."""

    lines: tuple[str, ...]
    plates: frozenset[Any]


@dataclass
class Names:
    """The names of a program: identifiers, sizes and integers, and the functions and names that its formulas add."""

    identifiers: dict[str, str]
    sizes: Mapping[str, str]
    whole: frozenset[str]
    used: set[str]
    functions: set[str] = field(default_factory=set)
    counted: dict[str, int] = field(default_factory=dict)

    def fresh(self, stem: str) -> str:
        """Return an unused name for an intermediate value: total_1, total_2, …"""
        self.counted[stem] = self.counted.get(stem, 0) + 1
        return fresh_name(f"{stem}_{self.counted[stem]}", self.used)

    def size(self, plate: Any) -> str:
        return self.sizes[str(getattr(plate, "label", plate))]


def wrap_in_loops(names: Names, loops: list[tuple[Any, str, int]], chunks: list[Chunk], body: list[str]) -> Any:
    """Return the chunks that belong outside of the loops, and the body inside loops over (plate, index, start), outermost
    first."""
    for plate, index, start in reversed(loops):
        inside = [line for c in chunks if plate in c.plates for line in c.lines]
        chunks = [c for c in chunks if plate not in c.plates]
        body = _loop(f"for ({index} in {start + 1}:{names.size(plate)})", [*inside, *body])
    return chunks, body


def _loop(head: str, body: list[str]) -> list[str]:
    return [f"{head} {{", *(f"  {line}" for line in body), "}"]


Printer: Any = StrPrinter  # its methods are typed by the very words that they give


class StanPrinter(Printer):
    """Printer of formulas; ``chunks`` are the lines that must come before them, ``indices`` the loops around them."""

    printmethod = "_exported"  # not "_sympystr", by which elements would print themselves

    def __init__(self, names: Names, indices: Mapping[Any, str] | None = None) -> None:
        super().__init__()
        self.names, self.indices, self.chunks = names, dict(indices or {}), []

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if isinstance(expr, sp.Basic) and not isinstance(expr, SUPPORTED):
            return self.emptyPrinter(expr)
        if expr in (sp.nan, sp.zoo):
            raise Unsupported("a formula is undefined")
        return super()._print(expr, **kwargs)

    def emptyPrinter(self, expr: Any) -> str:
        raise Unsupported(f"Stan does not have {type(expr).__name__}")

    def _print_Basic(self, expr: Any) -> str:
        return self.emptyPrinter(expr)

    def _print_Symbol(self, expr: Any) -> str:
        return self.names.size(expr.name.removeprefix("size_")) if is_size(expr) else self.names.identifiers[expr.name]

    def _print_Idx(self, expr: Any) -> str:
        return f"({self.indices[expr]} - 1)"

    def _print_Indexed(self, expr: Any) -> str:
        return f"{self.names.identifiers[name_of(expr)]}[{', '.join(map(self._place, expr.indices))}]"

    def _place(self, index: Any) -> str:
        """Print an index plus one: Stan counts from one, but data that index arrays count from zero, as in symaux."""
        if index.is_Integer:
            return str(index + 1)
        if (shift := as_lag(index)) is not None:
            plate, back = shift
            return f"{self.indices[plate]} - {back}" if back else self.indices[plate]
        if not self.is_whole(index):
            raise Unsupported(f"{index} picks elements, but is not integer data")
        return f"{self._print(index)} + 1"

    def inside_loops(self, plates: Any) -> tuple[StanPrinter, list[tuple[Any, str, int]]]:
        """Return a printer inside loops over more plates; an index that is taken by an outer loop gets another name."""
        taken = set(self.indices.values())
        loops = []
        for plate in plates:
            usual = self.names.identifiers[f"plate {plate.label}"]
            loops.append((plate, self.names.fresh(usual) if usual in taken else usual, 0))
        return StanPrinter(self.names, self.indices | {plate: index for plate, index, _ in loops}), loops

    def fill_elements(self, declared: str, name: str, plates: Any, write: Any, sign: str = "=") -> list[str]:
        """Return the lines that declare an array and assign its elements; lines that belong outside go to the chunks."""
        inner, loops = self.inside_loops(plates)
        lines = write(inner, name if sign == "+=" else f"{name}[{', '.join(i for _, i, _ in loops)}]")
        chunks, body = wrap_in_loops(self.names, loops, inner.chunks, lines)
        self.chunks += chunks
        return [f"{declared} {name}{' = 0' if sign == '+=' else ''};", *body]

    def _print_Sum(self, expr: Any) -> str:
        if any(not isinstance(plate, Idx) or lower != 0 for plate, lower, _ in expr.limits):
            raise Unsupported("a series is not supported")
        name, plates = self.names.fresh("total"), [plate for plate, *_ in reversed(expr.limits)]
        lines = self.fill_elements("real", name, plates, lambda p, at: [f"{at} += {p._print(expr.function)};"], "+=")
        self.chunks.append(Chunk(tuple(lines), frozenset(free_plates(expr))))
        return name

    def _print_ArrayFunction(self, expr: ArrayFunction) -> str:
        from symaux.exchange.exporting.stan.array_functions import print_array_call

        return print_array_call(self, expr)

    def _print_Function(self, expr: Any) -> str:
        expr = log_gamma(expr)
        if isinstance(expr, sp.log) and isinstance(expr.args[0], sp.besseli):
            order, x = map(self._print, expr.args[0].args)
            return f"log_modified_bessel_first_kind({order}, {x})"
        name = STAN.get(expr.func)
        if name is None or (expr.func is sp.LambertW and len(expr.args) > 1):
            other = respelled(expr)
            return self.emptyPrinter(expr) if other is None else f"({self._print(other)})"
        return f"{self._carried(name)}({self.stringify(expr.args, ', ')})"

    def _carried(self, name: str) -> str:
        """Return the name of a function in the program, which carries it if there is an @ before it."""
        if not name.startswith("@"):
            return name
        self.names.functions.add(name[1:])
        return self.names.identifiers[f"function {name[1:]}"]

    _print_log1p = _print_expm1 = _print_Heaviside = _print_Function

    def _print_polygamma(self, expr: Any) -> str:
        order, x = expr.args
        if order not in (0, 1):
            raise Unsupported(f"Stan does not have polygamma of order {order}")
        return f"{self._carried('@digamma_slope' if order else 'digamma')}({self._print(x)})"

    def _bessel(self, expr: Any, word: str) -> str:
        order, x = expr.args
        if not order.is_Integer:
            raise Unsupported(f"Stan has Bessel functions of integer order only, not {order}")
        return f"{word}({order}, {self._print(x)})"

    def _print_besseli(self, expr: Any) -> str:
        return self._bessel(expr, "modified_bessel_first_kind")

    def _print_besselk(self, expr: Any) -> str:
        return self._bessel(expr, "modified_bessel_second_kind")

    def _print_besselj(self, expr: Any) -> str:
        return self._bessel(expr, "bessel_first_kind")

    def _print_bessely(self, expr: Any) -> str:
        return self._bessel(expr, "bessel_second_kind")

    def _print_Piecewise(self, expr: Any) -> str:
        *pieces, (otherwise, last) = expr.args
        if last != sp.true:
            raise Unsupported("a Piecewise has no default branch")
        text = self._print(otherwise)
        for value, condition in reversed(pieces):
            text = f"({self._print(condition)} ? {self._print(value)} : {text})"
        return text

    def _print_Relational(self, expr: Any) -> str:
        return f"{self._print(expr.lhs)} {expr.rel_op} {self._print(expr.rhs)}"

    def _print_And(self, expr: Any) -> str:
        return " && ".join(f"({self._print(a)})" for a in expr.args)

    def _print_Or(self, expr: Any) -> str:
        return " || ".join(f"({self._print(a)})" for a in expr.args)

    def _print_Not(self, expr: Any) -> str:
        return f"!({self._print(expr.args[0])})"

    def _print_KroneckerDelta(self, expr: Any) -> str:
        if all(isinstance(index, Idx) for index in expr.args):
            return f"({' == '.join(self.indices[index] for index in expr.args)})"
        one, other = map(self._print, expr.args)
        return f"({one} == {other})"

    def _print_Max(self, expr: Any) -> str:
        return nested("fmax", map(self._print, expr.args))

    def _print_Min(self, expr: Any) -> str:
        return nested("fmin", map(self._print, expr.args))

    def _print_Pi(self, expr: Any) -> str:
        return "pi()"

    def _print_Exp1(self, expr: Any) -> str:
        return "e()"

    def _print_NumberSymbol(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Infinity(self, expr: Any) -> str:
        return "positive_infinity()"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "negative_infinity()"

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Integer(self, expr: Any) -> str:
        return str(expr) if abs(expr) < LARGEST else repr(float(expr))

    def _print_Rational(self, expr: Any) -> str:
        return f"{as_real_literal(expr.p)}/{self._print(sp.Integer(expr.q))}"

    def is_whole(self, expr: Any) -> bool:
        """Return whether Stan takes the printed text for an int, which it would divide as one: 1/2 is 0."""
        match expr:
            case sp.Integer():
                return abs(expr) < LARGEST
            case Idx() | sp.KroneckerDelta():
                return True
            case Indexed():
                return name_of(expr) in self.names.whole
            case sp.Symbol():
                return is_size(expr) or expr.name in self.names.whole
            case sp.Add() | sp.Mul() | sp.Abs():
                return all(map(self.is_whole, expr.args))
            case sp.Piecewise():
                return all(self.is_whole(piece.args[0]) for piece in expr.args)
        return False

    def _print_Mul(self, expr: Any) -> str:
        up, down = split_fraction(expr)
        sign = "-" if up and up[0].is_Number and up[0] < 0 else ""
        if sign:
            first: list[Any] = [-up[0]] if up[0] != -1 or len(up) == 1 else []
            up = first + up[1:]
        texts = [self._bracketed(u) for u in up]
        if down and all(map(self.is_whole, (*up, *down))):
            texts = [as_real_literal(up[0]), *texts[1:]] if up and up[0].is_Integer else ["1.0", *texts]
        below = [self._bracketed(d, "*/") for d in down]
        bottom = f"({'*'.join(below)})" if len(below) > 1 else "".join(below)
        return f"{sign}{'*'.join(texts) or '1.0'}" + (f"/{bottom}" if bottom else "")

    def _bracketed(self, factor: Any, loose: str = "/") -> str:
        """Print a factor, in brackets if its precedence is lower or if it contains one of the ``loose`` signs."""
        text, level = self._print(factor), binding_strength(factor)
        apart = level < PRECEDENCE["Mul"] or (level == PRECEDENCE["Mul"] and any(sign in text for sign in loose))
        return f"({text})" if apart else text

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp == -1 and (logit := logistic_argument(expr)) is not None:
            return f"inv_logit({self._print(logit)})"
        if expr.exp == sp.S.Half:
            return f"sqrt({self._print(expr.base)})"
        if expr.exp == -1:
            return f"inv({self._print(expr.base)})"
        if expr.exp.is_Rational and expr.exp < 0:
            return f"inv({self._print(sp.Pow(expr.base, -expr.exp))})"
        base, power = self._print(expr.base), self._print(expr.exp)
        return f"square({base})" if expr.exp == 2 else f"pow({base}, {power})"
