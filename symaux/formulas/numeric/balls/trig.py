r"""Sine and cosine of balls: $|\sin(m + t) - \sin m| \le |t|(|\cos m| + |t|)$, which is small about a crest.

>>> by_a_crest = arb(3.14159265, 1e-8)
>>> bool(by_a_crest.cos().rad() > 1e-11), bool(cosine(by_a_crest).rad() < 1e-15)
(True, True)
"""

from __future__ import annotations

from typing import Any

from flint import arb, arb_series

from symaux.formulas.numeric.balls.signs import at

Value = Any  # arb, or arb_series


def sine(x: Value) -> Value:
    s, c = _both(at(x))
    if not isinstance(x, arb_series):
        return s
    rest = _moving(x)
    return s * rest.cos() + c * rest.sin()


def cosine(x: Value) -> Value:
    s, c = _both(at(x))
    if not isinstance(x, arb_series):
        return c
    rest = _moving(x)
    return c * rest.cos() - s * rest.sin()


def _both(x: arb) -> tuple[arb, arb]:
    m, r = x.mid(), x.rad()
    s, c = m.sin(), m.cos()
    return _thinner(x.sin(), s, r * (abs(c) + r)), _thinner(x.cos(), c, r * (abs(s) + r))


def _thinner(plain: arb, middle: arb, reach: arb) -> arb:
    other = middle + arb(0, 1) * reach.abs_upper()
    return other if other.rad() < plain.rad() else plain


def _moving(x: arb_series) -> arb_series:
    """Return the series without its constant term."""
    return arb_series([arb(0), *(x[n] for n in range(1, x.prec))], prec=x.prec)
