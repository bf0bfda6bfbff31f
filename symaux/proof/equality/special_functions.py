r"""Decide whether two formulas with special functions are equal, after functions with equal arguments are made one.

>>> z, a = sp.symbols("z a", positive=True)
>>> are_equal(sp.log(sp.erfc((z - a)/sp.sqrt(2))), sp.log(1 + sp.erf((a**2 - z*a)/(a*sp.sqrt(2)))))
True
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import evaluate, points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.proof.equality.bessel import to_elementary
from symaux.proof.scalar.residual import is_zero, simplifies_to_zero, split_logarithms

SPECIAL = (sp.erf, sp.erfi, sp.besselk, sp.besseli, sp.hyper, sp.loggamma, sp.gamma, sp.exp, sp.Pow, sp.log)


def are_equal(one: Formula, other: Formula) -> bool:
    """Return whether the difference of two formulas is zero, symbolically; with |x| once for x > 0 and once for x < 0."""
    turns = {each.args[0] for each in (one - other).atoms(sp.Abs) if isinstance(each.args[0], sp.Symbol)}
    if not turns:
        return _same(one, other)
    x = min(turns, key=str)
    positive = sp.Symbol(f"{x}_", positive=True)
    sides = [{x: positive}, {x: -positive}]
    return all(are_equal(one.xreplace(side), other.xreplace(side)) for side in sides)


def _same(one: Formula, other: Formula) -> bool:
    difference = with_fewer_functions(one) - with_fewer_functions(other)
    if is_zero(difference):
        return True
    united = unify_equal_functions(difference)
    if united.has(sp.hyper):
        return is_zero(united) or _term_by_term(united)
    return is_zero(united) or simplifies_to_zero(united) or simplifies_to_zero(sp.expand_func(united))


def _term_by_term(difference: Formula) -> bool:
    r"""Return whether $c + \log\sum a_i y_i - \log\sum b_i y_i = 0$ for functions y, because $e^c a_i = b_i$ for
    each."""
    functions = sorted(difference.atoms(sp.hyper), key=str)
    symbols = [sp.Dummy(f"y{k}", positive=True) for k in range(len(functions))]
    opened = difference.xreplace(dict(zip(functions, symbols, strict=True)))
    sums = [term for term in sp.Add.make_args(sp.expand(opened)) if term.has(*symbols)]
    parts = {int(c): log for c, log in (t.as_coeff_Mul() for t in sums) if isinstance(log, sp.log) and c in (1, -1)}
    if len(sums) != 2 or set(parts) != {1, -1}:
        return False
    left, right = (sp.Poly(_within(parts[sign]), *symbols) for sign in (1, -1))
    if left.monoms() != right.monoms() or any(sum(m) != 1 for m in left.monoms()):
        return False
    constant = sp.exp(sp.expand(opened) - sp.Add(*sums))
    return all(_is_one(a / b * constant) for a, b in zip(left.coeffs(), right.coeffs(), strict=True))


def _within(logarithm: Formula) -> Formula:
    argument = logarithm.args[0]
    return argument.args[0] if isinstance(argument, sp.Abs) else argument


def _is_one(ratio: Formula) -> bool:
    gammas = ratio.replace(sp.loggamma, lambda a: sp.log(sp.gamma(a)))
    return sp.simplify(sp.gammasimp(sp.powsimp(sp.expand(gammas)))) == 1


def with_fewer_functions(formula: Formula) -> Formula:
    """Return the formula in as few special functions as possible, with gamma functions of small arguments."""
    formula = defined(formula)
    for wanted, better in _PLAIN:
        formula = formula.replace(wanted, better)
    return formula


def _shifted(logarithm: Formula) -> Formula:
    r"""Replace $\log\Gamma(a+1) = \log\Gamma(a) + \log a$."""
    return log_modulus(sp.expand_func(sp.gamma(sp.expand(logarithm.args[0]))))


def _bessel(hypergeometric: Formula) -> Formula:
    r"""Return ${}_0F_1(b; x) = \Gamma(b)\,x^{(1-b)/2} I_{b-1}(2\sqrt x)$ for x > 0."""
    (b,), x = hypergeometric.args[1], hypergeometric.args[2]
    return sp.gamma(b) * x ** ((1 - b) / 2) * sp.besseli(b - 1, 2 * sp.sqrt(x))


def _is_limit(e: Formula) -> bool:
    parts: Any = e.args if isinstance(e, sp.hyper) else None
    return parts is not None and not parts[0] and len(parts[1]) == 1 and bool(parts[2].is_positive)


_PLAIN: tuple[tuple[Any, Any], ...] = (
    (lambda e: isinstance(e, sp.erfc), lambda e: 1 - sp.erf(e.args[0])),
    (_is_limit, _bessel),
    (lambda e: isinstance(e, sp.besselk | sp.besseli), to_elementary),
    (lambda e: isinstance(e, sp.log), lambda e: log_modulus(factor_formula(e.args[0]))),
    (lambda e: isinstance(e, sp.loggamma) and e.args[0].is_positive, _shifted),
)


def unify_equal_functions(formula: Formula) -> Formula:
    """Return the formula with functions of equal arguments made one; an odd function keeps its sign."""
    formula = split_logarithms(formula)
    for kind in SPECIAL:
        known: list[Formula] = []
        replaced: dict[Any, Any] = {}
        for each in sorted(formula.atoms(kind), key=lambda e: (sp.count_ops(e), str(e))):
            replaced |= _twin(each, known)
            if each not in replaced:
                known.append(each)
        formula = formula.xreplace(replaced)
    return formula


def _twin(each: Formula, known: list[Formula]) -> dict[Any, Any]:
    for other in known:
        if _equal(each, other):
            return {each: other}
        if isinstance(each, sp.erf) and _equal(each, -other):
            return {each: -other}
    return {}


def _equal(one: Formula, other: Formula) -> bool:
    """Return whether two functions agree at a few points and their arguments are shown to be equal."""
    symbols = one.free_symbols.union(other.free_symbols)
    for point in points(symbols, seed=23, count=2):
        a, b = evaluate(one, point), evaluate(other, point)
        if a is None or b is None or abs(a - b) > mp.mpf(10) ** -20 * (1 + abs(a)):
            return False
    flipped = isinstance(other, sp.Mul)
    right = (-other).args if flipped else other.args
    pairs = zip(one.args, right, strict=True)
    return all(_vanishes(a + b if flipped else a - b) for a, b in pairs if not isinstance(a, sp.Tuple)) and all(
        a == b for a, b in zip(one.args, right, strict=True) if isinstance(a, sp.Tuple)
    )


def _vanishes(difference: Formula) -> bool:
    return difference == 0 or is_zero(difference) or sp.simplify(difference) == 0
