r"""Rewrite a formula so that a variable occurs in fewer places: $\frac{e^x}{1+e^x} = 1 - \frac{1}{1+e^x}$.

>>> x = sp.Symbol("x", real=True)
>>> found = regroup(sp.exp(x)/(1 + sp.exp(x)), x)
>>> found.inner, found.maps
(exp(x), (_slot + 1, -_slot, 1/_slot, _slot + 1))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import Sign, known_sign, log_modulus

SLOT = sp.Symbol("_slot", real=True)


@dataclass(frozen=True)
class Regrouped:
    """The same formula as maps, outermost first and each a formula in ``SLOT``, applied to one inner expression."""

    maps: tuple[Formula, ...]
    inner: Formula


def regroup(formula: Formula, variable: Formula, sign: Sign = known_sign) -> Regrouped | None:
    """Return the formula with the variable in fewer places, by the first method that applies; else None.

    ``sign`` only decides which rewrites are tried.
    """
    if isinstance(formula, sp.Add | sp.Mul):
        free, rest = formula.as_independent(variable, as_Add=isinstance(formula, sp.Add))
        if free not in (0, 1) and isinstance(rest, sp.Add | sp.Mul):
            outer = SLOT + free if isinstance(formula, sp.Add) else SLOT * free
            return Regrouped((outer,), rest)
    methods = (
        _one_logarithm,
        _one_power,
        _of_root,
        _moebius,
        _hyperbolic,
        _direction_cosine,
        lambda f, x: _lambert(f, x, sign),
    )
    return next((result for method in methods if (result := method(formula, variable)) is not None), None)


def _lambert(formula: Formula, variable: Formula, sign: Sign) -> Regrouped | None:
    r"""Rewrite $\alpha t + \beta\log t$, $t^\beta e^{\alpha t}$ or $\beta x + \alpha e^{cx}$ in $\kappa t \pm \log\kappa t$."""
    if isinstance(formula, sp.Mul) and formula.has(sp.exp) and len(formula.args) == 2:
        below = any(sign(factor) == -1 for factor in formula.args)
        logarithm = log_modulus(formula, sign)
        return None if logarithm.has(sp.Abs) else Regrouped((*((-SLOT,) if below else ()), sp.exp(SLOT)), logarithm)
    if not isinstance(formula, sp.Add) or len(formula.args) != 2:
        return None
    for one, other in (formula.args, reversed(formula.args)):
        beta, inner = _as_logarithm(one, other, variable)
        if inner is None:
            continue
        alpha = sp.simplify(other.diff(variable) / inner.diff(variable))
        kappa = _factor(alpha / beta)
        if alpha.has(variable) or not (kappa.is_positive or kappa.is_negative):
            continue
        sign_kappa = 1 if kappa.is_positive else -1
        shift = sp.simplify(other - alpha * inner) - beta * sp.log(sign_kappa * kappa)
        maps = (SLOT + shift, sign_kappa * beta * SLOT, SLOT + sign_kappa * sp.log(SLOT), sign_kappa * kappa * SLOT)
        return Regrouped(_without_identity(maps), inner)
    return None


def _as_logarithm(one: Formula, other: Formula, variable: Formula) -> tuple[Formula, Formula | None]:
    """Return the factor and the argument of a term that is a multiple of a logarithm; the argument is None if it is not.

    A term βx beside an exponential exp(cx) counts as the logarithm of that exponential, with the factor β/c.
    """
    factor, rest = one.as_independent(variable, as_Add=False)
    if isinstance(rest, sp.log):
        return factor, rest.args[0]
    for exponential in other.atoms(sp.exp):
        rate = sp.simplify(exponential.args[0] / rest)
        if exponential.has(variable) and not rate.has(variable):
            return factor / rate, exponential
    return factor, None


def _direction_cosine(formula: Formula, variable: Formula) -> Regrouped | None:
    r"""Rewrite $t/\sqrt{ct^2 + d} = \tanh(\operatorname{asinh}(t\sqrt{c/d}))/\sqrt c$."""
    root = next((f for f in formula.args if f.is_Pow and f.exp == -sp.S.Half), None) if formula.is_Mul else None
    if root is None:
        return None
    a, inner = (formula / root).as_independent(variable, as_Add=False)
    mark = sp.Dummy(real=True)
    base = root.base.xreplace({inner: mark})
    square = sp.Poly(base, mark) if base.is_polynomial(mark) and not base.has(variable) else None
    if square is None or square.degree() != 2 or square.nth(1) != 0:
        return None
    c, d = square.nth(2), square.nth(0)
    if c.is_negative and d.is_positive:  # sinh(atanh(t)) = t/sqrt(1 - t**2)
        maps = (SLOT * a / sp.sqrt(-c), sp.sinh(SLOT), sp.atanh(SLOT), SLOT * sp.sqrt(-c / d))
        return Regrouped(_without_identity(maps), inner)
    if not (c.is_positive and d.is_positive):
        return None
    maps = (SLOT * a / sp.sqrt(c), sp.tanh(SLOT), sp.asinh(SLOT), SLOT * sp.sqrt(c / d))
    return Regrouped(_without_identity(maps), inner)


def _of_root(formula: Formula, variable: Formula) -> Regrouped | None:
    r"""Rewrite $\frac{t}{b + \sqrt{c + kt}}$ with $c = b^2$, the inverse of a parabola, or its reciprocal."""
    if not isinstance(formula, sp.Mul):
        return None
    above = next((f for f in formula.args if f.is_Add and _root_in(f, variable) is not None), None)
    if above is None:
        return _inverse_parabola(formula, variable)
    found = _inverse_parabola(1 / formula, variable)
    return None if found is None else Regrouped((1 / SLOT, *found.maps), found.inner)


def _inverse_parabola(formula: Formula, variable: Formula) -> Regrouped | None:
    sums = [f.base for f in formula.args if f.is_Pow and f.exp == -1 and f.base.is_Add]
    candidates = [(total, root) for total in sums if (root := _root_in(total, variable)) is not None]
    if len(candidates) != 1 or (candidates[0][0] - candidates[0][1]).has(variable):
        return None
    below, root = candidates[0]
    factor, power = root.as_independent(variable, as_Add=False)
    number, inner = (formula * below).as_independent(variable, as_Add=False)
    mark = sp.Dummy("t", real=True)
    forms = (factor**2 * form.xreplace({inner: mark}) for form in (power.base, sp.expand(power.base)))
    base = next((form for form in forms if not form.has(variable)), power.base)
    b, k = below - root, base.diff(mark)
    if not factor.is_positive or base.has(variable) or k.has(mark) or sp.simplify(base - k * mark - b**2) != 0:
        return None
    return Regrouped(_without_identity((SLOT * number, SLOT / (b + sp.sqrt(b**2 + k * SLOT)))), inner)


def _root_in(total: Formula, variable: Formula) -> Formula | None:
    """Return the term of a sum that is a multiple of a square root containing the variable."""
    powers = ((term, term.as_independent(variable, as_Add=False)[1]) for term in total.args)
    return next((term for term, p in powers if p.is_Pow and p.exp == sp.S.Half and p.has(variable)), None)


def _hyperbolic(formula: Formula, variable: Formula) -> Regrouped | None:
    r"""Rewrite $at - b/t = 2\sqrt{ab}\sinh\log(t\sqrt{a/b})$, and $at + b/t$ with a cosh."""
    if not isinstance(formula, sp.Add) or len(formula.args) != 2:
        return None
    one, other = sorted(formula.args, key=lambda term: term.could_extract_minus_sign())
    a, inner = one.as_independent(variable, as_Add=False)
    b = sp.powsimp(other * inner, force=False)
    if b.has(variable) or not (a.is_positive and inner.is_positive and (b.is_positive or b.is_negative)):
        return None
    function, b = (sp.cosh, b) if b.is_positive else (sp.sinh, -b)
    maps = (2 * sp.sqrt(a * b) * SLOT, function(SLOT), sp.log(SLOT), sp.sqrt(a / b) * SLOT)
    return Regrouped(_without_identity(maps), inner)


def _one_logarithm(formula: Formula, variable: Formula) -> Regrouped | None:
    r"""Combine $c\log a - c\log b = c\log(a/b)$."""
    if not isinstance(formula, sp.Add):
        return None
    factors, arguments = set(), []
    for term in formula.args:
        factor, logarithm = term.as_independent(variable, as_Add=False)
        if not isinstance(logarithm, sp.log):
            return None
        scale = -factor if factor.could_extract_minus_sign() else factor
        factors.add(scale)
        arguments.append(logarithm.args[0] if scale == factor else 1 / logarithm.args[0])
    if len(factors) != 1:
        return None
    (scale,) = factors
    return Regrouped((*(() if scale == 1 else (scale * SLOT,)), sp.log(SLOT)), sp.Mul(*arguments))


def _one_power(formula: Formula, variable: Formula) -> Regrouped | None:
    r"""Combine $a^p b^{-p} = (a/b)^p$ and $a^p e^{px} = (ae^x)^p$ for positive a and b."""
    if not isinstance(formula, sp.Mul):
        return None
    powers = [factor.as_base_exp() for factor in formula.args]
    common = next((exponent for _, exponent in powers if not exponent.has(variable)), sp.S.One)
    exponents, bases = set(), []
    for base, exponent in powers:
        if isinstance(base, sp.exp) or base == sp.E:
            base, exponent = sp.exp(sp.expand(sp.log(base) * exponent / common)), common
        if exponent.has(variable) or exponent == 1 or exponent == -1:
            return None
        scale = -exponent if exponent.could_extract_minus_sign() else exponent
        exponents.add(scale)
        bases.append(base if scale == exponent else 1 / base)
    if len(exponents) != 1 or not all(base.is_positive or sign_of(base) == 1 for base in bases):
        return None
    return Regrouped((SLOT ** exponents.pop(),), sp.Mul(*bases))


def _moebius(formula: Formula, variable: Formula) -> Regrouped | None:
    r"""Rewrite $\frac{at+b}{ct+d} = \frac ac + \frac{bc-ad}{c}\cdot\frac{1}{ct+d}$; $at^2+bt+c$ by completing the square."""
    for inner in _inner(formula, variable):
        mark = sp.Dummy("t", positive=inner.is_positive, real=True)
        written = _in_terms_of(formula, inner, mark)
        if written.has(variable):
            continue
        top, bottom = sp.fraction(sp.cancel(sp.together(written)))
        if not (top.is_polynomial(mark) and bottom.is_polynomial(mark)):
            continue
        above, below = sp.Poly(top, mark), sp.Poly(bottom, mark)
        if above.degree() <= 1 and below.degree() <= 1:
            return Regrouped(_fraction_maps(above, below), inner)
        if above.degree() == 2 and below.degree() == 0:
            return Regrouped(_square_maps(above, below), inner)
    return None


def _inner(formula: Formula, variable: Formula) -> Iterator[Formula]:
    """Yield the expressions in which the formula may be a fraction: its sub-expressions, largest first, then the variable."""
    parts = {e for e in sp.preorder_traversal(formula) if isinstance(e, sp.Function | sp.Pow) and e.has(variable)}
    parts.discard(formula)
    yield from sorted(parts, key=lambda e: (-sp.count_ops(e), str(e)))
    yield variable


def _in_terms_of(formula: Formula, inner: Formula, mark: sp.Symbol) -> Formula:
    """Return the formula with the symbol ``mark`` for the inner expression, and for its integer powers."""
    replaced: dict[sp.Basic, sp.Basic] = {inner: mark}
    if isinstance(inner, sp.exp | sp.Pow):
        base, exponent = inner.as_base_exp()
        for other in formula.atoms(sp.exp, sp.Pow):
            base_, exponent_ = other.as_base_exp()
            ratio = sp.cancel(exponent_ / exponent)
            if base_ == base and ratio.is_integer and ratio.is_number:
                replaced[other] = mark**ratio
    return formula.xreplace(replaced)


def _fraction_maps(above: sp.Poly, below: sp.Poly) -> tuple[Formula, ...]:
    a, b = above.nth(1), above.nth(0)
    c, d = below.nth(1), below.nth(0)
    if c == 0:
        return _without_identity((SLOT + b / d, SLOT * (a / d)))
    if (b == 0 and not (c.is_positive or c.is_negative)) or (a != 0 and sign_of(c) is None):
        rest = sp.factor(d - c * b / a)  # a(t + b/a) over c(t + b/a) + rest is monotone whatever the sign of c
        return _without_identity((SLOT * a, 1 / SLOT, SLOT + c, SLOT * rest, 1 / SLOT, SLOT + sp.cancel(b / a)))
    return _without_identity((SLOT + a / c, SLOT * ((b * c - a * d) / c), 1 / SLOT, SLOT + d, SLOT * c))


def _square_maps(above: sp.Poly, below: sp.Poly) -> tuple[Formula, ...]:
    a, b, c = (_factor(above.nth(n) / below.nth(0)) for n in (2, 1, 0))
    if not (a.is_positive or a.is_negative):  # monotone on an interval that the signs of b and b + 2at decide
        return _without_identity((SLOT + c, b * SLOT + a * SLOT**2))
    return _without_identity((SLOT + sp.factor(c - b**2 / (4 * a)), SLOT * a, SLOT**2, SLOT + b / (2 * a)))


def _factor(formula: Formula) -> Formula:
    return sp.factor(formula)


def _without_identity(maps: tuple[Formula, ...]) -> tuple[Formula, ...]:
    return tuple(each for each in maps if each != SLOT)
