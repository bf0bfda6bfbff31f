r"""Infinite sums as hypergeometric functions: $\sum_k T_k = T_0\;{}_pF_q(a; b; x)$ where $T_{k+1}/T_k$ is rational in k.

That ratio is the definition of the function, $\frac{T_{k+1}}{T_k} = \frac{\prod_i(a_i + k)}{\prod_i(b_i + k)}\frac x{k+1}$,
so that a mixture with Poisson weights is the same formula whether it is written as a sum, with a function
${}_1F_1$, or with a Bessel function.

>>> k, x, a = sp.Symbol("k", integer=True), sp.Symbol("x", positive=True), sp.Symbol("a", positive=True)
>>> closed(sp.Sum(x**k/(sp.factorial(k)*sp.gamma(a + k)), (k, 0, sp.oo)))
hyper((), (a,), x)/gamma(a)
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.simplify import hypersimp
from sympy.tensor.indexed import Idx, Indexed

from symaux.errors import LawError
from symaux.formulas.functions.registry import alternating_gaussian
from symaux.formulas.functions.series import series
from symaux.sandbox import bounded, value_of

SHORT, SECONDS = 16, 10.0
Ratio = tuple[list[sp.Expr], list[sp.Expr], sp.Expr]


def without_sums(formula: Any) -> Any:
    """Return the formula with every sum of formulas replaced; a sum over the elements of an array stays."""
    if not isinstance(formula, sp.Expr) or not formula.has(sp.Sum):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.Sum) and _of_formulas(e), summed)


def _of_formulas(total: sp.Sum) -> bool:
    """Return whether the index of a sum is a number, that is no plate, and picks no elements."""
    indices = {
        symbol for element in total.function.atoms(Indexed) for i in element.indices for symbol in i.free_symbols
    }
    return not any(isinstance(k, Idx) or k in indices for k in total.variables)


def summed(total: sp.Sum) -> Any:
    """Return a sum of formulas: written out if it is short, in closed form if it is hypergeometric, otherwise as one
    function.

    >>> k, x = sp.Symbol("k", integer=True), sp.Symbol("x", positive=True)
    >>> summed(sp.Sum(x**k, (k, 0, 2)))
    x**2 + x + 1
    """
    if all(low.is_Integer and high.is_Integer and high - low < SHORT for _, low, high in total.limits):
        return total.doit()
    if not total.free_symbols:
        return _number(total)
    found = value_of(bounded(_recognised, total, seconds=SECONDS), total)
    return series(found) if isinstance(found, sp.Sum) else found


def _number(total: sp.Sum) -> Any:
    """Return the number that a sum of numbers is; one that has none is refused.

    >>> k = sp.Symbol("k", integer=True)
    >>> _number(sp.Sum(1/(k + 1)**2, (k, 0, sp.oo)))
    pi**2/6
    """
    found = value_of(bounded(_worked_out, total, seconds=SECONDS), None)
    if found is not None and (found.has(sp.Sum) or found.is_finite is False or found.has(sp.oo, sp.zoo, sp.nan)):
        found = None
    if found is None:
        raise LawError(f"the sum {total} was found to have no value: it may not converge")
    return found


def _worked_out(total: sp.Sum) -> Any:
    return total.doit()


def _recognised(total: sp.Sum) -> Any:
    return gaussian(closed(total))


def closed(total: sp.Sum) -> Any:
    """Return the sum from a number to infinity in closed form; the sum itself where it is none."""
    if len(total.limits) != 1:
        return total
    k, lower, upper = total.limits[0]
    if upper != sp.oo or not lower.is_Integer or total.function.has(sp.Piecewise, sp.Abs, sp.floor):
        return total
    j = sp.Dummy("j", integer=True, nonnegative=True)
    found = total.function.xreplace({k: lower + j}).replace(sp.beta, _beta)
    first = total.function.xreplace({k: lower})
    ratio = hypersimp(found, j)
    if ratio is None or first.has(sp.nan, sp.zoo) or first == 0:
        return total
    summed = generating(ratio, j)
    return total if summed is None else first * summed


def _beta(a: sp.Expr, b: sp.Expr | None = None) -> sp.Expr:
    b = a if b is None else b
    return sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b)


def gaussian(total: Any) -> Any:
    r"""Return an alternating sum of Gaussians, $\sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$ for m = 0 or 1; else the
    sum itself.

    >>> k, a = sp.Symbol("k", integer=True), sp.Symbol("a", positive=True)
    >>> gaussian(sp.Sum((-1)**k*(k + 1)**2*sp.exp(-2*a*(k + 1)**2), (k, 0, sp.oo)))
    alternating_gaussian(1, 2*a)
    """
    if not isinstance(total, sp.Sum) or len(total.limits) != 1 or total.limits[0][2] != sp.oo:
        return total
    k, lower, _ = total.limits[0]
    exponents = [f.exp for f in sp.Mul.make_args(total.function) if isinstance(f, sp.exp) and f.has(k)]
    if len(exponents) != 1 or not lower.is_Integer:
        return total
    i = sp.Symbol("i", integer=True, positive=True)
    term, a = total.function.xreplace({k: i + lower - 1}), -exponents[0].xreplace({k: i + lower - 1}) / i**2
    if a.has(i):
        return total
    for m in (0, 1):
        ratio = sp.simplify(term / ((-1) ** (i - 1) * i ** (2 * m) * sp.exp(-a * i**2)))
        if not ratio.has(i) and not a.is_nonpositive:  # the sum has a value only where a > 0
            return ratio * alternating_gaussian(m, a)
    return total


def generating(ratio: sp.Expr, k: sp.Symbol) -> Any:
    """Return the sum of all terms over the first one, from the ratio of neighbours; None where it is not known to
    converge.

    >>> k, x = sp.Symbol("k", integer=True), sp.Symbol("x", positive=True)
    >>> generating(x/(k + 1), k), generating(x*(k + 2)/(k + 1), k)
    (exp(x), None)
    """
    found = parameters(ratio, k)
    if found is None:
        return None
    above, below, x = found
    if len(above) > len(below) + 1 or (len(above) == len(below) + 1 and not (1 - x).is_positive):
        return None
    if any(b.is_integer and b.is_nonpositive for b in below) or (len(above) > len(below) and not x.is_nonnegative):
        return None
    if not below and len(above) < 2:
        return (1 - x) ** -above[0] if above else sp.exp(x)
    return sp.hyper(above, below, x)


def parameters(ratio: sp.Expr, k: sp.Symbol) -> Ratio | None:
    r"""a, b and x of the function whose terms have the given ratio, if its factors are lines in k."""
    top, bottom = sp.fraction(sp.cancel(sp.together(ratio)))
    if not (top.is_polynomial(k) and bottom.is_polynomial(k)):
        return None
    upper, lower = _roots(top, k), _roots(bottom * (1 if _has_root(bottom, k) else (k + 1)), k)
    if upper is None or lower is None:
        return None
    (above, leading), (below, other) = upper, lower
    if not _has_root(bottom, k):
        above = [*above, sp.S.One]
    below.remove(sp.S.One)
    return above, below, sp.factor(leading / other)


def _has_root(bottom: sp.Expr, k: sp.Symbol) -> bool:
    """Return whether k + 1 is a factor."""
    return sp.expand(bottom.xreplace({k: -sp.S.One})) == 0


def _roots(polynomial: sp.Expr, k: sp.Symbol) -> tuple[list[sp.Expr], sp.Expr] | None:
    """Return the c of all factors k + c, and the leading coefficient."""
    number, factors = sp.factor_list(polynomial)
    found, leading = [], number
    for factor, times in factors:
        line = sp.Poly(factor, k)
        if line.degree() > 1:
            return None
        slope, rest = line.coeff_monomial(k), line.coeff_monomial(1)
        if line.degree() == 0:
            leading *= factor**times
            continue
        found += [sp.expand(sp.cancel(rest / slope))] * times
        leading *= slope**times
    return found, leading
