"""Plots as SVG: escaped and clipped."""

from __future__ import annotations

import re

from symaux.show.reporting.svg_plot import Bars, plot


def test_plots_escape_and_clip() -> None:
    text = plot("<b>", [[(0.0, 1e9), (0.5, 1.0), (1.0, 1.0)]], Bars([0.0, 0.5, 1.0], [1.0, 1.0]), ("<x>", "y"))
    assert "&lt;b&gt;" in text and "&lt;x&gt;" in text
    heights = [float(p.split(",")[1]) for p in re.search(r'points="([^"]*)"', text)[1].split()]  # type: ignore[index]
    assert min(heights) >= 0
