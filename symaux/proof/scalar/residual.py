r"""Prove that $r = \log q(\varepsilon) - \log|g'(\varepsilon)| - \log p(g(\varepsilon))$ is zero, symbolically.

Each interval gets a chart in which its points are visibly inside (u = s/(1+s) with s > 0 on the unit interval), so that
logarithms split without force; where g is a chain of layers the same identity is also tried in z through the inverse.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import sympy as sp

from symaux.formulas.algebra.angles import TRIGONOMETRIC, to_half_tangents
from symaux.formulas.algebra.canonical import to_canonical_form
from symaux.formulas.algebra.factor import factor_formula, has_small_exponents
from symaux.formulas.algebra.piecewise import CORNERS, split_at_corners
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.functions.elementary import defined
from symaux.formulas.functions.gamma import elementary, gammainc, gammaincc
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval, point_inside
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.monotone import Branch, shorten_end
from symaux.proof.scalar.reflection import reflect_gammas
from symaux.sandbox import run_bounded, value_or


def check_residual(claim: Claim, branches: list[Branch]) -> str | None:
    """Return why the residual is not known to be zero on some branch; None if it is zero on every one."""
    for branch in branches:
        reason = _on_branch(claim, branch)
        if reason is not None:
            return reason
    return None


def _on_branch(claim: Claim, branch: Branch) -> str | None:
    e, z = claim.noise.value, claim.law.value
    density = _density_on(claim, branch).xreplace({z: branch.formula})
    parts = split_at_corners((claim.noise.log_density, density), e, branch.where)
    if parts is None:
        return "the corners of the densities could not be put in order"
    for where, (noise, pushed) in parts:
        forms = [*_in_noise(noise, pushed, branch, e, where)]
        if branch.chain is not None and len(parts) == 1:  # one formula holds on the whole branch
            forms += _in_value(claim, branch)
        forms.sort(key=sp.count_ops)  # the shortest is the quickest, and the likeliest to vanish
        if not any(map(_is_zero, forms)) and not any(
            value_or(run_bounded(simplifies_to_zero, form), False) for form in forms
        ):
            return f"the residual did not simplify to zero on {where}"
    return None


def _density_on(claim: Claim, branch: Branch) -> Formula:
    """Return the log-density on the image of a branch of g, without the corners that lie elsewhere."""
    formula, ends = claim.law.log_density, (branch.image.lower, branch.image.upper)
    if not formula.has(sp.Piecewise, *CORNERS):
        return formula
    image = Interval(*(end if end.is_infinite else shorten_end(end) for end in ends))
    found = split_at_corners((formula,), claim.law.value, image)
    return found[0][1][0] if found is not None and len(found) == 1 else formula


def _in_noise(noise: Formula, pushed: Formula, branch: Branch, e: Formula, where: Interval) -> Iterator[Formula]:
    slope = defined(branch.formula.diff(e))
    residual = noise - log_modulus(slope) - defined(pushed)
    if e.is_positive and len(residual.atoms(sp.Function)) > LONG:
        yield with_sums_as_symbols(residual, e)
    yield residual.xreplace({e: point_inside(where)})


LONG = 8  # functions in a residual: only a longer one is also tried with symbols for its sums


def with_sums_as_symbols(formula: Formula, e: Formula) -> Formula:
    """Return the formula with symbols for positive sums free of e: zero for any such number is enough."""
    sums = {a for a in formula.atoms(sp.Add) if not a.has(e) and len(a.args) > 2}
    largest = [a for a in sums if not any(a is not b and b.has(a) for b in sums) and sign_of(a) == 1]
    return formula.xreplace({a: sp.Dummy(positive=True) for a in largest})


def _in_value(claim: Claim, branch: Branch) -> list[Formula]:
    """Return log q(h(z)) + log|h'(z)| - log p(z) for the inverse h of g, where it has no corners."""
    assert branch.chain is not None
    z = claim.law.value
    inverse = branch.chain.inverse(z)
    noise: Formula = claim.noise.log_density.xreplace({claim.noise.value: inverse})
    parts = split_at_corners((defined(noise), claim.law.log_density), z, branch.image)
    if parts is None or len(parts) != 1:
        return []
    ((_, (pulled, density)),) = parts
    residual = pulled + log_modulus(defined(inverse.diff(z))) - density
    return [residual.xreplace({z: point_inside(branch.image)})]


def _is_zero(formula: Formula) -> bool:
    """Return whether quick rewritings end in zero, within limits of time where exponents are large."""
    return is_zero(formula) if has_small_exponents(formula) else bool(value_or(run_bounded(is_zero, formula), False))


def is_zero(formula: Formula) -> bool:
    """Return whether one of a few quick rewritings is zero."""
    mirrors = formula.has(sp.loggamma) and formula.has(sp.sin, sp.cos)
    return any(form == 0 or (mirrors and _vanishes_reflected(form)) for form in _rewritings(formula))


def _vanishes_reflected(formula: Formula) -> bool:
    """Return whether a formula is zero by the reflection formula, with logarithms as unknowns whose coefficients cancel."""
    left = reflect_gammas(formula.replace(sp.loggamma, lambda a: sp.loggamma(sp.cancel(a))))
    unknown = {e: sp.Dummy() for e in left.atoms(sp.log, sp.loggamma)}
    return left == 0 or sp.cancel(sp.together(left.xreplace(unknown))) == 0


def _rewritings(formula: Formula) -> Iterator[Formula]:
    """Yield equal formulas, quick ones first, one of which may be visibly zero."""
    yield formula
    if formula.has(sp.erfc):
        formula = formula.replace(sp.erfc, lambda x: 1 - sp.erf(x))
    split = split_logarithms(formula)
    yield split
    yield sp.expand(split)
    yield sp.expand(sp.powsimp(sp.powdenest(split)))
    yield combine_logarithms(sp.expand(split))
    plain = to_canonical_form(formula)
    if plain != formula:
        plain = sp.expand(split_logarithms(plain))
        yield plain
    if sp.count_ops(plain) < SHORT:
        yield sp.expand(split_logarithms(to_common_denominators(plain)))
    if formula.has(sp.loggamma):
        yield sp.expand(split_logarithms(_duplicated(formula)))
        yield sp.expand(split_logarithms(formula.replace(sp.loggamma, lambda a: sp.loggamma(sp.cancel(a)))))
    if any(n.is_Rational and not (n.is_Integer and sp.isprime(n)) for n in _numbers(plain)):
        yield sp.expand(sp.expand_log(plain, factor=True))
    if formula.has(*HYPERBOLIC):
        yield sp.expand(split_logarithms(sp.expand(formula.rewrite(sp.exp))))
        yield sp.expand(split_logarithms(_without_hyperbolics(formula)))
    if formula.has(*TRIGONOMETRIC):
        yield sp.expand(split_logarithms(to_half_tangents(_without_hyperbolics(formula))))
    if formula.has(sp.atanh):
        yield sp.expand(split_logarithms(formula.replace(sp.atanh, _as_logarithms)))
    if formula.has(gammainc, gammaincc):
        yield sp.expand(split_logarithms(elementary(formula)))


def _numbers(formula: Formula) -> list[Formula]:
    """Return the numbers of which a formula has logarithms: log 12 is log 3 and twice log 2."""
    return [e.args[0] for e in formula.atoms(sp.log) if e.args[0].is_number]


HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)


def _duplicated(formula: Formula) -> Formula:
    r"""Expand $\Gamma(2x) = 2^{2x-1}\Gamma(x)\Gamma(x + \tfrac12)/\sqrt\pi$ where one of the two occurs in the formula."""
    present = {e.args[0] for e in formula.atoms(sp.loggamma)}

    def halves(a: Formula) -> Formula:
        x = sp.expand(a / 2)
        if not (x in present or x + sp.S.Half in present):
            return sp.loggamma(a)
        return sp.loggamma(x) + sp.loggamma(x + sp.S.Half) + (a - 1) * sp.log(2) - sp.log(sp.pi) / 2

    return formula.replace(sp.loggamma, halves)


def _as_logarithms(x: Formula) -> Formula:
    return (log_modulus(factor_formula(1 + x)) - log_modulus(factor_formula(1 - x))) / 2


def _without_hyperbolics(formula: Formula) -> Formula:
    return formula.replace(lambda e: isinstance(e, HYPERBOLIC), _algebraic)


def _algebraic(function: Formula) -> Formula:
    """Return a hyperbolic function of logarithms as powers of their arguments."""
    return sp.powsimp(sp.expand(sp.expand_log(function).rewrite(sp.exp)))


def combine_logarithms(formula: Formula) -> Formula:
    r"""Return the formula with logarithms of equal weight as one: $\log|s - r| + \log|s + r| = \log|s^2 - r^2|$."""
    weights: dict[Formula, list[Formula]] = defaultdict(list)
    rest = sp.S.Zero
    for term in sp.Add.make_args(formula):
        logarithms = [factor for factor in sp.Mul.make_args(term) if isinstance(factor, sp.log)]
        if len(logarithms) != 1:
            rest += term
            continue
        weight = term / logarithms[0]
        sign = -1 if weight.could_extract_minus_sign() else 1
        argument = logarithms[0].args[0]
        weights[sign * weight].append((argument.args[0] if isinstance(argument, sp.Abs) else argument) ** sign)
    return rest + sp.Add(*(w * log_modulus(_as_one(arguments)) for w, arguments in weights.items()))


def _as_one(arguments: list[Formula]) -> Formula:
    top, bottom = sp.fraction(sp.Mul(*arguments))
    return sp.cancel(sp.expand(top) / sp.expand(bottom))


def split_logarithms(formula: Formula) -> Formula:
    """Return the formula with every logarithm of a product split; a factor of unknown sign keeps its modulus."""
    formula = formula.replace(
        lambda e: isinstance(e, sp.Pow) and e.base.is_Add, lambda e: factor_formula(e.base) ** e.exp
    )
    return formula.replace(lambda e: isinstance(e, sp.log), lambda e: _split(e.args[0]))


def _split(argument: Formula) -> Formula:
    return log_modulus(factor_formula(argument.args[0] if isinstance(argument, sp.Abs) else argument))


SHORT = 120  # operations: only a shorter formula is brought over one denominator


def to_common_denominators(formula: Formula) -> Formula:
    r"""Write bases of powers and arguments of logarithms over one denominator: $(1 + 1/t)^p = (t + 1)^p t^{-p}$.

    >>> t, p = sp.symbols("t p", positive=True)
    >>> constant = sp.log((1 + 1/t)**p - 1) - p*sp.log(1 + 1/t) - sp.log(1 - (t/(t + 1))**p)
    >>> sp.expand(split_logarithms(to_common_denominators(constant)))
    0
    """
    if formula.is_Atom:
        return formula
    made = formula.func(*(to_common_denominators(arg) for arg in formula.args))
    if isinstance(made, sp.Pow) and isinstance(made.base, sp.Add | sp.Mul) and not made.exp.is_Integer:
        above, below = sp.fraction(sp.together(made.base))
        return above**made.exp / below**made.exp if above.is_positive and below.is_positive else made
    return made.func(sp.together(made.args[0])) if isinstance(made, sp.log | sp.Abs) else made


def simplifies_to_zero(formula: Formula) -> bool:
    """Return whether slow attempts end in zero: simplify as it stands, split, and as a ratio of densities."""
    if sp.simplify(formula) == 0:
        return True
    split = split_logarithms(formula)
    if sp.simplify(split) == 0 or sp.simplify(sp.expand_log(sp.expand(split))) == 0:
        return True
    return sp.simplify(sp.exp(split)) == 1
