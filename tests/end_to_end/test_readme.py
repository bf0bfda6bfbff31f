"""The README is true: its code runs and prints what it says, and its table of rules is that of RULES."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner
from support.paths import ROOT

from symaux.cli.main import cli
from symaux.rules.plugins import default_rules

README = ROOT / "README.md"
TABLE = re.compile(r"(<!-- rules: [^\n]*-->\n)(.*?)(<!-- end of rules -->)", re.DOTALL)


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)


def table() -> str:
    rows = [f"| `{rule.name}` | {rule.summary} |" for rule in default_rules()]
    return "\n".join(["| rule | what it does |", "|---|---|", *rows, ""])


def test_the_code_prints_what_it_says() -> None:
    """In an interpreter of its own, as a newcomer has it."""
    marker = "# end of block"
    code = f"print({marker!r})\n".join(blocks("python"))
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(f"{marker}\n") == blocks("text")


@pytest.mark.parametrize("block", blocks("console"))
def test_the_commands_print_what_they_say(block: str) -> None:
    command, _, expected = block.partition("\n")
    name, *arguments = shlex.split(command.removeprefix("$ "))
    assert name == "symaux"
    assert CliRunner().invoke(cli, arguments).stdout == expected


def test_the_table_of_rules_is_current() -> None:
    found = TABLE.search(README.read_text())
    assert found and found[2] == table(), "run: make readme"


def test_the_pictures_are_there() -> None:
    for picture in re.findall(r"!\[[^]]*\]\(([^)]*)\)", README.read_text()):
        assert (ROOT / picture).is_file()


def test_the_first_example_fits_on_the_first_screen() -> None:
    assert len(blocks("python")[0].strip().split("\n")) <= 12


if __name__ == "__main__":
    README.write_text(TABLE.sub(lambda found: found[1] + table() + found[3], README.read_text()))
