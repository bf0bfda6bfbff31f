r"""The regularised incomplete beta function and its inverse, with exact gradients in both shapes.

With $x/(1-x) = \frac ab e^w$, $n = a + b$ and $m = a/n$ the density of w is log-concave, with its mode at w = 0:

$$I_x(a, b) = C(a, b)\int_{-\infty}^w e^{-n(\log(1 + m(e^v - 1)) - m v)}\,dv,\qquad
C(a, b) = \frac{a^a b^b}{n^n\,B(a, b)}.$$

>>> float(abs(betainc(2.0, 3.0, betaincinv(2.0, 3.0, 0.3)) - 0.3)) < 1e-6
True
>>> float(student_t_ppf(0.75, 1.0)).__round__(5)  # a Cauchy's quartile
1.0
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from symaux.codegen.library.normal import log_ndtr
from symaux.codegen.library.tails import floats, log1mexp, log_less_digamma, negligible, panels, solve_tail, stirling


def log_mixed(x, y, s):
    r"""$\log(y + x e^s)$ and $\log(x + y e^{-s})$, for x + y = 1 and s ≥ 0, each accurate where it is small."""
    few = jnp.log1p(x * jnp.expm1(jnp.minimum(s, 40.0)))
    rising = jnp.where(s < 40.0, few, s + jnp.log(x + y * jnp.exp(-s)))
    falling = jnp.log1p(jnp.minimum(y, 0.5) * jnp.expm1(-s))
    return jnp.where(x <= y, rising, s + falling), jnp.where(x <= y, rising - s, falling)


def bend(x, y, s):
    r"""$\log(1 + x(e^s - 1)) - x s \ge 0$."""
    rising, falling = log_mixed(x, y, s)
    return jnp.where(x <= y, rising - x * s, falling + y * s)


def beta_reach(n, slope, x, y, level):
    """The s at which slope s + n bend(x, y, s) is about ``level``, from above, by Newton's method."""
    ratio = level / (n * x * y)
    start = jnp.minimum(0.5 * (ratio + jnp.sqrt(ratio * (ratio + 8.0))), (level - n * jnp.log(x)) / (slope + n * y))
    start = jnp.minimum(start, level / slope)

    def newton(_, s):
        rise = n * x * y * -jnp.expm1(-s) / (x + y * jnp.exp(-s))
        return s - (slope * s + n * bend(x, y, s) - level) / jnp.maximum(slope + rise, jnp.finfo(s.dtype).tiny)

    return lax.fori_loop(0, 12, newton, start)


def beta_tail(a, b, w):
    """The tail beyond w ≥ 0: log p(w), J, its derivatives in a and b at fixed x, and f'(0)."""
    n, kind = a + b, w.dtype
    m, rest = a / n, b / n
    shrunk = m + rest * jnp.exp(-w)
    x, y = m / shrunk, rest * jnp.exp(-w) / shrunk
    slope = n * m * rest * -jnp.expm1(-w) / shrunk
    shifted = b < 1.0  # by parts: b J(b) = 1 + n y J(b + 1)
    one = jnp.where(shifted, 1.0, 0.0).astype(kind)
    steep, size = slope + one * x, n + one
    s, weights = panels(beta_reach(*lax.stop_gradient((size, steep, x, y, negligible(kind)))))
    rising, falling = log_mixed(x[..., None], y[..., None], s)
    mass = weights * jnp.exp(-steep[..., None] * s - size[..., None] * bend(x[..., None], y[..., None], s))
    j, in_a, in_b = jnp.sum(mass, -1), jnp.sum(-mass * falling, -1), jnp.sum(-mass * rising, -1)
    whole = jnp.where(shifted, (1.0 + n * y * j) / b, j)
    in_b = jnp.where(shifted, (n * y * in_b - (1.0 + a * y * j) / b) / b, in_b)
    in_a = jnp.where(shifted, y * (j + n * in_a) / b, in_a)
    constant = 0.5 * jnp.log(a * rest) - 0.9189385332046727 - stirling(a) - stirling(b) + stirling(n)
    return constant - n * bend(m, rest, w), whole, in_a, in_b, slope


def beta_log_tail_slopes(a, b, w, j, in_a, in_b):
    """The derivatives of the logarithm of the tail beyond w in a and b, at fixed x."""
    rising, falling = log_mixed(a / (a + b), b / (a + b), w)
    both = log_less_digamma(a + b)
    return log_less_digamma(a) - both - falling + in_a / j, log_less_digamma(b) - both - rising + in_b / j


def swapped(lower, a, b):
    """(a, b) for the upper tail, (b, a) for the lower one."""
    return jnp.where(lower, b, a), jnp.where(lower, a, b)


@jax.custom_jvp
@jax.jit
def beta_log_odds(a, b, log_u, log_q):
    """w = logit(x) - log(a/b) with I_x(a, b) = u, from log u and log(1 - u): the smaller of the two tails decides."""
    zero = jnp.zeros_like(a)
    log_density, j, *_ = beta_tail(b, a, zero)
    middle = log_density + jnp.log(j)
    lower = log_u <= middle
    p, q = swapped(lower, a, b)
    target = jnp.where(lower, log_u, log_q)
    drop = jnp.maximum(jnp.where(lower, middle, log1mexp(middle)) - target, jnp.finfo(a.dtype).tiny)
    start = beta_reach(p + q, zero, p / (p + q), q / (p + q), drop)

    def tail(z):
        log_density, j, _, _, slope = beta_tail(p, q, z)
        return log_density + jnp.log(j), j, slope

    z = solve_tail(tail, target, start, jnp.inf)
    return jnp.where(lower, -z, z)


@beta_log_odds.defjvp
@jax.jit
def beta_log_odds_jvp(primals, tangents):
    a, b, log_u, log_q = primals
    w = beta_log_odds(a, b, log_u, log_q)
    lower = w <= 0
    p, q = swapped(lower, a, b)
    _, j, in_p, in_q, _ = beta_tail(p, q, jnp.abs(w))
    in_p, in_q = beta_log_tail_slopes(p, q, jnp.abs(w), j, in_p, in_q)
    in_p, in_q = j * in_p - 1.0 / p, j * in_q + 1.0 / q
    in_a, in_b = jnp.where(lower, -in_q, in_p), jnp.where(lower, -in_p, in_q)
    return w, j * jnp.where(lower, tangents[2], -tangents[3]) + in_a * tangents[0] + in_b * tangents[1]


def logit_betaincinv(a, b, log_u, log_q):
    r"""$\log\frac x{1-x}$ with $I_x(a, b) = u$, from log u and log(1 - u)."""
    a, b, log_u, log_q = floats(a, b, log_u, log_q)
    return jnp.log(a) - jnp.log(b) + beta_log_odds(a, b, log_u, log_q)


@jax.custom_jvp
@jax.jit
def beta_of_ratio(a, b, w):
    """x = 1/(1 + (b/a) exp(-w)), without overflow."""
    size = jnp.exp(-jnp.abs(w))
    return jnp.where(w > 0, a / (a + b * size), a * size / (a * size + b))


@beta_of_ratio.defjvp
@jax.jit
def beta_of_ratio_jvp(primals, tangents):
    a, b, w = primals
    x = beta_of_ratio(a, b, w)
    return x, x * beta_of_ratio(b, a, -w) * (tangents[0] / a - tangents[1] / b + tangents[2])


def betaincinv(a, b, u):
    r"""The x with $I_x(a, b) = u$: the quantile function of Beta(a, b)."""
    a, b, u = floats(a, b, u)
    inside = (u > 0) & (u < 1)
    v = jnp.where(inside, u, 0.5)
    x = beta_of_ratio(a, b, beta_log_odds(a, b, jnp.log(v), jnp.log1p(-v)))
    return jnp.where(inside, x, jnp.where((u == 0) | (u == 1), u, jnp.nan))


def betainccinv(a, b, q):
    r"""The x with $1 - I_x(a, b) = q$, exact however small q is."""
    a, b, q = floats(a, b, q)
    inside = (q > 0) & (q < 1)
    v = jnp.where(inside, q, 0.5)
    x = beta_of_ratio(a, b, beta_log_odds(a, b, jnp.log1p(-v), jnp.log(v)))
    return jnp.where(inside, x, jnp.where((q == 0) | (q == 1), 1.0 - q, jnp.nan))


def beta_of_normal(a, b, eps):
    r"""$I^{-1}_{\Phi(\varepsilon)}(a, b)$, exact in both tails: a Beta(a, b) from a standard normal."""
    a, b, eps = floats(a, b, eps)
    return beta_of_ratio(a, b, beta_log_odds(a, b, log_ndtr(eps), log_ndtr(-eps)))


def logit_beta_of_normal(a, b, eps):
    r"""The logit of $I^{-1}_{\Phi(\varepsilon)}(a, b)$, also where the beta variable is 0 or 1 to all digits."""
    a, b, eps = floats(a, b, eps)
    return jnp.log(a) - jnp.log(b) + beta_log_odds(a, b, log_ndtr(eps), log_ndtr(-eps))


def betainc(a, b, x):
    r"""$I_x(a, b) = \frac1{B(a, b)}\int_0^x t^{a-1}(1-t)^{b-1}\,dt$."""
    a, b, x = floats(a, b, x)
    return jnp.exp(beta_log_tails(a, b, x, 1.0 - x)[0])


def betaincc(a, b, x):
    r"""$1 - I_x(a, b)$."""
    a, b, x = floats(a, b, x)
    return jnp.exp(beta_log_tails(a, b, x, 1.0 - x)[1])


def log_betainc(a, b, x):
    r"""$\log I_x(a, b)$, also where it underflows."""
    a, b, x = floats(a, b, x)
    return beta_log_tails(a, b, x, 1.0 - x)[0]


def log_betaincc(a, b, x):
    r"""$\log(1 - I_x(a, b))$, also where it underflows."""
    a, b, x = floats(a, b, x)
    return beta_log_tails(a, b, x, 1.0 - x)[1]


@jax.custom_jvp
@jax.jit
def beta_log_tails(a, b, x, y):
    """log I_x(a, b) and log(1 - I_x(a, b)), from x and y = 1 - x."""
    w = beta_coordinate(a, b, x, y)
    p, q = swapped(w <= 0, a, b)
    log_density, j, *_ = beta_tail(p, q, jnp.abs(w))
    tail = jnp.minimum(log_density + jnp.log(j), 0.0)
    rest = log1mexp(tail)
    return jnp.where(w <= 0, tail, rest), jnp.where(w <= 0, rest, tail)


@beta_log_tails.defjvp
@jax.jit
def beta_log_tails_jvp(primals, tangents):
    a, b, x, y = primals
    w = beta_coordinate(a, b, x, y)
    lower = w <= 0
    p, q = swapped(lower, a, b)
    log_density, j, in_p, in_q, _ = beta_tail(p, q, jnp.abs(w))
    in_p, in_q = beta_log_tail_slopes(p, q, jnp.abs(w), j, in_p, in_q)
    in_a, in_b = jnp.where(lower, in_q, -in_p), jnp.where(lower, in_p, -in_q)
    log_p, log_q = beta_log_tails(a, b, x, y)
    tiny = jnp.finfo(x.dtype).tiny
    odds = tangents[2] / jnp.maximum(x, tiny) - tangents[3] / jnp.maximum(y, tiny)
    change = j * (in_a * tangents[0] + in_b * tangents[1]) + odds  # of I, over the density of the log odds
    return (log_p, log_q), (change * jnp.exp(log_density - log_p), -change * jnp.exp(log_density - log_q))


def beta_coordinate(a, b, x, y):
    """log(x/y) - log(a/b), accurate near the mode and finite at both ends."""
    tiny = jnp.finfo(x.dtype).tiny
    left, right = b * x, a * y
    near = jnp.abs(left - right) < 0.5 * right
    gap = (b * x - a * y) / jnp.where(near, right, 1.0)
    far = jnp.log(jnp.maximum(x, tiny)) - jnp.log(jnp.maximum(y, tiny)) - jnp.log(a) + jnp.log(b)
    return jnp.where(near, jnp.log1p(jnp.where(near, gap, 0.0)), far)


def student_t_cdf(t, df):
    r"""The distribution function of Student's t: $\nu/(\nu + t^2)$ is a Beta(ν/2, ½)."""
    t, df = floats(t, df)
    tail = 0.5 * jnp.exp(student_t_log_tails(t, df)[0])
    return jnp.where(t < 0, tail, 1.0 - tail)


def student_t_log_tails(t, df):
    """The logarithms of the probabilities outside and inside of (-|t|, |t|)."""
    square = jnp.square(t) / df
    return beta_log_tails(0.5 * df, jnp.full_like(df, 0.5), 1.0 / (1.0 + square), square / (1.0 + square))


def student_t_of_student_t(df, t, other):
    """The t with ``df`` degrees of freedom that has the level of the given one with ``other`` ones, exact in both tails."""
    df, t, other = floats(df, t, other)
    median = t == 0
    away = jnp.where(median, 1.0, t)
    beyond, within = student_t_log_tails(away, other)
    found = student_t_between(df, jnp.sign(away) * jnp.exp(within), beyond)
    return jnp.where(median, t * jnp.exp(student_t_log_mode(other) - student_t_log_mode(df)), found)


def student_t_ppf(u, df):
    r"""The quantile function of Student's t: $t^2/\nu$ is the odds of a Beta(½, ν/2)."""
    u, df = floats(u, df)
    inside = (u > 0) & (u < 1)
    v = jnp.where(inside, u, 0.5)
    ends = jnp.where(u == 0, -jnp.inf, jnp.where(u == 1, jnp.inf, jnp.nan)).astype(u.dtype)
    beyond = jnp.log(2.0 * jnp.where(v < 0.5, v, 1.0 - v))
    return jnp.where(inside, student_t_between(df, 2.0 * v - 1.0, beyond), ends)


def student_t_between(df, within, beyond):
    """The t with probability ``within`` between -t and t, with the sign of t, and exp(beyond) outside."""
    median = within == 0
    log_within = jnp.log(jnp.where(median, 0.5, jnp.abs(within)))
    w = beta_log_odds(jnp.full_like(df, 0.5), 0.5 * df, log_within, jnp.where(median, -0.6931471805599453, beyond))
    return jnp.where(median, 0.5 * within * jnp.exp(-student_t_log_mode(df)), jnp.sign(within) * jnp.exp(0.5 * w))


def student_t_log_mode(df):
    """The logarithm of the density at zero."""
    return special.gammaln(0.5 * df + 0.5) - special.gammaln(0.5 * df) - 0.5 * jnp.log(3.141592653589793 * df)


def student_t_of_normal(df, eps):
    r"""Student's t quantile at $\Phi(\varepsilon)$, exact in both tails and near the median."""
    df, eps = floats(df, eps)
    within = special.erf(0.7071067811865476 * eps)
    return student_t_between(df, within, 0.6931471805599453 + log_ndtr(-jnp.abs(eps)))
