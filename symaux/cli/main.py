"""Define the command line. Nothing heavy is imported before a command needs it: ``symaux --help`` loads no sympy, no jax."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import click

from symaux.cli.export import export
from symaux.cli.gallery import gallery
from symaux.cli.options import (
    SeveralWordsCommand,
    Symaux,
    auxiliary,
    output_option,
    rewriting_options,
    seconds,
    standard_output,
)
from symaux.cli.picture_formats import FORMATS, picture_format
from symaux.cli.report import report
from symaux.cli.sample import sample
from symaux.cli.terminal import print_text, progress, write_output

VIEWS = ("network", "factors", "slice")


@click.group(cls=Symaux, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="symaux")
def cli() -> None:
    """Derive auxiliary forms of Bayesian networks from formulas, verify them, draw them and compile them to JAX."""


@cli.command(cls=SeveralWordsCommand, context_settings={"ignore_unknown_options": True})
@click.argument("target", metavar="FORMULA|FAMILY|MODEL")
@click.option("--value", metavar="NAME", help="The variable of a formula; z, x or y unless said otherwise.")
@click.option("--positive", multiple=True, metavar="NAME...", help="Parameters that are positive; others are real.")
@click.option("--real", multiple=True, metavar="NAME...", help="Parameters that are real.")
@click.option("--support", nargs=2, metavar="LOWER UPPER", help="The interval, as formulas: 0 1, -oo oo, a b.")
@click.option("--given", multiple=True, metavar="CONDITION", help="What the parameters satisfy: 'a < b', '0 < p < 1'.")
@click.option("--log", "logarithm", is_flag=True, help="The formula is the log-density.")
@click.option("--accept", type=click.Choice(["sampled", "approximate"]), help="Also accept weaker evidence.")
@click.option("--all", "every", is_flag=True, help="Every form with its verdict, as they are found.")
@click.option("--explain", is_flag=True, help="The numbered derivation with its evidence; with --latex, for a paper.")
@click.option("--json", "as_json", is_flag=True, help="Plain data; a list with --all.")
@click.option("--code", is_flag=True, help="A module that imports only jax.")
@click.option("--latex", is_flag=True, help="The formulas, for a paper.")
@click.option("--html", "as_page", is_flag=True, help="A page with everything, plots included; it fetches nothing.")
@click.option(
    "--output", metavar="FILE", help="Where to write.", callback=standard_output
)  # no -o, which formulas such as -log(z) would hold
@rewriting_options
def derive(
    target: str,
    output: str | None,
    only: tuple[str, ...],
    all_roots: bool,
    noise: str | None,
    choose: str,
    files: tuple[str, ...],
    **options: Any,
) -> None:
    """Derive the auxiliary form of a law or of a model.

    \b
    symaux derive "a*b*z**(a-1)*(1-z**a)**(b-1)" --value z --positive a b --support 0 1
    symaux derive Gumbel --explain
    symaux derive "exp(-z**2/2)/sqrt(2*pi)" --all --accept approximate
    symaux derive "z**(a-1)*exp(-z)/gamma(a)" --positive a --support 0 oo --given "a >= 2" --given "a <= 3" --accept approximate
    symaux derive model.py --code
    symaux derive model.symaux --choose advise --data data.json
    symaux derive Kumaraswamy --html --output kumaraswamy.html
    """
    from symaux.cli import printing
    from symaux.cli.targets import is_path, read_law

    choice = requested_output(
        **{face: options.pop(face) for face in ("as_json", "code", "latex", "explain", "as_page")}
    )
    accept, every = options.pop("accept"), options.pop("every")
    if is_path(target):
        write_output(printing.show_model(auxiliary(target, only, all_roots, noise, choose, files), choice), output)
        return
    if choose != "all":
        raise click.UsageError("--choose is for models: a single law has nothing to choose between")
    law = read_law(target, **options)
    if every and not choice.json and output is None:
        say_each(printing.all_forms(law, noise or "auto", accept), choice)
        return
    with progress("searching for a generating function"):
        forms = printing.find_forms(law, noise or "auto", accept, every)
        text = printing.show_law(forms, choice, every)
    write_output(text, output)


def requested_output(as_json: bool, code: bool, latex: bool, explain: bool, as_page: bool) -> Any:
    """Return the requested output of a derivation: one format, or an explanation in LaTeX."""
    from symaux.cli.printing import Choice

    if as_json + code + as_page + (latex or explain) > 1:
        raise click.UsageError("--json, --code, --html and --latex or --explain exclude each other: choose one")
    return Choice(as_json, code, latex, explain, as_page)


def say_each(forms: Iterator[Any], choice: Any) -> None:
    """Print each form as soon as it is found."""
    from symaux.cli import printing

    for number in count():
        with progress("searching for another form" if number else "searching for a generating function"):
            form = next(forms, None)
            text = None if form is None else printing.show_law([form], choice)
        if text is None:
            return
        print_text(f"\n{text}" if number else text)


@cli.command(cls=SeveralWordsCommand)
@click.argument("target", metavar="MODEL|FAMILY|FILE.json")
@click.option("--calibrate", is_flag=True, help="Also simulation-based calibration with BlackJAX: minutes.")
@click.option(
    "--replicates", type=click.IntRange(40, 100_000), default=200, show_default=True, help="Data sets to draw."
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="Of the calibration.")
@click.option(
    "--seconds",
    type=float,
    default=600.0,
    show_default=True,
    help="When calibration stops and judges.",
    callback=seconds,
)
@click.option("--json", "as_json", is_flag=True, help="Plain data.")
@rewriting_options
@click.pass_context
def verify(
    ctx: click.Context,
    target: str,
    noise: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Verify every step of a derivation and the whole; exit status 1 if it does not hold.

    A .json file is what `symaux derive --json` wrote; it is checked again, and not trusted.

    With --calibrate, parameters and data are drawn from the original model, BlackJAX samples the auxiliary form given each
    data set, and the ranks of the true values must be uniform. Inputs are those of `data` in the model's file, a dict or a
    function that gives one; others are drawn.
    """
    from symaux.cli import printing
    from symaux.cli.targets import is_path, read_law

    calibrate = options.pop("calibrate")
    rewrite = {name: options.pop(name) for name in ("only", "all_roots", "choose", "files")} | {"noise": noise}
    if calibrate and (target.endswith(".json") or not is_path(target)):
        raise click.UsageError("--calibrate is for models: give a .py file that defines model")
    if target.endswith(".json"):
        ctx.exit(0 if recheck(target, as_json) else 1)
    if is_path(target):
        ctx.exit(0 if verify_model(target, rewrite, as_json, options if calibrate else None) else 1)
    with progress("searching for a generating function"):
        (form,) = printing.find_forms(read_law(target), noise or "auto", None, False)
    print_text(printing.verification(form.derivation, form.verdict, as_json))
    ctx.exit(0 if form.verdict else 1)


def verify_model(target: str, rewrite: Any, as_json: bool, calibration: Any) -> bool:
    """Return whether a model's auxiliary form holds and, if requested, is calibrated."""
    import symaux as sa
    from symaux.cli import printing
    from symaux.cli.targets import read_model_and_data

    if calibration is not None:
        from symaux.validate.blackjax_chain import require

        require("blackjax", "calibration")  # before anything takes time
    aux, data = auxiliary(target, **rewrite), read_model_and_data(target)[1]
    with progress("verifying"):
        verdict = aux.verify()
    if calibration is None:
        print_text(printing.verification(aux, verdict, as_json))
        return bool(verdict)
    with progress("calibrating"):
        found = sa.calibrate(aux, data, **calibration)
    print_text(printing.verification(aux, verdict, as_json, found))
    return bool(verdict) and bool(found)


def recheck(path: str, as_json: bool = False) -> bool:
    """Return whether the evidence in a file holds when it is checked again."""
    from symaux.cli import printing
    from symaux.cli.targets import read_records
    from symaux.exchange.archive import recheck_record

    with progress("checking again"):
        found = [recheck_record(record) for record in read_records(path)]
    print_text(printing.rechecks(found) if as_json else "\n\n".join(map(str, found)))
    return all(each.holds and bool(each.verdict) for each in found)


@cli.command(cls=SeveralWordsCommand)
@click.argument("target", metavar="MODEL")
@output_option
@click.option("--focus", metavar="NAME", help="The variable whose Markov blanket is marked.")
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Read off the output's name otherwise.")
@click.option("--original", is_flag=True, help="The model alone, not before and after.")
@click.option("--view", type=click.Choice(VIEWS), default="network", help="The factor graph, or a slice of a series.")
@click.option("--no-legend", is_flag=True, help="Without the legend, for a paper.")
@click.option("--flow", is_flag=True, help="Arrows as broad as the gradient that they carry at draws from the prior.")
@rewriting_options
def render(target: str, output: str | None, kind: str | None, original: bool, flow: bool, **options: Any) -> None:
    """Draw a model before and after, with the Markov blanket of a variable."""
    import symaux as sa
    from symaux.analysis.gradient_flow import prior_flow
    from symaux.cli.targets import read_model

    kind = picture_format(output, kind)
    shown = {"focus": options.pop("focus"), "view": options.pop("view"), "legend": not options.pop("no_legend")}
    thing = read_model(target) if original else auxiliary(target, **options)
    with progress("drawing"):
        forms = [thing] if original else [thing.before, thing.after]
        weights = [prior_flow(form) for form in forms] if flow else None
        picture = sa.render(thing, format=kind, flow=weights, **shown)
    write_output(picture, output)


@cli.command()
def rules() -> None:
    """List the rules in the order in which they are tried."""
    from symaux.cli import printing

    print_text(printing.rules())


@cli.command()
@click.option("-o", "--output", default="demo", show_default=True, metavar="FOLDER", help="Where to leave everything.")
@click.pass_context
def demo(ctx: click.Context, output: str) -> None:
    """Take the paper's chain through everything: derivation, verification, picture, generated module."""
    from pathlib import Path

    from symaux.cli.demo import demo as made
    from symaux.files.atomic_write import OutputError, make_folder, write

    if Path(output).is_file():
        raise OutputError(f"{output} is a file; give the name of a folder")
    with progress("taking the paper's chain through everything"):
        result = made()
    where = make_folder(output)
    for name, content in result.files.items():
        write(where / name, content)
    print_text(result.summary)
    print_text("\nwrote " + ", ".join(str(Path(output) / name) for name in result.files))
    ctx.exit(0 if result.verified else 1)


cli.add_command(report)
cli.add_command(export)
cli.add_command(sample)
cli.add_command(gallery)


def main() -> None:
    cli.main(prog_name="symaux")


__all__ = ["cli", "main"]

if __name__ == "__main__":
    main()
