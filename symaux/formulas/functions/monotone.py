"""Strictly monotone functions: where each lives, what it is at the ends, and its inverse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.formulas.functions import elementary as f
from symaux.formulas.functions import registry as special

HALF_PI = sp.pi / 2


@dataclass(frozen=True)
class Shape:
    """A strictly monotone function: its domain, the values at the ends, and its inverse."""

    lower: sp.Expr
    upper: sp.Expr
    at_lower: sp.Expr
    at_upper: sp.Expr
    inverse: Callable[[sp.Expr], sp.Expr]

    @property
    def rises(self) -> bool:
        return bool(self.at_upper > self.at_lower)


oo = sp.oo
SHAPES: dict[Any, Shape] = {
    sp.exp: Shape(-oo, oo, sp.S.Zero, oo, sp.log),
    sp.log: Shape(sp.S.Zero, oo, -oo, oo, sp.exp),
    sp.tan: Shape(-HALF_PI, HALF_PI, -oo, oo, sp.atan),
    sp.cot: Shape(sp.S.Zero, sp.pi, oo, -oo, lambda y: HALF_PI - sp.atan(y)),
    sp.atan: Shape(-oo, oo, -HALF_PI, HALF_PI, sp.tan),
    sp.sin: Shape(-HALF_PI, HALF_PI, -sp.S.One, sp.S.One, sp.asin),
    sp.asin: Shape(-sp.S.One, sp.S.One, -HALF_PI, HALF_PI, sp.sin),
    sp.cos: Shape(sp.S.Zero, sp.pi, sp.S.One, -sp.S.One, sp.acos),
    sp.acos: Shape(-sp.S.One, sp.S.One, sp.pi, sp.S.Zero, sp.cos),
    sp.sinh: Shape(-oo, oo, -oo, oo, sp.asinh),
    sp.asinh: Shape(-oo, oo, -oo, oo, sp.sinh),
    sp.cosh: Shape(sp.S.Zero, oo, sp.S.One, oo, sp.acosh),
    sp.acosh: Shape(sp.S.One, oo, sp.S.Zero, oo, sp.cosh),
    sp.tanh: Shape(-oo, oo, -sp.S.One, sp.S.One, sp.atanh),
    sp.atanh: Shape(-sp.S.One, sp.S.One, -oo, oo, sp.tanh),
    sp.LambertW: Shape(-sp.exp(-1), oo, -sp.S.One, oo, lambda y: y * sp.exp(y)),
    sp.erf: Shape(-oo, oo, -sp.S.One, sp.S.One, sp.erfinv),
    sp.erfinv: Shape(-sp.S.One, sp.S.One, -oo, oo, sp.erf),
    sp.erfc: Shape(-oo, oo, sp.S(2), sp.S.Zero, sp.erfcinv),
    sp.erfcinv: Shape(sp.S.Zero, sp.S(2), oo, -oo, sp.erfc),
    f.ndtr: Shape(-oo, oo, sp.S.Zero, sp.S.One, f.ndtri),
    f.ndtri: Shape(sp.S.Zero, sp.S.One, -oo, oo, f.ndtr),
    f.log_ndtr: Shape(-oo, oo, -oo, sp.S.Zero, lambda y: f.ndtri(sp.exp(y))),
    f.softplus: Shape(-oo, oo, sp.S.Zero, oo, lambda y: sp.log(f.expm1(y))),
    f.log1p: Shape(-sp.S.One, oo, -oo, oo, f.expm1),
    f.expm1: Shape(-oo, oo, -sp.S.One, oo, f.log1p),
}

# Functions of several arguments: the one that varies, and the shape in it where the others are positive.
PARAMETRIC: dict[Any, tuple[int, Callable[..., Shape]]] = {
    special.gammainc: (1, lambda a: _onto(0, oo, 0, 1, lambda y: special.gammaincinv(a, y))),
    special.gammaincc: (1, lambda a: _onto(0, oo, 1, 0, lambda y: special.gammainccinv(a, y))),
    special.gammaincinv: (1, lambda a: _onto(0, 1, 0, oo, lambda y: special.gammainc(a, y))),
    special.gammainccinv: (1, lambda a: _onto(0, 1, oo, 0, lambda y: special.gammaincc(a, y))),
    special.betainc: (2, lambda a, b: _onto(0, 1, 0, 1, lambda y: special.betaincinv(a, b, y))),
    special.betaincc: (2, lambda a, b: _onto(0, 1, 1, 0, lambda y: special.betainccinv(a, b, y))),
    special.betaincinv: (2, lambda a, b: _onto(0, 1, 0, 1, lambda y: special.betainc(a, b, y))),
    special.betainccinv: (2, lambda a, b: _onto(0, 1, 1, 0, lambda y: special.betaincc(a, b, y))),
    special.student_t_cdf: (0, lambda df: _onto(-oo, oo, 0, 1, lambda y: special.student_t_ppf(y, df))),
    special.student_t_ppf: (0, lambda df: _onto(0, 1, -oo, oo, lambda y: special.student_t_cdf(y, df))),
    special.von_mises_cdf: (0, lambda k: _onto(-sp.pi, sp.pi, 0, 1, lambda y: special.von_mises_ppf(y, k))),
    special.von_mises_ppf: (0, lambda k: _onto(0, 1, -sp.pi, sp.pi, lambda y: special.von_mises_cdf(y, k))),
    special.lambertw0_of_exp: (0, lambda: _onto(-oo, oo, 0, oo, lambda y: y + sp.log(y))),
    special.lambertwm1_of_exp: (0, lambda: _onto(-oo, -1, -oo, -1, lambda y: y + sp.log(-y))),
}


def _onto(lower: Any, upper: Any, at_lower: Any, at_upper: Any, inverse: Callable[[sp.Expr], sp.Expr]) -> Shape:
    return Shape(*map(sp.sympify, (lower, upper, at_lower, at_upper)), inverse)


def shape_of(formula: sp.Expr, variable: sp.Expr) -> Shape | None:
    """Return the shape of a function of the variable itself, its other arguments positive; None where none is known."""
    if formula.args == (variable,) and formula.func in SHAPES:
        return SHAPES[formula.func]
    if formula.func not in PARAMETRIC:
        return None
    place, shape = PARAMETRIC[formula.func]
    others = [arg for n, arg in enumerate(formula.args) if n != place]
    return shape(*others) if formula.args[place] == variable and all(arg.is_positive for arg in others) else None


def argument(formula: sp.Expr) -> sp.Expr | None:
    """Return the argument in which a function is monotone, if it is one of these."""
    if formula.func in SHAPES:
        return formula.args[0]
    return formula.args[PARAMETRIC[formula.func][0]] if formula.func in PARAMETRIC else None
