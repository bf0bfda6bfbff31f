"""A claim that is true or false by construction, the question put to symaux, and oracles that do not use symaux.

Formulas are evaluated by sympy's own printer for mpmath and integrated by mpmath, at 40 digits.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp

import symaux as sa
from symaux.rules.rule import Rewrite

DIGITS = 40
OUT_OF_TIME, NO_FORM, REFUSED, CRASH = "OUT OF TIME", "NO FORM", "REFUSED", "CRASH"
RESTRICTED = "RESTRICTED"  # accepted, for a region that leaves out what is false
ELSEWHERE = "ELSEWHERE"  # certified, at parameters where it is true
ACCEPTED = ("PROVED", "CERTIFIED")
CONDEMNED = ("REFUTED", REFUSED)


@dataclass(frozen=True)
class Given:
    """A density as a user writes it; the law is made when the question is asked, for it may be refused."""

    value: sp.Symbol
    density: sp.Expr
    support: tuple[Any, Any]
    conditions: tuple[Any, ...] = ()
    log: bool = False

    def law(self) -> sa.Law:
        if self.log:
            return sa.law(self.value, log_density=self.density, support=self.support, conditions=self.conditions)
        return sa.law(self.value, self.density, support=self.support, conditions=self.conditions)

    def at(self, point: Mapping[Any, Any]) -> Given:
        """Return the density with numbers for its parameters."""
        low, high = (sp.sympify(end).subs(point) for end in self.support)
        return Given(self.value, self.density.subs(point), (low, high), (), self.log)

    def probability(self, low: Any, high: Any, cuts: Iterable[Any] = ()) -> mp.mpf:
        """Return the integral of the density (numbers only) between two places, cut where it may jump or peak."""
        f = numeric([self.value], sp.exp(self.density) if self.log else self.density)
        places = [_mp(low), *sorted(c for c in map(_mp, cuts) if _mp(low) < c < _mp(high)), _mp(high)]
        return sum((mp.quad(f, [a, b]) for a, b in pairwise(places)), mp.mpf(0))

    def mass(self, cuts: Iterable[Any] = ()) -> mp.mpf:
        return self.probability(*self.support, cuts)

    def __str__(self) -> str:
        kind = "log_density=" if self.log else ""
        end = f", conditions={self.conditions}" if self.conditions else ""
        return f"sa.law({self.value}, {kind}{self.density}, support=({self.support[0]}, {self.support[1]}){end})"


@dataclass(frozen=True)
class Claim:
    """What is claimed, whether it is true, why, and the question; ``small`` if off by 1e-6 or less, or on 1e-3 or less."""

    kind: str
    text: str
    why: str
    ask: Callable[[], Any]  # returns a verdict, or the name of a status
    oracle: Callable[[], bool]  # whether the claim is what its class says: false, or true
    small: bool = False
    excuses: tuple[str, ...] = field(default=())  # regions in a verdict that leave out what makes the claim false
    wrong_where: Any = True  # the condition on the parameters under which a false claim is false

    def confirmed(self) -> bool:
        """Whether the oracle, at high precision and within a minute, says what the generator says."""
        try:
            with mp.workdps(DIGITS), limited(60):
                return bool(self.oracle())
        except (_Late, ArithmeticError, ValueError, mp.NoConvergence):
            return False

    def judged(self, seconds: float = 60.0) -> tuple[str, str]:
        """Return the name of the answer and its first words."""
        try:
            with limited(seconds):
                answer = self.ask()
        except _Late:
            return OUT_OF_TIME, f"more than {seconds:g} s of processor time"
        except sa.NoRuleApplies as failure:
            found = str(failure)
            return ("REFUTED" if "only refuted" in found else NO_FORM), found[:2000]
        except sa.SymauxError as failure:
            return REFUSED, f"{type(failure).__name__}: {failure}"[:2000]
        except Exception as failure:  # a crash is an answer of its own, and is listed
            return CRASH, f"{type(failure).__name__}: {failure}"[:2000]
        if isinstance(answer, str):
            return answer, ""
        name = answer.status.name
        if name in ACCEPTED and any(each in line for each in self.excuses for line in answer.region):
            name = RESTRICTED
        if name == "CERTIFIED" and answer.points and not any(map(self._wrong_at, answer.points)):
            name = ELSEWHERE
        return name, str(answer)[:2000]

    def _wrong_at(self, point: Any) -> bool:
        """Whether a claim that is false at some parameters only is not known to be true at those of a certificate."""
        return sp.sympify(self.wrong_where).subs(dict(point)) is not sp.false


class _Late(BaseException):
    """Processor time is over; not an Exception, so that nothing on the way takes it for a failure of its own."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise _Late after so many seconds of this process's time, or after ten times as many by the clock."""

    def late(*_: Any) -> None:
        raise _Late

    timers = ((signal.ITIMER_PROF, signal.SIGPROF, seconds), (signal.ITIMER_REAL, signal.SIGALRM, 10 * seconds))
    before = [signal.signal(number, late) for _, number, _ in timers]
    for timer, _, limit in timers:
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for (timer, number, _), old in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, old)


def ask_form(law: Given, noises: Sequence[Given], g: sp.Expr) -> Callable[[], Any]:
    return lambda: sa.verify(law.law(), Rewrite(tuple(n.law() for n in noises), sp.sympify(g)))


def ask_density(law: Given) -> Callable[[], Any]:
    return lambda: sa.derive(law.law()).verdict


def form_text(law: Given, noises: Sequence[Given], g: Any) -> str:
    """Return the claim as the Python that asks it; symbols come first."""
    formulas = [sp.sympify(part) for given in (law, *noises) for part in (given.value, given.density, *given.support)]
    formulas += [c for given in (law, *noises) for c in given.conditions] + [sp.sympify(g)]
    return f"{symbols_text(formulas)}\nsa.verify({law}, Rewrite(({', '.join(map(str, noises))},), {g}))"


def density_text(law: Given) -> str:
    formulas = [law.value, law.density, *map(sp.sympify, law.support), *law.conditions]
    return f"{symbols_text(formulas)}\nsa.derive({law})"


def symbols_text(formulas: Iterable[Any]) -> str:
    known = sorted({s for f in formulas for s in f.free_symbols}, key=str)
    signs = ["positive" if s.is_positive else "real" if s.is_real else "none" for s in known]
    return "; ".join(f"{s} {sign}" for s, sign in zip(known, signs, strict=True))


def numeric(symbols: Sequence[sp.Symbol], formula: sp.Expr) -> Callable[..., Any]:
    return sp.lambdify(symbols, formula, modules=["mpmath"])


def _mp(value: Any) -> mp.mpf:
    value = sp.sympify(value)
    if value.is_infinite:
        return mp.inf if value == sp.oo else -mp.inf
    return mp.mpf(str(sp.N(value, DIGITS + 5)))


def transports(law: Given, noise: Given, g: sp.Expr, places: Sequence[Any], cuts: Iterable[Any] = ()) -> bool:
    """Whether P(noise in (a, b)) = P(law in g(a, b)) for consecutive places of the noise, g monotone (numbers only)."""
    value = numeric([noise.value], g)
    images = [value(_mp(e)) for e in places]
    if any(mp.im(z) for z in images):
        return False
    for (a, b), (x, y) in zip(pairwise(places), pairwise(images), strict=True):
        ours, theirs = noise.probability(a, b, cuts), law.probability(*sorted((mp.re(x), mp.re(y))), cuts)
        if abs(ours - theirs) > mp.mpf(10) ** -14:
            return False
    return True


def draw(rng: random.Random, low: int, high: int, over: int) -> sp.Rational:
    """Return a random rational between two whole numbers of parts."""
    return sp.Rational(rng.randint(low, high), over)
