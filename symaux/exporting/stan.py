"""A model as a Stan program: loops over elements, latents in transformed parameters, normalised terms of the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter
from sympy.tensor.indexed import Idx

from symaux.codegen.names import identifiers
from symaux.exporting.dialects import STAN, STAN_LAWS, log_gamma, nested
from symaux.exporting.natural import NotExported, Unsayable
from symaux.indices import is_size, name_of
from symaux.laws import Law
from symaux.model import Model
from symaux.statements import plates_of, target
from symaux.support import Integers, Interval

WORDS = """for in while repeat until if then else true false target int real complex vector simplex unit_vector ordered
positive_ordered row_vector matrix cholesky_factor_corr cholesky_factor_cov corr_matrix cov_matrix functions model data
parameters quantities transformed generated return break continue void array tuple lower upper offset multiplier profile
print reject normal cauchy gamma beta log exp sum size rate lambda"""
HALVES = {"half_normal": ("normal", "0, {0}"), "half_cauchy": ("cauchy", "0, {0}")}


@dataclass
class Stan:
    """One program, as its formulas are written."""

    model: Model
    names: dict[str, str]
    failed: dict[str, str] = field(default_factory=dict)
    temporaries: int = 0

    def size(self, name: Any) -> str:
        """The length of a plate's or an axis' group."""
        group = self.model.axes.group.get(str(name), str(name))
        length = self.model.axes.lengths.get(group)
        return str(length) if length is not None else self.names[f"size {group}"]

    def lines(self, statement: Any, write: Any) -> list[str]:
        """``write`` for all elements of a statement, in loops; sums come before, in loops of their own."""
        printer = _StanPrinter(self)
        inner = write(printer)
        lines = [*printer.before, *inner]
        aim = target(statement)
        node = None if aim is None else self.model.nodes[name_of(aim)]
        for plate in reversed(plates_of(statement)):
            start = node.start(statement) if node and node.axis is not None and _axis(node, plate) else 0
            head = f"for ({self.names[f'plate {plate.label}']} in {start + 1}:{self.size(plate.label)}) {{"
            lines = [head, *(f"  {line}" for line in lines), "}"]
        if printer.before and not plates_of(statement):
            lines = ["{", *(f"  {line}" for line in lines), "}"]
        return lines


def _axis(node: Any, plate: Any) -> bool:
    return getattr(target(node.general), "indices", ())[node.axis] == plate


Printer: Any = StrPrinter  # its methods are typed by the very words that they give


class _StanPrinter(Printer):
    printmethod = "_exported"  # elements have a way of their own to print themselves in sympy

    def __init__(self, stan: Stan) -> None:
        super().__init__()
        self.stan, self.before = stan, []

    def emptyPrinter(self, expr: Any) -> str:
        raise Unsayable(f"Stan has no word for {type(expr).__name__}")

    def _print_Basic(self, expr: Any) -> str:
        return self.emptyPrinter(expr)

    def _print_Symbol(self, expr: Any) -> str:
        return self.stan.size(expr.name.removeprefix("size_")) if is_size(expr) else self.stan.names[expr.name]

    def _print_Idx(self, expr: Any) -> str:
        return f"({self.stan.names[f'plate {expr.label}']} - 1)"

    def _print_Indexed(self, expr: Any) -> str:
        return f"{self.stan.names[name_of(expr)]}[{', '.join(map(self._place, expr.indices))}]"

    def _place(self, index: Any) -> str:
        """Indices of Stan begin at one."""
        if index.is_Integer:
            return str(index + 1)
        if isinstance(index, Idx):
            return self.stan.names[f"plate {index.label}"]
        shift, inner = index.as_coeff_Add()
        if isinstance(inner, Idx):
            return f"{self.stan.names[f'plate {inner.label}']} {'-' if shift < 0 else '+'} {abs(shift)}"
        return f"{self._print(index)} + 1"

    def _print_Sum(self, expr: Any) -> str:
        self.stan.temporaries += 1
        name = f"total_{self.stan.temporaries}"
        inner = _StanPrinter(self.stan)
        text = inner._print(expr.function)
        lines = [*inner.before, f"{name} += {text};"]
        for plate, lower, _ in expr.limits:
            if not isinstance(plate, Idx) or lower != 0:
                raise Unsayable("a series has no translation")
            head = f"for ({self.stan.names[f'plate {plate.label}']} in 1:{self.stan.size(plate.label)}) {{"
            lines = [head, *(f"  {line}" for line in lines), "}"]
        self.before += [f"real {name} = 0;", *lines]
        return name

    def _print_Function(self, expr: Any) -> str:
        expr = log_gamma(expr)
        name = STAN.get(expr.func)
        if name is None or (expr.func is sp.LambertW and len(expr.args) > 1):
            return self.emptyPrinter(expr)
        return f"{name}({self.stringify(expr.args, ', ')})"

    _print_log1p = _print_expm1 = _print_Function

    def _print_Piecewise(self, expr: Any) -> str:
        *pieces, (otherwise, last) = expr.args
        if last != sp.true:
            raise Unsayable("a formula has no value somewhere")
        text = self._print(otherwise)
        for value, condition in reversed(pieces):
            text = f"({self._print(condition)} ? {self._print(value)} : {text})"
        return text

    def _print_Max(self, expr: Any) -> str:
        return nested("fmax", map(self._print, expr.args))

    def _print_Min(self, expr: Any) -> str:
        return nested("fmin", map(self._print, expr.args))

    def _print_Pi(self, expr: Any) -> str:
        return "pi()"

    def _print_Exp1(self, expr: Any) -> str:
        return "e()"

    def _print_Rational(self, expr: Any) -> str:
        return f"{expr.p}.0/{expr.q}"

    def _print_Mul(self, expr: Any) -> str:
        """Whole numbers would be divided as such: 1/2 is 0 in Stan."""
        up, down = expr.as_numer_denom()
        if down == 1:
            return super()._print_Mul(expr)
        top, bottom = self._print(up), self._print(down)
        top = f"{top}.0" if up.is_Integer else f"({top})" if up.is_Add else top
        return f"{top}/{bottom}" if down.is_Symbol or down.is_Integer else f"{top}/({bottom})"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp == sp.S.Half:
            return f"sqrt({self._print(expr.base)})"
        if expr.exp == -1:
            return f"inv({self._print(expr.base)})"
        if expr.exp.is_Rational and expr.exp < 0:
            return f"inv({self._print(expr.base**-expr.exp)})"
        return f"pow({self._print(expr.base)}, {self._print(expr.exp)})"


def stan_program(model: Model, title: str) -> str:
    """The text of a Stan program; raises NotExported with all that cannot be said."""
    from symaux.language.modeltext import plates

    taken = set(WORDS.split()) | set(STAN.values())
    names = identifiers([*model.nodes, *model.inputs], taken=taken)
    used = taken | set(names.values())
    labels = [str(p.label) for p in plates(model)]
    names |= {f"plate {n}": i for n, i in identifiers(labels, taken=used).items()}
    used |= set(names.values())
    open_groups = sorted({g for g in model.axes.group.values() if g not in model.axes.lengths})
    names |= {f"size {g}": i for g, i in identifiers([f"N_{g}" for g in open_groups], taken=used).items()}
    names |= {f"size {g}": names.pop(f"size N_{g}") for g in open_groups}
    stan = Stan(model, names)
    blocks = {
        "data": [f"int<lower=1> {names[f'size {g}']};" for g in open_groups] + _data(stan),
        "parameters": [_parameter(stan, name) for name in model.latents],
        "transformed parameters": _transformed(stan),
        "model": _terms(stan),
    }
    if stan.failed:
        raise NotExported("Stan", stan.failed)
    told = "\n".join(f"// {line}" for line in [title, "", *str(model).splitlines()])
    written = [
        f"{name} {{\n" + "\n".join(f"  {line}" for line in lines) + "\n}" for name, lines in blocks.items() if lines
    ]
    return "\n".join([told, *written, ""])


def _declared(stan: Stan, kind: str, name: str) -> str:
    sizes = [stan.size(group) for group in stan.model.axes.of_array(name)]
    return f"array[{', '.join(sizes)}] {kind} {stan.names[name]};" if sizes else f"{kind} {stan.names[name]};"


def _data(stan: Stan) -> list[str]:
    whole = {n for n in stan.model.observed if stan.model.nodes[n].general.discrete} | stan.model.index_arrays  # type: ignore[union-attr]
    names = [*stan.model.inputs, *sorted(stan.model.observed)]
    return [_declared(stan, "int" if name in whole else "real", name) for name in names]


def _parameter(stan: Stan, name: str) -> str:
    law = stan.model.nodes[name].general
    assert isinstance(law, Law)
    if not isinstance(law.support, Interval):
        stan.failed[name] = f"its support {law.support} has no translation"
        return ""
    bounds = {"lower": law.support.lower, "upper": law.support.upper}
    try:
        told = [f"{word}={_StanPrinter(stan)._print(b)}" for word, b in bounds.items() if b not in (sp.oo, -sp.oo)]
        if any(b.atoms(Idx) for b in bounds.values()):
            raise Unsayable("its bounds differ from element to element")
    except Unsayable as failure:
        stan.failed[name] = str(failure)
        return ""
    return _declared(stan, f"real<{', '.join(told)}>" if told else "real", name)


def _transformed(stan: Stan) -> list[str]:
    nodes = [stan.model.nodes[n] for n in stan.model.order if stan.model.nodes[n].kind == "deterministic"]
    lines = [_declared(stan, "real", node.name) for node in nodes]
    for node in nodes:
        for statement in node.statements:
            try:
                lines += stan.lines(
                    statement, lambda p, s=statement: [f"{p._print(target(s))} = {p._print(s.formulas[0])};"]
                )
            except Unsayable as failure:
                stan.failed[node.name] = str(failure)
    return lines


def _terms(stan: Stan) -> list[str]:
    lines: list[str] = []
    stochastic = [stan.model.nodes[n] for n in stan.model.order if stan.model.nodes[n].kind == "stochastic"]
    for node in stochastic:
        for statement in node.statements:
            assert isinstance(statement, Law)
            try:
                if statement.event:
                    raise Unsayable("laws of vectors have no translation")
                if statement.proper:
                    lines += stan.lines(statement, lambda p, s=statement: [f"target += {_term(p, s)};"])
            except Unsayable as failure:
                stan.failed[node.name] = str(failure)
    for number, term in enumerate(stan.model.factors, 1):
        try:
            lines += stan.lines(term, lambda p, s=term: [f"target += {p._print(s.formula)};"])
        except Unsayable as failure:
            stan.failed[f"factor {number}"] = str(failure)
    return lines


def _term(printer: _StanPrinter, law: Law) -> str:
    name = law.spelling.family if law.spelling else ""
    value = printer._print(law.value)
    if law.spelling and name in HALVES:
        family, template = HALVES[name]
        return f"{family}_lpdf({value} | {template.format(*map(printer._print, law.spelling.arguments))}) + log(2)"
    if law.spelling and name in STAN_LAWS:
        family = STAN_LAWS[name]
        kind = "lpmf" if isinstance(law.support, Integers) else "lpdf"
        return (
            f"{family.name}_{kind}({value} | {family.arguments.format(*map(printer._print, law.spelling.arguments))})"
        )
    return printer._print(law.log_density)


__all__ = ["stan_program"]
