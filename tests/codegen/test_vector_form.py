"""Forms of vectors and matrices in generated code: the law of draws, and models with latent ones."""

from __future__ import annotations

import ast
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from scipy import stats

import symaux as sa
from symaux.laws.families import normal

z, mu, K, L, S, x, y = sa.arrays("z mu K L S x y")
w, a = sa.arrays("w a", positive=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 3), sa.plate("k", 3), sa.plate("n", 2)
m = sp.Symbol("m", real=True)
nu, tau = sp.symbols("nu tau", positive=True)
MATRIX = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])
KERNEL = tau**2 * sp.exp(-((x[i] - x[j]) ** 2)) + sp.KroneckerDelta(i, j) / 10


def close(draws: Any, expected: Any) -> None:
    """The mean of draws is what it should be, within five of its standard errors."""
    error = np.std(draws, axis=0) / np.sqrt(len(draws)) + 1e-12
    assert np.all(np.abs(np.mean(draws, axis=0) - expected) < 5 * error), (np.mean(draws, axis=0), expected)


def draws(law: sa.Law, given: dict[str, Any], shape: tuple[int, ...], noise: str = "auto") -> Any:
    return np.asarray(sa.derive(law, noise=noise).sample(jax.random.key(3), given, shape))


@pytest.mark.parametrize("word", ["covariance", "precision", "cholesky"])
def test_draws_of_a_normal_vector(word: str) -> None:
    given = {"covariance": MATRIX, "precision": np.linalg.inv(MATRIX), "cholesky": np.linalg.cholesky(MATRIX)}[word]
    law = sa.multivariate_normal(z[i], mu[i], **{word: K[i, j]})
    made = draws(law, {"mu": np.array([1.0, -2.0, 0.0]), "K": given}, (20000, 3))
    close(made, [1, -2, 0])
    centred = made - np.array([1.0, -2.0, 0.0])
    close(centred[:, :, None] * centred[:, None, :], MATRIX)


def test_draws_of_a_t_vector() -> None:
    made = draws(sa.multivariate_student_t(z[i], 12, 0, K[i, j]), {"K": MATRIX}, (20000, 3))
    close(made[:, :, None] * made[:, None, :], MATRIX * 12 / 10)


def test_draws_of_a_dirichlet_whatever_the_form() -> None:
    shapes = np.array([0.5, 1.5, 3.0])
    for form in sa.forms(sa.dirichlet(w[k], a[k])):
        made = np.asarray(form.sample(jax.random.key(1), {"a": shapes}, (20000, 3)))
        np.testing.assert_allclose(made.sum(-1), 1, rtol=1e-12)
        close(made, shapes / 5)
        close(made[:, 0] * made[:, 2], shapes[0] * shapes[2] / (5 * 6))
        close(made[:, 1] ** 2, shapes[1] * (shapes[1] + 1) / (5 * 6))


@pytest.mark.long
def test_small_concentrations_are_not_zero_over_zero() -> None:
    for form, size in zip(sa.forms(sa.dirichlet(w[k], a[k]), noise="normal"), (3, 2), strict=True):

        def weighted(shapes: Any, form: Any = form, size: int = size) -> Any:
            return jnp.sum(form.generate({"eps_w": jnp.linspace(-2.0, 1.0, size)}, {"a": shapes}) * jnp.arange(3.0))

        for shape in (1e-3, 0.1):
            value, slope = jax.value_and_grad(weighted)(jnp.full(3, shape))
            assert np.isfinite(value) and np.all(np.isfinite(slope))
        assert np.any(slope != 0)


def test_draws_of_correlations() -> None:
    made = draws(sa.lkj_cholesky(L[i, j], 1.5), {}, (8000, 3, 3))
    full = made @ np.swapaxes(made, 1, 2)
    np.testing.assert_allclose(np.diagonal(full, axis1=1, axis2=2), 1, rtol=1e-12)
    off = np.stack([full[:, 1, 0], full[:, 2, 0], full[:, 2, 1]], -1)
    close(off, 0)
    close(off**2, 1 / (2 * 1.5 + 3 - 1))


def test_draws_of_wishart_matrices() -> None:
    made = draws(sa.wishart(S[i, j], 5.5, K[i, j]), {"K": MATRIX}, (8000, 3, 3))
    close(made, 5.5 * MATRIX)
    close((made[:, 0, 1] - 5.5 * MATRIX[0, 1]) ** 2, 5.5 * (MATRIX[0, 1] ** 2 + MATRIX[0, 0] * MATRIX[1, 1]))
    made = draws(sa.inverse_wishart(S[i, j], 9, cholesky=K[i, j]), {"K": np.linalg.cholesky(MATRIX)}, (8000, 3, 3))
    close(made, MATRIX / (9 - 3 - 1))


def test_shapes_of_draws_and_noise() -> None:
    form = sa.derive(sa.multivariate_student_t(z[n, i], nu, mu[i], K[i, j]))
    given = {"nu": 4.0, "mu": np.zeros(3), "K": MATRIX}
    assert form.sample(jax.random.key(0), given, (5, 4, 2, 3)).shape == (5, 4, 2, 3)
    noise = {"eps_z_1": np.ones((2, 3)), "eps_z_2": np.array([0.3, 0.6])}
    assert form.generate(noise, given).shape == (2, 3)
    for wrong in ((3,), (2, 4)):
        with pytest.raises(sa.DataError):
            form.sample(jax.random.key(0), given, wrong)
    with pytest.raises(sa.DataError, match="quantile"):
        form.quantile(0.5, given)


def test_a_gaussian_process_with_latent_parents(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.half_normal(tau, 1),
        sa.normal(m, 0, 1),
        sa.multivariate_normal(z[n, i], m, KERNEL),
        sa.poisson(sa.arrays("y", integer=True, nonnegative=True)[n, i], sp.exp(z[n, i])),
        observed=["y"],
    )
    aux = sa.auxiliary(model)
    assert "eps_z" in aux.after.latents and "z" not in aux.kept
    verdict = aux.verify()
    assert verdict.status is sa.Status.PROVED and "agree at 3 random points" in str(verdict)
    ys, xs = np.array([[0, 1, 2], [3, 0, 1]]), np.array([0.1, 0.5, 2.0])
    position = {"log_tau": 0.3, "m": -0.2, "eps_z": rng.normal(size=(2, 3))}
    kernel = np.exp(0.6) * np.exp(-((xs[:, None] - xs) ** 2)) + np.eye(3) / 10
    made = -0.2 + position["eps_z"] @ np.linalg.cholesky(kernel).T
    expected = (
        0.3
        + stats.halfnorm.logpdf(np.exp(0.3))
        + stats.norm.logpdf(-0.2)
        + stats.norm.logpdf(position["eps_z"]).sum()
        + stats.poisson.logpmf(ys, np.exp(made)).sum()
    )
    log_density = sa.log_density(aux.after, {"y": ys, "x": xs})
    assert float(log_density(position)) == pytest.approx(expected, rel=1e-12)
    slopes = jax.jit(jax.grad(log_density))(jax.tree.map(jnp.asarray, position))
    assert all(np.all(np.isfinite(s)) for s in slopes.values())
    both = jax.tree.map(lambda v: jnp.stack([jnp.asarray(v)] * 2), position)
    np.testing.assert_allclose(jax.vmap(log_density)(both), expected, rtol=1e-12)
    assert "<svg" in sa.render(aux)


def test_a_linear_dynamical_system_is_one_scan() -> None:
    t = sa.plate("t")
    model = sa.Model.of(
        sa.multivariate_normal(z[0, i], 0, K[i, j]),
        sa.multivariate_normal(z[t, i], sp.Sum(L[i, k] * z[t - 1, k], k), K[i, j]),
        normal(y[t, i], z[t, i], 1),
        observed=[y],
    )
    aux = sa.auxiliary(model)
    assert aux.after.latents == ("eps_z",) and aux.verify().status is sa.Status.PROVED
    assert sa.to_source(aux.after).count("lax.scan(") > 0


def test_a_simplex_moved_to_the_real_line_brings_its_jacobian(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.dirichlet(w[n, k], a[k]))
    moved = sa.unconstrain(model)
    assert moved.after.latents == ("logit_w",) and moved.verify().status is sa.Status.PROVED
    shapes, position = np.array([0.4, 1.0, 3.0]), {"logit_w": rng.normal(size=(2, 2))}
    made = sa.generate(moved.after, {"a": shapes})(position)["w"]

    def free(logits: Any) -> Any:
        return sa.generate(moved.after, {"a": shapes})({"logit_w": logits})["w"][:, :-1].ravel()

    slope = np.reshape(jax.jacobian(free)(position["logit_w"]), (4, 4))
    expected = sum(stats.dirichlet.logpdf(row, shapes) for row in np.asarray(made)) + np.linalg.slogdet(slope)[1]
    assert float(sa.log_density(moved.after, {"a": shapes})(position)) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(sa.generate(moved.after, {"a": shapes})({"logit_w": np.zeros((2, 2))})["w"], 1 / 3)


@pytest.mark.long
def test_a_correlation_factor_moved_to_the_real_line() -> None:
    moved = sa.unconstrain(sa.Model.of(sa.lkj_cholesky(L[i, j], 2)))
    assert moved.after.latents == ("atanh_L",)
    assert moved.verify().status is sa.Status.PROVED
    made = sa.sample_prior(moved.after)(jax.random.key(0))
    again = sa.generate(moved.after)({"atanh_L": made["atanh_L"]})["L"]
    np.testing.assert_allclose(again, made["L"], atol=1e-12)


def test_a_dirichlet_with_a_latent_parent() -> None:
    model = sa.Model.of(normal(m, 0, 1), sa.dirichlet(w[k], sp.exp(m)), normal(y[k], sp.log(w[k]), 1), observed=[y])
    aux = sa.auxiliary(model)
    assert set(aux.after.latents) == {"m", "eps_w"} and not {"w"} & set(aux.kept)
    assert aux.verify().status is sa.Status.PROVED
    log_density = sa.log_density(aux.after, {"y": np.zeros(3)})
    slope = jax.jit(jax.grad(log_density))({"m": jnp.asarray(-2.0), "eps_w": jnp.asarray([-1.0, 0.5, -2.0])})
    assert all(np.all(np.isfinite(s)) for s in slope.values())


def test_a_wishart_with_a_latent_parent() -> None:
    small, other = sa.plate("i", 2), sa.plate("j", 2)
    model = sa.Model.of(
        sa.half_normal(tau, 1),
        sa.wishart(S[small, other], 3, tau * sp.KroneckerDelta(small, other)),
        normal(y[small, other], S[small, other], 1),
        observed=[y],
    )
    aux = sa.auxiliary(model)
    assert set(aux.after.latents) == {"log_tau", "eps_S_1", "eps_S_2"}
    verdict = aux.verify()
    assert verdict.status is sa.Status.PROVED and "agree at 3 random points" in str(verdict)


def test_exported_code_needs_only_jax_and_does_not_grow() -> None:
    def text(size: int) -> str:
        row, column = sa.plate("i", size), sa.plate("j", size)
        model = sa.Model.of(
            normal(m, 0, 1), sa.multivariate_normal(z[row], m, K[row, column]), normal(y[row], z[row], 1), observed=[y]
        )
        return sa.to_source(sa.auxiliary(model).after)

    short = text(3)
    modules = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(ast.parse(short))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert {name.split(".")[0] for name in modules} == {"jax"}
    assert text(300).replace("300", "3") == short


def test_the_volume_of_the_triangular_square(rng: np.random.Generator) -> None:
    """The theorem that proofs about Wishart matrices rest on, against derivatives of the generated code."""
    from symaux.codegen.library.matrices import bartlett, inverse_bartlett

    d, scale, below = 3, MATRIX, rng.normal(size=3)
    diagonal = np.array([0.7, 1.4, 2.1])
    rows, columns = np.tril_indices(d)
    for function, inverse in ((bartlett, 0), (inverse_bartlett, 1)):
        slopes = jax.jacobian(lambda a, b, f=function: f(a, b, scale)[rows, columns], argnums=(0, 1))(diagonal, below)
        found = np.linalg.slogdet(np.concatenate(slopes, axis=1))[1]
        logs = np.log(diagonal)
        stated = d * np.log(2) + (d + 1) / 2 * np.linalg.slogdet(scale)[1] + np.sum((d - np.arange(d)) * logs)
        assert found == pytest.approx(stated - inverse * 2 * (d + 1) * logs.sum(), rel=1e-10)
