r"""$(e^{cx} - 1)/c = \operatorname{exprel}(x, c)$, $\log(1 + cx)/c = \operatorname{logrel}(x, c)$, and $x\log(1 + m/x)$.

Applies to a product with expm1 or log1p in which a factor of its argument cancels another: where c or 1/x is small, the product
is right but its derivative keeps few digits, and none where a factor underflows.

>>> c, s, x = sp.symbols("c s x", positive=True)
>>> relative_exponential(s*expm1(-c*x)/c), relative_exponential(s*log1p(c*x/s)/c)
(s*exprel(-x, c), s*logrel(x/s, c))
>>> relative_exponential(2*s*log1p(x/s)), relative_exponential(s*expm1(x)/c)
(2*log1p_scaled(x, s), None)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import expm1, exprel, is_surely_positive, log1p, log1p_scaled, logrel

RELATIVE: dict[Any, Any] = {expm1: exprel, log1p: logrel}


def relative_exponential(formula: Any) -> Any | None:
    """A quotient of expm1 or log1p and a factor of its argument."""
    if not isinstance(formula, sp.Mul):
        return None
    for factor in formula.args:
        if type(factor) in RELATIVE:
            argument: Any = factor.args[0]
            others: list[Any] = [f for f in formula.args if f is not factor]
            inside = [f for f in sp.Mul.make_args(argument) if f.free_symbols]
            c = sp.Mul(*(f for f in inside if not _is_below(f) and f**-1 in others))
            if c != 1:
                return sp.Mul(*others) * c * RELATIVE[type(factor)](argument / c, c)
            x = sp.Mul(*(1 / f for f in inside if _is_below(f) and f**-1 in others))
            if x != 1 and isinstance(factor, log1p) and is_surely_positive(x):
                return sp.Mul(*others) / x * log1p_scaled(argument * x, x)
    return None


def _is_below(factor: Any) -> bool:
    return isinstance(factor, sp.Pow) and factor.exp.could_extract_minus_sign()
