"""Print laws in the language: by the name of a family where that gives the same law, by the density otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from symaux.errors import SymauxError
from symaux.formulas.symbols.support import CorrelationFactors, Integers, Interval, PositiveDefinite, Simplex, Vectors
from symaux.language.assumptions import words_of
from symaux.language.law_names import DefinedLaw, canonical_name, families, vector_laws
from symaux.laws.family import COUNT, POSITIVE, REAL, Domain
from symaux.laws.law import Law, Spelling

DOMAINS = {("real",): REAL, ("positive",): POSITIVE, ("integer", "nonnegative"): COUNT}
Write = Callable[[Any], str]


@dataclass
class LawWriter:
    """Printer of laws, which collects those that the text must define."""

    write: Write
    defined: dict[str, DefinedLaw] = field(default_factory=dict)

    def right_hand_side(self, law: Law) -> str:
        """Print the right-hand side of ``~``."""
        return self._named(law) or self._vector(law) or self._mixture(law) or self._density(law)

    def _named(self, law: Law) -> str | None:
        if law.spelling is None:
            return None
        family = self._family(law.spelling)
        if family is None or not _same(law, family, law.spelling.arguments, {}):
            return None
        if isinstance(family, DefinedLaw):
            self.defined[family.name] = family
        return self._call(law.spelling.family, law.spelling.arguments)

    def _family(self, spelling: Spelling) -> Any:
        """Return the family of a name, or the law that the text must define; None if the name has another meaning."""
        known = families().get(canonical_name(spelling.family))
        if known is not None or canonical_name(spelling.family) in vector_laws():
            return known
        made = as_defined_law(spelling)
        if made is None or self.defined.get(spelling.family, made).template != made.template:
            return None
        return made

    def _call(self, name: str, arguments: Any, **named: Any) -> str:
        parts = [*(self.write(a) for a in arguments), *(f"{word}={self.write(a)}" for word, a in named.items())]
        return f"{name}({', '.join(parts)})"

    def _vector(self, law: Law) -> str | None:
        for name, arguments, named in _readings(law):
            if _same(law, vector_laws()[canonical_name(name)], arguments, named):
                return self._call(name, arguments, **named)
        return None

    def _mixture(self, law: Law) -> str | None:
        if not law.components or any(part.components or not self._named(part) for _, part in law.components):
            return None
        parts = (f"{self.write(weight)}, {self._named(part)}" for weight, part in law.components)
        return f"mixture({', '.join(parts)})"

    def _density(self, law: Law) -> str:
        body = f"exp({self.write(law.log_density)})"
        if not law.proper:
            body = "flat" if law.log_density == 0 else f"improper({body})"
        given = f" given {', '.join(map(self._condition, law.conditions))}" if law.conditions else ""
        return f"{body} on {self.support(law.support)}{given}"

    def _condition(self, condition: Any) -> str:
        if condition.func is sp.And:
            pair: Any = sorted(condition.args, key=lambda c: c.rel_op[0], reverse=True)  # p >= 0 before p <= 1
            if len(pair) == 2 and pair[0].lhs == pair[1].lhs and pair[0].rel_op[0] != pair[1].rel_op[0]:
                low = pair[0].reversed
                return f"{self.write(low.lhs)} {low.rel_op} {self.write(low.rhs)} {pair[1].rel_op} {self.write(pair[1].rhs)}"
        return f"{self.write(condition.lhs)} {condition.rel_op} {self.write(condition.rhs)}"

    def support(self, where: Any) -> str:
        """Print an interval, a range of integers, or all vectors; the language cannot express other supports."""
        match where:
            case Interval():
                return f"({self.write(where.lower)}, {self.write(where.upper)})"
            case Integers():
                return f"{{{self.write(where.lower)}, ..., {self.write(where.upper)}}}"
            case Vectors():
                return f"reals({self.write(where.plate)})"
        return self.write(sp.Function(type(where).__name__)(0)) if _strict(self.write) else str(where)

    def definition(self, law: DefinedLaw) -> str:
        """Print the line that defines a law."""
        from symaux.language.assumptions import phrase

        pattern = law.template
        parameters = ", ".join(f"{s.name}{_bounds(phrase(words_of(s)))}" for s in law.symbols)
        bar = f" | {parameters}" if parameters else ""
        density = f"exp({self.write(pattern.log_density)})"
        return f"law {law.name}({pattern.value}{bar}) on {self.support(pattern.support)} = {density}"


def _bounds(phrase: str) -> str:
    return "" if phrase == " real" else phrase


def _strict(write: Write) -> bool:
    from symaux.language.print_formula import print_formula

    return write is print_formula


def as_defined_law(spelling: Spelling) -> DefinedLaw | None:
    """Return a user's family as a law that a text can define; None if its parameters have other domains."""
    domains: dict[str, Domain] = {}
    for symbol in spelling.symbols:
        words = tuple(sorted(words_of(symbol)))
        if words not in DOMAINS:
            return None
        domains[symbol.name] = DOMAINS[words]
    return DefinedLaw(spelling.family, spelling.template, spelling.symbols, domains)


def _same(law: Law, family: Any, arguments: Any, named: Any) -> bool:
    try:
        return family(law.value, *arguments, **named) == law
    except (SymauxError, TypeError):
        return False


def _readings(law: Law) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Return the calls that may have made a vector law, as name, arguments and keywords; the caller tries each."""
    words = dict.fromkeys(getattr(law.log_density, "words", ()))
    operands = getattr(law.log_density, "operands", ())
    match law.support:
        case Vectors() if len(operands) == 2:
            loc, matrix = law.value - operands[0], operands[1]
            return [("multivariate_normal", (loc,), {next(iter(words), "covariance"): matrix})]
        case Vectors() if len(operands) == 3:
            loc, df, matrix = law.value - operands[0], operands[1], operands[2]
            return [("multivariate_student_t", (df, loc), {next(iter(words), "scale"): matrix})]
        case Simplex():
            sums = [total.function / sp.log(law.value) + 1 for total in law.log_density.atoms(sp.Sum)]
            return [("dirichlet", (concentration,), {}) for concentration in sums]
        case CorrelationFactors() if len(operands) == 2:
            return [("lkj_cholesky", (operands[1],), {})]
        case PositiveDefinite() if len(operands) == 3:
            named = {next(iter(words), "scale"): operands[2]}
            return [(name, (operands[1],), named) for name in ("wishart", "inverse_wishart")]
    return []
