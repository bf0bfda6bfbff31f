"""Name the type of a formula at sympy's border."""

from __future__ import annotations

from typing import Any, TypeAlias

# sympy's own hints say Basic where an Expr comes back (diff, xreplace, args, simplify), so that a precise type would need
# a cast at every call; signatures say Formula instead, which tells a reader what is meant.
Formula: TypeAlias = Any
