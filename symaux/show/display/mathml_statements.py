r"""Statements in mathematical notation, as MathML: $\theta_j \sim \mathrm{Normal}(\mu, \tau)$.

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
from symaux.show.display.mathml import APPLY, THIN, fenced, listed, presented, row, word


def math(*parts: str) -> str:
    """Return a formula of its own."""
    return f"<math>{row(*parts)}</math>"


def law_math(law: Law) -> str:
    """Return a law by its family, or by its log-density and support."""
    return math(*_law(law))


def _law(law: Law) -> list[str]:
    value = presented(law.value)
    if law.spelling:
        return [
            value,
            "<mo>∼</mo>",
            family(law.spelling.family),
            fenced(listed(map(presented, law.spelling.arguments))),
        ]
    if not law.proper:
        return [value, "<mo>∼</mo>", "<mi>Flat</mi>", APPLY, fenced(support(law.support))]
    given = [presented(p) for p in law.parameters]
    about = row(value, "<mo>∣</mo>", listed(given)) if given else value
    left = ["<mi>log</mi>", APPLY, THIN, "<mi>p</mi>", fenced(about), "<mo>=</mo>", presented(law.log_density)]
    return [*left, '<mo>,</mo><mspace width="1em"/>', value, "<mo>∈</mo>", support(law.support)]


def family(name: str) -> str:
    """Return the name of a family as it stands in print.

    >>> family("half_cauchy")
    '<mi>HalfCauchy</mi>'
    """
    return word("".join(part.capitalize() for part in name.split("_")))


def support(where: Support) -> str:
    """Return a support: an interval, a range of whole numbers, or its description."""
    match where:
        case Interval():
            return fenced(listed(map(presented, (where.lower, where.upper))))
        case Integers():
            return fenced(listed([presented(where.lower), "<mo>…</mo>", presented(where.upper)]), "{", "}")
    return f"<mtext>{str(where).replace('<', '&lt;')}</mtext>"


def statement_math(statement: Statement) -> str:
    """Return a law, a formula, or a term of the log-density."""
    match statement:
        case Law():
            return law_math(statement)
        case Deterministic():
            return math(presented(statement.target), "<mo>=</mo>", presented(statement.formula))
    return math("<mi>log</mi>", APPLY, THIN, "<mi>p</mi>", "<mo>+=</mo>", presented(statement.formulas[0]))


def range_math(model: Model, statement: Statement) -> str:
    """Return the plates that a statement holds for, with their ranges; empty where there is none."""
    return ", ".join(math(_range(model, statement, plate)) for plate in plates_of(statement))


def _range(model: Model, statement: Statement, plate: Idx) -> str:
    first, size = _start(model, statement, plate), extent(plate)
    if size.free_symbols and any(map(is_size, size.free_symbols)):
        return presented(plate)
    return row(presented(plate), "<mo>=</mo>", f"<mn>{first}</mn>", "<mo>…</mo>", presented(size - 1))


def _start(model: Model, statement: Statement, plate: Idx) -> int:
    from symaux.model.unroll import start

    return start(model, statement, plate)


def model_rows(model: Model) -> list[tuple[Any, str, str, bool]]:
    """Return a row for each statement: the statement, its formula, the plates it holds for, and whether it is
    observed."""
    return [
        (s, statement_math(s), range_math(model, s), getattr(s, "name", "") in model.observed) for s in model.statements
    ]
