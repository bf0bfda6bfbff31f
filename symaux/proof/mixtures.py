r"""Scale mixtures of normal vectors, for any dimension: $z = m + c(u) A\varepsilon$ with one more noise u for each vector.

Given u the vector is normal, $A^\top Q A = 1$ makes its density a function of the quadratic form $q = (z-m)^\top Q (z-m)$
and of $\det Q$, and the law's density must be $\int \mathcal N(q; c(x)^2)\,p(x)\,dx$ as a function of q, ν and d.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.array_functions import StudentLogDensity, student
from symaux.bounded import bounded, value_of
from symaux.indices import extent, indices_of
from symaux.laws import Law
from symaux.proof.linear import linear, whitens
from symaux.proof.quantiles import Unwound, unwound
from symaux.proof.vector_points import DIGITS, Numbers, TooLarge, abstracted, jacobian
from symaux.standard import is_standard_normal
from symaux.verdict import Status, Verdict

Q, D, NU = sp.symbols("q_ d_ nu_", positive=True)


def mixture(law: Law, noise: tuple[Law, ...], value: sp.Expr) -> Verdict | None:
    """The verdict on a scale mixture of normal vectors for a multivariate t."""
    density = law.log_density
    if not isinstance(density, StudentLogDensity) or len(noise) != 2 or not is_standard_normal(noise[0]):
        return None
    residual, df, _ = density.operands
    made, eps, mixed = linear(law, residual, value), noise[0], noise[1]
    batch = tuple(i for i in indices_of(law.value) if i not in law.event)
    if made is None or indices_of(eps.value) != indices_of(law.value) or indices_of(mixed.value) != batch:
        return None
    scale = unwound(mixed, made.scale.xreplace({df: NU}) if df.free_symbols else made.scale)
    witness = _witness(law, noise, value)
    if witness is not None:
        return witness
    if scale is None or made.scale.has(eps.value) or not whitens(density, made, eps):
        return None
    if not value_of(bounded(_equal, scale, NU if df.free_symbols else df), False):
        return None
    evidence = (
        "given u, z = m + c(u) A eps is normal, with A^T Q A = 1 for the inverse scale Q of the law, as words in the factor",
        "the integral of its density over the law of x = Q(u) is the density of the law, symbolically, for any dimension",
    )
    return Verdict(Status.PROVED, evidence, ("the matrix positive definite",))


def _equal(scale: Unwound, df: sp.Expr) -> bool:
    """Whether the mixture's density is that of a multivariate t, as functions of q and d."""
    x, c = scale.law.value, scale.formula
    normal = -Q / (2 * c**2) - D * sp.log(c) - D * sp.log(2 * sp.pi) / 2
    integrand = sp.exp(sp.expand(sp.expand_log(sp.simplify(normal + scale.law.log_density))))
    total = sp.integrate(sp.powsimp(integrand), (x, scale.law.support.lower, scale.law.support.upper), conds="none")
    stated = student(Q, sp.S.Zero, df, D, sp)
    ratio = sp.log(total) - stated
    return sp.simplify(sp.expand_log(ratio)) == 0 or sp.gammasimp(sp.simplify(total * sp.exp(-stated))) == 1


def _witness(law: Law, noise: tuple[Law, ...], value: sp.Expr) -> Verdict | None:
    """The density of the mixture by quadrature, at random points."""
    law, value = abstracted(law, value)
    try:
        with mp.workdps(DIGITS):
            for seed in range(2):
                numbers = Numbers(law, noise, value, seed).start()
                found = _compared(numbers)
                if found is not None and abs(found) > mp.mpf(10) ** -8:
                    reason = f"the density of the mixture, by quadrature, differs by {mp.nstr(found, 8)}"
                    return Verdict(Status.REFUTED, (reason,), (), (("log_density", mp.nstr(found, 12)),))
    except TooLarge:
        return None
    return None


def _compared(numbers: Numbers) -> Any:
    """log p(z) and the logarithm of the integral over u of the normal density of z given u."""
    noise, mixed = numbers.noise
    elements = [(n, where) for n, where in numbers.noises() if n is noise]
    image = numbers.image()
    law = numbers.at(image).evaluated(numbers.law.log_density, numbers.batch)
    key = numbers.key(mixed.value, numbers.batch)
    keys = [numbers.key(numbers.law.value, {**numbers.batch, **where}) for where in numbers.coordinates()]
    zero = {numbers.key(noise.value, {**numbers.batch, **where}): mp.mpf(0) for _, where in elements}

    def height(u: Any) -> Any:
        at = numbers.at({key: u})
        centre = at.at(zero).image()
        slope = jacobian(at, elements)
        r = mp.matrix([image[k] - centre[k] for k in keys])
        white = mp.lu_solve(slope, r)
        return mp.exp(-(white.T * white)[0] / 2) / abs(mp.det(slope)) / mp.sqrt(2 * mp.pi) ** len(keys)

    with mp.workdps(20):
        total = mp.quad(height, mp.linspace(0, 1, 5))
    return None if mp.im(law) != 0 or not total > 0 else law - mp.log(total)
