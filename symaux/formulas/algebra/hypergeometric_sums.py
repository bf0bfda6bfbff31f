r"""Write infinite sums as hypergeometric functions: $\sum_k T_k = T_0\;{}_pF_q(a; b; x)$ where $T_{k+1}/T_k$ is rational in k.

The ratio defines the function, $\frac{T_{k+1}}{T_k} = \frac{\prod_i(a_i + k)}{\prod_i(b_i + k)}\frac x{k+1}$,
so that a mixture with Poisson weights becomes the same formula whether it is written as a sum, with ${}_1F_1$, or with
a Bessel function.

>>> k, x, a = sp.Symbol("k", integer=True), sp.Symbol("x", positive=True), sp.Symbol("a", positive=True)
>>> closed_form(sp.Sum(x**k/(sp.factorial(k)*sp.gamma(a + k)), (k, 0, sp.oo)))
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
from symaux.formulas.symbols.formula import Formula
from symaux.sandbox import run_bounded, value_or

SHORT, SECONDS = 16, 10.0  # terms of a sum that is written out; time for one sum
Ratio = tuple[list[Formula], list[Formula], Formula]


def without_sums(formula: Any) -> Any:
    """Return the formula with every sum over a number evaluated; a sum over the elements of an array stays."""
    if not isinstance(formula, sp.Expr) or not formula.has(sp.Sum):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.Sum) and _runs_over_numbers(e), evaluate_sum)


def _runs_over_numbers(total: sp.Sum) -> bool:
    """Return whether the index of a sum is a number: neither a plate nor an index of array elements."""
    indices = {
        symbol for element in total.function.atoms(Indexed) for i in element.indices for symbol in i.free_symbols
    }
    return not any(isinstance(k, Idx) or k in indices for k in total.variables)


def evaluate_sum(total: sp.Sum) -> Any:
    """Return a sum written out if it is short, in closed form if it is hypergeometric, otherwise as a ``Series``.

    >>> k, x = sp.Symbol("k", integer=True), sp.Symbol("x", positive=True)
    >>> evaluate_sum(sp.Sum(x**k, (k, 0, 2)))
    x**2 + x + 1
    """
    if all(low.is_Integer and high.is_Integer and high - low < SHORT for _, low, high in total.limits):
        return total.doit()
    if not total.free_symbols:
        return _number(total)
    found = value_or(run_bounded(_recognise, total, seconds=SECONDS), total)
    return series(found) if isinstance(found, sp.Sum) else found


def _number(total: sp.Sum) -> Any:
    """Return the value of a sum of numbers; raise LawError if none is found.

    >>> k = sp.Symbol("k", integer=True)
    >>> _number(sp.Sum(1/(k + 1)**2, (k, 0, sp.oo)))
    pi**2/6
    """
    value = value_or(run_bounded(_evaluate, total, seconds=SECONDS), None)
    if value is not None and (value.has(sp.Sum) or value.is_finite is False or value.has(sp.oo, sp.zoo, sp.nan)):
        value = None
    if value is None:
        raise LawError(f"the sum {total} was found to have no value: it may not converge")
    return value


def _evaluate(total: sp.Sum) -> Any:
    return total.doit()


def _recognise(total: sp.Sum) -> Any:
    return as_alternating_gaussian(closed_form(total))


def closed_form(total: sp.Sum) -> Any:
    """Return a sum from an integer to infinity in closed form; the sum itself where it is not hypergeometric."""
    if len(total.limits) != 1:
        return total
    k, lower, upper = total.limits[0]
    if upper != sp.oo or not lower.is_Integer or total.function.has(sp.Piecewise, sp.Abs, sp.floor):
        return total
    j = sp.Dummy("j", integer=True, nonnegative=True)
    term = total.function.xreplace({k: lower + j}).replace(sp.beta, _beta)
    first = total.function.xreplace({k: lower})
    ratio = hypersimp(term, j)
    if ratio is None or first.has(sp.nan, sp.zoo) or first == 0:
        return total
    total_ratio = sum_from_ratio(ratio, j)
    return total if total_ratio is None else first * total_ratio


def _beta(a: Formula, b: Formula | None = None) -> Formula:
    b = a if b is None else b
    return sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b)


def as_alternating_gaussian(total: Any) -> Any:
    r"""Recognise alternating Gaussian sums, $\sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$ for m = 0 or 1; else return the sum.

    >>> k, a = sp.Symbol("k", integer=True), sp.Symbol("a", positive=True)
    >>> as_alternating_gaussian(sp.Sum((-1)**k*(k + 1)**2*sp.exp(-2*a*(k + 1)**2), (k, 0, sp.oo)))
    alternating_gaussian(1, 2*a)
    """
    if not isinstance(total, sp.Sum) or len(total.limits) != 1 or total.limits[0][2] != sp.oo:
        return total
    return _as_alternating_gaussian(total)


def _as_alternating_gaussian(total: Formula) -> Formula:
    k, lower, _ = total.limits[0]
    exponents: list[Formula] = [f.exp for f in sp.Mul.make_args(total.function) if isinstance(f, sp.exp) and f.has(k)]
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


def sum_from_ratio(ratio: Formula, k: sp.Symbol) -> Any:
    """Return the sum of all terms divided by the first one, from the ratio of neighbouring terms.

    None where the sum is not known to converge.

    >>> k, x = sp.Symbol("k", integer=True), sp.Symbol("x", positive=True)
    >>> sum_from_ratio(x/(k + 1), k), sum_from_ratio(x*(k + 2)/(k + 1), k)
    (exp(x), None)
    """
    parameters = hypergeometric_parameters(ratio, k)
    if parameters is None:
        return None
    above, below, x = parameters
    if len(above) > len(below) + 1 or (len(above) == len(below) + 1 and not (1 - x).is_positive):
        return None
    if any(b.is_integer and b.is_nonpositive for b in below) or (len(above) > len(below) and not x.is_nonnegative):
        return None
    if not below and len(above) < 2:
        return (1 - x) ** -above[0] if above else sp.exp(x)
    return sp.hyper(above, below, x)


def hypergeometric_parameters(ratio: Formula, k: sp.Symbol) -> Ratio | None:
    """Return a, b and x of the hypergeometric function whose terms have the given ratio, if its factors are linear in k."""
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


def _has_root(bottom: Formula, k: sp.Symbol) -> bool:
    """Return whether k + 1 is a factor."""
    return sp.expand(bottom.xreplace({k: -sp.S.One})) == 0


def _roots(polynomial: Formula, k: sp.Symbol) -> tuple[list[Formula], Formula] | None:
    """Return c for every factor k + c of a polynomial, and its leading coefficient; None if a factor is not linear."""
    number, factors = sp.factor_list(polynomial)
    constants, leading = [], number
    for factor, times in factors:
        line = sp.Poly(factor, k)
        if line.degree() > 1:
            return None
        coefficient, rest = line.coeff_monomial(k), line.coeff_monomial(1)
        if line.degree() == 0:
            leading *= factor**times
            continue
        constants += [sp.expand(sp.cancel(rest / coefficient))] * times
        leading *= coefficient**times
    return constants, leading
