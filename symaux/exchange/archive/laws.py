"""Encode laws, statements and models as plain data and back; every field is accounted for, and none may be missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from symaux.derivation.form_of_law import same_law
from symaux.errors import SymauxError
from symaux.formulas.algebra.encoding import ArchiveError, decode, encode
from symaux.formulas.symbols.support import Integers, Interval
from symaux.language.law_names import canonical_name, families
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, Statement

SUPPORTS: dict[str, Any] = {"interval": Interval, "integers": Integers}
LAW = ("value", "log_density", "support", "conditions", "proper", "family")


def fields(data: Any, names: Iterable[str], what: str) -> dict[str, Any]:
    """Return the data if they are an object with exactly these fields; raise ArchiveError that names the others.

    >>> fields({"value": 1, "colour": 2}, ["value"], "a law")
    Traceback (most recent call last):
        ...
    symaux.formulas.algebra.encoding.ArchiveError: a law has the unknown field 'colour'
    """
    if not isinstance(data, dict):
        raise ArchiveError(f"{what} is not an object with fields: {str(data)[:80]!r}")
    wanted = set(names)
    for name in sorted(wanted - set(data)):
        raise ArchiveError(f"{what} lacks the field {name!r}")
    for name in sorted(map(str, set(data) - wanted)):
        raise ArchiveError(f"{what} has the unknown field {name[:80]!r}")
    return data


def listed(data: Any, what: str) -> list[Any]:
    """Return the data if they are a list; raise ArchiveError otherwise."""
    if not isinstance(data, list):
        raise ArchiveError(f"{what} is not a list: {str(data)[:80]!r}")
    return data


def texts(data: Any, what: str) -> tuple[str, ...]:
    """Return a list of texts as a tuple; raise ArchiveError for anything else."""
    if not all(isinstance(line, str) for line in listed(data, what)):
        raise ArchiveError(f"{what} is not a list of texts: {str(data)[:80]!r}")
    return tuple(data)


def law_to_data(law: Law) -> dict[str, Any]:
    """Return a law as plain data; raise ArchiveError for vectors and matrices."""
    kind = next((k for k, support in SUPPORTS.items() if type(law.support) is support), None)
    if kind is None or law.event:
        raise ArchiveError(f"a law on {law.support} cannot be stored")
    support: Any = law.support
    spelling = law.spelling if law.spelling and canonical_name(law.spelling.family) in families() else None
    return {
        "value": encode(law.value),
        "log_density": encode(law.log_density),
        "support": [kind, encode(support.lower), encode(support.upper)],
        "conditions": [encode(c) for c in law.conditions],
        "proper": law.proper,
        "family": None if spelling is None else [spelling.family, *(encode(a) for a in spelling.arguments)],
    }


def law_from_data(data: Any) -> Law:
    """Return the law of plain data; a family that it names must have the formulas that stand beside it."""
    read = fields(data, LAW, "a law")
    kind, *ends = listed(read["support"], "a support")
    if kind not in SUPPORTS or len(ends) != 2 or not isinstance(read["proper"], bool):
        raise ArchiveError(f"invalid support, or proper is not true or false: {str(read)[:80]!r}")
    made = Law(
        decode(read["value"]),
        decode(read["log_density"]),
        SUPPORTS[kind](*map(decode, ends)),
        tuple(decode(c) for c in listed(read["conditions"], "conditions")),
        proper=read["proper"],
    )
    if read["family"] is None:
        return made
    name, *arguments = listed(read["family"], "a family")
    return _with_family(made, name, [decode(a) for a in arguments])


def _with_family(law: Law, name: Any, arguments: list[Any]) -> Law:
    family = families().get(canonical_name(name)) if isinstance(name, str) else None
    if family is None:
        raise ArchiveError(f"a law names the unknown family {str(name)[:40]!r}")
    try:
        known = family(law.value, *arguments)
    except SymauxError as failure:
        raise ArchiveError(f"a law says that it is {name} and is not: {failure}") from failure
    if known.spelling is None or known.spelling.family != name or not same_law(known, law):
        raise ArchiveError(f"a law says that it is {known}, and its formula is exp({law.log_density}) on {law.support}")
    return replace(law, spelling=known.spelling)


def model_to_data(model: Model) -> dict[str, Any]:
    """Return a model as plain data."""
    return {
        "statements": [_statement(s) for s in model.statements],
        "observed": sorted(model.observed),
        "auxiliary": sorted(model.auxiliary),
    }


def _statement(statement: Statement) -> dict[str, Any]:
    match statement:
        case Law():
            return {"law": law_to_data(statement)}
        case Deterministic():
            return {"target": encode(statement.target), "formula": encode(statement.formula)}
        case Factor():
            return {"factor": encode(statement.formula)}


def model_from_data(data: Any) -> Model:
    """Return the model of plain data; raise ArchiveError if it is not a Bayesian network."""
    read = fields(data, ("statements", "observed", "auxiliary"), "a model")
    statements = [_statement_back(s) for s in listed(read["statements"], "statements")]
    observed, auxiliary = (texts(read[part], part) for part in ("observed", "auxiliary"))
    try:
        return Model.of(*statements, observed=observed, auxiliary=auxiliary)
    except SymauxError as failure:
        raise ArchiveError(f"the statements are not a model: {failure}") from failure


def _statement_back(data: Any) -> Statement:
    if isinstance(data, dict) and "law" in data:
        return law_from_data(fields(data, ("law",), "a statement")["law"])
    if isinstance(data, dict) and "factor" in data:
        return Factor(decode(fields(data, ("factor",), "a statement")["factor"]))
    read = fields(data, ("target", "formula"), "a statement")
    return Deterministic(decode(read["target"]), decode(read["formula"]))
