r"""Compare linear maps of normal vectors, for any dimension: $z = m + cA\varepsilon$ has precision Q exactly when $c^2
A^\top Q A = 1$.

Matrices are words in invertible generators, their inverses and transposes: Cholesky's factor F of a matrix K is a generator
with $K = FF^\top$, a triangle that is given is one by itself. Words are reduced as in a free group, so a word that is
reduced to nothing is the identity whatever the matrices are; determinants follow.

>>> f = Letter("F")
>>> reduce_word((*transpose((f,)), *invert(transpose((f,)))))
()
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.formulas.symbols.array_functions import CHOLESKY, PRECISION, ArrayFunction, Correlated
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import free_plates
from symaux.laws.law import Law


@dataclass(frozen=True)
class Letter:
    """An invertible matrix, its inverse or its transpose."""

    name: Any
    inverse: bool = False
    transpose: bool = False


Word = tuple[Letter, ...]


def transpose(word: Word) -> Word:
    """Return the transpose of a product of matrices."""
    return tuple(replace(letter, transpose=not letter.transpose) for letter in reversed(word))


def invert(word: Word) -> Word:
    """Return the inverse of a product of matrices."""
    return tuple(replace(letter, inverse=not letter.inverse) for letter in reversed(word))


def reduce_word(word: Word) -> Word:
    """Return the word without neighbours that are inverse to each other."""
    kept: list[Letter] = []
    for letter in word:
        if kept and kept[-1] == replace(letter, inverse=not letter.inverse):
            kept.pop()
        else:
            kept.append(letter)
    return tuple(kept)


def precision(matrix: Any, kind: str) -> Word:
    """Return the precision of a vector, from its covariance, its precision or a factor of its covariance."""
    factor = (Letter((kind == CHOLESKY, matrix)),)
    if kind == PRECISION:
        return (*factor, *transpose(factor))
    return invert((*factor, *transpose(factor)))


def applied_matrix(function: Correlated) -> Word:
    """Return the matrix that a function applies to its noise."""
    how = "".join(function.words) or "L"
    word: Word = (Letter((how.startswith("M"), function.operands[1])),)
    word = transpose(word) if how.endswith("T") else word
    return invert(word) if "^-" in how else word


@dataclass(frozen=True)
class Linear:
    """The parts of $z = m + c A \\varepsilon$: the function that applies A, and c."""

    function: Correlated
    scale: Formula


def split_linear_map(law: Law, residual: Formula, value: Formula) -> Linear | None:
    """Split a generating function into its linear parts; None unless its location is that of the law."""
    rest = sp.expand(value - (law.value - residual), deep=False)
    found = [f for f in sp.Mul.make_args(rest) if isinstance(f, Correlated)]
    if len(found) != 1:
        return None
    scale = rest / found[0]
    if scale.has(Correlated) or free_plates(scale) & set(law.event):
        return None
    return Linear(found[0], scale)


def whitens(density: ArrayFunction, made: Linear, noise: Law) -> bool:
    r"""Return whether $A^\top Q A = 1$ for the matrix A applied to the noise and the precision Q of the density."""
    function = made.function
    if function.plates != density.plates or function.operands[0] != noise.value:
        return False
    a, q = applied_matrix(function), precision(density.operands[-1], "".join(density.words))
    return reduce_word((*transpose(a), *q, *a)) == ()
