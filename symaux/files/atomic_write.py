"""Write files to a temporary neighbour and rename them: a reader sees the old file or the new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from symaux.errors import SymauxError

MOST_LINKS = 40  # as many as Linux follows


class OutputError(SymauxError):
    """A file or folder cannot be written."""

    code = "output"


def write(path: str | Path, content: str | bytes) -> Path:
    """Write a whole file or nothing, and return its path.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as make_folder:
    ...     write(f"{make_folder}/a.txt", "hello").read_text()
    'hello'
    """
    final = _place(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    neighbour = final.with_name(f".{final.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        _write_synced(neighbour, data)
        os.replace(neighbour, final)
    except OSError as failure:
        raise OutputError(f"{path} cannot be written: {failure.strerror or failure}") from failure
    finally:
        with contextlib.suppress(OSError):
            neighbour.unlink()
    return final


def _place(path: str | Path) -> Path:
    """Return the path to write to; raise OutputError for a folder, and for a device or pipe, which renaming would replace."""
    try:
        if not str(path):
            raise OutputError("the name of the file to write is empty")
        final = Path(os.path.realpath(path))
        if final.is_dir() or str(path).endswith("/"):
            raise OutputError(f"{path} is a directory; give the name of a file")
        if _is_a_stream(path) or ((final.exists() or final.is_symlink()) and not final.is_file()):
            raise OutputError(
                f"{path} is not a regular file: it would be replaced; leave -o out to write to standard output"
            )
        if not final.parent.is_dir():
            raise OutputError(
                f"{path} cannot be written: the folder {final.parent.name or final.parent} does not exist"
            )
    except (OSError, ValueError) as failure:  # a name that is too long, or holds a NUL
        raise OutputError(f"{str(path)[:60]!r} cannot be written: {failure}") from None
    return final


def _is_a_stream(path: str | Path) -> bool:
    """Return whether a name leads to a file that is open already, as /dev/stdout does: renaming would replace it."""
    here = os.path.abspath(path)
    for _ in range(MOST_LINKS):
        folder = os.path.realpath(os.path.dirname(here))
        if folder.startswith("/proc/") and folder.endswith("/fd"):
            return True
        if not os.path.islink(here):
            return False
        here = os.path.join(os.path.dirname(here), os.readlink(here))
    return False


def _write_synced(path: Path, data: bytes) -> None:
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def check_not_an_input(output: str, *read: str) -> None:
    """Raise OutputError if the output is one of the files that the command reads: the model would be lost.

    >>> check_not_an_input("model.symaux", "./model.symaux")
    Traceback (most recent call last):
        ...
    symaux.files.atomic_write.OutputError: model.symaux is read by this command, which would replace it; give another name
    """
    for path in read:
        if "\0" not in output + path and os.path.realpath(output) == os.path.realpath(path):
            raise OutputError(f"{output} is read by this command, which would replace it; give another name")


def make_folder(path: str | Path) -> Path:
    """Return the path of a folder, and make the folder if it does not exist."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as failure:
        raise OutputError(f"the folder {path} cannot be created: {getattr(failure, 'strerror', failure)}") from failure
    return Path(path)
