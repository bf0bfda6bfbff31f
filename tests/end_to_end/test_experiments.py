"""The experiments of the gallery in their quick mode: finite, accepted as they should be, and better than where they began."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from corpus.records import recorded
from support.paths import GALLERY


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, GALLERY / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quick(name: str, out: Path) -> list[dict[str, Any]]:
    """The records of a quick run, in an interpreter of its own, as a user runs it."""
    command = [sys.executable, str(GALLERY / f"{name}.py"), "--quick", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    for suffix in ("md", "html", "svg"):
        assert (out / f"{name}.{suffix}").stat().st_size > 500
    return recorded(out / "data" / f"{name}.jsonl")


def improved(records: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Checks of every run, and the last point of each form."""
    for record in records:
        first, *_, last = record["points"]
        assert all(np.isfinite([p["train"], p["error"], p["joint"]]).all() for p in record["points"])
        assert last["train"] > first["train"] - 3 * first["error"]
        assert 0.5 < record["acceptance"] <= 1
        assert last["gradients"] == 11 * last["iterations"] and last["seconds"] > 0
    return {r["case"]["form"]: r["points"][-1] for r in records}


def test_the_readme_says_of_the_sweep_of_chosen_forms_what_was_measured() -> None:
    sys.path.insert(0, str(GALLERY))
    said = " ".join((GALLERY.parent / "README.md").read_text(encoding="utf-8").split())
    for headline in script("choosing_page").headlines(recorded(GALLERY / "data" / "choosing.jsonl")):
        assert headline in said, headline


@pytest.mark.long
def test_digits(tmp_path: Path) -> None:
    last = improved(quick("mnist_experiment", tmp_path))
    assert last["auxiliary"]["train"] > last["original"]["train"] > -784 * np.log(2)
    assert (tmp_path / "mnist_dreams.png").exists()


@pytest.mark.long
def test_a_dynamic_network(tmp_path: Path) -> None:
    assert set(improved(quick("dbn_experiment", tmp_path))) == {"original", "auxiliary"}


@pytest.mark.long
def test_where_it_helps_and_where_it_hurts(tmp_path: Path) -> None:
    records = quick("helps_or_hurts", tmp_path)
    worth = {(r["case"]["noise"], r["case"]["form"]): r["per_thousand_gradients"] for r in records}
    assert worth[5.0, "auxiliary"] > worth[5.0, "original"]
    assert worth[0.05, "auxiliary"] < worth[0.05, "original"]
    assert all(np.isfinite(list(worth.values())))


@pytest.mark.long
def test_chosen_forms_keep_up_with_the_better_pure_form(tmp_path: Path) -> None:
    records = quick("choosing", tmp_path)
    worth = {(r["case"]["noise"], r["case"]["form"]): r["per_thousand_gradients"] for r in records}
    for noise in {noise for noise, _ in worth}:
        assert worth[noise, "advise"] >= 0.9 * max(worth[noise, "original"], worth[noise, "auxiliary"]) > 0
    page = (tmp_path / "choosing.md").read_text(encoding="utf-8")
    assert "NumPyro was not run." in page and "The advised form has" in page


def test_ratios_are_read_off_the_curves() -> None:
    ex = script("experiment")
    slow = [{"case": {"seed": 0}, "points": [{"n": 10.0, "h": 0.0}, {"n": 1000.0, "h": 2.0}]}]
    fast = [{"case": {"seed": 0}, "points": [{"n": 10.0, "h": 1.0}, {"n": 1000.0, "h": 3.0}]}]
    assert ex.speedups(slow, fast, "n", "h") == pytest.approx([10.0])
    assert ex.speedups(fast, slow, "n", "h") == []
    assert ex.spread([3.0, 1.0, 2.0]) == "2.0 (1.0 to 3.0)" and ex.spread([]) == "–"


def test_digits_are_read_from_idx_files_too(tmp_path: Path) -> None:
    mnist = script("mnist_experiment")
    with np.load(GALLERY / "data" / "mnist10k.npz") as file:
        pictures = file["images"]
    assert pictures.shape == (10000, 784) and mnist.images(GALLERY / "data" / "mnist10k.npz").shape == (10000, 784)
    path = tmp_path / "images"
    path.write_bytes(np.array([2051, 3, 28, 28], ">u4").tobytes() + pictures[:3].tobytes())
    assert np.array_equal(mnist.images(path), pictures[:3])
    path.write_bytes(np.array([1, 2, 3, 4], ">u4").tobytes())
    with pytest.raises(SystemExit, match="no IDX file"):
        mnist.images(path)
