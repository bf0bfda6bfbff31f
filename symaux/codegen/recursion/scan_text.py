"""Write the text of one ``lax.scan``: its carry, the inputs of each step, its lines, and its outputs for every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Elements = dict[tuple[str, int], str]  # (variable, position or steps back) to the identifier of that time slice
AppendLine = Callable[[str], None]


@dataclass
class ScanText:
    """One scan over time; ``now`` holds the identifier of each chain's new value."""

    past: Elements
    now: dict[str, str]
    inputs: list[tuple[str, str]] = field(default_factory=list)  # (identifier in the step, the array over time)
    lines: list[tuple[str, str]] = field(default_factory=list)
    function: str = "lax.scan"
    blank: bool = True  # write an empty line before the step; a function does not begin with one
    unrolled: bool = False  # whether the compiler writes out all steps
    extra_outputs: list[str] = field(default_factory=list)  # identifiers of other values that are output for every time
    before: list[tuple[str, str]] = field(
        default_factory=list
    )  # (identifier, code) shared by all steps, computed before them
    rebuilt: frozenset[str] = frozenset()  # chains computed afterwards, from the extra outputs

    def step_identifiers(self) -> set[str]:
        """Return the identifiers whose value differs from step to step."""
        own = {*self.past.values(), *self.now.values(), *(code for code, _ in self.inputs)}
        return own | {code for code, _ in self.lines}

    @property
    def outputs(self) -> list[str]:
        """Return the identifiers of the outputs of a step."""
        return [*(code for name, code in self.now.items() if name not in self.rebuilt), *self.extra_outputs]

    def write(self, append_line: AppendLine, start: Elements, first: int, length: str, out: list[str]) -> None:
        """Write the step and the scan; ``out`` names the arrays of the chains, then those of ``extra_outputs``."""
        self.write_step(append_line)
        xs = self.inputs_code() if self.inputs else f"None, length={length} - {first}"
        unroll = ", unroll=True" if self.unrolled else ""
        append_line(f"_, {tuple_code(out)} = {self.function}(step, {self.carry_code(start, first)}, {xs}{unroll})")

    def carry_code(self, start: Elements, first: int) -> str:
        """Return the code of the initial carry."""
        return tuple_code([start[name, first - back] for name, back in self.past])

    def inputs_code(self) -> str:
        """Return the code of the arrays over time that are the inputs of the steps."""
        return tuple_code([array for _, array in self.inputs])

    def write_step(self, append_line: AppendLine) -> None:
        """Write the function of one step."""
        for code, line in self.before:
            append_line(f"{code} = {line}")
        if self.blank or self.before:
            append_line("")
        append_line("def step(carry, inputs):")
        if self.past:
            append_line(f"    {target_code(list(self.past.values()))} = carry")
        if self.inputs:
            append_line(f"    {target_code([code for code, _ in self.inputs])} = inputs")
        for code, line in self.lines:
            append_line(f"    {code} = {line}")
        shifted = [self.now[name] if back == 1 else self.past[name, back - 1] for name, back in self.past]
        append_line(f"    return {tuple_code(shifted)}, {tuple_code(self.outputs)}")
        append_line("")


def tuple_code(codes: list[str]) -> str:
    """Return the code of a tuple.

    >>> tuple_code(["a"]), tuple_code(["a", "b"])
    ('(a,)', '(a, b)')
    """
    return f"({', '.join(codes)}{',' if len(codes) == 1 else ''})"


def target_code(codes: list[str]) -> str:
    """Return the left side of an assignment from a tuple.

    >>> target_code(["a"]), target_code(["a", "b"])
    ('(a,)', 'a, b')
    """
    return tuple_code(codes) if len(codes) == 1 else ", ".join(codes)


def concatenate_code(first: list[str], rest: str, axis: int) -> str:
    """Return the code that joins the elements before the scan and its output, whose first axis is time, to one array."""
    stretch = rest if axis == 0 else f"jnp.moveaxis({rest}, 0, {axis})"
    grown = [f"{part}[None]" if axis == 0 else f"jnp.expand_dims({part}, {axis})" for part in first]
    where = f", axis={axis}" if axis else ""
    return f"jnp.concatenate([{', '.join([*grown, stretch])}]{where})"
