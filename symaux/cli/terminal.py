"""Print to the terminal: progress, text to standard output, files whole or not at all."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

LINE = 58  # so that a line of progress fits into 80 columns


@contextmanager
def progress(message: str) -> Iterator[None]:
    """Show on a terminal that something is under way, which rule is tried on which law, and for how long."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from symaux.progress import listen

    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(message)
        with listen(lambda rule, law: shown.update(task, description=describe_attempt(rule, law))):
            yield


def describe_attempt(rule: str, law: Any) -> str:
    """Return the current attempt on one line.

    >>> describe_attempt("monotone", "z ~ exp(" + 99 * "z" + ")")
    'monotone on z ~ exp(zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz...'
    """
    text = " ".join(str(law).split())
    return f"{rule} on {text if len(text) <= LINE else text[: LINE - 3] + '...'}"


def print_text(text: str) -> None:
    """Print text to standard output."""
    write_stdout(text, nl=True)


def write_stdout(content: str | bytes, nl: bool) -> None:
    """Write to standard output; escape what its encoding lacks, and raise OutputError if the disk is full."""
    try:
        click.echo(content, nl=nl)
    except UnicodeEncodeError as failure:
        assert isinstance(content, str)
        write_stdout(content.encode(failure.encoding, "backslashreplace").decode(failure.encoding), nl)
    except BrokenPipeError:
        raise
    except OSError as failure:
        from symaux.files.atomic_write import OutputError

        sys.stdout = io.StringIO()  # what is left in the buffer would fail again at the end
        raise OutputError(f"standard output cannot be written: {failure.strerror}") from failure


def write_output(content: str | bytes, output: str | None) -> None:
    """Write text to a file, whole or not at all, or to standard output."""
    if output is None:
        write_stdout(content, isinstance(content, str) and not content.endswith("\n"))
        return
    from symaux.files.atomic_write import write

    write(output, content)
    print_text(f"wrote {output}")
