"""Map functions to those of JAX (for NumPyro) and PyTensor (for PyMC), and list the source that their modules carry.

NumPyro's users run JAX, so whatever generated modules can compute, theirs can: the same functions come along. PyTensor has
inverse incomplete gamma and beta functions, but no gradients in their shapes.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.exchange.exporting.python.pytensor_library import pytensor_source
from symaux.exchange.exporting.spelling.natural_coordinates import Unsupported
from symaux.formulas.functions import registry as special
from symaux.formulas.symbols.indices import references

SHAPES = {
    special.gammaincinv: 1,
    special.gammainccinv: 1,
    special.betaincinv: 2,
    sp.besseli: 1,
    sp.besselj: 1,
    sp.besselk: 1,
}


def spelling(formula: Any, expr: Any) -> str | None:
    """Return the name of a function, or None; a function of the library is carried along."""
    from symaux.codegen.lower.function_table import LIBRARY

    if expr.func is sp.LambertW and len(expr.args) > 1:
        return None
    name = formula.functions.get(expr.func)
    if formula.module == "pt":
        moving = [r for shape in expr.args[: SHAPES.get(expr.func, 0)] for r in references(shape)]
        if moving:
            raise Unsupported(f"PyMC has no gradient of {expr.func.__name__} in its shape {moving[0]}")
        return name
    if name is None and expr.func in LIBRARY:
        formula.carries.add(LIBRARY[expr.func])
        return LIBRARY[expr.func]
    return name


def carried_source(kind: str, carries: set[str], body: str) -> tuple[list[str], list[str]]:
    """Return the texts of the functions that a module carries, and the imports that they need."""
    from symaux.codegen.library_text import EVERYTHING, source

    if kind == "numpyro":
        needed: list[str] = [*EVERYTHING.splitlines()] if carries else []
        return source(carries), needed
    return pytensor_source(body)
