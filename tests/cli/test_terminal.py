"""What a terminal is shown, and what standard output gets."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys

import pytest

KUMARASWAMY = ["a*b*z**(a-1)*(1-z**a)**(b-1)", "--value", "z", "--positive", "a", "b", "--support", "0", "1"]
OWN = [sys.executable, "-m", "symaux.cli.main"]


def on_a_terminal(*args: str) -> tuple[str, str]:
    """What a process writes to standard output, and to a terminal as its standard error."""
    ours, theirs = os.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen([*OWN, *args], stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment) as process:
        os.close(theirs)
        seen = b""
        with contextlib.suppress(OSError):  # the terminal is gone when the process is
            while part := os.read(ours, 4096):
                seen += part
        shown = process.communicate(timeout=120)[0]
    os.close(ours)
    return shown, seen.decode()


def test_progress_is_shown_on_a_terminal_only() -> None:
    shown, seen = on_a_terminal("derive", *KUMARASWAMY)
    assert shown.startswith("z = (1 - eps_z**(1/b))**(1/a)\n")
    assert "inverse_cdf on z ~ exp(" in seen and "0:00:0" in seen


def test_a_search_tells_what_it_tries() -> None:
    import sympy as sp

    import symaux as sa
    from symaux.progress import listen

    heard = []
    z = sp.Symbol("z", positive=True)
    with listen(lambda rule, law: heard.append((rule, str(law)))):
        sa.derive(sa.law(z, 3 * sp.exp(-3 * z) / (1 - sp.exp(-6)), support=(0, 2)), noise="uniform")
    assert any(rule == "inverse_cdf" for rule, _ in heard) and all("~" in law for _, law in heard)


def test_standard_output_that_is_full_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from symaux.cli.terminal import print_text
    from symaux.files.atomic_write import OutputError

    class Full(io.StringIO):
        def write(self, _: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(OutputError, match="No space left"):
        print_text("hello")


def test_standard_output_without_greek_has_it_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from symaux.cli.terminal import print_text

    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="latin-1", errors="strict"))
    print_text("μ = 1")
    sys.stdout.flush()
    assert held.getvalue().strip() == rb"\u03bc = 1"
