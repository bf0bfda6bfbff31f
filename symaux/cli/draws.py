"""Draw from a model as arrays by name, summarise draws in a table, and write them to files."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symaux.errors import DataError

LINES = 60  # of a summary; more elements than that are left to a file
LARGEST = 10_000_000  # numbers to draw at once


@dataclass(frozen=True)
class Draws:
    """Arrays by name; ``lead`` is the number of axes before a variable's own: (draw,) or (chain, draw)."""

    values: Mapping[str, Any]
    lead: int
    result: Any = None  # ArviZ's object, where there is one
    diagnosis: str = ""  # whether the chains can be believed


def draw_from_prior(model: Any, data: Mapping[str, Any], draws: int, seed: int) -> Draws:
    """Return draws of every variable from the model itself; data give inputs and the lengths of plates."""
    import jax
    import numpy as np

    import symaux as sa

    _check_names(model, data)
    missing = [name for name in model.inputs if name not in data]
    if missing:
        raise DataError(f"the model's inputs {', '.join(missing)} have no data: give them by --data")
    draw = sa.sample_prior(model, data)
    keys = jax.random.split(jax.random.key(seed), draws)
    size = sum(np.size(value) for value in jax.eval_shape(draw, keys[0]).values())
    if size * draws > LARGEST:
        raise DataError(f"{draws} draws of {size} numbers each are too many; at most {LARGEST} numbers are drawn")
    return Draws({name: np.asarray(value) for name, value in jax.vmap(draw)(keys).items()}, 1)


def _check_names(model: Any, data: Mapping[str, Any]) -> None:
    from symaux.language.names import suggest

    known = {*model.inputs, *model.observed}
    for name in sorted(set(data) - known):
        said = name if name.isprintable() else repr(name)  # a line of its own could pass for another message
        raise DataError(f"data for {said}, which the model does not read{suggest(name, known)}")


def draw_from_posterior(model: Any, data: Mapping[str, Any], options: Mapping[str, Any]) -> Draws:
    """Return draws from the posterior, by the sampler of ``symaux.learn``."""
    from symaux import learn

    own = getattr(model, "before", model)
    _check_names(own, data)
    missing = sorted({*own.inputs, *own.observed} - set(data))
    if missing:
        raise DataError(f"no data for {', '.join(missing)}: give them by --data")
    result = learn.sample(model, data, quiet=True, **options)
    values = {str(name): result.posterior[name].values for name in result.posterior.data_vars}
    return Draws(values, 2, result, str(learn.diagnose(result)))


def summarise(draws: Draws) -> str:
    """Return a table of the mean, standard deviation and quantiles of every element.

    >>> import numpy as np
    >>> print(summarise(Draws({"x": np.arange(101.0)}, 1)))
          mean       sd       5%      50%      95%
    x       50    29.15        5       50       95
    """
    import numpy as np

    rows = []
    for name, column in _columns(draws):
        rows.append([name, column.mean(), column.std(), *np.quantile(column, [0.05, 0.5, 0.95])])
        if len(rows) > LINES:
            break
    width = max(len(row[0]) for row in rows)
    lines = [" " * width + "".join(f"{head:>9}" for head in ("mean", "sd", "5%", "50%", "95%"))]
    lines += [f"{row[0]:{width}}" + "".join(f"{number:9.4g}" for number in row[1:]) for row in rows[:LINES]]
    return "\n".join([*lines, *(["... (more with -o FILE)"] if len(rows) > LINES else [])])


def _columns(draws: Draws) -> Iterator[tuple[str, Any]]:
    """Yield every element by its name, ``theta[3]``, with all of its draws in a row."""
    import numpy as np

    for name, value in draws.values.items():
        for index in np.ndindex(value.shape[draws.lead :]):
            place = f"[{','.join(map(str, index))}]" if index else ""
            yield f"{name}{place}", value[(..., *index)].reshape(-1)


def check_output(output: str | None, prior: bool) -> None:
    """Raise DataError for a file name whose format cannot be written, before a long run."""
    suffix = None if output is None else Path(output).suffix.lower()
    if suffix is not None and suffix not in WRITERS:
        raise DataError(f"draws are written as {', '.join(WRITERS)}, not as {output}")
    if suffix == ".nc" and prior:
        raise DataError("draws of the prior are written as .npz, .csv or .json")


def as_file(draws: Draws, output: str) -> bytes:
    """Return the content of the file of this name."""
    return WRITERS[Path(output).suffix.lower()](draws)


def _npz(draws: Draws) -> bytes:
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(file, **dict(draws.values))
    return file.getvalue()


def _csv(draws: Draws) -> bytes:
    import numpy as np

    columns = dict(_columns(draws))
    head = ",".join(f'"{name}"' if "," in name else name for name in columns)
    rows = (",".join(repr(float(number)) for number in row) for row in np.stack(list(columns.values()), axis=1))
    return "\n".join([head, *rows, ""]).encode()


def _json(draws: Draws) -> bytes:
    return json.dumps({name: value.tolist() for name, value in draws.values.items()}).encode()


def _netcdf(draws: Draws) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "draws.nc")
        draws.result.to_netcdf(str(path))
        return path.read_bytes()


WRITERS: dict[str, Callable[[Draws], bytes]] = {".npz": _npz, ".csv": _csv, ".json": _json, ".nc": _netcdf}
