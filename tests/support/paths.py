"""Where things lie in the repository."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
GALLERY = ROOT / "gallery"
# What `import support`, `import corpus` and `import fuzz` need. The root comes first: tests/rewrites is no package, but a
# folder of that name on the path alone would hide the one that an editable install offers.
IMPORTS = [str(ROOT), str(TESTS)]


def environment(**variables: str) -> dict[str, str]:
    """Return an environment in which another Python imports this checkout and the modules of tests."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(IMPORTS)} | variables
