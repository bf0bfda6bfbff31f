r"""Recognise densities that are sums of exponentials, $\sum_j c_j e^{-\lambda_j z}$, however they are factored.

>>> z, a, b = sp.symbols("z a b", positive=True)
>>> sorted(exponential_terms(sp.log(a) - a*z + sp.log(1 - sp.exp(-b*z)), z).items(), key=str)
[(a + b, -a), (a, a)]
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula


def exponential_terms(log_density: Formula, z: Formula) -> dict[Any, Any] | None:
    """Return the weights of the exponentials by their rates; None if the density is not such a sum."""
    constant, rest = log_density.as_independent(z, as_Add=True)
    inner: Formula = sp.S.One
    slope: Formula = sp.S.Zero
    for term in sp.Add.make_args(rest):
        if isinstance(term, sp.log):
            inner *= term.args[0]
        elif not (drift := sp.expand(term.diff(z))).has(z):
            slope += drift
            constant += term.xreplace({z: sp.S.Zero})
        else:
            return None
    marks = {e: sp.Dummy() for e in sorted(inner.atoms(sp.exp), key=str) if e.has(z)}
    rates = [-e.args[0].diff(z) for e in marks]
    marked = inner.xreplace(marks)
    if not marks or any(rate.has(z) for rate in rates) or marked.has(z) or not marked.is_polynomial(*marks.values()):
        return None
    offsets = [e.args[0].xreplace({z: sp.S.Zero}) for e in marks]
    found: dict[Any, Any] = {}
    for powers, weight in sp.Poly(marked, *marks.values()).terms():
        rate = sp.expand(sum((n * r for n, r in zip(powers, rates, strict=True)), -slope))
        factor = sp.exp(sum((n * o for n, o in zip(powers, offsets, strict=True)), constant))
        found[rate] = found.get(rate, sp.S.Zero) + weight * factor
    return found
