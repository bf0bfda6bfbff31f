r"""Typeset formulas as presentation MathML, which browsers show natively: names as on paper, indices as subscripts.

>>> import sympy as sp
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> to_mathml(arrays("eps_theta")[plate("j", 8)])
'<msub><mi>ε</mi><mrow><mi>θ</mi><mo>,</mo><mi>j</mi></mrow></msub>'
>>> to_mathml(sp.Symbol("z")/2 - 1)
'<mrow><mfrac><mi>z</mi><mn>2</mn></mfrac><mo>−</mo><mn>1</mn></mrow>'
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE, precedence_traditional
from sympy.printing.printer import Printer

from symaux.formulas.symbols.indices import bound_plates, is_size
from symaux.show.drawing.labels import GREEK, NUMBERED, label

APPLY = "<mo>\u2061</mo>"
THIN = '<mspace width="0.17em"/>'  # browsers put nothing between a function and what it is applied to
TALL = ("<mfrac", "<munder", "<msup", "<mtable", "<mroot", "<msqrt")
WORD = re.compile(r"^(<m(sub|sup|row)>)*<mi>\w{2,}</mi>")
UPRIGHT = ' mathvariant="normal"'
NAMES = {
    "gamma": "Γ", "loggamma": "log Γ", "digamma": "ψ", "beta": "B", "lowergamma": "γ", "uppergamma": "Γ", "zeta": "ζ",
    "ndtr": "Φ", "log_ndtr": "log Φ", "LambertW": "W", "Min": "min", "Max": "max", "sign": "sgn",
}  # fmt: skip
INVERSES = {"ndtri": "Φ", "erfinv": "erf", "erfcinv": "erfc", "asin": "sin", "acos": "cos", "atan": "tan",
            "asinh": "sinh", "acosh": "cosh", "atanh": "tanh"}  # fmt: skip
INDEXED = {"besseli": "I", "besselk": "K", "besselj": "J", "bessely": "Y", "polygamma": "ψ"}
RELATIONS = {"==": "=", "!=": "≠", "<": "&lt;", "<=": "≤", ">": "&gt;", ">=": "≥"}


def to_mathml(formula: Any) -> str:
    """Return the MathML of a formula, without the ``math`` element around it."""
    return Presentation().doprint(formula)


def identifier(text: str, *, upright: bool = False) -> str:
    """Return an identifier element; MathML sets several letters upright."""
    return f"<mi{UPRIGHT if upright and len(text) == 1 else ''}>{escape_xml(text)}</mi>"


def escape_xml(text: str) -> str:
    """Return text escaped for HTML and XML."""
    return html.escape("".join(c if c.isprintable() else "\ufffd" for c in text))


def row(*parts: str) -> str:
    """Return the parts in one row."""
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def comma_separated(parts: Iterable[str]) -> str:
    """Return the parts separated by commas, in one row."""
    return row(*"\n<mo>,</mo>\n".join(parts).split("\n"))


def in_parentheses(inner: str, left: str = "(", right: str = ")") -> str:
    """Return content in parentheses, which stretch only around tall content: browsers leave room beside those that may."""
    mo = "mo" if any(tall in inner for tall in TALL) else 'mo stretchy="false"'
    return f"<mrow><{mo}>{left}</mo>{inner}<{mo}>{right}</mo></mrow>"


def name_mathml(name: str, indices: Iterable[str] = ()) -> str:
    """Return a name as on paper: z1 has a subscript, theta is a letter, log_tau a function; anything else is text.

    >>> name_mathml("log_tau"), name_mathml("<b>")
    ('<mrow><mi>log</mi><mo>\u2061</mo><mspace width="0.17em"/><mi>τ</mi></mrow>', '<mtext>&lt;b&gt;</mtext>')
    """
    taken = label(name)
    if not taken.mathematical:
        base, subscripts = f"<mtext>{escape_xml(taken.head)}</mtext>", list(indices)
    else:
        base = f"<mi>{escape_xml(taken.head)}</mi>"
        subscripts = [*(_subscript(part) for part in taken.subscripts), *indices]
    made = f"<msub>{base}{comma_separated(subscripts)}</msub>" if subscripts else base
    return row(f"<mi>{taken.function}</mi>", APPLY, THIN, made) if taken.function else made


def _subscript(part: str) -> str:
    if part.isdecimal():
        return f"<mn>{part}</mn>"
    numbered = NUMBERED.fullmatch(part)
    if numbered and numbered[2]:
        return f"<msub><mi>{escape_xml(GREEK.get(numbered[1], numbered[1]))}</mi><mn>{numbered[2]}</mn></msub>"
    return f"<mi>{escape_xml(GREEK.get(part, part))}</mi>"


def _times(left: str, right: str) -> str:
    """Return the sign between two factors: a dot between numbers, room beside a name of several letters, or nothing."""
    if left.startswith("<mn>") and right.startswith(("<mn>", "<msup><mn>")):
        return "<mo>·</mo>"
    return "<mo>\u2062</mo>" + (THIN if WORD.search(left) or WORD.search(right) else "")


class Presentation(Printer):
    """A sympy printer with one method for each kind of expression; an unknown expression becomes text."""

    printmethod = "_presentation"

    def emptyPrinter(self, expr: Any) -> str:
        return f"<mtext>{escape_xml(str(expr))}</mtext>"

    def inside(self, expr: Any, level: int, *, strict: bool = False) -> str:
        """Return an expression, in parentheses where its place binds more tightly."""
        own = precedence_traditional(expr)
        if strict and isinstance(expr, sp.Symbol) and label(expr.name).function:
            own = level  # log τ in a power
        return in_parentheses(self._print(expr)) if own < level or (strict and own == level) else self._print(expr)

    def _print_Symbol(self, expr: Any) -> str:
        return name_mathml(expr.name)

    def _print_Idx(self, expr: Any) -> str:
        return name_mathml(str(expr.label))

    def _print_IndexedBase(self, expr: Any) -> str:
        return name_mathml(str(expr.label))

    def _print_Indexed(self, expr: Any) -> str:
        return name_mathml(str(expr.base.label), map(self._print, expr.indices))

    def _print_Integer(self, expr: Any) -> str:
        return f"<mn>{expr}</mn>" if expr >= 0 else row("<mo>−</mo>", f"<mn>{-expr}</mn>")

    def _print_Rational(self, expr: Any) -> str:
        made = f"<mfrac><mn>{abs(expr.p)}</mn><mn>{expr.q}</mn></mfrac>"
        return made if expr.p >= 0 else row("<mo>−</mo>", made)

    def _print_Float(self, expr: Any) -> str:
        number = f"{float(expr):.6g}" if sp.Abs(expr) < 1e300 else str(expr)
        mantissa, e, exponent = number.removeprefix("-").partition("e")
        made = f"<mn>{mantissa}</mn>"
        if e:
            made = row(made, "<mo>·</mo>", f"<msup><mn>10</mn>{self._print(sp.Integer(exponent))}</msup>")
        return row("<mo>−</mo>", made) if number.startswith("-") else made

    def _print_Pi(self, expr: Any) -> str:
        return "<mi>π</mi>"

    def _print_Exp1(self, expr: Any) -> str:
        return "<mi>e</mi>"

    def _print_EulerGamma(self, expr: Any) -> str:
        return "<mi>γ</mi>"

    def _print_Infinity(self, expr: Any) -> str:
        return "<mi>∞</mi>"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return row("<mo>−</mo>", "<mi>∞</mi>")

    def _print_Add(self, expr: Any) -> str:
        first, *rest = expr.as_ordered_terms()
        parts = [self.inside(first, PRECEDENCE["Add"])]
        for term in rest:
            negative = term.could_extract_minus_sign()
            shown = -term if negative else term
            parts += [f"<mo>{'−' if negative else '+'}</mo>", self.inside(shown, PRECEDENCE["Add"], strict=negative)]
        return row(*parts)

    def _print_Mul(self, expr: Any) -> str:
        if expr.could_extract_minus_sign() and not (-expr).is_Add:
            return row("<mo>−</mo>", self.inside(-expr, PRECEDENCE["Mul"]))
        top, bottom = sp.fraction(expr, exact=True)
        if bottom != 1:
            return f"<mfrac>{self._print(top)}{self._print(bottom)}</mfrac>"
        if not expr.is_Mul:
            return self._print(expr)
        parts: list[str] = []
        for factor in expr.as_ordered_factors():
            shown = self.inside(factor, PRECEDENCE["Mul"])
            parts += [_times(parts[-1], shown), shown] if parts else [shown]
        return row(*parts)

    def _print_Pow(self, expr: Any) -> str:
        base, power = expr.as_base_exp()
        if power.is_Rational and power.is_negative:
            return f"<mfrac><mn>1</mn>{self._print(base**-power)}</mfrac>"
        if power == sp.S.Half:
            return f"<msqrt>{self._print(base)}</msqrt>"
        if power.is_Rational and power.p == 1 and power.q <= 9:
            return f"<mroot>{self._print(base)}<mn>{power.q}</mn></mroot>"
        return f"<msup>{self.inside(base, PRECEDENCE['Pow'], strict=True)}{self._exponent(power)}</msup>"

    def _exponent(self, power: Any) -> str:
        """Return an exponent, with a small fraction on one line."""
        top, bottom = sp.fraction(power)
        if bottom == 1 or not (abs(top).is_Atom and bottom.is_Atom and power.is_commutative):
            return self._print(power)
        return row(self._print(top), "<mo>/</mo>", self._print(bottom))

    def _print_exp(self, expr: Any) -> str:
        power = expr.args[0]
        if power.has(sp.Sum, sp.Piecewise) or power.count_ops() > 12:
            return row("<mi>exp</mi>", APPLY, in_parentheses(self._print(power)))
        return f"<msup><mi>e</mi>{self._print(power)}</msup>"

    def _print_Abs(self, expr: Any) -> str:
        return in_parentheses(self._print(expr.args[0]), "|", "|")

    def _print_Function(self, expr: Any) -> str:
        name, arguments = type(expr).__name__, list(expr.args)
        if name in INVERSES:
            head = f"<msup>{identifier(INVERSES[name], upright=True)}<mrow><mo>−</mo><mn>1</mn></mrow></msup>"
        elif name in INDEXED and len(arguments) == 2:
            head = f"<msub><mi>{INDEXED[name]}</mi>{self._print(arguments.pop(0))}</msub>"
        else:
            head = identifier(NAMES.get(name, name), upright=True)
        return row(head, APPLY, in_parentheses(comma_separated(map(self._print, arguments))))

    _print_Min = _print_Max = _print_LambertW = _print_Function

    def _print_Sum(self, expr: Any, sign: str = "∑") -> str:
        made = self.inside(expr.function, PRECEDENCE["Mul"])
        for index, *limits in expr.limits:
            made = row(self._sign(sign, index, limits), made)
        return made

    def _sign(self, sign: str, index: Any, limits: list[Any]) -> str:
        """Return the sign of a sum with its index; the size of a plate that only data fix is left out."""
        if not limits or any(map(is_size, limits[-1].free_symbols)):
            return f"<munder><mo>{sign}</mo>{self._print(index)}</munder>"
        below = row(self._print(index), "<mo>=</mo>", self._print(limits[0]))
        return f"<munderover><mo>{sign}</mo>{below}{self._print(limits[1])}</munderover>"

    def _print_Product(self, expr: Any) -> str:
        return self._print_Sum(expr, "∏")

    def _print_Piecewise(self, expr: Any) -> str:
        rows = []
        for value, condition in expr.args:
            told = (
                "<mtext>otherwise</mtext>"
                if condition == sp.true
                else row("<mtext>if </mtext>", self._print(condition))
            )
            rows.append(f"<mtr><mtd>{self._print(value)}</mtd><mtd>{told}</mtd></mtr>")
        return f"<mrow><mo>{{</mo><mtable>{''.join(rows)}</mtable></mrow>"

    def _print_Relational(self, expr: Any) -> str:
        return row(self._print(expr.lhs), f"<mo>{RELATIONS[expr.rel_op]}</mo>", self._print(expr.rhs))

    def _print_And(self, expr: Any) -> str:
        return row(*"\n<mo>∧</mo>\n".join(map(self._print, expr.args)).split("\n"))

    def _print_Or(self, expr: Any) -> str:
        return row(*"\n<mo>∨</mo>\n".join(map(self._print, expr.args)).split("\n"))

    def _print_ImplicitQuantile(self, expr: Any) -> str:
        return row(
            "<msup><mi>F</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>", APPLY, in_parentheses(self._print(expr.args[0]))
        )

    def _print_ArrayFunction(self, expr: Any) -> str:
        held = set(bound_plates(expr))
        shown = [self._print(part) for part in expr.args if isinstance(part, sp.Expr) and part not in held]
        return row(identifier(type(expr).__name__, upright=True), APPLY, in_parentheses(comma_separated(shown)))
