"""Draws from a model on the command line: the prior, the posterior, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from support.model_texts import SCHOOLS
from support.models import SCHOOLS as DATA

import symaux as sa
from symaux.cli.main import cli


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "schools.symaux").write_text(SCHOOLS)
    (tmp_path / "schools.json").write_text(json.dumps(DATA))
    return tmp_path


def run(folder: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, ["sample", str(folder / "schools.symaux"), *args])


@pytest.mark.parametrize("suffix", ["npz", "csv", "json"])
def test_draws_from_the_prior(folder: Path, suffix: str) -> None:
    out = folder / f"draws.{suffix}"
    options = ["--data", str(folder / "schools.json"), "--prior", "--draws", "300", "-o", str(out)]
    assert run(folder, *options).exit_code == 0
    data = sa.read_data(out)
    theta = data["theta"] if suffix != "csv" else np.stack([data[f"theta[{j}]"] for j in range(8)], axis=1)
    assert theta.shape == (300, 8) and abs(np.median(theta - np.asarray(data["mu"])[:, None])) < 1
    first = out.read_bytes() if suffix != "npz" else sa.read_data(out)["mu"].tobytes()
    assert run(folder, *options).exit_code == 0
    assert first == (out.read_bytes() if suffix != "npz" else sa.read_data(out)["mu"].tobytes())


def test_a_summary_of_the_prior(folder: Path) -> None:
    shown = run(folder, "--data", str(folder / "schools.json"), "--prior", "--draws", "50").stdout
    assert shown.splitlines()[0].split() == ["mean", "sd", "5%", "50%", "95%"] and "theta[7]" in shown


def test_data_come_from_several_files_one_option_each(folder: Path) -> None:
    """As the help says: a second file without an option of its own is refused, never read as something else."""
    for name in ("sigma", "y"):
        (folder / f"{name}.json").write_text(json.dumps({name: DATA[name]}))
    sigma, y = (str(folder / f"{name}.json") for name in ("sigma", "y"))
    both = run(folder, "--data", sigma, "--data", y, "--prior", "--draws", "50")
    assert both.exit_code == 0 and both.stdout == run(folder, "--data", sigma, "--prior", "--draws", "50").stdout
    assert run(folder, "--data", sigma, y, "--prior", "--draws", "50").exit_code == 2
    assert "may be repeated" in " ".join(run(folder, "--help").stdout.split())


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--prior"], "sigma have no data"),
        ([], "no data for sigma, y"),
        (["--data", "FOLDER/none.json"], "there is no file"),
        (["--data", "FOLDER/schools.json", "--prior", "-o", "FOLDER/draws.pkl"], "draws are written as"),
        (["--data", "FOLDER/schools.json", "--prior", "-o", "FOLDER/draws.nc"], "draws of the prior"),
        (
            ["--data", "FOLDER/other.json", "--prior"],
            "data for sgma, which the model does not read; did you mean sigma?",
        ),
        (["--data", "FOLDER/schools.json", "--prior", "--draws", "1000000"], "are too many"),
    ],
)
def test_what_sample_refuses(folder: Path, args: list[str], told: str) -> None:
    (folder / "other.json").write_text('{"sgma": [1, 2, 3, 4, 5, 6, 7, 8]}')
    before = sorted(folder.iterdir())
    result = run(folder, *(a.replace("FOLDER", str(folder)) for a in args))
    if "too many" in told and result.exit_code == 0:
        pytest.fail("a million draws were made")
    assert result.exit_code == 2 and told in result.stderr and not result.stdout
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("sigma", [-1.0, 0.0, -0.0])
def test_the_prior_is_not_drawn_with_data_that_break_a_declaration(folder: Path, sigma: float) -> None:
    (folder / "bad.json").write_text(json.dumps({"sigma": [sigma] * 8}))
    result = run(folder, "--data", str(folder / "bad.json"), "--prior", "--draws", "5")
    assert result.exit_code == 2 and "sigma is assumed to be positive" in result.stderr


def test_a_name_in_a_message_stays_on_its_line(folder: Path) -> None:
    (folder / "bad.csv").write_text('sigma,"y\\nsymaux: all is well"\n1,2\n'.replace("\\n", "\n"))
    told = run(folder, "--data", str(folder / "bad.csv"), "--prior").stderr
    assert "\nsymaux: all is well" not in told and "all is well" in told


def test_weights_of_a_mixture_are_checked() -> None:
    model = sa.parse("param w\nobserve y ~ mixture(w, normal(0, 1), 1 - w, normal(1, 1))")
    with pytest.raises(sa.DataError, match="does not hold for the data"):
        sa.log_density(model, {"w": 1.5, "y": 0.0})


def test_the_posterior_from_the_command_line(folder: Path) -> None:
    """Draws by name with a summary, and whether the chains can be believed beside it."""
    args = ["--chains", "2", "--draws", "200", "--warmup", "200", "--seed", "3"]
    result = run(folder, "--data", str(folder / "schools.json"), *args)
    assert result.exit_code == 0 and "2 chains of 200 draws: R-hat at most" in result.stderr
    rows = {line.split()[0]: float(line.split()[1]) for line in result.stdout.splitlines()[1:]}
    assert set(rows) == {"mu", "tau", *(f"theta[{j}]" for j in range(8))} and -2 < rows["mu"] < 10
