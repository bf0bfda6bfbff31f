"""Read data from JSON, CSV and npz files of numbers alone. Nothing in a file is run, and the size of every file is checked.

JSON holds an object of names with numbers or lists of them, CSV a column for each name, npz an array for each.
"""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from symaux.errors import DataError, SymauxError

MAX_BYTES = 200_000_000
MAX_RANK = 8
LARGEST = 2**63 - 1  # of int64


def read_data(*paths: str | Path) -> dict[str, Any]:
    """Return arrays by name, from one file or from several that hold different names.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.json").write_text('{"y": [1.5, 2], "n": 3}')
    ...     read_data(Path(folder, "a.json"))
    {'y': array([1.5, 2. ]), 'n': array(3)}
    """
    found: dict[str, Any] = {}
    for path in paths:
        for name, array in _read(Path(path)).items():
            if name in found:
                raise DataError(f"{path}: {name} occurs in another file as well")
            found[name] = array
    return found


def _read(path: Path) -> dict[str, Any]:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"{path}: data are read from {', '.join(READERS)}, not from {path.suffix or 'such a file'}")
    try:
        if not path.is_file():
            raise DataError(f"there is no file {path}" if not path.is_dir() else f"{path} is a directory")
        if path.stat().st_size > MAX_BYTES:
            raise DataError(f"{path} has {path.stat().st_size} bytes; at most {MAX_BYTES} are read")
        content = path.read_bytes()
    except (OSError, ValueError) as failure:
        raise DataError(f"{path} cannot be read: {failure}") from None
    try:
        found = reader(content)
    except SymauxError as failure:
        raise DataError(f"{path}: {failure}") from None
    except Exception as failure:  # numpy's reader of headers lets errors of the tokenizer through
        raise DataError(f"{path} cannot be read as {path.suffix[1:]}: {str(failure)[:200]}") from None
    if not found:
        raise DataError(f"{path} holds no data")
    for name, values in found.items():
        if not values.size:
            raise DataError(f"{path}: {name} has no elements")
    return found


def _from_json(content: bytes) -> dict[str, Any]:
    def constant(word: str) -> Any:
        raise DataError(f"{word} is not a number that a model can take")

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            raise DataError(f"the name {next(n for n in names if names.count(n) > 1)!r} occurs twice")
        return dict(pairs)

    held = json.loads(content.decode("utf-8-sig"), parse_constant=constant, object_pairs_hook=distinct)
    if not isinstance(held, Mapping):
        raise DataError('expected an object of names, such as {"y": [1.2, 3.4]}')
    return {name: as_array(name, value) for name, value in held.items()}


def as_array(name: str, value: Any) -> Any:
    """Return numbers, or lists of lists of one shape, as an array; integers stay integers.

    >>> as_array("w", [[1, 2], [3]])
    Traceback (most recent call last):
        ...
    symaux.errors.DataError: w is ragged: lists of 2 and of 1 elements occur side by side
    """
    import numpy as np

    flat: list[Any] = []
    shape = _shape(name, value, 0, flat)
    whole = all(isinstance(number, int) for number in flat)
    return np.array(flat, dtype=np.int64 if whole and flat else float).reshape(shape)


def _shape(name: str, value: Any, depth: int, flat: list[Any]) -> tuple[int, ...]:
    if not isinstance(value, list):
        flat.append(_number(name, value))
        return ()
    if depth >= MAX_RANK:
        raise DataError(f"{name} has lists more than {MAX_RANK} deep")
    shapes = [_shape(name, part, depth + 1, flat) for part in value]
    for shape in shapes[1:]:
        if shape != shapes[0]:
            sizes = [f"lists of {s[0]}" if s else "numbers" for s in (shapes[0], shape)]
            raise DataError(
                f"{name} is ragged: {sizes[0]} and of {shape[0] if shape else 'no'} elements occur side by side"
            )
    return (len(value), *(shapes[0] if shapes else ()))


def _number(name: str, value: Any) -> int | float:
    if isinstance(value, bool):
        raise DataError(f"{name} holds {str(value).lower()}; write 1 and 0")
    if isinstance(value, str):
        raise DataError(f"{name} holds the text {value[:40]!r}; categories are numbered from 0")
    if not isinstance(value, int | float):
        raise DataError(f"{name} holds {'nothing (null)' if value is None else type(value).__name__}, not a number")
    if not math.isfinite(value) if isinstance(value, float) else abs(value) > LARGEST:
        raise DataError(f"{name} holds a number that is too large")
    return value


def _from_csv(content: bytes) -> dict[str, Any]:
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True, skipinitialspace=True)
    try:
        header = [name.strip() for name in next(rows, [])]
        if len(set(header)) < len(header) or not all(header):
            raise DataError("the first row must hold a name for each column, all different")
        if len(header) == 1 and (other := next((c for c in ";\t|" if c in header[0]), None)):
            raise DataError(f"cells are separated by commas, not by {other!r}")
        columns: list[list[int | float]] = [[] for _ in header]
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                raise DataError(f"line {rows.line_num} has {len(row)} cells, and the first has {len(header)}")
            for name, column, cell in zip(header, columns, row, strict=True):
                column.append(_cell(name, cell.strip(), rows.line_num))
    except csv.Error as failure:
        raise DataError(f"line {rows.line_num}: {failure}") from None
    return {name: as_array(name, column) for name, column in zip(header, columns, strict=True)}


def _cell(name: str, cell: str, line: int) -> int | float:
    try:
        made = int(cell) if cell.lstrip("+-").isdigit() and len(cell) < 25 else float(cell)
        if "_" in cell or not cell.isascii():  # Python reads 1_000 and the digits of every script
            raise ValueError
    except ValueError:
        told = f"the text {cell[:40]!r}" if cell else "an empty cell"
        raise DataError(f"line {line}: {name} holds {told}, not a number") from None
    if not math.isfinite(made):
        raise DataError(f"line {line}: {name} holds {cell[:40]}, which is not a number that a model can take")
    return _number(name, made)


def _from_npz(content: bytes) -> dict[str, Any]:
    import numpy as np

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > MAX_BYTES:
                raise DataError(f"the arrays have more than {MAX_BYTES} bytes")
            names = [entry.filename.removesuffix(".npy") for entry in entries]
            if len(set(names)) < len(names):
                raise DataError(f"the name {next(n for n in names if names.count(n) > 1)!r} occurs twice")
            found = {name: _from_npy(archive.read(e), np) for name, e in zip(names, entries, strict=True)}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as failure:
        raise DataError(f"this is not an npz file: {failure}") from None
    return {name: _checked(name, value, np) for name, value in found.items()}


def _from_npy(content: bytes, np: Any) -> Any:
    """Return an array whose header promises no more than its bytes hold; raise DataError for pickled objects."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(file)
    if dtype.hasobject:
        raise DataError("an array holds Python objects, which are not read")
    if math.prod(shape) * dtype.itemsize > len(content):
        raise DataError("an array is shorter than its header says")
    return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)


def _checked(name: str, value: Any, np: Any) -> Any:
    if value.dtype.kind not in "iuf":
        raise DataError(
            f"{name} holds {value.dtype}, not numbers" + ("; write 1 and 0" if value.dtype.kind == "b" else "")
        )
    if value.dtype.kind == "u" and value.size and value.max() > LARGEST:
        raise DataError(f"{name} holds a number that is too large")
    with np.errstate(over="ignore"):  # of extended precision; the check below sees an overflow
        value = value.astype(float if value.dtype.kind == "f" else np.int64)
    if not np.all(np.isfinite(value)):
        raise DataError(f"{name} holds NaN, infinity, or a number too large for double precision")
    return value


READERS: dict[str, Callable[[bytes], dict[str, Any]]] = {".json": _from_json, ".csv": _from_csv, ".npz": _from_npz}

__all__ = ["read_data"]
