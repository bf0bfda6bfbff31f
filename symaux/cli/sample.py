"""Define ``symaux sample``: draws from a model, given data in files; the posterior, or the prior."""

from __future__ import annotations

from typing import Any

import click

from symaux.cli.options import SeveralWordsCommand, choose_option, data_option
from symaux.cli.terminal import print_text, progress, write_output

FORMS = ("auxiliary", "original")


@click.command(cls=SeveralWordsCommand)
@click.argument("target", metavar="MODEL")
@data_option
@click.option(
    "--prior", is_flag=True, help="Draws of every variable from the model itself; observations are drawn too."
)
@click.option("--form", type=click.Choice(FORMS), default="auxiliary", show_default=True, help="The form to sample in.")
@choose_option
@click.option("--draws", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="In each chain.")
@click.option("--warmup", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="In each chain.")
@click.option("--chains", type=click.IntRange(1, 100), default=4, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True)
@click.option("-o", "--output", metavar="FILE", help="The draws, as .npz, .csv, .json or .nc; a summary otherwise.")
def sample(target: str, files: tuple[str, ...], prior: bool, output: str | None, choose: str, **options: Any) -> None:
    """Draw from the posterior given data (BlackJAX, the extra infer), or with --prior from the model itself.

    \b
    symaux sample schools.symaux --data schools.json
    symaux sample schools.symaux --data schools.json --choose advise
    symaux sample schools.symaux --data schools.json --prior -o draws.npz
    """
    import symaux as sa
    from symaux.cli.draws import as_file, check_output, draw_from_posterior, draw_from_prior, summarise
    from symaux.cli.targets import read_model_and_data
    from symaux.files.data import read_data

    check_output(output, prior)
    model, own = read_model_and_data(target)
    data = read_data(*files) if files else own
    if choose != "all" and (prior or options["form"] == "original"):
        raise click.UsageError("--choose picks the forms to sample the posterior in: leave out --prior and --form")
    if choose != "all":
        with progress("weighing priors against data"):
            model = sa.auxiliary(model, choose=choose, data=data, seed=options["seed"])
        click.echo(str(model.choice), err=True)
    with progress("drawing from the prior" if prior else "sampling the posterior"):
        if prior:
            found = draw_from_prior(model, data, options["draws"], options["seed"])
        else:
            found = draw_from_posterior(model, data, options)
    if found.diagnosis:
        click.echo(found.diagnosis, err=True)
    if output is None:
        print_text(summarise(found))
    else:
        write_output(as_file(found, output), output)
