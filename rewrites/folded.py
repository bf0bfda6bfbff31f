r"""A variable on the line without its sign: $z = |y|$.

**Applies when** a density on $(0, \infty)$ is a sum $q(z) + q(-z)$ of two terms that mirror each other: folded normal,
folded Cauchy and t laws. The law of y is that of one of the terms on the whole line; other rules take it from there.

>>> import sympy as sp
>>> from symaux.rules.toolkit import law
>>> z, c = sp.symbols("z c", positive=True)
>>> normal = sp.sqrt(2/sp.pi)*sp.cosh(c*z)*sp.exp(-(z**2 + c**2)/2)
>>> for made in folded(law(z, normal)):
...     print(made.value, sp.factor(made.noise[0].log_density.diff(made.noise[0].value)))
Abs(y) c - y

*Reference*: Leone, Nelson and Nottingham, The Folded Normal Distribution (1961).
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symaux.rules.toolkit import REALS, Formula, Interval, Law, Rewrite, log_modulus, rule, sign_on


@rule
def folded(law: Law) -> Iterator[Rewrite]:
    r"""$z = |y|$, from a density $q(z) + q(-z)$ of two terms that mirror each other."""
    if law.support != Interval(sp.S.Zero, sp.oo) or not law.proper or law.log_density.has(sp.hyper, sp.besseli):
        return
    y = sp.Symbol("y", real=True)
    for term in _half(law.density.xreplace({law.value: y}), y):
        yield Rewrite((Law(y, log_modulus(term, sign_on(y, REALS)), REALS),), sp.Abs(y))


def _half(density: Formula, y: sp.Symbol) -> Iterator[Formula]:
    """One of two terms, the one with its bulk where y is positive if that can be told."""
    for terms in _written(density, y):
        if len(terms) == 2 and _mirrored(*terms, y):
            ordered = sorted(terms, key=lambda term: (sp.log(term).diff(y).subs(y, 0).is_negative is True, str(term)))
            yield ordered[0]
            return


def _written(density: Formula, y: sp.Symbol) -> Iterator[tuple[Formula, ...]]:
    """The density as a sum, in a few ways."""
    spelled: Formula = density.replace(lambda e: isinstance(e, sp.cosh | sp.sinh), lambda e: e.rewrite(sp.exp))
    if not any(f.is_Add and f.has(y) for f in spelled.atoms(sp.Add)):
        return
    yield sp.Add.make_args(sp.expand_mul(spelled))
    if spelled.is_rational_function(y):
        parts = sp.Add.make_args(sp.apart(sp.cancel(spelled), y))
        yield tuple(sp.factor(part) for part in parts)


def _mirrored(one: Formula, other: Formula, y: sp.Symbol) -> bool:
    """Whether one term is the other at -y, and not at y."""
    mirror = one.xreplace({y: -y})
    return _equal(mirror, other) and not _equal(one, other)


def _equal(one: Formula, other: Formula) -> bool:
    return one == other or sp.simplify(one / other) == 1
