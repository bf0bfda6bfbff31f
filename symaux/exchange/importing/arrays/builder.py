"""Collect a model while it is read: valid names, plates, constants as data, statements, and the parts that failed."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy as sp

from symaux.errors import SymauxError
from symaux.exchange.importing.arrays.errors import NotTranslated, Untranslatable
from symaux.exchange.importing.arrays.exact_constants import as_exact
from symaux.exchange.importing.arrays.grid import Grid, broadcast, scalar
from symaux.exchange.importing.arrays.scan import largest_lag
from symaux.formulas.symbols.indices import arrays, plate
from symaux.language.model_functions import reserved_names
from symaux.language.names import why_invalid
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Statement, deterministic


def fingerprint(value: Any) -> bytes:
    """Return bytes that are equal for arrays of equal shape and numbers, whatever their types."""
    return np.asarray(value, dtype=float).tobytes() + str(np.shape(value)).encode()


@dataclass
class ModelBuilder:
    """Builder of a model from the parts of another library's model."""

    source: str
    names: dict[str, str] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    observed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    constants: dict[bytes, Grid] = field(default_factory=dict)
    hints: dict[bytes, str] = field(default_factory=dict)  # the names of arrays by their bytes
    plates: dict[str, int] = field(default_factory=dict)
    axes: set[str] = field(default_factory=set)  # the names that plates have
    sums: int = 0
    maxima_cancel: bool = False  # a softmax subtracts one, and it makes no difference

    def name(self, given: str) -> str:
        """Return a valid name of the language, the given one if possible.

        >>> ModelBuilder("test").name("group/mu"), ModelBuilder("test").name("lambda")
        ('group_mu', 'lambda_')
        """
        if given not in self.names:
            plain = re.sub(r"_+", "_", re.sub(r"\W+", "_", given, flags=re.ASCII)).strip("_")[:36] or "v"
            plain = plain if plain[0].isalpha() else f"v{plain}"
            while why_invalid(plain, reserved_names()) or plain in self.names.values():
                plain = f"{plain}_" if not plain.endswith("_") else f"{plain.strip('_')}{len(self.names)}"
            self.names[given] = plain
        return self.names[given]

    def plate(self, given: str, size: int) -> Any:
        """Return the plate of a name and a size; the same name with another size is another plate.

        >>> into = ModelBuilder("test")
        >>> into.plate("n", 3), into.plate("n", 4), into.plate("n", 3)
        (n, n_4, n)
        """
        taken = self.plates.setdefault(given, size) != size or (given in self.names and given not in self.axes)
        known = f"{given} {size}" if taken else given
        if not taken:
            self.axes.add(given)
        return plate(self.name(known), size)

    def fresh(self, size: int) -> Any:
        """Return a plate to sum over."""
        self.sums += 1
        return plate(self.name(f"k{self.sums}"), size)

    def unnamed(self, what: str) -> str:
        """Return a name for an unnamed variable."""
        self.sums += 1
        return f"{what} {self.sums}"

    def variable(self, given: str, shape: tuple[int, ...], positive: bool = False) -> Grid:
        """Return the grid of a variable of the model."""
        name, words = self.name(given), {"positive": True} if positive else {"real": True}
        if not shape:
            symbol = sp.Symbol(name, **words)
            return Grid((), lambda at: symbol)
        base = arrays(name, **words)
        return Grid(shape, lambda at: base[at])

    def constant(self, value: Any, hint: str = "") -> Grid:
        """Return the grid of a constant: a uniform one is a number in the formula, others become data."""
        value = np.asarray(value)
        if value.dtype.kind not in "iufb":
            raise Untranslatable(f"a constant holds {value.dtype}")
        if (
            value.size
            and np.all(value == value.flat[0])
            and (value.ndim == 0 or value.dtype.kind in "fb" or value.size == 1)
        ):
            return replace(broadcast(scalar(value.flat[0]), value.shape), value=value)
        key = fingerprint(value) + (b"whole" if value.dtype.kind in "iub" else b"")
        if key not in self.constants:
            self.constants[key] = self._array(
                value, hint or self.hints.get(fingerprint(value)) or f"data_{len(self.constants) + 1}"
            )
        return self.constants[key]

    def _array(self, value: Any, hint: str) -> Grid:
        name, whole = self.name(f"constant {hint}" if hint in self.names else hint), value.dtype.kind in "iub"
        base = arrays(name, **({"integer": True} if whole else {"real": True}))

        def at(index: Any) -> sp.Expr:
            if all(getattr(i, "is_Integer", isinstance(i, int)) for i in index):
                return as_exact(value[tuple(int(i) for i in index)])
            self.data[name] = value.astype(np.int64) if whole else value
            return base[index]

        return Grid(value.shape, at, value)

    def maximum(self, shape: tuple[int, ...]) -> Grid:
        """Return zeros for a maximum that cancels; raise Untranslatable for any other."""
        if not self.maxima_cancel:
            raise Untranslatable("the operation reduce_max has no translation")
        return self.constant(np.zeros(shape))

    @contextmanager
    def part(self, name: str) -> Any:
        """Record failures inside under a name, and let reading go on."""
        try:
            yield
        except (Untranslatable, SymauxError) as failure:
            self.failed[name] = str(failure).split("\n")[0]
        except (NotImplementedError, TypeError, ValueError, AttributeError, KeyError, IndexError) as failure:
            self.failed[name] = f"{type(failure).__name__}: {str(failure)[:150]}"

    def state(
        self, given: str, grid: Grid, axes: list[Any], law: Callable[[Any, Callable[[Grid], sp.Expr]], Law]
    ) -> None:
        """Add the law of a variable along its plates; its parameters are grids that broadcast to its shape."""
        self.along(axes, lambda here: law(grid.at(here), lambda p: broadcast(p, grid.shape).at(here)))

    def define(self, target: Grid, axes: list[Any], value: Grid) -> None:
        """Add the definition of a deterministic variable."""
        self.along(axes, lambda here: deterministic(target.at(here), broadcast(value, target.shape).at(here)))

    def along(self, axes: list[Any], stated: Callable[[Any], Statement]) -> None:
        """Add a statement along its plates; if it has lags, the first elements get statements of their own."""
        general = stated(tuple(axes))
        back = largest_lag(general.formulas, axes[0]) if axes else 0
        self.statements += [stated((sp.Integer(k), *axes[1:])) for k in range(back)]
        self.statements.append(general)

    def model(self) -> Model:
        """Return the model with its data; raise NotTranslated if a part failed."""
        if self.failed:
            raise NotTranslated(self.source, self.failed)
        try:
            made = Model.of(*self.statements, observed=self.observed)
        except SymauxError as failure:
            raise NotTranslated(self.source, {"the whole": str(failure).split("\n")[0]}) from failure
        known = {*made.inputs, *made.observed}
        return replace(made, data={name: value for name, value in self.data.items() if name in known})
