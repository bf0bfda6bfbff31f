"""Values inside of sums over plates: a sum over a plate is one thing to the algebra, and must not hide the value."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite

Z, E = sp.Symbol("z", real=True), sp.Symbol("eps_z", real=True)
K, N = sa.plate("k", 3), sa.plate("n", 4)
A, W, M = sa.arrays("a w m")
NORMAL = sa.normal(E, 0, 1)


@pytest.mark.parametrize(
    ("location", "made"),
    [
        (sp.Sum(Z, K), E + sp.Sum(Z, K)),  # the normal law of a location that is three times the value is none
        (sp.Sum(Z * A[K], K), E + sp.Sum(Z * A[K], K)),
        (sp.Sum(sp.tanh(Z * A[K]), K), E + sp.Sum(sp.tanh(Z * A[K]), K)),
        (sp.Sum(sp.tanh(Z * A[K]), K), E + sp.Sum(sp.tanh(E * A[K]), K)),
    ],
)
def test_a_value_inside_of_a_sum_is_not_a_parameter(location: sp.Expr, made: sp.Expr) -> None:
    law = sa.law(Z, sp.exp(-((Z - location) ** 2) / 2) / sp.sqrt(2 * sp.pi))
    assert not verify(law, Rewrite((NORMAL,), made))
    with pytest.raises(sa.SymauxError):
        sa.derive(law)


def test_what_comes_out_of_a_sum_is_proved() -> None:
    law = sa.law(Z, 2 * sp.exp(-((Z - sp.Sum(Z, K)) ** 2) / 2) / sp.sqrt(2 * sp.pi))
    assert verify(law, Rewrite((NORMAL,), E / 2)).status is sa.Status.PROVED
    total, squares = sp.Sum(A[K], K), sp.Sum(A[K] ** 2, K)
    product = -sp.Sum((Z - A[K]) ** 2, K) / 2 + squares / 2 - total**2 / 6 + sp.log(3 / (2 * sp.pi)) / 2
    form = sa.derive(sa.law(Z, log_density=product))  # a product of three normal densities
    assert form.verdict.status is sa.Status.PROVED and sp.expand(form.value - total / 3 - E * sp.sqrt(3) / 3) == 0


MIXTURES = {
    "by its density": "y[n] ~ sum(k, w[k]*exp(-(y[n] - m[k])^2/2)/sqrt(2*pi)) on (-oo, oo)",
    "of bounded laws": "y[n] ~ mixture(w[k], beta(2 + w[k], 3))\nz[k] = m[k]",
}


@pytest.mark.parametrize("name", MIXTURES)
def test_mixtures_over_a_plate_are_kept(name: str) -> None:
    text = f"plate k[3]\nplate n[4]\nw[k] ~ dirichlet(1)\nm[k] ~ normal(0, 1)\n{MIXTURES[name]}\nobserve v[n] ~ normal(y[n], 1)"
    aux = sa.auxiliary(sa.parse(text))
    assert "occurs inside of a sum over a plate" in aux.kept["y"] and aux.verify()


def test_a_value_that_is_a_factor_of_a_sum_moves_to_the_real_line() -> None:
    aux = sa.auxiliary(sa.parse("plate k[3]\nz ~ 3*exp(-sum(k, z)) on (0, oo)\nobserve y ~ normal(z, 1)"))
    assert aux.verify().status is sa.Status.PROVED and "log_z" in aux.after.nodes


TORN = "factor sum(n, tanh(sum(k, where(c[k] < d[n], x[k], 1))))"
WHOLE = "s[n] = sum(k, where(c[k] < d[n], x[k], 1))\nfactor sum(n, tanh(s[n]))"
HEAD = "plate k[3]\nplate n[4]\ndata c[k]\ndata d[n]\nx[k] ~ normal(0, 1)\n"


def test_a_condition_that_sympy_takes_out_of_its_sum_is_refused_and_has_another_way() -> None:
    """Sum(tanh(Sum(Piecewise)), n) comes back with the choice outside, and the inner index free."""
    with pytest.raises(sa.ModelError, match="give the inner sum a name of its own"):
        sa.parse(HEAD + TORN)
    c, d, x = np.array([-1.0, 2.0, -3.0]), np.array([-2.0, 0.0, 1.0, 5.0]), np.array([0.1, 0.2, 0.3])
    seen = float(sa.log_density(sa.parse(HEAD + WHOLE), {"c": c, "d": d})({"x": x}))
    sums = np.where(c[:, None] < d, x[:, None], 1.0).sum(0)
    assert seen == pytest.approx(np.tanh(sums).sum() - 0.5 * np.sum(x**2) - 1.5 * np.log(2 * np.pi), rel=1e-12)
