r"""Derive partial forms of laws whose parents occur in a shape: the same law at parameters between these and fixed ones.

If $z = g(\varepsilon; \theta)$ has the law, then so has $z = g(g^{-1}(w; \theta_\lambda); \theta)$, where w has the same
law at $\theta_\lambda = \theta^\lambda$ (for $\theta > 0$; $\lambda\theta$ where it is real): the original form at 1, where
w is z, and at 0 a law without parents, the noise but for a fixed map. Of a location and a scale this is
$w = \lambda m + s^\lambda\varepsilon$ again; a gamma or beta law with large shapes is normal on the
line, and comes to the same there.

>>> from symaux.api import default_rules
>>> from symaux.laws.law import law
>>> v, a = sp.symbols("v a", positive=True)
>>> *_, last = interpolated_steps(law(v, a*v**(a - 1), support=(0, 1)), default_rules(), sp.Rational(1, 2))
>>> print(last.before.value, "=", last.after.value, last.verdict.status.name)
eps_v = (1 + exp(-partial_v))**(-sqrt(a)) PROVED
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.derivation.candidate import Candidate, needs_solver
from symaux.derivation.form_of_law import check_fresh
from symaux.derivation.law import one_noise_forms
from symaux.derivation.unconstrain import to_real_line
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of, references, rename_variable
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.kernel import atoms
from symaux.laws.law import Law
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict

W, WEIGHT = sp.Dummy("w", real=True), sp.Dummy("weight", real=True)  # not symbols: a weight may have any name
RULE = "interpolation"


def interpolated_steps(
    law: Law, rules: Sequence[Any], weight: Any, moving: Collection[str] | None = None, closed: bool = False
) -> tuple[Step, ...] | None:
    """Return the steps to noise, and from there to a variable on the real line with the law at interpolated parameters.

    ``moving`` names the parents that count, all if None. The result is None where no invertible form with one noise is known
    and, with ``closed``, where the form needs a solver.
    """
    if law.event or not isinstance(law.support, Interval) or not law.proper:
        return None
    for made, found, form in one_noise_forms(law, rules):
        if closed and needs_solver(found.value):
            return None
        between = _interpolate_parameters(
            made.law, {p: g for p, g in made.arguments.items() if depends_on(g, moving)}, WEIGHT
        )
        backwards = _noise_from_variable(made.law, found) if between else None
        if backwards is None:
            continue
        rewrite, verdict = backwards
        at = {p: between.get(p, p) for p in made.arguments}
        between_name = rename_variable(law.value, f"partial_{law.name}", W)
        check_fresh(law, [between_name])
        names = made.inverse | {W: between_name, WEIGHT: as_formula(weight)}
        inner = rewrite.noise[0].substituted(at).substituted(names)
        after = Rewrite((inner,), rewrite.value.xreplace(at).xreplace(names))
        return *form.steps, Step(law.name, RULE, form.noise[0], after, verdict.about(names, form.verdict.region))
    return None


def depends_on(formula: Formula, moving: Collection[str] | None) -> bool:
    """Return whether a formula reads one of these variables; any variable, if None."""
    return any(moving is None or name_of(r) in moving for r in references(formula))


def _interpolate_parameters(law: Law, moved: dict[sp.Symbol, Any], weight: Formula) -> dict[sp.Symbol, Formula]:
    """Return the parameters interpolated between 1 (or 0) and their values; empty if one of them cannot be."""
    bound = {symbol for condition in law.conditions for symbol in condition.free_symbols}
    found = {p: _interpolate(p, weight) for p in moved}
    return {} if bound & set(moved) or None in found.values() else {p: f for p, f in found.items() if f is not None}


def _interpolate(p: sp.Symbol, weight: Formula) -> Formula | None:
    """Return the power of a positive parameter or the multiple of a real one; None for others, such as integers.

    >>> w = sp.Symbol("w", real=True)
    >>> _interpolate(sp.Symbol("a", positive=True), w), _interpolate(sp.Symbol("m", real=True), w)
    (a**w, m*w)
    """
    if p.is_integer or p.is_finite is False:
        return None
    if p.is_positive:
        return p**weight
    return -((-p) ** weight) if p.is_negative else weight * p if p.is_extended_real and p.is_zero is None else None


def map_between_weights(step: Step, weight: str, other: str) -> Formula | None:
    r"""Return $w_\mu$ as a function of $w_\lambda$ and the parents at fixed z; both weights are inputs of these names.

    >>> from symaux.api import default_rules
    >>> from symaux.laws.law import law
    >>> x, lam = sp.symbols("x lam", real=True)
    >>> a = sp.Symbol("a", positive=True)
    >>> made = interpolated_steps(law(x, a*sp.exp(-x)/(1 + sp.exp(-x))**(a + 1)), default_rules(), lam)
    >>> map_between_weights(made[-1], "lam", "mu")
    -log((1 + exp(-partial_x))**(a**lam/a**mu) - 1)
    """
    (inner,), formula = step.after.noise, step.after.value
    plain = {r: sp.Dummy(**_sign(r)) for r in {*atoms(formula), inner.value}}
    back, level = {symbol: r for r, symbol in plain.items()}, sp.Dummy(**_sign(step.before.value))
    chain = MonotoneChain.of(formula.xreplace(plain), plain[inner.value], REALS)
    if chain is None:
        return None
    there = {plain[r]: rename_variable(r, other, r) for r in plain if name_of(r) == weight}
    inverse = chain.inverse(level).xreplace(there)
    return inverse.xreplace({level: formula.xreplace(plain)}).xreplace(back)


def _sign(formula: Any) -> dict[str, bool]:
    return {"positive": True} if formula.is_positive else {"negative": True} if formula.is_negative else {"real": True}


@functools.lru_cache(maxsize=256)
def _noise_from_variable(law: Law, found: Candidate) -> tuple[Rewrite, Verdict] | None:
    """Return the noise of a kernel's form as a function of the variable on the real line, proved for all parameters."""
    (noise,) = found.noise
    chain = MonotoneChain.of(found.value, noise.value, noise.interval)
    line = to_real_line(law)
    if chain is None or line is None:
        return None
    inner, onto = line
    inverse = chain.inverse(law.value).xreplace({law.value: onto.xreplace({inner.value: W})})
    parented = replace(inner, value=W, log_density=inner.log_density.xreplace({inner.value: W}), support=REALS)
    rewrite = Rewrite((replace(parented, spelling=None, components=(), origin=None),), inverse)
    verdict = verify(noise, rewrite, noise_is_normalised=True)
    return (rewrite, verdict) if verdict.status is Status.PROVED else None


__all__ = ["depends_on", "interpolated_steps", "map_between_weights"]
