r"""Define laws that are not one scalar formula: mixtures, categorical laws, and vectors along an event plate.

The last index of the value is the event plate; another plate of the same length indexes the columns of a matrix.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.errors import LawError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.array_functions import GaussianLogDensity, StudentLogDensity
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import at_index, extent, free_plates, indices_of, label
from symaux.formulas.symbols.support import Integers, Simplex, Vectors
from symaux.laws.family import POSITIVE, check_argument
from symaux.laws.law import Law, as_value


def mixture(value: Any, *components: tuple[Any, Law] | Any) -> Law:
    r"""Return the mixture $p(z) = \sum_k w_k p_k(z)$ of pairs (weight, law), or of one weight and one law over a plate.

    >>> y = sp.Symbol("y", real=True)
    >>> from symaux.laws.families import normal
    >>> two = mixture(y, (0.3, normal(y, -1, 1)), (0.7, normal(y, 1, 1)))
    >>> round(float(two.density.subs(y, 0)), 6)
    0.241971
    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> w, mu = arrays("w", positive=True), arrays("mu")
    >>> k = plate("k", 3)
    >>> mixture(y, w[k], normal(y, mu[k], 1)).parameters
    (mu[k], w[k])
    """
    value = as_value(value)
    if len(components) == 2 and isinstance(components[1], Law):
        return _mixture_over_plate(value, as_formula(components[0]), components[1])
    pairs = [(as_formula(w), _component(value, part)) for w, part in components]
    if not pairs:
        raise LawError(f"mixture({value}): give pairs (weight, law)")
    weights = [w for w, _ in pairs]
    if all(w.is_number for w in weights) and sum(weights) != 1:
        raise LawError(f"mixture({value}): the weights {weights} add up to {sum(weights)}, not 1")
    if any(w.is_negative for w in weights):
        raise LawError(f"mixture({value}): a weight is negative: {weights}")
    total = sp.Add(*(w * sp.exp(part.log_density) for w, part in pairs))
    support = _common_support(value, [part for _, part in pairs])
    conditions = tuple(c for _, part in pairs for c in part.conditions)
    conditions += tuple(w >= 0 for w in weights if w.is_nonnegative is None)
    return Law(value, sp.log(total), support, conditions, components=tuple(pairs))


def _mixture_over_plate(value: Any, weight: Formula, part: Law) -> Law:
    part = _component(value, part)
    plates = (free_plates(weight) | free_plates(part.log_density)) - free_plates(value)
    if len(plates) != 1:
        raise LawError(
            f"mixture({value}): one weight and one law are a mixture over a plate k that {value} lacks, as in"
            f" w[k] and normal(m[k], 1), but {weight} and its law share none; otherwise give several weights and laws"
        )
    (k,) = plates
    if weight.is_negative:
        raise LawError(f"mixture({value}): a weight is negative: {weight}")
    log_density = sp.log(sp.Sum(weight * sp.exp(part.log_density), k))
    conditions = (*part.conditions, *(() if weight.is_nonnegative else (weight >= 0,)))
    return Law(value, log_density, part.support, conditions, components=((weight, part),))


def _component(value: Any, part: Law) -> Law:
    if not isinstance(part, Law) or part.value != value:
        raise LawError(f"mixture({value}): every component must be a law of {value}, not {part}")
    return part


def _common_support(value: Any, parts: list[Law]) -> Any:
    supports = {part.support for part in parts}
    if len(supports) > 1:
        raise LawError(f"mixture({value}): the components have different supports: {', '.join(map(str, supports))}")
    return supports.pop()


def categorical(value: Any, probability: Any) -> Law:
    r"""Return the law $p(z) = \theta_z$, $z \in \{0, \dots, K-1\}$; ``probability`` is a formula in one more plate.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> y, p = arrays("y", integer=True), arrays("p", positive=True)
    >>> i, k = plate("i", 5), plate("k", 3)
    >>> categorical(y[i], p[i, k])
    Law(value=y[i], log_density=log(p[i, y[i]]), support=Integers(lower=0, upper=2), conditions=(), event=(), proper=True)
    """
    value, formula = as_value(value), as_formula(probability)
    plates = free_plates(formula) - free_plates(value)
    if len(plates) != 1:
        raise LawError(
            f"categorical({value}, {formula}): the probability must have one plate that {value} lacks, the categories"
        )
    (k,) = plates
    return Law(value, sp.log(at_index(formula, k, value)), Integers(sp.S.Zero, extent(k) - 1))


def multivariate_normal(
    value: Any, loc: Any, covariance: Any = None, *, precision: Any = None, cholesky: Any = None
) -> Law:
    r"""Return the law $\log p(z) = -\frac12 (z-\mu)^\top K^{-1} (z-\mu) - \frac12\log\det K - \frac d2\log 2\pi$.

    The covariance K is a formula in the value's last plate and in one more of the same length: a Gaussian process. So is
    its inverse, ``precision``, or a lower triangular L with $LL^\top = K$, ``cholesky`` (elements above its diagonal
    are ignored).

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> f, x = arrays("f x")
    >>> i, j = plate("i", 4), plate("j", 4)
    >>> K = sp.exp(-(x[i] - x[j])**2/2) + sp.KroneckerDelta(i, j)/100
    >>> multivariate_normal(f[i], 0, K).event
    (i,)
    """
    family = "multivariate_normal"
    value, residual, row = _residual(family, value, loc)
    matrix, column, word = _matrix(family, value, row, covariance=covariance, precision=precision, cholesky=cholesky)
    return Law(value, GaussianLogDensity(residual, matrix, row, column, *word), Vectors(row), event=(row,))


def multivariate_student_t(
    value: Any, df: Any, loc: Any, scale: Any = None, *, precision: Any = None, cholesky: Any = None
) -> Law:
    r"""Return the law $p(z) = \frac{\Gamma((\nu+d)/2)}{\Gamma(\nu/2)\,(\nu\pi)^{d/2}\,|K|^{1/2}}
    \bigl(1 + \frac1\nu (z-\mu)^\top K^{-1} (z-\mu)\bigr)^{-(\nu+d)/2}$.

    The matrix K (a scale: the covariance is $\nu K/(\nu-2)$) is given as for ``multivariate_normal``.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> z, K = arrays("z K")
    >>> i, j = plate("i", 4), plate("j", 4)
    >>> multivariate_student_t(z[i], 3, 0, K[i, j]).parameters
    (K[i, j],)
    """
    family, nu = "multivariate_student_t", as_formula(df)
    value, residual, row = _residual(family, value, loc)
    condition = check_argument(family, value, "df", POSITIVE, nu)
    if free_plates(nu) & {row}:
        raise LawError(f"{family}({value}, ...): df = {nu} must be the same for all elements of a vector along {row}")
    matrix, column, word = _matrix(family, value, row, scale=scale, precision=precision, cholesky=cholesky)
    density = StudentLogDensity(residual, nu, matrix, row, column, *word)
    return Law(value, density, Vectors(row), () if condition is None else (condition,), event=(row,))


def _residual(family: str, value: Any, loc: Any) -> tuple[Any, Formula, Idx]:
    """Return the value, its distance from the location, and its event plate."""
    value, loc = as_value(value), as_formula(loc)
    row = _event_plate(family, value)
    if loc.has(value):
        raise LawError(f"{family}({value}, ...): loc = {loc} contains {value} itself")
    return value, value - loc, row


def _matrix(family: str, value: Any, row: Idx, **given: Any) -> tuple[Formula, Idx, tuple[str, ...]]:
    """Return the one matrix that was given, the plate of its columns, and its keyword unless that is the default."""
    stated = {word: as_formula(matrix) for word, matrix in given.items() if matrix is not None}
    if len(stated) != 1:
        raise LawError(f"{family}({value}, ...): give exactly one of {', '.join(given)}, not {len(stated)}")
    ((word, matrix),) = stated.items()
    return matrix, matrix_column(family, value, row, word, matrix), () if word == next(iter(given)) else (word,)


def differ_in_length(row: Idx, column: Idx) -> bool:
    """Return whether two plates are known to differ in length; a plate without a size takes the length of the other.

    >>> from symaux.formulas.symbols.indices import plate
    >>> differ_in_length(plate("i", 3), plate("j", 4)), differ_in_length(plate("i"), plate("j"))
    (True, False)
    """
    sizes = extent(row), extent(column)
    return all(size.is_Integer for size in sizes) and sizes[0] != sizes[1]


def matrix_column(family: str, value: Any, row: Idx, word: str, matrix: Formula) -> Idx:
    """Return the plate of the columns of a matrix whose rows run along ``row``."""
    if matrix.has(value):
        raise LawError(f"{family}({value}, ...): the {word} {matrix} contains {value} itself")
    columns = free_plates(matrix) - free_plates(value)
    if len(columns) != 1:
        raise LawError(
            f"{family}({value}, ...): the {word} {matrix} must be a formula in {row} and one more plate"
            f" of the same length; a diagonal one is written with KroneckerDelta({row}, j)"
        )
    (column,) = columns
    if differ_in_length(row, column):
        raise LawError(
            f"{family}({value}, ...): the {word} has {extent(row)} rows ({label(row)}) and"
            f" {extent(column)} columns ({label(column)})"
        )
    refuse_diagonal(family, value, row, column, word, matrix)
    return column


def refuse_diagonal(family: str, value: Any, row: Idx, column: Idx, word: str, matrix: Formula) -> None:
    """Raise LawError if a positive definite matrix, or its Cholesky factor, has a diagonal element that is never positive.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> z, i, j = arrays("z"), plate("i", 3), plate("j", 3)
    >>> refuse_diagonal("multivariate_normal", z[i], i, j, "covariance", -sp.KroneckerDelta(i, j))
    Traceback (most recent call last):
        ...
    symaux.errors.LawError: multivariate_normal(z[i], ...): the covariance has -1 on its diagonal, which is not positive
    """
    diagonal = at_index(matrix, column, row)
    if diagonal.is_extended_nonpositive or diagonal.is_extended_real is False:
        raise LawError(f"{family}({value}, ...): the {word} has {diagonal} on its diagonal, which is not positive")


def dirichlet(value: Any, concentration: Any) -> Law:
    r"""Return the law $p(z) = \frac{\Gamma(\sum_k a_k)}{\prod_k \Gamma(a_k)} \prod_k z_k^{a_k-1}$ on the simplex.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> theta = arrays("theta", positive=True)
    >>> dirichlet(theta[plate("k", 3)], 2).support
    Simplex(plate=k)
    """
    value, a = as_value(value), as_formula(concentration)
    k = _event_plate("dirichlet", value)
    if a.is_positive is False:
        raise LawError(f"dirichlet({value}, ...): concentration must be positive, but is {a}")
    if a.has(value):
        raise LawError(f"dirichlet({value}, ...): concentration = {a} contains {value} itself")
    constant = sp.loggamma(_over(a, k)) - _over(sp.loggamma(a), k)
    log_density = constant + sp.Sum((a - 1) * sp.log(value), k)
    conditions = () if a.is_positive else (a > 0,)
    return Law(value, log_density, Simplex(k), conditions, event=(k,))


def _over(formula: Formula, k: Idx) -> Formula:
    """Return the sum of a formula over a plate; a formula that is constant along it is multiplied by its length."""
    return sp.Sum(formula, k) if k in free_plates(formula) else extent(k) * formula


def _event_plate(family: str, value: Any) -> Idx:
    indices = indices_of(value)
    if not indices or not isinstance(indices[-1], Idx):
        raise LawError(f"{family}({value}, ...): the value must be a vector along a plate, as in z[i]")
    return indices[-1]
