r"""Enclose distribution functions, by $y_0 + \int f(x)\,x'$, and their inverses, by Newton's iteration, on balls and series.

The value on a ball comes from its ends, since all of these functions are monotone; parameters must be constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import acb, arb, arb_series

from symaux.formulas.functions import registry as special
from symaux.formulas.numeric.balls.inverses import inverse, inverse_series
from symaux.formulas.numeric.balls.signs import Undecided, constant_term, is_positive, monotone_image, require_finite
from symaux.formulas.numeric.balls.taylor import bessel, require_constant

Value = Any
Real = Callable[[Any], Any]


def _monotone_by_derivative(value: Real, derivative: Real, x: Value) -> Value:
    """Return a monotone function, given on points and by its derivative, of a ball or a series."""
    start = monotone_image(value, constant_term(x))
    if not isinstance(x, arb_series):
        return start
    series = (derivative(x) * x.derivative()).integral() + start
    return arb_series([series[n] for n in range(x.prec)], prec=min(series.prec, x.prec))


def _inverse(start: arb, function: Real, derivative: Real, u: Value) -> Value:
    return inverse_series(function, derivative, start, u) if isinstance(u, arb_series) else start


def _require_positive(x: Value) -> Value:
    if not is_positive(x):
        raise Undecided("a distribution function of a ball that reaches the end of its support")
    return x


def _require_probability(u: Value) -> Value:
    if not (constant_term(u) > 0 and constant_term(u) < 1):
        raise Undecided("a probability whose ball reaches 0 or 1")
    return u


def gamma_density(a: arb, x: Value) -> Value:
    """Return the density of the Gamma(a) law."""
    return ((a - 1) * x.log() - x - a.lgamma()).exp()


def gammainc(a: Value, x: Value) -> Value:
    """Enclose the regularised lower incomplete gamma function."""
    a = require_constant(a)
    return _monotone_by_derivative(lambda t: t.gamma_lower(a, 1), lambda t: gamma_density(a, t), _require_positive(x))


def gammaincc(a: Value, x: Value) -> Value:
    """Enclose the regularised upper incomplete gamma function."""
    a = require_constant(a)
    return _monotone_by_derivative(lambda t: t.gamma_upper(a, 1), lambda t: -gamma_density(a, t), _require_positive(x))


def gammaincinv(a: Value, u: Value) -> Value:
    """Enclose the gamma quantile by the logarithm of the smaller tail; x = exp(t) runs over all positive numbers."""
    a = require_constant(a)
    if constant_term(u) > arb(1) / 2:
        return gammainccinv(a, 1 - u)
    start = inverse(lambda t: t.exp().gamma_lower(a, 1).log(), constant_term(_require_probability(u)).log()).exp()
    return _inverse(start, lambda y: gammainc(a, y), lambda y: gamma_density(a, y), u)


def gammainccinv(a: Value, q: Value) -> Value:
    """Enclose the inverse of the upper incomplete gamma function by the logarithm of the smaller tail."""
    a = require_constant(a)
    if constant_term(q) > arb(1) / 2:
        return gammaincinv(a, 1 - q)
    start = (-inverse(lambda t: (-t).exp().gamma_upper(a, 1).log(), constant_term(_require_probability(q)).log())).exp()
    return _inverse(start, lambda y: gammaincc(a, y), lambda y: -gamma_density(a, y), q)


def beta_density(a: arb, b: arb, x: Value) -> Value:
    """Return the density of the Beta(a, b) law."""
    return ((a - 1) * x.log() + (b - 1) * (1 - x).log() + (a + b).lgamma() - a.lgamma() - b.lgamma()).exp()


def betainc(a: Value, b: Value, x: Value) -> Value:
    """Enclose the regularised incomplete beta function."""
    a, b = require_constant(a), require_constant(b)
    return _monotone_by_derivative(
        lambda t: t.beta_lower(a, b, 1), lambda t: beta_density(a, b, t), _require_probability(x)
    )


def betaincc(a: Value, b: Value, x: Value) -> Value:
    """Enclose one minus the regularised incomplete beta function."""
    a, b = require_constant(a), require_constant(b)
    return _monotone_by_derivative(
        lambda t: (1 - t).beta_lower(b, a, 1), lambda t: -beta_density(a, b, t), _require_probability(x)
    )


def _log_odds(a: arb, b: arb, u: arb) -> arb:
    """Return the t with I(a, b, 1/(1 + exp(-t))) = u."""
    return inverse(lambda t: (1 / (1 + (-t).exp())).beta_lower(a, b, 1).log(), u.log())


def betaincinv(a: Value, b: Value, u: Value) -> Value:
    """Enclose the Beta(a, b) quantile by the log-odds at the smaller tail."""
    a, b = require_constant(a), require_constant(b)
    if constant_term(_require_probability(u)) > arb(1) / 2:
        return betainccinv(a, b, 1 - u)
    start = monotone_image(lambda p: 1 / (1 + (-_log_odds(a, b, p)).exp()), constant_term(u))
    return _inverse(start, lambda y: betainc(a, b, y), lambda y: beta_density(a, b, y), u)


def betainccinv(a: Value, b: Value, q: Value) -> Value:
    """Enclose the Beta(a, b) quantile at the upper tail q."""
    a, b = require_constant(a), require_constant(b)
    if constant_term(_require_probability(q)) > arb(1) / 2:
        return betaincinv(a, b, 1 - q)
    start = monotone_image(lambda p: 1 / (1 + _log_odds(b, a, p).exp()), constant_term(q))
    return _inverse(start, lambda y: betaincc(a, b, y), lambda y: -beta_density(a, b, y), q)


def student_t_ppf(u: Value, df: Value) -> Value:
    """Enclose the t quantile by that of a Beta(df/2, 1/2): t = -sqrt(df (1 - x)/x) at twice the smaller tail."""
    if constant_term(u) > arb(1) / 2:
        return -student_t_ppf(1 - u, df)
    if not constant_term(_require_probability(u)) < arb(1) / 2:
        raise Undecided("a ball about the median")
    x = betaincinv(df / 2, arb(1) / 2, 2 * u)
    return -(df * (1 - x) / x).sqrt()


def _student_t_level(df: arb, x: arb) -> arb:
    """Return the t distribution function by its smaller tail, half of I(df/(df + x^2); df/2, 1/2)."""
    tail = (df / (df + x * x)).beta_lower(df / 2, arb(1) / 2, 1) / 2
    return tail if x < 0 else arb(1) / 2 if x == 0 else 1 - tail


def student_t_cdf(x: Value, df: Value) -> Value:
    """Enclose the t distribution function."""
    v = require_constant(df)
    scale = ((v / 2 + arb(1) / 2).lgamma() - (v / 2).lgamma() - (v * arb.pi()).log() / 2).exp()
    return _monotone_by_derivative(
        lambda t: _student_t_level(v, t), lambda t: (-(v + 1) / 2 * (1 + t * t / v).log()).exp() * scale, x
    )


def _von_mises_mass(kappa: arb, x: arb) -> arb:
    """Return the mass of a von Mises law below x, by quadrature."""
    # The integrand is entire, so no branch cut can be crossed and the integrator's analyticity flag can be ignored.
    total = acb.integral(lambda t, _: (kappa * (t.cos() - 1)).exp(), -acb.pi(), acb(x)).real
    return require_finite(total / (2 * arb.pi() * kappa.bessel_i(0, scaled=True)))


def von_mises_cdf(x: Value, kappa: Value) -> Value:
    """Enclose the distribution function of the von Mises law on (-pi, pi)."""
    k = require_constant(kappa)
    if not abs(constant_term(x)) < arb.pi():
        raise Undecided("an angle whose ball reaches the end of the circle")
    return _monotone_by_derivative(lambda t: _von_mises_mass(k, t), lambda t: _von_mises_density(k, t), x)


def _von_mises_density(kappa: arb, x: Value) -> Value:
    return (kappa * (x.cos() - 1)).exp() / (2 * arb.pi() * kappa.bessel_i(0, scaled=True))


def von_mises_ppf(u: Value, kappa: Value) -> Value:
    """Enclose the quantile of the von Mises law, by symmetry from its lower half."""
    k = require_constant(kappa)
    if constant_term(_require_probability(u)) > arb(1) / 2:
        return -von_mises_ppf(1 - u, kappa)
    start = monotone_image(
        lambda p: 2 * inverse(lambda t: _von_mises_mass(k, 2 * t.atan()), p).atan(), constant_term(u)
    )
    return _inverse(start, lambda y: von_mises_cdf(y, k), lambda y: _von_mises_density(k, y), u)


def _owens_t(h: Value, a: Value) -> Value:
    """Enclose Owen's T function by quadrature."""
    # The integrand is meromorphic with poles at +-i; on a ball that holds a pole it is not finite, and is rejected.
    height, end = require_constant(h), require_constant(a)
    integrand = lambda t, _: (-height * height * (1 + t * t) / 2).exp() / (1 + t * t)  # noqa: E731
    return require_finite(acb.integral(integrand, acb(0), acb(end)).real / (2 * arb.pi()))


def _ndtri_exp(log_p: Value) -> Value:
    from symaux.formulas.numeric.balls.functions import ndtri

    return ndtri(log_p.exp())


def lambert_rise(w: Value, d: Value) -> Value:
    """Return W(x exp(d)) - w for w = W(x), on the branch that w is proved to be on."""
    if not (constant_term(w) > -1 or constant_term(w) < -1):
        raise Undecided("W of a ball that reaches its branch point")
    risen = w * (w + d).exp()
    branch = 0 if constant_term(w) > -1 else -1
    if not constant_term(risen) > -arb(-1).exp():
        raise Undecided("W of a ball that reaches its branch point")
    return risen.lambertw(branch) - w


PROBABILITIES: dict[Any, Callable[..., Value]] = {
    special.gammainc: gammainc,
    special.gammaincc: gammaincc,
    special.gammaincinv: gammaincinv,
    special.gammainccinv: gammainccinv,
    special.betainc: betainc,
    special.betaincc: betaincc,
    special.betaincinv: betaincinv,
    special.betainccinv: betainccinv,
    special.student_t_ppf: student_t_ppf,
    special.student_t_cdf: student_t_cdf,
    special.von_mises_cdf: von_mises_cdf,
    special.von_mises_ppf: von_mises_ppf,
    special.owens_t: _owens_t,
    special.ndtri_exp: _ndtri_exp,
    special.lambertw0_of_exp: lambda y: y.exp().lambertw(0),
    special.lambertwm1_of_exp: lambda y: (-y.exp()).lambertw(-1),
    special.lambert_rise: lambert_rise,
    special.log_iv: lambda nu, x: bessel("bessel_i", 1)(nu, x).log(),
    special.log_kv: lambda nu, x: bessel("bessel_k", -1)(nu, x).log(),
    sp.lowergamma: lambda a, x: require_constant(a).gamma() * gammainc(a, x),
    sp.uppergamma: lambda a, x: require_constant(a).gamma() * gammaincc(a, x),
    sp.betainc_regularized: lambda a, b, low, x: _beta_between(a, b, low, x),
    sp.betainc: lambda a, b, low, x: _beta_function(a, b) * _beta_between(a, b, low, x),
}


def _beta_between(a: Value, b: Value, low: Value, x: Value) -> Value:
    below = arb(0) if constant_term(low) == 0 else betainc(a, b, low)
    above = arb(1) if not isinstance(x, arb_series) and x == 1 else betainc(a, b, x)
    return above - below


def _beta_function(a: Value, b: Value) -> arb:
    return (
        require_constant(a).lgamma()
        + require_constant(b).lgamma()
        - (require_constant(a) + require_constant(b)).lgamma()
    ).exp()
