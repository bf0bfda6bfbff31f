"""Define ``symaux gallery``: the site of models and laws, and the paper's figures."""

from __future__ import annotations

from pathlib import Path

import click

from symaux.cli.options import output_option
from symaux.cli.picture_formats import FORMATS, picture_format
from symaux.cli.terminal import print_text, progress, write_output
from symaux.errors import SymauxError

MORE = {
    "scoreboard.html": "The scoreboard",
    "evidence.html": "The evidence",
    "mnist_experiment.html": "Handwritten digits",
    "dbn_experiment.html": "A dynamic network",
    "helps_or_hurts.html": "Where it helps, where it hurts",
    "choosing.html": "Choosing how far to rewrite",
}


class GalleryError(SymauxError):
    """The gallery has nothing to show."""

    code = "gallery"


@click.group()
def gallery() -> None:
    """Build the gallery as a site, or draw the paper's figures."""


@gallery.command()
@click.argument("folder", default="gallery", metavar="[FOLDER]")
@click.option(
    "-o", "--output", default="build/gallery", show_default=True, metavar="SITE", help="Where to write the site."
)
@click.option("--only", multiple=True, metavar="NAME", help="Some pages by name; may be repeated.")
@click.option("--fresh", is_flag=True, help="Make every page anew; otherwise only those that are missing.")
def build(folder: str, output: str, only: tuple[str, ...], fresh: bool) -> None:
    """Make a page for each model and law of a folder of scripts, and an index with thumbnails.

    A build that was interrupted goes on where it stopped.
    """
    from symaux.files.atomic_write import make_folder as made_folder
    from symaux.files.atomic_write import write
    from symaux.show.reporting.gallery import exhibits, index

    source = Path(folder)
    if not source.is_dir():
        raise GalleryError(f"there is no folder {folder}")
    found = [e for e in exhibits(source) if not only or e.name in only or e.title in only]
    if not found:
        raise GalleryError(f"{folder} has no script that defines model or laws" + (" of that name" if only else ""))
    site = made_folder(output)
    for number, exhibit in enumerate(found, 1):
        page, thumbnail = site / f"{exhibit.name}.html", site / f"{exhibit.name}.svg"
        if fresh or not page.exists():
            with progress(f"{number} of {len(found)}: {exhibit.title}"):
                made, small = exhibit.make()
            write(thumbnail, small)
            write(page, made)
            print_text(f"{number} of {len(found)}: {page}")
    others = [(name, title) for name, title in MORE.items() if (source / name).exists()]
    for name, _ in others:
        write(site / name, (source / name).read_bytes())
    shown = [(e, (site / f"{e.name}.svg").read_text(encoding="utf-8")) for e in found]
    write(site / "index.html", index(shown, others))
    print_text(f"wrote {site / 'index.html'}")


@gallery.command()
@click.argument("number", type=click.IntRange(1, 2))
@output_option
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Read off the output's name otherwise.")
def figure(number: int, output: str | None, kind: str | None) -> None:
    """Draw figure 1 or 2 of Kingma (2013).

    \b
    symaux gallery figure 2 -o figure2.tex
    """
    from symaux.show.drawing.kingma_figures import draw_paper_figure

    write_output(draw_paper_figure(number, picture_format(output, kind)), output)
