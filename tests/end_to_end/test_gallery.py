"""Every model of the gallery through everything: rewrite, proof, gradient, export, a fresh interpreter, picture."""

from __future__ import annotations

import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from support.paths import GALLERY

import symaux as sa
from symaux.codegen.load import load
from symaux.validate.pointwise import compare_pointwise

BUILD = runpy.run_path(str(GALLERY / "build.py"), run_name="gallery_build")
NAMES = [path.stem for path in BUILD["scripts"]([]) if "model = sa.Model" in path.read_text(encoding="utf-8")]


@cache
def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(GALLERY / f"{name}.py"))


@cache
def derivation(name: str) -> sa.Derivation:
    return BUILD["derivation"](script(name))


def position(name: str, data: dict[str, Any]) -> dict[str, np.ndarray]:
    """A point near the middle of the noise."""
    after, rng = derivation(name).after, np.random.default_rng(3)
    lengths = after.axes.resolved({key: np.shape(value) for key, value in data.items()})
    free = sorted({*after.latents, *(set(after.inputs) - set(data))})
    return {n: 0.3 * rng.normal(size=[lengths[group] for group in after.axes.of_array(n)]) for n in free}


def test_the_models_of_the_literature_are_there() -> None:
    wanted = {"chain", "funnel", "eight_schools", "radon", "mnist_two_layers", "mnist_three_layers", "dbn"}
    assert wanted <= set(NAMES)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_auxiliary_form_is_proved_and_agrees_with_mpmath(name: str) -> None:
    aux = derivation(name)
    assert aux.steps
    verdict = aux.verify()
    assert verdict.status is sa.Status.PROVED, verdict
    seen = compare_pointwise(aux.before, aux.after, sa.to_source(aux.after))
    assert seen.points > 0 and seen.worst <= 1e-9, seen


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_is_finite(name: str) -> None:
    data = script(name)["data"]()
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(derivation(name).after, data)))(position(name, data))
    assert np.isfinite(value)
    assert all(np.all(np.isfinite(g)) and np.any(np.asarray(g) != 0) for g in slope.values())


FRESH = """
import sys
for blocked in ("symaux", "rewrites", "sympy", "networkx", "mpmath", "scipy.stats"):
    sys.modules[blocked] = None
import jax, numpy as np, runpy
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_dtype_promotion", "strict")
module, given, answer = sys.argv[1:]
functions = runpy.run_path(module)
stored = dict(np.load(given))
data = functions["prepare"]({k[2:]: v for k, v in stored.items() if k.startswith("d_")})
at = {k[2:]: v for k, v in stored.items() if k.startswith("p_")}
run = jax.jit(jax.value_and_grad(lambda position: functions["log_density"](position, data)))
value, slope = run(at)
made = jax.jit(lambda position: functions["generate"](position, data))(at)
np.savez(answer, value=value, **{f"g_{k}": v for k, v in slope.items()}, **{f"m_{k}": v for k, v in made.items()})
"""


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_exported_module_gives_the_same_bits_in_a_fresh_interpreter(name: str, tmp_path: Path) -> None:
    after, data = derivation(name).after, script(name)["data"]()
    at = position(name, data)
    module, given, answer = tmp_path / "model_aux.py", tmp_path / "given.npz", tmp_path / "answer.npz"
    module.write_text(sa.to_source(after), encoding="utf-8")
    np.savez(given, **{f"d_{k}": v for k, v in data.items()}, **{f"p_{k}": v for k, v in at.items()})
    run = subprocess.run(
        [sys.executable, "-I", "-c", FRESH, str(module), str(given), str(answer)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stderr
    found = dict(np.load(answer))
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(after, data)))(at)
    assert found["value"].tobytes() == np.asarray(value).tobytes()
    assert all(found[f"g_{n}"].tobytes() == np.asarray(slope[n]).tobytes() for n in at)
    made = jax.jit(sa.generate(after, data))(at)
    assert {n[2:] for n in found if n.startswith("m_")} == set(made)
    assert all(found[f"m_{n}"].tobytes() == np.asarray(made[n]).tobytes() for n in made)


@pytest.mark.parametrize("name", NAMES)
def test_generated_code_is_the_golden_file(name: str) -> None:
    """Refreshed by `python gallery/build.py`; the difference is what a review looks at."""
    golden = (GALLERY / "generated" / f"{name}.py").read_text(encoding="utf-8")
    assert BUILD["code"](script(name)) == golden, f"python gallery/build.py {name}"


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_the_golden_files(name: str) -> None:
    golden = (GALLERY / f"{name}.svg").read_text(encoding="utf-8")
    assert BUILD["picture"](script(name)) == golden, f"python gallery/build.py {name}"


def test_the_papers_figures_are_the_golden_files() -> None:
    for name, text in BUILD["figures"]().items():
        assert (GALLERY / name).read_text(encoding="utf-8") == text, "python gallery/build.py"


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_prior_can_be_drawn_from(name: str) -> None:
    after, data = derivation(name).after, script(name)["data"]()
    drawn = jax.jit(sa.sample_prior(after, data))(jax.random.key(0))
    assert set(drawn) == set(after.nodes)
    assert all(np.all(np.isfinite(value)) for value in drawn.values())
    at = {n: drawn[n] for n in after.latents}
    seen = {n: np.asarray(drawn[n]) for n in after.observed}
    inputs = {n: data[n] for n in after.inputs}
    assert np.isfinite(sa.log_density(after, {**inputs, **seen})(at))
    remade = sa.generate(after, {**inputs, **seen})(at)
    for n, value in remade.items():
        np.testing.assert_allclose(np.asarray(value), np.asarray(drawn[n]), rtol=1e-9, atol=1e-12)


@pytest.mark.long
def test_exports_are_deterministic() -> None:
    """Another process, with another seed for hashing, writes the same bytes."""
    text = (
        "import runpy; b = runpy.run_path('gallery/build.py', run_name='b');"
        "s = runpy.run_path('gallery/radon.py'); import sys; sys.stdout.write(b['code'](s))"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", text],
            capture_output=True,
            text=True,
            cwd=GALLERY.parent,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "77")
    ]
    assert made[0] == made[1] == BUILD["code"](script("radon")) != ""


def test_the_golden_modules_load() -> None:
    for path in sorted((GALLERY / "generated").glob("*.py")):
        module = load(path.read_text(encoding="utf-8"))
        assert {"prepare", "log_density", "generate", "sample_prior"} <= set(dir(module))
