"""Bounded runs of what ``make fuzz`` does for long: the parser under fuzzing, and a soak of derivations."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def ran(script: str, folder: Path, *args: str) -> dict:
    out = folder / "out.json"
    command = [sys.executable, str(HERE / script), *args, "--file", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, cwd=folder)
    assert out.exists(), done.stderr[-2000:]
    return json.loads(out.read_text())


@pytest.mark.parametrize("how", ["atheris", "random mutations"])
def test_the_parser_under_fuzzing(how: str, tmp_path: Path) -> None:
    if how == "atheris":
        pytest.importorskip("atheris", reason="atheris is not installed: coverage-guided fuzzing is left out")
    found = ran("fuzz_language.py", tmp_path, "--seconds", "8", *(["--mutation"] if how != "atheris" else []))
    assert found["how"] == how and found["inputs"] > 500 and found["read"] > 0
    assert not found["failures"] and found["slowest"] < 5


@pytest.mark.long
def test_a_soak_of_a_thousand_derivations(tmp_path: Path) -> None:
    places = ran("soak.py", tmp_path, "1000")["places"]
    (_, before, opened), (_, after, still) = places[4], places[-1]  # caches are full by the half
    assert still <= opened and after - before < 8, places
