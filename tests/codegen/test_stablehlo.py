"""StableHLO artefacts: lowered for three platforms, read back, and run here with plates of other lengths."""

from __future__ import annotations

from pathlib import Path

import jax
import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner
from jax import export

import symaux as sa
from symaux.cli.main import cli

mu, beta = sp.symbols("mu beta", real=True)
tau = sp.Symbol("tau", positive=True)
alpha, floor, y, z = sa.arrays("alpha floor y z")
county = sa.arrays("county", integer=True)
house, c, t = sa.plate("house"), sa.plate("c"), sa.plate("t")

MODELS = {
    "hierarchy": sa.Model.of(
        sa.normal(mu, 0, 10), sa.half_cauchy(tau, 5), sa.normal(alpha[c], mu, tau), sa.normal(beta, 0, 1),
        sa.bernoulli(y[house], sa.sigmoid(alpha[county[house]] + beta * floor[house])), observed=[y],
    ),
    "series": sa.Model.of(
        sa.half_normal(tau, 1), sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(z[t - 1]), tau), sa.normal(y[t], z[t], 1),
        observed=[y],
    ),
}  # fmt: skip


def numbers(case: str, size: int) -> tuple[dict, dict]:
    rng = np.random.default_rng(size)
    float32 = lambda *shape: rng.normal(size=shape).astype(np.float32)  # noqa: E731
    if case == "series":
        return {"log_tau": float32(), "eps_z": float32(size)}, {"y": float32(size)}
    at = {"mu": float32(), "log_tau": float32(), "eps_alpha": float32(size), "beta": float32()}
    seen = (float32(2 * size) > 0).astype(np.float32)
    picked = rng.integers(0, size, size=2 * size).astype(np.int32)
    return at, {"y": seen, "county": picked, "floor": float32(2 * size)}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("case", MODELS)
def test_artefacts_run_here_and_are_lowered_for_elsewhere(case: str) -> None:
    after = sa.auxiliary(MODELS[case]).after
    made = {name: export.deserialize(bytearray(blob)) for name, blob in sa.to_stablehlo(after).items()}
    assert set(made) == {"log_density", "value_and_grad", "generate"}
    assert all(artefact.platforms == ("cpu", "cuda", "tpu") for artefact in made.values())
    for size in (3, 11):
        at, data = numbers(case, size)
        value, slope = made["value_and_grad"].call(at, data)
        expected, slopes = jax.value_and_grad(sa.log_density(after, data))(at)
        assert value.dtype == np.float32
        np.testing.assert_allclose(value, expected, rtol=1e-5)
        for name in at:
            np.testing.assert_allclose(slope[name], slopes[name], rtol=2e-4, atol=1e-5)
        np.testing.assert_allclose(made["log_density"].call(at, data), expected, rtol=1e-5)


def test_a_platform_is_lowered_by_itself() -> None:
    for platform in ("cuda", "tpu"):
        made = sa.to_stablehlo(sa.auxiliary(MODELS["series"]), platforms=[platform])
        lowered = export.deserialize(bytearray(made["value_and_grad"]))
        assert lowered.platforms == (platform,) and "stablehlo" in lowered.mlir_module()


def test_the_command_writes_them_beside_the_module(tmp_path: Path) -> None:
    model = tmp_path / "model.py"
    model.write_text(
        "import sympy as sp, symaux as sa\nz, x = sp.symbols('z x', real=True)\n"
        "model = sa.Model.of(sa.normal(z, 0, 1), sa.normal(x, z, 1), observed=[x])\n"
    )
    done = CliRunner().invoke(cli, ["export", str(model), "-o", str(tmp_path / "model_aux.py"), "--stablehlo"])
    assert done.exit_code == 0, done.output
    blob = (tmp_path / "model_aux.log_density.stablehlo").read_bytes()
    found = export.deserialize(bytearray(blob)).call({"z": np.float32(0.3)}, {"x": np.float32(1.0)})
    np.testing.assert_allclose(found, -0.5 * 0.3**2 - 0.5 * 0.7**2 - np.log(2 * np.pi), rtol=1e-6)
    assert CliRunner().invoke(cli, ["export", str(model), "--stablehlo"]).exit_code == 2
