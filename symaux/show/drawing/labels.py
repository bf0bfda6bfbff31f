r"""Make mathematical labels from names: ``theta`` is θ, ``z1`` is z₁, ``eps_theta[3]`` is ε with the subscript θ,3.

>>> label("eps_theta[3]").text, label("z1", tilde=True).latex
('ε_θ,3', '\\tilde{z}_{1}')
"""

from __future__ import annotations

import re
from dataclasses import dataclass

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "lamda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "omicron": "ο", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
    "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
FUNCTIONS = ("log", "logit", "probit", "softplus", "atanh")  # upright, in front of the variable: log τ
LATEX = {"lamda": r"\lambda", "eps": r"\varepsilon", "epsilon": r"\varepsilon", "omicron": "o"}
LONGEST = 24  # characters; longer names are cut in the middle, and the tooltip has the full name
NAME = re.compile(r"([^\W\d_][^\W_]*(?:_[^\W_]+)*)(?:\[([\w,]*)\])?")
NUMBERED = re.compile(r"([^\W\d_]+)(\d*)")


@dataclass(frozen=True)
class Label:
    """The parts of a name: ``function`` upright, ``base`` in italics, subscripts, and a tilde if it was rewritten.

    A variable that is part of the way between another and its noise has the other's letter with a ``prime``.
    """

    name: str
    base: str
    subscripts: tuple[str, ...] = ()
    function: str = ""
    tilde: bool = False
    prime: bool = False
    mathematical: bool = True  # False for a name that is not an identifier: shown as it is

    @property
    def head(self) -> str:
        """Return the base as it is drawn: a Greek letter, or the name, cut if it is long."""
        return shorten(GREEK.get(self.base, self.base)) + ("′" if self.prime else "")

    @property
    def sub(self) -> str:
        """Return the subscript as it is drawn."""
        return shorten(",".join(map(_glyphs, self.subscripts)))

    @property
    def text(self) -> str:
        """Return the label in one line of plain text."""
        return (f"{self.function} " if self.function else "") + self.head + (f"_{self.sub}" if self.sub else "")

    @property
    def latex(self) -> str:
        """Return the label for LaTeX's math mode, safe for any name."""
        if not self.mathematical:
            return rf"\text{{{escape_latex(shorten(self.base))}}}"
        body = _latex(self.base)
        body = (rf"\tilde{{{body}}}" if self.tilde else body) + ("'" if self.prime else "")
        sub = ",".join(map(_latex_numbered, self.subscripts))
        function = (r"\log " if self.function == "log" else rf"\mathrm{{{self.function}}}\,") if self.function else ""
        return function + body + (f"_{{{sub}}}" if sub else "")


def label(name: str, indices: tuple[str, ...] = (), *, tilde: bool = False) -> Label:
    """Return the label of a name; ``indices`` are added as subscripts, as in θ_j for an array over a plate.

    >>> label("log_tau").text, label("W2", ("i", "k")).text, label("<script>").text, label("partial_theta", ("j",)).text
    ('log τ', 'W_2,i,k', '<script>', 'θ′_j')
    """
    matched = NAME.fullmatch(name)
    if matched is None:
        return Label(name, name, tilde=tilde, mathematical=False)
    parts = matched[1].split("_")
    prime = len(parts) > 1 and parts[0] == "partial"
    parts = parts[1:] if prime else parts
    function = parts.pop(0) if len(parts) > 1 and parts[0] in FUNCTIONS else ""
    if _wordy(parts):
        parts = ["_".join(parts)]
    numbered = NUMBERED.fullmatch(parts[0])
    base, number = (numbered[1], numbered[2]) if numbered else (parts[0], "")
    inner = matched[2].split(",") if matched[2] else []
    subscripts = (*([number] if number else []), *parts[1:], *inner, *indices)
    return Label(name, base, subscripts, function, tilde, prime)


def _wordy(parts: list[str]) -> bool:
    """Return whether a name reads as words (county_effect), not as a letter with subscripts (mu_county, eps_z_1)."""
    head, tail = parts[0], ",".join(parts[1:])
    return len(parts) > 1 and ((len(head) > 3 and head not in GREEK and len(tail) > 3) or len(tail) > 12)


def shorten(text: str) -> str:
    """Return long text with an ellipsis in its middle."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}…{text[-half + 1 :]}"


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text in a serif font of the given size; too wide rather than too narrow."""
    return size * sum(
        0.32 if c in "ijltfrI.,'| []()-" else 0.86 if c in "mwMW@" or ord(c) > 0x2E80 else 0.56 for c in text
    )


def _glyphs(part: str) -> str:
    numbered = NUMBERED.fullmatch(part)
    return GREEK.get(numbered[1], numbered[1]) + numbered[2] if numbered else part


def _latex(word: str) -> str:
    if word in GREEK:
        return LATEX.get(word, "\\" + word)
    return escape_latex(word) if len(word) == 1 else rf"\mathit{{{escape_latex(shorten(word))}}}"


def _latex_numbered(part: str) -> str:
    numbered = NUMBERED.fullmatch(part)
    return _latex(numbered[1]) + numbered[2] if numbered else escape_latex(part)


def escape_latex(text: str) -> str:
    r"""Return text in which LaTeX sees nothing but printable characters.

    >>> escape_latex("a_b%$")
    'a\\_b\\%\\$'
    """
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "#$%&_{}"}
    return "".join(special.get(c, c if c.isprintable() else " ") for c in text)
