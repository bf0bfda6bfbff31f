"""Coverage-guided fuzzing of the parser: any text is a formula, a model, or an error of ours; quickly, and never code.

    PYTHONPATH=.:tests python -m fuzz.fuzz_language [--seconds 60 | --inputs 10000] [--seed 0] [--file fuzz.json]

Uses atheris, which follows the branches of lark's and our own code; without it, random mutations of the same seeds. An
audit hook watches for code: anything compiled from a string, executed, started or written would end the run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

HANG = 5.0  # seconds of the processor for one input
WORDS = [
    "plate", "data", "param", "law", "observe", "factor", "var", "auxiliary", "on", "given", "normal(0, 1)", "sum(k, ",
    "where(",
    "quantile(", "size(k)", "mixture(", "~", "=", "[", "]", "(", ")", "{", "...", "}", ",", "|", "<", ">=", "**", "^", "-",
    "1e300", "9", "0.5", "oo", "pi", "gamma(", "exp(", "x", "z[t-1]", "\n", "#", " ", "\u202e", "\0", "__class__", "lambda",
]  # fmt: skip
WATCHED = ("os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen", "pty.spawn", "socket.connect")


class Watch:
    """Counts what a text must never cause; on while an input is read."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self)

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in WATCHED or (event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")):
            self.seen.append(f"{event} {args[:1]}")
        elif event == "compile" and not (isinstance(args[1], str) and os.path.exists(args[1])):
            self.seen.append(f"compile {str(args[0])[:80]}")
        elif event == "exec" and not os.path.exists(getattr(args[0], "co_filename", "")):
            self.seen.append(f"exec {args[0]}")


class Reader:
    """Reads inputs as formulas and as models, and keeps the counts."""

    def __init__(self) -> None:
        import sympy as sp

        import symaux as sa
        from symaux.language.formulas import formula
        from symaux.language.law_names import families, template

        self.error, self.parse, self.formula = sa.SymauxError, sa.parse, formula
        names = {"x": sp.Symbol("x", real=True), "z": sp.Symbol("z", real=True), "a": sp.Symbol("a", positive=True)}
        self.symbols = names | {"w": sp.IndexedBase("w", real=True)}
        self.counts = {"inputs": 0, "read": 0, "refused": 0, "crashes": 0, "hangs": 0, "code": 0, "unlike": 0}
        self.slowest, self.failures = 0.0, []
        for text in seeds():  # what is imported when it is first needed is no doing of a later input
            self._try(lambda text=text: self.parse(text))
            self._try(lambda text=text: self.formula(text, self.symbols))
        for family in families().values():
            template(family)
        self.watch = Watch()

    def _try(self, read: Any) -> str:
        try:
            made = read()
            return "read" if getattr(made, "text", None) is None or self.parse(made.text) == made else "unlike"
        except self.error:
            return "refused"

    def read(self, data: bytes) -> None:
        """One input, as a formula and as a model."""
        text = data.decode("utf-8", "surrogateescape")
        for read in (lambda: self.parse(text), lambda: self.formula(text, self.symbols)):
            start, self.watch.on = time.process_time(), True
            try:
                kind = self._try(read)
            except Exception as failure:
                kind = "crashes"
                self.failures.append(f"{type(failure).__name__}: {failure}: {text[:200]!r}")
            finally:
                self.watch.on = False
            seconds = time.process_time() - start
            self.counts["inputs"] += 1
            self.counts[kind] += 1
            self.slowest = max(self.slowest, seconds)
            if seconds > HANG:
                self.counts["hangs"] += 1
                self.failures.append(f"{seconds:.1f} s: {text[:200]!r}")
            if kind == "unlike":
                self.failures.append(f"does not read back: {text[:200]!r}")
            if self.watch.seen:
                self.counts["code"] += len(self.watch.seen)
                self.failures.append(f"{self.watch.seen}: {text[:200]!r}")
                self.watch.seen.clear()


def seeds() -> list[str]:
    """Texts to start from: the corpora of good and bad ones."""
    from support.bad_inputs import TEXTS
    from support.hostile_formulas import REFUSED
    from support.model_texts import EVERYTHING, LAWS, SCHOOLS, VECTORS

    return [text for text in (SCHOOLS, EVERYTHING, *LAWS, *VECTORS, *TEXTS, *REFUSED) if len(text) < 3000]


def mutated(text: str, other: str, rng: random.Random) -> str:
    """A text with parts cut out, words put in, and a piece of another."""
    for _ in range(rng.randint(1, 6)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + text[min(to, at + 20) :]
        elif kind == 1:
            text = text[:at] + rng.choice(WORDS) + text[at:]
        elif kind == 2:
            begin = rng.randrange(len(other) + 1)
            text = text[:at] + other[begin : begin + rng.randint(1, 30)] + text[at:]
        elif kind == 3:
            text = text[:at] + chr(rng.choice([*range(128), 0x3B1, 0x202E, 0x430, 0x1D465])) + text[at + 1 :]
        else:
            text = text[:to] + text[at:to] + text[to:]
    return text[:4000]


class Budget:
    """So many inputs, or as many as there is time for."""

    def __init__(self, seconds: float, inputs: int | None) -> None:
        self.end, self.inputs = time.monotonic() + seconds, inputs

    def spent(self, reader: Reader) -> bool:
        """Whether there were enough inputs; their number does not depend on the machine where it is given."""
        return reader.counts["inputs"] >= self.inputs if self.inputs else time.monotonic() > self.end


def by_mutation(reader: Reader, budget: Budget, seed: int) -> None:
    """Without atheris: random mutations for a while."""
    rng, texts = random.Random(seed), seeds()
    while not budget.spent(reader):
        reader.read(mutated(rng.choice(texts), rng.choice(texts), rng).encode("utf-8", "surrogatepass"))


def by_coverage(budget: Budget, seed: int, finish: Any) -> None:
    """With atheris: it ends the process itself, so the counts are written by ``finish`` whenever they may be the last."""
    import tempfile

    import atheris

    with atheris.instrument_imports(include=["lark", "symaux.language"]):
        reader = Reader()
    folder = tempfile.mkdtemp(prefix="symaux_fuzz_")
    for number, text in enumerate(seeds()):
        Path(folder, str(number)).write_bytes(text.encode("utf-8", "surrogatepass"))
    words = Path(folder + ".dict")
    words.write_text("\n".join('"' + "".join(f"\\x{b:02x}" for b in w.encode()) + '"' for w in WORDS))

    def one(data: bytes) -> None:
        reader.read(data)
        if budget.spent(reader):
            finish(reader, "atheris")
            os._exit(0 if not reader.failures else 1)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024  # a process begins with the peak of its parent
    options = [
        f"-seed={seed + 1}",
        "-max_len=2000",
        f"-dict={words}",
        "-timeout=60",
        f"-rss_limit_mb={before + 3072}",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, folder], one)
    atheris.Fuzz()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--inputs", type=int, help="end after so many inputs, however long they take")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--file", type=Path)
    options.add_argument("--mutation", action="store_true", help="random mutations even where atheris is installed")
    given = options.parse_args()

    def finish(reader: Reader, how: str) -> None:
        result = {"how": how, "slowest": round(reader.slowest, 3), **reader.counts, "failures": reader.failures[:20]}
        print(json.dumps(result, indent=2), flush=True)
        if given.file:
            given.file.write_text(json.dumps(result))

    try:
        import atheris  # noqa: F401
    except ImportError:
        given.mutation = True
    if not given.mutation:
        by_coverage(Budget(given.seconds, given.inputs), given.seed, finish)
        return 0
    reader = Reader()
    by_mutation(reader, Budget(given.seconds, given.inputs), given.seed)
    finish(reader, "random mutations")
    return 1 if reader.failures else 0


if __name__ == "__main__":
    sys.exit(main())
