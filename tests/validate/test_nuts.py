"""The sampler of the calibration: missing packages and chains that do not move."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from click.testing import CliRunner
from support.paths import ROOT

from symaux.cli.main import cli
from symaux.validate import nuts as chains

pytest.importorskip("blackjax")


def test_without_blackjax_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "blackjax", None)
    done = CliRunner().invoke(cli, ["verify", str(ROOT / "gallery/eight_schools.py"), "--calibrate"])
    assert done.exit_code == 2 and "[missing]" in done.stderr and "symaux[infer]" in done.stderr


def test_chains_that_do_not_move_are_seen() -> None:
    stuck = np.zeros((3, 100))
    found = chains.with_diagnostics({"a": stuck}, np.zeros((3, 100), dtype=bool))
    assert np.all(found.ess < 2) or not np.all(found.split_r < 1.1)
