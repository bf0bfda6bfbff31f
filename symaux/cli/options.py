"""Define what commands share: exit status of errors, options of several words, and options of commands that rewrite a model."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from symaux.cli.terminal import progress
from symaux.errors import SymauxError

NOISES = ("auto", "normal", "uniform")
CHOICES = ("all", "advise", "learn")
LONGEST = 800  # characters of a line of an error
SEVERAL = ("--positive", "--real", "--only")


class Symaux(click.Group):
    """A command group that reports symaux's errors with their code and exit status 2, and an interrupt with status 130."""

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        try:
            status = super().main(*args, standalone_mode=False, **kwargs)
        except SymauxError as failure:
            click.echo(f"symaux: error [{failure.code}]: {printable(str(failure))}", err=True)
            status = 2
        except click.ClickException as failure:
            failure.show()
            status = failure.exit_code
        except (click.Abort, KeyboardInterrupt):
            click.echo("interrupted", err=True)
            status = 130
        if standalone_mode:
            sys.exit(status if isinstance(status, int) else 0)
        return status


def printable(message: str) -> str:
    r"""Return a message that is safe to print on a terminal: control characters are escaped, and long lines are cut.

    >>> print(printable("data for y\x1b[2J\n" + 999 * "z")[:80])
    data for y\x1b[2J
    zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
    """
    lines = (line if len(line) <= LONGEST else f"{line[:LONGEST]}..." for line in message.split("\n"))
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in "\n".join(lines))


class SeveralWordsCommand(click.Command):
    """A command whose options in SEVERAL take several words: ``--positive a b`` is ``--positive a --positive b``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, repeat_options(args))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would overwrite a file that it reads."""
        if output := ctx.params.get("output"):
            from symaux.files.atomic_write import check_not_an_input

            check_not_an_input(output, ctx.params["target"], *ctx.params.get("files", ()))
        return super().invoke(ctx)


def repeat_options(args: Sequence[str]) -> list[str]:
    """Return the arguments with an option repeated before each name that follows it.

    >>> repeat_options(["f(z)", "--positive", "a", "b,c", "--support", "0", "1"])
    ['f(z)', '--positive', 'a', '--positive', 'b', '--positive', 'c', '--support', '0', '1']
    """
    made: list[str] = []
    option, fresh = "", False
    for word in args:
        name, equals, value = word.partition("=")
        if name in SEVERAL:
            option = name
            made += [part for v in value.split(",") for part in (name, v)] if equals else []
            fresh = not equals
        elif option and (fresh or all(part.isidentifier() for part in word.split(","))):
            made += [part for v in word.split(",") for part in (option, v)]
            fresh = False
        else:
            option = ""
            made.append(word)
    return [*made, option] if fresh else made


def standard_output(context: Any, option: Any, value: str | None) -> str | None:
    """Return the file that an option names; a dash is standard output."""
    return None if value == "-" else value


def seconds(context: Any, option: Any, value: float) -> float:
    """Return a finite time in seconds."""
    if not 0 < value < 1e9:
        raise click.BadParameter(f"{value} is not a time in seconds")
    return value


output_option = click.option(
    "-o", "--output", metavar="FILE", help="Where to write; standard output otherwise, or for -.",
    callback=standard_output,
)  # fmt: skip


def rewriting_options(command: Any) -> Any:
    """Add the options of commands that rewrite a model."""
    command = click.option("--only", multiple=True, metavar="NAME...", help="Rewrite only these.")(command)
    command = click.option("--all-roots", is_flag=True, help="Rewrite roots too; nothing is gained but uniformity.")(
        command
    )
    command = click.option("--noise", type=click.Choice(NOISES), default=None, help="The kind of noise.")(command)
    command = data_option(command)
    return choose_option(command)


data_option = click.option(
    "--data",
    "files",
    multiple=True,
    metavar="FILE",
    help="JSON, CSV or npz, by the names of the model; may be repeated.",
)
choose_option = click.option(
    "--choose",
    type=click.Choice(CHOICES),
    default="all",
    show_default=True,
    help="How far to rewrite each latent: all the way; as its prior and --data advise; or as a short run learns.",
)


def auxiliary(
    target: str,
    only: Sequence[str] = (),
    all_roots: bool = False,
    noise: str | None = None,
    choose: str = "all",
    files: Sequence[str] = (),
) -> Any:
    """Return the derivation of the model in a file and show progress; the file's own data are used where none are given."""
    import symaux as sa
    from symaux.cli.targets import read_model_and_data
    from symaux.files.data import read_data

    if files and choose == "all":
        raise click.UsageError("--data is for --choose advise and --choose learn; rewriting all needs no data")
    model, own = read_model_and_data(target)
    data = read_data(*files) if files else own
    with progress("deriving the auxiliary form" if choose == "all" else "weighing priors against data"):
        return sa.auxiliary(
            model, only or None, not all_roots, noise or "normal", choose=choose, data=data if choose != "all" else None
        )
