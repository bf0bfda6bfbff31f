r"""Tails of distributions: a fixed rule for $\int_0^S e^{-f(s)}\,ds$, and the inverse of a tail.

A tail beyond z is $T(z) = p(z)\,J(z)$ with $J(z) = \int_0^\infty e^{-f(s)}\,ds$, $f(s) = \log p(z) - \log p(z + s)$.
All terms are positive, so that nothing cancels however small the tail; $(\log T)' = -1/J$ drives Halley's iteration.

>>> import jax.numpy as jnp
>>> s, weights = panels(jnp.asarray(40.0))
>>> bool(abs(jnp.sum(weights * jnp.exp(-s)) - 1) < 1e-6)
True
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax
from jax.scipy import special

LEGENDRE_NODES = (
    0.0013680690752592183, 0.007194244227365833, 0.017618872206246784, 0.03254696203113015, 0.05183942211697394,
    0.07531619313371501, 0.1027581020160288, 0.13390894062985517, 0.1684778665348924, 0.20614212137961885,
    0.2465500455338853, 0.2893243619346823, 0.33406569885893617, 0.38035631887393145, 0.42776401920860174,
    0.4758461671561308, 0.5241538328438692, 0.5722359807913983, 0.6196436811260685, 0.6659343011410638,
    0.7106756380653176, 0.7534499544661147, 0.7938578786203812, 0.8315221334651076, 0.8660910593701449,
    0.8972418979839712, 0.9246838068662849, 0.9481605778830261, 0.9674530379688698, 0.9823811277937532,
    0.9928057557726342, 0.9986319309247408,
)  # fmt: skip
LEGENDRE_WEIGHTS = (
    0.003509305004735048, 0.008137197365452835, 0.01269603265463103, 0.017136931456510716, 0.02141794901111334,
    0.025499029631188087, 0.029342046739267772, 0.032911111388180925, 0.03617289705442425, 0.039096947893535156,
    0.041655962113473374, 0.043826046502201906, 0.045586939347881945, 0.04692219954040228, 0.04781936003963743,
    0.0482700442573639, 0.0482700442573639, 0.04781936003963743, 0.04692219954040228, 0.045586939347881945,
    0.043826046502201906, 0.041655962113473374, 0.039096947893535156, 0.03617289705442425, 0.032911111388180925,
    0.029342046739267772, 0.025499029631188087, 0.02141794901111334, 0.017136931456510716, 0.01269603265463103,
    0.008137197365452835, 0.003509305004735048,
)  # fmt: skip


def floats(*values):
    """The values as arrays of one shape and one floating type; whole numbers take the type of the others."""
    kinds = [v for v in values if jnp.issubdtype(jnp.result_type(v), jnp.floating)]
    kind = jnp.result_type(float, *kinds)
    return jnp.broadcast_arrays(*(jnp.asarray(v).astype(kind) for v in values))


def panels(end):
    """Nodes and weights on (0, end), along a last axis: two panels, since tails bend near their beginning."""
    nodes, weights = jnp.asarray(LEGENDRE_NODES, end.dtype), jnp.asarray(LEGENDRE_WEIGHTS, end.dtype)
    nodes = jnp.concatenate([0.2 * nodes, 0.2 + 0.8 * nodes])
    weights = jnp.concatenate([0.2 * weights, 0.8 * weights])
    return end[..., None] * nodes, end[..., None] * weights


def negligible(kind):
    """The exponent L at which exp(-L) no longer counts."""
    return 2.0 - jnp.log(jnp.finfo(kind).eps)


def log1mexp(x):
    r"""$\log(1 - e^x)$ for x ≤ 0."""
    near = x > -0.6931471805599453
    return jnp.where(near, jnp.log(-jnp.expm1(jnp.where(near, x, -1.0))), jnp.log1p(-jnp.exp(jnp.where(near, -1.0, x))))


def log1mexp_of_exp(y):
    r"""$\log(1 - e^{-e^y})$: y far down and 0 far up, where $e^y$ may be too small or too large for a number."""
    (y,) = floats(y)
    near = jnp.abs(y) < 40.0
    return jnp.where(near, log1mexp(-jnp.exp(jnp.where(near, y, 0.0))), jnp.minimum(y, 0.0))


def expm1mx(x):
    r"""$e^x - 1 - x$, to full relative accuracy."""
    near = jnp.abs(x) < 0.7
    small = jnp.where(near, x, 0.0)
    series = jnp.ones_like(x)
    for k in range(17, 2, -1):
        series = 1.0 + series * small / k
    return jnp.where(near, 0.5 * jnp.square(small) * series, jnp.expm1(x) - x)


def stirling(a):
    r"""$\log\Gamma(a) - (a - \frac12)\log a + a - \frac12\log 2\pi$."""
    large, small = jnp.maximum(a, 10.0), jnp.minimum(a, 10.0)
    r = 1.0 / large
    s = jnp.square(r)
    series = 0.0
    for c in (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        series = series * s + c
    direct = special.gammaln(small) - (small - 0.5) * jnp.log(small) + small - 0.9189385332046727
    return jnp.where(a > 10.0, series * r, direct)


def log_less_digamma(a):
    r"""$\log a - \psi(a)$."""
    large, small = jnp.maximum(a, 10.0), jnp.minimum(a, 10.0)
    r = 1.0 / large
    s = jnp.square(r)
    series = 0.0
    for c in (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
        series = (series + c) * s
    return jnp.where(a > 10.0, series + 0.5 * r, jnp.log(small) - special.digamma(small))


def solve_tail(tail, target, start, end):
    """The z in (0, end) at which the logarithm of a tail is ``target``; ``tail`` gives that, J and f'(0) at z."""
    goal = jnp.finfo(target.dtype).eps ** (1 / 3)  # the step that is taken from there is cubic

    def unfinished(state):
        count, _, _, _, residual = state
        return (count < 60) & jnp.any(jnp.abs(residual) > goal)

    def refine(state):
        count, z, low, high, _ = state
        log_tail, j, slope = tail(z)
        residual = log_tail - target
        low, high = jnp.where(residual > 0, z, low), jnp.where(residual > 0, high, z)
        step = z + j * residual / jnp.clip(1.0 + 0.5 * residual * (1.0 - slope * j), 0.5, 4.0)
        settled = ((step >= low) & (step <= high)) | (jnp.abs(residual) <= goal)
        middle = jnp.where(jnp.isinf(high), 2.0 * low + 1.0, 0.5 * (low + high))
        return count + 1, jnp.where(settled, jnp.clip(step, low, high), middle), low, high, residual

    begin = (0, start, jnp.zeros_like(start), jnp.broadcast_to(end, start.shape), jnp.full_like(start, jnp.inf))
    return lax.while_loop(unfinished, refine, begin)[1]
