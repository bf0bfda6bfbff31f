r"""A law: the conditional density of one variable, $\log p(z \mid \mathrm{pa})$ on its support.

>>> z, a, b = sp.symbols("z a b", positive=True)
>>> kumaraswamy = law(z, a*b*z**(a - 1)*(1 - z**a)**(b - 1), support=(0, 1))
>>> kumaraswamy.log_density
(a - 1)*log(z) + (b - 1)*log(1 - z**a) + log(a) + log(b)
>>> print(kumaraswamy)
z ~ exp((a - 1)*log(z) + (b - 1)*log(1 - z**a) + log(a) + log(b)) on (0, 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.tensor.indexed import Idx, Indexed

from symaux.errors import LawError
from symaux.formulas.algebra.absolute_value import with_moduli
from symaux.formulas.algebra.asinh import with_inverse_sines
from symaux.formulas.algebra.convert import expression, substitute
from symaux.formulas.algebra.hypergeometric_sums import without_sums
from symaux.formulas.algebra.plate_sums import pulled_out
from symaux.formulas.functions.registry import regularised
from symaux.formulas.numeric.points import possible, sign_on
from symaux.formulas.symbols.indices import name_of, references
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval, Support, bounds, in_order, substituted
from symaux.laws.support import as_support
from symaux.laws.validity import refuse_bad_signs, sign_conditions, sign_of_the_rest


@dataclass(frozen=True)
class Spelling:
    """How a law was written: a family with its arguments. For printing and for sharing derivations."""

    family: str
    arguments: tuple[sp.Expr, ...]
    template: Law  # the family with its own parameter symbols
    symbols: tuple[sp.Symbol, ...]

    def __str__(self) -> str:
        return f"{self.family}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Law:
    """The law of ``value``: an element ``z[n, i]`` or a scalar ``z``, given its parents."""

    value: Any  # sp.Symbol | Indexed; sympy's types do not carry the operations that users need
    log_density: sp.Expr
    support: Support
    conditions: tuple[Boolean, ...] = ()  # what the parameters must satisfy and sympy could not show
    event: tuple[Idx, ...] = ()  # plates along which one draw is a vector
    proper: bool = True  # a flat prior is not: it integrates to infinity
    spelling: Spelling | None = field(default=None, compare=False, repr=False)
    # how to draw from it, where the formula does not tell: a mixture's weighted parts; another law and a function of it
    components: tuple[tuple[sp.Expr, Law], ...] = field(default=(), compare=False, repr=False)
    origin: tuple[Law, sp.Expr] | None = field(default=None, compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        """Return the log-density of a law that has waited for somebody to ask for it."""
        waiting = self.__dict__.get("waiting") if name == "log_density" else None
        if waiting is None:
            raise AttributeError(f"a law has no {name!r}")
        formula, names = waiting
        object.__setattr__(self, name, formula.xreplace(names))
        return self.log_density

    @property
    def name(self) -> str:
        return name_of(self.value)

    @property
    def formulas(self) -> tuple[sp.Expr, ...]:
        """Return everything in which a parent may stand."""
        return (self.log_density, *bounds(self.support))

    @property
    def parameters(self) -> tuple[sp.Expr, ...]:
        """Return the parents and inputs as they stand in the formulas, sorted by name."""
        read = {r for formula in self.formulas for r in references(formula) if r != self.value}
        return tuple(sorted(read, key=str))

    @property
    def density(self) -> sp.Expr:
        return sp.exp(self.log_density)

    @property
    def interval(self) -> Interval:
        """Return the support of a law that is known to live on an interval."""
        assert isinstance(self.support, Interval), f"{self.name} lives on {self.support}"
        return self.support

    @property
    def discrete(self) -> bool:
        return self.support.discrete

    def substituted(self, mapping: Mapping[Any, Any]) -> Law:
        """Return the same law about other symbols, replaced exactly and all at once."""
        mapping = dict(mapping)
        return replace(
            self,
            value=self.value.xreplace(mapping),
            log_density=substitute(self.log_density, mapping),
            support=substituted(self.support, mapping),
            conditions=tuple(c for c in (c.xreplace(mapping) for c in self.conditions) if c != sp.true),
            event=tuple(e.xreplace(mapping) for e in self.event),
            spelling=None,
            components=(),
            origin=None,
        )

    def __str__(self) -> str:
        if self.spelling:
            return f"{self.value} ~ {self.spelling}"
        if not self.proper:
            return f"{self.value} ~ flat on {self.support}"
        return f"{self.value} ~ exp({self.log_density}) on {self.support}"

    def _repr_latex_(self) -> str:
        from symaux.show.display.notebook import law_latex

        return law_latex(self)

    def _repr_html_(self) -> str:
        from symaux.show.display.notebook import law_html

        return law_html(self)


def deferred(like: Law, value: Any, spelling: Spelling, names: Mapping[Any, Any]) -> Law:
    """Return a law that is another one in other names; its log-density is written when it is asked for."""
    made, names = object.__new__(Law), dict(names)
    fields = {
        "value": value,
        "support": substituted(like.support, names)
        if any(b.free_symbols for b in bounds(like.support))
        else like.support,
        "conditions": tuple(c.xreplace(names) for c in like.conditions),
        "spelling": spelling,
        "waiting": (like.log_density, names),
    }
    for name, given in (vars(like) | fields).items():
        if name != "log_density":
            object.__setattr__(made, name, given)
    return made


def as_value(given: Any) -> Any:
    """Return the variable that a law is about: a symbol, or an element of an array."""
    if isinstance(given, sp.Symbol) and not isinstance(given, Idx):
        return given
    if isinstance(given, Indexed):
        return expression(given)
    raise LawError(f"a law is about a symbol or an element such as z[i], not {given!r} of type {type(given).__name__}")


def law(
    value: Any,
    density: Any = None,
    *,
    log_density: Any = None,
    support: Any = None,
    conditions: tuple[Boolean, ...] = (),
) -> Law:
    """Return a law from its density or log-density, or from a distribution of sympy.stats.

    >>> import sympy.stats
    >>> z, a, b = sp.symbols("z a b", positive=True)
    >>> law(z, sympy.stats.Weibull("w", a, b)).support
    Interval(lower=0, upper=oo)
    """
    value = as_value(value)
    if (density is None) == (log_density is None):
        raise LawError(f"the law of {value} needs either a density or log_density=..., and not both")
    if isinstance(density, sp.Expr) and hasattr(density, "pspace"):
        density, given = _from_sympy_stats(density, value)
        support = given if support is None else support
    where = as_support(support, value)
    if conditions and not possible((*conditions, *in_order(where))):
        listed = ", ".join(map(str, (*conditions, *in_order(where))))
        raise LawError(f"the law of {value}: no parameters were found that satisfy {listed} together")
    if log_density is not None:
        formula = pulled_out(_plainly(expression(without_sums(log_density))), value)
        refuse_bad_signs(sp.exp(formula), value, where, conditions)
        return Law(value, formula, where, conditions)
    formula = pulled_out(_plainly(expression(without_sums(density))), value)
    refuse_bad_signs(formula, value, where, conditions)
    conditions += sign_conditions(formula, value, where, conditions)
    sign = sign_of_the_rest(formula, value, sign_on(value, where, conditions))
    return Law(value, log_modulus(formula, sign), where, conditions)


def _plainly(formula: sp.Expr) -> sp.Expr:
    """Return the formula with moduli, inverse hyperbolic sines and regularised functions by their names, however
    they were written."""
    return regularised(with_inverse_sines(with_moduli(formula)))


def flat(value: Any, support: Any = None) -> Law:
    """Return an improper prior: constant log-density 0 on its support.

    >>> flat(sp.Symbol("beta", real=True)).proper
    False
    """
    value = as_value(value)
    return Law(value, sp.S.Zero, as_support(support, value), proper=False)


def _from_sympy_stats(variable: sp.Expr, value: sp.Expr) -> tuple[sp.Expr, Any]:
    try:
        space: Any = variable.pspace  # type: ignore[attr-defined]
        where = space.domain.set
        distribution = getattr(space, "distribution", None)
        if distribution is None:
            raise LawError(f"{variable} of sympy.stats is an expression of random variables, not a distribution")
        at = sp.Symbol(name_of(value), integer=value.is_integer, real=True)  # sympy.stats takes no elements of arrays
        formula = distribution.pmf(at) if hasattr(distribution, "pmf") else distribution.pdf(at)
    except (AttributeError, NotImplementedError, ValueError) as failure:
        raise LawError(f"sympy.stats gives no density for {variable}: {failure}") from failure
    return formula.xreplace({at: value}), where


__all__ = ["Law", "Spelling", "as_value", "deferred", "flat", "law"]
