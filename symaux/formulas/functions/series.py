r"""Represent sums without a closed expression: $\sum_{k=a}^{b} T_k$, to infinity or to a bound such as $\lfloor z\rfloor$.

``Series`` binds its index, so that rules and kernels see one function of the value and the parameters. Terms with
$b = \lfloor z\rfloor$ come in one by one as z grows; between integers the derivative is that of the terms.

>>> z, n, k = sp.Symbol("z", positive=True), sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True)
>>> cubes = series(sp.Sum(k**n*z, (k, 1, sp.floor(z))))
>>> cubes, cubes.diff(z), sorted(map(str, cubes.free_symbols))
(Sum(k**n*z, (k, 1, floor(z))), Sum(k**n, (k, 1, floor(z))), ['n', 'z'])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import mpmath as mp
import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import Bound

MOST = 5_000  # terms that are added one by one
SMALLEST = mp.mpf(10) ** -5  # how far below the last digit the estimated tail must lie


class Series(sp.Expr):
    """The sum of ``term`` over the integers ``index`` from ``lower`` to ``upper``, which may be infinite."""

    def __new__(cls, term: Any, index: Any, lower: Any, upper: Any) -> Any:
        return sp.S.Zero if term == 0 else super().__new__(cls, term, index, lower, upper)

    if TYPE_CHECKING:  # sympy's own hints: arguments without operations

        @property
        def args(self) -> Any: ...

    is_commutative = True
    is_real = True
    opaque = True

    @property
    def free_symbols(self) -> set[Any]:
        return super().free_symbols - {self.args[1]}

    @property
    def spelled(self) -> Formula:
        """Return the same as sympy writes it."""
        term, index, lower, upper = self.args
        k = sp.Symbol(index.name, integer=True)
        return sp.Sum(term.xreplace({index: k}), (k, lower, upper))

    def _eval_derivative(self, symbol: Any) -> sp.Expr:
        term, index, lower, upper = self.args
        if any(isinstance(bound, sp.Expr) and _moves(bound, symbol) for bound in (lower, upper)):
            raise NotImplementedError(f"the bounds of {self} move with {symbol}")
        return Series(term.diff(symbol), index, lower, upper)

    def _sympystr(self, printer: Any) -> str:
        return printer._print(self.spelled)

    def _latex(self, printer: Any) -> str:
        return printer._print(self.spelled)

    def _eval_evalf(self, prec: int) -> Any:
        from symaux.formulas.numeric.evaluate import number

        if self.free_symbols:
            return None
        with mp.workprec(prec):
            return sp.Float(number(self, {}), precision=prec)


def _moves(bound: sp.Expr, symbol: Any) -> bool:
    """Return whether a bound changes with a symbol other than in steps."""
    steps = bound.replace(lambda e: isinstance(e, sp.floor | sp.ceiling), lambda e: sp.S.Zero)
    return steps.has(symbol) and not symbol.is_integer


def series(total: sp.Sum) -> Any:
    """Return a sum over one index as a ``Series``; the sum itself if it has several."""
    if len(total.limits) != 1 or len(total.limits[0]) != 3:
        return total
    k, lower, upper = total.limits[0]
    index = Bound(k.name, integer=True, **({"nonnegative": True} if lower.is_nonnegative else {}))
    return Series(total.function.xreplace({k: index}), index, lower, upper)


def added(term: Callable[[Any], Any], lower: Any, upper: Any) -> Any:
    """Return the sum of term(k) from lower to upper with all digits that mpmath is set to, also where terms cancel.

    An infinite sum ends where the terms fall at least geometrically and what is left is estimated to be far below the
    last digit; where that does not happen, it has no value.

    >>> mp.nstr(added(lambda k: (-1)**int(k)/mp.factorial(k), mp.mpf(0), mp.inf)*mp.e, 12)
    '1.0'
    """
    wanted = mp.mp.dps
    for extra in (10, 40, 160, 640):
        with mp.workdps(wanted + extra):
            total, largest = _added(term, lower, upper)
            if largest == 0 or abs(total) > largest * mp.mpf(10) ** -(extra - 5):
                return +total
    raise ValueError("the terms of a sum cancel to hundreds of digits")


def _added(term: Callable[[Any], Any], lower: Any, upper: Any) -> tuple[Any, Any]:
    total, largest, before, falling = mp.mpf(0), mp.mpf(0), None, 0
    k, last = mp.floor(lower), mp.floor(upper) if mp.isfinite(upper) else mp.inf
    for _ in range(MOST):
        if k > last:
            return total, largest
        each = term(k)
        total, size = total + each, abs(each)
        largest = max(largest, size)
        ratio = size / before if before else mp.mpf(2)
        falling = falling + 1 if ratio < 0.9 else 0
        if last == mp.inf and falling > 3 and size * ratio / (1 - ratio) < SMALLEST * mp.eps * abs(total):
            return total, largest
        k, before = k + 1, size
    raise ValueError(f"a sum has more than {MOST} terms")
