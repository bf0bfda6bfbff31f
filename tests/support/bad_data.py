"""Data files that are refused, each with what its error says."""

from __future__ import annotations

import io
import os
import zipfile
from typing import Any

import numpy as np

REFUSED = {
    "empty.json": b"",
    "list.json": b"[1, 2]",
    "number.json": b"3",
    "nothing.json": b"{}",
    "broken.json": b'{"y": [1, 2',
    "nan.json": b'{"y": [NaN]}',
    "infinity.json": b'{"y": -Infinity}',
    "boolean.json": b'{"y": [true, false]}',
    "null.json": b'{"y": null}',
    "text.json": b'{"y": ["a"]}',
    "object.json": b'{"y": {"a": 1}}',
    "ragged.json": b'{"y": [[1, 2], [3]]}',
    "mixed.json": b'{"y": [[1, 2], 3]}',
    "twice.json": b'{"y": 1, "y": 2}',
    "long.json": b'{"y": ' + b"9" * 30 + b"}",
    "digits.json": b'{"y": ' + b"9" * 5000 + b"}",
    "large.json": b'{"y": 1e999}',
    "deep.json": b'{"y": ' + b"[" * 20 + b"1" + b"]" * 20 + b"}",
    "bomb.json": b'{"y": ' + b"[" * 200_000,
    "binary.json": bytes(range(256)),
    "latin.json": '{"é": 1}'.encode("latin-1"),
    "empty.csv": b"",
    "header.csv": b"y,y\n1,2\n",
    "blank.csv": b"y,\n1,2\n",
    "ragged.csv": b"x,y\n1,2\n3\n",
    "word.csv": b"y\nhello\n",
    "missing.csv": b"x,y\n1,\n",
    "nan.csv": b"y\nnan\n",
    "underscore.csv": b"y\n1_000\n",
    "formula.csv": b"y\n=1+1\n",
    "quote.csv": b'y\n"1\n',
    "nul.csv": b"y\n1\0\n",
    "latin.csv": "y\n1\n# é\n".encode("latin-1"),
    "rows.csv": b"x,y\n",
    "wide.csv": "y\n１\n".encode(),
    "arabic.csv": "y\n٣\n".encode(),
    "digits.csv": b"y\n" + b"9" * 5000,
    "none.json": b'{"y": []}',
    "semicolon.csv": b"x;y\n1;2\n",
    "tabs.csv": b"x\ty\n1\t2\n",
    "empty.npz": b"",
    "text.npz": b"this is no archive",
    "data.txt": b"1 2 3",
    "data.pkl": b"cos\nsystem\n(S'touch run'\ntR.",
    "data.npy": b"\x93NUMPY",
    "noext": b"1",
}


def npz(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(value: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, value, allow_pickle=True)
    return file.getvalue()


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("touch run",)


def shaped(shape: bytes) -> bytes:
    """An array of three numbers whose header says otherwise."""
    honest = b"'shape': (3,), }"
    return npy(np.zeros(3)).replace(honest + b" " * (len(shape) - 4), honest.replace(b"(3,)", shape))


def twins() -> bytes:
    """Two arrays of one name, with and without the ending that it has in the archive."""
    file = io.BytesIO(npz(y=npy(np.zeros(3))))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("y", npy(np.ones(3)))
    return file.getvalue()


ARRAYS = {
    "pickle.npz": lambda: npz(y=npy(np.array([Evil()], dtype=object))),
    "liar.npz": lambda: npz(y=shaped(b"(300000000000,)")),
    "code.npz": lambda: npz(y=shaped(b"(9**9**9,)")),
    "call.npz": lambda: npz(y=shaped(b"(print(1),)")),
    "open.npz": lambda: npz(y=shaped(b"((((((((3,)")),
    "complex.npz": lambda: npz(y=npy(np.array([1j]))),
    "text.npz": lambda: npz(y=npy(np.array(["a"]))),
    "bool.npz": lambda: npz(y=npy(np.array([True]))),
    "nan.npz": lambda: npz(y=npy(np.array([np.nan]))),
    "none.npz": lambda: npz(y=npy(np.zeros((3, 0)))),
    "short.npz": lambda: npz(y=npy(np.zeros(3))[:-4]),
    "junk.npz": lambda: npz(y=b"not an array"),
    "twins.npz": lambda: twins(),
    "extended.npz": lambda: npz(y=npy(np.array([np.finfo(np.longdouble).max]))),
    "negative.npz": lambda: npz(y=shaped(b"(-3,)")),
    "rows.npz": lambda: npz(y=shaped(b"(0,9999999999999)")),
    "magic.npz": lambda: npz(y=npy(np.zeros(3)).replace(b"NUMPY\x01", b"NUMPY\x09")),
    "nested.npz": lambda: npz(y=npz(y=npy(np.zeros(3)))),
    "date.npz": lambda: npz(y=npy(np.array(["2020-01-01"], dtype="M8[D]"))),
    "void.npz": lambda: npz(y=npy(np.zeros(3, dtype="V8"))),
    "bomb.npz": lambda: npz(y=b"\0" * 201_000_000),
}
