r"""A formula near an end of its noise, as its limit and what is missing: $g(v) = c + d(v)$ with $d(v) \to 0$ as $v \to 0$.

Whatever cancels in the plain formula is taken out of it symbolically: $e^{c+d} - e^c = e^c\operatorname{expm1} d$,
$\log(c + d) - \log c = \operatorname{log1p}(d/c)$, $\sqrt{c+d} - \sqrt c = d/(\sqrt{c+d} + \sqrt c)$, so that no digit of v is
lost however small it is. Every step is an identity wherever the plain formula has a value: a limit that is taken for what
it is not costs digits, never the value; only that a limit is zero must be sure, and is left to ``Facts``.

>>> v, b = sp.symbols("v b", positive=True)
>>> near(1 - (1 - v)**(1/b), v)
-expm1(log1p(-v)/b)
>>> near(sp.log(sp.atan(sp.log(v)) + sp.pi/2), v)
log(atan2(1, -log(v)))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.formulas.algebra.addition_formulas import AT_INFINITY, by_addition
from symaux.formulas.algebra.expansion_point import Near, large, small, unknown
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.functions.elementary import defined, expm1, log1p, softplus
from symaux.formulas.functions.registry import lambertwm1_of_exp

oo = sp.oo


@dataclass(frozen=True)
class Facts:
    """What is known of the parameters: a formula in them as a number where it is one for all of them, its sign, and whether
    it is much less than the parts that it is the sum of."""

    settled: Callable[[Any], Any] = lambda c: sp.S.Zero if c.is_zero else c
    sign: Callable[[Any], int | None] = lambda c: 1 if c.is_positive else -1 if c.is_negative else None
    cancels: Callable[[Any, list[Any]], bool] = lambda c, parts: False


PLAIN = Facts()


def near(formula: Any, v: Any, facts: Facts = PLAIN) -> Any:
    """Return an equal formula that keeps its digits as v goes to zero from above."""
    return _Walk(v, facts)(defined(formula)).value


def opened(formula: Any) -> Any:
    r"""$(xy^a)^b = x^by^{ab}$ wherever the factors are positive: what is raised may be the limit of something.

    >>> u, b = sp.symbols("u b", positive=True)
    >>> p = 1 + sp.erf(sp.Symbol("x", real=True))
    >>> opened((u*p**b)**(1/b))
    u**(1/b)*(erf(x) + 1)
    """
    return defined(formula).replace(lambda e: isinstance(e, sp.Pow) and not e.exp.is_integer, _opened)


def _opened(power: Any) -> Any:
    factors = sp.Mul.make_args(power.base)
    inner = [f.as_base_exp() for f in factors]
    if (len(factors) == 1 and inner[0][1] == 1) or not all(sign_of(b) == 1 and p.is_real for b, p in inner):
        return power
    return sp.Mul(*(b ** (p * power.exp) for b, p in inner))


class _Walk:
    """From the leaves up, each part once."""

    def __init__(self, v: Any, facts: Facts) -> None:
        self.v, self.facts, self.seen = v, facts, dict[Any, Near]()

    def __call__(self, e: Any) -> Near:
        if e not in self.seen:
            self.seen[e] = self._settled(self._made(e))
        return self.seen[e]

    def _settled(self, x: Near) -> Near:
        """With a number for a limit that is one; what goes to nothing is known by what is missing."""
        if not x.finite:
            return x
        limit = self.facts.settled(x.limit)
        return small(x.rest) if limit == 0 else Near(limit, x.rest, x.value)

    def _made(self, e: Any) -> Near:
        if not e.has(self.v):
            return Near(e, sp.S.Zero, e)
        if e == self.v:
            return small(e)
        match e:
            case sp.Add():
                return _sum([self(a) for a in e.args], self.facts)
            case sp.Mul():
                return self._product([self(a) for a in e.args])
            case sp.Pow() if not e.exp.has(self.v):
                return self._power(self(e.base), e.exp)
            case sp.Pow():
                return _exp(self._product([self(e.exp), self._settled(_log(self(e.base)))]))
            case sp.exp():
                return _exp(self(e.args[0]))
            case sp.log():
                return mixed(self(e.args[0]), self.v) or _log(self(e.args[0]))
            case sp.LambertW() if len(e.args) == 2 and e.args[1] == -1:
                return self(lambertwm1_of_exp(sp.log(-e.args[0])))
            case sp.Piecewise():
                return unknown(sp.Piecewise(*((self(x).value, c) for x, c in e.args)))
        return self._function(e)

    def _product(self, parts: list[Near]) -> Near:
        whole = sp.Mul(*(p.value for p in parts))
        if all(p.finite for p in parts):
            return small(whole) if any(p.limit == 0 for p in parts) else _multiplied(parts, whole)
        signs = [self._way(p.limit) for p in parts]
        sure = None not in signs and not any(p.limit == 0 for p in parts)
        return large(sp.prod(signs) * oo if sure else None, whole)

    def _way(self, limit: Any) -> int | None:
        if limit in (oo, -oo, None):
            return {oo: 1, -oo: -1}.get(limit)
        return self.facts.sign(limit)

    def _power(self, x: Near, p: Any) -> Near:
        way, whole = self.facts.sign(p), x.value**p
        if x.limit is None or way is None:
            return unknown(whole) if not x.finite or x.limit == 0 else _raised(x, p, whole)
        if x.limit == 0:
            return small(whole) if way == 1 else large(_pole(x.rest, p), whole)
        if not x.finite:
            return small(whole) if way == -1 else large(oo if x.limit == oo else None, whole)
        return _raised(x, p, whole)

    def _function(self, e: Any) -> Near:
        """Return a function with an addition formula of its own; any other is taken as it is."""
        *shapes, last = e.args
        x = self(last)
        whole = e.func(*(self(a).value for a in e.args))
        if any(a.has(self.v) for a in shapes):
            return unknown(whole)
        if not x.finite:
            known = AT_INFINITY.get((e.func, x.limit))
            return unknown(whole) if known is None else known(x.value)
        return by_addition(e.func, tuple(shapes), x, whole)


def _sum(parts: list[Near], facts: Facts) -> Near:
    whole = sp.Add(*(p.value for p in parts))
    ends = {p.limit for p in parts if not p.finite}
    if ends:
        return large(ends.pop() if len(ends) == 1 else None, whole)
    limit, rest = sp.Add(*(p.limit for p in parts)), sp.Add(*(p.rest for p in parts))
    return Near(limit, rest, limit + rest if facts.cancels(limit, [p.limit for p in parts]) else whole)


def _multiplied(parts: list[Near], whole: Any) -> Near:
    """(c + d)(c' + d') = cc' + (cd' + d(c' + d'))."""
    fixed = sp.Mul(*(p.limit for p in parts if p.rest == 0))
    moving = [p for p in parts if p.rest != 0] or [Near(sp.S.One, sp.S.Zero, sp.S.One)]
    limit, rest = moving[0].limit, moving[0].rest
    for p in moving[1:]:
        limit, rest = limit * p.limit, limit * p.rest + rest * p.value
    return Near(fixed * limit, fixed * rest, whole)


def _exp(x: Near) -> Near:
    if x.finite:
        return Near(sp.exp(x.limit), sp.exp(x.limit) * expm1(x.rest), sp.exp(x.value))
    return small(sp.exp(x.value)) if x.limit == -oo else large(x.limit, sp.exp(x.value))


def _log(x: Near) -> Near:
    if x.limit == 0:
        return large(-oo, sp.log(x.rest))
    if not x.finite:
        return large(oo if x.limit == oo else None, sp.log(x.value))
    return Near(sp.log(x.limit), log1p(ratio(x.rest, x.limit)), sp.log(x.value))


def mixed(x: Near, v: Any) -> Near | None:
    r"""$\log((1 - v)e^a + ve^b) = a + \log(1 - v) + \operatorname{softplus}(b - a + \operatorname{logit} v)$: both are small.

    >>> a, b = sp.symbols("a b", real=True)
    >>> v = sp.Symbol("v", positive=True)
    >>> mixed(Near(sp.exp(a), v*(sp.exp(b) - sp.exp(a)), sp.exp(a) + v*(sp.exp(b) - sp.exp(a))), v).value
    a + log1p(-v) + softplus(-a + b + log(v) - log1p(-v))
    """
    if not x.finite or x.limit == 0 or not (slope := sp.diff(x.rest, v)).has(sp.exp) or slope.has(v):
        return None
    low, high = (_exponent(sp.expand(f)) for f in (x.limit, x.limit + slope))
    if low is None or high is None:
        return None
    rest = log1p(-v) + softplus(high - low + sp.log(v) - log1p(-v))
    return Near(low, rest, low + rest)


def _exponent(product: Any) -> Any | None:
    """Return the logarithm of a product of exponentials and positive factors."""
    factors = sp.Mul.make_args(product)
    if not any(isinstance(f, sp.exp) for f in factors) or not all(sign_of(f) == 1 for f in factors):
        return None
    return sp.Add(*(f.args[0] if isinstance(f, sp.exp) else sp.log(f) for f in factors))


def _pole(rest: Any, p: Any) -> Any:
    """Return the limit of a power of what goes to zero, from the side that it comes from where that can be seen."""
    if not p.is_integer or p.is_even or rest.is_positive:
        return oo
    return -oo if rest.is_negative else None


def _raised(x: Near, p: Any, whole: Any) -> Near:
    top = x.limit**p
    if p == sp.S.Half:
        return Near(top, x.rest / (sp.sqrt(x.value) + top), whole)
    if p == -1:
        return Near(top, -ratio(x.rest, x.limit) / x.value, whole)
    if p == 2:
        return Near(top, x.rest * (x.limit + x.value), whole)
    return Near(top, top * expm1(p * log1p(ratio(x.rest, x.limit))), whole)


def ratio(rest: Any, limit: Any) -> Any:
    r"""rest/limit, with exponentials divided before they are worked out: both may be too small for the format.

    >>> a, b, v = sp.symbols("a b v", real=True)
    >>> ratio(v*(sp.exp(a) - sp.exp(b)), sp.exp(b))
    v*(exp(a - b) - 1)
    """
    if not any(isinstance(f, sp.exp) for f in sp.Mul.make_args(limit)):
        return rest / limit
    factors = [f for f in sp.Mul.make_args(rest) if isinstance(f, sp.Add) and f.has(sp.exp)]
    if not factors:
        return rest / limit
    split = sp.Add(*(sp.powsimp(term / limit, combine="exp") for term in factors[0].args))
    return split * sp.Mul(*(f for f in sp.Mul.make_args(rest) if f is not factors[0]))
