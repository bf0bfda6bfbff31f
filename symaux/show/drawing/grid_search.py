"""Search positions on a grid for plates that overlap without nesting, from a fixed seed: the result is always the same.

The cost of an arrangement counts outsiders inside a plate's rectangle most, then arrows that go up, then lengths.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx

Cell = tuple[int, int]  # column, row
Point = tuple[float, float]
# Costs: an outsider in a plate, an arrow upwards, a level arrow, a column that it crosses, a vertex in its way.
INTRUDER, UPWARD, LEVEL, ACROSS, BLOCKED = 300.0, 60.0, 9.0, 1.5, 14.0


@dataclass(frozen=True)
class Problem:
    """Vertices by number, their arrows, the members of each plate, and the variable of each noise."""

    size: int
    edges: tuple[tuple[int, int], ...]
    plates: tuple[frozenset[int], ...]
    noise: dict[int, int]

    def cost(self, cells: Sequence[Cell]) -> float:
        """Return the cost of an arrangement; a valid one has no outsider in a plate's rectangle."""
        taken = set(cells)
        total = sum(self._edge(cells[a], cells[b], taken) for a, b in self.edges)
        for e, z in self.noise.items():
            total += 4.0 * abs(cells[e][0] - cells[z][0]) + 4.0 * abs(cells[z][1] - cells[e][1] - 1)
        return total + self._plates(cells)

    def _edge(self, tail: Cell, head: Cell, taken: set[Cell]) -> float:
        across, down = head[0] - tail[0], head[1] - tail[1]
        price = ACROSS * abs(across) + (UPWARD - 10.0 * down if down < 0 else LEVEL if down == 0 else 1.2 * (down - 1))
        common = math.gcd(across, down)
        for k in range(1, common):
            if (tail[0] + across // common * k, tail[1] + down // common * k) in taken:
                price += BLOCKED
        return price

    def _plates(self, cells: Sequence[Cell]) -> float:
        boxes = [_box([cells[m] for m in plate]) for plate in self.plates]
        price = 0.0
        for plate, (left, top, right, bottom) in zip(self.plates, boxes, strict=True):
            price += 0.6 * (right - left + bottom - top)
            for number in range(self.size):
                column, row = cells[number]
                if left <= column <= right and top <= row <= bottom and number not in plate:
                    price += INTRUDER
        for (one, a), (other, b) in combinations(zip(self.plates, boxes, strict=True), 2):
            if not one & other and a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]:
                price += INTRUDER
        return price


def _box(cells: Sequence[Cell]) -> tuple[int, int, int, int]:
    columns, rows = [c for c, _ in cells], [r for _, r in cells]
    return min(columns), min(rows), max(columns), max(rows)


def search(problem: Problem, start: Sequence[Cell], *, seed: int = 0) -> list[Cell]:
    """Anneal by moving one vertex to another cell, or swapping two; return the best arrangement."""
    chance = random.Random(seed)
    cells, current = list(start), problem.cost(start)
    best, least = list(cells), current
    columns, rows = max(c for c, _ in cells) + 3, max(r for _, r in cells) + 3
    steps = 4_000 + 600 * problem.size
    for step in range(steps):
        heat = 40.0 * (0.2 / 40.0) ** (step / steps)
        mover = chance.randrange(problem.size)
        goal = (chance.randrange(columns), chance.randrange(rows))
        if goal == cells[mover]:
            continue
        other = cells.index(goal) if goal in cells else None
        held = cells[mover]
        cells[mover] = goal
        if other is not None:
            cells[other] = held
        price = problem.cost(cells)
        if price <= current or chance.random() < math.exp((current - price) / heat):
            current = price
            if price < least:
                best, least = list(cells), price
            continue
        cells[mover] = held
        if other is not None:
            cells[other] = goal
    return best


def grid_places(
    sizes: Mapping[str, tuple[float, float]],
    edges: Sequence[tuple[str, str]],
    plates: Mapping[str, frozenset[str]],
    noise: Mapping[str, str],
) -> dict[str, Point]:
    """Return the position of every vertex, on a grid whose columns and rows leave room for the plates' borders."""
    names = list(sizes)
    number = {name: k for k, name in enumerate(names)}
    problem = Problem(
        len(names),
        tuple((number[a], number[b]) for a, b in dict.fromkeys(edges)),
        tuple(frozenset(number[m] for m in members) for members in plates.values()),
        {number[e]: number[z] for e, z in noise.items()},
    )
    start = _start(problem)
    found = min((search(problem, start, seed=seed) for seed in range(3)), key=problem.cost)
    cells = _compact(found)
    x = _lines(cells, 0, [sizes[n][0] for n in names], problem.plates)
    y = _lines(cells, 1, [sizes[n][1] for n in names], problem.plates)
    return {name: (x[cells[k][0]], y[cells[k][1]]) for k, name in enumerate(names)}


def _start(problem: Problem) -> list[Cell]:
    """Return rows by the longest path from a root; circles that lagged arrows close are cut."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(problem.size))
    for a, b in problem.edges:
        if not nx.has_path(graph, b, a):
            graph.add_edge(a, b)
    cells: dict[int, Cell] = {}
    for row, generation in enumerate(nx.topological_generations(graph)):
        for column, vertex in enumerate(sorted(generation)):
            cells[vertex] = (column, row)
    return [cells[k] for k in range(problem.size)]


def _compact(cells: Sequence[Cell]) -> list[Cell]:
    columns = {c: k for k, c in enumerate(sorted({c for c, _ in cells}))}
    rows = {r: k for k, r in enumerate(sorted({r for _, r in cells}))}
    return [(columns[c], rows[r]) for c, r in cells]


def _lines(cells: Sequence[Cell], axis: int, widths: Sequence[float], plates: Sequence[frozenset[int]]) -> list[float]:
    """Return the coordinate of each column or row: half widths, a gap, and room for each border between the two."""
    count = max(cell[axis] for cell in cells) + 1
    half = [max(w / 2 for cell, w in zip(cells, widths, strict=True) if cell[axis] == k) for k in range(count)]
    starts = [min(cells[m][axis] for m in plate) for plate in plates]
    ends = [max(cells[m][axis] for m in plate) for plate in plates]
    border = (12.0, 12.0) if axis == 0 else (12.0, 20.0)
    at = [0.0]
    for k in range(1, count):
        room = border[0] * starts.count(k) + border[1] * ends.count(k - 1)
        at.append(at[-1] + half[k - 1] + half[k] + 30.0 + room)
    return at
