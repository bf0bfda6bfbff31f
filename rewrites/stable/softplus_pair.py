r"""$a\,s(x) + b\,s(-x) = (a + b)\,s(x) - b\,x$ for the softplus function s: a Bernoulli law with a logit, fused.

Applies to a sum with softplus functions of a formula and of its negative, as $y\log\sigma(x) + (1-y)\log(1-\sigma(x))$ is.

>>> x, y = sp.symbols("x y", real=True)
>>> softplus_pair(-y*softplus(-x) - (1 - y)*softplus(x))
x*y - softplus(x)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import softplus


def softplus_pair(formula: Any) -> Any | None:
    """One softplus for two of opposite arguments."""
    if not isinstance(formula, sp.Add):
        return None
    weights: dict[Any, Any] = {}
    rest = []
    for term in formula.args:
        found = [f for f in sp.Mul.make_args(term) if isinstance(f, softplus)]
        if len(found) == 1:
            weights[found[0].args[0]] = weights.get(found[0].args[0], sp.S.Zero) + term / found[0]
        else:
            rest.append(term)
    pairs = [x for x in weights if -x in weights and not x.could_extract_minus_sign()]
    if not pairs:
        return None
    for x in pairs:
        above, below = weights.pop(x), weights.pop(-x)
        rest += [sp.expand(above + below) * softplus(x), -below * x]
    return sp.Add(*rest, *(weight * softplus(x) for x, weight in weights.items()))
