"""The one place where generated source runs. Names in it are identifiers of our own making, see ``names``."""

from __future__ import annotations

import linecache
from functools import lru_cache
from types import ModuleType


@lru_cache(maxsize=256)
def load(source: str) -> ModuleType:
    """Return the module that a generated source defines; errors inside it show its lines."""
    name = f"symaux_generated_{abs(hash(source)):x}"
    module = ModuleType(name)
    filename = f"<{name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), module.__dict__)
    return module
