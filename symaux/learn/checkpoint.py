"""Store the whole state of a long run in one file, written whole or not at all, with a fingerprint of what it belongs to."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

from symaux.errors import DataError
from symaux.files.atomic_write import write


def fingerprint(source: str, data: dict[str, Any], settings: dict[str, Any]) -> str:
    """Return a digest of a model, its data and the settings: a run may only be resumed with the same ones.

    >>> fingerprint("a", {}, {"seed": 0}) == fingerprint("a", {}, {"seed": 1})
    False
    """
    import numpy as np

    digest = hashlib.sha256(source.encode())
    for name in sorted(data):
        array = np.ascontiguousarray(data[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    digest.update(json.dumps(settings, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def store(path: str | Path, mark: str, state: Any, trace: dict[str, Any]) -> None:
    """Write the leaves of a state and the records so far."""
    import jax
    import numpy as np

    arrays: dict[str, Any] = {f"leaf_{n}": np.asarray(leaf) for n, leaf in enumerate(jax.tree.leaves(state))}
    arrays |= {f"trace_{name}": np.asarray(v) for name, v in trace.items()}
    file = io.BytesIO()
    np.savez(file, mark=np.asarray(mark), **arrays)
    write(path, file.getvalue())


def restore(path: str | Path, mark: str, like: Any) -> tuple[Any, dict[str, Any]] | None:
    """Return what ``store`` wrote, in the structure of ``like``; None if the file does not exist."""
    import jax
    import numpy as np

    if not Path(path).exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in file.files}
        if str(found.pop("mark")) != mark:
            raise DataError(
                f"{path} is the checkpoint of another model, other data or other settings; name another file"
            )
        leaves = [jax.numpy.asarray(found[f"leaf_{n}"]) for n in range(len(jax.tree.leaves(like)))]
    except (OSError, ValueError, KeyError, EOFError) as failure:
        raise DataError(f"{path} is not a checkpoint: {failure}") from None
    trace = {name.removeprefix("trace_"): v for name, v in found.items() if name.startswith("trace_")}
    return jax.tree.unflatten(jax.tree.structure(like), leaves), trace
