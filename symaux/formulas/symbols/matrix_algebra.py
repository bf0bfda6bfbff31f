r"""Small dense algebra that is written once, for numbers of any precision and for formulas: lists of lists, no library.

Independent of generated code: determinants and inverses by elimination, products as sums.

>>> from sympy import S
>>> log_det = quadratic([S(1), S(2)], [[S(2), S(0)], [S(0), S(4)]], "", __import__("sympy"))
>>> log_det[0]
3/2
"""

from __future__ import annotations

from typing import Any

Matrix = list[list[Any]]


def transposed(a: Matrix) -> Matrix:
    return [list(row) for row in zip(*a, strict=True)]


def product(a: Matrix, b: Matrix) -> Matrix:
    columns = transposed(b)
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]


def identity(d: int, one: Any = 1) -> Matrix:
    return [[one if i == j else 0 * one for j in range(d)] for i in range(d)]


def lower(a: Matrix) -> Matrix:
    """Return the lower triangle."""
    return [[x if j <= i else 0 * x for j, x in enumerate(row)] for i, row in enumerate(a)]


def solved(a: Matrix, b: Matrix) -> tuple[Matrix, Any]:
    """Return the solution of a x = b and the determinant of a, by elimination with the largest pivot in sight."""
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
    made: Matrix = [[0 * a[i][j] for j in range(d)] for i in range(d)]
    for i in range(d):
        for j in range(i + 1):
            left = a[i][j] - sum(made[i][k] * made[j][k] for k in range(j))
            made[i][j] = m.sqrt(left) if i == j else left / made[j][j]
    return made


def factor(matrix: Matrix, kind: str, m: Any) -> Matrix:
    """Cholesky's factor of a matrix, or the lower triangle that is one already."""
    return lower(matrix) if kind == "cholesky" else cholesky(matrix, m)


def quadratic(r: list[Any], matrix: Matrix, kind: str, m: Any) -> tuple[Any, Any]:
    r"""$r^\top K^{-1} r$ and $\log\det K$ for a covariance K, its inverse (``precision``) or its factor (``cholesky``)."""
    column = [[x] for x in r]
    if kind == "precision":
        _, determinant = solved(matrix, column)
        image, sign = product(matrix, column), -1
    else:
        full = product(lower(matrix), transposed(lower(matrix))) if kind == "cholesky" else matrix
        (image, determinant), sign = solved(full, column), 1
    return sum(x * y[0] for x, y in zip(r, image, strict=True)), sign * m.log(determinant)


def applied(triangle: Matrix, vector: list[Any], power: str) -> list[Any]:
    """Return a triangular matrix (power ""), its transpose (".T"), its inverse ("^-1") or both ("^-T"), times a
    vector."""
    used = transposed(triangle) if power.endswith("T") else triangle
    column = [[x] for x in vector]
    made = solved(used, column)[0] if power.startswith("^-") else product(used, column)
    return [x[0] for x in made]


def squared(matrix: Matrix, kind: str) -> Matrix:
    """Return the matrix, or the product of its lower triangle with the transpose of that."""
    return product(lower(matrix), transposed(lower(matrix))) if kind == "cholesky" else matrix


def side(count: int) -> int:
    """How many rows a matrix has that holds so many elements below its diagonal."""
    return next(d for d in range(count + 2) if d * (d - 1) // 2 == count)


def triangle(diagonal: list[Any], below: list[Any]) -> Matrix:
    """Return a lower triangular matrix from its diagonal and, row by row, what is below it."""
    d, given = len(diagonal), iter(below)
    return [[*(next(given) for _ in range(i)), diagonal[i], *([0] * (d - 1 - i))] for i in range(d)]
