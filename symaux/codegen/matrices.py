"""Functions of vectors and matrices that generated modules carry with them, vectorised over axes in front."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import linalg, special


def triangle(matrix, kind):
    """Cholesky's factor of a matrix, or the lower triangle that is one already."""
    return jnp.tril(matrix) if kind == "cholesky" else jnp.linalg.cholesky(matrix)


def whitened(r, matrix, kind):
    """The vector that is standard normal, and the logarithm of the volume that it takes."""
    factor = triangle(matrix, kind)
    volume = jnp.sum(jnp.log(jnp.abs(jnp.diag(factor))))
    if kind == "precision":
        return factor.T @ r, volume
    return linalg.solve_triangular(factor, r, lower=True), -volume


def normal_log_density(residual, matrix, kind="covariance"):
    """The log-density of a centred multivariate normal, by Cholesky's decomposition."""

    def one(r, k):
        white, volume = whitened(r, k, kind)
        return -0.5 * jnp.sum(jnp.square(white)) + volume - 0.9189385332046727 * r.shape[0]

    return jnp.vectorize(one, signature="(d),(d,d)->()")(residual, matrix)


def student_log_density(residual, df, matrix, kind="covariance"):
    """The log-density of a centred multivariate t, by Cholesky's decomposition."""

    def one(r, n, k):
        white, volume = whitened(r, k, kind)
        d = r.shape[0]
        constant = special.gammaln((n + d) / 2) - special.gammaln(n / 2) - d / 2 * jnp.log(jnp.pi * n)
        return constant + volume - (n + d) / 2 * jnp.log1p(jnp.sum(jnp.square(white)) / n)

    return jnp.vectorize(one, signature="(d),(),(d,d)->()")(residual, df, matrix)


def correlated(noise, matrix, how="L"):
    """Independent standard normals given a covariance: a triangular factor, its transpose or inverse, times the noise."""

    def one(e, k):
        factor = triangle(k, "cholesky" if how[0] == "M" else "covariance")
        if "^-" in how:
            return linalg.solve_triangular(factor, e, lower=True, trans=1 if how[-1] == "T" else 0)
        return (factor.T if how[-1] == "T" else factor) @ e

    return jnp.vectorize(one, signature="(d),(d,d)->(d)")(noise, matrix)


def log_stick_breaking(logits):
    """The logarithms of the parts of a stick that is broken at the fractions with the given logits."""
    left = jnp.cumsum(-jax.nn.softplus(logits), axis=-1)
    before = jnp.concatenate([jnp.zeros_like(left[..., :1]), left], axis=-1)
    part = jnp.concatenate([-jax.nn.softplus(-logits), jnp.zeros_like(left[..., :1])], axis=-1)
    return before + part


def stick_breaking(logits):
    """A point of the simplex from the logits of the fractions that break a stick."""
    return jnp.exp(log_stick_breaking(logits))


def stick_logits(z):
    """The logits of the fractions that break a stick into the given parts."""
    rest = jnp.flip(jnp.cumsum(jnp.flip(z, -1), -1), -1)
    return jnp.log(z[..., :-1]) - jnp.log(rest[..., 1:])


def normalised(logarithms):
    """A point of the simplex from the logarithms of positive weights."""
    return jax.nn.softmax(logarithms, axis=-1)


def log_normalised(logarithms):
    """The logarithm of a point of the simplex."""
    return jax.nn.log_softmax(logarithms, axis=-1)


def head(a):
    """All but the last."""
    return a[..., :-1]


def tail(a):
    """The sum of what follows, for all but the last."""
    return jnp.flip(jnp.cumsum(jnp.flip(a, -1), -1), -1)[..., 1:]
