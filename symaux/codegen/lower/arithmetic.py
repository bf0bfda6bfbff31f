"""Lower numbers, products and powers; a Python number takes the dtype of the array it is combined with.

>>> lower_number(sp.Rational(-1, 3)).code, lower_number(sp.Integer(2)).code
('-0.3333333333333333', '2')
"""

from __future__ import annotations

import re
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.codegen.lower.array_code import ATOM, PRODUCT, UNARY, Piece, align, call, multiply, negate, union_axes
from symaux.codegen.lower.scope import Lower, Scope

SIMPLE = re.compile(r"[\w.]+")  # a name or a number: a formatter writes no spaces around ``**`` between these


def is_constant(formula: Any) -> bool:
    """Return whether a formula is a number, without a variable, a plate or a size."""
    if formula.is_Number or formula.is_NumberSymbol:
        return True
    return not formula.has(Idx) and not formula.free_symbols and isinstance(formula, sp.Expr) and formula.is_number


def is_below_zero(number: Any) -> bool:
    """Return whether a number is negative; where sympy does not know, its value decides.

    >>> is_below_zero(sp.log(2) - sp.sin(1) * sp.besseli(0, 2))
    True
    """
    known = number.is_negative
    return bool(sp.N(number) < 0) if known is None and is_constant(number) else bool(known)


def lower_number(formula: Any) -> Piece:
    """Return the code of a number as Python prints it."""
    if formula in (sp.oo, -sp.oo):
        return Piece("jnp.inf" if formula == sp.oo else "-jnp.inf", (), ATOM if formula == sp.oo else PRODUCT)
    value = int(formula) if formula.is_Integer and abs(formula) < 2**31 else float(formula)
    return Piece(repr(value), (), PRODUCT if value < 0 else ATOM)


def lower_product(product: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a product, with negative powers as a denominator."""
    number, factors = product.as_coeff_mul()
    constants = [factor for factor in factors if is_constant(factor)]
    if constants:
        number, factors = number * sp.Mul(*constants), [f for f in factors if f not in constants]
    above, below = [], []
    for factor in sorted(factors, key=sp.default_sort_key):
        base, exponent = factor.as_base_exp()
        if isinstance(factor, sp.Pow) and exponent.could_extract_minus_sign():
            below.append(lower(base**-exponent, scope))
        else:
            above.append(lower(factor, scope))
    below_zero = is_below_zero(number)
    size = -number if below_zero else number
    if size.is_Rational and size.p == 1 and size.q != 1 and size.q < 2**31 and above and size.q != 2:
        below.insert(0, lower_number(sp.Integer(size.q)))
    elif size != 1 or not above:
        above.insert(0, lower_number(size))
    made = multiply(above, scope.order, below)
    return negate(made) if below_zero else made


def lower_power(power: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a power; squares, roots and negative powers have their own spelling."""
    base, exponent = power.args
    if exponent.could_extract_minus_sign():
        return multiply([], scope.order, [lower(base**-exponent, scope)])
    inner = lower(base, scope)
    match exponent:
        case sp.Integer() if exponent == 2:
            return call("jnp.square({0})", [inner], scope.order)
        case sp.Rational() if exponent == sp.S.Half:
            return call("jnp.sqrt({0})", [inner], scope.order)
    outer = lower(exponent, scope)
    axes = union_axes([inner, outer], scope.order)
    below, above = align(inner, axes).tight(ATOM), align(outer, axes).tight(ATOM)
    sign = "**" if SIMPLE.fullmatch(below) and SIMPLE.fullmatch(above) else " ** "
    return Piece(f"{below}{sign}{above}", axes, UNARY)
