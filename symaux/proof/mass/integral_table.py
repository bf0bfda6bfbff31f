r"""List definite integrals, each found from the logarithmic derivative r(u) of the integrand.

Every entry reads its parameters off r and yields the pattern; whether r *is* the derivative of the pattern's logarithm,
and whether the conditions hold, is for the caller to check (``symaux.proof.mass.definite_integrals``).

*References*: Gradshteyn and Ryzhik 3.3 to 3.5 and 8.4; NIST Handbook, sections 5.9, 5.12, 7.7, 10.32 and 13.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.proof.equality.bessel import to_elementary


@dataclass(frozen=True)
class Pattern:
    """The logarithm of an integrand, that of its integral, what must be positive, and a point inside."""

    shape: Formula
    log_integral: Formula
    positive: tuple[Formula, ...]
    point: Formula


Entry = Callable[[Formula, sp.Symbol, Interval], Iterator[Pattern]]
ONE, ZERO, HALF = sp.S.One, sp.S.Zero, sp.S.Half


def value_at(formula: Formula, u: sp.Symbol, point: Formula) -> Formula | None:
    """Return the value of a rational function at a point that is not a pole."""
    above, below = sp.fraction(sp.cancel(sp.together(formula)))
    bottom = sp.expand(below.subs(u, point))
    return None if bottom == 0 else sp.factor(above.subs(u, point) / bottom)


def log_normal_integral(x: Formula) -> Formula:
    r"""Return $\log\Phi(x)$ in sympy's own functions."""
    return sp.log((1 + sp.erf(x / sp.sqrt(2))) / 2)


def _orders(slope: Formula, u: sp.Symbol) -> tuple[Formula, Formula, Formula] | None:
    """Return c, a and the rest in r = c/u^2 + (a - 1)/u + rest."""
    c = value_at(u**2 * slope, u, ZERO)
    residue = None if c is None else value_at(u * (slope - c / u**2), u, ZERO)
    if c is None or residue is None:
        return None
    return c, sp.expand(1 + residue), sp.cancel(sp.together(slope - c / u**2 - residue / u))


def gamma(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty u^{a-1}e^{-bu}\,du = \Gamma(a)b^{-a}$, $\int_0^\infty u^{a-1}e^{-c/u}\,du = \Gamma(-a)c^a$
    or $\int_0^\infty u^{a-1}e^{-bu-c/u}\,du = 2(c/b)^{a/2}K_a(2\sqrt{bc})$."""
    found = _orders(slope, u)
    if found is None or found[2].has(u):
        return
    c, a, b = found[0], found[1], -found[2]
    shape = (a - 1) * sp.log(u) - b * u - c / u
    if c == 0:
        yield Pattern(shape, sp.loggamma(a) - a * sp.log(b), (a, b), ONE)
    elif b == 0:
        yield Pattern(shape, sp.loggamma(-a) + a * sp.log(c), (-a, c), ONE)
    else:
        bessel = sp.log(to_elementary(sp.besselk(a, 2 * sp.sqrt(b) * sp.sqrt(c))))
        yield Pattern(shape, sp.log(2) + a * (sp.log(c) - sp.log(b)) / 2 + bessel, (b, c), ONE)


def beta_prime(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty u^{a-1}(u+d)^{-n}\,du = d^{a-n}B(a, n-a)$; or with $y = u/(u+1)$, $\int_0^1
    y^{a-1}(1-y)^{b-1}e^{ky}\,dy = B(a,b)\,{}_1F_1(a; a+b; k)$, a Bessel function I for a = b."""
    found = _orders(slope, u)
    if found is None or found[0] != 0 or not found[2].has(u):
        return
    _, a, rest = found
    below = sp.fraction(rest)[1]
    d = _single_pole(below, u)
    if d is None:
        return
    k = value_at(rest * (u + d) ** 2, u, -d)
    n = None if k is None else value_at((k / (u + d) ** 2 - rest) * (u + d), u, -d)
    if k is None or n is None:
        return
    n = sp.expand(n)
    b = sp.expand(n - a)
    shape = (a - 1) * sp.log(u) - n * sp.log(u + d)
    if k == 0:
        beta = sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(n)
        yield Pattern(shape, (a - n) * sp.log(d) + beta, (a, b, d), ONE)
    elif d == 1:
        yield Pattern(shape + k * u / (1 + u), _kummer(a, b, k), (a, b), ONE)


def shifted_gamma(slope: Formula, u: Formula, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty (u+d)^{a-1}e^{-bu}\,du = b^{-a}e^{bd}\,\Gamma(a, bd)$, whatever the sign of a."""
    above, below = sp.fraction(slope)
    if sp.degree(below, u) != 1 or sp.degree(above, u) != 1:
        return
    d = _single_pole(below, u)
    residue = None if d is None else value_at(slope * (u + d), u, -d)
    if d is None or residue is None:
        return
    a, b = sp.expand(residue + 1), sp.factor(sp.cancel(residue / (u + d) - slope))
    total = -a * sp.log(b) + b * d + sp.log(sp.uppergamma(a, sp.expand(b * d)))
    yield Pattern((a - 1) * sp.log(u + d) - b * u, total, (b, d), ONE)


def _kummer(a: Formula, b: Formula, k: Formula) -> Formula:
    if sp.expand(a - b) == 0 and (k.is_positive or k.is_negative):
        size = abs(k)
        bessel = sp.besseli(a - HALF, size / 2)
        return sp.log(sp.pi) / 2 + sp.loggamma(a) + k / 2 + (HALF - a) * sp.log(size) + sp.log(bessel)
    beta = sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b)
    return beta + sp.log(sp.hyper((a,), (a + b,), k))


def _single_pole(below: Formula, u: sp.Symbol) -> Formula | None:
    """Return d where the denominator is a power of u + d."""
    for factor, _ in sp.factor_list(below, u)[1]:
        if factor.has(u):
            line = sp.Poly(factor, u)
            return sp.cancel(line.coeff_monomial(1) / line.coeff_monomial(u)) if line.degree() == 1 else None
    return None


def _line(slope: Formula, u: Formula) -> tuple[Formula, Formula] | None:
    """Return m and k in r = m - k u."""
    if not slope.is_polynomial(u) or sp.degree(slope, u) > 1:
        return None
    line = sp.Poly(slope, u)
    return sp.factor(line.coeff_monomial(1)), sp.factor(-line.coeff_monomial(u))


def gaussian_half_line(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty e^{mu - ku^2/2}\,du = \sqrt{2\pi/k}\;e^{m^2/2k}\,\Phi(m/\sqrt k)$."""
    if (found := _line(slope, u)) is None or found[1] == 0:
        return
    m, k = found
    total = sp.log(2 * sp.pi / k) / 2 + m**2 / (2 * k) + log_normal_integral(m / sp.sqrt(k))
    yield Pattern(m * u - k * u**2 / 2, total, (k,), ONE)


def gaussian_power(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty u^{a-1}e^{mu - ku^2/2}\,du = \tfrac12(2/k)^{a/2}\,[\Gamma(\tfrac a2)\,{}_1F_1(\tfrac a2;
    \tfrac12; x) + m\sqrt{2/k}\;\Gamma(\tfrac{a+1}2)\,{}_1F_1(\tfrac{a+1}2; \tfrac32; x)]$ with $x = m^2/2k$."""
    found = _orders(slope, u)
    ends = None if found is None or found[0] != 0 else _line(found[2], u)
    if found is None or ends is None or 0 in ends:
        return
    (m, k), a, x = ends, found[1], ends[0] ** 2 / (2 * ends[1])
    even = sp.gamma(a / 2) * sp.hyper((a / 2,), (HALF,), x)
    odd = m * sp.sqrt(2 / k) * sp.gamma((a + 1) / 2) * sp.hyper(((a + 1) / 2,), (3 * HALF,), x)
    total = a * sp.log(2 / k) / 2 - sp.log(2) + sp.log(even + odd)
    yield Pattern((a - 1) * sp.log(u) + m * u - k * u**2 / 2, total, (a, k), ONE)


def gaussian(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int e^{mu - ku^2/2}\,du = \sqrt{2\pi/k}\;e^{m^2/2k}$."""
    if (found := _line(slope, u)) is None:
        return
    m, k = found
    yield Pattern(m * u - k * u**2 / 2, sp.log(2 * sp.pi / k) / 2 + m**2 / (2 * k), (k,), ZERO)


def quadratic_power(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int (d + (u-m)^2)^{-c}\,du = \sqrt\pi\,\Gamma(c-\tfrac12)\,\Gamma(c)^{-1}d^{1/2-c}$."""
    above, below = sp.fraction(slope)
    quadratic = sp.Poly(below, u) if below.is_polynomial(u) else None
    if quadratic is None or quadratic.degree() != 2:
        return
    leading = quadratic.coeff_monomial(u**2)
    m = sp.cancel(-quadratic.coeff_monomial(u) / (2 * leading))
    d = sp.cancel(quadratic.coeff_monomial(1) / leading - m**2)
    c = sp.expand(sp.cancel(-above.diff(u) / (2 * leading)))
    total = sp.log(sp.pi) / 2 + sp.loggamma(c - HALF) - sp.loggamma(c) + (HALF - c) * sp.log(d)
    yield Pattern(-c * sp.log(d + (u - m) ** 2), total, (sp.expand(c - HALF), d), m)


def exponential_interval(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_a^b e^{ku}\,du = (e^{kb} - e^{ka})/k$ for k of known sign, and $b - a$ for k = 0."""
    if slope.has(u):
        return
    k, length = slope, where.upper - where.lower
    if k == 0:
        yield Pattern(ZERO, sp.log(length), (), where.lower)
        return
    sign = 1 if k.is_positive else -1
    rise = sp.log(sign * (sp.exp(k * length) - 1)) - sp.log(sign * k)
    yield Pattern(k * (u - where.lower), rise, (sign * k,), where.lower)


def gaussian_interval(slope: Formula, u: sp.Symbol, where: Interval) -> Iterator[Pattern]:
    r"""Yield $\int_a^b e^{mu - ku^2/2}\,du = \sqrt{2\pi/k}\;e^{m^2/2k}\,[\Phi(\sqrt k\,u - m/\sqrt k)]_a^b$."""
    if (found := _line(slope, u)) is None or found[1] == 0:
        return
    m, k = found
    ends = [sp.erf((sp.sqrt(k) * end - m / sp.sqrt(k)) / sp.sqrt(2)) for end in (where.lower, where.upper)]
    total = sp.log(2 * sp.pi / k) / 2 + m**2 / (2 * k) + sp.log((ends[1] - ends[0]) / 2)
    yield Pattern(m * u - k * u**2 / 2, total, (k,), where.lower)


HALF_LINE: tuple[Entry, ...] = (gamma, beta_prime, shifted_gamma, gaussian_half_line, gaussian_power)
LINE: tuple[Entry, ...] = (gaussian, quadratic_power)
FINITE: tuple[Entry, ...] = (exponential_interval, gaussian_interval)
