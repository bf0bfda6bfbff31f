"""Hold the source of functions that modules for PyMC contain when they call them."""

from __future__ import annotations

import re

# PyTensor's own trigamma has 9 digits. Its slope of gammaincc in the shape is a series that stops at 1e-6: it is 3e23 at
# (50, 49). That of gammainc overflows at large shapes. Here both are differences of sixth order of the logarithm.
_SOURCE = """
def normal_cdf(x):
    return pt.erfc(-x / math.sqrt(2)) / 2


def normal_log_cdf(x):
    tail = pt.log(pt.erfcx(-x / math.sqrt(2)) / 2) - x**2 / 2
    return pt.switch(x < -1, tail, pt.log1p(-pt.erfc(x / math.sqrt(2)) / 2))


def normal_quantile(u):
    return -math.sqrt(2) * pt.erfcinv(2 * u)


def trigamma(x):
    z = x + 10.0
    y = 1 / z**2
    series = 1 / 30 - y * (1 / 42 - y * (1 / 30 - y * (5 / 66 - y * 691 / 2730)))
    return sum(1 / (x + k) ** 2 for k in range(10)) + y / 2 + (1 + y * (1 / 6 - y * series)) / z


def with_shape_slope(share, a, x):
    fixed = pytensor.gradient.disconnected_grad(pt.cast(a, "float64"))
    step, value = 0.02 * fixed / pt.sqrt(1 + fixed), share(fixed, x)
    pairs = ((share(fixed + n * step, x), share(fixed - n * step, x), w) for n, w in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)))
    slope = pt.switch(value > 1e-280, value * sum(w * pt.log(up / down) for up, down, w in pairs) / step, 0.0)
    return value + (a - fixed) * pytensor.gradient.disconnected_grad(slope)


def gamma_lower(a, x):
    return with_shape_slope(pt.gammainc, a, x)


def gamma_upper(a, x):
    return with_shape_slope(pt.gammaincc, a, x)


def triangle(matrix, kind):
    return pt.tril(matrix) if kind == "cholesky" else pt.linalg.cholesky(matrix)


def whitened(r, matrix, kind):
    factor = triangle(matrix, kind)
    volume = pt.sum(pt.log(pt.abs(pt.diagonal(factor, axis1=-2, axis2=-1))), axis=-1)
    if kind == "precision":
        return pt.matmul(pt.swapaxes(factor, -1, -2), r[..., None])[..., 0], volume
    return pt.linalg.solve(factor, r[..., None])[..., 0], -volume


def normal_log_density(residual, matrix, kind="covariance"):
    white, volume = whitened(residual, matrix, kind)
    return volume - pt.sum(white**2, axis=-1) / 2 - residual.shape[-1] * math.log(2 * math.pi) / 2


def student_log_density(residual, df, matrix, kind="covariance"):
    (white, volume), d = whitened(residual, matrix, kind), residual.shape[-1]
    constant = pt.gammaln((df + d) / 2) - pt.gammaln(df / 2) - d * pt.log(math.pi * df) / 2
    return constant + volume - (df + d) / 2 * pt.log1p(pt.sum(white**2, axis=-1) / df)


def normalised(logarithms):
    weights = pt.exp(logarithms - pt.max(logarithms, axis=-1, keepdims=True))
    return weights / pt.sum(weights, axis=-1, keepdims=True)


def head(a):
    return a[..., :-1]


def tail(a):
    return pt.cumsum(a[..., ::-1], axis=-1)[..., ::-1][..., 1:]


def stick_breaking(logits):
    left = pt.cumsum(-pt.softplus(logits), axis=-1)
    before = pt.concatenate([pt.zeros_like(left[..., :1]), left], axis=-1)
    part = pt.concatenate([-pt.softplus(-logits), pt.zeros_like(left[..., :1])], axis=-1)
    return pt.exp(before + part)


def pair_column(places):
    row = pt.floor((1 + pt.sqrt(1 + 8 * places)) / 2)
    return places - row * (row - 1) / 2


def below_diagonal(values, d):
    rows, columns = np.tril_indices(d, -1)
    return pt.set_subtensor(pt.zeros((*values.shape[:-1], d, d))[..., rows, columns], values)


def correlation_factor(y):
    count = y.type.shape[-1]
    d = next(d for d in range(count + 2) if d * (d - 1) // 2 == count)
    matrix = below_diagonal(y, d)
    log_sech = math.log(2) - pt.abs(matrix) - pt.softplus(-2 * pt.abs(matrix))
    left = pt.cumsum(pt.tril(log_sech, -1), axis=-1)
    before = pt.exp(pt.concatenate([pt.zeros_like(left[..., :1]), left[..., :-1]], axis=-1))
    return pt.tril(pt.tanh(matrix) * before, -1) + before * pt.eye(d)


def noise_triangle(diagonal, below):
    d = diagonal.type.shape[-1]
    return below_diagonal(below, d) + diagonal[..., None] * pt.eye(d)


def bartlett(diagonal, below, scale, kind="covariance"):
    root = pt.matmul(triangle(scale, kind), noise_triangle(diagonal, below))
    return pt.matmul(root, pt.swapaxes(root, -1, -2))


def inverse_bartlett(diagonal, below, scale, kind="covariance"):
    root = pt.linalg.solve(noise_triangle(diagonal, below), pt.swapaxes(triangle(scale, kind), -1, -2))
    return pt.matmul(pt.swapaxes(root, -1, -2), root)
"""
_TEXTS = [text.strip() for text in _SOURCE.split("\n\n\n")]
PYTENSOR = {text.removeprefix("def ").partition("(")[0]: text for text in _TEXTS}


def pytensor_source(body: str) -> tuple[list[str], list[str]]:
    """Return the source of the functions that a body calls, directly or not, and the imports that they need.

    >>> [text.split("(")[0] for text in pytensor_source("z = bartlett(a, b, c)")[0]]
    ['def triangle', 'def below_diagonal', 'def noise_triangle', 'def bartlett']
    """
    wanted: set[str] = set()
    for name in reversed(PYTENSOR):  # a function comes after those that it calls
        text = "\n".join([body, *(PYTENSOR[n] for n in wanted)])
        if re.search(rf"(?<![\w.]){name}\(", text):
            wanted.add(name)
    texts = [text for name, text in PYTENSOR.items() if name in wanted]
    words = {"math.": "import math", "np.": "import numpy as np", "pt.": "import pytensor.tensor as pt"}
    words |= {"pytensor.": "import pytensor"}
    return texts, [line for mark, line in words.items() if re.search(rf"(?<![\w.]){re.escape(mark)}", "\n".join(texts))]
