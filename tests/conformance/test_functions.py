"""Every function that formulas may contain behaves alike in every backend, or the record says why it is missing there."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
from support.conformance import COMPUTED, TOLERANCE, reference
from support.function_page import PAGE, written_page

import symaux as sa
from symaux.formulas.functions.record import BACKENDS, FunctionRecord
from symaux.formulas.functions.registry import FUNCTIONS, QUANTILES, RECORDS, record_of
from symaux.formulas.numeric.evaluate import number

CELLS = [
    pytest.param(record, backend, id=f"{record.function.__module__.split('.')[0]}-{record.name}-{backend}")
    for record in RECORDS
    for backend in BACKENDS
]
SLOW = {"numpyro"}


@pytest.mark.parametrize(("record", "backend"), [c for c in CELLS if c.values[1] not in SLOW])
def test_a_function_is_given_or_has_a_reason(record: FunctionRecord, backend: str) -> None:
    check(record, backend)


@pytest.mark.long
@pytest.mark.parametrize(("record", "backend"), [c for c in CELLS if c.values[1] in SLOW])
def test_a_function_is_exported_to_numpyro_or_has_a_reason(record: FunctionRecord, backend: str) -> None:
    check(record, backend)


def check(record: FunctionRecord, backend: str) -> None:
    """A cell without a reason is computed at all examples; one with a reason would otherwise fail."""
    if backend in record.absent:
        assert len(record.absent[backend].split()) >= 3
        with pytest.raises((sa.SymauxError, AssertionError)):
            for arguments in record.examples():
                COMPUTED[backend](record, arguments)
        return
    for arguments in record.examples():
        value = COMPUTED[backend](record, arguments)
        if value is not True:
            exact = reference(record, arguments)
            assert mp.isfinite(exact) and not mp.im(exact)
            assert abs(mp.mpmathify(value) - exact) <= TOLERANCE * (1 + abs(exact)), f"{arguments}: {value}, {exact}"


@pytest.mark.parametrize("record", RECORDS, ids=lambda r: f"{r.function.__module__.split('.')[0]}-{r.name}")
def test_derivatives_are_those_of_the_values(record: FunctionRecord) -> None:
    """sympy's derivative in every argument against a difference quotient of the value by mpmath."""
    if record.points and len(record.domain) > 2:
        return  # arguments that depend on each other, as u and 1 - u do
    for arguments in record.examples():
        for place in range(len(arguments)):
            symbols = [sp.Dummy(real=True) for _ in arguments]
            try:
                slope = record.function(*symbols).diff(symbols[place])
            except (NotImplementedError, ValueError):
                continue
            if slope.has(sp.Derivative, sp.Subs, sp.DiracDelta, sp.meijerg):  # no closed form
                continue
            with mp.workdps(40):
                given = {s: mp.mpmathify(sp.N(a, 40)) for s, a in zip(symbols, arguments, strict=True)}
                found = mp.mpmathify(number(slope, given))
                point = [mp.mpmathify(sp.N(a, 40)) for a in arguments]
                step = mp.mpf(10) ** -12
                up, down = ([*point[:place], point[place] + s, *point[place + 1 :]] for s in (step, -step))
                try:
                    exact = (record.value(*up) - record.value(*down)) / (2 * step)
                except (TypeError, ValueError):  # an order that must be an integer
                    continue
                assert abs(found - exact) <= 1e-9 * (1 + abs(exact)), f"{record.name} at {arguments}, argument {place}"


@pytest.mark.parametrize("record", [r for r in RECORDS if r.breaks is not None], ids=lambda r: r.name)
def test_a_function_jumps_where_its_record_says(record: FunctionRecord) -> None:
    """The examples are not on a break, and the break is a real one: values on both sides differ or have no bound."""
    symbols = sp.symbols(f"a:{len(record.domain)}", real=True)
    breaks = record.breaks(*symbols)  # type: ignore[misc]
    for arguments in record.examples():
        assert breaks.xreplace(dict(zip(symbols, map(sp.sympify, arguments), strict=True))) != 0
    if len(symbols) > 1:
        return
    (at,) = [next(iter(sorted(sp.solveset(breaks, symbols[0], sp.Interval(-1, 4)), key=abs)))]
    with mp.workdps(30):
        sides = []
        for offset in (mp.mpf(10) ** -20, -(mp.mpf(10) ** -20)):
            sides.append(record.value(mp.mpmathify(sp.N(at, 30)) + offset))
        assert abs(sides[0] - sides[1]) > 0.5 or abs(sides[0]) > 1e15


def test_a_shape_is_monotone_and_its_inverse_inverts() -> None:
    for record in RECORDS:
        if record.shape is None:
            continue
        for arguments in record.examples():
            others = [sp.sympify(a) for n, a in enumerate(arguments) if n != record.varies]
            shape, x = record.shape(*others), sp.sympify(arguments[record.varies])
            if not (shape.lower < x < shape.upper):
                continue
            level = sp.Dummy(positive=True)
            with mp.workdps(40):
                back = number(shape.inverse(level), {level: reference(record, arguments)})
                assert abs(back - mp.mpmathify(sp.N(x, 40))) < 1e-12 * (1 + abs(back)), record.name


def test_quantile_functions_are_one_fact() -> None:
    for function in QUANTILES:
        record = record_of(function)
        assert record is not None and record.shape is not None
        for arguments in record.examples():
            value = reference(record, arguments)
            inner = [*arguments]
            inner[record.varies] = value
            with mp.workdps(30):
                other = record_of(record.quantile_of)
                assert other is not None
                level = other.value(*(mp.mpmathify(sp.N(a, 30)) if not isinstance(a, mp.mpf) else a for a in inner))
                assert abs(level - mp.mpmathify(sp.N(arguments[record.varies], 30))) < 1e-12


def test_every_special_function_has_a_record_and_none_has_two() -> None:
    assert len({record.function for record in RECORDS}) == len(RECORDS)
    from symaux.formulas.functions.special_function import PositiveValued, ProbabilityValued, Special

    def all_below(kind: type) -> set[type]:
        return set().union(*({c, *all_below(c)} for c in kind.__subclasses__()))

    assert {f for f in all_below(Special) if f.__module__.startswith("symaux")} - {
        PositiveValued,
        ProbabilityValued,
    } <= set(FUNCTIONS)


def test_the_page_of_functions_is_up_to_date() -> None:
    assert PAGE.read_text() == written_page(), "run `make docs-tables`"
