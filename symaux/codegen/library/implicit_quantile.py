r"""The quantile of any density on the line: $F(t; \theta) = u$ solved for t, with exact gradients.

The bulk of the density is found, and $F$ is integrated by Gauss–Legendre panels in $x$ with $t = m + s\sinh x$, from
whichever end is nearer. Where the formula has corners (``breaks``), panels end there. Newton's method runs inside one
panel and cannot leave it; then the mass beyond the answer is integrated anew, with panels as wide as the density falls
there, and the answer moved by what is missing, so that far tails keep their digits. Gradients come from
$\partial t/\partial u = 1/p$ and $\partial t/\partial\theta = -\partial_\theta F/p$, never from the iteration. Where the
density does not integrate to one, the answer is not a number. Bounded laws are moved to the line before they come here.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

GAUSS_NODES = (
    0.005299532504175031, 0.0277124884633837, 0.06718439880608412, 0.1222977958224985,
    0.19106187779867811, 0.2709916111713863, 0.35919822461037054, 0.4524937450811813,
    0.5475062549188188, 0.6408017753896295, 0.7290083888286136, 0.8089381222013219,
    0.8777022041775016, 0.9328156011939159, 0.9722875115366163, 0.994700467495825,
)  # fmt: skip
GAUSS_WEIGHTS = (
    0.013576229705877088, 0.031126761969323728, 0.0475792558412463, 0.062314485627767036,
    0.07479799440828835, 0.08457825969750132, 0.09130170752246182, 0.09472530522753432,
    0.09472530522753432, 0.09130170752246182, 0.08457825969750132, 0.07479799440828835,
    0.062314485627767036, 0.0475792558412463, 0.031126761969323728, 0.013576229705877088,
)  # fmt: skip
PANEL_EDGES = (
    *(0.25 * k for k in range(25)),
    *(6.0 + 0.5 * k for k in range(1, 19)),
    *(15.0 + 3.0 * k for k in range(1, 16)),
    *(60.0 + 4.5 * k for k in range(1, 65)),
)  # sinh reaches the largest doubles

FAINTEST = -2000.0  # a log-density below which there is no mass, whatever its slopes
TAIL = 0.05  # levels below are looked at again from where they are


def bulk(density, dtype):
    """Where the bulk of a density on the line is: its peak, and its widths to the left and to the right."""
    height = seen(density)
    reach = jnp.sinh(jnp.linspace(-40.0, 40.0, 1601, dtype=dtype))
    middle = reach[jnp.argmax(height(reach))]
    radius = jnp.maximum(jnp.abs(middle), 1.0) * 0.2
    for _ in range(14):
        near = middle + radius * jnp.linspace(-1.0, 1.0, 33, dtype=dtype)
        middle, radius = near[jnp.argmax(height(near))], radius / 8
    return middle, width(height, middle, -1.0, 1.0), width(height, middle, 1.0, 1.0)


def seen(density):
    """A log-density with nothing where it has no value."""

    def height(t):
        value = density(t)
        return jnp.where(jnp.isnan(value), -jnp.inf, value)

    return height


def width(height, middle, sign, unit):
    """How far from a point a log-density has fallen by a half."""
    steps = unit * jnp.exp2(jnp.linspace(-40.0, 16.0, 225, dtype=middle.dtype))
    fallen = height(middle[None]) - height(middle + sign * steps) > 0.5
    return steps[jnp.argmax(fallen)] + jnp.where(jnp.any(fallen), 0.0, steps[-1])


def spread(x, middle, left, right):
    """t = m + s sinh x, with the width of its side, and dt/dx."""
    s = jnp.where(x < 0, left, right)
    return middle + s * jnp.sinh(x), s * jnp.cosh(x)


def panel_mass(density, place, start, stop):
    """The integral of a density over x from start to stop, by one Gauss-Legendre panel; 0 where it has no value."""
    x = start + (stop - start) * jnp.asarray(GAUSS_NODES, dtype=jnp.result_type(start))
    t, slope = spread(x, *place)
    faint = ~(lax.stop_gradient(density(jnp.where(jnp.isfinite(t), t, 0.0))) > FAINTEST)
    usable = jnp.isfinite(t) & jnp.isfinite(slope) & ~faint
    height = density(jnp.where(usable, t, place[0]))
    values = jnp.where(usable, jnp.exp(height) * jnp.where(usable, slope, 0.0), 0.0)
    return (stop - start) * jnp.sum(values * jnp.asarray(GAUSS_WEIGHTS, dtype=values.dtype))


def panel_edges(dtype, place, corners):
    """The ends of the panels, short ones over the bulk and longer ones over the tails; and at corners."""
    middle, left, right = place
    outwards = jnp.asarray(PANEL_EDGES, dtype=dtype)
    edges = jnp.concatenate([-outwards[:0:-1], outwards])
    if corners is None:
        return edges
    x = jnp.arcsinh((corners - middle) / jnp.where(corners < middle, left, right))
    return jnp.sort(jnp.concatenate([edges, jnp.where(jnp.isfinite(x), jnp.clip(x, edges[0], edges[-1]), 0.0)]))


def solve_quantile(log_density, breaks, u, v, *parameters):
    """t with F(t) = u = 1 - v, for scalars."""

    def density(t):
        return log_density(t, *parameters)

    place = bulk(density, u.dtype)
    edges = panel_edges(u.dtype, place, breaks and breaks(*parameters))
    masses = jax.vmap(lambda start, stop: panel_mass(density, place, start, stop))(edges[:-1], edges[1:])
    below = jnp.concatenate([jnp.zeros(1, u.dtype), jnp.cumsum(masses)])
    above = jnp.concatenate([jnp.cumsum(masses[::-1])[::-1], jnp.zeros(1, u.dtype)])
    total = below[-1]
    low, level = u < v, jnp.minimum(u, v) * total
    k = jnp.where(low, jnp.sum(below[1:-1] <= level), jnp.sum(above[1:-1] >= level))
    goal = level - jnp.where(low, below[k], above[k + 1])
    start, stop = edges[k], edges[k + 1]

    def improve(_, state):
        x, left, right = state
        gap = jnp.where(low, panel_mass(density, place, start, x) - goal, goal - panel_mass(density, place, x, stop))
        left, right = jnp.where(gap < 0, x, left), jnp.where(gap < 0, right, x)
        t, slope = spread(x, *place)
        newton = x - gap / (jnp.exp(density(t[None])[0]) * slope)
        inside = (newton > left) & (newton < right)
        return jnp.where(inside, newton, (left + right) / 2), left, right

    x, _, _ = lax.fori_loop(0, 40, improve, ((start + stop) / 2, start, stop))
    proper = jnp.abs(total - 1) < jnp.finfo(u.dtype).eps ** 0.375
    t = settle(density, breaks and breaks(*parameters), low, jnp.minimum(u, v), spread(x, *place)[0])
    return jnp.where(proper & (u > 0) & (v > 0), t, jnp.nan)


def settle(density, corners, low, level, t):
    """A quantile far out moved until the mass beyond it is the level, by Newton's method for its logarithm."""

    def improve(_, t):
        beyond = mass_beyond(density, place_at(density, low, t), corners, low, t)
        step = jnp.log(beyond / level) * beyond / jnp.exp(density(t[None])[0])
        sure = (level < TAIL) & (jnp.abs(beyond / level - 1) < 1e-3) & jnp.isfinite(step)
        return t + jnp.where(sure, jnp.where(low, -step, step), 0.0)

    return lax.fori_loop(0, 2, improve, t)


def place_at(density, low, t):
    """A place for panels that begin at t: as wide as the density falls there, outwards."""
    fall = width(seen(density), t, jnp.where(low, -1.0, 1.0), jnp.maximum(1.0, jnp.abs(t)))
    return t, fall, fall


def mass_beyond(density, place, corners, low, t):
    """The mass below t, or above it where that is smaller."""
    middle, left, right = place
    end = jnp.arcsinh((t - middle) / jnp.where(t < middle, left, right))
    edges = lax.stop_gradient(panel_edges(jnp.result_type(t), place, corners))
    edges = jnp.where(low, jnp.minimum(edges, end), jnp.maximum(edges, end))
    return jnp.sum(jax.vmap(lambda start, stop: panel_mass(density, place, start, stop))(edges[:-1], edges[1:]))


def mass_before(log_density, breaks, u, v, t, *parameters):
    """The mass below t (or minus the mass above it, where that is smaller), for scalars; differentiable."""

    def density(t):
        return log_density(t, *parameters)

    low, level, corners = u < v, jnp.minimum(u, v), breaks and breaks(*parameters)
    near, wide = (lax.stop_gradient(place) for place in (place_at(density, low, t), bulk(density, t.dtype)))
    found = lax.stop_gradient(mass_beyond(density, near, corners, low, t))
    sure = (level < TAIL) & (jnp.abs(found / level - 1) < 1e-6)
    place = tuple(jnp.where(sure, a, b) for a, b in zip(near, wide, strict=True))
    beyond = mass_beyond(density, place, corners, low, t)
    return jnp.where(low, beyond, -beyond)


@lambda function: jax.custom_jvp(function, nondiff_argnums=(0, 1))
def implicit_quantile(log_density, breaks, u, v, *parameters):
    """The u-quantile of a density on the line, given as log_density(t, *parameters); v is 1 - u, with its own digits.

    ``breaks(*parameters)`` are the corners of the density, in no order; None where it has none.
    """
    given = [jnp.asarray(x) for x in (u, v, *parameters)]
    dtype = jnp.result_type(*(x.dtype for x in given))
    return jnp.vectorize(lambda *scalars: solve_quantile(log_density, breaks, *scalars))(
        *(x.astype(dtype) for x in given)
    )


@implicit_quantile.defjvp
def implicit_quantile_jvp(log_density, breaks, primals, tangents):
    """dt = (du - dF) / p, with dF the change of the mass below t as the parameters move."""
    u, v, *parameters = primals
    u_dot, _, *parameters_dot = tangents
    t = implicit_quantile(log_density, breaks, u, v, *parameters)
    density = jnp.exp(log_density(t, *parameters))
    if not parameters:
        return t, u_dot / density
    mass = jnp.vectorize(lambda *scalars: mass_before(log_density, breaks, *scalars))
    _, moved = jax.jvp(lambda *given: mass(u, v, t, *given), tuple(parameters), tuple(parameters_dot))
    return t, (u_dot - moved) / density
