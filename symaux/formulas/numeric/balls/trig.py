r"""Enclose sine and cosine on balls: $|\sin(m + t) - \sin m| \le |t|(|\cos m| + |t|)$, which is small near an extremum.

>>> near_pi = arb(3.14159265, 1e-8)
>>> bool(near_pi.cos().rad() > 1e-11), bool(cosine(near_pi).rad() < 1e-15)
(True, True)
"""

from __future__ import annotations

from typing import Any

from flint import arb, arb_series

from symaux.formulas.numeric.balls.signs import constant_term

Value = Any  # arb, or arb_series


def sine(x: Value) -> Value:
    """Enclose the sine of a ball or a series."""
    s, c = _both(constant_term(x))
    if not isinstance(x, arb_series):
        return s
    rest = _moving(x)
    return s * rest.cos() + c * rest.sin()


def cosine(x: Value) -> Value:
    """Enclose the cosine of a ball or a series."""
    s, c = _both(constant_term(x))
    if not isinstance(x, arb_series):
        return c
    rest = _moving(x)
    return c * rest.cos() - s * rest.sin()


def _both(x: arb) -> tuple[arb, arb]:
    m, r = x.mid(), x.rad()
    s, c = m.sin(), m.cos()
    return _thinner(x.sin(), s, r * (abs(c) + r)), _thinner(x.cos(), c, r * (abs(s) + r))


def _thinner(direct: arb, middle: arb, reach: arb) -> arb:
    """Return the thinner of two enclosures: a ball, and the one about ``middle`` with the radius ``reach``."""
    other = middle + arb(0, 1) * reach.abs_upper()
    return other if other.rad() < direct.rad() else direct


def _moving(x: arb_series) -> arb_series:
    """Return the series without its constant term."""
    return arb_series([arb(0), *(x[n] for n in range(1, x.prec))], prec=x.prec)
