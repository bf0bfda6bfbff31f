"""Data files: what is read from them, what is refused, and draws from a model on the command line."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import symaux as sa
from symaux.cli.main import cli

SCHOOLS = """
plate j[8]
data sigma[j] > 0
mu ~ Normal(0, 5)
tau ~ HalfCauchy(5)
theta[j] ~ Normal(mu, tau)
observe y[j] ~ Normal(theta[j], sigma[j])
"""
DATA = {"sigma": [15, 10, 16, 11, 9, 11, 10, 18], "y": [28.0, 8, -3, 7, -1, 1, 18, 12]}


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"n": 3, "y": [1, 2.5], "W": [[1, 2], [3, 4]]}')
    data = sa.read_data(path)
    assert data["n"].shape == () and data["n"].dtype == np.int64
    assert data["y"].tolist() == [1.0, 2.5] and data["W"].tolist() == [[1, 2], [3, 4]] and data["W"].dtype == np.int64


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('\ufeffcounty, "y"\n0,1.5\n\n2,-3e2\n', encoding="utf-8")
    data = sa.read_data(path)
    assert (
        data["county"].tolist() == [0, 2] and data["county"].dtype == np.int64 and data["y"].tolist() == [1.5, -300.0]
    )


def test_npz_and_several_files(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.eye(2), n=np.arange(3))
    (tmp_path / "b.json").write_text('{"y": 1}')
    data = sa.read_data(tmp_path / "a.npz", tmp_path / "b.json")
    assert sorted(data) == ["n", "x", "y"] and data["x"].tolist() == [[1, 0], [0, 1]]
    with pytest.raises(sa.DataError, match="another file"):
        sa.read_data(tmp_path / "b.json", tmp_path / "b.json")


REFUSED = {
    "empty.json": b"",
    "list.json": b"[1, 2]",
    "number.json": b"3",
    "nothing.json": b"{}",
    "broken.json": b'{"y": [1, 2',
    "nan.json": b'{"y": [NaN]}',
    "infinity.json": b'{"y": -Infinity}',
    "boolean.json": b'{"y": [true, false]}',
    "null.json": b'{"y": null}',
    "text.json": b'{"y": ["a"]}',
    "object.json": b'{"y": {"a": 1}}',
    "ragged.json": b'{"y": [[1, 2], [3]]}',
    "mixed.json": b'{"y": [[1, 2], 3]}',
    "twice.json": b'{"y": 1, "y": 2}',
    "long.json": b'{"y": ' + b"9" * 30 + b"}",
    "digits.json": b'{"y": ' + b"9" * 5000 + b"}",
    "large.json": b'{"y": 1e999}',
    "deep.json": b'{"y": ' + b"[" * 20 + b"1" + b"]" * 20 + b"}",
    "bomb.json": b'{"y": ' + b"[" * 200_000,
    "binary.json": bytes(range(256)),
    "latin.json": '{"é": 1}'.encode("latin-1"),
    "empty.csv": b"",
    "header.csv": b"y,y\n1,2\n",
    "blank.csv": b"y,\n1,2\n",
    "ragged.csv": b"x,y\n1,2\n3\n",
    "word.csv": b"y\nhello\n",
    "missing.csv": b"x,y\n1,\n",
    "nan.csv": b"y\nnan\n",
    "underscore.csv": b"y\n1_000\n",
    "formula.csv": b"y\n=1+1\n",
    "quote.csv": b'y\n"1\n',
    "nul.csv": b"y\n1\0\n",
    "latin.csv": "y\n1\n# é\n".encode("latin-1"),
    "rows.csv": b"x,y\n",
    "wide.csv": "y\n１\n".encode(),
    "arabic.csv": "y\n٣\n".encode(),
    "digits.csv": b"y\n" + b"9" * 5000,
    "none.json": b'{"y": []}',
    "semicolon.csv": b"x;y\n1;2\n",
    "tabs.csv": b"x\ty\n1\t2\n",
    "empty.npz": b"",
    "text.npz": b"this is no archive",
    "data.txt": b"1 2 3",
    "data.pkl": b"cos\nsystem\n(S'touch run'\ntR.",
    "data.npy": b"\x93NUMPY",
    "noext": b"1",
}


def npz(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(value: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, value, allow_pickle=True)
    return file.getvalue()


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("touch run",)


def shaped(shape: bytes) -> bytes:
    """An array of three numbers whose header says otherwise."""
    honest = b"'shape': (3,), }"
    return npy(np.zeros(3)).replace(honest + b" " * (len(shape) - 4), honest.replace(b"(3,)", shape))


def twins() -> bytes:
    """Two arrays of one name, with and without the ending that it has in the archive."""
    file = io.BytesIO(npz(y=npy(np.zeros(3))))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("y", npy(np.ones(3)))
    return file.getvalue()


ARRAYS = {
    "pickle.npz": lambda: npz(y=npy(np.array([Evil()], dtype=object))),
    "liar.npz": lambda: npz(y=shaped(b"(300000000000,)")),
    "code.npz": lambda: npz(y=shaped(b"(9**9**9,)")),
    "call.npz": lambda: npz(y=shaped(b"(print(1),)")),
    "open.npz": lambda: npz(y=shaped(b"((((((((3,)")),
    "complex.npz": lambda: npz(y=npy(np.array([1j]))),
    "text.npz": lambda: npz(y=npy(np.array(["a"]))),
    "bool.npz": lambda: npz(y=npy(np.array([True]))),
    "nan.npz": lambda: npz(y=npy(np.array([np.nan]))),
    "none.npz": lambda: npz(y=npy(np.zeros((3, 0)))),
    "short.npz": lambda: npz(y=npy(np.zeros(3))[:-4]),
    "junk.npz": lambda: npz(y=b"not an array"),
    "twins.npz": lambda: twins(),
    "extended.npz": lambda: npz(y=npy(np.array([np.finfo(np.longdouble).max]))),
    "negative.npz": lambda: npz(y=shaped(b"(-3,)")),
    "rows.npz": lambda: npz(y=shaped(b"(0,9999999999999)")),
    "magic.npz": lambda: npz(y=npy(np.zeros(3)).replace(b"NUMPY\x01", b"NUMPY\x09")),
    "nested.npz": lambda: npz(y=npz(y=npy(np.zeros(3)))),
    "date.npz": lambda: npz(y=npy(np.array(["2020-01-01"], dtype="M8[D]"))),
    "void.npz": lambda: npz(y=npy(np.zeros(3, dtype="V8"))),
    "bomb.npz": lambda: npz(y=b"\0" * 201_000_000),
}


@pytest.mark.parametrize("name", [*REFUSED, *(f"arrays/{n}" for n in ARRAYS)])
def test_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content = ARRAYS[name.partition("/")[2]]() if "/" in name else REFUSED[name]
    path = tmp_path / name.rpartition("/")[2]
    path.write_bytes(content)
    with pytest.raises(sa.DataError) as caught:
        sa.read_data(path)
    assert str(path) in str(caught.value) and all(line.isprintable() for line in str(caught.value).split("\n"))
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["none.json", ".", "x" * 300 + ".json", "a\0b.json", "folder.json"])
def test_paths_that_are_no_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(sa.DataError):
        sa.read_data(f"{tmp_path}/{name}")


@pytest.mark.parametrize(
    ("words", "value"), [("> 0", -1.0), (">= 0", -1.0), ("< 0", 0.0), ("<= 0", 1.0), ("integer", 0.5)]
)
def test_data_must_be_what_a_declaration_says(words: str, value: float) -> None:
    model = sa.parse(f"param s {words}\nx ~ normal(s, 1)")
    with pytest.raises(sa.DataError, match="s is assumed to be"):
        sa.log_density(model, {"s": value})


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


@pytest.mark.parametrize("kind", [">f8", "g", ">i4", "u1", "u8"])
def test_numbers_of_any_width_and_order_of_bytes(kind: str, tmp_path: Path) -> None:
    numbers = np.array([1, 2, 1]).astype(kind)
    np.savez(tmp_path / "a.npz", x=numbers)
    assert sa.read_data(tmp_path / "a.npz")["x"].dtype == (np.float64 if numbers.dtype.kind == "f" else np.int64)
    n, (x, y) = sa.plate("n"), sa.arrays("x y")
    model = sa.Model.of(sa.normal(y[n], x[n], 1), observed=[y])
    values = [float(sa.log_density(model, {"x": v, "y": np.zeros(3)})({})) for v in (numbers, numbers.astype(float))]
    assert abs(values[0] - values[1]) < 1e-12
