"""Programs of tests that run in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from support.paths import environment


def json_of_run(module: str, folder: Path, *args: str) -> dict:
    """Run a module in an empty folder and return what it wrote to ``--file``."""
    out = folder / "out.json"
    command = [sys.executable, "-m", module, *args, "--file", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, cwd=folder, env=environment())
    assert out.exists(), done.stderr[-2000:]
    return json.loads(out.read_text())
