r"""Move a bounded variable to the real line: $v = e^y$ or $v = a + (b-a)/(1+e^{-y})$, with the Jacobian in y's law.

>>> from symaux.laws.families import half_cauchy
>>> tau = sp.Symbol("tau", positive=True)
>>> step = unconstrain(half_cauchy(tau, 5))
>>> print(step.after.value, step.verdict.status.name)
exp(log_tau) PROVED
>>> print(step.after.noise[0].log_density)
log_tau - log(exp(2*log_tau) + 25) + log(2/pi) + log(5)
"""

from __future__ import annotations

import functools

import sympy as sp

from symaux.derivation.form_of_law import check_fresh
from symaux.derivation.unconstrain_vector import unconstrain_vector
from symaux.errors import NoRuleApplies
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import rename_variable
from symaux.formulas.symbols.support import Integers, Interval, Vectors
from symaux.laws.densities.charts import region
from symaux.laws.densities.real_line import Y, chart_on_real_line
from symaux.laws.kernel import kernel
from symaux.laws.law import Law
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict


def unconstrain(law: Law) -> Step | None:
    """Return the step that moves a law's variable to the real line; None if it is there already.

    The step's rewrite has one "noise": the law of ``log_v`` or ``logit_v``, which may still have parents.
    """
    if isinstance(law.support, Vectors) or (isinstance(law.support, Interval) and law.support.unbounded):
        return None
    if isinstance(law.support, Integers):
        raise NoRuleApplies(f"{law.value} is discrete on {law.support}: it cannot be moved to the real line")
    if not isinstance(law.support, Interval):
        return unconstrain_vector(law)
    made = kernel(law)
    rewrite, verdict = _move(made.law)
    moved = rename_variable(law.value, _name(law), Y)
    check_fresh(law, [moved])
    mapping = made.inverse | {Y: moved}
    (noise,) = rewrite.noise
    after = Rewrite((noise.substituted(mapping),), rewrite.value.xreplace(mapping))
    verdict = verdict.about(mapping, region(law))
    return Step(law.name, "unconstrain", law, after, verdict)


def to_real_line(law: Law) -> tuple[Law, Formula] | None:
    """Return the law of a kernel's variable on the real line, and the variable as a function of it; None unless proved."""
    if not isinstance(law.support, Interval):
        return None
    if law.support.unbounded:
        return law, law.value
    rewrite, verdict = _move(law)
    return (rewrite.noise[0], rewrite.value) if verdict.status is Status.PROVED else None


def _name(law: Law) -> str:
    bounded = law.interval.lower != -sp.oo and law.interval.upper != sp.oo
    return f"logit_{law.name}" if bounded else f"log_{law.name}"


@functools.lru_cache(maxsize=512)
def _move(law: Law) -> tuple[Rewrite, Verdict]:
    """Return the rewrite of a kernel, and its verdict."""
    charted, noise, formula = chart_on_real_line(law)
    verdict = verify(charted.law, Rewrite((noise,), formula), noise_is_normalised=True)
    back = Rewrite((charted.restored_law(noise),), charted.restored(formula))
    return back, verdict.about(charted.back, charted.region)
