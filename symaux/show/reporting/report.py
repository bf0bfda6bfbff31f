"""Write reports: a model before and after, its blankets, the derivation with its evidence, draws and code, as an HTML page."""

from __future__ import annotations

import html
from typing import Any

from symaux.errors import SymauxError
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.rules.derivation import Derivation
from symaux.rules.form import AuxiliaryForm


def report(x: Any, title: str = "") -> str:
    """Return a page about a model, a derivation, a law or a form: self-contained HTML.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> page = report(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]), "two <b>variables</b>")
    >>> page.startswith("<!doctype html>"), "two &lt;b&gt;variables" in page
    (True, True)
    """
    from symaux.api import auxiliary, derive

    match x:
        case Model():
            return report(auxiliary(x), title)
        case Law():
            return report(derive(x), title)
        case AuxiliaryForm():
            from symaux.show.reporting.law_page import law_page

            return law_page(x, title)
        case Derivation() if isinstance(x.before, Model):
            from symaux.show.reporting.model_page import model_page

            return model_page(x, title)
        case Derivation():
            return report(x.after, title)
    raise SymauxError(f"a report is about a model, a derivation, a law or a form, not {html.escape(type(x).__name__)}")


__all__ = ["report"]
