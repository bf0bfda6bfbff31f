"""``symaux export``: a module that imports only jax, and StableHLO artefacts beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from symaux.commands.options import Spread, auxiliary, output_option, rewriting
from symaux.commands.terminal import deliver, progress, say


@click.command(cls=Spread)
@click.argument("target", metavar="MODEL")
@output_option
@click.option("--original", is_flag=True, help="The model as it was written.")
@click.option("--stablehlo", is_flag=True, help="Also jax.export artefacts for cpu, cuda and tpu; needs -o.")
@rewriting
def export(target: str, output: str | None, original: bool, stablehlo: bool, **options: Any) -> None:
    """Write a module that imports only jax: log_density, value_and_grad, generate, sample_prior, prepare and more.

    With --stablehlo, each function of a position and data is also lowered for cpu, cuda and tpu, with plates of any
    length where the model leaves that open, into model_aux.log_density.stablehlo and so on.
    """
    import symaux as sa
    from symaux.output import write
    from symaux.targets import read_model

    if stablehlo and output is None:
        raise click.UsageError("--stablehlo writes files beside the module: say where with -o")
    model = read_model(target)
    made = model if original else auxiliary(model, **options)
    with progress("generating code"):
        source = sa.to_source(made)
        lowered = sa.to_stablehlo(made) if stablehlo else {}
    deliver(source, output)
    for name, artefact in lowered.items():
        path = Path(str(output)).with_suffix(f".{name}.stablehlo")
        write(path, artefact)
        say(f"wrote {path}")
