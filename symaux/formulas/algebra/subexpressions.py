r"""List candidates for a change of variables: sub-expressions of a formula, and functions closely related to them.

>>> z = sp.Symbol("z", positive=True)
>>> [str(part) for part in candidate_substitutions(-sp.cosh(z) - sp.log(z), z)]
['z', 'cosh(z)', 'log(z)', 'exp(z)', 'sinh(z)', 'tanh(z)', 'exp(2*z)', 'sinh(z/2)']
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import sympy as sp

from symaux.formulas.symbols.formula import Formula


def candidate_substitutions(formula: Formula, variable: Formula) -> list[Formula]:
    """Return the sub-expressions with the variable, then functions related to them, simple ones first in each group."""
    inside = {e for e in sp.preorder_traversal(formula) if isinstance(e, sp.Expr) and e.has(variable)}
    written = {e for e in inside - {formula} if not isinstance(e, sp.Piecewise)}
    inside = {_bare(e, variable) for e in written}
    related = {_bare(e, variable) for part in inside | written for e in _related(part, variable)}
    related |= set(_sums(formula, variable, inside)) | set(_products(formula, variable))
    related -= inside
    return [*sorted(inside | {variable}, key=_size), *sorted(related - {variable}, key=_size)]


def _sums(formula: Formula, variable: Formula, inside: set[Formula]) -> Iterator[Formula]:
    """Yield partial sums: the terms that are not logarithms, and the terms that are polynomials in one sub-expression."""
    for total in (formula, *(part for part in inside if part.is_Add)):
        terms = [term for term in sp.Add.make_args(total) if term.has(variable)]
        others = [term for term in terms if not isinstance(term.as_independent(variable, as_Add=False)[1], sp.log)]
        groups = [others] + [
            [t for t in terms if t.is_polynomial(part) and not _other(t, part, variable)] for part in inside
        ]
        for group in groups:
            if 1 < len(group) < len(terms):
                yield sp.Add(*group)


def _products(formula: Formula, variable: Formula) -> Iterator[Formula]:
    r"""Yield products raised to the same power: $xy$ in $a\log x + a\log y$, where a contains a symbol.

    >>> z, a = sp.symbols("z a", positive=True)
    >>> list(_products((a - 1)*sp.log(z) + (a - 1)*sp.log(2 - z) + sp.log(1 - z), z))
    [z*(2 - z)]
    """
    weighted: dict[Formula, list[Formula]] = defaultdict(list)
    for term in sp.Add.make_args(formula):
        weight, logarithm = term.as_independent(variable, as_Add=False)
        if isinstance(logarithm, sp.log) and weight.free_symbols:
            weighted[sp.expand(weight)].append(logarithm.args[0])
    yield from (sp.Mul(*arguments) for arguments in weighted.values() if len(arguments) > 1)


def _other(term: Formula, part: Formula, variable: Formula) -> bool:
    return term.xreplace({part: sp.S.One}).has(variable)


def _bare(part: Formula, variable: Formula) -> Formula:
    """Return the expression without constant terms and factors: these do not change which law it leads to."""
    bare = part.as_independent(variable, as_Add=True)[1] if part.is_Add else part
    bare = bare.as_independent(variable, as_Add=False)[1] if bare.is_Mul else bare
    return bare if bare == part else _bare(bare, variable)


def _size(formula: Formula) -> tuple[int, str]:
    return int(sp.count_ops(formula)), str(formula)


def _related(part: Formula, variable: Formula) -> Iterator[Formula]:
    """Yield functions in which the expression is rational, or whose square it is, up to constants."""
    x = part.args[0] if part.args else part
    match part:
        case sp.sinh() | sp.cosh() | sp.tanh() | sp.sech() | sp.csch() | sp.coth():
            yield from (sp.exp(x), sp.tanh(x), sp.sinh(x), sp.sinh(x / 2), sp.exp(2 * x))
        case sp.sin() | sp.cos() | sp.tan() | sp.cot() | sp.sec() | sp.csc():
            yield from (sp.tan(x / 2), sp.tan(x), sp.sin(x), sp.sin(x / 2), sp.cos(x))
        case sp.exp():
            yield from _exponentials(x, variable)
        case sp.Add():
            yield from _halves(part, variable)
            yield 1 / part
        case sp.Mul() if any(isinstance(factor, sp.Pow) and factor.exp == 2 for factor in part.args):
            yield sp.expand(sp.Mul(*(factor.base ** (factor.exp / 2) for factor in map(_as_power, part.args))))
        case sp.Pow() if not part.exp.has(variable):
            base = part.base.as_independent(variable, as_Add=False)[1] if part.base.is_Mul else part.base
            _, rest = part.exp.as_coeff_Mul()
            yield from (base**part.exp, base**-part.exp, base**rest, base**-rest)


def _exponentials(x: Formula, variable: Formula) -> Iterator[Formula]:
    """Yield exponentials of x and of its terms, with and without numeric factors, and their reciprocals."""
    for term in (x.as_independent(variable, as_Add=True)[1], *sp.Add.make_args(x)):
        if term.has(variable):
            _, rest = term.as_coeff_Mul()
            yield from (sp.exp(-term), sp.exp(rest), sp.exp(-rest), sp.exp(term))


def _as_power(factor: Formula) -> Formula:
    return sp.Pow(*factor.as_base_exp(), evaluate=False)


def _halves(total: sp.Add, variable: Formula) -> Iterator[Formula]:
    r"""Yield $\sqrt{at} - \sqrt{b/t}$ for a sum that contains $at + b/t$: its square is that sum less a constant."""
    terms = [term for term in total.args if term.has(variable)]
    for one in terms:
        for other in terms:
            product = sp.powsimp(one * other)
            if one != other and not product.has(variable) and product.is_positive and sp.count_ops(one) < 12:
                yield sp.sqrt(one) - sp.sqrt(other)
