"""Plot as small SVGs, coloured by the page's style sheet: a histogram, curves, and axes with round numbers."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

Points = Sequence[tuple[float, float]]
WIDTH, HEIGHT = 380.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 22.0, 38.0


@dataclass(frozen=True)
class Bars:
    """A histogram: the edges of its bars, one more than the heights."""

    edges: Sequence[float]
    heights: Sequence[float]


@dataclass(frozen=True)
class Frame:
    """The ranges of the two axes, and the map from values to points."""

    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (min(max(y, self.y[0]), self.y[1]) - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers between two ends.

    >>> ticks(0.0, 1.0), ticks(-3.2, 4.9)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-2.0, 0.0, 2.0, 4.0])
    """
    rough = (high - low) / about
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * m for m in (1.0, 2.0, 5.0, 10.0) if rough <= size * m * 1.001)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def plot(title: str, curves: Sequence[Points], bars: Bars | None = None, names: tuple[str, str] = ("", "")) -> str:
    """Return one SVG element; the title is read out by screen readers."""
    frame = _frame(curves, bars)
    inside = [*(_bars(bars, frame) if bars else ()), *_axes(frame, names)]
    inside += [_curve(points, frame, number) for number, points in enumerate(curves)]
    head = f'<svg class="plot" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{html.escape(title)}">'
    return f"{head}{''.join(inside)}</svg>"


def _frame(curves: Sequence[Points], bars: Bars | None) -> Frame:
    xs = [x for points in curves for x, _ in points] + list(bars.edges if bars else ())
    ys = sorted(y for points in curves for _, y in points)
    if not bars:
        pad = 0.04 * (ys[-1] - ys[0]) or 1.0
        return Frame((min(xs), max(xs)), (ys[0] - pad, ys[-1] + pad))
    # a density may be unbounded: its curve leaves the frame rather than flatten the histogram
    top = min(ys[-1], 1.6 * max(bars.heights, default=1.0)) if ys else 1.0
    return Frame((min(xs), max(xs)), (0.0, 1.08 * max(top, max(bars.heights, default=0.0)) or 1.0))


def _bars(bars: Bars, frame: Frame) -> list[str]:
    made = []
    for left, right, height in zip(bars.edges[:-1], bars.edges[1:], bars.heights, strict=True):
        (x0, y0), (x1, y1) = frame.at(left, 0.0), frame.at(right, height)
        made.append(f'<rect class="bar" x="{x0:.1f}" y="{y1:.1f}" width="{x1 - x0:.1f}" height="{y0 - y1:.1f}"/>')
    return made


def _curve(points: Points, frame: Frame, number: int) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (frame.at(*p) for p in points))
    return f'<polyline class="curve curve-{number}" points="{path}"/>'


def _axes(frame: Frame, names: tuple[str, str]) -> list[str]:
    (x0, y0), (x1, y1) = frame.at(frame.x[0], frame.y[0]), frame.at(frame.x[1], frame.y[1])
    made = [f'<path class="axis" d="M{x0:.1f},{y1:.1f} V{y0:.1f} H{x1:.1f}"/>']
    for value in ticks(*frame.x):
        x, _ = frame.at(value, frame.y[0])
        made.append(
            f'<path class="axis" d="M{x:.1f},{y0:.1f} v4"/><text x="{x:.1f}" y="{y0 + 16:.1f}">{value:.4g}</text>'
        )
    for value in ticks(*frame.y, about=4):
        _, y = frame.at(frame.x[0], value)
        made.append(f'<path class="axis" d="M{x0:.1f},{y:.1f} h-4"/>')
        made.append(f'<text class="left" x="{x0 - 7:.1f}" y="{y + 3.5:.1f}">{value:.4g}</text>')
    made.append(f'<text class="name" x="{(x0 + x1) / 2:.1f}" y="{y0 + 32:.1f}">{html.escape(names[0])}</text>')
    return [*made, f'<text class="name start" x="{x0 - 40:.1f}" y="{y1 - 10:.1f}">{html.escape(names[1])}</text>']
