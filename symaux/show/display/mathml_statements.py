r"""Typeset statements in mathematical notation, as MathML: $\theta_j \sim \mathrm{Normal}(\mu, \tau)$.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> law_math(normal(sp.Symbol("z", real=True), 0, 1)).count("<mi>Normal</mi>")
1
"""

from __future__ import annotations

from typing import Any

from sympy.tensor.indexed import Idx

from symaux.formulas.symbols.indices import extent, is_size
from symaux.formulas.symbols.support import Integers, Interval, Support
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Statement, plates_of
from symaux.show.display.mathml import APPLY, THIN, comma_separated, identifier, in_parentheses, row, to_mathml


def math_element(*parts: str) -> str:
    """Return a formula as a ``math`` element."""
    return f"<math>{row(*parts)}</math>"


def law_math(law: Law) -> str:
    """Return a law as its family, or as its log-density and support."""
    return math_element(*_law(law))


def _law(law: Law) -> list[str]:
    value = to_mathml(law.value)
    if law.spelling:
        return [
            value,
            "<mo>∼</mo>",
            family_math(law.spelling.family),
            in_parentheses(comma_separated(map(to_mathml, law.spelling.arguments))),
        ]
    if not law.proper and law.log_density == 0:
        return [value, "<mo>∼</mo>", "<mi>Flat</mi>", APPLY, in_parentheses(support_math(law.support))]
    given = [to_mathml(p) for p in law.parameters]
    about = row(value, "<mo>∣</mo>", comma_separated(given)) if given else value
    left = ["<mi>log</mi>", APPLY, THIN, "<mi>p</mi>", in_parentheses(about), "<mo>=</mo>", to_mathml(law.log_density)]
    return [*left, '<mo>,</mo><mspace width="1em"/>', value, "<mo>∈</mo>", support_math(law.support)]


def family_math(name: str) -> str:
    """Return the name of a family as it is printed.

    >>> family_math("half_cauchy")
    '<mi>HalfCauchy</mi>'
    """
    return identifier("".join(part.capitalize() for part in name.split("_")))


def support_math(where: Support) -> str:
    """Return a support as an interval, a range of integers, or its description."""
    match where:
        case Interval():
            return in_parentheses(comma_separated(map(to_mathml, (where.lower, where.upper))))
        case Integers():
            return in_parentheses(
                comma_separated([to_mathml(where.lower), "<mo>…</mo>", to_mathml(where.upper)]), "{", "}"
            )
    return f"<mtext>{str(where).replace('<', '&lt;')}</mtext>"


def statement_math(statement: Statement) -> str:
    """Return a statement: a law, a formula, or a term of the log-density."""
    match statement:
        case Law():
            return law_math(statement)
        case Deterministic():
            return math_element(to_mathml(statement.target), "<mo>=</mo>", to_mathml(statement.formula))
    return math_element("<mi>log</mi>", APPLY, THIN, "<mi>p</mi>", "<mo>+=</mo>", to_mathml(statement.formulas[0]))


def range_math(model: Model, statement: Statement) -> str:
    """Return the plates that a statement holds for, with their ranges; empty without plates."""
    return ", ".join(math_element(_range(model, statement, plate)) for plate in plates_of(statement))


def _range(model: Model, statement: Statement, plate: Idx) -> str:
    first, size = _start(model, statement, plate), extent(plate)
    if size.free_symbols and any(map(is_size, size.free_symbols)):
        return to_mathml(plate)
    return row(to_mathml(plate), "<mo>=</mo>", f"<mn>{first}</mn>", "<mo>…</mo>", to_mathml(size - 1))


def _start(model: Model, statement: Statement, plate: Idx) -> int:
    from symaux.model.unroll import first_index

    return first_index(model, statement, plate)


def model_rows(model: Model) -> list[tuple[Any, str, str, bool]]:
    """Return a row for each statement: the statement, its formula, its plates, and whether it is observed."""
    return [
        (s, statement_math(s), range_math(model, s), getattr(s, "name", "") in model.observed) for s in model.statements
    ]
