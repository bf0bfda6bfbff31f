r"""Bound interpolation at Chebyshev points: nodes, antiderivatives of the interpolant, and the Lebesgue constant.

$\int_{-1}^t$ of the interpolant of values $v_k$ is $\sum_j b_j T_j(t)$ with b = ``antiderivative(n)`` v.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from flint import arb, arb_mat, ctx

from symaux.formulas.functions.chebyshev_box import basis
from symaux.proof.certificates.kolmogorov_bound import Hopeless

BITS = 256


@dataclass(frozen=True)
class Stretch:
    """The interval between two floating-point numbers, with exact middle and half length."""

    low: float
    high: float

    @property
    def middle(self) -> arb:
        return (arb(self.low) + arb(self.high)) / 2

    @property
    def half(self) -> arb:
        return (arb(self.high) - arb(self.low)) / 2

    @property
    def ball(self) -> arb:
        """Return the interval less its middle, as a ball about zero."""
        return arb(0, 1) * self.half

    @property
    def hull(self) -> arb:
        return arb(self.low).union(arb(self.high))

    @property
    def length(self) -> float:
        return self.high - self.low

    def halves(self) -> tuple[Stretch, Stretch]:
        middle = self.low + (self.high - self.low) / 2
        if not self.low < middle < self.high:
            raise Hopeless("a stretch that cannot be cut")
        return Stretch(self.low, middle), Stretch(middle, self.high)


def with_derivatives(order: int, t: arb, scale: arb) -> tuple[list[arb], list[arb]]:
    """Return the Chebyshev polynomials, and their derivatives in x."""
    made, steep = basis(order, t), [arb(0), arb(1)]
    while len(steep) <= order:
        steep.append(2 * made[len(steep) - 1] + 2 * t * steep[-1] - steep[-2])
    return made, [scale * d for d in steep[: order + 1]]


def nodes(count: int, cell: Stretch) -> list[arb]:
    """Return the Chebyshev points of a cell."""
    return [cell.middle + cell.half * c for c in cosines(count)]


@cache
def cosines(count: int) -> list[arb]:
    """Return the Chebyshev points of (-1, 1)."""
    with ctx.workprec(2 * BITS):
        return [(arb.pi() * (2 * k + 1) / (2 * count)).cos() for k in range(count)]


def lebesgue_bound(count: int) -> arb:
    r"""Return the bound $\Lambda_N \le \frac2\pi\log N + 1$ of the Lebesgue constant of N Chebyshev points (Rivlin 1974)."""
    return 2 / arb.pi() * arb(count).log() + 1


@cache
def antiderivative(count: int) -> arb_mat:
    r"""Return the matrix from values at Chebyshev points to the coefficients of $\int_{-1}^t$ of the interpolant.

    >>> made = antiderivative(4) * arb_mat([[1], [1], [1], [1]])
    >>> [made[k, 0].contains(c) for k, c in enumerate((1, 1, 0, 0, 0))]
    [True, True, True, True, True]
    """
    with ctx.workprec(2 * BITS):
        angles = [arb.pi() * (2 * k + 1) / (2 * count) for k in range(count)]
        c = [[(2 if j else 1) * (angle * j).cos() / count for angle in angles] for j in range(count)]
        rows = [[arb(0)] * count for _ in range(count + 1)]
        for j in range(count):
            for k in range(count):
                for target, factor in _integrals(j):
                    rows[target][k] += factor * c[j][k]
        for k in range(count):
            rows[0][k] = -sum((rows[j][k] * (-1) ** j for j in range(1, count + 1)), arb(0))
        return arb_mat(rows)


def _integrals(j: int) -> list[tuple[int, arb]]:
    r"""Return $\int T_j$ up to a constant, as multiples of Chebyshev polynomials."""
    if j == 0:
        return [(1, arb(1))]
    if j == 1:
        return [(2, arb(1) / 4)]
    return [(j + 1, arb(1) / (2 * (j + 1))), (j - 1, arb(-1) / (2 * (j - 1)))]
