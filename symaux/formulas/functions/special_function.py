"""Define what special functions share: values at any precision, and derivatives where there is a closed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import mpmath as mp
import sympy as sp
from mpmath.libmp import NoConvergence
from sympy.core.function import ArgumentIndexError

OUTSIDE = (ValueError, TypeError, ZeroDivisionError, OverflowError, NoConvergence)  # of the domain


INFINITE = {sp.oo: mp.inf, -sp.oo: -mp.inf}  # mpmath does not read sympy's


class Special(sp.Function):
    """A function with a value at any precision; ``slopes`` are its derivatives, None where there is no closed form."""

    value: ClassVar[Callable[..., Any]]

    if TYPE_CHECKING:  # sympy's own hints: a class comes back from a call, and arguments without operations

        def __new__(cls, *args: Any, **options: Any) -> Any: ...

        @property
        def args(self) -> Any: ...

    def slopes(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def fdiff(self, argindex: int = 1) -> Any:
        if not 1 <= argindex <= len(self.args):
            raise ArgumentIndexError(self, argindex)
        slope = self.slopes()[argindex - 1]
        return super().fdiff(argindex) if slope is None else slope

    def _eval_evalf(self, prec: int) -> Any:
        if not all(arg.is_number for arg in self.args):
            return None
        with mp.workprec(prec + 30):
            exact = [sp.N(arg, mp.mp.dps) for arg in self.args]
            if not all(arg.is_Float or arg.is_Integer or arg in INFINITE for arg in exact):
                return None
            try:
                value = type(self).value(*(INFINITE.get(arg) or mp.mpmathify(arg) for arg in exact))
            except OUTSIDE:
                return None
            if mp.im(value) or not mp.isfinite(value):
                return None
        return sp.Float(mp.re(value), precision=prec)

    def _eval_is_real(self) -> bool | None:
        return True if all(arg.is_real for arg in self.args) else None

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        r"""Return the name as a word: sympy would take what stands behind an underscore for an index."""
        return typeset(printer, rf"\operatorname{{{type(self).__name__.replace('_', chr(92) + '_')}}}", self.args, exp)


def typeset(printer: Any, name: str, arguments: Any, exp: str | None = None) -> str:
    """Return a function of its arguments in LaTeX, as sympy writes it."""
    inside = ",".join(map(printer.doprint, arguments))
    return name + (f"^{{{exp}}}" if exp else "") + rf"{{\left({inside} \right)}}"


class ProbabilityValued(Special):
    """A value between 0 and 1."""

    def _eval_is_positive(self) -> bool | None:
        return True if all(arg.is_positive for arg in self.args) else None

    def _eval_is_nonnegative(self) -> bool | None:
        return True if all(arg.is_real for arg in self.args) else None


class PositiveValued(Special):
    """A value above zero, wherever there is one."""

    def _eval_is_positive(self) -> bool | None:
        return True if all(arg.is_positive for arg in self.args) else None


def one_minus(u: Any) -> Any:
    """Return x for a formula 1 - x, and None for any other: the quantile at 1 - x is that of the complement at x.

    >>> x = sp.Symbol("x")
    >>> one_minus(1 - x), one_minus(1 + x)
    (x, None)
    """
    if isinstance(u, sp.Add) and (rest := sp.S.One - u).could_extract_minus_sign() is False and not rest.is_Add:
        return rest
    return None


def inverse_argument(u: Any, function: type, shapes: tuple[Any, ...]) -> Any:
    """Return x for function(*shapes, x)."""
    return u.args[-1] if isinstance(u, function) and u.args[:-1] == shapes else None
