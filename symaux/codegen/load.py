"""Execute generated source; nothing else does. Its names are our own identifiers, see ``function/identifiers.py``."""

from __future__ import annotations

import linecache
from functools import lru_cache
from types import ModuleType


@lru_cache(maxsize=256)
def load(source: str) -> ModuleType:
    """Execute a generated source and return its module; tracebacks show its lines."""
    name = f"symaux_generated_{abs(hash(source)):x}"
    module = ModuleType(name)
    filename = f"<{name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), module.__dict__)
    return module
