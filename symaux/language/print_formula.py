"""Print formulas in the language, so that ``formula`` parses the text to the same formula.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> W, z, i, k = *arrays("W z"), plate("i", 3), plate("k", 2)
>>> print(print_formula(sp.tanh(sp.Sum(W[i, k]*z[k], k)) + sp.Abs(z[0])))
tanh(sum(k, W[i, k]*z[k])) + abs(z[0])
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter
from sympy.tensor.indexed import Idx

from symaux.errors import LanguageError
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.symbols.indices import extent, is_size, plate
from symaux.language import array_calls as arraywords
from symaux.language.formula_functions import EXTENT, SOLVED
from symaux.language.model_functions import function_names, reserved_names
from symaux.language.names import why_invalid

HYPERGEOMETRIC = {(0, 1): "hyp0f1", (1, 1): "hyp1f1"}
COMPARED = (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan, sp.Equality, sp.Unequality)


def is_plate(index: Any) -> bool:
    """Return whether an index is a plate as ``sa.plate`` makes them: from zero, of a fixed size or of its own symbol.

    >>> is_plate(plate("k", 3)), is_plate(Idx("k", (1, 3)))
    (True, False)
    """
    if not isinstance(index, Idx) or index.lower != 0:
        return False
    return bool(extent(index).is_Integer) or index == plate(str(index.label))


Printer: Any = StrPrinter  # its methods are typed by the very words that they give


class FormulaPrinter(Printer):
    """sympy's printer with the names of the language; it raises LanguageError for what the language cannot express."""

    printmethod = "_written"  # not "_sympystr", by which elements would print themselves

    def emptyPrinter(self, expr: Any) -> str:
        raise LanguageError(f"the language cannot express {type(expr).__name__}: {str(expr)[:100]}")

    def _print_Basic(self, expr: Any) -> str:
        return self.emptyPrinter(expr)

    def _print_Symbol(self, expr: Any) -> str:
        if is_size(expr):
            return f"{EXTENT}({expr.name.removeprefix('size_')})"
        return self._name(expr.name)

    def _print_Indexed(self, expr: Any) -> str:
        return f"{self._name(str(expr.base.label))}[{self.stringify(expr.indices, ', ')}]"

    def _print_Idx(self, expr: Any) -> str:
        return self._name(str(expr.label))

    def _name(self, name: str) -> str:
        if reason := why_invalid(name, reserved_names()):
            raise LanguageError(f"the language cannot express the variable {name!r}: {reason}")
        return name

    def _print_Sum(self, expr: Any) -> str:
        text = self._print(expr.function)
        for index, lower, upper in expr.limits:
            if is_plate(index):
                text = f"sum({self._print(index)}, {text})"
            else:
                text = f"sum({text}, {index}, {self._print(lower)}, {self._print(upper)})"
        return text

    def _print_Series(self, expr: Any) -> str:
        term, index, lower, upper = expr.args
        return f"sum({', '.join(map(self._print, (term, index, lower, upper)))})"

    def _print_Piecewise(self, expr: Any) -> str:
        *pieces, (otherwise, last) = expr.args
        if last != sp.true or not pieces:
            raise LanguageError(f"the language cannot express a Piecewise without a default branch: {expr}")
        parts = [f"{self._condition(condition)}, {self._print(value)}" for value, condition in pieces]
        return f"where({', '.join(parts)}, {self._print(otherwise)})"

    def _condition(self, condition: Any) -> str:
        """Print a condition in disjunctive normal form, which needs no brackets: the language has none in conditions."""
        if isinstance(condition, sp.And | sp.Or | sp.Not):
            condition = sp.to_dnf(condition)
        if isinstance(condition, sp.And | sp.Or):
            word = " and " if isinstance(condition, sp.And) else " or "
            return word.join(map(self._condition, sorted(condition.args, key=sp.default_sort_key)))
        if not isinstance(condition, COMPARED):
            raise LanguageError(f"the language cannot express the condition {condition}")
        return f"{self._print(condition.lhs)} {condition.rel_op} {self._print(condition.rhs)}"

    def _print_Function(self, expr: Any) -> str:
        if expr.func is sp.polygamma and expr.args[0] == 0:
            return f"digamma({self._print(expr.args[1])})"
        name = function_names().get(expr.func)
        if name is None:
            return self.emptyPrinter(expr)
        return f"{name}({self.stringify(expr.args, ', ')})"

    _print_Max = _print_Min = _print_KroneckerDelta = _print_LambertW = _print_Function
    _print_log1p = _print_expm1 = _print_Heaviside = _print_Function

    def _print_LatticeOp(self, expr: Any) -> str:
        return self._print_Function(expr)

    def _print_hyper(self, expr: Any) -> str:
        name = HYPERGEOMETRIC.get((len(expr.ap), len(expr.bq)))
        if name is None:
            return self.emptyPrinter(expr)
        return f"{name}({self.stringify((*expr.ap, *expr.bq, expr.argument), ', ')})"

    def _print_ImplicitQuantile(self, expr: ImplicitQuantile) -> str:
        return f"{SOLVED}({self.stringify(expr.with_readable_variable().args, ', ')})"

    def _print_ArrayFunction(self, expr: Any) -> str:
        return arraywords.print_call(self, expr)

    def _refused(self, expr: Any) -> str:
        return self.emptyPrinter(expr)

    _print_Float = _print_EulerGamma = _print_Catalan = _print_ImaginaryUnit = _print_NaN = _refused
    _print_ComplexInfinity = _print_Integral = _print_Derivative = _print_Product = _refused


class DisplayPrinter(FormulaPrinter):
    """Printer for people: what the language cannot express is written as sympy does."""

    def emptyPrinter(self, expr: Any) -> str:
        if isinstance(expr, sp.Basic) and expr.args:
            return f"{type(expr).__name__}({self.stringify(expr.args, ', ')})"
        return str(expr)

    def _name(self, name: str) -> str:
        return name

    def _condition(self, condition: Any) -> str:
        return str(condition)

    def _print_Piecewise(self, expr: Any) -> str:
        try:
            return super()._print_Piecewise(expr)
        except LanguageError:
            return StrPrinter().doprint(expr)


def print_formula(formula: Any) -> str:
    """Print a formula; raise LanguageError for what the language cannot express."""
    return FormulaPrinter().doprint(formula)


def display_formula(formula: Any) -> str:
    """Print a formula for people, in sympy's notation where the language cannot express it."""
    return DisplayPrinter().doprint(formula)
