"""Find what makes a claim meaningless before anything is proved: noise that is not fresh, or conditions that never hold.

>>> from symaux.laws.families import normal
>>> z, e = sp.symbols("z e", real=True)
>>> find_flaw(normal(z, e, 1), (normal(e, 0, 1),), e)
'a noise has the name of a parent: it must be fresh'
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.algebra.plate_sums import sums_containing
from symaux.formulas.numeric.points import possible
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import indices_of
from symaux.formulas.symbols.support import Interval, order_condition
from symaux.laws.kernel import atoms
from symaux.laws.law import Law


def find_flaw(law: Law, noise: tuple[Law, ...], value: Formula) -> str | None:
    """Return why the claim that ``value`` has the law is meaningless; None if it is well formed."""
    return _ill_formed(law, noise, value) or _impossible(law)


def _ill_formed(law: Law, noise: tuple[Law, ...], value: Formula) -> str | None:
    """Return what makes the claim meaningless: noise must be fresh, and every element must have its own."""
    fresh = [n for n in noise if n.value != law.value]
    if any(n.value in atoms(f) for n in fresh for f in (*law.formulas, *law.conditions)):
        return "a noise has the name of a parent: it must be fresh"
    read = [f for n in fresh for f in n.formulas] + ([value] if len(fresh) == len(noise) else [])
    if any(law.value in atoms(f) for f in read):
        return "the generating function or a noise reads the value that it generates"
    formulas = (*law.formulas, value, *(f for n in noise for f in n.formulas))
    for name in (law.value, *(n.value for n in noise)):
        if hidden := [part for f in formulas for part in sums_containing(f, name)]:
            return f"{name} occurs inside of {hidden[0]}, which the algebra does not look into"
    unreal = sorted(str(a) for f in formulas for a in atoms(f) if a.is_real is False or a.is_finite is False)
    if unreal:
        return f"{unreal[0]} is not a real number"
    for each in (law, *noise):
        contradiction = _contradicted(each)
        if contradiction is not None:
            return contradiction
    for n in noise:
        shared = _plates(law.value) - _plates(n.value)
        if shared:
            along = ", ".join(sorted(map(str, shared)))
            return f"the noise {n.value} is shared along {along}: the elements would not be independent"
    return None


def _impossible(law: Law) -> str | None:
    """Return that the conditions of the law hold for no parameters, as far as a search can tell."""
    if not law.conditions or possible((*law.conditions, *order_condition(law.support))):
        return None
    return f"no parameters were found that satisfy {', '.join(map(str, law.conditions))} together"


def _contradicted(law: Law) -> str | None:
    """Return where a symbol is declared to be what its support is not: sympy would take sin(pi*z) for zero."""
    if not isinstance(law.support, Interval):
        return None
    lower, upper, name = law.support.lower, law.support.upper, law.value
    if name.is_integer:
        return f"{name} is declared to be a whole number, and its support {law.support} is an interval"
    below = lower.is_negative or lower == -sp.oo
    above = upper.is_positive or upper == sp.oo
    if (name.is_nonnegative and below) or (name.is_nonpositive and above):
        return f"{name} is declared to have a sign that not all of its support {law.support} has"
    return None


def _plates(element: Formula) -> set[Any]:
    return {index for index in indices_of(element) if isinstance(index, Idx)}
