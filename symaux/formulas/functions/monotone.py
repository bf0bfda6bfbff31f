"""Find out where a function is strictly monotone, what it is at the ends, and its inverse."""

from __future__ import annotations

from symaux.formulas.functions.record import Shape
from symaux.formulas.functions.registry import RECORDS
from symaux.formulas.symbols.formula import Formula

# A function to the argument in which it is monotone, and its shape in it where the others are positive.
SHAPES = {record.function: (record.varies, record.shape) for record in RECORDS if record.shape is not None}


def shape_of(formula: Formula, variable: Formula) -> Shape | None:
    """Return the shape of a function of the variable itself, its other arguments positive; None where none is known."""
    if formula.func not in SHAPES:
        return None
    place, shape = SHAPES[formula.func]
    others = [arg for n, arg in enumerate(formula.args) if n != place]
    if formula.args[place] != variable or not all(arg.is_positive for arg in others):
        return None
    return shape(*others) if len(others) == shape.__code__.co_argcount else None


def monotone_argument(formula: Formula) -> Formula | None:
    """Return the argument in which a function is monotone, if it is one of these."""
    return formula.args[SHAPES[formula.func][0]] if formula.func in SHAPES else None
