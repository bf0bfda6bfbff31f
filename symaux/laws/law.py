r"""Define ``Law``, the conditional density of one variable: $\log p(z \mid \mathrm{pa})$ on its support.

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
from symaux.formulas.algebra.absolute_value import with_absolute_values
from symaux.formulas.algebra.asinh import with_asinh
from symaux.formulas.algebra.convert import as_formula, substitute
from symaux.formulas.algebra.hypergeometric_sums import without_sums
from symaux.formulas.algebra.plate_sums import pull_out_of_sums
from symaux.formulas.functions.registry import regularised
from symaux.formulas.numeric.points import possible, sign_on
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of, references
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.names import check_names
from symaux.formulas.symbols.support import Interval, Support, bounds, order_condition, substitute_in_support
from symaux.laws.density_sign import log_of_unknown_sign, shows_sign
from symaux.laws.support import as_support
from symaux.laws.validity import refuse_bad_signs, sign_conditions, sign_of_the_rest


@dataclass(frozen=True)
class Spelling:
    """A law's family and arguments, as it was written: for printing, and for sharing derivations."""

    family: str
    arguments: tuple[Formula, ...]
    template: Law  # the family with its own parameter symbols
    symbols: tuple[sp.Symbol, ...]

    def __str__(self) -> str:
        return f"{self.family}({', '.join(map(str, self.arguments))})"


_RENAMING = "_renaming"  # the attribute of a lazy law: a log-density, and the new names of its symbols


@dataclass(frozen=True)
class Law:
    """The law of ``value``: an element ``z[n, i]`` or a scalar ``z``, given its parents."""

    value: Any  # sp.Symbol | Indexed; sympy's types do not carry the operations that users need
    log_density: Formula
    support: Support
    conditions: tuple[Boolean, ...] = ()  # what the parameters must satisfy and sympy could not show
    event: tuple[Idx, ...] = ()  # plates along which one draw is a vector
    proper: bool = True  # a flat prior is not: it integrates to infinity
    spelling: Spelling | None = field(default=None, compare=False, repr=False)
    # how to draw where the formula does not say: the weighted parts of a mixture; or another law, and this value as a function
    # of its value
    components: tuple[tuple[Formula, Law], ...] = field(default=(), compare=False, repr=False)
    origin: tuple[Law, Formula] | None = field(default=None, compare=False, repr=False)

    def __getattr__(self, name: str) -> Any:
        """Compute the log-density of a law from ``lazy_law`` when it is first read; no other attribute is lazy."""
        renaming = self.__dict__.get(_RENAMING) if name == "log_density" else None
        if renaming is None:
            raise AttributeError(f"a law has no {name!r}")
        formula, names = renaming
        object.__setattr__(self, name, formula.xreplace(names))
        return self.log_density

    @property
    def name(self) -> str:
        return name_of(self.value)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """Return the formulas in which a parent may occur: the log-density and the bounds of the support."""
        return (self.log_density, *bounds(self.support))

    @property
    def parameters(self) -> tuple[Formula, ...]:
        """Return the parents and inputs as they occur in the formulas, sorted by name."""
        read = {r for formula in self.formulas for r in references(formula) if r != self.value}
        return tuple(sorted(read, key=str))

    @property
    def density(self) -> Formula:
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
        """Return the law with symbols replaced by others, exactly and all at once."""
        mapping = dict(mapping)
        return replace(
            self,
            value=self.value.xreplace(mapping),
            log_density=substitute(self.log_density, mapping),
            support=substitute_in_support(self.support, mapping),
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
            body = "flat" if self.log_density == 0 else f"improper(exp({self.log_density}))"
            return f"{self.value} ~ {body} on {self.support}"
        return f"{self.value} ~ exp({self.log_density}) on {self.support}"

    def _repr_latex_(self) -> str:
        from symaux.show.display.notebook import law_latex

        return law_latex(self)

    def _repr_html_(self) -> str:
        from symaux.show.display.notebook import law_html

        return law_html(self)


def lazy_law(like: Law, value: Any, spelling: Spelling, names: Mapping[Any, Any]) -> Law:
    """Return the law ``like`` in other names, its log-density renamed only when it is read.

    The result is a ``Law`` without the attribute ``log_density``, which ``Law.__getattr__`` computes. It is not an instance
    of a subclass, because dataclasses of different classes are never equal.
    """
    made, names = object.__new__(Law), dict(names)
    fields = {
        "value": value,
        "support": substitute_in_support(like.support, names)
        if any(b.free_symbols for b in bounds(like.support))
        else like.support,
        "conditions": tuple(c.xreplace(names) for c in like.conditions),
        "spelling": spelling,
        _RENAMING: (like.log_density, names),
    }
    for name, given in (vars(like) | fields).items():
        if name != "log_density":
            object.__setattr__(made, name, given)
    return made


def as_value(given: Any) -> Any:
    """Return the variable that a law is about, a symbol or an element of an array; raise LawError otherwise."""
    if isinstance(given, sp.Symbol) and not isinstance(given, Idx):
        return given
    if isinstance(given, Indexed):
        return as_formula(given)
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
    value, conditions = as_value(value), tuple(conditions)
    if (density is None) == (log_density is None):
        raise LawError(f"the law of {value} needs either a density or log_density=..., and not both")
    if isinstance(density, sp.Expr) and hasattr(density, "pspace"):
        density, given = _from_sympy_stats(density, value)
        support = given if support is None else support
    where = as_support(support, value)
    check_names((value, density, log_density, *bounds(where), *conditions), f"the law of {value}")
    if conditions and not possible((*conditions, *order_condition(where))):
        listed = ", ".join(map(str, (*conditions, *order_condition(where))))
        raise LawError(f"the law of {value}: no parameters were found that satisfy {listed} together")
    if log_density is not None:
        formula = pull_out_of_sums(_with_named_functions(as_formula(without_sums(log_density))), value)
        refuse_bad_signs(sp.exp(formula), value, where, conditions)
        return Law(value, formula, where, conditions)
    formula = pull_out_of_sums(_with_named_functions(as_formula(without_sums(density))), value)
    refuse_bad_signs(formula, value, where, conditions)
    conditions += sign_conditions(formula, value, where, conditions)
    sign = sign_of_the_rest(formula, value, sign_on(value, where, conditions))
    if isinstance(where, Interval) and not shows_sign(formula, value, where, conditions):
        return Law(value, log_of_unknown_sign(formula), where, conditions)
    return Law(value, log_modulus(formula, sign), where, conditions)


def _with_named_functions(formula: Formula) -> Formula:
    """Return the formula with moduli, inverse hyperbolic sines and regularised functions written by name."""
    return regularised(with_asinh(with_absolute_values(formula)))


def flat(value: Any, support: Any = None) -> Law:
    """Return an improper prior: constant log-density 0 on its support.

    >>> flat(sp.Symbol("beta", real=True)).proper
    False
    """
    value = as_value(value)
    return Law(value, sp.S.Zero, as_support(support, value), proper=False)


def _from_sympy_stats(variable: Formula, value: Formula) -> tuple[Formula, Any]:
    try:
        space: Any = variable.pspace  # type: ignore[attr-defined]
        where = space.domain.set
        distribution = getattr(space, "distribution", None)
        if distribution is None:
            raise LawError(f"{variable} of sympy.stats is an expression of random variables, not a distribution")
        at = sp.Symbol(name_of(value), integer=value.is_integer, real=True)  # sympy.stats rejects elements of arrays
        formula = distribution.pmf(at) if hasattr(distribution, "pmf") else distribution.pdf(at)
    except (AttributeError, NotImplementedError, ValueError) as failure:
        raise LawError(f"sympy.stats gives no density for {variable}: {failure}") from failure
    return formula.xreplace({at: value}), where


__all__ = ["Law", "Spelling", "as_value", "flat", "law", "lazy_law"]
