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


def below_diagonal(values, d):
    """A matrix with the given elements below its diagonal, row by row, and zeros elsewhere."""
    rows, columns = jnp.tril_indices(d, -1)
    return jnp.zeros((d, d), values.dtype).at[rows, columns].set(values)


def rows_below(count):
    """How many rows a matrix has that holds so many elements below its diagonal."""
    return next(d for d in range(count + 2) if d * (d - 1) // 2 == count)


def log_sech(y):
    """log(2/(exp(y) + exp(-y))), without overflow."""
    return 0.6931471805599453 - jnp.abs(y) - jax.nn.softplus(-2 * jnp.abs(y))


def correlation_factor(y):
    """The Cholesky factor of a correlation matrix from the inverse hyperbolic tangents of partial correlations."""

    def one(y):
        d = rows_below(y.shape[0])
        matrix = below_diagonal(y, d)
        left = jnp.cumsum(jnp.tril(log_sech(matrix), -1), axis=1)
        before = jnp.exp(jnp.concatenate([jnp.zeros((d, 1), y.dtype), left[:, :-1]], axis=1))
        return jnp.tril(jnp.tanh(matrix) * before, -1) + jnp.diag(jnp.diag(before))

    return jnp.vectorize(one, signature="(p)->(d,d)")(y)


def partial_correlations(factor):
    """The inverse hyperbolic tangents of the partial correlations of a Cholesky factor."""

    def one(factor):
        d = factor.shape[0]
        used = jnp.cumsum(jnp.square(factor), axis=1)
        left = jnp.sqrt(1 - jnp.concatenate([jnp.zeros((d, 1), factor.dtype), used[:, :-1]], axis=1))
        rows, columns = jnp.tril_indices(d, -1)
        return jnp.arctanh(factor[rows, columns] / left[rows, columns])

    return jnp.vectorize(one, signature="(d,d)->(p)")(factor)


def correlation_volume(y):
    """The logarithm of the volume of correlation_factor."""

    def one(y):
        rows, columns = jnp.tril_indices(rows_below(y.shape[0]), -1)
        return jnp.sum((rows + 1 - columns).astype(y.dtype) * log_sech(y))

    return jnp.vectorize(one, signature="(p)->()")(y)


def lkj_log_density(factor, eta):
    """The log-density of the Cholesky factor of a correlation matrix, in its elements below the diagonal."""

    def one(factor, eta):
        d = factor.shape[0]
        row, column = jnp.arange(1.0, d, dtype=factor.dtype), jnp.arange(d - 1, dtype=factor.dtype)
        b = eta + (d - 2 - column) / 2
        constant = (2 * b - 1) * 0.6931471805599453 + 2 * special.gammaln(b) - special.gammaln(2 * b)
        powers = (d - row - 3 + 2 * eta) * jnp.log(jnp.diag(factor)[1:])
        return jnp.sum(powers) - jnp.sum((d - 1 - column) * constant)

    return jnp.vectorize(one, signature="(d,d),()->()")(factor, eta)


def wishart_log_density(s, df, scale, kind="covariance"):
    """The log-density of a Wishart law, by Cholesky's decomposition."""

    def one(s, n, v):
        d, root, c = s.shape[0], jnp.linalg.cholesky(s), triangle(v, kind)
        trace = jnp.sum(jnp.square(linalg.solve_triangular(c, root, lower=True)))
        log_det, log_det_scale = (2 * jnp.sum(jnp.log(jnp.abs(jnp.diag(x)))) for x in (root, c))
        constant = n * d / 2 * 0.6931471805599453 + n / 2 * log_det_scale + special.multigammaln(n / 2, d)
        return (n - d - 1) / 2 * log_det - trace / 2 - constant

    return jnp.vectorize(one, signature="(d,d),(),(d,d)->()")(s, df, scale)


def inverse_wishart_log_density(s, df, scale, kind="covariance"):
    """The log-density of an inverse Wishart law, by Cholesky's decomposition."""

    def one(s, n, v):
        d, root, c = s.shape[0], jnp.linalg.cholesky(s), triangle(v, kind)
        trace = jnp.sum(jnp.square(linalg.solve_triangular(root, c, lower=True)))
        log_det, log_det_scale = (2 * jnp.sum(jnp.log(jnp.abs(jnp.diag(x)))) for x in (root, c))
        constant = n / 2 * log_det_scale - n * d / 2 * 0.6931471805599453 - special.multigammaln(n / 2, d)
        return constant - (n + d + 1) / 2 * log_det - trace / 2

    return jnp.vectorize(one, signature="(d,d),(),(d,d)->()")(s, df, scale)


def bartlett(diagonal, below, scale, kind="covariance"):
    """C A A^T C^T for a lower triangular A with the given diagonal and elements below it."""

    def one(diagonal, below, v):
        root = triangle(v, kind) @ (below_diagonal(below, diagonal.shape[0]) + jnp.diag(diagonal))
        return root @ root.T

    return jnp.vectorize(one, signature="(d),(p),(d,d)->(d,d)")(diagonal, below, scale)


def inverse_bartlett(diagonal, below, scale, kind="covariance"):
    """C (A A^T)^-1 C^T for a lower triangular A with the given diagonal and elements below it."""

    def one(diagonal, below, v):
        a = below_diagonal(below, diagonal.shape[0]) + jnp.diag(diagonal)
        root = linalg.solve_triangular(a, triangle(v, kind).T, lower=True)
        return root.T @ root

    return jnp.vectorize(one, signature="(d),(p),(d,d)->(d,d)")(diagonal, below, scale)


def on_simplex(z):
    """Whether vectors are positive and add up to one, as far as rounding lets them."""
    slack = jnp.maximum(1e-8, 64 * jnp.finfo(z.dtype).eps)
    return jnp.all(z > 0) & jnp.all(jnp.abs(jnp.sum(z, axis=-1) - 1) <= slack)


def is_correlation_factor(factor):
    """Whether matrices are lower triangular with a positive diagonal and rows of length one, as far as rounding goes."""
    slack = jnp.maximum(1e-8, 64 * jnp.finfo(factor.dtype).eps)
    unit = jnp.abs(jnp.sum(jnp.square(factor), axis=-1) - 1) <= slack
    diagonal = jnp.diagonal(factor, axis1=-2, axis2=-1)
    return jnp.all(unit) & jnp.all(diagonal > 0) & jnp.all(jnp.triu(factor, 1) == 0)


def is_positive_definite(matrix):
    """Whether matrices are symmetric, as far as rounding goes, and positive definite."""
    slack = 1e3 * jnp.finfo(matrix.dtype).eps * jnp.max(jnp.abs(matrix))
    symmetric = jnp.all(jnp.abs(matrix - jnp.swapaxes(matrix, -1, -2)) <= slack)
    return symmetric & jnp.all(jnp.isfinite(jnp.linalg.cholesky(matrix)))


def pair_column(places):
    """The columns of the elements below a diagonal, which are counted row by row."""
    row = jnp.floor((1 + jnp.sqrt(1 + 8 * places)) / 2)
    return places - row * (row - 1) / 2
