r"""Prove the residual zero layer by layer: carry the law back through g, one strictly monotone map at a time.

With $z = L_n(v)$ the density of v is $\ell(L_n(v)) + \log|L_n'(v)|$; after the last layer it must be the noise's. Each step
puts one elementary function into the formula, which then falls apart by itself ($\operatorname{asinh}\sinh v = v$) where the
whole of g at once would have to be simplified. Logarithms are those of moduli throughout, so no sign is ever guessed.

>>> z, e, s = sp.Symbol("z", real=True), sp.Symbol("e", real=True), sp.Symbol("s", positive=True)
>>> chain = MonotoneChain.of(sp.sinh(s*e), e, Interval(-sp.oo, sp.oo))
>>> line = -z**2/2
>>> carried = line.xreplace({z: sp.asinh(z)/s}) - sp.log(s) - sp.log(z**2 + 1)/2
>>> carry_back(carried, z, chain).subs(V, z)
-z**2/2
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from symaux.formulas.algebra.canonical import to_canonical_form
from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.algebra.monotone_map import Layer
from symaux.formulas.algebra.piecewise import CORNERS
from symaux.formulas.algebra.regroup import SLOT
from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.monotone import Branch
from symaux.proof.scalar.residual import HYPERBOLIC, is_zero
from symaux.sandbox import run_bounded, value_or

SECONDS = 5.0
ARGUMENT = 60  # operations: what is longer is left as it is
LARGE = 400  # operations: a formula that grows so long does not fall apart
V = sp.Symbol("v_", real=True)


def vanishes_layerwise(claim: Claim, branches: list[Branch]) -> bool:
    """Return whether the law, carried back through the one branch of g, is the noise's; False says nothing."""
    if len(branches) != 1 or branches[0].chain is None or claim.law.log_density.has(sp.Piecewise, *CORNERS):
        return False
    return value_or(run_bounded(_is_noise, claim, branches[0].formula, branches[0].where, seconds=SECONDS), False)


def _is_noise(claim: Claim, formula: Formula, where: Interval) -> bool:
    chain = MonotoneChain.of(formula, claim.noise.value, where)
    if chain is None:
        return False
    first = max((n for n, layer in enumerate(chain.layers, 1) if _has_root(layer)), default=0)
    inner = MonotoneChain(chain.layers[:first], chain.domain)
    found = carry_back(claim.law.log_density, claim.law.value, MonotoneChain(chain.layers[first:], inner.image))
    if found is None:
        return False
    difference = found - _pushed(claim.noise.log_density, claim.noise.value, inner)
    return difference == 0 or is_zero(difference)


def _has_root(layer: Layer) -> bool:
    """Return whether a layer has roots of sums, which its inverse does not have."""
    return any(p.exp.is_number and not p.exp.is_integer and p.base.is_Add for p in layer.formula.atoms(sp.Pow))


def _pushed(log_density: Formula, value: Formula, chain: MonotoneChain) -> Formula:
    """Return the log-density of the chain's result, through its inverse."""
    here = _symbol(chain.image)
    inverse = chain.inverse(here)
    return gather_terms(
        log_density.xreplace({value: inverse}) + log_modulus(factor_formula(defined(inverse.diff(here))))
    )


def carry_back(log_density: Formula, value: Formula, chain: MonotoneChain) -> Formula | None:
    """Return the log-density of the chain's argument; None where the formula only grows."""
    wheres = [chain.domain, *(layer.image for layer in chain.layers)]
    here = _symbol(wheres[-1])
    density = gather_terms(log_density.xreplace({value: here}))
    for layer, where in zip(reversed(chain.layers), reversed(wheres[:-1]), strict=True):
        inner = _symbol(where)
        outer = layer.formula.xreplace({SLOT: inner})
        mark = sp.Dummy("v", **inner.assumptions0)  # the two variables may have one name
        known = density.xreplace(_known_inverse(layer, here, mark))
        density = known.xreplace({here: outer}).xreplace({mark: inner}) + log_modulus(
            factor_formula(defined(outer.diff(inner)))
        )
        density, here = gather_terms(density), inner
        if sp.count_ops(density) > LARGE:
            return None
    return density


def _known_inverse(layer: Layer, here: sp.Symbol, inner: sp.Symbol) -> dict[Formula, Formula]:
    r"""Return the inverse of a layer that is one function of z: $\operatorname{atan} z = \tfrac\pi2 - v$ for $z = \cot v$."""
    if not isinstance(layer.formula, sp.Function) or layer.formula.args != (SLOT,):
        return {}
    shift, term = layer.inverse(here).as_independent(here, as_Add=True)
    factor, function = term.as_independent(here, as_Add=False)
    return {function: (inner - shift) / factor} if isinstance(function, sp.Function) else {}


def _symbol(where: Interval) -> sp.Symbol:
    if where.lower.is_nonnegative:
        return sp.Symbol("v_", positive=True)
    return sp.Symbol("v_", negative=True) if where.upper.is_nonpositive else V


def gather_terms(formula: Formula) -> Formula:
    """Return the formula in sympy's own functions, its arguments short, like terms and logarithms gathered."""
    terms = sp.Add.make_args(_multiply_out(to_canonical_form(_shorten_arguments(defined(formula), {}))))
    return _multiply_out(sp.Add(*map(_split_logarithm, terms)))


def _multiply_out(formula: Formula) -> Formula:
    """Multiply out products of sums, except in arguments of functions."""
    opened = sp.Add(*(sp.expand_mul(term, deep=False) for term in sp.Add.make_args(formula)))
    return opened if opened == formula else _multiply_out(opened)


def _split_logarithm(term: Formula) -> Formula:
    """Split a factor that is a logarithm of a product into a sum of logarithms of moduli."""
    logarithms = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.log)]
    if len(logarithms) != 1:
        return term
    argument = logarithms[0].args[0]
    inner = argument.args[0] if isinstance(argument, sp.Abs) else argument
    split = log_modulus(_with_fixed_logarithms(inner, lambda x: factor_formula(sp.together(x))))
    return term / logarithms[0] * sp.Add(*map(_of_two_exponentials, sp.Add.make_args(split)))


def _of_two_exponentials(term: Formula) -> Formula:
    r"""Write $\log(e^a + e^b) = \tfrac{a+b}2 + \log 2\cosh\tfrac{a-b}2$ in one way, so that it cancels against a cosh."""
    weight, logarithm = term.as_coeff_Mul()
    terms = sp.Add.make_args(logarithm.args[0]) if isinstance(logarithm, sp.log) else ()
    if len(terms) != 2 or not all(t == 1 or isinstance(t, sp.exp) for t in terms):
        return term
    exponents: list[Formula] = [sp.S.Zero if t == 1 else t.args[0] for t in terms]
    a, b = exponents
    return weight * ((a + b) / 2 + sp.log(2) + sp.log(_apply_to_logarithms(sp.cosh(sp.expand_mul((a - b) / 2)))))


def _with_fixed_logarithms(formula: Formula, way: Callable[[Formula], Formula]) -> Formula:
    """Transform a formula with its logarithms, and exponentials of them, held fixed."""
    inside = sp.preorder_traversal(formula)
    kept = {e for e in inside if isinstance(e, sp.log) or (isinstance(e, sp.exp) and e.args[0].has(sp.log))}
    marks = {e: sp.Dummy(positive=e.is_positive, real=True) for e in kept}
    return way(formula.xreplace(marks)).xreplace({mark: e for e, mark in marks.items()})


def _shorten_arguments(formula: Formula, known: dict[Formula, Formula]) -> Formula:
    """Return the formula with every argument and every base as short as multiplying out or cancelling makes it."""
    if not formula.args or not formula.free_symbols:
        return formula
    if formula not in known:
        again = formula.func(*(_shorten_arguments(arg, known) for arg in formula.args))
        known[formula] = _apply_to_logarithms(again) if isinstance(again, HYPERBOLIC) else _shortest(again)
    return known[formula]


def _shortest(e: Formula) -> Formula:
    if not isinstance(e, sp.Add | sp.Mul) or sp.count_ops(e) > ARGUMENT:
        return e
    ways = [e, sp.expand_mul(e)]
    if any(p.exp.is_negative and p.base.is_Add for p in e.atoms(sp.Pow)):
        ways.append(_with_fixed_logarithms(e, lambda x: sp.cancel(sp.together(x))))
    return min(ways, key=sp.count_ops)


def _apply_to_logarithms(function: Formula) -> Formula:
    r"""Simplify $\sinh\log x = (x - 1/x)/2$ and the like, also for a sum of logarithms."""
    terms = [term.as_coeff_Mul() for term in sp.Add.make_args(function.args[0])]
    if not all(isinstance(logarithm, sp.log) and weight.is_Rational for weight, logarithm in terms):
        return function
    x = sp.cancel(sp.Mul(*(logarithm.args[0] ** weight for weight, logarithm in terms)))
    mark = sp.Dummy(positive=True)
    return sp.cancel(
        function.func(mark).rewrite(sp.exp).xreplace({sp.exp(mark): mark, sp.exp(-mark): 1 / mark})
    ).xreplace({mark: x})


__all__ = ["carry_back", "gather_terms", "vanishes_layerwise"]
