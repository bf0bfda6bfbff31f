"""Compute a function by each backend, for the conformance test and for the page docs/functions.md.

A backend answers with a number (to be compared with mpmath), with True where it only has to round-trip or parse, or raises.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import mpmath as mp
import sympy as sp

import symaux as sa
from symaux.formulas.functions.record import BACKENDS, FunctionRecord
from symaux.formulas.functions.registry import RECORDS

DIGITS = 40
TOLERANCE = 2e-12  # of a value in double precision, relative to one plus its size


def reference(record: FunctionRecord, arguments: tuple[Any, ...]) -> Any:
    """Return the value by mpmath."""
    with mp.workdps(DIGITS):
        return mp.mpmathify(record.value(*(mp.mpmathify(sp.N(a, DIGITS)) for a in arguments)))


def by_balls(record: FunctionRecord, arguments: tuple[Any, ...]) -> float:
    """Return the middle of the ball, which must be thin and contain the value by mpmath."""
    from symaux.formulas.numeric.balls.cells import rigorous_precision
    from symaux.formulas.numeric.balls.evaluate import BallEvaluator
    from symaux.formulas.numeric.balls.functions import FUNCTIONS

    assert record.function in FUNCTIONS, f"no ball of {record.name}"
    exact = reference(record, arguments)
    with rigorous_precision(), mp.workdps(DIGITS):
        ball = FUNCTIONS[record.function](*(BallEvaluator({}).of(sp.sympify(a)) for a in arguments))
        assert ball.rad() <= 1e-12 * (1 + abs(ball.mid())), f"a wide ball: {ball}"
        middle, radius = (mp.mpf(part.str(DIGITS, radius=False)) for part in (ball.mid(), ball.rad()))
        assert abs(exact - middle) <= radius + mp.mpf(10) ** -30 * (1 + abs(exact)), f"{exact} is not in {ball}"
        return float(ball.mid())


def _network(record: FunctionRecord, arguments: tuple[Any, ...]) -> tuple[sa.Model, dict[str, float]]:
    """Return a model with the function of its inputs as a deterministic variable, and the inputs."""
    inputs = _inputs(record, arguments)
    orders = {n for n in range(len(arguments)) if record.function in WHOLE.get(n, ())}
    given = [sp.sympify(a) if n in orders else s for n, (s, a) in enumerate(zip(inputs, arguments, strict=True))]
    value = _unevaluated(record, given)
    model = sa.Model.of(sa.normal(sp.Symbol("w", real=True), 0, 1), sa.deterministic(sp.Symbol("y", real=True), value))
    data = {s.name: float(a) for n, (s, a) in enumerate(zip(inputs, arguments, strict=True)) if n not in orders}
    return model, data


def _inputs(record: FunctionRecord, arguments: tuple[Any, ...]) -> list[sp.Symbol]:
    """Return a symbol for each argument, positive where the function's domain says so."""
    bounds = [record.domain[min(n, len(record.domain) - 1)] for n in range(len(arguments))]
    signs = ["positive" if sp.sympify(lower).is_nonnegative else "real" for lower, _ in bounds]
    return [sp.Symbol(f"a{n}", **{sign: True}) for n, sign in enumerate(signs)]


def _unevaluated(record: FunctionRecord, arguments: Any) -> Any:
    if record.function is sp.betainc_regularized:  # whose class takes no other words
        return record.function(*arguments)
    return record.function(*arguments, evaluate=False)


# Arguments that must be integers, by their place: orders.
WHOLE: dict[int, tuple[Any, ...]] = {
    0: (sp.polygamma, next(r.function for r in RECORDS if r.name == "alternating_gaussian")),
}


def by_jax(record: FunctionRecord, arguments: tuple[Any, ...]) -> float:
    """Return the value by generated code."""
    model, data = _network(record, arguments)
    return float(sa.generate(model, data)({"w": 0.0})["y"])


def by_numpyro(record: FunctionRecord, arguments: tuple[Any, ...]) -> float:
    """Return the value that an exported NumPyro program computes."""
    import jax
    from numpyro import handlers

    model, data = _network(record, arguments)
    module: dict[str, Any] = {}
    exec(compile(sa.exported(model, "numpyro"), "exported.py", "exec"), module)
    with handlers.seed(rng_seed=jax.random.key(0)):
        trace = handlers.trace(module["model"]).get_trace(**data)
    return float(trace["y"]["value"])


def written(target: str) -> Callable[[FunctionRecord, tuple[Any, ...]], bool]:
    """Return a backend that writes a program for a peer and does not run it."""

    def write(record: FunctionRecord, arguments: tuple[Any, ...]) -> bool:
        model, _ = _network(record, arguments)
        return "y" in sa.exported(model, target)

    return write


def by_text(record: FunctionRecord, arguments: tuple[Any, ...]) -> bool:
    """Return whether a model text with the function reads back as the same model."""
    model, _ = _network(record, arguments)
    again = sa.parse(model.text)
    assert again == model, f"{model.text} is read as {again}"
    return True


def by_archive(record: FunctionRecord, arguments: tuple[Any, ...]) -> bool:
    """Return whether a stored formula reads back as the same."""
    from symaux.formulas.algebra.encoding import decode, encode

    formula = _unevaluated(record, _inputs(record, arguments))
    assert decode(json.loads(json.dumps(encode(formula)))) == formula
    return True


def by_latex(record: FunctionRecord, arguments: tuple[Any, ...]) -> bool:
    text = sp.latex(_unevaluated(record, _inputs(record, arguments)))
    assert text.count("{") == text.count("}") and "0" in text
    return True


def by_mathml(record: FunctionRecord, arguments: tuple[Any, ...]) -> bool:
    from symaux.show.display import mathml

    ET.fromstring(f"<math>{mathml.to_mathml(_unevaluated(record, _inputs(record, arguments)))}</math>")
    return True


COMPUTED: dict[str, Callable[[FunctionRecord, tuple[Any, ...]], Any]] = {
    "mpmath": reference,
    "balls": by_balls,
    "jax": by_jax,
    "numpyro": by_numpyro,
    "pymc": written("pymc"),
    "stan": written("stan"),
    "text": by_text,
    "archive": by_archive,
    "latex": by_latex,
    "mathml": by_mathml,
}
assert tuple(COMPUTED) == BACKENDS
