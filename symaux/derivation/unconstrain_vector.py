r"""Move bounded vectors and matrices to real vectors: a simplex by the logits of its stick-breaking fractions, Cholesky
factors of correlation matrices by the inverse hyperbolic tangents of partial correlations.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> from symaux.laws.vector_laws import dirichlet
>>> step = unconstrain_vector(dirichlet(arrays("z", positive=True)[plate("k", 3)], 2))
>>> print(step.after.value, step.verdict.status.name)
StickBreaking(-log(2 - k_sticks) + logit_z[k_sticks], k_sticks, k) PROVED
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, IndexedBase

from symaux.derivation.form_of_law import check_fresh
from symaux.errors import NoRuleApplies
from symaux.formulas.functions.elementary import softplus
from symaux.formulas.symbols.array_functions import StickBreaking, StickLogits
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import extent, indices_of
from symaux.formulas.symbols.matrix_functions import CorrelationFactor, CorrelationVolume, PartialCorrelations
from symaux.formulas.symbols.support import CorrelationFactors, Simplex, Vectors, pair_plate, stick_plate
from symaux.laws.densities.charts import region
from symaux.laws.law import Law
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite


@dataclass(frozen=True)
class _Move:
    """A real vector y, the bounded value as a function of it, the map's log-Jacobian, and the inverse map."""

    y: Any
    value: Formula
    volume: Formula
    back: Formula

    @property
    def plate(self) -> Idx:
        return indices_of(self.y)[-1]  # type: ignore[return-value]


def unconstrain_vector(law: Law) -> Step:
    """Return the step that moves a law's variable to real vectors, with the Jacobian in its log-density."""
    move = _move(law)
    check_fresh(law, [move.y])
    log_density = law.log_density.xreplace({law.value: move.value}) + move.volume
    moved = Law(move.y, log_density, Vectors(move.plate), law.conditions, event=(move.plate,), proper=law.proper)
    rewrite = Rewrite((moved,), move.value)
    verdict = verify(law, rewrite, noise_is_normalised=True)
    verdict = replace(verdict, region=tuple(dict.fromkeys((*region(law), *verdict.region))))
    return Step(law.name, "unconstrain", law, rewrite, verdict)


def as_real_vector(law: Law) -> Formula:
    """Return the real vector as a function of the bounded one."""
    return _move(law).back


def _move(law: Law) -> _Move:
    match law.support:
        case Simplex() if extent(law.event[0]).is_Integer and extent(law.event[0]) > 1:
            return _simplex(law)
        case CorrelationFactors():
            return _factor(law)
        case Simplex():
            raise NoRuleApplies(
                f"{law.value} lives on {law.support}: to move it to the real line the plate {law.event[0]} needs a number"
                " as its size, of at least 2"
            )
    raise NoRuleApplies(f"{law.value} lives on {law.support}: moving these to the real line is not supported yet")


def _simplex(law: Law) -> _Move:
    r"""Return the map $z_k = v_k\prod_{j<k}(1-v_j)$ with $v_k = 1/(1 + e^{-x_k})$, $x_k = y_k - \log(K-1-k)$.

    The offsets make all parts equal at y = 0.
    """
    (k,) = law.event
    r = stick_plate(k)
    y = _real_array(f"logit_{law.name}")[(*indices_of(law.value)[:-1], r)]
    centre = sp.log(extent(r) - r)
    x = y - centre
    below, above = _softplus(-x), _softplus(x)
    volume = sp.Sum(-below - (extent(r) - r) * above, r)
    return _Move(y, StickBreaking(x, r, k), volume, StickLogits(law.value, k, r) + centre)


def _softplus(x: Formula) -> Formula:
    return softplus(x)  # with a type: sympy's hints say that calling a function class gives a class


def _factor(law: Law) -> _Move:
    row, column = law.event
    p = pair_plate(row)
    y = _real_array(f"atanh_{law.name}")[(*indices_of(law.value)[:-2], p)]
    value = CorrelationFactor(y, row, column, p)
    return _Move(y, value, CorrelationVolume(y, p), PartialCorrelations(law.value, row, column, p))


def _real_array(name: str) -> Any:
    return IndexedBase(name, real=True)
