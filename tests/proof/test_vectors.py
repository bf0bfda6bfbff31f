"""Vectors and matrices: their forms, what refutes a wrong one, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.functions.registry import betaincinv, gammaincinv
from symaux.formulas.symbols.array_functions import Correlated, Normalised, StickBreaking
from symaux.formulas.symbols.matrix_functions import Bartlett, CorrelationFactor, InverseBartlett, PairColumn
from symaux.formulas.symbols.support import pair_plate, stick_plate
from symaux.laws.families import normal, uniform
from symaux.rules.rule import Rewrite

z, mu, e, K, L, S, x, y = sa.arrays("z mu e K L S x y")
w, a, u = sa.arrays("w a u", positive=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 3), sa.plate("k", 3), sa.plate("n", 2)
m, b = sp.symbols("m b", real=True)
nu, eta, tau = sp.symbols("nu eta tau", positive=True)
P, R = pair_plate(i), stick_plate(k)

KERNEL = tau**2 * sp.exp(-((x[i] - x[j]) ** 2)) + sp.KroneckerDelta(i, j) / 10
LAWS = {
    "normal by covariance": sa.multivariate_normal(z[i], mu[i], K[i, j]),
    "normal by precision": sa.multivariate_normal(z[i], mu[i], precision=K[i, j]),
    "normal by factor": sa.multivariate_normal(z[n, i], mu[n], cholesky=L[n, i, j]),
    "Gaussian process": sa.multivariate_normal(z[i], m, KERNEL),
    "normal about a product": sa.multivariate_normal(z[i], sp.Sum(K[i, j] * mu[j], j), K[i, j]),
    "student t": sa.multivariate_student_t(z[n, i], nu, mu[i], K[i, j]),
    "student t by precision": sa.multivariate_student_t(z[i], sp.Rational(5, 2), m, precision=K[i, j]),
    "dirichlet": sa.dirichlet(w[n, k], a[k]),
    "flat dirichlet": sa.dirichlet(w[k], 1),
    "dirichlet of unknown sign": sa.dirichlet(w[k], b),
    "dirichlet of open size": sa.dirichlet(w[sa.plate("o")], a[sa.plate("o")]),
    "lkj": sa.lkj_cholesky(L[i, j], eta),
    "lkj in a batch": sa.lkj_cholesky(L[n, i, j], 2),
    "wishart": sa.wishart(S[n, i, j], nu + 2, K[i, j]),
    "wishart by factor": sa.wishart(S[i, j], nu, cholesky=L[i, j]),
    "inverse wishart": sa.inverse_wishart(S[i, j], nu + 2, K[i, j]),
}


@pytest.mark.parametrize("name", LAWS)
def test_every_form_is_proved(name: str) -> None:
    forms = list(sa.forms(LAWS[name]))
    assert forms
    for form in forms:
        assert form.verdict.status is sa.Status.PROVED, form.verdict
        assert all(not noise.parameters for noise in form.noise)
        assert {noise.name for noise in form.noise} <= {f"eps_{form.law.name}{t}" for t in ("", "_1", "_2")}


def test_a_dirichlet_has_two_forms() -> None:
    gammas, broken = sa.forms(LAWS["dirichlet"])
    assert gammas.value.has(Normalised) and broken.value.has(StickBreaking)


def test_verdicts_say_which_dimension_they_cover() -> None:
    assert "any dimension" in str(sa.derive(LAWS["normal by covariance"]).verdict)
    assert "dimension 3" in str(sa.derive(LAWS["lkj"]).verdict)
    assert "dimension 3" in str(sa.derive(LAWS["wishart"]).verdict)


def stick(first: Any, second: Any) -> Any:
    v = betaincinv(first, second, u[R])
    return StickBreaking(sp.log(v / (1 - v)), R, k)


def vine(shift: Any) -> Any:
    shape = eta + (1 - PairColumn(P, P)) / 2 + shift
    v = betaincinv(shape, shape, u[P])
    return CorrelationFactor(sp.log(v / (1 - v)) / 2, i, j, P)


def chi(factor: Any, shape: Any) -> Any:
    return sp.sqrt(factor) * sp.sqrt(gammaincinv(shape, u[i]))


NORMAL, UNIFORM = (normal(e[i], 0, 1),), (uniform(u[k], 0, 1),)
STUDENT = (normal(e[n, i], 0, 1), uniform(u[n], 0, 1))
WISHART = (uniform(u[i], 0, 1), normal(e[P], 0, 1))
COVARIANCE, FACTOR = sa.multivariate_normal(z[i], mu[i], K[i, j]), sa.multivariate_normal(z[i], mu[i], cholesky=L[i, j])
WISHART_LAW = sa.wishart(S[i, j], nu + 3, K[i, j])
WRONG = {
    "upper for lower": (COVARIANCE, NORMAL, mu[i] + Correlated(e[i], K[i, j], i, j, "L.T")),
    "a factor that is not one": (COVARIANCE, NORMAL, mu[i] + Correlated(e[i], K[i, j], i, j, "M")),
    "covariance for precision": (
        sa.multivariate_normal(z[i], mu[i], precision=K[i, j]),
        NORMAL,
        mu[i] + Correlated(e[i], K[i, j], i, j),
    ),
    "no transpose": (
        sa.multivariate_normal(z[i], mu[i], precision=K[i, j]),
        NORMAL,
        mu[i] + Correlated(e[i], K[i, j], i, j, "L^-1"),
    ),
    "inverse factor": (FACTOR, NORMAL, mu[i] + Correlated(e[i], L[i, j], i, j, "M^-1")),
    "a millionth": (COVARIANCE, NORMAL, mu[i] + (1 + sp.Rational(1, 10**6)) * Correlated(e[i], K[i, j], i, j)),
    "another mean": (COVARIANCE, NORMAL, mu[i] + sp.Rational(1, 10**6) + Correlated(e[i], K[i, j], i, j)),
    "twice the matrix": (COVARIANCE, NORMAL, mu[i] + Correlated(e[i], 2 * K[i, j], i, j)),
    "degrees of freedom": (
        LAWS["student t"],
        STUDENT,
        mu[i] + sp.sqrt(nu / 2) / sp.sqrt(gammaincinv(nu, u[n])) * Correlated(e[n, i], K[i, j], i, j),
    ),
    "upper for lower in a t": (
        LAWS["student t"],
        STUDENT,
        mu[i] + sp.sqrt(nu / 2) / sp.sqrt(gammaincinv(nu / 2, u[n])) * Correlated(e[n, i], K[i, j], i, j, "L.T"),
    ),
    "gamma shapes": (sa.dirichlet(w[k], a[k]), UNIFORM, Normalised(sp.log(gammaincinv(a[k] + 1, u[k])), k)),
    "beta parameters": (sa.dirichlet(w[k], b), (uniform(u[R], 0, 1),), stick(b, b * (3 - R))),
    "betas swapped": (sa.dirichlet(w[k], b), (uniform(u[R], 0, 1),), stick(b * (2 - R), b)),
    "vine exponents": (LAWS["lkj"], (uniform(u[P], 0, 1),), vine(sp.S.Half)),
    "missing factor 2": (WISHART_LAW, WISHART, Bartlett(chi(1, (nu + 3 - i) / 2), e[P], K[i, j], i, j, P)),
    "chi-squares alike": (WISHART_LAW, WISHART, Bartlett(chi(2, (nu + 3) / 2), e[P], K[i, j], i, j, P)),
    "shape for degrees of freedom": (WISHART_LAW, WISHART, Bartlett(chi(2, nu + 3 - i), e[P], K[i, j], i, j, P)),
    "inverse for itself": (WISHART_LAW, WISHART, InverseBartlett(chi(2, (nu + 3 - i) / 2), e[P], K[i, j], i, j, P)),
    "factor for scale": (WISHART_LAW, WISHART, Bartlett(chi(2, (nu + 3 - i) / 2), e[P], K[i, j], i, j, P, "cholesky")),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_form_is_refuted_with_a_witness(name: str) -> None:
    law, noise, value = WRONG[name]
    verdict = sa.verify(law, Rewrite(noise, value))
    assert verdict.status is sa.Status.REFUTED, verdict
    assert verdict.witness


def test_what_is_right_and_unusual_is_proved() -> None:
    assert sa.verify(COVARIANCE, Rewrite(NORMAL, mu[i] - Correlated(e[i], K[i, j], i, j)))


def test_a_fold_is_never_proved() -> None:
    folded = Correlated(sp.Abs(e[i]), K[i, j], i, j)
    assert not sa.verify(COVARIANCE, Rewrite(NORMAL, mu[i] + folded))


def test_other_noise_is_not_proved() -> None:
    shared = mu[i] + Correlated(e[0], K[i, j], i, j)
    assert not sa.verify(COVARIANCE, Rewrite((normal(e[0], 0, 1),), shared))
    wide = (normal(e[i], 0, 2),)
    assert sa.verify(COVARIANCE, Rewrite(wide, mu[i] + Correlated(e[i], K[i, j], i, j))).status is sa.Status.REFUTED


def test_noise_that_several_vectors_share_is_not_proved() -> None:
    for law, noise, value in (
        (sa.dirichlet(w[n, k], b), (uniform(u[R], 0, 1),), stick(b, b * (2 - R))),
        (sa.dirichlet(w[n, k], b), UNIFORM, Normalised(sp.log(gammaincinv(b, u[k])), k)),
        (sa.lkj_cholesky(L[n, i, j], eta), (uniform(u[P], 0, 1),), vine(0)),
        (sa.multivariate_normal(z[n, i], 0, K[i, j]), NORMAL, Correlated(e[i], K[i, j], i, j)),
    ):
        assert not sa.verify(law, Rewrite(noise, value))


def test_a_t_is_no_normal() -> None:
    form = Rewrite(NORMAL, mu[i] + Correlated(e[i], K[i, j], i, j))
    assert sa.verify(sa.multivariate_student_t(z[i], 10**6, mu[i], K[i, j]), form).status is sa.Status.REFUTED


# ----------------------------------------------------------------------------------------------------------- bad input

BAD = [
    (lambda: sa.multivariate_normal(z[i], 0), "exactly one of covariance, precision, cholesky"),
    (lambda: sa.multivariate_normal(z[i], 0, K[i, j], precision=K[i, j]), "exactly one"),
    (lambda: sa.multivariate_normal(z[i], z[i], K[i, j]), "itself"),
    (lambda: sa.multivariate_normal(z[i], 0, precision=K[i, sa.plate("l", 4)]), "3 rows"),
    (lambda: sa.multivariate_normal(z[i], 0, precision=1), "one more plate"),
    (lambda: sa.multivariate_student_t(z[i], -1, 0, K[i, j]), "df must be positive"),
    (lambda: sa.multivariate_student_t(z[i], a[i], 0, K[i, j]), "same for all"),
    (lambda: sa.lkj_cholesky(L[i, j], 0), "eta must be positive"),
    (lambda: sa.lkj_cholesky(L[i], 1), "two plates"),
    (lambda: sa.lkj_cholesky(L[i, i], 1), "two plates"),
    (lambda: sa.lkj_cholesky(L[i, sa.plate("l", 4)], 1), "3 rows"),
    (lambda: sa.lkj_cholesky(L[sa.plate("p"), sa.plate("p2")], 1), "rows|number"),
    (lambda: sa.wishart(S[i, j], 2, K[i, j]), "df must be above 2"),
    (lambda: sa.wishart(S[i, j], 4), "exactly one of scale, cholesky"),
    (lambda: sa.wishart(S[i, j], 4, K[i, k]), "plates of S"),
    (lambda: sa.inverse_wishart(S[i, j], 4, S[i, j]), "plates of S"),
]


@pytest.mark.parametrize(("make", "word"), BAD)
def test_bad_input_is_refused(make: Any, word: str) -> None:
    with pytest.raises(sa.LawError, match=word):
        make()


def test_what_cannot_be_moved_says_why() -> None:
    open_size = sa.Model.of(sa.dirichlet(w[sa.plate("o")], a[sa.plate("o")]))
    with pytest.raises(sa.NoRuleApplies, match="needs a number"):
        sa.unconstrain(open_size)
