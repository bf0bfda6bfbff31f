"""The evidence page: verdicts, certificates, errors of generated code and mutants, for the standard catalogue.

python gallery/evidence.py                       # everything that is missing, then the page
python gallery/evidence.py --quick               # five laws and forty mutants, to see that it works
python gallery/evidence.py --page                # only the page, from what was measured before

One line of JSON per law is added to gallery/data/evidence/laws.jsonl as soon as it is measured, one per mutant to
mutants.jsonl: a run that was interrupted goes on where it stopped; --fresh begins anew.
"""

from __future__ import annotations

import argparse
import html
import json
import signal
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from corpus.records import Record, results  # noqa: E402

MUTANTS = 2000
HEADS = [
    "law", "verdict", "noises", "s to verify", "points certified", "intervals", "total variation at most", "ulp float64",
    "ulp float32", "gradient error", "form",
]  # fmt: skip
ABOUT = """For every continuous univariate distribution of sympy.stats, given by its density: the verdict on the form that
the engine gives (judged again, by code that knows nothing of the rules), and the processor time that takes;
certificates by ball arithmetic on the form as a whole at stated parameters, small and large among them, with the
proved bound on the total-variation distance; and the worst error of the generated code against mpmath at the same
noise and parameters: in units in the last place, far into the tails of the noise (uniform from 1e-30 to 1 -
1e-12, normal to 8 standard deviations), and of gradients in the parameters, relative to max(|gradient|,
|value|/max(1, |parameter|)). An empty cell was not measured: certificates are for one noise, and forms that
iterate have neither.

A unit in the last place counts against the value itself, so that a value near zero, a difference of large ones, has many."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises TimeoutError after so many seconds."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"stopped after {seconds} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def measure(path: Path, options: argparse.Namespace) -> None:
    """The laws that are missing."""
    import jax
    from corpus.proofs import evidence
    from corpus.sympy_stats import entries

    jax.config.update("jax_enable_x64", True)
    known = results(path)
    for entry in list(entries())[: 5 if options.quick else None]:
        if entry.name in known:
            continue
        try:
            with limited(options.seconds):
                record = evidence(entry)
        except TimeoutError as late:  # says more about the machine than about the law: measured again another time
            print(entry.name, late, flush=True)
            continue
        except Exception as failure:  # a law that cannot be measured is a line of the page
            record = {"verdict": "NONE", "why": f"{type(failure).__name__}: {failure}"[:300]}
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"name": entry.name} | record) + "\n")
        print(
            entry.name,
            record["verdict"],
            record.get("distance"),
            record.get("errors"),
            record.get("why", ""),
            flush=True,
        )


def mutate(path: Path, options: argparse.Namespace) -> None:
    """The mutants that are missing."""
    from fuzz import mutants

    count = 40 if options.quick else options.mutants
    for record in mutants.run(count, done=map(int, results(path, "number"))):
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(record) + "\n")
        print(f"\r{record['number'] + 1} of {count} mutants", end="", flush=True)


def totals(records: list[Record], tally: Any) -> list[tuple[str, str]]:
    """What stands at the top, as (what, figure)."""
    from corpus.sympy_stats import entries
    from support.attacks import ATTACKS

    words = ("PROVED", "CERTIFIED", "SAMPLED", "UNDECIDED", "REFUTED", "NONE")
    times = [r["verified"] for r in records if r["verdict"] == "PROVED"]
    certified = [r for r in records if r.get("points")]
    lines = [("laws looked at", f"{len(records)} of {len(list(entries()))}")]
    lines += [(w.lower(), str(n)) for w in words if (n := sum(r["verdict"] == w for r in records))]
    lines += (
        [("seconds of processor time to verify what is proved, median", f"{statistics.median(times):.2f}")]
        if times
        else []
    )
    lines += [
        ("laws with certificates by balls too", str(len(certified))),
        ("parameter points certified", str(sum(len(r["points"]) for r in certified))),
        ("intervals certified", str(sum(r["intervals"] for r in certified))),
        ("largest bound of a total variation", f"{max((r['distance'] for r in certified), default=0):.1e}"),
    ]
    if tally.records:
        wrong = len(tally.records) - tally.preserved
        lines += [
            ("mutants looked at", f"{len(tally.records)} of {MUTANTS}, {tally.tiny} of them no larger than 1e-6"),
            (
                "unmutated claims that are proved in the same run",
                f"{len(tally.twins) - len(tally.untrue)} of {len(tally.twins)}",
            ),
            ("mutants that keep the law", str(tally.preserved)),
            (
                "others refuted with a witness",
                f"{tally.refuted} of {wrong} ({100 * tally.refuted / max(1, wrong):.1f} %)",
            ),
            ("silent acceptances", str(len(tally.silent))),
            ("refuted although they keep the law", str(len(tally.condemned))),
        ]
    return [*lines, ("false claims kept as tests", str(len(ATTACKS)))]


def row(record: Record) -> list[str]:
    """One law."""
    errors = record.get("errors", {})

    def shown(value: Any, style: str) -> str:
        return "" if value is None else format(value, style)

    return [
        record["name"],
        record["verdict"].lower(),
        shown(record.get("noises"), "d"),
        shown(record.get("verified"), ".2f"),
        shown(len(record["points"]) if record.get("points") else None, "d"),
        shown(record.get("intervals") or None, "d"),
        shown(record.get("distance"), ".1e"),
        shown(errors.get("ulp64"), ".3g"),
        shown(errors.get("ulp32"), ".3g"),
        shown(errors.get("gradient"), ".0e"),
        " ".join(record.get("form", record.get("why", "")).split())[:160],
    ]


def published(record: Record) -> list[str]:
    """At which parameters a law was looked at."""
    return [record["name"], "; ".join(record.get("points", [])), "; ".join(record.get("sets", []))]


def markdown(records: list[Record], tally: Any) -> str:
    """The page for reading in a repository."""
    lines = ["# Evidence", "", "Made by `make evidence`; nothing on this page is typed in by hand.", "", ABOUT, ""]
    lines += _table(["", ""], [list(pair) for pair in totals(records, tally)])
    lines += ["", "## The catalogue", "", *_table(HEADS, [row(r) for r in records])]
    if tally.records:
        lines += ["", "## What caught the mutants", "", "```text", tally.table(), "```"]
        lines += ["", "Not refuted, and not known to keep the law:", ""]
        lines += [f"- {r['twin']}, {r['kind']}: {r['status'].lower()}" for r in survivors(tally)]
    heads = ["law", "certified at", "code measured at"]
    lines += [
        "",
        "## Parameters",
        "",
        *_table(heads, [published(r) for r in records if r.get("sets") or r.get("points")]),
    ]
    return "\n".join(lines) + "\n"


def survivors(tally: Any) -> list[Record]:
    return [r for r in tally.records if r["status"] != "REFUTED" and not r["keeps"]]


def _table(heads: list[str], rows: list[list[str]]) -> list[str]:
    cells = [[cell.replace("|", "\\|") for cell in one] for one in (heads, *rows)]
    lines = ["| " + " | ".join(one) + " |" for one in cells]
    return [lines[0], "|" + "---|" * len(heads), *lines[1:]]


def page(records: list[Record], tally: Any) -> str:
    """The page for a browser: one file, no script."""
    from corpus.page import STYLE, _line

    parts = [f"<p>{html.escape(paragraph)}</p>" for paragraph in ABOUT.split("\n\n")]
    parts += ['<table class="totals">', *(_line("td", pair) for pair in totals(records, tally)), "</table>"]
    parts += ["<h2>The catalogue</h2><table>", _line("th", HEADS), *(_line("td", row(r)) for r in records), "</table>"]
    if tally.records:
        parts += ["<h2>What caught the mutants</h2>", f"<pre>{html.escape(tally.table())}</pre>"]
    heads = ["law", "certified at", "code measured at"]
    parts += [
        "<h2>Parameters</h2><table>",
        _line("th", heads),
        *(_line("td", published(r)) for r in records),
        "</table>",
    ]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Evidence</title>'
    body = "\n".join(["<h1>Evidence</h1>", *parts])
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def write(build: Path, out: Path) -> None:
    """The page, from all that was measured."""
    from fuzz import mutants

    records = sorted(results(build / "laws.jsonl").values(), key=lambda r: r["name"])
    tally = mutants.Tally(sorted(results(build / "mutants.jsonl", "number").values(), key=lambda r: r["number"]))
    out.mkdir(parents=True, exist_ok=True)
    (out / "evidence.md").write_text(markdown(records, tally), encoding="utf-8")
    (out / "evidence.html").write_text(page(records, tally), encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Measures, then writes the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="five laws and forty mutants")
    parser.add_argument("--mutants", type=int, default=MUTANTS, help="how many mutants")
    parser.add_argument("--seconds", type=int, default=300, help="time limit of a law")
    parser.add_argument(
        "--build", type=Path, default=ROOT / "gallery" / "data" / "evidence", help="where results are kept"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "gallery", help="where the page is written")
    parser.add_argument("--fresh", action="store_true", help="measure everything again")
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args(arguments)
    options.build.mkdir(parents=True, exist_ok=True)
    for name, work in () if options.page else (("laws.jsonl", measure), ("mutants.jsonl", mutate)):
        if options.fresh:
            (options.build / name).unlink(missing_ok=True)
        work(options.build / name, options)
    write(options.build, options.out)


if __name__ == "__main__":
    main(sys.argv[1:])
