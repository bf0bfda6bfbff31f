"""The pages of the experiments and the README's table say what the records say: no figure in them is typed by hand."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from corpus.records import recorded
from support.paths import GALLERY

sys.path.insert(0, str(GALLERY))

import experiment as ex
import experiments_table
import helps_words
import mnist_cells
import mnist_words

sys.path.remove(str(GALLERY))
EXCHANGED = {"original": "auxiliary", "auxiliary": "original"}


def script(name: str) -> ModuleType:
    return __import__(name)


def records(name: str) -> list[dict[str, Any]]:
    return recorded(GALLERY / "data" / f"{name}.jsonl")


def exchanged(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records with the two forms' names exchanged."""
    found = copy.deepcopy([r for r in runs if r["case"]["form"] in EXCHANGED])
    for record in found:
        record["case"]["form"] = EXCHANGED[record["case"]["form"]]
    return found


@pytest.mark.parametrize("name", ["mnist_experiment", "dbn_experiment", "helps_or_hurts"])
def test_a_page_is_that_of_its_records(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(GALLERY))
    monkeypatch.setattr(ex, "save", lambda made, path: path.write_text("drawn"))
    script(name).write(tmp_path, records(name))
    page = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
    assert page == (GALLERY / f"{name}.md").read_text(encoding="utf-8"), f"run: python gallery/{name}.py --page"


def test_the_table_of_the_readme_is_that_of_the_records() -> None:
    found = experiments_table.BLOCK.search(experiments_table.README.read_text(encoding="utf-8"))
    assert found and found[2] == experiments_table.table(), "run: make readme"


def test_an_iteration_costs_at_most_1_1_times_that_by_hand() -> None:
    rows = experiments_table.section("Monte Carlo EM on 10,000 digits")
    assert [row[0] for row in rows[:2]] == ["original", "auxiliary"]
    assert all(float(cell) <= 1.1 for row in rows[:2] for cell in row[-2:])


def test_two_and_three_layers_were_run_on_all_digits_tuned_and_untuned() -> None:
    found = {(c.digits, c.layers, c.way) for c in mnist_cells.cells(records("mnist_experiment"))}
    assert {(10000, layers, way) for layers in (2, 3) for way in ("untuned", "tuned")} <= found


def test_words_follow_the_records() -> None:
    """With the forms' names exchanged the claim no longer holds, and what helped now hurts."""
    runs = records("mnist_experiment")
    plain = [c for c in mnist_cells.cells(runs) if (c.way, c.digits) == ("untuned", 1000)]
    assert plain and all(mnist_words.verdict(c) in mnist_words.VERDICTS[:2] for c in plain)
    turned = [c for c in mnist_cells.cells(exchanged(runs)) if (c.way, c.digits) == ("untuned", 1000)]
    assert len(turned) == len(plain) and all(mnist_words.verdict(c) == "does not hold" for c in turned)
    assert "does not hold" in mnist_words.claim(turned)
    swept = records("helps_or_hurts")
    one, other = helps_words.better(swept, "auxiliary"), helps_words.better(exchanged(swept), "original")
    assert one.replace("auxiliary", "*").replace("original", "auxiliary").replace("*", "original") == other


def run(form: str, seed: int, step: float, heights: list[float]) -> dict[str, Any]:
    """A made-up run on ten digits."""
    case = {"form": form, "seed": seed, "step": step, "digits": 10, "layers": 2}
    points = [{"iterations": 10 * 4**n, "train": h, "test": None} for n, h in enumerate(heights)]
    return {"case": case, "points": points, "longer_annealing": [heights[-1], None]}


def test_steps_are_tuned_by_pilots_and_compared_across() -> None:
    pilots = [run(form, mnist_cells.PILOT, step, [-step if form == "auxiliary" else step]) for form in EXCHANGED
              for step in (0.01, 0.1)]  # fmt: skip
    assert mnist_cells.tuned(pilots) == {"original": 0.1, "auxiliary": 0.01}
    runs = [run("original", 0, 0.01, [0, 1]), run("original", 0, 0.1, [0, 2]), run("auxiliary", 0, 0.01, [1, 2.5])]
    untuned, tuned = mnist_cells.cells([*pilots, *runs])
    assert (untuned.step, tuned.step) == ("0.01", "0.1 original, 0.01 auxiliary")
    assert untuned.speedups() == pytest.approx([4.0]) and tuned.speedups() == pytest.approx([4 ** (1 / 3)])


def test_numbers_are_told_shortly() -> None:
    assert (ex.rounded(217.3), ex.rounded(0.0224), ex.rounded(1.0)) == ("220", "0.022", "1")
    assert (ex.between([1.04, 0.98], 1), ex.between([2.0, 3.0], 0)) == ("1.0", "2 to 3")
