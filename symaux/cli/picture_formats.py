"""Formats of pictures, as the name of a file or an option says them."""

from __future__ import annotations

import click

FORMATS = ("svg", "png", "pdf", "dot", "tikz")
BINARY = ("png", "pdf")


def picture_format(output: str | None, asked: str | None) -> str:
    """Return the format that was asked for, or that the output's name says; what is no text needs a file."""
    kind = asked or format_of(output)
    if kind in BINARY and output is None:
        raise click.UsageError(f"{kind} is binary: say where to write it with -o FILE")
    return kind


def format_of(output: str | None) -> str:
    """Return the format that a file's name says; svg where there is none.

    >>> format_of("a/b.PDF"), format_of("figure.tex"), format_of(None)
    ('pdf', 'tikz', 'svg')
    """
    suffix = (output or "").rpartition(".")[2].lower() if "." in (output or "") else ""
    known = {"tex": "tikz", "gv": "dot"} | {name: name for name in FORMATS}
    if suffix and suffix not in known:
        raise click.UsageError(f"{output}: no format .{suffix}; there are {', '.join(FORMATS)} (or say --format)")
    return known.get(suffix, "svg")
