r"""Compute with small dense matrices of numbers of any precision or of formulas, as lists of lists.

This is independent of generated code: determinants and inverses go by elimination, products by sums.

>>> from sympy import S
>>> log_det = quadratic_form([S(1), S(2)], [[S(2), S(0)], [S(0), S(4)]], "", __import__("sympy"))
>>> log_det[0]
3/2
"""

from __future__ import annotations

from typing import Any

Matrix = list[list[Any]]


def transpose(a: Matrix) -> Matrix:
    """Return the transpose."""
    return [list(row) for row in zip(*a, strict=True)]


def matrix_product(a: Matrix, b: Matrix) -> Matrix:
    """Return the matrix product ab."""
    columns = transpose(b)
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]


def identity(d: int, one: Any = 1) -> Matrix:
    """Return the identity matrix of size d, with ``one`` on its diagonal."""
    return [[one if i == j else 0 * one for j in range(d)] for i in range(d)]


def lower_triangle(a: Matrix) -> Matrix:
    """Return the lower triangle of a matrix, with zeros above it."""
    return [[x if j <= i else 0 * x for j, x in enumerate(row)] for i, row in enumerate(a)]


def solve(a: Matrix, b: Matrix) -> tuple[Matrix, Any]:
    """Return the solution of ax = b and the determinant of a, by elimination; numbers are pivoted, formulas are not."""
    d, determinant = len(a), 1
    rows = [[*left, *right] for left, right in zip(a, b, strict=True)]
    for k in range(d):
        pivot = max(range(k, d), key=lambda r: abs(rows[r][k])) if _numbers(rows) else k
        if pivot != k:
            rows[k], rows[pivot], determinant = rows[pivot], rows[k], -determinant
        determinant = determinant * rows[k][k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for r in range(d):
            if r != k:
                rows[r] = [x - rows[r][k] * y for x, y in zip(rows[r], rows[k], strict=True)]
    return [row[d:] for row in rows], determinant


def _numbers(rows: Matrix) -> bool:
    return not any(getattr(x, "free_symbols", ()) for row in rows for x in row)


def cholesky(a: Matrix, m: Any) -> Matrix:
    r"""Return the lower triangular L with $LL^\top = a$ and a positive diagonal."""
    d = len(a)
    factor: Matrix = [[0 * a[i][j] for j in range(d)] for i in range(d)]
    for i in range(d):
        for j in range(i + 1):
            left = a[i][j] - sum(factor[i][k] * factor[j][k] for k in range(j))
            factor[i][j] = m.sqrt(left) if i == j else left / factor[j][j]
    return factor


def cholesky_factor(matrix: Matrix, kind: str, m: Any) -> Matrix:
    """Return the Cholesky factor of a matrix; of kind ``cholesky`` the lower triangle of the matrix is the factor."""
    return lower_triangle(matrix) if kind == "cholesky" else cholesky(matrix, m)


def quadratic_form(r: list[Any], matrix: Matrix, kind: str, m: Any) -> tuple[Any, Any]:
    r"""Return $r^\top K^{-1} r$ and $\log\det K$, given K, its inverse (``precision``) or its factor (``cholesky``)."""
    column = [[x] for x in r]
    if kind == "precision":
        _, determinant = solve(matrix, column)
        image, sign = matrix_product(matrix, column), -1
    else:
        full = (
            matrix_product(lower_triangle(matrix), transpose(lower_triangle(matrix))) if kind == "cholesky" else matrix
        )
        (image, determinant), sign = solve(full, column), 1
    return sum(x * y[0] for x, y in zip(r, image, strict=True)), sign * m.log(determinant)


def apply_triangle(triangle: Matrix, vector: list[Any], power: str) -> list[Any]:
    """Multiply a vector by a triangular matrix (power ""), its transpose (".T"), inverse ("^-1") or both ("^-T")."""
    used = transpose(triangle) if power.endswith("T") else triangle
    column = [[x] for x in vector]
    image = solve(used, column)[0] if power.startswith("^-") else matrix_product(used, column)
    return [x[0] for x in image]


def as_full_matrix(matrix: Matrix, kind: str) -> Matrix:
    r"""Return the matrix; of kind ``cholesky``, $LL^\top$ for its lower triangle L."""
    return matrix_product(lower_triangle(matrix), transpose(lower_triangle(matrix))) if kind == "cholesky" else matrix


def size_from_pairs(count: int) -> int:
    """Return the number of rows of a square matrix with ``count`` elements below its diagonal."""
    return next(d for d in range(count + 2) if d * (d - 1) // 2 == count)


def as_lower_triangular(diagonal: list[Any], below: list[Any]) -> Matrix:
    """Build a lower triangular matrix from its diagonal and the elements below it, row by row."""
    d, elements = len(diagonal), iter(below)
    return [[*(next(elements) for _ in range(i)), diagonal[i], *([0] * (d - 1 - i))] for i in range(d)]
