"""Small JAX functions that generated modules carry with them, only those that they use, as they stand here."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import core, lax, random
from jax.scipy import special

SHAPES: dict = {}
SIZES: dict = {}
INDICES: frozenset = frozenset()


def read(name, position, data):
    """A variable by name: numbers as floats, indices as whole numbers."""
    if name not in position and name not in data:
        raise KeyError(f"{name} is neither in the position nor in the data")
    value = jnp.asarray(position[name] if name in position else data[name])
    if name in INDICES and not jnp.issubdtype(value.dtype, jnp.integer):
        check(value == jnp.floor(value), f"{name} picks elements, so it must hold whole numbers")
        return value.astype(int)
    wide = jnp.issubdtype(value.dtype, jnp.floating) and value.dtype.itemsize > 2  # half precision would overflow
    return value if name in INDICES or wide else value.astype(float)


def check(holds, message):
    """Raises where a condition on the data is known to fail; says nothing under a transformation."""
    if not isinstance(holds, core.Tracer) and not bool(jnp.all(holds)):
        raise ValueError(message)


def gate(inside, *values):
    """The values, which let gradients through only inside: outside, the gradient of a log-density of -inf is 0, not NaN."""
    return tuple(jnp.where(inside, value, lax.stop_gradient(value)) for value in values)


def lengths(data):
    """The length of every plate, from the model and from the shapes of the data."""
    sizes = dict(SIZES)
    for name, value in data.items():
        shape = jnp.shape(value)
        if name not in SHAPES:
            continue
        if len(shape) != len(SHAPES[name]):
            raise ValueError(f"{name} has shape {shape}, but its plates are {SHAPES[name]}")
        for plate, length in zip(SHAPES[name], shape, strict=True):
            if sizes.setdefault(plate, length) != length:
                raise ValueError(f"{name} has length {length} along {plate}, but the others have {sizes[plate]}")
    return sizes


def mixed(exponents, weights):
    """log(sum(weight * exp(exponent))) without overflow."""
    together = jnp.broadcast_arrays(*map(jnp.asarray, (*exponents, *weights)))
    exponents, weights = jnp.stack(together[: len(exponents)]), jnp.stack(together[len(exponents) :])
    return special.logsumexp(exponents, axis=0, b=weights)


def log_softmax_at(logits, index):
    """A logit at an index along the last axis, less the logarithm of their sum of exponentials; a mask, so no scatter."""
    picked = jnp.arange(logits.shape[-1]) == index[..., None]
    return jnp.sum(jnp.where(picked, logits, 0), axis=-1) - special.logsumexp(logits, axis=-1)


def total(values):
    """The sum of all elements, as a product with ones along the last axis: that leaves the elements to one fast loop."""
    ones = jnp.ones(values.shape[-1], values.dtype)
    return jnp.sum(jnp.matmul(values, ones, precision="highest"))


def contracted(weights, values):
    """The sum over k of weights[k, …] * values[k, …] as one product of two matrices, as its gradients are then too."""
    rows, columns = weights.reshape(len(weights), -1), values.reshape(len(values), -1)
    return (rows.T @ columns).reshape(weights.shape[1:] + values.shape[1:])


def blocked_scan(step, start, inputs, length=None):
    """A scan in about √T blocks, whose insides are computed again for a gradient: what it keeps grows with √T."""
    length = jax.tree.leaves(inputs)[0].shape[0] if length is None else length
    size = max(1, int(length**0.5))
    cut = length - length % size

    def block(carry, given):
        return lax.scan(step, carry, given, length=size)

    blocks = jax.tree.map(lambda x: x[:cut].reshape(cut // size, size, *x.shape[1:]), inputs)
    carry, most = lax.scan(jax.checkpoint(block), start, blocks, length=cut // size)
    carry, last = lax.scan(step, carry, jax.tree.map(lambda x: x[cut:], inputs), length=length - cut)
    return carry, jax.tree.map(lambda x, y: jnp.concatenate([x.reshape(cut, *x.shape[2:]), y]), most, last)


def blocked_sum(step, terms, start, before, inputs, arrays, length):
    """The sum over time of what terms make of a scan, in about √T blocks that are computed again for a gradient.

    Kept are the states between blocks, about √T of them: no array over time but those that are given.
    """
    first = len(before[0])
    size = max(1, int((length - first) ** 0.5))
    short = first + (length - first) % size

    def cut(x, place):
        return x[place:].reshape(-1, size, *x.shape[1:])

    def block(carry, given):
        state, total = carry
        state, made = lax.scan(step, state, given[0], length=size)
        return (state, total + terms(made, given[1])), None

    state, made = lax.scan(step, start, jax.tree.map(lambda x: x[: short - first], inputs), length=short - first)
    made = jax.tree.map(lambda x, *fixed: jnp.concatenate([jnp.stack(fixed), x]), made, *zip(*before, strict=True))
    total = terms(made, jax.tree.map(lambda x: x[:short], arrays))
    rest = jax.tree.map(lambda x: cut(x, short - first), inputs), jax.tree.map(lambda x: cut(x, short), arrays)
    return lax.scan(jax.checkpoint(block), (state, total), rest, length=(length - short) // size)[0][1]


def affine_steps(start, factors, shifts):
    """z_t = factor_t * z_{t-1} + shift_t for all t, from z_0 = start, by a prefix sum."""

    def join(first, second):
        return second[0] * first[0], second[0] * first[1] + second[1]

    scale, moved = lax.associative_scan(join, (factors, shifts))
    return scale * start + moved


def discrete_quantile(u, log_mass, lower, upper):
    """The least whole number whose distribution function reaches u; not a number if that is more than 2**20 steps up.

    The walk starts at the lower end and sees up to 64 numbers at a time. Where rounding leaves the sum of all masses below
    u, it ends at the last number that added to it.
    """
    eps, width = jnp.finfo(u.dtype).eps, max(1, min(64, 2**20 // max(u.size, 1)))
    start, upper = jnp.zeros_like(u) + jnp.asarray(lower, u.dtype), jnp.asarray(upper, u.dtype)

    def unfinished(state):
        steps, _, _, done = state
        return (steps < 2**20) & ~jnp.all(done)

    def walk(state):
        steps, reached, found, done = state
        k = start + steps + jnp.arange(width, dtype=u.dtype).reshape(-1, *(1,) * u.ndim)
        masses = jnp.where(k <= upper, jnp.exp(jax.vmap(log_mass)(jnp.minimum(k, upper))), 0.0)
        sums = reached + jnp.cumsum(masses, axis=0)
        last = sums[-1]
        spent = (last - reached <= eps) & (last > 1 - jnp.sqrt(eps)) | (k[-1] >= upper)
        here = jnp.where(last >= u, jnp.argmax(sums >= u, axis=0), jnp.argmax(sums >= last, axis=0))
        ended = ~done & ((last >= u) | spent | jnp.isnan(last))
        place = jnp.where(jnp.isnan(last), jnp.nan, jnp.minimum(start + steps + here.astype(u.dtype), upper))
        return steps + width, last, jnp.where(ended, place, found), done | ended

    first = jnp.zeros((), u.dtype), jnp.zeros_like(u), jnp.full_like(u, jnp.nan), jnp.zeros(u.shape, bool)
    return lax.while_loop(unfinished, walk, first)[2]


SERIES_TERMS = 160


def bounded_sum(term, lower, upper):
    """The sum of term(k) from lower to upper, of at most 160 terms; not a number where there are more that count."""
    lower, upper = jnp.asarray(lower, float), jnp.floor(jnp.asarray(upper, float))

    def add(number, state):
        total, _ = state
        k = lower + number
        each = jnp.where(k <= upper, term(jnp.where(k <= upper, k, lower)), 0.0)
        return total + each, each

    shape = jax.eval_shape(add, 0, (0.0, 0.0))[0]
    start = jnp.zeros(shape.shape, shape.dtype)
    total, last = lax.fori_loop(0, SERIES_TERMS, add, (start, start))
    over = jnp.where(jnp.isinf(upper), jnp.abs(last) > jnp.finfo(start.dtype).eps * jnp.abs(total), True)
    return jnp.where((upper - lower >= SERIES_TERMS) & over, jnp.nan, total)


def corners_at(*places):
    """The places that belong to the whole numbers from 0 to the largest number of terms."""
    return jnp.concatenate([place(jnp.arange(SERIES_TERMS, dtype=float)) for place in places])


def uniform(key, shape):
    """Uniform noise on the open interval (0, 1)."""
    return random.uniform(key, shape, minval=jnp.finfo(float).tiny)


__all__ = [
    "affine_steps",
    "bounded_sum",
    "check",
    "contracted",
    "corners_at",
    "discrete_quantile",
    "gate",
    "lengths",
    "log_softmax_at",
    "mixed",
    "read",
    "total",
    "uniform",
]
