"""List the targets of ``exported`` and of ``symaux export --to``, one row each.

A new target is a function that writes a program, and a row of ``TARGETS``.

>>> [target.name for target in TARGETS]
['numpyro', 'pymc', 'stan']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symaux.model.model import Model

# The writers import their modules when they are called: the command line lists the targets before it loads sympy.


@dataclass(frozen=True)
class Target:
    """A system that models are exported to: its name, the suffix of its files, and the function that writes a program.

    ``write`` takes a model and the title of the program, and raises NotExported with all parts that are unsupported.
    """

    name: str
    suffix: str
    write: Callable[[Model, str], str]


def _write_numpyro(model: Model, title: str) -> str:
    from symaux.exchange.exporting.python.source import python_source

    return python_source(model, "numpyro", title)


def _write_pymc(model: Model, title: str) -> str:
    from symaux.exchange.exporting.python.source import python_source

    return python_source(model, "pymc", title)


def _write_stan(model: Model, title: str) -> str:
    from symaux.exchange.exporting.stan.program import stan_program

    return stan_program(model, title)


TARGETS = (
    Target("numpyro", ".py", _write_numpyro),
    Target("pymc", ".py", _write_pymc),
    Target("stan", ".stan", _write_stan),
)
