"""Find the format of a picture from the name of a file or from an option."""

from __future__ import annotations

import click

FORMATS = ("svg", "png", "pdf", "dot", "tikz")
BINARY = ("png", "pdf")


def picture_format(output: str | None, asked: str | None) -> str:
    """Return the requested format, or that of the output's name; a binary format needs a file."""
    kind = asked or format_of(output)
    if kind in BINARY and output is None:
        raise click.UsageError(f"{kind} is binary: give a file to write to with -o FILE")
    return kind


def format_of(output: str | None) -> str:
    """Return the format that a file's suffix names; svg without one.

    >>> format_of("a/b.PDF"), format_of("figure.tex"), format_of(None)
    ('pdf', 'tikz', 'svg')
    """
    suffix = (output or "").rpartition(".")[2].lower() if "." in (output or "") else ""
    known = {"tex": "tikz", "gv": "dot"} | {name: name for name in FORMATS}
    if suffix and suffix not in known:
        raise click.UsageError(f"{output}: no format .{suffix}; there are {', '.join(FORMATS)} (or give --format)")
    return known.get(suffix, "svg")
