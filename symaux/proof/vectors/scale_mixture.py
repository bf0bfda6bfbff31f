r"""Verify scale mixtures of normal vectors, for any dimension: $z = m + c(u) A\varepsilon$ with one more noise u per vector.

Given u the vector is normal, $A^\top Q A = 1$ makes its density a function of the quadratic form $q = (z-m)^\top Q (z-m)$
and of $\det Q$, and the law's density must be $\int \mathcal N(q; c(x)^2)\,p(x)\,dx$ as a function of q, ν and d.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.symbols.array_functions import StudentLogDensity, student_log_density
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import indices_of
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal
from symaux.proof.composition.unwind_quantile import Unwound, unwind_quantile
from symaux.proof.mass import definite_integrals as classical
from symaux.proof.scalar.residual import is_zero, split_logarithms
from symaux.proof.vectors.linear import split_linear_map, whitens
from symaux.proof.vectors.random_point import DIGITS, Numbers, TooLarge
from symaux.proof.vectors.refute import abstract_matrices, jacobian, log_integral, unwind_quantiles
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or

Q, D, NU = (sp.Symbol(f"symaux {name}", positive=True) for name in ("q", "d", "nu"))


def verify_scale_mixture(law: Law, noise: tuple[Law, ...], value: Formula) -> Verdict | None:
    """Return the verdict on a scale mixture of normal vectors for a multivariate t."""
    density = law.log_density
    if not isinstance(density, StudentLogDensity) or len(noise) != 2 or not is_standard_normal(noise[0]):
        return None
    residual, df, _ = density.operands
    made, eps, mixed = split_linear_map(law, residual, value), noise[0], noise[1]
    batch = tuple(i for i in indices_of(law.value) if i not in law.event)
    if made is None or indices_of(eps.value) != indices_of(law.value) or indices_of(mixed.value) != batch:
        return None
    scale = unwind_quantile(mixed, made.scale)
    if scale is None or made.scale.has(eps.value) or law.log_density.has(mixed.value):
        return None
    witness = _witness(law, noise, value, scale)
    if witness is not None:
        return witness
    if not whitens(density, made, eps):
        return None
    plain = Unwound(scale.law.substituted({df: NU}), scale.formula.xreplace({df: NU}))
    if not any(value_or(run_bounded(_equal, *pair), False) for pair in ((scale, df), (plain, NU))):
        return None
    evidence = (
        "given u, z = m + c(u) A eps is normal, with A^T Q A = 1 for the inverse scale Q of the law, as words in the factor",
        "the integral of its density over the law of x = Q(u) is the density of the law, symbolically, for any dimension",
    )
    return Verdict(Status.PROVED, evidence, ("the matrix positive definite",))


def _equal(scale: Unwound, df: Formula) -> bool:
    """Return whether the mixture's density is that of a multivariate t, as functions of q and d."""
    x, c = scale.law.value, scale.formula
    if scale.law.support != Interval(sp.S.Zero, sp.oo) or not c.is_positive:
        return False
    normal = -Q / (2 * c**2) - D * sp.log(c) - D * sp.log(2 * sp.pi) / 2
    total = classical.log_integral(normal + scale.law.log_density, x, scale.law.interval)
    if total is None:
        return False
    residual = total - student_log_density(Q, sp.S.Zero, df, D, sp)
    return is_zero(residual) or sp.simplify(split_logarithms(residual)) == 0


def _witness(law: Law, noise: tuple[Law, ...], value: Formula, scale: Unwound) -> Verdict | None:
    """Return REFUTED if quadrature gives the mixture another density at random points."""
    law, value = abstract_matrices(law, value)
    noise, value = unwind_quantiles(noise, value)
    try:
        with mp.workdps(DIGITS):
            for seed in range(2):
                numbers = Numbers(law, noise, value, seed).start()
                found = _compare(numbers, scale) if numbers.admitted() else None
                if found is not None and abs(found) > mp.mpf(10) ** -8:
                    reason = f"the density of the mixture, by quadrature, differs by {mp.nstr(found, 8)}"
                    return Verdict(Status.REFUTED, (reason,), (), (("log_density", str(mp.nstr(found, 12))),))
    except TooLarge:
        return None
    return None


def _compare(numbers: Numbers, scale: Unwound) -> Any:
    """Return log p(z) less the logarithm of the integral over x of the normal density of z given x."""
    noise, mixed = numbers.noise
    elements = [(n, where) for n, where in numbers.noises() if n is noise]
    keys = [numbers.key(numbers.law.value, {**numbers.batch, **where}) for where in numbers.coordinates()]
    zero = {numbers.key(noise.value, {**numbers.batch, **where}): mp.mpf(0) for _, where in elements}
    image, centre, slope = numbers.image(), numbers.at(zero).image(), jacobian(numbers, elements)
    law = numbers.at(image).evaluated(numbers.law.log_density, numbers.batch)
    x = scale.law.value
    start = numbers.given[numbers.key(mixed.value, numbers.batch)]

    density, spread = (numbers.plain(f, numbers.batch, x) for f in (scale.law.log_density, scale.formula))
    unit = spread(start)
    white = mp.lu_solve(slope, mp.matrix([image[k] - centre[k] for k in keys]))
    q, volume, d = (white.T * white)[0] * unit**2, abs(mp.det(slope)) / unit ** len(keys), len(keys)

    def log_height(t: Any) -> Any:
        c = spread(t)
        return density(t) - q / (2 * c**2) - d * mp.log(c * mp.sqrt(2 * mp.pi)) - mp.log(volume)

    total = log_integral(log_height)
    return None if mp.im(law) != 0 or total is None else law - total
