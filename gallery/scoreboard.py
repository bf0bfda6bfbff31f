"""The scoreboard: what the engine makes of densities given by nothing but their formulas, measured and written as a page.

python gallery/scoreboard.py                                # every corpus, then the page
python gallery/scoreboard.py --only sympy --limit 5         # some of one
python gallery/scoreboard.py --page                         # only the page, from what was measured before

One line of JSON per law is added to gallery/data/scoreboard/<corpus>.jsonl as soon as it is measured, so a run that was
interrupted goes on where it stopped; --fresh begins anew. A corpus without records keeps the section that it has on the page.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from corpus.page import markdown, page  # noqa: E402
from corpus.records import Record, results, version  # noqa: E402
from corpus.worker import CORPORA, entry, names, run  # noqa: E402


def measure(which: str, build: Path, options: argparse.Namespace) -> None:
    """Measures what is missing of a corpus."""
    path = build / f"{which}.jsonl"
    if options.fresh:
        path.unlink(missing_ok=True)
    build.mkdir(parents=True, exist_ok=True)
    listed = [n for n in names(which) if not options.names or n in options.names][: options.limit]
    missing = [n for n in listed if n not in results(path)]
    cache, code = None if options.quick else options.references, version(ROOT)
    for name, record in run(which, missing, cache, options.seconds, options.patience):
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"name": name, "code": code} | record) + "\n")
        print(which, told(name, record), flush=True)


def ask_sympy(build: Path, options: argparse.Namespace) -> None:
    """What sympy.stats' own quantile answers, for the laws that were measured."""
    from corpus.sympy_answers import answer

    path, wanted = build / "sympy_quantile.jsonl", results(build / "sympy.jsonl")
    known = {} if options.fresh else results(path)
    lines = [json.dumps(record) for record in known.values()]
    for name in names("sympy"):
        if name in wanted and name not in known:
            lines.append(json.dumps({"name": name} | answer(entry("sympy", name))))
            print("sympy.stats", lines[-1], flush=True)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write(build: Path, out: Path) -> None:
    """The page, from all that was measured."""
    measured = {which: sorted(results(build / f"{which}.jsonl").values(), key=lambda r: r["name"]) for which in CORPORA}
    found = {which: records for which, records in measured.items() if records}
    answers = results(build / "sympy_quantile.jsonl")
    out.mkdir(parents=True, exist_ok=True)
    for path, made in ((out / "scoreboard.md", markdown), (out / "scoreboard.html", page)):
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(made(found, answers, old), encoding="utf-8")


def told(name: str, record: Record) -> str:
    """One line for a person who watches."""
    errors = record.get("errors", {})
    worst = " ".join(f"{k} {v['worst']:.1e}" for k, v in errors.items() if isinstance(v, dict))
    rest = errors.get("trouble") or record.get("why", "")
    chain = "/".join(record.get("rules", []))
    seconds = f"{record.get('seconds', 0):.1f} s"
    return " ".join([f"{name}:", record["class"], record["verdict"], seconds, chain, worst, rest]).splitlines()[0]


def options_of(arguments: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=CORPORA, action="append", help="one corpus; may be repeated")
    parser.add_argument("--names", nargs="*", default=[], help="some laws by name")
    parser.add_argument("--limit", type=int, help="at most so many laws of a corpus")
    parser.add_argument("--seconds", type=float, default=90.0, help="time limit of a derivation")
    parser.add_argument("--patience", type=float, default=300.0, help="time limit of its measurement")
    parser.add_argument(
        "--build", type=Path, default=ROOT / "gallery" / "data" / "scoreboard", help="where results are kept"
    )
    parser.add_argument(
        "--references", type=Path, default=ROOT / "build" / "references", help="where references are kept"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "gallery", help="where the page is written")
    parser.add_argument("--quick", action="store_true", help="derive only, without errors")
    parser.add_argument("--fresh", action="store_true", help="measure everything again")
    parser.add_argument("--page", action="store_true", help="only write the page")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> None:
    """Measures, then writes the page."""
    options = options_of(arguments)
    for which in [] if options.page else options.only or CORPORA:
        measure(which, options.build, options)
        if which == "sympy":
            ask_sympy(options.build, options)
    write(options.build, options.out)


if __name__ == "__main__":
    main(sys.argv[1:])
