"""Stan programs: what the text says, and where Stan is there to ask (`pip install pystan`), its compiler and density."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.peer_values import compiler_of_stan

import symaux as sa
from symaux.exchange.exporting.spelling.natural_coordinates import in_natural_coordinates
from symaux.exchange.exporting.stan.program import stan_names_of
from symaux.validate.random_inputs import (
    count_latent_elements,
    draw_inputs,
    draw_latents,
    draw_observations,
    shape_of,
    small_lengths,
)

MODELS = {
    "whole numbers": "plate i[4]\ndata n integer\ndata k[i] integer\nmu ~ normal(0, 1)\ns ~ exponential(1)\n"
    "x[i] ~ normal(mu*n/3 + k[i]/2 + i/3 + 1/n, s)\nobserve c[i] ~ poisson(exp(x[i]))\n"
    "observe b[i] ~ binomial(n*n, sigmoid(x[i]))\nobserve y[i] ~ normal(x[i]/size(i) + k[i]/n + c[i]/7, 1)",
    "reserved words": "auto ~ normal(0, 1)\nstruct ~ normal(auto, 1)\ndouble ~ normal(struct, 1)\noffset ~ normal(double, 1)\n"
    "square ~ normal(offset, 1)\n"
    "total_1 ~ normal(square, 1)\nx_lpdf ~ normal(total_1, 1)\nplate lower[3]\nvector[lower] ~ normal(x_lpdf, 1)\n"
    "σ1 ~ half_normal(1)\nobserve y ~ normal(sum(lower, vector[lower]), σ1)",
    "large numbers": "a ~ normal(12345678901, 10^12)\nb ~ normal(a/100000000000, 0.00001)\nobserve y ~ normal(b, 10^15)",
    "gathers": "plate c[4]\nplate k[3]\nplate n\ndata county[n] integer\ndata kind[n] integer\nt ~ half_normal(1)\n"
    "a[c] ~ normal(0, t)\nb[c, k] ~ normal(a[c], t)\nobserve y[n] ~ normal(b[county[n], kind[n]], t)",
    "time last": "plate i[2]\nplate j[2]\nplate t[5]\nA[i, j] ~ normal(0, 1)\nz[i, 0] ~ normal(0, 1)\n"
    "z[i, t] ~ normal(sum(j, A[i, j]*z[j, t-1]), 0.5)\nobserve y[i, t] ~ normal(z[i, t], 1)",
    "bounds": "plate i[3]\ndata lo[i]\ndata w[i] > 0\na ~ normal(0, 1)\nb = exp(a)\nz[i] ~ uniform(lo[i], lo[i] + w[i])\n"
    "u[i] ~ 3*u[i]^2/b^3 on (0, b)\nobserve y[i] ~ normal(z[i] + u[i], 1)",
    "first elements": "plate t[4]\nz[0] ~ normal(0, 1)\nz[t] ~ exponential(exp(z[t-1]))\nobserve y[t] ~ normal(z[t], 1)",
    "vectors": "plate i[3]\nplate j[3]\nplate d[2]\nm ~ half_normal(1)\ndata V[i, j]\nf[d, i] ~ dirichlet(1 + i)\n"
    "L[i, j] ~ lkj_cholesky(2)\nS[i, j] ~ wishart(5, V[i, j])\n"
    "g[i] ~ multivariate_normal(m, exp(-(i - j)^2) + m*kronecker(i, j))\n"
    "observe h[d, i] ~ multivariate_normal(g[i], precision=V[i, j])\n"
    "observe y[i] ~ normal(g[i] + f[1, i] + S[i, i] + sum(j, L[i, j]), 1)",
    "mixtures": "plate n[5]\nplate k[3]\nw[k] ~ dirichlet(3)\nm[k] ~ normal(0, 2)\n"
    "observe y[n] ~ mixture(w[k], normal(m[k], 1))\np ~ beta(2, 2)\n"
    "observe x[n] ~ mixture(p, normal(m[0], 1), 1 - p, normal(5, 2))",
    "functions": "a ~ gamma(3, 1)\nb ~ normal(0, 1)\nc = digamma(a) + erf(b) + log_ndtr(b) + sign(b) + ceiling(b) + cot(a)\n"
    "d = besseli(0, a) + gammainc(a, 2) + erfinv(tanh(b)) + a^b + b^(-2) - 1/(3*a) + where(a < b, 1, 2)/3\n"
    "tau ~ half_cauchy(a)\nobserve v ~ von_mises(b, a)\nobserve y ~ normal(c + d, tau)",
    "sums of the same plate": "plate k[3]\nplate n[4]\nw[n, k] ~ normal(0, 1)\np[k, n] = exp(w[n, k])/sum(k, exp(w[n, k]))\n"
    "observe y[n, k] ~ normal(p[k, n], 1)",
}
CASES = [(name, rewritten) for name in MODELS for rewritten in (True, False)]


def program(name: str, rewritten: bool = True) -> str:
    model = sa.parse(MODELS[name])
    return sa.exported(sa.auxiliary(model) if rewritten else model, "stan")


def test_whole_numbers_are_not_divided_as_such() -> None:
    text = program("whole numbers")
    assert "1.0*(i - 1)/3" in text and "1.0*k[i]/n" in text and "1.0*c[i]/7" in text
    assert "int n;" in text and "array[4] int k;" in text and "binomial_logit_lpmf(b[i] | square(n)" not in text


def test_reserved_words_and_names_on_the_way() -> None:
    text = program("reserved words")
    code = re.sub(r"//[^\n]*", "", text)
    for word in ("auto", "struct", "double", "offset", "square", "vector"):
        assert re.search(rf"real\S* {word}_;", code), word
    assert "real x_lpdf_;" in code and "real<lower=0> sigma1;" in code
    assert "real total_1;" in code and "real total_1_ = 0;" in code  # a sum does not take a variable's name


def test_data_say_their_shapes_and_what_they_count_from() -> None:
    text = program("gathers")
    assert "int<lower=1> N_n;  // the size of plate n" in text
    assert "array[N_n] int<lower=0, upper=3> county;  // picks elements of b, counted from 0" in text
    assert "b[county[n] + 1, kind[n] + 1]" in text
    assert "array[3] real<lower=0> w;" in program("bounds", False)


def test_time_is_the_outer_loop() -> None:
    body = program("time last").split("transformed parameters {")[1]
    assert body.index("for (t in 2:5)") < body.index("z[i, t] =")
    assert "for (i in 1:2) {\n    for (t in 2:5)" not in body


def test_a_covariance_is_factored_once() -> None:
    body = program("vectors").split("transformed parameters {")[1]
    assert body.index("correlated(") < body.index("g[i] = ")
    assert "simplex[3] f" in program("vectors") and "cholesky_factor_corr[3] L" in program("vectors")


def test_bounds_for_each_element() -> None:
    text = program("bounds", False)
    assert "array[3] real<lower=lower_of_z(lo), upper=upper_of_z(lo, w)> z;" in text
    assert "real<lower=0, upper=exp(a)> u;" in text  # b does not exist yet where parameters are declared
    first = program("first elements", False)
    assert "[1] = negative_infinity();" in first and "<lower=lower_of_z()>" in first


def test_large_numbers_are_real_ones() -> None:
    text = program("large numbers").split("{", 1)[1]
    assert "12345678901.0" in text and not re.search(r"(?<![\d.])\d{10,}(?![\d.])", text)


def test_a_mixture_does_not_underflow() -> None:
    assert program("mixtures").count("log_sum_exp(") == 2


def test_normal_probabilities_keep_their_digits() -> None:
    text = sa.exported(
        sa.auxiliary(sa.parse("s ~ exponential(1)\nx ~ exponential(s)\nobserve y ~ normal(x, 1)")), "stan"
    )
    assert "x = -normal_log_probability(-eps_x)/s;" in text and "erfc(-x / sqrt2()) / 2" in text and "Phi(" not in text


def test_bounds_by_its_own_past_are_refused() -> None:
    series = sa.parse(
        "plate t[4]\nz[0] ~ uniform(0, 1)\nz[t] ~ uniform(z[t-1], z[t-1] + 1)\nobserve y[t] ~ normal(z[t], 1)"
    )
    with pytest.raises(sa.NotExported, match="its own earlier elements"):
        sa.exported(series, "stan")


@pytest.mark.peers
@pytest.mark.parametrize(("name", "rewritten"), CASES)
def test_the_compiler_takes_it(name: str, rewritten: bool, tmp_path: Path) -> None:
    compiler, path = compiler_of_stan(), tmp_path / "model.stan"
    path.write_text(program(name, rewritten), encoding="utf-8")
    done = subprocess.run([compiler, path, "--o", tmp_path / "model.hpp"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr  # an integer division is a warning


def data_of(model: sa.Model, seed: int) -> tuple[dict[str, Any], dict[str, int]]:
    lengths, rng = small_lengths(model) | model.axes.lengths, np.random.default_rng(seed)
    data = draw_inputs(model, lengths, rng)
    return data | draw_observations(model, lengths, {**data, **draw_latents(model, lengths, rng)}, rng), lengths


def for_stan(model: sa.Model, data: dict[str, Any], lengths: dict[str, int]) -> dict[str, Any]:
    """Data by the names of the program, with the sizes that it asks for."""
    names = stan_names_of(model)
    sizes = {names.size(g): int(n) for g, n in lengths.items() if not names.size(g).isdigit()}
    return sizes | {
        names.identifiers[n]: np.asarray(v, int if n in names.whole else float).tolist() for n, v in data.items()
    }


def position_of(model: sa.Model, lengths: dict[str, int], built: Any, at: list[float]) -> dict[str, Any]:
    """The latents at a point of Stan's own coordinates: inside their supports, whatever these depend on."""
    found = dict(zip(built.constrained_param_names, built.constrain_pars(at), strict=True))
    names, position = stan_names_of(model), {}
    for name in model.latents:
        value = np.zeros(shape_of(model, name, lengths))
        for index in np.ndindex(value.shape):
            value[index] = found[".".join([names.identifiers[name], *(str(i + 1) for i in index)])]
        position[name] = value
    return position


# Eight builds of a minute or more are enough for a day, and one is in tests/conformance/test_peers.py: all functions
UNBUILT = {"reserved words", "large numbers", "sums of the same plate", "functions"}


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long if n in UNBUILT else ()) for n in MODELS])
def test_the_log_density_is_ours(name: str) -> None:
    pytest.importorskip("stan", reason="Stan is not installed: pip install pystan")
    import stan

    rewritten = name != "first elements"
    aux = sa.auxiliary(sa.parse(MODELS[name]))
    model = in_natural_coordinates(aux) if rewritten else aux.before
    for seed in range(2):
        data, lengths = data_of(model, seed)
        built = stan.build(program(name, rewritten), data=for_stan(model, data, lengths))
        at = np.random.default_rng(seed).normal(size=count_latent_elements(model, lengths)).tolist()
        ours = float(sa.log_density(model, data)(position_of(model, lengths, built, at)))
        assert built.log_prob(at, adjust_transform=False) == pytest.approx(ours, rel=1e-9)
