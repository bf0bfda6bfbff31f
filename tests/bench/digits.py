"""Print the worst cells of quantiles and slopes, law by law: ``python -m bench.digits [--float32] [NAME …]``."""

from __future__ import annotations

import sys
import time

from support.digits.laws import LAWS
from support.digits.measure import Cell, cells


def row(name: str, found: list[Cell], seconds: float) -> str:
    """Return one line: how many values and slopes are beyond their tolerance, and the worst of each."""
    parts = []
    for what in ("values", "slopes"):
        own = [c for c in found if (c.what == "value") == (what == "values")]
        bad = [c for c in own if c.error > 1]
        worst = max((c.error for c in own), default=0.0)
        parts.append(f"{len(bad):4d} of {len(own):4d} {what} (worst {worst:7.1e})")
    return f"{name:32s} {'; '.join(parts)}  {seconds:5.1f} s"


def main() -> None:
    arguments = sys.argv[1:]
    kind = "float32" if "--float32" in arguments else "float64"
    show = 3 if "--show" in arguments else 0
    wanted = [x for x in arguments if not x.startswith("--")]
    for entry in LAWS:
        if wanted and not any(x in entry.name for x in wanted):
            continue
        begin = time.process_time()
        try:
            found = cells(entry, kind)
        except Exception as error:  # a law that fails altogether is a row of the table
            print(f"{entry.name:32s} {type(error).__name__}: {str(error)[:150]}", flush=True)
            continue
        print(row(entry.name, found, time.process_time() - begin), flush=True)
        for what in dict.fromkeys(c.what for c in found):
            bad = sorted((c for c in found if c.what == what and c.error > 1), key=lambda c: -c.error)
            for cell in bad[:show]:
                print("     ", cell)


if __name__ == "__main__":
    main()
