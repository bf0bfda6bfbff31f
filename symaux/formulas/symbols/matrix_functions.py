r"""Define functions of whole matrices: log-densities of Cholesky factors and of covariances, and maps onto them.

A plate of pairs numbers the elements below a diagonal, row by row: (1, 0), (2, 0), (2, 1), …
"""

from __future__ import annotations

from typing import Any

from symaux.formulas.symbols import matrix_algebra as algebra
from symaux.formulas.symbols.array_functions import ArrayFunction


class LKJLogDensity(ArrayFunction):
    r"""$\sum_{i\ge1} (d-i-3+2\eta)\log L_{ii} - \sum_{l=0}^{d-2} (d-1-l)\,[(2\beta_l-1)\log2 + \log B(\beta_l,\beta_l)]$,
    with $\beta_l = \eta + (d-2-l)/2$: the law of the Cholesky factor of a correlation matrix, in the elements below its
    diagonal."""

    function, along = "lkj_log_density", ((0, 1), ())

    @staticmethod
    def definition(factor: Any, eta: Any, *, m: Any) -> Any:
        d = len(factor)
        total = sum((d - i - 3 + 2 * eta) * m.log(factor[i][i]) for i in range(1, d))
        for column in range(d - 1):
            b = eta + m.mpf(d - 2 - column) / 2 if hasattr(m, "mpf") else eta + m.Rational(d - 2 - column, 2)
            beta = 2 * m.loggamma(b) - m.loggamma(2 * b)
            total -= (d - 1 - column) * ((2 * b - 1) * m.log(2) + beta)
        return total


class PairColumn(ArrayFunction):
    """The column of each pair, along a plate of pairs: 0, 0, 1, 0, 1, 2, …; the operand is the plate itself."""

    function, along, out = "pair_column", ((0,),), (0,)

    @staticmethod
    def definition(places: Any, *, m: Any) -> Any:
        return [j for i in range(algebra.size_from_pairs(len(places))) for j in range(i)]


class CorrelationFactor(ArrayFunction):
    r"""$L_{ij} = \tanh y_{ij}\prod_{l<j}\operatorname{sech} y_{il}$, $L_{ii} = \prod_{l<i}\operatorname{sech} y_{il}$: the
    Cholesky factor of a correlation matrix whose canonical partial correlations are $\tanh y$, for y along a plate of pairs."""

    function, along, out, linked = "correlation_factor", ((2,),), (0, 1), True

    @staticmethod
    def definition(y: Any, *, m: Any) -> Any:
        d, rows, place = algebra.size_from_pairs(len(y)), [], 0
        for i in range(d):
            row, left = [], 1
            for _ in range(i):
                e = m.exp(2 * y[place])
                row.append(left * (e - 1) / (e + 1))
                left, place = left * 2 * m.exp(y[place]) / (e + 1), place + 1
            rows.append([*row, left, *([0] * (d - 1 - i))])
        return rows


class PartialCorrelations(ArrayFunction):
    r"""$y_{ij} = \operatorname{artanh}\bigl(L_{ij}/\sqrt{1 - \sum_{l<j} L_{il}^2}\bigr)$, along a plate of pairs."""

    function, along, out, linked = "partial_correlations", ((0, 1),), (2,), True

    @staticmethod
    def definition(factor: Any, *, m: Any) -> Any:
        correlations = []
        for i, row in enumerate(factor):
            for j in range(i):
                left = m.sqrt(1 - sum(x**2 for x in row[:j]))
                correlations.append(m.log((left + row[j]) / (left - row[j])) / 2)
        return correlations


class CorrelationVolume(ArrayFunction):
    r"""$\sum_{l<i} (i + 1 - l)\log\operatorname{sech} y_{il}$: the logarithm of the volume of the map from y to L."""

    function, along = "correlation_volume", ((0,),)

    @staticmethod
    def definition(y: Any, *, m: Any) -> Any:
        below = [(i, j) for i in range(algebra.size_from_pairs(len(y))) for j in range(i)]
        pairs = zip(below, y, strict=True)
        return sum((i + 1 - j) * (m.log(2) + x - m.log(1 + m.exp(2 * x))) for (i, j), x in pairs)


class WishartLogDensity(ArrayFunction):
    r"""$\frac{\nu-d-1}2\log\det S - \frac12\operatorname{tr}(V^{-1}S) - \frac{\nu d}2\log2
    - \frac\nu2\log\det V - \log\Gamma_d(\frac\nu2)$.

    With the word ``cholesky`` the matrix is a lower triangular C with $CC^\top = V$.
    """

    function, along = "wishart_log_density", ((0, 1), (), (0, 1))

    @staticmethod
    def definition(s: Any, df: Any, scale: Any, kind: str = "", *, m: Any) -> Any:
        v = algebra.as_full_matrix(scale, kind)
        inverse, det_v = algebra.solve(v, s)
        _, det_s = algebra.solve(s, s)
        trace = sum(row[i] for i, row in enumerate(inverse))
        return wishart_log_density(m.log(det_s), trace, m.log(det_v), df, len(s), m)


class InverseWishartLogDensity(ArrayFunction):
    r"""$\frac\nu2\log\det\Psi - \frac{\nu d}2\log2 - \log\Gamma_d(\frac\nu2) - \frac{\nu+d+1}2\log\det S
    - \frac12\operatorname{tr}(\Psi S^{-1})$."""

    function, along = "inverse_wishart_log_density", ((0, 1), (), (0, 1))

    @staticmethod
    def definition(s: Any, df: Any, scale: Any, kind: str = "", *, m: Any) -> Any:
        psi = algebra.as_full_matrix(scale, kind)
        inverse, det_s = algebra.solve(s, psi)
        _, det_psi = algebra.solve(psi, psi)
        trace = sum(row[i] for i, row in enumerate(inverse))
        return inverse_wishart_log_density(m.log(det_s), trace, m.log(det_psi), df, len(s), m)


def wishart_log_density(log_det: Any, trace: Any, log_det_scale: Any, df: Any, d: int, m: Any) -> Any:
    """Return the log-density of a Wishart law from the log-determinants and the trace."""
    constant = -df * d * m.log(2) / 2 - df * log_det_scale / 2 - log_multigamma(df, d, m)
    return (df - d - 1) * log_det / 2 - trace / 2 + constant


def inverse_wishart_log_density(log_det: Any, trace: Any, log_det_scale: Any, df: Any, d: int, m: Any) -> Any:
    """Return the log-density of an inverse Wishart law from the log-determinants and the trace."""
    constant = df * log_det_scale / 2 - df * d * m.log(2) / 2 - log_multigamma(df, d, m)
    return constant - (df + d + 1) * log_det / 2 - trace / 2


def log_multigamma(df: Any, d: int, m: Any) -> Any:
    r"""Return $\log\Gamma_d(\nu/2) = \frac{d(d-1)}4\log\pi + \sum_{i<d}\log\Gamma(\frac{\nu-i}2)$."""
    return d * (d - 1) * m.log(m.pi) / 4 + sum(m.loggamma((df - i) / 2) for i in range(d))


class Bartlett(ArrayFunction):
    r"""$CAA^\top C^\top$ for a lower triangular A with the given diagonal and, along a plate of pairs, elements below it.

    C is the Cholesky factor of a scale matrix or, with the word ``cholesky``, the lower triangle of that matrix.
    """

    function, along, out, linked = "bartlett", ((0,), (2,), (0, 1)), (0, 1), True

    @staticmethod
    def definition(diagonal: Any, below: Any, scale: Any, kind: str = "", *, m: Any) -> Any:
        root = algebra.matrix_product(
            algebra.cholesky_factor(scale, kind, m), algebra.as_lower_triangular(diagonal, below)
        )
        return algebra.matrix_product(root, algebra.transpose(root))


class InverseBartlett(ArrayFunction):
    r"""$C(AA^\top)^{-1}C^\top$, with the operands and the words of ``Bartlett``."""

    function, along, out, linked = "inverse_bartlett", ((0,), (2,), (0, 1)), (0, 1), True

    @staticmethod
    def definition(diagonal: Any, below: Any, scale: Any, kind: str = "", *, m: Any) -> Any:
        a, c = algebra.as_lower_triangular(diagonal, below), algebra.cholesky_factor(scale, kind, m)
        inverse, _ = algebra.solve(algebra.matrix_product(a, algebra.transpose(a)), algebra.transpose(c))
        return algebra.matrix_product(c, inverse)


__all__ = [
    "Bartlett",
    "CorrelationFactor",
    "CorrelationVolume",
    "InverseBartlett",
    "InverseWishartLogDensity",
    "LKJLogDensity",
    "PairColumn",
    "PartialCorrelations",
    "WishartLogDensity",
]
