r"""$a(b/a)^t = a^{1-t}b^t$: a geometric mean, which does not overflow where the quotient does.

Applies to a product of a positive number and a power of its quotient with another.

>>> a, b, t = sp.symbols("a b t", positive=True)
>>> geometric_interpolation(a*(b/a)**t), geometric_interpolation(2*a*(b/a)**(1 - t))
(geometric_mean(a, b, 1 - t, t), 2*geometric_mean(a, b, t, 1 - t))
>>> geometric_interpolation(b*(b/a)**t)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import geometric_mean, is_surely_positive


def geometric_interpolation(formula: Any) -> Any | None:
    """A positive number times a power of its quotient with another."""
    if not isinstance(formula, sp.Mul):
        return None
    for power in formula.args:
        if not isinstance(power, sp.Pow) or power.exp.is_number or not isinstance(power.base, sp.Mul):
            continue
        others = [f for f in formula.args if f is not power]
        for first in others:
            second = power.base * first
            if first**-1 in power.base.args and is_surely_positive(first) and is_surely_positive(second):
                rest = sp.Mul(*(f for f in others if f is not first))
                return rest * geometric_mean(first, second, 1 - power.exp, power.exp)
    return None
