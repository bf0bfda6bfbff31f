r"""Expand a formula at a tail of its noise into its limit and a remainder: $g(v) = c + d(v)$ with $d(v) \to 0$ as $v \to 0$.

Terms that cancel in the original formula are cancelled symbolically: $e^{c+d} - e^c = e^c\operatorname{expm1} d$,
$\log(c + d) - \log c = \operatorname{log1p}(d/c)$, $\sqrt{c+d} - \sqrt c = d/(\sqrt{c+d} + \sqrt c)$, so that no digit of v is
lost however small it is. Every step is an identity wherever the original formula has a value, so a wrong limit costs digits
but never changes the value. The one exception is a limit of zero, which must be certain; ``Facts`` decides it.

>>> v, b = sp.symbols("v b", positive=True)
>>> expand_at_tail(1 - (1 - v)**(1/b), v)
-expm1(log1p(-v)/b)
>>> expand_at_tail(sp.log(sp.atan(sp.log(v)) + sp.pi/2), v)
log(atan2(1, -log(v)))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.formulas.algebra.addition_formulas import AT_INFINITY, expand_by_addition
from symaux.formulas.algebra.expansion_point import Expansion, diverging, vanishing, without_limit
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.functions.elementary import defined, expm1, log1p, softplus
from symaux.formulas.functions.registry import lambertwm1_of_exp
from symaux.formulas.symbols.formula import Formula

oo = sp.oo


@dataclass(frozen=True)
class Facts:
    """What is known about formulas in the parameters.

    ``constant`` replaces such a formula by a number where it has the same value for all parameters, ``sign`` returns its
    sign (None if unknown), and ``cancels`` returns whether a sum is much smaller than its terms.
    """

    constant: Callable[[Any], Any] = lambda c: sp.S.Zero if c.is_zero else c
    sign: Callable[[Any], int | None] = lambda c: 1 if c.is_positive else -1 if c.is_negative else None
    cancels: Callable[[Any, list[Any]], bool] = lambda c, parts: False


NO_FACTS = Facts()


def expand_at_tail(formula: Any, v: Any, facts: Facts = NO_FACTS) -> Any:
    """Return an equal formula that keeps its precision as v tends to zero from above."""
    return _Expander(v, facts)(defined(formula)).value


def split_powers(formula: Any) -> Any:
    r"""Split powers of products, $(xy^a)^b = x^by^{ab}$, wherever the factors are known to be positive.

    A factor that tends to zero can only be recognised once it is no longer hidden inside a power.

    >>> u, b = sp.symbols("u b", positive=True)
    >>> p = 1 + sp.erf(sp.Symbol("x", real=True))
    >>> split_powers((u*p**b)**(1/b))
    u**(1/b)*(erf(x) + 1)
    """
    return defined(formula).replace(lambda e: isinstance(e, sp.Pow) and not e.exp.is_integer, _split_power)


def _split_power(power: Any) -> Any:
    factors = sp.Mul.make_args(power.base)
    inner = [f.as_base_exp() for f in factors]
    if (len(factors) == 1 and inner[0][1] == 1) or not all(sign_of(b) == 1 and p.is_real for b, p in inner):
        return power
    return sp.Mul(*(b ** (p * power.exp) for b, p in inner))


class _Expander:
    """Expands every sub-expression once, from the leaves up."""

    def __init__(self, v: Any, facts: Facts) -> None:
        self.v, self.facts, self.expansions = v, facts, dict[Any, Expansion]()

    def __call__(self, e: Any) -> Expansion:
        if e not in self.expansions:
            self.expansions[e] = self._with_constant_limit(self._expand(e))
        return self.expansions[e]

    def _with_constant_limit(self, x: Expansion) -> Expansion:
        """Replace a limit that is a constant by its number; a value that tends to zero is its own remainder."""
        if not x.finite:
            return x
        limit = self.facts.constant(x.limit)
        return vanishing(x.rest) if limit == 0 else Expansion(limit, x.rest, x.value)

    def _expand(self, e: Any) -> Expansion:
        if not e.has(self.v):
            return Expansion(e, sp.S.Zero, e)
        if e == self.v:
            return vanishing(e)
        arguments = e.args
        match e:
            case sp.Add():
                return _sum([self(a) for a in e.args], self.facts)
            case sp.Mul():
                return self._product([self(a) for a in e.args])
            case sp.Pow() if not e.exp.has(self.v):
                return self._power(self(e.base), e.exp)
            case sp.Pow():
                return _exp(self._product([self(e.exp), self._with_constant_limit(_log(self(e.base)))]))
            case sp.exp():
                return _exp(self(e.args[0]))
            case sp.log():
                return expand_log_mixture(self(e.args[0]), self.v) or _log(self(e.args[0]))
            case sp.LambertW() if len(e.args) == 2 and e.args[1] == -1:
                return self(lambertwm1_of_exp(sp.log(-arguments[0])))
            case sp.Piecewise():
                return without_limit(sp.Piecewise(*((self(x).value, c) for x, c in arguments)))
        return self._function(e)

    def _product(self, parts: list[Expansion]) -> Expansion:
        whole = sp.Mul(*(p.value for p in parts))
        if all(p.finite for p in parts):
            return vanishing(whole) if any(p.limit == 0 for p in parts) else _multiplied(parts, whole)
        signs = [self._limit_sign(p.limit) for p in parts]
        known = None not in signs and not any(p.limit == 0 for p in parts)
        return diverging(sp.prod(signs) * oo if known else None, whole)

    def _limit_sign(self, limit: Any) -> int | None:
        if limit in (oo, -oo, None):
            return {oo: 1, -oo: -1}.get(limit)
        return self.facts.sign(limit)

    def _power(self, x: Expansion, p: Any) -> Expansion:
        sign, whole = self.facts.sign(p), x.value**p
        if x.limit is None or sign is None:
            return without_limit(whole) if not x.finite or x.limit == 0 else _raised(x, p, whole)
        if x.limit == 0:
            return vanishing(whole) if sign == 1 else diverging(_pole(x.rest, p), whole)
        if not x.finite:
            return vanishing(whole) if sign == -1 else diverging(oo if x.limit == oo else None, whole)
        return _raised(x, p, whole)

    def _function(self, e: Any) -> Expansion:
        """Expand a function by its addition formula, or by its limit at infinity; without either, the limit is unknown."""
        *shapes, last = e.args
        x = self(last)
        whole = e.func(*(self(a).value for a in e.args))
        if any(a.has(self.v) for a in shapes):
            return without_limit(whole)
        if not x.finite:
            known = AT_INFINITY.get((e.func, x.limit))
            return without_limit(whole) if known is None else known(x.value)
        return expand_by_addition(e.func, tuple(shapes), x, whole)


def _sum(parts: list[Expansion], facts: Facts) -> Expansion:
    whole = sp.Add(*(p.value for p in parts))
    ends = {p.limit for p in parts if not p.finite}
    if ends:
        return diverging(ends.pop() if len(ends) == 1 else None, whole)
    limit, rest = sp.Add(*(p.limit for p in parts)), sp.Add(*(p.rest for p in parts))
    return Expansion(limit, rest, limit + rest if facts.cancels(limit, [p.limit for p in parts]) else whole)


def _multiplied(parts: list[Expansion], whole: Any) -> Expansion:
    """Expand a product of finite limits: (c + d)(c' + d') = cc' + (cd' + d(c' + d'))."""
    fixed = sp.Mul(*(p.limit for p in parts if p.rest == 0))
    moving = [p for p in parts if p.rest != 0] or [Expansion(sp.S.One, sp.S.Zero, sp.S.One)]
    limit, rest = moving[0].limit, moving[0].rest
    for p in moving[1:]:
        limit, rest = limit * p.limit, limit * p.rest + rest * p.value
    return Expansion(fixed * limit, fixed * rest, whole)


def _exp(x: Expansion) -> Expansion:
    if x.finite:
        return Expansion(sp.exp(x.limit), sp.exp(x.limit) * expm1(x.rest), sp.exp(x.value))
    return vanishing(sp.exp(x.value)) if x.limit == -oo else diverging(x.limit, sp.exp(x.value))


def _log(x: Expansion) -> Expansion:
    if x.limit == 0:
        return diverging(-oo, sp.log(x.rest))
    if not x.finite:
        return diverging(oo if x.limit == oo else None, sp.log(x.value))
    return Expansion(sp.log(x.limit), log1p(divide_exponentials(x.rest, x.limit)), sp.log(x.value))


def expand_log_mixture(x: Expansion, v: Any) -> Expansion | None:
    r"""Expand $\log((1 - v)e^a + ve^b) = a + \log(1 - v) + \operatorname{softplus}(b - a + \operatorname{logit} v)$.

    Both terms of the remainder tend to zero. Return None if x is not such a mixture.

    >>> a, b = sp.symbols("a b", real=True)
    >>> v = sp.Symbol("v", positive=True)
    >>> expand_log_mixture(Expansion(sp.exp(a), v*(sp.exp(b) - sp.exp(a)), sp.exp(a) + v*(sp.exp(b) - sp.exp(a))), v).value
    a + log1p(-v) + softplus(-a + b + log(v) - log1p(-v))
    """
    if not x.finite or x.limit == 0 or not (derivative := sp.diff(x.rest, v)).has(sp.exp) or derivative.has(v):
        return None
    low, high = (_exponent(sp.expand(f)) for f in (x.limit, x.limit + derivative))
    if low is None or high is None:
        return None
    log_rest, gain = log1p(-v), softplus(high - low + sp.log(v) - log1p(-v))
    rest = log_rest + gain  # pyright: ignore[reportOperatorIssue]  # sympy hints that Function returns a class
    return Expansion(low, rest, low + rest)


def _exponent(product: Any) -> Any | None:
    """Return the logarithm of a product of exponentials and positive factors."""
    factors = sp.Mul.make_args(product)
    if not any(isinstance(f, sp.exp) for f in factors) or not all(sign_of(f) == 1 for f in factors):
        return None
    logarithms: list[Formula] = [f.args[0] if isinstance(f, sp.exp) else sp.log(f) for f in factors]
    return sp.Add(*logarithms)


def _pole(rest: Any, p: Any) -> Any:
    """Return the limit of a negative power of a value that tends to zero; None if an odd power has an unknown sign."""
    if not p.is_integer or p.is_even or rest.is_positive:
        return oo
    return -oo if rest.is_negative else None


def _raised(x: Expansion, p: Any, whole: Any) -> Expansion:
    top = x.limit**p
    if p == sp.S.Half:
        return Expansion(top, x.rest / (sp.sqrt(x.value) + top), whole)
    if p == -1:
        return Expansion(top, -divide_exponentials(x.rest, x.limit) / x.value, whole)
    if p == 2:
        return Expansion(top, x.rest * (x.limit + x.value), whole)
    return Expansion(top, top * expm1(p * log1p(divide_exponentials(x.rest, x.limit))), whole)


def divide_exponentials(rest: Any, limit: Any) -> Any:
    r"""Return rest/limit with exponentials divided symbolically: evaluated separately, both may underflow.

    >>> a, b, v = sp.symbols("a b v", real=True)
    >>> divide_exponentials(v*(sp.exp(a) - sp.exp(b)), sp.exp(b))
    v*(exp(a - b) - 1)
    """
    if not any(isinstance(f, sp.exp) for f in sp.Mul.make_args(limit)):
        return rest / limit
    factors = [f for f in sp.Mul.make_args(rest) if isinstance(f, sp.Add) and f.has(sp.exp)]
    if not factors:
        return rest / limit
    split = sp.Add(*(sp.powsimp(term / limit, combine="exp") for term in factors[0].args))
    return split * sp.Mul(*(f for f in sp.Mul.make_args(rest) if f is not factors[0]))
