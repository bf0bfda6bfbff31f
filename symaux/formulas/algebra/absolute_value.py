r"""Moduli that are written as branches: $t^a$ for $t \ge 0$ and $(-t)^a$ otherwise is $|t|^a$.

>>> x, m = sp.symbols("x m", real=True)
>>> with_moduli(sp.exp(-sp.Piecewise((x - m, x >= m), (m - x, True))))
exp(-Abs(m - x))
>>> with_moduli(sp.Piecewise((x, x > 0), (2*x, True)))
Piecewise((x, x > 0), (2*x, True))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

POSITIVE = sp.Dummy("t", positive=True)
ORDERS = (sp.StrictGreaterThan, sp.GreaterThan, sp.StrictLessThan, sp.LessThan)


def with_moduli(formula: Any) -> Any:
    """Return the formula with branches that only differ by the sign of what decides between them as one formula of
    its modulus."""
    if not isinstance(formula, sp.Basic) or not formula.has(sp.Piecewise):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.Piecewise), _joined)


def _joined(branches: Any) -> Any:
    if len(branches.args) != 2 or branches.args[1][1] != sp.true or not isinstance(branches.args[0][1], ORDERS):
        return branches
    (first, where), (second, _) = branches.args
    switch = sp.expand(where.gts - where.lts)  # the first branch is the one where this is positive
    one, other = _in_terms(first, switch), _in_terms(second, -switch)
    return one.xreplace({POSITIVE: sp.Abs(switch)}) if one == other and not one.has(switch) else branches


def _in_terms(branch: Any, switch: Any) -> Any:
    """Return a branch with a positive symbol for what is positive in it; powers and logarithms of multiples taken
    apart."""
    named = branch.xreplace({switch: POSITIVE, -switch: -POSITIVE})
    if named == branch:
        symbols = [s for s in switch.free_symbols if switch.diff(s) in (1, -1)]
        for s in sorted(symbols, key=str):
            solved = s - switch / switch.diff(s) + POSITIVE / switch.diff(s)
            tried = sp.powdenest(sp.expand_mul(branch.xreplace({s: sp.expand(solved)})))
            if not tried.has(s):
                return tried
    return named
