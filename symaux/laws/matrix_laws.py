r"""Define laws of matrices: Cholesky factors of correlations, and covariances. The value's last two indices are its plates."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.errors import LawError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, free_plates, indices_of, label
from symaux.formulas.symbols.matrix_functions import InverseWishartLogDensity, LKJLogDensity, WishartLogDensity
from symaux.formulas.symbols.support import CorrelationFactors, PositiveDefinite
from symaux.laws.family import POSITIVE, check_argument
from symaux.laws.law import Law, as_value
from symaux.laws.vector_laws import differ_in_length, refuse_diagonal


def lkj_cholesky(value: Any, eta: Any) -> Law:
    r"""Return the law $p(L) \propto \prod_{i=2}^d L_{ii}^{\,d-i+2\eta-2}$ of a Cholesky factor of a d × d correlation matrix.

    Here $\eta > 0$, and the density is with respect to the elements below the diagonal. The correlation matrix $LL^\top$ has
    density $\propto \det(LL^\top)^{\eta-1}$: uniform for $\eta = 1$.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> lkj_cholesky(arrays("L")[plate("i", 3), plate("j", 3)], 2).support
    CorrelationFactors(row=i, column=j)
    """
    family, eta = "lkj_cholesky", as_formula(eta)
    value, row, column = _matrix_value(family, value)
    condition = check_argument(family, value, "eta", POSITIVE, eta)
    _same_for_all(family, value, "eta", eta, row, column)
    conditions = () if condition is None else (condition,)
    support = CorrelationFactors(row, column)
    return Law(value, LKJLogDensity(value, eta, row, column), support, conditions, event=(row, column))


def wishart(value: Any, df: Any, scale: Any = None, *, cholesky: Any = None) -> Law:
    r"""Return the Wishart law of a positive definite d × d matrix, $\nu > d - 1$, with mean $\nu V$:
    $p(S) = \frac{|S|^{(\nu-d-1)/2}\,e^{-\operatorname{tr}(V^{-1}S)/2}}{2^{\nu d/2}\,|V|^{\nu/2}\,\Gamma_d(\nu/2)}$.

    The scale V, or a lower triangular C with $CC^\top = V$, is a formula in the value's two plates. The density is with
    respect to the lower triangle.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> S, V, i, j = *arrays("S V"), plate("i", 3), plate("j", 3)
    >>> wishart(S[i, j], 5, V[i, j]).parameters
    (V[i, j],)
    """
    return _covariance("wishart", WishartLogDensity, value, df, scale, cholesky)


def inverse_wishart(value: Any, df: Any, scale: Any = None, *, cholesky: Any = None) -> Law:
    r"""Return the law of $W^{-1}$, where W is a d × d Wishart matrix with scale $\Psi^{-1}$ and $\nu > d - 1$:
    $p(S) = \frac{|\Psi|^{\nu/2}\,|S|^{-(\nu+d+1)/2}\,e^{-\operatorname{tr}(\Psi S^{-1})/2}}{2^{\nu d/2}\,\Gamma_d(\nu/2)}$.

    The scale Ψ, or a lower triangular C with $CC^\top = \Psi$, is a formula in the value's two plates.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> S, V, i, j = *arrays("S V"), plate("i", 3), plate("j", 3)
    >>> inverse_wishart(S[i, j], 5, cholesky=V[i, j]).event
    (i, j)
    """
    return _covariance("inverse_wishart", InverseWishartLogDensity, value, df, scale, cholesky)


def _covariance(family: str, density: type, value: Any, df: Any, scale: Any, cholesky: Any) -> Law:
    value, row, column = _matrix_value(family, value)
    nu = as_formula(df)
    _same_for_all(family, value, "df", nu, row, column)
    if nu.has(value):
        raise LawError(f"{family}({value}, ...): df = {nu} contains {value} itself")
    given = {"scale": scale, "cholesky": cholesky}
    stated = {word: as_formula(matrix) for word, matrix in given.items() if matrix is not None}
    if len(stated) != 1:
        raise LawError(f"{family}({value}, ...): give exactly one of scale, cholesky, not {len(stated)}")
    ((word, matrix),) = stated.items()
    if matrix.has(value) or not free_plates(matrix) <= free_plates(value):
        raise LawError(f"{family}({value}, ...): the {word} {matrix} must be a formula in the plates of {value}")
    refuse_diagonal(family, value, row, column, word, matrix)
    condition = sp.StrictGreaterThan(nu, extent(row) - 1)
    if condition == sp.false or nu.is_extended_real is False:
        raise LawError(f"{family}({value}, ...): df must be above {extent(row) - 1}, but is {nu}")
    conditions = () if condition == sp.true else (condition,)
    formula = density(value, nu, matrix, row, column, *(() if word == "scale" else (word,)))
    return Law(value, formula, PositiveDefinite(row, column), conditions, event=(row, column))


def _matrix_value(family: str, value: Any) -> tuple[Any, Idx, Idx]:
    value = as_value(value)
    indices = indices_of(value)
    if len(indices) < 2 or not all(isinstance(i, Idx) for i in indices[-2:]) or indices[-1] == indices[-2]:
        raise LawError(f"{family}({value}, ...): the value must be a matrix along two plates, as in S[i, j]")
    row, column = indices[-2:]
    if differ_in_length(row, column):
        raise LawError(
            f"{family}({value}, ...): the matrix has {extent(row)} rows ({label(row)}) and"
            f" {extent(column)} columns ({label(column)})"
        )
    if not extent(row).is_Integer or extent(row) < 2:
        raise LawError(f"{family}({value}, ...): the size of the plate {label(row)} must be a number of at least 2")
    return value, row, column


def _same_for_all(family: str, value: Any, name: str, formula: Formula, row: Idx, column: Idx) -> None:
    if free_plates(formula) & {row, column}:
        raise LawError(f"{family}({value}, ...): {name} = {formula} must be the same for all elements of a matrix")
