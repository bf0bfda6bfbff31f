r"""Rewrite formulas to a canonical form: $\log(x + \sqrt{x^2 + 1}) = \operatorname{asinh} x$, $e^{a\log x} = x^a$.

Equal formulas that people and computer algebra write differently are brought to one form before a change of variables is
searched for. Every rewrite is an identity for real arguments, and results are verified against the original formula.

>>> x, a = sp.symbols("x a", positive=True)
>>> to_canonical_form(sp.log(x + sp.sqrt(x**2 + 1)) + sp.exp(a*sp.log(x)) + sp.log(sp.sinh(a)**2 + 1))
x**a + 2*log(cosh(a)) + asinh(x)
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.functions.elementary import ndtri
from symaux.formulas.symbols.formula import Formula

LARGE = 30  # operations: longer sums are not tested for being a square


def to_canonical_form(formula: Formula) -> Formula:
    """Apply the identities from the inside out, in at most four passes."""
    for _ in range(4):
        again = formula
        for wanted, better in IDENTITIES:
            again = again.replace(lambda e, w=wanted: isinstance(e, w), better)
        if again == formula:
            break
        formula = again
    return formula


def with_powers_split(formula: Formula) -> Formula:
    """Return the formula with powers of positive products split into products of powers."""

    def split(e: Formula) -> Formula:
        base = factor_formula(e.base)
        return sp.exp(sp.expand(e.exp * sp.expand_log(sp.log(base)))) if base.is_positive else e

    return formula.replace(lambda e: e.is_Pow and not e.exp.is_integer, split)


def _logarithm(e: Formula) -> Formula:
    argument = e.args[0]
    if argument.is_Pow and argument.base.is_positive:
        return argument.exp * sp.log(argument.base)
    if not argument.is_Add:
        return e
    inverse = _inverse_of_sinh(argument)
    return e if inverse is None else inverse


def _exponential(e: Formula) -> Formula:
    rest, powers = sp.S.Zero, sp.S.One
    for term in sp.Add.make_args(e.args[0]):
        logarithms = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log) and _is_positive(f.args[0])]
        if len(logarithms) == 1:
            powers *= logarithms[0].args[0] ** (term / logarithms[0])
        else:
            rest += term
    return e if powers == 1 else sp.exp(rest) * powers


def _is_positive(x: Formula) -> bool:
    return bool(x.is_positive) or sign_of(x) == 1


def _sum(e: Formula) -> Formula:
    return _of_squares(_of_hyperbolics(_of_exponentials(_of_root(e)))) if len(e.args) <= 6 else e


def _of_root(e: Formula) -> Formula:
    r"""Rewrite $x + \sqrt{x^2 + 1} = e^{\operatorname{asinh} x}$."""
    inverse = _inverse_of_sinh(e)
    return e if inverse is None else sp.exp(inverse)


def _inverse_of_sinh(e: Formula) -> Formula | None:
    """Return asinh(x) for a sum x + sqrt(x**2 + 1); else None."""
    for root in e.args:
        other = e - root
        if root.is_Pow and root.exp == sp.S.Half and sp.expand(root.base - other**2) == 1:
            return sp.asinh(other)
    return None


def _of_squares(e: Formula) -> Formula:
    r"""Rewrite $\sinh^2 + 1 = \cosh^2$, $\tan^2 + 1 = 1/\cos^2$, $1 - \tanh^2 = 1/\cosh^2$, $1 - \cos^2 = \sin^2$."""
    if not e.is_Add or len(e.args) != 2 or 1 not in e.args:
        return e
    square = e - 1
    sign, base = (1, square) if not square.could_extract_minus_sign() else (-1, -square)
    if not base.is_Pow or base.exp != 2:
        return e
    x = base.base.args[0] if base.base.args else None
    match sign, base.base:
        case 1, sp.sinh():
            return sp.cosh(x) ** 2
        case 1, sp.tan():
            return sp.cos(x) ** -2
        case -1, sp.tanh():
            return sp.cosh(x) ** -2
        case -1, sp.cos():
            return sp.sin(x) ** 2
        case -1, sp.sin():
            return sp.cos(x) ** 2
    return e


def _of_exponentials(e: Formula) -> Formula:
    r"""Rewrite $ce^x + ce^{-x} = 2c\cosh x$ and $ce^x - ce^{-x} = 2c\sinh x$."""
    if not e.is_Add:
        return e
    terms = [(term, *_as_exponential(term)) for term in e.args]
    for n, (one, c, x) in enumerate(terms):
        for other, d, y in terms[n + 1 :]:
            if x is None or y is None or sp.expand(x + y) != 0:
                continue
            x, c, d = (y, d, c) if x.could_extract_minus_sign() else (x, c, d)
            function = sp.cosh if sp.expand(c - d) == 0 else sp.sinh if sp.expand(c + d) == 0 else None
            if function is not None:
                return e - one - other + 2 * c * function(x)
    return e


def _of_hyperbolics(e: Formula) -> Formula:
    r"""Rewrite $c\cosh x \pm c\sinh x = ce^{\pm x}$."""
    if not e.is_Add or not e.has(sp.sinh) or not e.has(sp.cosh):
        return e
    for one in e.args:
        sines: list[Formula] = [f for f in sp.Mul.make_args(one) if isinstance(f, sp.sinh)]
        for sine in sines:
            factor, x = one / sine, sine.args[0]
            for sign in (1, -1):
                if sign * factor * sp.cosh(x) in e.args:
                    return e - one - sign * factor * sp.cosh(x) + sign * factor * sp.exp(sign * x)
    return e


def _as_exponential(term: Formula) -> tuple[Formula, Formula | None]:
    exponentials = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
    if len(exponentials) != 1:
        return term, None
    return sp.Mul(*(f for f in sp.Mul.make_args(term) if f != exponentials[0])), exponentials[0].args[0]


def _gudermannian(e: Formula) -> Formula:
    r"""Rewrite $\operatorname{atan}\sinh x = 2\operatorname{atan}e^x - \tfrac\pi2$; back if $x = \operatorname{asinh}k$."""
    inner = e.args[0]
    x = inner.args[0] if inner.args else inner
    match inner:
        case sp.sinh():
            return 2 * sp.atan(sp.exp(x)) - sp.pi / 2
        case sp.exp(args=(sp.asinh(args=(k,)),)):
            return sp.atan(k) / 2 + sp.pi / 4
        case sp.exp() if x.could_extract_minus_sign():
            return sp.pi / 2 - _gudermannian(sp.atan(sp.exp(-x)))
    return e


def _undo_inverse(e: Formula) -> Formula:
    x = e.args[0]
    pairs = ((sp.asinh, sp.sinh), (sp.atanh, sp.tanh))
    return next((x.args[0] for outer, inner in pairs if isinstance(e, outer) and isinstance(x, inner)), e)


def _undo_normal_quantile(e: Formula) -> Formula:
    r"""Simplify $\Phi^{-1}(\tfrac12 + \tfrac12\operatorname{erf}x) = \sqrt2 x$."""
    level = sp.expand(2 * e.args[0].replace(sp.erfc, lambda x: 1 - sp.erf(x)) - 1)
    sign, function = (-1, -level) if level.could_extract_minus_sign() else (1, level)
    return sign * sp.sqrt(2) * function.args[0] if isinstance(function, sp.erf) else e


def _root(e: Formula) -> Formula:
    """Simplify a power of a power whose base has a known sign, as in sqrt(x**2) = x for x > 0."""
    base = e.base
    if base.is_Add and e.exp in (sp.S.Half, -sp.S.Half) and sp.count_ops(base) < LARGE:
        base = factor_formula(base)
    if not base.is_Pow or not base.exp.is_number:
        return e
    sign = 1 if base.base.is_positive else sign_of(base.base) if base.exp.is_even else None
    return e if sign is None else (sign * base.base) ** (base.exp * e.exp)


IDENTITIES: tuple[tuple[type | tuple[type, ...], Callable[[Formula], Formula]], ...] = (
    (sp.log, _logarithm),  # must come before the sums: they rewrite tan(x)**2 + 1
    (sp.sech, lambda e: 1 / sp.cosh(e.args[0])),
    (sp.csch, lambda e: 1 / sp.sinh(e.args[0])),
    (sp.exp, _exponential),
    (sp.Add, _sum),
    (sp.Pow, _root),
    (sp.Abs, lambda e: e if (sign := sign_of(e.args[0])) is None else sign * e.args[0]),
    (sp.atan, _gudermannian),
    ((sp.asinh, sp.atanh), _undo_inverse),
    (ndtri, _undo_normal_quantile),
)
