"""Start the command line for ``python -m symaux`` and ``symaux``: an interrupt counts from the first import on."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; interrupted while it loads, it ends as it does later."""
    try:
        from symaux.cli.main import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
