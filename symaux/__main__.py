"""Start the command line for ``python -m symaux`` and ``symaux``.

An interrupt during import exits with the same status as one during a run.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt during import exits with the same status as one during a run."""
    try:
        from symaux.cli.main import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
