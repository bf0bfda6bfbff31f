r"""Bring formulas into a normal form, which decides equality: rational functions over atoms, with exact coefficients.

An atom is a symbol, a constant, a function of arguments in normal form, or a root of a power: $|b|^{m/d}$ for an irreducible
base b (a prime, an atom, a polynomial in atoms, or e) and a monomial m of atoms. Sums in an exponent become products of such
powers, logarithms of products become sums of $\log|b|$: so $e^ae^b$ and $e^{a+b}$, $x^ax^{1-a}$ and x have one normal form.

*Why it is sound.* Both formulas are known to be defined and continuous on the region (a premise of every rule that uses this),
so denominators and arguments of logarithms are not zero, and bases of powers that are not whole are positive. There
$\log|ab| = \log|a| + \log|b|$, $|ab|^c = |a|^c|b|^c$ and $|b|^c|b|^d = |b|^{c+d}$ hold off the zeros of the irreducible
factors, which leave a dense set, and by continuity everywhere (so do sines in terms of the tangent of half the angle). Atoms
are treated as independent but for $T^D = |b|$; if the numerator of a difference vanishes modulo these, the formulas are equal.
If it does not, nothing is known. Factoring, expanding and cancelling are sympy's polynomial arithmetic.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import sympy as sp

from symaux.formulas.functions.lambert import lambertw0_of_exp
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.facts import Unproved
from symaux.trusted.checker.spellings import SPELLINGS, resolved

if TYPE_CHECKING:
    from symaux.trusted.checker.signs import Signs

EULER = sp.Dummy("e")  # the base of exponentials among the keys of powers
PASSES, LARGEST_POWER, LARGEST_EXPANDED, LARGEST_DEGREE, MOST_OPERATIONS = 4, 64, 12, 256, 1500  # limits of effort
FAILURES = (Unproved, sp.PolynomialError, RecursionError)


class NormalForm:
    """Formulas on one region over a common table of atoms."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs
        self.shapes: set[Any] = set()  # arguments of gamma functions
        self.denominators: dict[tuple[Any, Any], int] = {}  # D of the atom |b|^(m/D), by base and monomial
        self._restart()

    def _restart(self) -> None:
        self.meaning: dict[sp.Symbol, Formula] = {}  # an atom to the formula that it stands for
        self.atoms: dict[Any, sp.Symbol] = {}  # and what it is, to the atom
        self.powers: dict[sp.Symbol, tuple[Any, Any]] = {}  # the atoms that are powers: base and monomial
        self.cache: dict[Any, Formula] = {}

    def is_zero(self, f: Formula, slope: Formula = sp.S.One) -> bool:
        r"""Return whether $f + \log|\mathrm{slope}|$ has the normal form zero; False says nothing."""
        try:
            return self._stable(f, slope) == 0
        except FAILURES:
            return False

    def constant(self, f: Formula, slope: Formula) -> Formula | None:
        r"""Return $f - \log|\mathrm{slope}|$, spelled out from its normal form; None if it has none."""
        try:
            return self._spelled(-self._stable(-f, slope))
        except FAILURES:
            return None

    def formula(self, f: Formula) -> Formula | None:
        """Return an equal formula, spelled out from the normal form; None if it has none, or tangents of half an angle."""
        try:
            form = self._stable(f)
        except FAILURES:
            return None
        halves = {a for key, a in self.atoms.items() if isinstance(key, tuple) and key[0] == "half"}
        return None if form.free_symbols & halves else self._spelled(form)

    def _stable(self, f: Formula, slope: Formula = sp.S.One) -> Formula:
        """Return the normal form, found again until the roots that occur in it are those that it is written in."""
        if sp.count_ops(f) + sp.count_ops(slope) > MOST_OPERATIONS:
            raise Unproved("the formula is too large for a normal form")
        f, slope = resolved(self.signs, f), resolved(self.signs, slope)
        self.shapes = {e.args[0] for g in (f, slope) for e in g.atoms(sp.gamma, sp.loggamma) if e.args[0].free_symbols}
        for _ in range(PASSES):
            before = dict(self.denominators)
            self._restart()
            form = self.of(f) if slope == 1 else self.of(f) + self._log(self._factors(self.of(slope)))
            form = self._reduced(form)
            if before == self.denominators:
                return form
        raise Unproved("the roots in the formula do not settle")

    def of(self, f: Formula) -> Formula:
        """Return a formula as a rational function of atoms."""
        if f not in self.cache:
            self.cache[f] = self._convert(f)
        return self.cache[f]

    def _convert(self, f: Formula) -> Formula:
        match f:
            case sp.Rational():
                return f
            case sp.Add():
                return sp.Add(*map(self.of, f.args))
            case sp.Mul():
                return sp.Mul(*map(self.of, f.args))
            case sp.exp():
                return self._power({EULER: sp.S.One}, self._cancelled(self.of(f.args[0])))
            case sp.Pow():
                if isinstance(f.exp, sp.Integer) and self._is_small(f.base, f.exp):
                    return self.of(f.base) ** f.exp
                return self._power(self._factors(self.of(f.base)), self._cancelled(self.of(f.exp)))
            case sp.log():
                return self._log(self._factors(self.of(f.args[0])))
            case sp.Abs():
                return self._power(self._factors(self.of(f.args[0])), sp.S.One)
            case sp.Symbol() | sp.NumberSymbol():
                return self._single(f) if f != sp.E else self._power({EULER: sp.S.One}, sp.S.One)
        if f.func in SPELLINGS:
            return self.of(SPELLINGS[f.func](*f.args))
        return self._function(f)

    def _is_small(self, base: Formula, exponent: Formula) -> bool:
        return abs(exponent) <= (LARGEST_EXPANDED if isinstance(base, sp.Add) else LARGEST_POWER)

    def _function(self, f: Formula) -> Formula:
        if not isinstance(f, sp.Function) or not all(isinstance(arg, sp.Expr) for arg in f.args):
            return self._single(f)  # equal only if it is spelled in the same way
        args = [self._spelled(self._reduced(self.of(arg))) for arg in f.args]
        evaluated = f.func(*args)
        if evaluated.func in SPELLINGS:  # the class would turn it back into another spelling
            evaluated = sp.Function.__new__(f.func, *args, evaluate=False)
        if evaluated.func is not f.func:
            return self.of(evaluated)  # an inverse pair, or a value that sympy knows
        if f.func is sp.gamma:
            return self._gamma(args[0])
        return self._circular(evaluated) if f.func in (sp.sin, sp.cos) else self._single(evaluated)

    def _gamma(self, x: Formula) -> Formula:
        r"""Return $\Gamma(x)$ by one whose argument has its constant term in [0, 1): $\Gamma(x + 1) = x\Gamma(x)$."""
        if any(sp.expand(2 * y - x).is_Integer for y in self.shapes):  # Legendre's duplication formula, DLMF 5.5.5
            product = sp.gamma(x / 2) * sp.gamma(x / 2 + sp.S.Half)
            return self.of(2 ** (x - 1) / sp.sqrt(sp.pi) * product)
        constant = sp.expand(x).as_coeff_Add()[0]
        shift = int(sp.floor(constant))
        if not x.free_symbols or abs(shift) > LARGEST_POWER or not constant.is_Rational:
            return self._single(sp.gamma(x))
        start = x - shift
        steps = [self.of(start + n) for n in range(shift)] + [1 / self.of(start - n) for n in range(1, 1 - shift)]
        return self._single(sp.gamma(start)) * sp.Mul(*steps)

    def _circular(self, f: Formula) -> Formula:
        r"""Return the sine or cosine of $n\theta$ as a rational function of $t = \tan(\theta/2)$, which needs no relation."""
        content: Formula = (
            sp.expand(f.args[0]).as_coeff_Mul()[0] if f.args[0].is_Add is False else f.args[0].primitive()[0]
        )
        n = abs(int(content.p)) if content.is_Rational and content != 0 else 1
        if n > LARGEST_EXPANDED:
            return self._single(f)
        angle = sp.expand(f.args[0] / n)
        turned = -1 if angle.could_extract_minus_sign() else 1
        cosine, sine = sp.cos(turned * angle), sp.sin(turned * angle)
        if isinstance(cosine, sp.cos) and isinstance(sine, sp.sin):
            t = self._atom(("half", turned * angle), sp.tan(sp.expand(turned * angle / 2)))
            cosine, sine = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
        else:  # sympy knows them, as for an angle asin(w)
            cosine, sine = self.of(cosine), self.of(sine)
        return sp.chebyshevt(n, cosine) if isinstance(f, sp.cos) else turned * sine * sp.chebyshevu(n - 1, cosine)

    def _single(self, f: Formula) -> Formula:
        """Return the atom of a symbol, constant or function; the power of its root, where roots of it occur."""
        root = self.denominators.get((f, sp.S.One), 1)
        if root > 1 and self._sign(f) is not None:
            return self._sign(f) * self._root(f, sp.S.One, root) ** root
        return self._atom(f, f)

    def _atom(self, key: Any, meaning: Formula) -> sp.Symbol:
        if key not in self.atoms:
            atom = sp.Symbol(f"_{len(self.atoms)}")
            self.atoms[key], self.meaning[atom] = atom, meaning
        return self.atoms[key]

    def _sign(self, f: Formula) -> int | None:
        signs = self.signs.of(f)
        return next(iter(signs)) if len(signs) == 1 and 0 not in signs else None

    def _root(self, base: Any, monomial: Formula, root: int) -> sp.Symbol:
        exponent = self._spelled(monomial) / root
        meaning = sp.exp(exponent) if base == EULER else self._absolute(base) ** exponent
        atom = self._atom((base, monomial, root), meaning)
        self.powers[atom] = (base, monomial)
        return atom

    def _absolute(self, base: Formula) -> Formula:
        sign = self._sign(base)
        return sp.Abs(base) if sign is None else sign * base

    def _factors(self, rational: Formula) -> dict[Any, Formula]:
        """Return the bases of a product with their exponents: |f| is the product of |base|^exponent."""
        bases: dict[Any, Formula] = {}
        numerator, denominator = sp.fraction(self._reduced(rational))
        for part, side in ((numerator, 1), (denominator, -1)):
            if part == 0:
                raise Unproved("zero in a logarithm or a power")
            content, factors = sp.factor_list(part) if part.free_symbols else (part, [])
            primes: Any = sp.factorrat(abs(content))
            for prime, k in primes.items():
                bases[sp.Integer(prime)] = bases.get(sp.Integer(prime), 0) + side * k
            for factor, k in factors:
                base, exponent = self._base(factor)
                bases[base] = bases.get(base, 0) + side * k * exponent
        return bases

    def _base(self, factor: Formula) -> tuple[Any, Formula]:
        """Return the base of an irreducible factor and its exponent, which is not one for atoms that are roots."""
        if factor in self.powers:
            base, monomial = self.powers[factor]
            return base, monomial / self.denominators[base, monomial]
        return self._spelled(factor), sp.S.One

    def _log(self, bases: dict[Any, Formula]) -> Formula:
        return sp.Add(*(k if b == EULER else k * self._log_atom(b) for b, k in bases.items()))

    def _log_atom(self, base: Any) -> Formula:
        if isinstance(base, lambertw0_of_exp):  # by its definition, w + log(w) = y
            return self.of(base.args[0]) - self.of(base)
        return self._atom(("log", base), sp.log(self._absolute(base)))

    def _power(self, bases: dict[Any, Formula], exponent: Formula) -> Formula:
        r"""Return $\prod|b|^{k\cdot\mathrm{exponent}}$; logarithms in an exponent of e become bases."""
        product = sp.S.One
        for base, k in bases.items():
            for coefficient, monomial in self._terms(k * exponent):
                product *= self._one_power(base, coefficient, monomial)
        return product

    def _one_power(self, base: Any, coefficient: sp.Rational, monomial: Formula) -> Formula:
        logs = {a: key[1] for key, a in self.atoms.items() if isinstance(key, tuple) and key[0] == "log"}
        inside: list[Any] = [a for a in sp.Mul.make_args(monomial) if a in logs] if base == EULER else []
        if len(inside) == 1:
            return self._power({logs[inside[0]]: sp.S.One}, coefficient * monomial / inside[0])
        if monomial == 1 and base != EULER and coefficient.q == 1 and self._is_small(base, coefficient):
            sign = 1 if coefficient % 2 == 0 else self._sign(base)
            if sign is not None:
                return (sign * self.of(base)) ** coefficient
        root = math.lcm(self.denominators.get((base, monomial), 1), int(coefficient.q))
        if root > LARGEST_POWER or abs(coefficient * root) > LARGEST_DEGREE:
            raise Unproved(f"a power {coefficient} is too large for a normal form")
        self.denominators[base, monomial] = root
        return self._root(base, monomial, root) ** (coefficient * root)

    def _terms(self, exponent: Formula) -> list[tuple[sp.Rational, Formula]]:
        """Return a sum of rational multiples of monomials, over a common denominator."""
        numerator, denominator = sp.fraction(self._cancelled(exponent))
        content, rest = (denominator, sp.S.One) if not denominator.free_symbols else _primitive(denominator)
        return [(c / content, m / rest) for m, c in sp.expand(numerator).as_coefficients_dict().items()]

    def _cancelled(self, rational: Formula) -> Any:
        return sp.cancel(rational) if rational.free_symbols else rational

    def _reduced(self, rational: Formula) -> Formula:
        """Return the quotient with its numerator reduced by the relations between atoms, the latest atom first."""
        simple = self._cancelled(rational)
        (numerator, denominator), changed = sp.fraction(simple), False
        for atom in reversed(list(self.meaning)):
            if atom not in numerator.free_symbols or (relation := self._relation(atom)) is None:
                continue
            degree, least = (int(sp.Poly(f, atom).degree()) for f in (numerator, relation))
            if least <= degree <= LARGEST_EXPANDED * least:
                numerator, over = sp.fraction(sp.together(sp.rem(numerator, relation, atom)))
                numerator, denominator, changed = sp.expand(numerator), denominator * over, True
        return self._cancelled(numerator / denominator) if changed else simple

    def _relation(self, atom: sp.Symbol) -> Formula | None:
        """Return a polynomial in the atom that is zero."""
        if atom in self.powers:
            base, monomial = self.powers[atom]
            root, sign = self.denominators[base, monomial], None if base == EULER else self._sign(base)
            if monomial != 1 or base == EULER:
                return None
            if sign is None:
                return atom ** (2 * root) - self.of(base) ** 2
            inner = self._cancelled(self.of(base))
            return None if atom in inner.free_symbols else atom**root - sign * inner
        return None

    def _spelled(self, rational: Formula) -> Formula:
        return rational.xreplace({a: self.meaning[a] for a in rational.free_symbols})


def _primitive(polynomial: Formula) -> tuple[sp.Rational, Formula]:
    """Return the content of a polynomial and the rest, of which the leading coefficient is positive."""
    content, rest = sp.Poly(polynomial).primitive()
    turned = -1 if rest.LC() < 0 else 1
    return sp.Rational(content) * turned, (turned * rest).as_expr()
