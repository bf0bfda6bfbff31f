"""Define ``symaux export``: a module that imports only jax, StableHLO artefacts beside it, or source for other libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symaux.cli.options import SeveralWordsCommand, auxiliary, output_option, rewriting_options
from symaux.cli.terminal import print_text, progress, write_output
from symaux.exchange.exporting.targets import TARGETS

CHOICES = ("jax", *(target.name for target in TARGETS), "symaux")


@click.command(cls=SeveralWordsCommand)
@click.argument("target", metavar="MODEL")
@output_option
@click.option("--original", is_flag=True, help="The model as it was written.")
@click.option("--to", type=click.Choice(CHOICES), default="jax", show_default=True, help="Whose users it is for.")
@click.option("--stablehlo", is_flag=True, help="Also jax.export artefacts for cpu, cuda and tpu; needs -o.")
@click.option("--drop-constants", is_flag=True, help="Leave out terms that no latent variable or input moves.")
@rewriting_options
def export(
    target: str, output: str | None, original: bool, to: str, stablehlo: bool, drop_constants: bool, **options: Any
) -> None:
    """Write a module that imports only jax: log_density, value_and_grad, generate, sample_prior, prepare and more.

    With --stablehlo, each function of a position and data is also lowered for cpu, cuda and tpu, with plates of any
    length where the model leaves that open, into model_aux.log_density.stablehlo and so on.

    \b
    symaux export model.symaux -o model_aux.py
    symaux export model.symaux --to stan -o model.stan
    symaux export model.symaux --choose advise --data data.json -o model_aux.py
    """
    import symaux as sa
    from symaux.cli.targets import read_model
    from symaux.files.atomic_write import write

    if stablehlo and output is None:
        raise click.UsageError("--stablehlo writes files beside the module: say where with -o")
    if stablehlo and to != "jax":
        raise click.UsageError("--stablehlo is for the module that imports only jax")
    if drop_constants and to != "jax":
        raise click.UsageError("--drop-constants is for the module that imports only jax")
    made = read_model(target) if original else auxiliary(target, **options)
    with progress("generating code"):
        source = sa.to_source(made, drop_constants=drop_constants) if to == "jax" else other_source(made, to)
        lowered = sa.to_stablehlo(made) if stablehlo else {}
    write_output(source, output)
    if weights := getattr(getattr(made, "choice", None), "inputs", {}):
        _deliver_weights(weights, output)
    for name, artefact in lowered.items():
        path = Path(str(output)).with_suffix(f".{name}.stablehlo")
        write(path, artefact)
        print_text(f"wrote {path}")


def _deliver_weights(weights: dict[str, Any], output: str | None) -> None:
    """Write weights that differ between elements, as data of the module, to a file beside it or on a line of their own."""
    import json

    from symaux.files.atomic_write import write

    text = json.dumps({name: value.tolist() for name, value in weights.items()})
    if output is None:
        click.echo(f"give these weights with the data: {text}", err=True)
        return
    path = Path(output).with_suffix(".weights.json")
    write(path, text)
    print_text(f"wrote {path}: give these weights with the data")


def other_source(made: Any, to: str) -> str:
    """Return a model, or a derivation's auxiliary form, as source for the users of another library, or as model
    text."""
    import symaux as sa

    return f"{getattr(made, 'after', made).text}\n" if to == "symaux" else sa.exported(made, to)
