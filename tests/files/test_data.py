"""Data files: what is read from them, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.bad_data import ARRAYS, REFUSED

import symaux as sa


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
def test_paths_that_are_not_files(name: str, tmp_path: Path) -> None:
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


@pytest.mark.parametrize("kind", [">f8", "g", ">i4", "u1", "u8"])
def test_numbers_of_any_width_and_order_of_bytes(kind: str, tmp_path: Path) -> None:
    numbers = np.array([1, 2, 1]).astype(kind)
    np.savez(tmp_path / "a.npz", x=numbers)
    assert sa.read_data(tmp_path / "a.npz")["x"].dtype == (np.float64 if numbers.dtype.kind == "f" else np.int64)
    n, (x, y) = sa.plate("n"), sa.arrays("x y")
    model = sa.Model.of(sa.normal(y[n], x[n], 1), observed=[y])
    values = [float(sa.log_density(model, {"x": v, "y": np.zeros(3)})({})) for v in (numbers, numbers.astype(float))]
    assert abs(values[0] - values[1]) < 1e-12
