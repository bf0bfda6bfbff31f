r"""Define functions that densities and generating functions need and sympy lacks.

Every one knows its derivative, its value at high precision, and ``definition()``: the same thing in sympy's own
functions, which is what proofs are made of.

>>> x = sp.Symbol("x", real=True)
>>> ndtr(x).diff(x)
sqrt(2)*exp(-x**2/2)/(2*sqrt(pi))
>>> 1 - ndtr(x).definition() - ndtr(-x).definition()
0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp
from mpmath.libmp import prec_to_dps
from sympy.codegen import cfunctions
from sympy.codegen.cfunctions import log1p

from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.symbols.array_functions import Correlated, GaussianLogDensity
from symaux.formulas.symbols.formula import Formula

__all__ = [
    "Correlated",
    "DiscreteQuantile",
    "GaussianLogDensity",
    "ImplicitQuantile",
    "complement",
    "defined",
    "directed",
    "expm1",
    "log1mexp",
    "log1p",
    "log_ndtr",
    "logistic",
    "ndtr",
    "ndtri",
    "sigmoid",
    "softplus",
]


class Defined(sp.Function):
    """A function of one argument that can be spelled in sympy's own functions."""

    nargs = 1

    if TYPE_CHECKING:  # sympy's own hints: a class comes back from a call, and arguments without operations

        def __new__(cls, *args: Any, **options: Any) -> Any: ...

        @property
        def args(self) -> Any: ...

    def definition(self) -> Formula:
        raise NotImplementedError

    def _eval_evalf(self, prec: int) -> Formula:
        return self.definition()._eval_evalf(prec)

    def _eval_is_real(self) -> Any:
        return self.args[0].is_real


class expm1(cfunctions.expm1):
    r"""$e^x - 1$; sympy's own turns $e^{\frac12\log u} - 1$ back into $\sqrt u - 1$."""

    if TYPE_CHECKING:  # as for Defined

        def __new__(cls, *args: Any, **options: Any) -> Any: ...

        @property
        def args(self) -> Any: ...

    @classmethod
    def eval(cls, x: Formula) -> Formula | None:
        if isinstance(x, sp.log | log1p):
            inner: Formula = x.args[0]
            return inner - (1 if isinstance(x, sp.log) else 0)
        return sp.S.Zero if x.is_zero else None


class ndtr(Defined):
    r"""The standard normal distribution function $\Phi(x) = \frac12(1 + \operatorname{erf}(x/\sqrt2))$."""

    def definition(self) -> Formula:
        return (1 + sp.erf(self.args[0] / sp.sqrt(2))) / 2

    @classmethod
    def eval(cls, x: Formula) -> Formula | None:
        return {sp.S.Zero: sp.S.Half, sp.oo: sp.S.One, -sp.oo: sp.S.Zero}.get(x)

    def fdiff(self, argindex: int = 1) -> Formula:
        return sp.exp(-(self.args[0] ** 2) / 2) / sp.sqrt(2 * sp.pi)

    def _eval_is_positive(self) -> Any:
        return self.args[0].is_real

    def _eval_evalf(self, prec: int) -> Formula:
        return (sp.erfc(-self.args[0] / sp.sqrt(2)) / 2)._eval_evalf(prec)


class ndtri(Defined):
    r"""The standard normal quantile function $\Phi^{-1}(u) = \sqrt2\operatorname{erfinv}(2u - 1)$."""

    def definition(self) -> Formula:
        return sp.sqrt(2) * sp.erfinv(2 * self.args[0] - 1)

    def fdiff(self, argindex: int = 1) -> Formula:
        return sp.sqrt(2 * sp.pi) * sp.exp(ndtri(self.args[0]) ** 2 / 2)

    @classmethod
    def eval(cls, u: Formula) -> Formula | None:
        return u.args[0] if isinstance(u, ndtr) else sp.S.Zero if u == sp.S.Half else None


class log_ndtr(Defined):
    r"""$\log\Phi(x)$, without the loss of digits in the tails."""

    def definition(self) -> Formula:
        return sp.log(ndtr(self.args[0]).definition())

    def fdiff(self, argindex: int = 1) -> Formula:
        return sp.exp(-(self.args[0] ** 2) / 2 - log_ndtr(self.args[0])) / sp.sqrt(2 * sp.pi)

    def _eval_evalf(self, prec: int) -> Formula:
        return sp.log(sp.erfc(-self.args[0] / sp.sqrt(2)) / 2)._eval_evalf(prec)

    def _eval_is_negative(self) -> Any:
        return True if self.args[0].is_real else None


class softplus(Defined):
    r"""$\log(1 + e^x)$, without overflow."""

    def definition(self) -> Formula:
        return sp.log(1 + sp.exp(self.args[0]))

    def fdiff(self, argindex: int = 1) -> Formula:
        return sigmoid(self.args[0])

    def _eval_is_positive(self) -> Any:
        return self.args[0].is_real


class log1mexp(Defined):
    r"""$\log(1 - e^x)$ for x < 0, with all digits near zero and far from it."""

    def definition(self) -> Formula:
        return sp.log(1 - sp.exp(self.args[0]))

    def fdiff(self, argindex: int = 1) -> Formula:
        return 1 / (1 - sp.exp(-self.args[0]))

    def _eval_is_negative(self) -> Any:
        return True if self.args[0].is_negative else None


class logistic(Defined):
    r"""$1/(1 + e^{-x})$."""

    def definition(self) -> Formula:
        return sigmoid(self.args[0])

    def fdiff(self, argindex: int = 1) -> Formula:
        return logistic(self.args[0]) * logistic(-self.args[0])

    def _eval_is_positive(self) -> Any:
        return self.args[0].is_real


class complement(Defined):
    r"""$1 - x$, left as it is: $3 - 3x$ has fewer digits near one."""

    def definition(self) -> Formula:
        return 1 - self.args[0]

    def fdiff(self, argindex: int = 1) -> Formula:
        return -sp.S.One

    def _eval_is_positive(self) -> Any:
        return (1 - self.args[0]).is_positive


def sigmoid(x: Any) -> Formula:
    r"""Return the logistic function $1/(1 + e^{-x})$, as a formula.

    >>> sigmoid(0)
    1/2
    """
    return 1 / (1 + sp.exp(-x))


class ImplicitQuantile(sp.Expr):
    r"""The t with $\int_{-\infty}^t e^{\ell(s)}\,ds = u$, for a log-density $\ell$ on the whole line; ``variable`` is bound.

    >>> t, u = sp.Symbol("t", real=True), sp.Symbol("u", positive=True)
    >>> logistic = ImplicitQuantile(u, t, -t - 2*sp.log(1 + sp.exp(-t)))
    >>> round(float(logistic.subs(u, sp.Rational(3, 4))), 12) == round(float(sp.log(3)), 12)
    True
    """

    def __new__(cls, u: Any, variable: Any, log_density: Any) -> ImplicitQuantile:
        return super().__new__(cls, u, variable, log_density)

    if TYPE_CHECKING:  # sympy's own hints: arguments without operations

        @property
        def args(self) -> Any: ...

    is_commutative = True
    is_real = True
    opaque = True

    @property
    def free_symbols(self) -> set[Any]:
        return super().free_symbols - {self.args[1]}

    def _eval_derivative(self, symbol: Any) -> Formula:
        u, variable, log_density = self.args
        if log_density.has(symbol):
            raise NotImplementedError(
                f"the derivative of an implicit quantile in {symbol} is worked out by generated code"
            )
        return u.diff(symbol) * sp.exp(-log_density.xreplace({variable: self}))

    def _eval_evalf(self, prec: int) -> Formula:
        u, variable, log_density = (arg.evalf(prec_to_dps(prec)) for arg in self.args)
        if not u.is_number or (log_density.free_symbols - {variable}):
            return self
        from symaux.formulas.numeric.line_quantile import line_quantile

        return sp.Float(line_quantile(u, variable, log_density, prec), precision=prec)

    def with_readable_variable(self) -> ImplicitQuantile:
        """Return the same with a bound variable whose name nothing else has, for reading.

        >>> t, u = sp.Symbol("t", real=True), sp.Symbol("u", positive=True)
        >>> ImplicitQuantile(u, sp.Dummy("t", real=True), -t)
        ImplicitQuantile(u, t_1, -t)
        """
        u, variable, log_density = self.args
        taken = {s.name for s in (u.free_symbols | log_density.free_symbols) - {variable} if isinstance(s, sp.Symbol)}
        names = (variable.name, *(f"{variable.name}_{k}" for k in range(1, len(taken) + 2)))
        free = sp.Symbol(next(name for name in names if name not in taken), real=True)
        return ImplicitQuantile(u, free, log_density.xreplace({variable: free}))

    def _sympystr(self, printer: Any) -> str:
        return f"ImplicitQuantile({printer.stringify(self.with_readable_variable().args, ', ')})"


def directed(formula: Formula) -> Formula:
    """Return a formula that is cheap to evaluate and rises and falls with the noise as the given one does."""
    formula = formula.replace(lambda e: isinstance(e, ChebyshevPieces), lambda e: e.args[0])
    return formula.replace(
        lambda e: isinstance(e, ImplicitQuantile), lambda e: sp.log(e.args[0]) - sp.log(1 - e.args[0])
    )


class DiscreteQuantile(sp.Expr):
    r"""The least integer k with $\sum_{m \le k} p(m) \ge u$; ``value`` stands for k in the log-mass."""

    def __new__(cls, u: Any, value: Any, log_mass: Any, lower: Any, upper: Any) -> DiscreteQuantile:
        return super().__new__(cls, u, value, log_mass, lower, upper)

    is_commutative = True
    is_real = True
    opaque = True  # nothing in it that mentions the value can be computed outside


def defined(formula: Formula) -> Formula:
    """Return the formula with every function of this module replaced by its definition.

    >>> defined(softplus(sp.Symbol("x")))
    log(exp(x) + 1)
    """
    if not formula.has(Defined, log1p, cfunctions.expm1):
        return formula  # rebuilding would evaluate what was left unevaluated on purpose
    spelled = formula.replace(lambda e: isinstance(e, Defined), lambda e: e.definition())
    return spelled.replace(lambda e: isinstance(e, log1p | cfunctions.expm1), _written_out)


def _written_out(e: Any) -> Formula:
    """Return log(1 + x) or exp(x) - 1."""
    inner: Formula = e.args[0]
    return sp.log(1 + inner) if isinstance(e, log1p) else sp.exp(inner) - 1
