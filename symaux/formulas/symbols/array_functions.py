r"""Define functions of whole vectors and matrices in index notation; they bind the plates that their operands run along.

Each class says along which plates its operands and its result run, names the function of generated code that computes it,
and holds its definition, written once for numbers of any precision and for formulas.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> eps, K, i, j = *arrays("eps K"), plate("i", 3), plate("j", 3)
>>> Correlated(eps[i], K[i, j], i, j).bound_plates
(j,)
>>> sum(StickBreaking.definition([sp.S(0), sp.S(0)], m=sp))
1
"""

from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp
from sympy.core.symbol import Str

from symaux.formulas.symbols import matrix_algebra as algebra

PRECISION, CHOLESKY = "precision", "cholesky"


class ArrayFunction(sp.Expr):
    """A sympy function of whole arrays; its arguments are the operands, then the plates, then words that select a variant.

    ``along`` holds, for each operand, the positions of its plates among the plates; ``out`` those of the result.
    """

    function: ClassVar[str]
    along: ClassVar[tuple[tuple[int, ...], ...]]
    out: ClassVar[tuple[int, ...]] = ()
    linked: ClassVar[bool] = False  # whether the length of one plate follows from that of another

    @property
    def square(self) -> tuple[Any, ...]:
        """Return the plates of the rows and columns of one matrix, which have the same length; empty if there is none."""
        return next((tuple(self.plates[p] for p in pair) for pair in (*self.along, self.out) if len(pair) == 2), ())

    is_commutative = True
    is_real = True

    def __new__(cls, *args: Any) -> ArrayFunction:
        *formulas, last = args
        words = [Str(a) if isinstance(a, str) else a for a in (*formulas, last)]
        return super().__new__(cls, *words)

    @property
    def operands(self) -> tuple[Any, ...]:
        """Return the formulas that the function is applied to."""
        return self.args[: len(self.along)]

    @property
    def plates(self) -> tuple[Any, ...]:
        """Return all plates, those of the operands and those of the result."""
        return tuple(a for a in self.args[len(self.along) :] if not isinstance(a, Str))

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words that select a variant, such as ``precision``."""
        return tuple(a.name for a in self.args[len(self.along) :] if isinstance(a, Str))

    @property
    def results(self) -> tuple[Any, ...]:
        """Return the plates that the result runs along."""
        return tuple(self.plates[position] for position in self.out)

    @property
    def bound_plates(self) -> tuple[Any, ...]:
        """Return the plates that the result does not run along."""
        return tuple(p for p in self.plates if p not in self.results)

    @staticmethod
    def definition(*operands: Any, m: Any) -> Any:
        """Compute the function for nested lists of numbers (m is mpmath) or of formulas (m is sympy)."""
        raise NotImplementedError


class GaussianLogDensity(ArrayFunction):
    r"""$\log\mathcal N(r; 0, K) = -\frac12 r^\top K^{-1} r - \frac12\log\det K - \frac d2\log 2\pi$.

    ``residual`` is a formula in the plate i and ``covariance`` one in the plates i and j; both plates are bound. With the
    word ``precision`` the matrix is $K^{-1}$, with ``cholesky`` a lower triangular L with $LL^\top = K$.
    """

    function, along = "normal_log_density", ((0,), (0, 1))

    @staticmethod
    def definition(r: Any, matrix: Any, kind: str = "", *, m: Any) -> Any:
        form, log_det = algebra.quadratic_form(r, matrix, kind, m)
        return -form / 2 - log_det / 2 - len(r) * m.log(2 * m.pi) / 2


class StudentLogDensity(ArrayFunction):
    r"""$\log\Gamma(\frac{\nu+d}2) - \log\Gamma(\frac\nu2) - \frac d2\log\nu\pi - \frac12\log\det K
    - \frac{\nu+d}2\log(1 + r^\top K^{-1} r/\nu)$, with the words of the normal one."""

    function, along = "student_log_density", ((0,), (), (0, 1))

    @staticmethod
    def definition(r: Any, df: Any, matrix: Any, kind: str = "", *, m: Any) -> Any:
        form, log_det = algebra.quadratic_form(r, matrix, kind, m)
        return student_log_density(form, log_det, df, len(r), m)


def student_log_density(form: Any, log_det: Any, df: Any, d: Any, m: Any) -> Any:
    """Return the log-density of a multivariate t, given the quadratic form and the log-determinant of its scale."""
    constant = m.loggamma((df + d) / 2) - m.loggamma(df / 2) - d * m.log(df * m.pi) / 2
    return constant - log_det / 2 - (df + d) * m.log(1 + form / df) / 2


class Correlated(ArrayFunction):
    r"""$(L\varepsilon)_i$ with $L L^\top = K$: gives independent standard normals the covariance K.

    ``noise`` is a formula in the plate i, ``covariance`` one in the plates i and j; the result runs along i. A word says
    which matrix is applied: ``L``, ``L.T``, ``L^-1`` or ``L^-T`` for the Cholesky factor L of the matrix; ``M`` and so on
    for the lower triangle M of the matrix itself.
    """

    function, along, out = "correlated", ((0,), (0, 1)), (0,)

    @staticmethod
    def definition(noise: Any, matrix: Any, how: str = "L", *, m: Any) -> Any:
        factor = algebra.cholesky_factor(matrix, CHOLESKY if how.startswith("M") else "", m)
        return algebra.apply_triangle(factor, noise, how[1:])


class Normalised(ArrayFunction):
    r"""$z_k = e^{y_k}/\sum_j e^{y_j}$: a point of the simplex, from the logarithms of positive weights."""

    function, along, out = "normalised", ((0,),), (0,)

    @staticmethod
    def definition(logarithms: Any, *, m: Any) -> Any:
        total = sum(m.exp(y) for y in logarithms)
        return [m.exp(y) / total for y in logarithms]


class LogSoftmaxAt(ArrayFunction):
    r"""$g_v - \log\sum_l e^{g_l}$: the logarithm of a softmax at an index v."""

    function, along = "log_softmax_at", ((0,), ())

    @staticmethod
    def definition(logits: Any, index: Any, *, m: Any) -> Any:
        return logits[int(index)] - m.log(sum(m.exp(y) for y in logits))


class Head(ArrayFunction):
    r"""$a_0, \dots, a_{K-2}$: all but the last, along a plate of one element less."""

    function, along, out, linked = "head", ((0,),), (1,), True

    @staticmethod
    def definition(a: Any, *, m: Any) -> Any:
        return a[:-1]


class Tail(ArrayFunction):
    r"""$\sum_{j>k} a_j$ for all k but the last, along a plate of one element less."""

    function, along, out, linked = "tail", ((0,),), (1,), True

    @staticmethod
    def definition(a: Any, *, m: Any) -> Any:
        return [sum(a[k + 1 :]) for k in range(len(a) - 1)]


class StickBreaking(ArrayFunction):
    r"""$z_k = v_k \prod_{j<k} (1 - v_j)$ with $v_k = 1/(1 + e^{-y_k})$ and the remainder last: a point of the simplex.

    ``logit`` is a formula in a plate of one element less than that of the result.
    """

    function, along, out, linked = "stick_breaking", ((0,),), (1,), True

    @staticmethod
    def definition(logits: Any, *, m: Any) -> Any:
        left, parts = 1, []
        for y in logits:
            parts.append(left / (1 + m.exp(-y)))
            left = left / (1 + m.exp(y))
        return [*parts, left]


class StickLogits(ArrayFunction):
    r"""$y_k = \log z_k - \log\sum_{j>k} z_j$: the logits of the fractions that break a stick into a point of the simplex."""

    function, along, out, linked = "stick_logits", ((0,),), (1,), True

    @staticmethod
    def definition(z: Any, *, m: Any) -> Any:
        return [m.log(z[k]) - m.log(sum(z[k + 1 :])) for k in range(len(z) - 1)]


__all__ = [
    "ArrayFunction",
    "Correlated",
    "GaussianLogDensity",
    "Head",
    "Normalised",
    "StickBreaking",
    "StickLogits",
    "StudentLogDensity",
    "Tail",
]
