"""What sympy.stats' own ``quantile`` says of its distributions with symbolic parameters, within a time limit."""

from __future__ import annotations

import inspect
from typing import Any

import sympy as sp
import sympy.stats
import sympy.stats.crv_types as crv

from corpus.entry import Entry
from symaux.sandbox import Stopped, run_bounded

SECONDS = 20.0
ANSWERS = ("a formula", "a set", "unevaluated", "raises", "timeout")


def variable(entry: Entry) -> Any:
    """The random variable of sympy.stats that an entry was taken from."""
    make = getattr(crv, entry.name)
    known: dict[str, Any] = {s.name: s for s in entry.parameters} | {"minimum": False}
    wanted = [name for name in inspect.signature(make).parameters if name != "name"]
    return make("v", *(known[name] for name in wanted))


def asked(entry: Entry) -> str:
    """The answer as text."""
    return str(sympy.stats.quantile(variable(entry))(sp.Symbol("u", positive=True)))


def answer(entry: Entry, seconds: float = SECONDS) -> dict[str, str]:
    """The kind of sympy's answer, and its text."""
    bare = Entry(entry.name, entry.value, entry.density, entry.support, entry.points)  # nothing that cannot be sent
    outcome = run_bounded(asked, bare, seconds=seconds)
    if isinstance(outcome, Stopped):
        return {"answer": "timeout" if outcome.why == "timeout" else "raises", "text": outcome.detail[:200]}
    return {"answer": kind_of(outcome.value), "text": outcome.value[:200]}


def kind_of(text: str) -> str:
    """Whether an answer is a formula; one that holds sets, integrals or a search for roots is none.

    >>> kind_of("-log(1 - u)/rate"), kind_of("ConditionSet(x, Eq(x, u), Reals)")
    ('a formula', 'a set')
    """
    if any(
        word in text for word in ("ConditionSet", "Intersection", "ImageSet", "Complement", "Union", "EmptySet", "{")
    ):
        return "a set"
    return (
        "unevaluated" if any(word in text for word in ("Integral", "quantile", "Quantile", "Lambda")) else "a formula"
    )
