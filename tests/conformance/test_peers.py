"""Programs for PyMC and Stan have the values and slopes of mpmath, in every function that its record says they have."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path

import pytest
from support.peer_values import by_pymc, by_stan, cells, compiler_of_stan, deviations, model_of

import symaux as sa
from symaux.exchange.exporting.spelling.tables import PT, STAN
from symaux.formulas.functions.elementary import log1p
from symaux.formulas.functions.registry import record_of

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]


def test_stan_computes_every_function() -> None:
    """One build of three minutes for all of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("stan", reason="Stan is not installed: pip install pystan")
    given = cells("stan")
    assert not [*deviations(given, by_stan(given))]


def test_pymc_computes_every_function() -> None:
    _import_pymc()
    given = cells("pymc")
    assert not [*deviations(given, by_pymc(given))]


def test_a_wrong_spelling_has_other_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    _import_pymc()
    record = record_of(log1p)
    assert record is not None
    given = cells("pymc", [record])
    assert not [*deviations(given, by_pymc(given))]
    monkeypatch.setitem(PT, log1p, "pt.log")
    found = [*deviations(given, by_pymc(given))]
    assert {line.split("(")[0] for line in found} == {"log1p"} and len(found) >= len(given[0].points)


def test_stan_refuses_a_misspelt_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    record = record_of(log1p)
    assert record is not None
    for name in ("log1p", "log1q"):
        monkeypatch.setitem(STAN, log1p, name)
        path = tmp_path / f"{name}.stan"
        path.write_text(sa.exported(model_of(cells("stan", [record])), "stan"), encoding="utf-8")
        command = [compiler_of_stan(), path, "--o", tmp_path / "model.hpp"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (name == "log1p") and ("log1q" in done.stderr) == (name == "log1q")


def _import_pymc() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("pymc", reason="PyMC is not installed")
