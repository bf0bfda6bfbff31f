r"""Write the masses of discrete laws so that $0 \\cdot \\log 0$ is 0, for targets that get the formula.

>>> z, p = sp.Symbol("z", integer=True), sp.Symbol("p", real=True)
>>> masses(z*sp.log(p))
z*log(Piecewise((1, Eq(z, 0)), (p, True)))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.codegen.lower.boundary import times_log, times_log1p, with_boundaries


def masses(formula: Any) -> Any:
    """Return the logarithm of a mass, with 1 inside of a logarithm whose coefficient is 0."""
    made = with_boundaries(formula)
    made = made.replace(times_log, lambda c, x: c * sp.log(_one_at_zero(c, x)))
    return made.replace(times_log1p, lambda c, x: c * sp.log(_one_at_zero(c, 1 + x)))


def _one_at_zero(c: Any, x: Any) -> Any:
    return sp.Piecewise((sp.S.One, sp.Eq(c, 0)), (x, True), evaluate=False)
