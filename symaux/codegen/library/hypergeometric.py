r"""The logarithm of ${}_pF_q(a; b; x)$ for $p \le q$, positive parameters and $x \ge 0$, with gradients in all of them.

$$\sum_{k\ge0} T_k,\qquad \frac{T_{k+1}}{T_k} = \frac{\prod_i(a_i + k)}{\prod_i(b_i + k)}\,\frac x{k+1}.$$

All terms are positive. They are added outwards from the last peak, 400 to either side; where that does not reach the end of
what counts, the answer is not a number.

>>> float(log_hyper((2.0,), (2.0,), 3.0)).__round__(5)  # exp(3)
3.0
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from symaux.codegen.library.tails import floats

HYPER_TERMS = 400


def log_hyper(above, below, x):
    """The logarithm of the function with the parameters ``above`` and ``below`` at x."""
    *shapes, x = floats(*above, *below, x)
    return outward_log_hyper(tuple(shapes[: len(above)]), tuple(shapes[len(above) :]), x)


@jax.jit
def outward_log_hyper(above, below, x):
    """The sum from the largest term outwards, on the scale of that term."""
    large, first = x > 1e-30, x
    for a in above:
        first = first * a
    for b in below:
        first = first / b
    x = jnp.where(large, x, 1.0)
    peak = hyper_peak(*lax.stop_gradient((above, below, x)))

    def ratio(k):
        top, bottom = x, k + 1.0
        for a in above:
            top = top * (a + k)
        for b in below:
            bottom = bottom * (b + k)
        return top, bottom

    def outwards(number, state):
        total, up, down = state
        top, bottom = ratio(peak + number)
        up = up * top / bottom
        k = peak - 1.0 - number
        top, bottom = ratio(jnp.maximum(k, 0.0))
        down = jnp.where(k < 0, 0.0, down) * bottom / top
        return total + up + down, up, down

    one = jnp.ones_like(x)
    total, up, down = lax.fori_loop(0, HYPER_TERMS, outwards, (one, one, one))
    largest = peak * jnp.log(x) - special.gammaln(peak + 1.0)
    for a in above:
        largest = largest + special.gammaln(a + peak) - special.gammaln(a)
    for b in below:
        largest = largest - special.gammaln(b + peak) + special.gammaln(b)
    enough = HYPER_TERMS * jnp.maximum(up, down) < jnp.finfo(x.dtype).eps * total
    return jnp.where(large, jnp.where(enough, largest + jnp.log(total), jnp.nan), first)


def hyper_peak(above, below, x):
    """The last k at which the terms still grow, on a grid and then by bisection; 0 where they never do."""

    def grows(k):
        found = jnp.log(x) - jnp.log1p(k)
        for a in above:
            found = found + jnp.log(a + k)
        for b in below:
            found = found - jnp.log(b + k)
        return found > 0

    def climb(number, last):
        k = jnp.floor(jnp.exp2(0.25 * number))
        return jnp.where(grows(k), k, last)

    def halve(_, ends):
        low, high = ends
        middle = 0.5 * (low + high)
        return jnp.where(grows(middle), middle, low), jnp.where(grows(middle), high, middle)

    low = lax.fori_loop(0, 100, climb, jnp.zeros_like(x))
    low, _ = lax.fori_loop(0, 30, halve, (low, 1.3 * low + 2.0))
    return jnp.floor(low)
