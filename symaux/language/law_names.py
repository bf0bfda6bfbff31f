"""Look up the laws that a model text may name: families, vector laws, and those that the text itself defines.

Names may be written in any case and with or without underscores: ``HalfCauchy`` is ``half_cauchy``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp

from symaux.errors import LawError
from symaux.laws.family import Domain, apply_family, domain_of
from symaux.laws.law import Law


def canonical_name(name: str) -> str:
    """Return the name without case and underscores, the same for all spellings of a family.

    >>> canonical_name("HalfCauchy") == canonical_name("half_cauchy")
    True
    """
    return name.replace("_", "").lower()


@cache
def families() -> dict[str, Callable[..., Law]]:
    """Return the scalar families by canonical name."""
    from symaux.laws import families

    return {
        canonical_name(name): f
        for name, f in vars(families).items()
        if getattr(f, "__module__", "") == families.__name__
    }


@cache
def vector_laws() -> dict[str, Callable[..., Law]]:
    """Return the laws of vectors, matrices and categories by canonical name."""
    from symaux.laws import matrix_laws, vector_laws

    several = (vector_laws.multivariate_normal, vector_laws.multivariate_student_t, vector_laws.dirichlet)
    matrices = (matrix_laws.lkj_cholesky, matrix_laws.wishart, matrix_laws.inverse_wishart)
    return {canonical_name(law.__name__): law for law in (vector_laws.categorical, *several, *matrices)}


@dataclass(frozen=True)
class DefinedLaw:
    """A law that a text defines: ``law Kuma(z | a > 0, b > 0) on (0, 1) = ...``."""

    name: str
    template: Law
    symbols: tuple[sp.Symbol, ...]
    domains: Mapping[str, Domain]

    def __call__(self, value: Any, *arguments: Any, **named: Any) -> Law:
        """Return the law of a value with these arguments; raise LawError as a family does."""
        names = list(self.domains)
        given = dict(zip(names, arguments, strict=False)) | named
        if len(arguments) + len(named) != len(names) or set(given) != set(names):
            raise LawError(f"{self.name} takes {', '.join(names) or 'no arguments'}")
        return apply_family(
            self.name, self.template, self.symbols, self.domains, value, tuple(given[name] for name in names)
        )


def template(family: Any) -> Law:
    """Return the law of a family with symbols for its parameters.

    >>> print(template(families()["lognormal"]))
    z ~ log_normal(loc, scale)
    """
    return family.template if isinstance(family, DefinedLaw) else _pattern(family)


@cache
def _pattern(family: Any) -> Law:
    domains = list(inspect.signature(family.__wrapped__, eval_str=True).parameters.items())[1:]
    symbols = [sp.Symbol(n, **dict.fromkeys(domain_of(p.annotation).assumptions, True)) for n, p in domains]
    spelled = family(sp.Symbol("z", real=True), *symbols).spelling
    return family(spelled.template.value, *symbols)


def law_names(defined: Iterable[str] = ()) -> list[str]:
    """Return the names of all laws, for a hint."""
    builtin = (*families().values(), *vector_laws().values())
    return sorted({*(law.__name__ for law in builtin), "mixture", "flat", "improper", *defined})
