"""Define ``symaux report``: one page about a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symaux.cli.options import SeveralWordsCommand, auxiliary, output_option, rewriting_options
from symaux.cli.terminal import progress, write_output


@click.command(cls=SeveralWordsCommand)
@click.argument("target", metavar="MODEL|FAMILY")
@output_option
@click.option("--title", metavar="TEXT", help="The heading of the page; the file's name otherwise.")
@rewriting_options
def report(target: str, output: str | None, title: str | None, noise: str | None, **options: Any) -> None:
    """Write one page about a model: notation, blankets, derivation, draws and code. It fetches nothing.

    \b
    symaux report model.py -o report.html
    symaux report model.symaux --choose advise --data data.json -o report.html
    """
    from symaux.cli.printing import find_forms
    from symaux.cli.targets import is_path, read_law
    from symaux.show.reporting.report import report as page

    if is_path(target):
        thing = auxiliary(target, noise=noise, **options)
        heading = title or Path(target).stem.replace("_", " ")
    else:
        with progress("searching for a generating function"):
            (thing,) = find_forms(read_law(target), noise or "auto", None, False)
        heading = title or target
    with progress("writing the report"):
        text = page(thing, heading)
    write_output(text, output)
