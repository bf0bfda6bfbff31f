"""Write docs/functions.md: every function that formulas may contain, and how each backend spells or computes it."""

from __future__ import annotations

from support.paths import ROOT
from symaux.formulas.functions.record import BACKENDS, FunctionRecord
from symaux.formulas.functions.registry import RECORDS

PAGE = ROOT / "docs" / "functions.md"
INTRODUCTION = """\
# Functions

Every function that formulas may contain has one record (`symaux/formulas/functions/elementary_records.py` and
`special_records.py`): its value, its domain, where it jumps, whether it is monotone, and its spelling in each target. This page
is generated from the records by `make docs-tables`; a conformance test (`tests/conformance/test_functions.py`) computes every
cell with numbers, or checks that a missing one fails for the reason given below the table. For *pymc* and *stan* it only writes
the programs: `make test-peers` computes their values and slopes (`tests/conformance/test_peers.py`), also of functions that a
target has at numbers for some arguments only.

In the column *jax* a name without a dot is a function that generated modules carry with them (`symaux/codegen/library`). "by
others" means that the exporter writes the function in terms of others (`exchange/exporting/spelling/fallbacks.py`). In the
columns *pymc* and *stan* an @ or a missing `pt.` says that programs carry the function with them: the target lacks it, or
has wrong slopes or too few digits.

"""
SPELLED = ("jax", "numpyro", "pymc", "stan")


def cell(record: FunctionRecord, backend: str, reasons: dict[str, int]) -> str:
    """Return what the page says of a function in a backend."""
    if backend in record.absent:
        return f"no ({reasons.setdefault(record.absent[backend], len(reasons) + 1)})"
    if backend not in SPELLED:
        return "yes"
    spelling = getattr(record, backend) or (record.library if backend in ("jax", "numpyro") else "")
    return f"`{spelling.removesuffix('({0})').removesuffix('({0}, {1})')}`" if spelling else "by others"


def written_page() -> str:
    """Return the text of the page."""
    reasons: dict[str, int] = {}
    columns = ("function", "jumps", "monotone", "quantile of", *BACKENDS)
    rows = []
    for record in RECORDS:
        owner = "" if record.function.__module__.startswith("symaux") else " (sympy)"
        quantile = f"`{record.quantile_of.__name__}`" if record.quantile_of else ""
        facts = ("yes" if record.breaks else "", "yes" if record.shape else "", quantile)
        rows.append((f"`{record.name}`{owner}", *facts, *(cell(record, backend, reasons) for backend in BACKENDS)))
    lines = [columns, tuple("---" for _ in columns), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    notes = "\n".join(f"{number}. {reason}." for reason, number in reasons.items())
    return f"{INTRODUCTION}{table}\n\n## Reasons\n\n{notes}\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(written_page())
