"""Print formulas as Python over whole arrays: broadcast to align axes, reduce the last axis in sums, index in gathers.

>>> from symaux.exchange.exporting.spelling.tables import JNP
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> W, z, a, n, i, k = *arrays("W z a"), plate("n", 5), plate("i", 3), plate("k", 2)
>>> names = {name: name for name in "Wza"}
>>> ArrayFormula(JNP, names, "jnp", (n, i)).text(sp.tanh(sp.Sum(W[i, k]*z[n, k], k)) + a[n])
'jnp.tanh(jnp.sum(W*z[:, None, :], axis=-1)) + a[:, None]'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE, precedence
from sympy.printing.str import StrPrinter
from sympy.tensor.indexed import Idx, Indexed

from symaux.exchange.exporting.python.array_functions import array_call
from symaux.exchange.exporting.python.functions import spelling
from symaux.exchange.exporting.spelling.fallbacks import respelled
from symaux.exchange.exporting.spelling.natural_coordinates import SUPPORTED, Unsupported
from symaux.exchange.exporting.spelling.tables import log_gamma, nested
from symaux.formulas.symbols.indices import as_lag, at_index, extent, indices_of, is_size, name_of


@dataclass(frozen=True)
class ArrayFormula:
    """Printer of formulas whose elements run along ``axes``; ``starts`` holds the first index of a time axis."""

    functions: Mapping[Any, str]
    names: Mapping[str, str]
    module: str  # jnp or pt
    axes: tuple[Any, ...]
    starts: Mapping[Any, int] = field(default_factory=dict)
    carried: Mapping[Any, str] = field(default_factory=dict)  # elements that a scan step has under a name
    carries: set[str] = field(default_factory=set)  # functions whose source the module must contain

    def text(self, formula: Any) -> str:
        return _ArrayPrinter(self).doprint(sp.S(formula))

    def element(self, element: Indexed) -> str:
        """Print an array, indexed and transposed so that its axes are those of the formula."""
        if element in self.carried:
            return self.carried[element]
        name, entries, own = self.names[name_of(element)], [], []
        indices = indices_of(element)
        if not self._sliced(indices):  # data may be numpy's arrays, which cannot be indexed by traced arrays
            array = f"jnp.asarray({name})" if self.module == "jnp" else f"pt.as_tensor({name})"
            return f"{array}[{', '.join(map(self._place, indices))}]"
        for index in indices:
            shift = as_lag(index)
            if index.is_Integer:
                entries.append(str(index))
            elif shift is None:
                entries.append(self._gather(index, own))
            else:
                entries.append(self._range(*shift))
                own.append(shift[0])
        plain = all(entry == ":" for entry in entries)
        return self._aligned(name if plain else f"{name}[{', '.join(entries)}]", own)

    def _sliced(self, indices: tuple[Any, ...]) -> bool:
        """Return whether slices and at most one index array suffice; a diagonal or two gathers need one for every index."""
        gathers = [i for i in indices if not i.is_Integer and as_lag(i) is None]
        plates = [shift[0] for i in indices if (shift := as_lag(i)) is not None]
        plates += [i for g in gathers for i in indices_of(g)]
        simple = all(isinstance(g, Indexed) and all(isinstance(i, Idx) for i in g.indices) for g in gathers)
        return simple and len(gathers) <= 1 and len(set(plates)) == len(plates)

    def _place(self, index: Any) -> str:
        """Print the index array along one axis, broadcast to all axes of the formula."""
        shift = as_lag(index)
        if shift is None:
            return self.text(index)
        plate, back = shift
        if self.starts.get(plate, 0) < back:
            raise Unsupported(f"it reads {back} steps back along {plate} from the start")
        return f"{self.index(plate)} - {back}" if back else self.index(plate)

    def _range(self, plate: Any, back: int) -> str:
        start = self.starts.get(plate, 0)
        if start == 0 and back == 0:
            return ":"
        if start < back:
            raise Unsupported(f"it reads {back} steps back along {plate} from the start")
        return f"{start - back or ''}:{-back or ''}"

    def _gather(self, index: Any, own: list[Any]) -> str:
        own += list(index.indices)
        ranges = [self._range(i, 0) for i in index.indices]
        name = self.names[name_of(index)]
        return name if all(r == ":" for r in ranges) else f"{name}[{', '.join(ranges)}]"

    def _aligned(self, text: str, own: list[Any]) -> str:
        wanted = [plate for plate in self.axes if plate in own]
        if len(wanted) < len(own):
            raise Unsupported(f"{text} has an axis that its formula lacks")
        if wanted != own:
            text = f"{self.module}.transpose({text}, {tuple(own.index(plate) for plate in wanted)})"
        first = next((n for n, plate in enumerate(self.axes) if plate in own), len(self.axes))
        entries = [":" if plate in own else "None" for plate in self.axes[first:]]
        return text if all(e == ":" for e in entries) else f"{text}[{', '.join(entries)}]"

    def total(self, term: Any, plate: Any) -> str:
        """Print the sum over a plate: over the last axis of its term."""
        if plate in self.axes:  # p[k]/sum(k, p[k]): the sum has an axis of its own
            own: Any = Idx(f"{plate.label} summed", (plate.lower, plate.upper))
            sizes = {f"size of {own.label}": self.names.get(f"size of {plate.label}", "")}
            return replace(self, names={**self.names, **sizes}).total(at_index(term, plate, own), own)
        inner = replace(self, axes=(*self.axes, plate))
        if plate not in term.atoms(Idx):
            return f"{self.size(plate)}*({self.text(term)})"
        return f"{self.module}.sum({inner.text(term)}, axis=-1)"

    def size(self, plate: Any) -> str:
        length = extent(plate)
        return str(length) if length.is_Integer else self.names[f"size of {plate.label}"]

    def length(self, plate: Any) -> str:
        """Print the number of elements of a statement along a plate: fewer than its size where the first have statements
        of their own."""
        start = self.starts.get(plate, 0)
        return f"{self.size(plate)} - {start}" if start else self.size(plate)

    def index(self, plate: Any) -> str:
        """Print the indices of a plate's elements."""
        start = self.starts.get(plate, 0)
        return self._aligned(f"{self.module}.arange({f'{start}, ' if start else ''}{self.size(plate)})", [plate])


Printer: Any = StrPrinter  # its methods are typed by the very words that they give


class _ArrayPrinter(Printer):
    printmethod = "_exported"  # not "_sympystr", by which elements would print themselves

    def __init__(self, formula: ArrayFormula) -> None:
        super().__init__()
        self.formula = formula

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if isinstance(expr, sp.Basic) and not isinstance(expr, SUPPORTED):
            return self.emptyPrinter(expr)
        return super()._print(expr, **kwargs)

    def emptyPrinter(self, expr: Any) -> str:
        raise Unsupported(f"{type(expr).__name__} is not supported")

    def _print_Basic(self, expr: Any) -> str:
        return self.emptyPrinter(expr)

    def _print_Symbol(self, expr: Any) -> str:
        if is_size(expr):
            return self.formula.names[f"size of {expr.name.removeprefix('size_')}"]
        return self.formula.names[expr.name]

    def _print_Idx(self, expr: Any) -> str:
        return self.formula.index(expr)

    def _print_Indexed(self, expr: Any) -> str:
        return self.formula.element(expr)

    def _print_Sum(self, expr: Any) -> str:
        (plate, lower, _), *rest = expr.limits
        if not isinstance(plate, Idx) or lower != 0:
            raise Unsupported("a series is not supported")
        if not rest:
            return self.formula.total(expr.function, plate)
        (last, *others) = rest[::-1]
        return self.formula.total(sp.Sum(expr.function, expr.limits[0], *others[::-1]), last[0])

    def _print_Function(self, expr: Any) -> str:
        expr = log_gamma(expr)
        if self._constant(expr):
            return repr(float(expr))
        name = spelling(self.formula, expr)
        if name is None:
            other = respelled(expr)
            return self.emptyPrinter(expr) if other is None else f"({self._print(other)})"
        if isinstance(expr, sp.polygamma):  # whose order must be an integer
            x = self._argument(expr.args[1])
            accurate = self.formula.module == "pt" and expr.args[0] == 1
            return f"trigamma({x})" if accurate else f"{name}({expr.args[0]}, {x})"
        return f"{name}({', '.join(self._wide(self._argument(a), a) for a in expr.args)})"

    def _constant(self, expr: Any) -> bool:
        """Return whether to print a number as a float: of short arguments PyTensor computes it in single precision."""
        return self.formula.module == "pt" and not expr.free_symbols and bool(expr.is_number and expr.is_real)

    def _wide(self, text: str, argument: Any) -> str:
        """Print a number in double precision for PyTensor, which takes 3/2 for a short float, and a slope in x has the
        gamma function of it."""
        return f"np.float64({text})" if self._constant(argument) and not argument.has(Idx) else text

    def _argument(self, argument: Any) -> str:
        """Print an argument; an integer as a float, because functions with custom derivatives need floats."""
        return f"{argument}.0" if argument.is_Integer else self._print(argument)

    _print_log1p = _print_expm1 = _print_Heaviside = _print_Function

    def _print_ArrayFunction(self, expr: Any) -> str:
        return array_call(self.formula, expr)

    def _print_Piecewise(self, expr: Any) -> str:
        *pieces, (otherwise, last) = expr.args
        if last != sp.true:
            raise Unsupported("a Piecewise has no default branch")
        text = self._print(otherwise)
        for value, condition in reversed(pieces):
            text = self._choice(condition, self._print(value), text)
        return text

    def _choice(self, condition: Any, yes: str, no: str) -> str:
        module = self.formula.module
        return f"{module}.{'where' if module == 'jnp' else 'switch'}({self._print(condition)}, {yes}, {no})"

    def _print_Max(self, expr: Any) -> str:
        return nested(f"{self.formula.module}.maximum", map(self._print, expr.args))

    def _print_Min(self, expr: Any) -> str:
        return nested(f"{self.formula.module}.minimum", map(self._print, expr.args))

    def _print_KroneckerDelta(self, expr: Any) -> str:
        one, other = map(self._print, expr.args)  # pytensor's == asks whether two variables are the same object
        return (
            f'pt.cast(pt.eq({one}, {other}), "float64")' if self.formula.module == "pt" else f"1.0*({one} == {other})"
        )

    def _print_Relational(self, expr: Any) -> str:
        one, other = self._print(expr.lhs), self._print(expr.rhs)
        words = {sp.Equality: "eq", sp.Unequality: "neq"}
        if self.formula.module == "pt" and type(expr) in words:
            return f"pt.{words[type(expr)]}({one}, {other})"
        return f"({one} {expr.rel_op} {other})"

    def _print_And(self, expr: Any) -> str:
        return " & ".join(map(self._print, expr.args))

    def _print_Or(self, expr: Any) -> str:
        return f"({' | '.join(f'({self._print(a)})' for a in expr.args)})"

    def _print_Not(self, expr: Any) -> str:
        return f"~({self._print(expr.args[0])})"

    def _print_Pi(self, expr: Any) -> str:
        return "math.pi"

    def _print_Exp1(self, expr: Any) -> str:
        return "math.e"

    def _print_NumberSymbol(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Infinity(self, expr: Any) -> str:
        return "math.inf"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-math.inf"

    def _print_Integer(self, expr: Any) -> str:
        return str(expr) if abs(expr) < 2**53 else repr(float(expr))

    def _print_Rational(self, expr: Any) -> str:
        return f"{expr.p}/{expr.q}" if max(abs(expr.p), expr.q) < 2**53 else repr(float(expr))

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if not expr.is_Rational and self._constant(expr):
            return repr(float(expr))
        if expr.exp == sp.S.Half:
            return f"{self.formula.functions[sp.exp].partition('exp')[0]}sqrt({self._print(expr.base)})"
        if expr.exp == -sp.S.Half:
            return (
                f"1/{self._print(sp.sqrt(expr.base))}"
                if expr.base.is_Symbol
                else f"1/({self._print(sp.sqrt(expr.base))})"
            )
        if expr.exp == -1:
            return f"1/{self.parenthesize(expr.base, PRECEDENCE['Pow'])}"
        power = self.parenthesize(expr.exp, PRECEDENCE["Pow"])
        return f"{self.parenthesize(expr.base, PRECEDENCE['Pow'] + 1)}**{power}"

    def parenthesize(self, item: Any, level: int, strict: bool = False) -> str:
        text = self._print(item)
        loose = precedence(item) < level or (not strict and precedence(item) <= level)
        return f"({text})" if loose else text
