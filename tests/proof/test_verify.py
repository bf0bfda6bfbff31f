"""The known ways to a false "verified", each a permanent test, and true claims that must not be condemned."""

from __future__ import annotations

import pytest
import sympy as sp

from symaux.formulas.functions.elementary import ndtr, ndtri
from symaux.formulas.symbols.indices import arrays, plate
from symaux.formulas.symbols.support import Interval
from symaux.laws.families import (
    cauchy,
    exponential,
    half_normal,
    kumaraswamy,
    laplace,
    logistic,
    normal,
    triangular,
    uniform,
)
from symaux.laws.law import Law, flat, law
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict

Z, E, MU, A, B, C = sp.symbols("z e mu a b c", real=True)
X, U, S, K, W = sp.symbols("x u s k w", positive=True)
UNIFORM = uniform(U, 0, 1)
NORMAL = normal(E, 0, 1)
HALF = sp.Rational(1, 2)


def judged(of: Law, noise: Law, value: sp.Expr) -> Verdict:
    return verify(of, Rewrite((noise,), value))


TRUE = {
    "normal": (normal(Z, MU, S), NORMAL, MU + S * E),
    "normal, decreasing": (normal(Z, MU, S), NORMAL, MU - S * E),
    "normal from a uniform": (normal(Z, MU, S), UNIFORM, MU + S * ndtri(U)),
    "uniform from a normal": (UNIFORM, NORMAL, ndtr(E)),
    "cauchy": (cauchy(Z, MU, S), UNIFORM, MU + S * sp.tan(sp.pi * (U - HALF))),
    "logistic": (logistic(Z, MU, S), UNIFORM, MU + S * sp.log(U / (1 - U))),
    "logistic, two logarithms": (logistic(Z, MU, S), UNIFORM, MU + S * (sp.log(U) - sp.log(1 - U))),
    "kumaraswamy": (kumaraswamy(X, A**2 + 1, K), UNIFORM, (1 - (1 - U) ** (1 / K)) ** (1 / (A**2 + 1))),
    "laplace": (
        laplace(Z, MU, S),
        UNIFORM,
        sp.Piecewise((MU + S * sp.log(2 * U), U < HALF), (MU - S * sp.log(2 - 2 * U), True)),
    ),
    "triangular": (
        triangular(Z, A, C, B),
        UNIFORM,
        sp.Piecewise(
            (A + sp.sqrt(U * (B - A) * (C - A)), U < (C - A) / (B - A)),
            (B - sp.sqrt((1 - U) * (B - A) * (B - C)), True),
        ),
    ),
    "uniform with parents": (uniform(Z, A, B), UNIFORM, B - (B - A) * U),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved(name: str) -> None:
    verdict = judged(*TRUE[name])
    assert verdict.status is Status.PROVED, verdict


MILLION = sp.Integer(10**6)
# the gamma functions unevaluated: sympy would write out half a million factorial
GAMMAS = sp.loggamma((MILLION + 1) / 2, evaluate=False) - sp.loggamma(MILLION / 2, evaluate=False)
T_MILLION = law(Z, log_density=GAMMAS - sp.log(MILLION * sp.pi) / 2 - (MILLION + 1) / 2 * sp.log(1 + Z**2 / MILLION))
TWO_SIDED = law(Z, log_density=-sp.Abs(Z) / 2 - sp.log(2) - sp.log(2 * sp.pi * sp.Abs(Z)) / 2)
HALF_CHI = law(X, log_density=-X / 2 - sp.log(2) - sp.log(2 * sp.pi * X) / 2)
FALSE = {
    "folded uniform": (law(X, 1, support=(0, 1)), UNIFORM, sp.Abs(U - HALF)),
    "square against half the chi-squared density": (HALF_CHI, NORMAL, E**2),
    "square against a two-sided density": (TWO_SIDED, NORMAL, E**2),
    "scale off by 1e-9": (normal(Z, 0, 1 + sp.Rational(1, 10**9)), NORMAL, E),
    "t with a million degrees of freedom": (T_MILLION, NORMAL, E),
    "laplace of unit variance": (laplace(Z, 0, 1 / sp.sqrt(2)), NORMAL, E),
    "variance for standard deviation": (normal(Z, MU, S), NORMAL, MU + S**2 * E),
    "location forgotten": (normal(Z, MU, S), NORMAL, S * E),
    "rate for scale": (exponential(X, S), exponential(W, 1), S * W),
    "outside the support": (half_normal(X, S), NORMAL, S * E),
    "half of the support": (laplace(Z, 0, 1), UNIFORM, sp.log(U)),
    "wrong tail": (kumaraswamy(X, S, K), UNIFORM, (1 - U ** (1 / S)) ** (1 / K)),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_refuted_with_a_witness(name: str) -> None:
    verdict = judged(*FALSE[name])
    assert verdict.status is Status.REFUTED, verdict
    assert verdict.witness and not verdict


TINY = 1 + sp.Rational(1, 10**6)
MUTATIONS = {
    "factor": lambda of, noise, g: (of, noise, TINY * g),
    "shift": lambda of, noise, g: (of, noise, g + TINY - 1),
    "squared parameter": lambda of, noise, g: (of, noise, g.xreplace({S: S**2})),
    "parameter off by 1e-6": lambda of, noise, g: (of, noise, g.xreplace({S: S * TINY})),
    "stretched noise": lambda of, noise, g: (of, noise, g.xreplace({noise.value: noise.value**TINY})),
    "missing term in the law": lambda of, noise, g: (
        law(of.value, log_density=_shorter(of), support=of.support),
        noise,
        g,
    ),
    "tilted noise": lambda of, noise, g: (of, _tilted(noise), g),
}
MUTANTS = [(n, m) for n in ("normal", "cauchy", "logistic", "laplace", "normal from a uniform") for m in MUTATIONS]


def _shorter(of: Law) -> sp.Expr:
    return of.log_density - max(sp.Add.make_args(of.log_density), key=lambda term: (term.has(of.value), str(term)))


def _tilted(noise: Law) -> Law:
    return Law(noise.value, noise.log_density + (TINY - 1) * noise.value, noise.support)


@pytest.mark.parametrize(("name", "mutation"), MUTANTS)
def test_mutants_are_refuted(name: str, mutation: str) -> None:
    verdict = judged(*MUTATIONS[mutation](*TRUE[name]))
    assert verdict.status is Status.REFUTED, verdict


def test_a_density_that_is_not_normalised_is_refuted_by_its_integral() -> None:
    excess = sp.log(sp.Rational(10001, 10000))
    heavy = Law(E, NORMAL.log_density + excess, NORMAL.support)
    wrong = Law(Z, normal(Z, MU, S).log_density + excess, NORMAL.support)
    verdict = judged(wrong, heavy, MU + S * E)
    assert verdict.status is Status.REFUTED
    assert verdict.witness == (("integral", "1.0001"),)


def test_a_map_that_folds_is_proved_by_the_sum_over_its_branches() -> None:
    verdict = judged(half_normal(X, S), NORMAL, S * sp.Abs(E))
    assert verdict.status is Status.PROVED and any("over the branches" in line for line in verdict.evidence), verdict


def test_a_jump_between_branches_is_not_proved() -> None:
    swapped = sp.Piecewise((U + HALF, U < HALF), (U - HALF, True))
    assert not judged(uniform(X, 0, 1), UNIFORM, swapped)


def test_a_branch_chosen_by_a_parameter_is_not_proved() -> None:
    jumping = sp.Piecewise((MU + S * E, MU > 0), (MU - S * E, True))
    assert not judged(normal(Z, MU, S), NORMAL, jumping)


def test_improper_laws_are_compared_up_to_a_constant() -> None:
    y = sp.Symbol("y", real=True)
    log_flat = Law(y, y, Interval(-sp.oo, sp.oo), proper=False)
    verdict = verify(flat(X), Rewrite((log_flat,), sp.exp(y)))
    assert verdict.status is Status.PROVED and "improper" in str(verdict)
    assert not verify(flat(X), Rewrite((NORMAL,), sp.exp(E)))


def test_parents_may_be_elements_and_sums() -> None:
    w, z, sigma = arrays("w z sigma")
    i, k = plate("i", 3), plate("k", 4)
    mean = sp.tanh(sp.Sum(w[i, k] * z[k], k))
    eps = arrays("eps")[i]
    of = normal(z[i], mean, sigma[i])
    assert verify(of, Rewrite((normal(eps, 0, 1),), mean + sigma[i] * eps)).status is Status.PROVED
    assert verify(of, Rewrite((normal(eps, 0, 1),), mean + 2 * sigma[i] * eps)).status is Status.REFUTED


def test_a_verdict_states_its_region() -> None:
    assert judged(uniform(Z, A, B), UNIFORM, A + (B - A) * U).region == ("b > a",)
    assert "s positive" in judged(normal(Z, MU, S), NORMAL, MU + S * E).region


def test_several_noises_are_integrated_out() -> None:
    other = normal(sp.Symbol("e2", real=True), 0, 1)
    verdict = verify(normal(Z, 0, sp.sqrt(2)), Rewrite((NORMAL, other), E + other.value))
    assert verdict.status is Status.PROVED and "integrated out" in str(verdict)
