"""Bounded runs of the parser under fuzzing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.processes import json_of_run


@pytest.mark.parametrize("how", [pytest.param("atheris", marks=pytest.mark.long), "random mutations"])
def test_the_parser_under_fuzzing(how: str, tmp_path: Path) -> None:
    if how == "atheris":
        pytest.importorskip("atheris", reason="atheris is not installed: coverage-guided fuzzing is left out")
    found = json_of_run(
        "fuzz.fuzz_language", tmp_path, "--inputs", "10000", *(["--mutation"] if how != "atheris" else [])
    )
    assert found["how"] == how and found["inputs"] >= 10_000 and found["read"] > 0
    assert not found["failures"] and not found["hangs"]
