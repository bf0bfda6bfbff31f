r"""Verify generating functions of vectors and matrices, without knowing the rules.

A witness at random points refutes; otherwise each method that fits is asked for a proof: linear maps of normal vectors and
scale mixtures of them, in any dimension.

>>> from symaux.formulas.symbols.array_functions import Correlated
>>> from symaux.laws.families import normal
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> from symaux.laws.vector_laws import multivariate_normal
>>> z, mu, e, K, i, j = *arrays("z mu e K"), plate("i", 3), plate("j", 3)
>>> law, noise = multivariate_normal(z[i], mu[i], K[i, j]), (normal(e[i], 0, 1),)
>>> verify_vector(law, noise, mu[i] + Correlated(e[i], K[i, j], i, j)).status.name
'PROVED'
>>> verify_vector(law, noise, mu[i] + Correlated(e[i], K[i, j], i, j, "L.T")).status.name
'REFUTED'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import sympy as sp

from symaux.formulas.symbols.array_functions import GaussianLogDensity
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import indices_of
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal
from symaux.proof.vectors.linear import split_linear_map, whitens
from symaux.proof.vectors.refute import Comparison, compare_at_random_points
from symaux.proof.vectors.scale_mixture import verify_scale_mixture
from symaux.proof.vectors.simplex import verify_normalised_weights
from symaux.proof.vectors.triangular import verify_triangular_map
from symaux.proof.vectors.wishart import verify_bartlett
from symaux.rules.verdict import Status, Verdict

Noise = tuple[Law, ...]
Method = Callable[[Law, Noise, Formula], Verdict | None]
DEFINITE = "the matrix positive definite"


def verify_vector(law: Law, noise: Noise, value: Formula, trusted: bool = False) -> Verdict:
    """Return the verdict on a generating function of a vector."""
    if value.has(law.value):
        return Verdict(Status.UNDECIDED, (f"the generating function reads {law.value} itself",))
    if any(formula.has(n.value) for n in noise for formula in law.formulas):
        return Verdict(Status.UNDECIDED, ("a noise is a parent of the variable that it is the noise of",))
    found = compare_at_random_points(law, noise, value)
    if found.witness:
        return Verdict(Status.REFUTED, (found.reason,), (), found.witness)
    for method in METHODS:
        judged = method(law, noise, value)
        if judged is not None:
            return judged
    return _unproved(found)


def _unproved(found: Comparison) -> Verdict:
    if found.agreed:
        line = f"the two log-densities agree at {found.agreed} random points"
        return Verdict(Status.SAMPLED, ("no method gave a proof for this map of vectors", line))
    return Verdict(Status.UNDECIDED, (found.reason or "no method yet for this map of vectors",))


def verify_linear_gaussian(law: Law, noise: Noise, value: Formula) -> Verdict | None:
    r"""Return PROVED for $z = m \pm A\varepsilon$ with standard normal noise, for any dimension."""
    if not isinstance(law.log_density, GaussianLogDensity) or len(noise) != 1:
        return None
    (eps,) = noise
    made = split_linear_map(law, law.log_density.operands[0], value)
    if made is None or not is_standard_normal(eps) or indices_of(eps.value) != indices_of(law.value):
        return None
    if not whitens(law.log_density, made, eps) or not depends_on_parents_only(made.scale, noise):
        return None
    if sp.simplify(made.scale**2) != 1:
        return None
    evidence = (
        "z = m + A eps is linear, and A is invertible: a triangular factor with a diagonal without zeros",
        "A^T Q A = 1 for the precision Q of the law, as words in the factor: log|det A| = -log(det Q)/2, and the"
        " quadratic forms are equal, in any dimension",
        "the noise is independent standard normal",
    )
    return Verdict(Status.PROVED, evidence, (DEFINITE,))


def depends_on_parents_only(formula: Formula, noise: Iterable[Law]) -> bool:
    """Return whether a formula is free of every noise."""
    return not any(formula.has(n.value) for n in noise)


METHODS: tuple[Method, ...] = (
    verify_linear_gaussian,
    verify_scale_mixture,
    verify_normalised_weights,
    verify_triangular_map,
    verify_bartlett,
)
