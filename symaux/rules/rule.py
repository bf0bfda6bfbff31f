r"""Define ``Rule`` and ``Rewrite``: a rule is a function from a law to noise and a generating function, or to ``None``.

Rules are values, and are never trusted: whatever a rule returns is verified by code that does not know the rule.

>>> from symaux.laws.law import law
>>> z, a = sp.symbols("z a", positive=True)
>>> @rule
... def exponential(law):
...     "Exponential by its rate."
...     eps = sp.Symbol("eps", positive=True)
...     (rate,) = law.parameters
...     return Rewrite((Law(eps, -eps, law.support),), eps / rate)
>>> [step.value for step in exponential(law(z, a*sp.exp(-a*z)))]
[eps/a]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.errors import SymauxError
from symaux.formulas.symbols.formula import Formula
from symaux.laws.law import Law

Answer = Any  # Rewrite | Iterable[Rewrite] | None


@dataclass(frozen=True)
class Rewrite:
    r"""The claim that $z = g(\varepsilon, \mathrm{pa})$ has the law, for independent noises with the given laws.

    ``value`` is g, a formula in the noises' values and the law's parameters. A noise that still has parameters is rewritten
    in turn; the rule may name a noise as it likes, and the engine renames it.
    """

    noise: tuple[Law, ...]
    value: Formula

    def __post_init__(self) -> None:
        if isinstance(self.noise, Law) or not isinstance(self.noise, Iterable):
            raise SymauxError(f"the noise of a rewrite is a tuple of laws, not {self.noise!r}"[:300])
        object.__setattr__(self, "noise", tuple(self.noise))
        for each in self.noise:
            if not isinstance(each, Law):
                raise SymauxError(f"the noise of a rewrite is a tuple of laws, and {each!r} is not a law"[:300])
        if not isinstance(self.value, sp.Expr):
            raise SymauxError(f"the value of a rewrite is a sympy formula, not {self.value!r}"[:300])


@dataclass(frozen=True)
class Rule:
    """A named function from a law to a rewrite, or several, or None."""

    name: str
    apply: Callable[[Law], Answer]
    summary: str = ""
    last: bool = False  # tried only when no other rule has led to a form
    finishing: bool = False  # leaves no parameter in the noise; on a long formula it is tried first
    vector: bool = False  # for laws of vectors and matrices, and only for them

    def __call__(self, law: Law) -> Iterator[Rewrite]:
        for answer in self._answers(law):
            if not isinstance(answer, Rewrite):
                raise SymauxError(f"rule {self.name} must return a Rewrite, several, or None, not {answer!r}"[:300])
            yield answer

    def _answers(self, law: Law) -> Iterator[Any]:
        """Yield what the function returns, one by one; an exception is raised again with the name of the rule."""
        try:
            match self.apply(law):
                case None:
                    return
                case Iterable() as several:
                    yield from several
                case other:
                    yield other
        except SymauxError:
            raise
        except Exception as failure:
            raise SymauxError(
                f"rule {self.name} failed on {law}: {type(failure).__name__}: {failure}"[:500]
            ) from failure


def rule(function: Callable[[Law], Answer]) -> Rule:
    """Return a rule from a function: its name, and the first line of its docstring as the summary."""
    summary = (inspect.getdoc(function) or "").split("\n", 1)[0]
    return Rule(function.__name__, function, summary)


def last_resort(function: Callable[[Law], Answer]) -> Rule:
    """Return a rule that is tried only when no other has led to a form."""
    return replace(rule(function), last=True)


def finishing_rule(function: Callable[[Law], Answer]) -> Rule:
    """Return a rule after which nothing is left to rewrite."""
    return replace(rule(function), finishing=True)


def vector_rule(function: Callable[[Law], Answer]) -> Rule:
    """Return a rule for laws of vectors: it reads the law with its parents, and its noises may run along the same plates."""
    return replace(rule(function), vector=True)


def as_rule(given: Rule | Callable[[Law], Answer]) -> Rule:
    """Return the argument as a rule; a user's own rule may be an undecorated function."""
    if isinstance(given, Rule):
        return given
    if callable(given):
        return rule(given)
    raise SymauxError(f"a rule is a function of a law, not {given!r}")
