"""Special functions under every transformation, as exported text, and as formulas."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from symaux.codegen import library_text as helpers
from symaux.codegen.library import bessel, beta, gamma, lambert, normal, von_mises
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.library_calls import library_call
from symaux.codegen.lower.scope import Scope
from symaux.formulas.functions import registry as formulas
from symaux.formulas.functions.elementary import ndtr

CATALOGUE: dict[str, tuple[Any, tuple[float, ...]]] = {
    "gammainc": (gamma.gammainc, (2.5, 1.5)),
    "gammaincc": (gamma.gammaincc, (2.5, 1.5)),
    "gammaincinv": (gamma.gammaincinv, (2.5, 0.3)),
    "gammainccinv": (gamma.gammainccinv, (2.5, 0.3)),
    "log_gammaincinv": (gamma.log_gammaincinv, (0.5, -2.0)),
    "gamma_of_normal": (gamma.gamma_of_normal, (2.5, 0.3)),
    "betainc": (beta.betainc, (2.5, 1.5, 0.4)),
    "betaincinv": (beta.betaincinv, (2.5, 1.5, 0.4)),
    "betainccinv": (beta.betainccinv, (2.5, 1.5, 0.4)),
    "beta_of_normal": (beta.beta_of_normal, (2.5, 1.5, 0.4)),
    "student_t_ppf": (beta.student_t_ppf, (0.3, 4.0)),
    "student_t_of_normal": (beta.student_t_of_normal, (4.0, 0.3)),
    "von_mises_cdf": (von_mises.von_mises_cdf, (0.7, 2.0)),
    "von_mises_ppf": (von_mises.von_mises_ppf, (0.3, 2.0)),
    "von_mises_of_normal": (von_mises.von_mises_of_normal, (0.3, 2.0)),
    "lambertw0": (lambert.lambertw0, (2.0,)),
    "lambertwm1": (lambert.lambertwm1, (-0.2,)),
    "lambertw0_of_exp": (lambert.lambertw0_of_exp, (2.0,)),
    "lambertwm1_of_exp": (lambert.lambertwm1_of_exp, (-2.0,)),
    "lambert_rise": (lambert.lambert_rise, (2.0, -0.3)),
    "erfcinv": (normal.erfcinv, (0.3,)),
    "ndtri_exp": (normal.ndtri_exp, (-2.0,)),
    "log_ndtr": (normal.log_ndtr, (-2.0,)),
    "owens_t": (normal.owens_t, (0.7, 2.0)),
    "log_iv": (bessel.log_iv, (2.5, 3.0)),
    "log_kv": (bessel.log_kv, (2.5, 3.0)),
    "iv": (bessel.iv, (2.5, 3.0)),
    "kv": (bessel.kv, (2.5, 3.0)),
}


OFTEN = {"gammaincinv", "lambertw0", "ndtri_exp", "log_kv"}
EVERY = [pytest.param(name, marks=() if name in OFTEN else pytest.mark.long) for name in sorted(CATALOGUE)]


@pytest.mark.parametrize("name", EVERY)
def test_transformations(name: str) -> None:
    """jit, vmap, broadcasting, reverse and forward mode agree; integers take the type of the others."""
    f, at = CATALOGUE[name]
    every = tuple(range(len(at)))
    value, gradient = jax.jit(jax.value_and_grad(f, argnums=every))(*at)
    tangents = tuple(jnp.ones_like(jnp.asarray(x)) for x in at)
    _, forward_mode = jax.jvp(f, tuple(map(jnp.asarray, at)), tangents)
    np.testing.assert_allclose(forward_mode, sum(gradient), rtol=1e-12)
    table = jnp.asarray([[at[0]], [at[0] * 1.1]]), *at[1:-1], jnp.asarray([at[-1], at[-1] * 1.05, at[-1] * 0.95])
    given = table if len(at) > 1 else (table[0],)
    spread = f(*given)
    assert spread.shape == ((2, 3) if len(at) > 1 else (2, 1))
    np.testing.assert_allclose(spread[0, 0], value, rtol=1e-13)
    assert f(*(jnp.float32(x) for x in at)).dtype == jnp.float32
    step = 1e-5 * max(1.0, abs(at[0]))
    moved = (float(f(at[0] + step, *at[1:])) - float(f(at[0] - step, *at[1:]))) / (2 * step)
    assert float(gradient[0]) == pytest.approx(moved, rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("name", ["gammaincinv", "betaincinv", "betainc"])
def test_second_derivatives(name: str) -> None:
    """Rules are differentiable again: Hessians come out symmetric, and agree with differences of gradients."""
    f, at = CATALOGUE[name]
    hessian = np.asarray(jax.hessian(lambda p: f(*p))(jnp.asarray(at)))
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-9)
    first = jax.grad(f)
    moved = (first(at[0] + 1e-5, *at[1:]) - first(at[0] - 1e-5, *at[1:])) / 2e-5
    np.testing.assert_allclose(hessian[0, 0], moved, rtol=1e-6)


def test_whole_numbers_and_mixed_types() -> None:
    half = np.log(2)
    assert float(gamma.gammaincinv(1, 0.5)) == pytest.approx(half)
    assert float(gamma.gammaincinv(jnp.asarray(1), jnp.asarray(0.5))) == pytest.approx(half)
    single = gamma.gammaincinv(jnp.asarray([1, 1]), jnp.float32(0.5))
    assert single.dtype == jnp.float32 and float(single[0]) == pytest.approx(half, rel=1e-6)


def test_ends_of_the_unit_interval() -> None:
    u = jnp.asarray([0.0, 1.0, -0.1, 1.1])
    np.testing.assert_array_equal(gamma.gammaincinv(2.0, u), [0, np.inf, np.nan, np.nan])
    np.testing.assert_array_equal(beta.betaincinv(2.0, 3.0, u), [0, 1, np.nan, np.nan])
    np.testing.assert_array_equal(beta.student_t_ppf(u, 3.0), [-np.inf, np.inf, np.nan, np.nan])
    np.testing.assert_array_equal(gamma.gammainc(2.0, jnp.asarray([0.0, np.inf])), [0, 1])
    np.testing.assert_array_equal(beta.betainc(2.0, 3.0, jnp.asarray([0.0, 1.0])), [0, 1])


HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\nfrom jax.scipy import special\n\n\n"
ALONE = """
import sys, pathlib, jax
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    text = path.read_text()
    module = {"__name__": path.stem}
    exec(compile(text, str(path), "exec"), module)
    at = eval(text.splitlines()[0].removeprefix("# "))
    value, gradient = jax.value_and_grad(module[path.stem], argnums=tuple(range(len(at))))(*at)
    print(path.stem, float(value), *map(float, gradient))
assert not [m for m in sys.modules if m.startswith(("symaux", "sympy"))]
"""


def exported(name: str) -> str:
    return f"# {CATALOGUE[name][1]}\n" + HEAD + "\n\n\n".join(helpers.source({name})) + "\n"


@pytest.mark.parametrize("names", [sorted(OFTEN), pytest.param(sorted(CATALOGUE), marks=pytest.mark.long)], ids=len)
def test_each_stands_alone_as_text(names: list[str], tmp_path: Any) -> None:
    """Every function, exported by itself, runs in an interpreter that has only jax."""
    for name in names:
        (tmp_path / f"{name}.py").write_text(exported(name), encoding="utf-8")
    command = [sys.executable, "-c", ALONE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: list(map(float, line.split()[1:])) for line in done.stdout.splitlines()}
    assert sorted(lines) == names
    for name, (value, *_) in lines.items():
        f, at = CATALOGUE[name]
        assert value == pytest.approx(float(f(*at)), rel=1e-14)


def test_what_is_not_used_is_not_taken_along() -> None:
    assert "LEGENDRE" not in exported("lambertw0") and "gamma_" not in exported("betaincinv")
    assert exported("gammaincinv").count("def floats") == 1
    assert "gamma_log_ratio.defjvp" in exported("gammaincinv") and "gamma_log_tails" not in exported("gammaincinv")


R = sp.Rational
FORMULAS = (
    formulas.gammainc(R(5, 2), R(3, 2)), formulas.gammaincc(R(5, 2), R(3, 2)), formulas.gammaincinv(R(5, 2), R(3, 10)),
    formulas.gammainccinv(R(5, 2), R(1, 10**20)), formulas.betainc(R(5, 2), R(1, 2), R(2, 5)),
    formulas.betaincinv(R(5, 2), R(1, 2), R(2, 5)), formulas.betainccinv(R(5, 2), R(1, 2), R(2, 5)),
    formulas.student_t_ppf(R(3, 10), 4), formulas.von_mises_cdf(R(7, 10), 2), formulas.von_mises_ppf(R(3, 10), 2),
    formulas.ndtri_exp(-100), formulas.lambertw0_of_exp(2), formulas.lambertwm1_of_exp(-2), formulas.owens_t(1, 2),
    formulas.log_iv(R(5, 2), 3), formulas.log_kv(R(5, 2), 3),
    formulas.lambert_rise(2, R(-3, 10)), formulas.lambert_rise(-2, R(1, 10**9)), formulas.lambert_rise(R(-1, 2), -3),
)  # fmt: skip


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    "formula",
    [pytest.param(f, marks=pytest.mark.long if "von" in f.func.__name__ else ()) for f in FORMULAS],
    ids=lambda f: type(f).__name__,
)
def test_formulas_and_code_agree(formula: Any) -> None:
    """Value at high precision against the library; derivatives by formula against the library's gradient."""
    name, arguments = library_call(formula) or ("", ())
    f = CATALOGUE[name][0]
    at = tuple(map(float, arguments))
    assert float(f(*at)) == pytest.approx(float(formula.evalf(30)), rel=1e-12)
    for i in range(len(at)):
        derivative = formula.fdiff(i + 1)
        if not derivative.has(sp.Derivative, sp.Subs):
            assert float(jax.grad(f, i)(*at)) == pytest.approx(float(derivative.evalf(20)), rel=1e-9)


def test_inverse_pairs_evaluate() -> None:
    a, b, x, u = sp.symbols("a b x u", positive=True)
    assert formulas.gammaincinv(a, formulas.gammainc(a, x)) == x
    assert formulas.gammainc(a, formulas.gammaincinv(a, u)) == u
    assert formulas.gammaincinv(a, 1 - formulas.gammaincc(a, x)) == x
    assert formulas.betaincinv(a, b, formulas.betainc(a, b, x)) == x
    assert formulas.betainc(b, a, formulas.betaincinv(a, b, u)) != u
    assert formulas.von_mises_cdf(formulas.von_mises_ppf(u, a), a) == u
    assert formulas.gammaincinv(a, u).is_positive and formulas.student_t_ppf(u, a).is_real


def test_code_is_generated_with_the_functions_it_uses() -> None:
    a, eps, y = sp.Symbol("a", positive=True), sp.Symbol("eps", real=True), sp.Symbol("y", real=True)
    used: set[str] = set()
    scope = Scope({"a": "a", "eps": "eps", "y": "y"}, size=str, use=used.add)
    assert lower(3 * formulas.gammaincinv(a, ndtr(eps)), scope).code == "3 * gamma_of_normal(a, eps)"
    assert lower(formulas.betaincinv(a, 2, y), scope).code == "betaincinv(a, 2, y)"
    assert lower(sp.LambertW(-a * sp.exp(y), -1), scope).code == "lambertwm1_of_exp(y + jnp.log(a))"
    assert lower(sp.log(sp.besselk(a, y)), scope).code == "log_kv(a, y)"
    assert used == {"gamma_of_normal", "betaincinv", "lambertwm1_of_exp", "log_kv"}


@pytest.mark.long
@pytest.mark.parametrize(
    "given", [(1.0, 1.2, 2.1, -1.0), (2.0, 0.2, 0.9, 0.5), (-2.5, 1.5, 4.0, -30.0), (0.05, 3.0, 0.1, -1e4)]
)
def test_gauss_s_function_and_its_gradients(given: tuple[float, ...]) -> None:
    from symaux.codegen.library.hyp2f1 import log_gauss_hyper

    value, slopes = jax.value_and_grad(log_gauss_hyper, argnums=(0, 1, 2, 3))(*map(np.float64, given))
    with mp.workdps(40):

        def exact(*at: mp.mpf) -> mp.mpf:
            return mp.log(mp.hyp2f1(*at))

        assert abs(float(value) - exact(*given)) < 1e-13 * max(1, abs(exact(*given)))
        for k, slope in enumerate(slopes):
            steep = mp.diff(lambda t, k=k: exact(*(t if j == k else p for j, p in enumerate(given))), given[k])
            assert abs(float(slope) - steep) < 1e-10 * max(1e-3, abs(steep))
