r"""Integrate densities whose terms come in one by one: $p(z) = \sum_{k \le h(z)} T_k(z)$ for a line h, term by term.

$\int p = \sum_k \int_{h(z) \ge k} T_k(z)\,dz$ is a finite sum. Each $T_k$ with a rational $T_k'/T_k$ has the
antiderivative $yT_k$ if the rational function y solves $y' + y\,T_k'/T_k = 1$. What the integrals add up to is known
where all but the first are zero, and by Euler's $\sum_{k=0}^n (-1)^k\binom nk(a - k)^n = n!$.

>>> from symaux.laws.law import law
>>> z, n, k = sp.Symbol("z", positive=True), sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True)
>>> term = (-1)**k*sp.binomial(n, k)*(z - k)**(n - 1)/sp.factorial(n - 1)
>>> integrates_by_steps(law(z, sp.Sum(term, (k, 0, sp.floor(z))), support=(0, n)))
True
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.functions.series import Series
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.special_factor import as_line
from symaux.laws.law import Law

K = sp.Symbol("k_", integer=True, positive=True)
FEW = 40  # terms that are integrated one by one
MORE = sp.Symbol("m_", integer=True, nonnegative=True)


@dataclass(frozen=True)
class Steps:
    """The terms as functions of z and k, where the k-th begins or ends, the other end, and the last k that counts."""

    term: Formula
    index: sp.Symbol
    entry: Formula
    end: Formula
    rises: bool
    last: sp.Symbol


def integrates_by_steps(law: Law) -> bool:
    """Return whether a density is such a sum, and integrates to one; False says nothing."""
    found = _steps(law) if law.log_density.has(Series) else None
    whole = None if found is None else _antiderivative(found.term, law.value)
    if found is None or whole is None:
        return False
    if found.last.is_Integer:
        indices: list[Formula] = [sp.Integer(k) for k in range(int(found.last))]
        parts: list[Formula] = [_mass(found, whole, law.value, {found.index: k}) for k in indices]
        return None not in parts and sp.simplify(sp.Add(*parts) - 1) == 0
    first = _mass(found, whole, law.value, {found.index: sp.S.Zero})
    later = _mass(found, whole, law.value, {found.last: K + 1 + MORE, found.index: K})
    if first is None or later is None:
        return False
    if later == 0:
        return sp.simplify(first - 1) == 0
    return _by_differences(first, later, found.last)


def _by_differences(first: Formula, later: Formula, n: sp.Symbol) -> bool:
    """Return whether the masses are those of Euler's sum over its value, for a = n: the n-th term is zero then."""
    euler = (-1) ** K * sp.binomial(n, K) * (n - K) ** n / sp.factorial(n)
    ratios = first / euler.xreplace({K: sp.S.Zero}), later / euler.xreplace({n: K + 1 + MORE})
    return all(sp.simplify(sp.gammasimp(ratio.rewrite(sp.gamma))) == 1 for ratio in ratios)


def _steps(law: Law) -> Steps | None:
    z: Formula = law.value
    sums: list[Formula] = list(law.log_density.atoms(Series))
    if len(sums) != 1 or not isinstance(law.support, Interval):
        return None
    term, index, lower, upper = sums[0].args
    density = sp.exp(sp.expand_log(law.log_density, force=False))
    y = sp.Dummy("y")
    factor = sp.cancel(density.xreplace({sums[0]: y}) / y)
    bound = as_line(upper.args[0], z) if isinstance(upper, sp.floor) else None
    if factor.has(y) or bound is None or lower != 0 or not bound[1].is_real:
        return None
    (start, slope), rises = bound, bool(bound[1].is_positive)
    far = law.support.upper if rises else law.support.lower
    last = sp.simplify(start + slope * far)
    near = sp.simplify(start + slope * (law.support.lower if rises else law.support.upper))
    if not (rises or slope.is_negative) or near != 0 or not _counts(last):
        return None
    return Steps(factor * term, index, (index - start) / slope, far, rises, last)


def _counts(last: Formula) -> bool:
    """Return whether a bound is a whole number, as a symbol or a small one."""
    return bool(last.is_integer and last.is_positive and (last.is_Symbol or last < FEW))


def _mass(found: Steps, whole: Formula, z: sp.Symbol, at: dict[Formula, Formula]) -> Formula | None:
    """Return the integral of one term over the values of z at which it counts."""
    formula, places = whole.xreplace(at), [end.xreplace(at) for end in (found.entry, found.end)]
    ends = [_value(formula, z, place) for place in places]
    if ends[0] is None or ends[1] is None or not _regular(formula, z, places):
        return None
    if sp.simplify(formula.diff(z) / found.term.xreplace(at)) != 1:
        return None
    return sp.simplify(ends[1] - ends[0] if found.rises else ends[0] - ends[1])


def _regular(product: Formula, z: sp.Symbol, places: list[Formula]) -> bool:
    """Return whether no factor, each a power of a line, changes sign between two places or may vanish in a denominator.

    >>> z = sp.Symbol("z", real=True)
    >>> ends = [sp.S(0), sp.S(3)]
    >>> _regular(1/(z + 1), z, ends), _regular(1/(z - 1), z, ends), _regular(1/(z**2 - 3*z + 1), z, ends)
    (True, False, False)
    """
    for factor in sp.Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        if base.has(z):
            if base.diff(z).has(z):
                return False
            ends: list[Formula] = [sp.factor(base.xreplace({z: place})) for place in places]
            if not (ends[0] * ends[1]).is_nonnegative:
                return False
        elif not (exponent.is_nonnegative or base.is_positive or base.is_negative):
            return False
    return True


def _value(product: Formula, z: sp.Symbol, end: Formula) -> Formula | None:
    """Return a product of powers of lines at a point, where some of them may vanish."""
    order, value = sp.S.Zero, sp.S.One
    for factor in sp.Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        if not base.has(z):
            value *= factor.xreplace({z: end})
            continue
        there = sp.simplify(base.xreplace({z: end}))
        if there == 0:
            order, there = order + exponent, sp.simplify(base.diff(z))
        if there.has(z) or there == 0 or exponent.has(z):
            return None
        value *= there**exponent
    order = sp.expand(order)
    if order.is_positive:
        return sp.S.Zero
    return value if order == 0 else None


def _antiderivative(term: Formula, z: sp.Symbol) -> Formula | None:
    """Return a product whose derivative is the term; None unless one has the form y T with a rational y."""
    first, share = _as_product(term, z)
    if share is None:
        return None
    slope = sp.cancel(sp.together(sp.expand_log(sp.log(first)).diff(z) + share.diff(z) / share))
    numerator = _visible(slope, z)
    rest = sp.cancel(sp.together(slope - numerator.diff(z) / numerator))
    r, s = sp.fraction(rest)
    if not (r.is_polynomial(z) and s.is_polynomial(z)):
        return None
    for degree in range(3):
        unknown = sp.symbols(f"c:{degree + 1}", cls=sp.Dummy)
        x: Formula = sum(c * z**n for n, c in enumerate(unknown))
        equation = sp.Poly(sp.expand(s.diff(z) * x + s * x.diff(z) + r * x - numerator), z)
        solved = sp.solve(equation.coeffs(), unknown, dict=True)
        if solved:
            made = sp.factor(sp.cancel(s * x.xreplace(solved[0]) / numerator * share))
            return first * made if not made.has(*unknown) else None
    return None


def _as_product(term: Formula, z: sp.Symbol) -> tuple[Formula, Formula | None]:
    """Return a term as a product of powers, times a rational function."""
    free, rest = term.as_independent(z, as_Add=False)
    sums: list[Formula] = [f for f in sp.Mul.make_args(rest) if f.is_Add and not f.is_rational_function(z)]
    if not sums:
        return term, sp.S.One
    first = sums[0].args[0]
    share = sp.cancel(sp.together(sp.Add(*(sp.powsimp(part / first) for part in sums[0].args))))
    others = sp.Mul(*(f for f in sp.Mul.make_args(rest) if f is not sums[0]))
    return free * others * first, share if len(sums) == 1 and share.is_rational_function(z) else None


def _visible(slope: Formula, z: Formula) -> Formula:
    """Return the polynomial whose simple zeros are the simple zeros of the term."""
    found, bottom = sp.S.One, sp.fraction(slope)[1]
    for factor, _ in sp.factor_list(bottom, z)[1]:
        left = sp.fraction(sp.cancel(sp.together(slope - factor.diff(z) / factor)))[1]
        if sp.degree(left, z) < sp.degree(bottom, z):
            found *= factor
    return found
