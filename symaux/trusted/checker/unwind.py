"""Propose the noise at which a map takes a value, by undoing its layers one after the other; not trusted."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.functions.registry import record_of
from symaux.formulas.symbols.formula import Formula


def preimage(formula: Formula, variable: sp.Symbol, level: Formula) -> Formula | None:
    """Return the value of the variable at which the formula equals the level; None where a layer cannot be undone.

    >>> x, c = sp.symbols("x c", positive=True)
    >>> preimage(2*sp.exp(x) + 1, x, c)
    log(c/2 - 1/2)
    """
    formula = sp.factor_terms(sp.collect(sp.expand(formula), variable)) if formula.is_Add else formula
    for _ in range(60):
        if formula == variable:
            return sp.factor(level) if level.is_Add else level
        step = _undo(formula, variable, level)
        if step is None:
            return None
        formula, level = step
    return None


def _undo(f: Formula, x: sp.Symbol, level: Formula) -> tuple[Formula, Formula] | None:
    moving = [arg for arg in f.args if x in arg.free_symbols]
    match f:
        case sp.Add() if len(moving) == 1:
            return moving[0], level - (f - moving[0])
        case sp.Add():
            slope = sp.expand(f).coeff(x, 1)
            rest = sp.expand(f - slope * x)
            return (x, (level - rest) / slope) if slope != 0 and x not in rest.free_symbols else None
        case sp.Mul() if len(moving) == 1:
            return moving[0], level / (f / moving[0])
        case sp.Pow() if x not in f.exp.free_symbols:
            return f.base, level ** (1 / f.exp)
        case sp.Pow() if x not in f.base.free_symbols:
            return f.exp, sp.log(level) / sp.log(f.base)
    record = record_of(f.func)
    if record is None or record.shape is None or len(moving) != 1 or f.args[record.varies] != moving[0]:
        return None
    others = [arg for n, arg in enumerate(f.args) if n != record.varies]
    return moving[0], record.shape(*others).inverse(level)
