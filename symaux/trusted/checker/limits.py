r"""Find the limit of a continuous formula at an end of a region, from the limits of its parts.

*Statement.* Limits of sums, products and powers follow from those of the parts unless they are of the form $\infty - \infty$,
$0\cdot\infty$ and the like, which are refused; one over something that tends to zero tends to the infinity of its sign on the
region; a function of a record with a shape takes the value at the end of its interval where its argument tends to that end,
and its own value in the interior; other functions are continuous where their record says so. *Why.* The arithmetic of limits
in the extended reals. *Stops.* Maps onto a part of the support, and antiderivatives that do not run from 0 to 1.
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.functions.registry import record_of
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.facts import Unproved
from symaux.trusted.checker.levels import shape_of
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.sign_sets import NEGATIVE, POSITIVE
from symaux.trusted.checker.signs import Signs

INFINITE = (sp.oo, -sp.oo)


class Limits:
    """The limits of formulas at one end of a region, with the signs of formulas on it."""

    def __init__(self, signs: Signs, end: Formula) -> None:
        self.signs, self.end = signs, end

    def of(self, f: Formula) -> Formula:
        """Return the limit, a formula of the parameters or an infinity; raise Unproved if it is not known."""
        if self.signs.region.variable not in f.free_symbols:
            return f
        match f:
            case sp.Symbol():
                return self.end
            case sp.Add():
                return self._sum([self.of(arg) for arg in f.args], f)
            case sp.Mul():
                return self._product(list(f.args), f)
            case sp.Pow():
                return self._power(f)
            case sp.Abs():
                inner = self.of(f.args[0])
                return sp.oo if inner in INFINITE else sp.Abs(inner)
        return self._function(f)

    def _sum(self, limits: list[Formula], f: Formula) -> Formula:
        infinities = {limit for limit in limits if limit in INFINITE}
        if len(infinities) == 2:
            raise Unproved(f"the limit of {f} at {self.end} is of the form oo - oo")
        return infinities.pop() if infinities else self._value(sp.Add(*limits))

    def _product(self, factors: list[Formula], f: Formula) -> Formula:
        limits = [self.of(factor) for factor in factors]
        infinite = [limit for limit in limits if limit in INFINITE]
        finite = [limit for limit in limits if limit not in INFINITE]
        if not infinite:
            return self._value(sp.Mul(*finite))
        sign = 1
        for limit in finite:
            signs = self.signs.of(limit)
            if len(signs) != 1 or 0 in signs:
                raise Unproved(f"the limit of {f} at {self.end} may be of the form 0 * oo")
            sign *= next(iter(signs))
        for limit in infinite:
            sign *= 1 if limit == sp.oo else -1
        return sign * sp.oo

    def _power(self, f: sp.Pow) -> Formula:
        x = self.signs.region.variable
        if x in f.exp.free_symbols:
            if not self.signs.is_positive(f.base):
                raise Unproved(f"the limit of {f} at {self.end} is not known")
            inner = self._product([f.exp, sp.log(f.base)], f)
            return sp.oo if inner == sp.oo else sp.S.Zero if inner == -sp.oo else sp.exp(inner)
        base, exponent = self.of(f.base), self.signs.of(f.exp)
        whole = isinstance(f.exp, sp.Integer)
        if base not in INFINITE and self.signs.is_positive(base):
            return self._value(base**f.exp)
        if exponent not in (POSITIVE, NEGATIVE):
            raise Unproved(f"the sign of {f.exp}, the exponent of {f.base}, is not known")
        if base == sp.oo:
            return sp.oo if exponent == POSITIVE else sp.S.Zero
        if base == -sp.oo and whole:
            return sp.S.Zero if f.exp < 0 else -sp.oo if f.exp % 2 else sp.oo
        if self._is_zero(base):
            return self._power_of_zero(f, exponent == POSITIVE)
        if base not in INFINITE and whole and (f.exp > 0 or self.signs.is_nonzero(base)):
            return self._value(base**f.exp)
        raise Unproved(f"the limit of {f} at {self.end} is not known")

    def _power_of_zero(self, f: sp.Pow, positive: bool) -> Formula:
        if positive:
            return sp.S.Zero
        side = self.signs.of(f.base)
        if side == POSITIVE or (isinstance(f.exp, sp.Integer) and f.exp % 2 == 0):
            return sp.oo
        if side == NEGATIVE and isinstance(f.exp, sp.Integer):
            return -sp.oo
        raise Unproved(f"the sign of {f.base} near {self.end} is not known")

    def _function(self, f: Formula) -> Formula:
        record = record_of(f.func)
        if record is None or record.joint or len(f.args) != len(record.domain):
            raise Unproved(f"the limit of {f} at {self.end} is not known")
        limits = [self.of(arg) for arg in f.args]
        found = shape_of(self.signs, f)
        if found is not None:
            inner = limits[record.varies]
            for end, value in ((found[0].lower, found[0].at_lower), (found[0].upper, found[0].at_upper)):
                if inner == end or (inner not in INFINITE and end not in INFINITE and self._is_zero(inner - end)):
                    return value
        inside = all(
            limit not in INFINITE and self.signs.is_between(limit, *bounds)
            for limit, bounds in zip(limits, record.domain, strict=True)
        )
        if not inside or (record.breaks is not None and not self.signs.is_nonzero(record.breaks(*limits))):
            raise Unproved(f"the limit of {f} at {self.end} is not known")
        return self._value(f.func(*limits))

    def _value(self, value: Formula) -> Formula:
        return sp.S.Zero if value.free_symbols and NormalForm(self.signs).is_zero(value) else value

    def _is_zero(self, value: Formula) -> bool:
        return value not in INFINITE and (value == 0 or NormalForm(self.signs).is_zero(value))
