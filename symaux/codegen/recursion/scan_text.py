"""The text of one ``lax.scan``: what it carries, what each step is given, its lines, and what it leaves for every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Elements = dict[tuple[str, int], str]  # (variable, position or steps back) to the identifier of that time slice
Say = Callable[[str], None]


@dataclass
class Walk:
    """One scan over time; ``now`` holds the identifier of each chain's new value."""

    past: Elements
    now: dict[str, str]
    inputs: list[tuple[str, str]] = field(default_factory=list)  # (identifier in the step, the array over time)
    lines: list[tuple[str, str]] = field(default_factory=list)
    function: str = "lax.scan"
    blank: bool = True  # before the step; a function does not begin with an empty line
    unrolled: bool = False  # whether all steps are written out by the compiler
    kept: list[str] = field(default_factory=list)  # identifiers of other values that are wanted for every time
    before: list[tuple[str, str]] = field(default_factory=list)  # what all steps share, computed before them
    rebuilt: frozenset[str] = frozenset()  # chains whose values are computed afterwards, from what is kept

    def own(self) -> set[str]:
        """Return the identifiers that have another value in every step."""
        own = {*self.past.values(), *self.now.values(), *(code for code, _ in self.inputs)}
        return own | {code for code, _ in self.lines}

    @property
    def left(self) -> list[str]:
        """Return the identifiers of what a step leaves for its time."""
        return [*(code for name, code in self.now.items() if name not in self.rebuilt), *self.kept]

    def write(self, say: Say, start: Elements, first: int, length: str, out: list[str]) -> None:
        """Writes the step and the scan; ``out`` names the arrays of the chains, then those of ``kept``."""
        self.write_step(say)
        xs = self.given() if self.inputs else f"None, length={length} - {first}"
        unroll = ", unroll=True" if self.unrolled else ""
        say(f"_, {listed(out)} = {self.function}(step, {self.init(start, first)}, {xs}{unroll})")

    def init(self, start: Elements, first: int) -> str:
        """What the first step carries."""
        return listed([start[name, first - back] for name, back in self.past])

    def given(self) -> str:
        """Return the arrays over time of which each step is given its part."""
        return listed([array for _, array in self.inputs])

    def write_step(self, say: Say) -> None:
        """Writes the function of one step."""
        for code, line in self.before:
            say(f"{code} = {line}")
        if self.blank or self.before:
            say("")
        say("def step(carry, inputs):")
        if self.past:
            say(f"    {unpacked(list(self.past.values()))} = carry")
        if self.inputs:
            say(f"    {unpacked([code for code, _ in self.inputs])} = inputs")
        for code, line in self.lines:
            say(f"    {code} = {line}")
        shifted = [self.now[name] if back == 1 else self.past[name, back - 1] for name, back in self.past]
        say(f"    return {listed(shifted)}, {listed(self.left)}")
        say("")


def listed(codes: list[str]) -> str:
    """Return a tuple.

    >>> listed(["a"]), listed(["a", "b"])
    ('(a,)', '(a, b)')
    """
    return f"({', '.join(codes)}{',' if len(codes) == 1 else ''})"


def unpacked(codes: list[str]) -> str:
    """Return the left side of an assignment from a tuple.

    >>> unpacked(["a"]), unpacked(["a", "b"])
    ('(a,)', 'a, b')
    """
    return listed(codes) if len(codes) == 1 else ", ".join(codes)


def joined(first: list[str], rest: str, axis: int) -> str:
    """Elements before the scan and the stretch that it leaves, whose time axis comes first, as one array."""
    stretch = rest if axis == 0 else f"jnp.moveaxis({rest}, 0, {axis})"
    grown = [f"{part}[None]" if axis == 0 else f"jnp.expand_dims({part}, {axis})" for part in first]
    where = f", axis={axis}" if axis else ""
    return f"jnp.concatenate([{', '.join([*grown, stretch])}]{where})"
