"""Compute distribution functions and their inverses at any precision by mpmath: slow, and independent of the generated code.

>>> mp.nstr(gamma_quantile(1, mp.mpf("0.5")), 15) == mp.nstr(mp.log(2), 15)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp

FAR = mp.mpf(2) ** 60  # on the logarithmic scales of this module, beyond all numbers

NEAR = mp.mpf(2) ** -48  # a step this small ends the first search; a smaller one is noise of its sixty bits

Number = Any
Real = Callable[[Number], Number]


def gamma_lower(a: Number, x: Number) -> Number:
    return mp.gammainc(a, 0, x, regularized=True)


def gamma_upper(a: Number, x: Number) -> Number:
    return mp.gammainc(a, x, mp.inf, regularized=True)


def beta_lower(a: Number, b: Number, x: Number, y: Number) -> Number:
    """Return I_x(a, b), with y = 1 - x given to full accuracy."""
    return mp.betainc(a, b, 0, x, regularized=True) if x < 0.5 else 1 - mp.betainc(b, a, 0, y, regularized=True)


def von_mises_lower(x: Number, kappa: Number) -> Number:
    """Return the von Mises distribution function by quadrature, over pieces of the length on which the density changes."""
    if x > 0:
        return 1 - von_mises_lower(-x, kappa)
    scale = 1 / mp.sqrt(1 + kappa)
    steep = 1 / (1 + kappa * mp.sin(-x))
    inside = [x - k * steep for k in (1, 4, 16, 64)] + [-k * scale for k in (1, 3, 9, 27)]
    tail = _integral(lambda t: mp.exp(kappa * (mp.cos(t) - mp.cos(x))), -mp.pi, x, inside)
    half = _integral(lambda t: mp.exp(kappa * (mp.cos(t) - 1)), -mp.pi, mp.mpf(0), inside)
    return tail * mp.exp(kappa * (mp.cos(x) - 1)) / (2 * half)


def _integral(f: Real, low: Number, high: Number, inside: list[Number]) -> Number:
    return mp.quad(f, sorted({low, high, *(t for t in inside if low < t < high)}))


def gamma_quantile(a: Number, u: Number) -> Number:
    return mp.exp(_solve(lambda t: gamma_lower(a, mp.exp(t)), lambda t: gamma_upper(a, mp.exp(t)), u))


def gamma_upper_quantile(a: Number, q: Number) -> Number:
    return mp.exp(-_solve(lambda t: gamma_upper(a, mp.exp(-t)), lambda t: gamma_lower(a, mp.exp(-t)), q))


def beta_quantile(a: Number, b: Number, u: Number) -> Number:
    return 1 / (1 + mp.exp(-_beta_log_odds(a, b, u)))


def beta_upper_quantile(a: Number, b: Number, q: Number) -> Number:
    return 1 / (1 + mp.exp(_beta_log_odds(b, a, q)))


def log_gamma_quantile(a: Number, log_u: Number, log_q: Number) -> Number:
    """Return log x by the smaller of the two tails."""
    if log_u < log_q:
        return _solve(lambda t: gamma_lower(a, mp.exp(t)), lambda t: gamma_upper(a, mp.exp(t)), mp.exp(log_u))
    return -_solve(lambda t: gamma_upper(a, mp.exp(-t)), lambda t: gamma_lower(a, mp.exp(-t)), mp.exp(log_q))


def logit_beta_quantile(a: Number, b: Number, log_u: Number, log_q: Number) -> Number:
    """Return log(x/(1 - x)) by the smaller of the two tails."""
    return _beta_log_odds(a, b, mp.exp(log_u)) if log_u < log_q else -_beta_log_odds(b, a, mp.exp(log_q))


def _beta_log_odds(a: Number, b: Number, u: Number) -> Number:
    def below(t: Number) -> Number:
        return beta_lower(a, b, 1 / (1 + mp.exp(-t)), 1 / (1 + mp.exp(t)))

    return _solve(below, lambda t: beta_lower(b, a, 1 / (1 + mp.exp(t)), 1 / (1 + mp.exp(-t))), u)


def student_t_lower(t: Number, df: Number) -> Number:
    """Return Student's distribution function from that of a Beta(df/2, 1/2)."""
    tail = beta_lower(df / 2, mp.mpf(1) / 2, df / (df + t * t), t * t / (df + t * t)) / 2
    return tail if t < 0 else 1 - tail


def student_t_quantile(u: Number, df: Number) -> Number:
    """Return Student's quantile from the odds of a Beta(1/2, df/2)."""
    if u == 0.5:
        return mp.mpf(0)
    size = mp.sqrt(df) * mp.exp(-_beta_log_odds(df / 2, mp.mpf(1) / 2, 2 * min(u, 1 - u)) / 2)
    return -size if u < 0.5 else size


def von_mises_quantile(u: Number, kappa: Number) -> Number:
    if u > 0.5:
        return -von_mises_quantile(1 - u, kappa)
    return 2 * mp.atan(_solve(lambda t: von_mises_lower(2 * mp.atan(t), kappa), lambda t: mp.mpf(1), u))


def normal_log_quantile(log_p: Number) -> Number:
    """Return the x with log Phi(x) = log_p."""
    if log_p > -mp.log(2):
        return -normal_log_quantile(mp.log(-mp.expm1(log_p)))
    return _solve(mp.ncdf, lambda t: mp.ncdf(-t), mp.exp(log_p))


def omega(y: Number) -> Number:
    """Return w = W_0(exp(y)), from w + log(w) = y."""
    return mp.exp(_root(lambda v: v + mp.exp(v) - y))


def other_omega(y: Number) -> Number:
    """Return w = W_{-1}(-exp(y)), from w + log(-w) = y."""
    return -mp.exp(_root(lambda v: mp.exp(v) - v + y if v > 0 else v + y)) if y < -1 else mp.mpf(-1)


def owen(h: Number, a: Number) -> Number:
    steps = [a * k / 8 for k in range(9)]
    return mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), steps) / (2 * mp.pi)


def _solve(lower: Real, upper: Real, u: Number) -> Number:
    """Return the t at which an increasing distribution function is u, by the smaller tail and its logarithm."""
    if mp.im(u) or not 0 <= mp.re(u) <= 1:
        raise ValueError(f"{mp.nstr(u, 10)} is not a probability")
    if u in (0, 1):
        return mp.inf if u == 1 else -mp.inf
    if u <= 0.5:
        return _root(lambda t: _log(lower(t)) - mp.log(u))
    return _root(lambda t: mp.log(1 - u) - _log(upper(t)))


def _log(p: Number) -> Number:
    return mp.log(p) if p > 0 else mp.mpf("-1e30")


def _root(f: Real) -> Number:
    """Return the zero of an increasing function: a bracket by doubling, a safeguarded secant method, then all the
    digits."""
    with mp.workprec(min(mp.mp.prec, 60)):
        step, low, high = mp.mpf(1), mp.mpf(-1), mp.mpf(1)
        while f(low) > 0 and step < FAR:
            low, high, step = low - step, low, 2 * step
        while f(high) < 0 and step < FAR:
            low, high, step = high, high + step, 2 * step
        if step >= FAR:
            raise ValueError("no zero within reach")
        near = mp.findroot(f, (low, high), solver="anderson", tol=NEAR, maxsteps=400, verify=False)
    pair = near, near + (abs(near) + mp.mpf(2) ** -40) * mp.mpf(2) ** -45
    return mp.findroot(f, pair, solver="secant", tol=mp.eps**2, maxsteps=20, verify=False)
