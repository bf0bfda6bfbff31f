r"""Recognise absolute values that are written as branches: $t^a$ for $t \ge 0$ and $(-t)^a$ otherwise is $|t|^a$.

>>> x, m = sp.symbols("x m", real=True)
>>> with_absolute_values(sp.exp(-sp.Piecewise((x - m, x >= m), (m - x, True))))
exp(-Abs(m - x))
>>> with_absolute_values(sp.Piecewise((x, x > 0), (2*x, True)))
Piecewise((x, x > 0), (2*x, True))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

POSITIVE = sp.Dummy("t", positive=True)
ORDERS = (sp.StrictGreaterThan, sp.GreaterThan, sp.StrictLessThan, sp.LessThan)


def with_absolute_values(formula: Any) -> Any:
    """Return the formula with ``Abs`` in place of every two-branch ``Piecewise`` that is a function of the absolute
    value of the expression that selects the branch."""
    if not isinstance(formula, sp.Basic) or not formula.has(sp.Piecewise):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.Piecewise), _merge_branches)


def _merge_branches(branches: Any) -> Any:
    """Return the two branches as one formula in |switch|, where f(switch) and f(-switch) are the same f; else unchanged."""
    if len(branches.args) != 2 or branches.args[1][1] != sp.true or not isinstance(branches.args[0][1], ORDERS):
        return branches
    (first, where), (second, _) = branches.args
    switch = sp.expand(where.gts - where.lts)  # the first branch is the one where this is positive
    one, other = _with_symbol(first, switch), _with_symbol(second, -switch)
    return one.xreplace({POSITIVE: sp.Abs(switch)}) if one == other and not one.has(switch) else branches


def _with_symbol(branch: Any, switch: Any) -> Any:
    """Return a branch with the symbol ``POSITIVE`` for the switch, which is positive there.

    Where the switch does not occur literally, one of its symbols is eliminated in favour of ``POSITIVE``.
    """
    named = branch.xreplace({switch: POSITIVE, -switch: -POSITIVE})
    if named == branch:
        symbols = [s for s in switch.free_symbols if switch.diff(s) in (1, -1)]
        for s in sorted(symbols, key=str):
            solved = s - switch / switch.diff(s) + POSITIVE / switch.diff(s)
            tried = sp.powdenest(sp.expand_mul(branch.xreplace({s: sp.expand(solved)})))
            if not tried.has(s):
                return tried
    return named
