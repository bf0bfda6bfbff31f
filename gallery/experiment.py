"""What the experiments share: runs kept as lines of JSON, curves with bands of seeds, ratios, tables and pages."""

from __future__ import annotations

import argparse
import base64
import json
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "tests")]

from corpus.records import recorded  # noqa: E402

Record = dict[str, Any]
COLOURS = {"original": "#b5483a", "auxiliary": "#20639b", "advised": "#3c8f5a"}
FITTING = "max-width: 100%; background: white"  # curves are dark on nothing
AXES = {"iterations": "iterations", "gradients": "gradient evaluations", "seconds": "seconds of the processor"}


def options(description: str, arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """``--quick``, ``--page``, ``--fresh``, ``--out`` and ``--only``, the same for every experiment."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="under a minute, to see that it works")
    parser.add_argument("--page", action="store_true", help="only draw, from what was measured before")
    parser.add_argument("--fresh", action="store_true", help="measure everything again")
    parser.add_argument("--out", type=Path, help="where the page is written; the gallery, or build/quick for --quick")
    parser.add_argument("--only", default="", help="runs whose name contains this")
    chosen = parser.parse_args(arguments)
    chosen.out = chosen.out or (HERE.parent / "build" / "quick" if chosen.quick else HERE)
    (chosen.out / "data").mkdir(parents=True, exist_ok=True)
    return chosen


def measure(
    chosen: argparse.Namespace, name: str, cases: Iterable[Record], run: Callable[[Record], Record]
) -> list[Record]:
    """Runs what is missing, one line each as soon as it is known, and answers everything; it goes on where it stopped."""
    path = chosen.out / "data" / f"{name}.jsonl"
    if chosen.fresh or (chosen.quick and not chosen.page):
        path.unlink(missing_ok=True)
    done = {json.dumps(record["case"], sort_keys=True) for record in recorded(path)}
    for case in cases:
        text = json.dumps(case, sort_keys=True)
        if chosen.page or text in done or chosen.only not in text:
            continue
        record = {"case": case, **run(case)}
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(record) + "\n")
        done.add(text)
        print(text, json.dumps(record.get("told", "")), flush=True)
    return recorded(path)


def main(module: Any, arguments: Sequence[str] | None = None) -> list[Record]:
    """Measures what is missing of an experiment, by its ``NAME``, ``cases`` and ``run``, then writes its page by ``write``."""
    chosen = options((module.__doc__ or "").splitlines()[0], arguments)
    records = measure(chosen, module.NAME, module.cases(chosen.quick), module.run)
    if hasattr(module, "after_pilot") and not chosen.quick:  # what is run next depends on what was found
        chosen.fresh = False
        records = measure(chosen, module.NAME, module.after_pilot(records), module.run)
    if records:
        module.write(chosen.out, records)
    return records


def matching(records: Iterable[Record], **wanted: Any) -> list[Record]:
    """Runs of a case."""
    return [r for r in records if all(r["case"].get(k) == v for k, v in wanted.items())]


def current(records: list[Record]) -> list[Record]:
    """Runs whose seconds count: those of older, slower code do not where there are others."""
    return [r for r in records if r.get("code") != "older"] or records


def reached(points: Sequence[Record], level: float, along: str, height: str) -> float | None:
    """Where a curve first reaches a level, by a line between its points in the logarithm of ``along``."""
    for before, after in pairwise(points):
        if before[height] < level <= after[height]:
            share = (level - before[height]) / (after[height] - before[height])
            return math.exp((1 - share) * math.log(before[along]) + share * math.log(after[along]))
    return points[0][along] if points and points[0][height] >= level else None


def speedups(slow: list[Record], fast: list[Record], along: str, height: str) -> list[float]:
    """Of each seed, how much less the fast curve needs than the slow one for what the slow one has at its end.

    Less two standard errors, and from where the slow curve first has it, so that a flat end does not count as slowness.
    """
    found = []
    for record in slow:
        twins = [f for f in fast if f["case"]["seed"] == record["case"]["seed"]]
        last = record["points"][-1]
        level = last[height] - 2 * last.get("error", 0.0)
        where = reached(twins[0]["points"], level, along, height) if twins else None
        if where:
            found.append((reached(record["points"], level, along, height) or last[along]) / where)
    return found


def spread(values: Sequence[float], digits: int = 1) -> str:
    """The median with the range, of several seeds."""
    if not values:
        return "–"
    middle = f"{statistics.median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def between(values: Sequence[float], digits: int = 1) -> str:
    """The least and the largest, or the one number that both are."""
    low, high = (f"{edge(values):.{digits}f}" for edge in (min, max))
    return low if low == high else f"{low} to {high}"


def rounded(value: float) -> str:
    """Two digits, without powers of ten: 217.3 is 220."""
    return f"{float(f'{value:.2g}'):g}"


def band(axis: Any, records: list[Record], along: str, height: str, colour: str, label: str, style: str = "-") -> None:
    """The median over seeds with its range."""
    import numpy as np

    if not records:
        return
    length = min(len(r["points"]) for r in records)
    x, y = (np.array([[p[k] for p in r["points"][:length]] for r in records]) for k in (along, height))
    middle = np.median(x, axis=0)
    axis.plot(middle, np.median(y, axis=0), style, color=colour, label=label, marker=".")
    axis.fill_between(middle, y.min(axis=0), y.max(axis=0), color=colour, alpha=0.2, linewidth=0)


def figure(width: float, height: float, rows: int, columns: int) -> tuple[Any, Any]:
    """A figure of panels, without a window."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {"svg.hashsalt": "symaux", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    )
    made, axes = plt.subplots(rows, columns, figsize=(width, height), layout="constrained", squeeze=False)
    return made, axes


def logarithmic(axis: Any, label: str) -> None:
    """A logarithmic axis that names powers of ten only."""
    from matplotlib.ticker import NullFormatter

    axis.set(xscale="log", xlabel=label)
    axis.xaxis.set_minor_formatter(NullFormatter())


def legend(made: Any, axis: Any) -> None:
    """The names of an axis's curves, above all panels."""
    made.legend(*axis.get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False, handlelength=4)


def save(made: Any, path: Path) -> None:
    """As SVG without a date, so that the same numbers give the same file; or as PNG."""
    import matplotlib.pyplot as plt

    made.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=120)
    plt.close(made)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in Markdown."""
    return ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *("| " + " | ".join(r) + " |" for r in rows)]


def pages(out: Path, name: str, title: str, parts: Sequence[str | list[str] | Path]) -> None:
    """The page, in Markdown for a repository and as HTML that fetches nothing; parts are text, tables and pictures."""
    from symaux.show.reporting.html_page import document

    lines = [f"# {title}", ""]
    for part in parts:
        lines += [f"![{part.stem}]({part.name})", ""] if isinstance(part, Path) else [*_lines(part), ""]
    (out / f"{name}.md").write_text("\n".join(lines), encoding="utf-8")
    body = "\n".join(map(_markup, parts))
    (out / f"{name}.html").write_text(document(title, "", "", body, ""), encoding="utf-8")


def _lines(part: str | list[str]) -> list[str]:
    return part if isinstance(part, list) else [part]


def _markup(part: str | list[str] | Path) -> str:
    from symaux.show.reporting.html import tag, text

    if isinstance(part, Path):
        kind = "svg+xml" if part.suffix == ".svg" else "png"
        data = base64.b64encode(part.read_bytes()).decode("ascii")
        return tag(
            "p", tag("img", src=f"data:image/{kind};base64,{data}", alt=part.stem.replace("_", " "), style=FITTING)
        )
    if isinstance(part, str):
        return tag("h2", text(part.removeprefix("## "))) if part.startswith("## ") else tag("p", text(part))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in (part[0], *part[2:])]
    cells = [tag("tr", *(tag("th" if n == 0 else "td", text(c)) for c in row)) for n, row in enumerate(rows)]
    return tag("div", tag("table", *cells, class_="gains"), class_="scroll")
