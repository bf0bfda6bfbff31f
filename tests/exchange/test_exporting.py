"""Source for NumPyro, PyMC and Stan: the same log-density where the library is there to ask, else well-formed text."""

from __future__ import annotations

import re
import runpy
import types
import warnings
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner
from support.paths import GALLERY

import symaux as sa
from symaux.cli.main import cli
from symaux.exchange.exporting.spelling.natural_coordinates import in_natural_coordinates
from symaux.formulas.symbols.support import Simplex
from symaux.validate.random_inputs import draw_inputs, draw_latents, draw_observations, small_lengths

TEXTS = {
    "schools": "plate j[8]\ndata s[j] > 0\nmu ~ normal(0, 5)\ntau ~ half_cauchy(5)\ntheta[j] ~ normal(mu, tau)\n"
    "observe y[j] ~ normal(theta[j], s[j])",
    "radon": "plate c[4]\nplate h\ndata county[h]\ndata x[h]\nm ~ normal(0, 1)\nt ~ exponential(2)\nb ~ laplace(0, 1)\n"
    "a[c] ~ student_t(4, m, t)\nobserve y[h] ~ normal(a[county[h]] + b*x[h], t)",
    "series": "plate t[6]\nplate i[2]\nr ~ uniform(-1, 1)\ns ~ log_normal(0, 1)\nz[0, i] ~ normal(0, s)\n"
    "z[t, i] ~ normal(tanh(r*z[t-1, i]), s)\nobserve y[t, i] ~ normal(z[t, i], 1/3)",
    "second order": "plate t[7]\nz[0] ~ normal(0, 1)\nz[1] ~ normal(z[0], 1)\nz[t] ~ normal(z[t-1] - z[t-2]/2, 0.3)\n"
    "w ~ normal(z[3], 1)\nobserve y[t] ~ poisson(exp(z[t] + w))",
    "observed series": "plate t[6]\na ~ normal(0, 1)\nobserve y[0] ~ normal(0, 1)\nobserve y[t] ~ normal(a*y[t-1], 2)",
    "contraction": "plate n\nplate i[3]\nplate k[2]\nW[k, i] ~ normal(0, 1)\nz[n, k] ~ logistic(W[k, 0], 1)\n"
    "eta[n, i] = sum(k, W[k, i]*z[n, k])\nobserve y[n, i] ~ bernoulli(1/(1 + exp(-eta[n, i])))",
    "densities": "law Kuma(z | a > 0, b > 0) on (0, 1) = a*b*z^(a-1)*(1-z^a)^(b-1)\nq ~ Kuma(2, 3)\nplate i[3]\n"
    "x[i] ~ exp(-x[i]/q - log(q)) on (0, oo)\nfactor -q^2*sum(i, x[i])\nobserve y ~ gumbel(where(q < 0.5, q, 1), 2)",
    "counts": "p ~ beta(2, 3)\nplate i[4]\nobserve k[i] ~ binomial(7, p)\nr ~ gamma(2, 3)\nobserve m[i] ~ poisson(r + i)\n"
    "observe c[i] ~ neg_binomial_2(r + i, 3)",
}
PLAIN = {
    "several gathers": "plate c[4]\nplate k[3]\nplate n\nplate t[5]\ndata county[n] integer\ndata kind[n] integer\n"
    "data state[t] integer\nm ~ normal(0, 1)\ns ~ half_normal(1)\nb[c, k] ~ normal(m, s)\na[k] ~ normal(m, s)\n"
    "z[0] ~ normal(a[state[0]], s)\nz[t] ~ normal(z[t-1] + a[state[t]], s)\n"
    "observe y[n] ~ normal(b[county[n], kind[n]], s)\nobserve x[t] ~ normal(z[t], 1)",
    "simplex": "plate n[5]\nplate k[3]\nw[k] ~ dirichlet(1 + k)\nm[k] ~ normal(0, 2)\np ~ beta(2, 2)\n"
    "observe y[n] ~ mixture(w[k], normal(m[k], 1))\nobserve x[n] ~ mixture(p, normal(m[0], 1), 1 - p, normal(5, 2))",
    "names on the way": "plate t[5]\nz_0 ~ normal(0, 1)\nz_rest ~ normal(z_0, 1)\nstep_z ~ normal(z_rest, 1)\n"
    "z_back_1 ~ normal(step_z, 1)\nheld ~ normal(z_back_1, 1)\nnew ~ normal(held, 1)\neps_z_now ~ normal(new, 1)\n"
    "y_law ~ normal(eps_z_now, 1)\nfactor_1 ~ normal(y_law, 1)\nz[0] ~ normal(z_0, 1)\n"
    "z[t] ~ normal(z_back_1*z[t-1] + z_0 + z_rest + held + new + eps_z_now, 1)\nfactor -factor_1^4\n"
    "observe y ~ exp(-y/(1 + y_law^2) - log(1 + y_law^2)) on (0, oo)\nobserve x[t] ~ normal(z[t] + step_z, 1)",
    "sums of the same plate": "plate k[3]\nplate n\nw[n, k] ~ normal(0, 1)\np[k, n] = exp(w[n, k])/sum(k, exp(w[n, k]))\n"
    "q[k, n] = p[k, n]/sum(n, p[k, n])\nobserve y[n, k] ~ normal(p[k, n] + q[k, n], 1)",
    "numbers first": "plate t[6]\nplate i[2]\ndata r[t]\na ~ half_normal(1)\nb ~ uniform(0, 1)\nh[0] = 1\n"
    "h[t] = a*r[t-1]^2 + b*h[t-1]\ng[0, i] = 2\ng[t, i] = sqrt(2)*a*g[t-1, i] + log(3)\n"
    "observe y[t] ~ normal(r[t], sqrt(h[t]))\nobserve x[t, i] ~ normal(g[t, i], log(3))",
    "diagonals": "plate i[3]\nplate j[3]\na[i, j] ~ normal(0, 1)\ntau ~ half_cauchy(1)\nlam[i] ~ half_cauchy(tau)\n"
    "observe y[i] ~ normal(a[i, i] + lam[i], 1)",
}
VECTORS = {
    **PLAIN,
    "vectors": "plate i[3]\nplate j[3]\nplate n[2]\ndata x[i]\nm ~ normal(0, 1)\nf[n, i] ~ multivariate_normal(m,"
    " exp(-(x[i]-x[j])^2) + kronecker(i, j)/3)\nb[i, n] = 2*f[n, i] + 1\ng[i] ~ multivariate_normal(b[i, 0],"
    " precision=kronecker(i, j)*2 + 1/9 + 0*x[i])\nobserve y[n, i] ~ normal(f[n, i] + g[i], 1)",
}


def numbers(model: sa.Model, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Data and values of the latents."""
    lengths, rng = small_lengths(model) | model.axes.lengths, np.random.default_rng(seed)
    data = draw_inputs(model, lengths, rng)
    position = {n: on_simplex(model.nodes[n].general.support, v) for n, v in draw_latents(model, lengths, rng).items()}
    return data | draw_observations(model, lengths, {**data, **position}, rng), position


def on_simplex(support: Any, value: Any) -> Any:
    value = np.asarray(value)
    return np.exp(value) / np.sum(np.exp(value), axis=-1, keepdims=True) if isinstance(support, Simplex) else value


def module(source: str) -> Any:
    made = types.ModuleType("exported")
    exec(compile(source, "exported", "exec"), made.__dict__)
    return made


def arguments(model: sa.Model, data: dict[str, Any]) -> list[Any]:
    return [data[name] for name in (*model.inputs, *sorted(model.observed))]


@pytest.mark.sweep(6)
@pytest.mark.parametrize(
    ("name", "rewritten"), [*((name, True) for name in TEXTS | VECTORS), *((name, False) for name in TEXTS)]
)
def test_numpyro(name: str, rewritten: bool) -> None:
    pytest.importorskip("numpyro", reason="NumPyro is not installed")
    from numpyro.infer.util import log_density

    original = sa.parse((TEXTS | VECTORS)[name])
    thing = sa.auxiliary(original) if rewritten else original
    model = in_natural_coordinates(thing) if rewritten else original
    theirs = module(sa.exported(thing, "numpyro")).model
    for seed in range(2):
        data, position = numbers(model, seed)
        with jax.numpy_dtype_promotion("standard"):
            seen = float(log_density(theirs, arguments(model, data), {}, position)[0])
        assert float(sa.log_density(model, data)(position)) == pytest.approx(seen, rel=1e-9)


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TEXTS | VECTORS)
def test_pymc(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("pymc", reason="PyMC is not installed")
    import pytensor
    from pymc.model.transform.conditioning import remove_value_transforms

    aux = sa.auxiliary(sa.parse((TEXTS | VECTORS)[name]))
    model = in_natural_coordinates(aux)
    data, position = numbers(model, 1)
    with pytensor.config.change_flags(cast_policy="numpy+floatX"):
        built = module(sa.exported(aux, "pymc")).model(*arguments(model, data))
    seen = float(remove_value_transforms(built).compile_logp()(position))
    assert float(sa.log_density(model, data)(position)) == pytest.approx(seen, rel=1e-9)


def well_formed(program: str) -> None:
    """Blocks in Stan's order, brackets that match, every statement ended, and no name that is not declared."""
    code = re.sub(r"//[^\n]*", "", program)
    depth = 0
    for character in code:
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    blocks = re.findall(r"^(\w[\w ]*) \{$", code, re.MULTILINE)
    assert blocks == [b for b in ("functions", "data", "parameters", "transformed parameters", "model") if b in blocks]
    code = re.sub(r"^functions \{\n.*?^\}\n", "", code, flags=re.MULTILINE | re.DOTALL)  # it has names of its own
    for line in (line.strip() for line in code.splitlines()):
        assert not line or line[-1] in "{};", line
    declared = set(re.findall(r"(?:real|int)(?:<[^;]*?>)? (\w+)(?: = 0)?;", code)) | set(
        re.findall(r"for \((\w+) in", code)
    )
    used = set(re.findall(r"(?<![\w.])([A-Za-z]\w*)(?!\w*\s*[(\w])", code))
    words = {
        "data",
        "parameters",
        "transformed",
        "model",
        "real",
        "int",
        "array",
        "lower",
        "upper",
        "target",
        "for",
        "in",
    }
    assert used <= declared | words, used - declared - words


@pytest.mark.parametrize("name", TEXTS)
def test_stan(name: str) -> None:
    original = sa.parse(TEXTS[name])
    well_formed(sa.exported(sa.auxiliary(original), "stan"))
    well_formed(sa.exported(original, "stan"))


@pytest.mark.parametrize("to", ["numpyro", "pymc", "stan"])
@pytest.mark.parametrize("name", ["chain", "dbn", "eight_schools", "funnel", "mnist_two_layers", "radon"])
def test_every_model_of_the_gallery(name: str, to: str) -> None:
    script = runpy.run_path(str(GALLERY / f"{name}.py"))
    source = sa.exported(sa.auxiliary(script["model"]), to)
    well_formed(source) if to == "stan" else compile(source, name, "exec")


def test_what_cannot_be_said_is_listed() -> None:
    aux = sa.auxiliary(sa.parse("a ~ normal(0, 1)\nf ~ mixture(1/3, normal(a, 1), 2/3, normal(2, 1/2))"))
    for to in ("numpyro", "pymc", "stan"):
        with pytest.raises(sa.NotExported) as caught:
            sa.exported(aux, to)
        assert caught.value.code == "export" and "f" in caught.value.parts


def test_what_cannot_be_said_is_an_error_of_the_command(tmp_path: Path) -> None:
    path, out = tmp_path / "gamma.symaux", tmp_path / "gamma.stan"
    path.write_text("s ~ exponential(1)\na ~ gamma(2 + s, s)\nobserve y ~ normal(a, 1)")
    done = CliRunner().invoke(cli, ["export", str(path), "--to", "stan", "-o", str(out)])
    assert done.exit_code == 2 and "gammaincinv" in done.output and "--original" in done.output
    assert not out.exists()


@pytest.mark.parametrize(
    "name", ['x"); import os; os.system("touch run"); ("', "x\n\nimport os\nos.abort()", '"""', "target", "pm", "dist"]
)
def test_names_never_become_code(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    x, y = sp.Symbol(name, real=True), sp.Symbol("y", real=True)
    model = sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, sp.tanh(x), 1))
    aux = sa.auxiliary(model)
    for to in ("numpyro", "pymc"):
        module(re.sub(r"^import py.*$", "", sa.exported(aux, to), flags=re.MULTILINE))
    program = sa.exported(aux, "stan")
    well_formed(program)
    assert "os." not in re.sub(r"//[^\n]*", "", program) and not list(tmp_path.iterdir())


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "schools.symaux"
    path.write_text(TEXTS["schools"])
    for to, mark in {
        "numpyro": "numpyro.sample",
        "pymc": "pm.Model",
        "stan": "transformed parameters",
        "symaux": "plate j[8]",
    }.items():
        done = CliRunner().invoke(cli, ["export", str(path), "--to", to])
        assert done.exit_code == 0 and mark in done.stdout
    assert sa.parse(done.stdout).latents == ("mu", "log_tau", "eps_theta")
