"""Choose names that Stan accepts: not reserved by Stan or by the C++ behind it, and without two underscores at the end.

>>> stan_names(["sigma", "auto", "auto_", "σ1", "x_lpdf"], set())
{'sigma': 'sigma', 'auto': 'auto_', 'auto_': 'auto_2', 'σ1': 'sigma1', 'x_lpdf': 'x_lpdf_'}
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from symaux.codegen.function.identifiers import identifier

_STAN = """for in while repeat until if then else true false target int real complex vector simplex unit_vector ordered
positive_ordered row_vector matrix complex_vector complex_row_vector complex_matrix cholesky_factor_corr
cholesky_factor_cov corr_matrix cov_matrix sum_to_zero_vector column_stochastic_matrix row_stochastic_matrix
functions model data parameters quantities transformed generated return break continue void array tuple lower upper
offset multiplier profile print reject fatal_error jacobian normal cauchy gamma beta log exp sum size rate lambda"""
_CPP = """alignas alignof and and_eq asm auto bitand bitor bool case catch char class compl concept const consteval
constexpr const_cast decltype default delete do double dynamic_cast enum explicit export extern float friend goto inline
long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
reinterpret_cast requires short signed sizeof static static_assert static_cast struct switch template this thread_local
throw try typedef typeid typename union unsigned using var virtual volatile wchar_t xor xor_eq fvar std stan lp lpdf
STAN_MAJOR STAN_MINOR STAN_PATCH STAN_MATH_MAJOR STAN_MATH_MINOR STAN_MATH_PATCH"""
_CALLED = """abs acos acosh asin asinh atan atan2 atanh ceil cos cosh digamma trigamma e erf erfc expm1 floor fmax fmin inv
inv_Phi inv_logit inv_inc_beta inc_beta gamma_p gamma_q lambert_w0 lgamma log1m_exp log1p log1p_exp log_sum_exp owens_t Phi
pi pow rows sin sinh softmax sqrt square tan tanh tgamma"""  # a program that calls them should not also define them
RESERVED = frozenset(f"{_STAN} {_CPP} {_CALLED}".split())
_ENDINGS = re.compile(r"_(lpdf|lpmf|lupdf|lupmf|lcdf|lccdf|cdf|ccdf|log|lp|rng|jacobian)$")


def stan_names(names: Iterable[str], used: set[str]) -> dict[str, str]:
    """Return a distinct name for every one that is given: itself wherever Stan allows it. ``used`` grows by them."""
    chosen: dict[str, str] = {}
    for name in names:
        chosen[name] = fresh_name(name, used)
    return chosen


def fresh_name(name: str, used: set[str]) -> str:
    """Return a name like the given one that nothing has yet."""
    stem = re.sub("__+", "_", identifier(name))
    tried = [stem] if not _ENDINGS.search(stem) else []
    tried += [f"{stem.rstrip('_')}_", *(f"{stem.rstrip('_')}_{k}" for k in range(2, len(used) + 3))]
    chosen = next(n for n in tried if n not in used and n not in RESERVED and not n.endswith("__"))
    used.add(chosen)
    return chosen
