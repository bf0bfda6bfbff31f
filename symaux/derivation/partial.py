r"""Derive partial (partially non-centred) forms, between a law and its auxiliary form, for laws with a location or a scale.

If $z = m + s\,\varepsilon$ has the law, then so has $z = m + s^{1-\lambda}(w - \lambda m)$ with
$w = \lambda m + s^\lambda\varepsilon$, for every $\lambda$: the original form at 1, where w is z, and the auxiliary form at 0,
where w is the noise. Unlike noise, w has parents. A bounded variable is moved to the real line first: a log-normal one has
its location and its scale there.

>>> from symaux.api import default_rules
>>> from symaux.laws.families import normal
>>> z, mu = sp.symbols("z mu", real=True)
>>> tau = sp.Symbol("tau", positive=True)
>>> (step,) = partial_steps(normal(z, mu, tau), default_rules(), sp.Rational(1, 2))
>>> print(step.after.value, step.verdict.status.name)
mu + sqrt(tau)*(-mu/2 + partial_z) PROVED
>>> print(step.after.noise[0].log_density)
-log(tau)/2 - log(2*pi)/2 - (-mu/2 + partial_z)**2/(2*tau)
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.derivation.form_of_law import check_fresh
from symaux.derivation.partial_shape import depends_on, interpolated_steps
from symaux.derivation.unconstrain import unconstrain
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of, references, rename_variable
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.densities.charts import region
from symaux.laws.kernel import kernel
from symaux.laws.law import Law
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Verdict

W = sp.Dummy("w", real=True)  # not a symbol: a weight or a parameter of a family may have any name
WEIGHT = sp.Dummy("weight", real=True)  # lambda
RULE = "partial"


def partial_steps(
    law: Law, rules: Sequence[Any], weight: Any, moving: Collection[str] | None = None, closed: bool = False
) -> tuple[Step, ...] | None:
    """Return the steps to the partial form with a weight: a move to the real line where it is needed, then the form itself.

    Where parents that are ``moving`` (all of them, if None) occur in a shape, all parameters are interpolated at once by
    ``symaux.derivation.partial_shape``, in ``closed`` formulas if asked. None if neither form exists.
    """
    line = _location_scale_steps(law, rules, weight)
    if line is not None and not any(depends_on(g, moving) for g in line.left):
        return line.steps
    shaped = interpolated_steps(law, rules, weight, moving, closed)
    if shaped is None and line is not None and any(depends_on(g, moving) for g in line.gone):
        return line.steps
    return shaped


@dataclass(frozen=True)
class _LocationScaleSteps:
    """Steps by a location and a scale, the formulas of the parents in these, and those that stay with the noise."""

    steps: tuple[Step, ...]
    gone: tuple[Formula, ...]
    left: tuple[Formula, ...]


def _location_scale_steps(law: Law, rules: Sequence[Any], weight: Any) -> _LocationScaleSteps | None:
    moved = unconstrain(law)
    aim = law if moved is None else moved.after.noise[0]
    if not isinstance(aim.support, Interval) or not aim.support.unbounded or aim.event:
        return None
    made = kernel(aim)
    found = _partial_form(made.law, tuple(rules))
    if found is None:
        return None
    rewrite, verdict, parts = found
    between = rename_variable(law.value, f"partial_{law.name}", W)
    check_fresh(law, [between])
    mapping = made.inverse | {W: between, WEIGHT: as_formula(weight)}
    formula: Any = rewrite.value.xreplace(mapping)
    after = Rewrite((rewrite.noise[0].substituted(mapping),), formula)
    verdict = verdict.about(mapping, region(aim))
    step = Step(aim.name, RULE, aim, after, verdict)
    gone, left = (tuple(g for p, g in made.arguments.items() if p in part) for part in parts)
    return _LocationScaleSteps((step,) if moved is None else (moved, step), gone, left)


@functools.lru_cache(maxsize=256)
def _partial_form(law: Law, rules: tuple[Any, ...]) -> tuple[Rewrite, Verdict, tuple[set[Any], set[Any]]] | None:
    """Return the partial form of a kernel for a symbolic weight, its verdict for all weights, and two sets of parameters:
    those of the location and the scale, and those that stay with the noise."""
    parts = location_and_scale(law, rules)
    if parts is None:
        return None
    noise, location, scale = parts
    inner = (W - WEIGHT * location) / scale**WEIGHT
    density = noise.log_density.xreplace({noise.value: inner}) - WEIGHT * log_modulus(scale)
    parented = replace(law, value=W, log_density=density, support=REALS, spelling=None)
    rewrite = Rewrite((parented,), location + scale ** (1 - WEIGHT) * (W - WEIGHT * location))
    which = ({*location.free_symbols, *scale.free_symbols}, {*noise.parameters})
    return rewrite, verify(law, rewrite, noise_is_normalised=True), which


def location_and_scale(law: Law, rules: Sequence[Any]) -> tuple[Law, Formula, Formula] | None:
    """Return the noise, m and s of the first z = m + s ε that a rule finds; a shape may stay with the noise."""
    for rule in (r for r in rules if not r.vector and not r.last):
        for rewrite in rule(law):
            if found := _as_line(rewrite, law):
                return found
    return None


def _as_line(rewrite: Rewrite, law: Law) -> tuple[Law, Formula, Formula] | None:
    """Return noise, location and scale of a rewrite that is affine in one noise with a positive scale; None otherwise."""
    if len(rewrite.noise) != 1 or not law.parameters:
        return None
    noise = rewrite.noise[0]
    slope = sp.simplify(rewrite.value.diff(noise.value))
    if slope.has(noise.value) or not slope.is_positive:
        return None
    return noise, sp.expand(rewrite.value - slope * noise.value), slope


def weight_of(law: Law, weight: Any) -> Formula:
    """Return a weight as a formula; None becomes an input ``lambda_v`` of the variable's shape.

    >>> from symaux.laws.families import normal
    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> weight_of(normal(arrays("z")[plate("j", 8)], 0, 1), None)
    lambda_z[j]
    """
    if weight is not None:
        return as_formula(weight)
    return rename_variable(law.value, f"lambda_{law.name}", sp.Symbol("weight", real=True))


def read_location_and_scale(rewrite: Rewrite, weight: str) -> tuple[Formula, Formula]:
    """Return m and s of a partial form z = m + s**(1 - λ) (w - λ m), read off at λ = 0.

    >>> from symaux.api import default_rules
    >>> from symaux.laws.families import normal
    >>> z, mu, lam = sp.symbols("z mu lam", real=True)
    >>> (step,) = partial_steps(normal(z, mu, sp.Symbol("tau", positive=True)), default_rules(), lam)
    >>> read_location_and_scale(step.after, "lam")
    (mu, tau)
    """
    (noise,) = rewrite.noise
    line = rewrite.value.xreplace({e: sp.S.Zero for e in references(rewrite.value) if name_of(e) == weight})
    return line.xreplace({noise.value: sp.S.Zero}), sp.diff(line, noise.value)
