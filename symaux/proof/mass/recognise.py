r"""Recognise densities whose integral is a classical one by the logarithmic derivative $\ell'(z)$ and never by a name.

Each line of the table is an integral that is in every handbook; what is checked here is that the formula at hand *is* its
integrand over its value: $\ell' = $ the pattern identically in z, the exponents in the domain where the integral holds,
and $\ell$ at one point equal to the pattern minus the logarithm of the integral.

>>> from symaux.laws.families import beta
>>> z, a, b = sp.symbols("z a b", positive=True)
>>> integrates_to_one(beta(z, a, b))
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy as sp

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.numeric.points import evaluate, points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.kernel import value_symbol
from symaux.laws.law import Law
from symaux.proof.equality.special_functions import with_fewer_functions
from symaux.proof.mass.definite_integrals import log_integral
from symaux.proof.mass.gaussian_sums import integrates_by_gaussian_sum
from symaux.proof.mass.mellin import integrates_by_mellin
from symaux.proof.mass.positivity import is_positive
from symaux.proof.mass.stepwise_sums import integrates_by_steps
from symaux.proof.mass.termwise import log_total
from symaux.proof.scalar.branching import may_jump
from symaux.proof.scalar.residual import is_zero
from symaux.sandbox import run_bounded, value_or

TERMS, SECONDS = 6, 10.0  # most terms of a density that is integrated term by term; for how long
Pattern = tuple[
    Formula, Formula, list[Formula], Formula
]  # unnormalised log-density, its log-integral, what must be > 0, a point


def integrates_to_one(law: Law) -> bool:
    """Return whether a method of ``METHODS`` shows that the density integrates to one; False says nothing."""
    if not isinstance(law.support, Interval):
        return False
    jumps = may_jump(law.log_density, law.value, law.support)
    return any(method(law) for method in METHODS if not (jumps and method in BY_DERIVATIVE))


def integrates_by_pattern(law: Law) -> bool:
    """Return whether the density is an integrand of ``RECOGNISERS`` over its integral."""
    slope = sp.together(law.log_density.diff(law.value))
    return any(_is(law, slope, pattern) for recognise in RECOGNISERS for pattern in recognise(law, slope))


def integrates_by_table(law: Law) -> bool:
    """Return whether the integral is in the table, after a change of variables or term by term if need be, and is one."""
    variable = sp.Symbol("t_", **value_symbol(law).assumptions0)
    found = log_total(law.log_density.xreplace({law.value: variable}), variable, law.interval)
    return found is not None and is_zero(with_fewer_functions(found))


def integrates_by_terms(law: Law) -> bool:
    """Return whether the density is a sum of a few terms with classical integrals that add up to one: a mixture, a
    folded law."""
    z = sp.Symbol("t_", **value_symbol(law).assumptions0)
    density: Formula = law.density.xreplace({law.value: z}).replace(_is_hyperbolic, lambda e: e.rewrite(sp.exp))
    expanded: Formula = sp.expand_mul(density)
    terms = sp.Add.make_args(expanded)
    if not 2 <= len(terms) <= TERMS or not all(map(_signed, terms)):
        return False
    if any(term.is_negative for term in terms) and not is_positive(law):
        return False
    return bool(value_or(run_bounded(_adds_up, terms, z, law.support, seconds=SECONDS), False))


def _adds_up(terms: tuple[Formula, ...], z: sp.Symbol, where: Interval) -> bool:
    parts: list[Formula] = [_between_corners(term, z, where) for term in terms]
    if any(part is None for part in parts):
        return False
    return sp.simplify(sp.Add(*parts) - 1) == 0


def _between_corners(term: Formula, z: sp.Symbol, where: Interval) -> Formula | None:
    """Return the integral of a term of one sign, with corners of its own if need be."""
    found = split_at_corners((log_modulus(term),), z, where)
    parts = [None] if found is None else [log_integral(formula, z, part) for part, (formula,) in found]
    if any(part is None for part in parts):
        return None
    return (-1 if term.is_negative else 1) * sp.Add(*map(sp.exp, parts))


def _is_hyperbolic(formula: Formula) -> bool:
    return isinstance(formula, sp.cosh | sp.sinh)


def _signed(term: Formula) -> bool:
    return bool(term.is_positive or term.is_negative)


def _is(law: Law, slope: Formula, pattern: Pattern) -> bool:
    shape, log_integral, positive, point = pattern
    if not all(formula.is_positive for formula in positive) or not _vanishes(slope - shape.diff(law.value)):
        return False
    here = {law.value: point}
    constant = law.log_density.xreplace(here) - shape.xreplace(here) + log_integral
    return is_zero(constant) or (constant.is_number and sp.simplify(constant) == 0)


def _vanishes(formula: Formula) -> bool:
    if formula.has(sp.sin, sp.cos):
        formula = sp.expand(sp.expand_trig(formula))
    return is_zero(formula) or sp.cancel(sp.together(formula)) == 0


def _von_mises(law: Law, slope: Formula) -> Iterator[Pattern]:
    r"""Yield $\int e^{A\cos z + B\sin z}\,dz = 2\pi I_0(\sqrt{A^2 + B^2})$ over any interval of length $2\pi$."""
    z = law.value
    if not law.interval.lower.is_finite or not is_zero(law.interval.upper - law.interval.lower - 2 * sp.pi):
        return
    a, b = -_at(slope, z, sp.pi / 2), _at(slope, z, 0)
    k = sp.sqrt(sp.trigsimp(sp.expand(a**2 + b**2)))
    yield a * sp.cos(z) + b * sp.sin(z), sp.log(2 * sp.pi) + sp.log(sp.besseli(0, k)), [k], sp.S.Zero


def _weber(law: Law, slope: Formula) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty z^{\nu+1} e^{-pz^2} I_\nu(cz)\,dz = c^\nu (2p)^{-\nu-1} e^{c^2/4p}$ for $\nu > -1$."""
    z: Formula = law.value
    bessel: list[Formula] = sorted(law.log_density.atoms(sp.besseli), key=str)
    if law.support != Interval(sp.S.Zero, sp.oo) or len(bessel) != 1 or bessel[0].args[1].diff(z).has(z):
        return
    (nu, argument), c = bessel[0].args, bessel[0].args[1].diff(z)
    rest = sp.expand((law.log_density - sp.log(bessel[0])).diff(z))
    p = sp.expand((nu + 1 - _at(rest, z, 1)) / 2)
    shape = (nu + 1) * sp.log(z) - p * z**2 + sp.log(sp.besseli(nu, argument))
    total = nu * sp.log(c) - (nu + 1) * sp.log(2 * p) + c**2 / (4 * p)
    if is_zero(argument - c * z) and p.is_positive:
        yield shape, total, [sp.expand(nu + 1), c], sp.S.One


def _bose(law: Law, slope: Formula) -> Iterator[Pattern]:
    r"""Yield $\int_0^\infty \frac{z^{n-1}}{e^{bz} - 1}\,dz = \Gamma(n)\zeta(n) b^{-n}$ for n > 1, and the same for 1/z."""
    z = law.value
    if law.support != Interval(sp.S.Zero, sp.oo):
        return
    for exponential in sorted(law.log_density.atoms(sp.exp), key=str):
        for power in (1, -1):
            b = sp.simplify(exponential.args[0] / z**power)
            if b.has(z) or not b.is_positive:
                continue
            planck = -sp.log(sp.exp(b * z**power) - 1)
            n = sp.expand(sp.simplify(z * (slope - planck.diff(z))) + 1) * power
            total = sp.loggamma(n) + sp.log(sp.zeta(n)) - n * sp.log(b)
            if not n.has(z):
                yield (power * n - 1) * sp.log(z) + planck, total, [sp.expand(n - 1), b], sp.S.One


RECOGNISERS: tuple[Callable[[Law, Formula], Iterator[Pattern]], ...] = (
    _von_mises,
    _weber,
    _bose,
)


def integrates_by_reflection(law: Law) -> bool:
    r"""Return whether the even part $\tfrac12(p(z) + p(-z))$, which has the integral of p on the line, is standard normal."""
    if law.support != REALS:
        return False
    z = law.value
    even, normal = (law.density + law.density.xreplace({z: -z})) / 2, sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)
    if law.log_density.xreplace({z: -z}) == law.log_density or not _seems(even, normal) or not is_positive(law):
        return False
    return bool(value_or(run_bounded(_is_same, even, normal, seconds=SECONDS), False))


def _seems(one: Formula, other: Formula) -> bool:
    """Return whether two formulas agree at a few points."""
    seen = [
        (evaluate(one, at), evaluate(other, at)) for at in points(sorted(one.free_symbols, key=str), count=3, seed=4)
    ]
    return all(a is None or b is None or abs(a - b) < 1e-12 for a, b in seen)


def _is_same(one: Formula, other: Formula) -> bool:
    return is_zero(sp.simplify(one.rewrite(sp.erf)) - other)


def _at(formula: Formula, z: Formula, point: Formula | int) -> Formula:
    """Return the value of a formula at a point where it may have to be cancelled first."""
    return sp.simplify(sp.cancel(formula) if formula.is_rational_function(z) else formula).subs(z, point)


METHODS: tuple[Callable[[Law], bool], ...] = (  # tried in this order, until one of them says that the integral is one
    integrates_by_pattern,
    integrates_by_reflection,
    integrates_by_mellin,
    integrates_by_steps,
    integrates_by_gaussian_sum,
    integrates_by_table,
    integrates_by_terms,
)
# These recognise an integrand by its derivative, or as a whole, and read its constant at one point: it must not jump.
BY_DERIVATIVE = (
    integrates_by_pattern,
    integrates_by_reflection,
    integrates_by_mellin,
    integrates_by_gaussian_sum,
    integrates_by_table,
)
