"""Print functions of whole vectors and matrices in Stan: fill the operands in loops, then call a function of the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symaux.exchange.exporting.spelling.natural_coordinates import Unsupported
from symaux.exchange.exporting.stan.formulas import Chunk, StanPrinter
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import free_plates

TYPES = ("real", "vector", "matrix")


def print_array_call(printer: StanPrinter, given: ArrayFunction) -> str:
    """Print the element of a function's result at the indices of the loops around it; the call comes before the loops."""
    word = "_".join([given.function, *(WORDS[w] for w in given.words)])
    if word not in FUNCTIONS:
        raise Unsupported(f"Stan does not have {word}")
    printer.names.functions.add(word)
    names, lines = [], []
    for operand, along in zip(given.operands, given.along, strict=True):
        plates = [given.plates[p] for p in along]
        name = printer.names.fresh("given")
        kind = type_along(printer.names, plates)
        if plates:
            lines += printer.fill_elements(kind, name, plates, lambda p, at, f=operand: [f"{at} = {p._print(f)};"])
        else:
            lines.append(f"real {name} = {printer._print(operand)};")
        names.append(name)
    made = printer.names.fresh("made")
    function = printer.names.identifiers[f"function {word}"]
    lines.append(f"{type_along(printer.names, given.results)} {made} = {function}({', '.join(names)});")
    depends = free_plates(given) - set(given.results)
    printer.chunks.append(Chunk(tuple(lines), frozenset(depends)))
    places = ", ".join(printer.indices[plate] for plate in given.results)
    return f"{made}[{places}]" if places else made


def type_along(names: Any, plates: Any) -> str:
    """Return the type of an array along plates: real, vector or matrix."""
    sizes = ", ".join(names.size(plate) for plate in plates)
    return f"{TYPES[len(plates)]}[{sizes}]" if plates else TYPES[0]


def function_lines(used: Iterable[str], names: dict[str, str]) -> list[str]:
    """Return the source of the functions that a program needs, callees first, under their names in the program."""
    wanted = set(used)
    for word in reversed(FUNCTIONS):
        if word in wanted:
            wanted |= {other for other in FUNCTIONS if other != word and f"@{other}(" in FUNCTIONS[word]}
    text = "\n".join(FUNCTIONS[word] for word in FUNCTIONS if word in wanted)
    for word in FUNCTIONS:
        text = text.replace(f"@{word}(", f"{names[f'function {word}']}(")
    return text.splitlines()


WORDS = {"precision": "precision", "cholesky": "cholesky", "L": "L", "M": "M"}
WORDS |= {
    f"{f}{how}": f"{f}{name}" for f in "LM" for how, name in {".T": "t", "^-1": "inverse", "^-T": "inverse_t"}.items()
}

# Stan's Phi has 9 digits at -5, and the derivative of its std_normal_lcdf 3 to 8; erfc has all of them, and far out a series
_NORMAL = """real @normal_log_probability(real x) {
  if (x < -37) {
    real y = inv_square(x);
    real series = y * (1 - y * (3 - y * (15 - y * (105 - y * 945))));
    return log1m(series) - square(x) / 2 - log(-x) - log(2 * pi()) / 2;
  }
  return x < 0 ? log(@normal_probability(x)) : log1m(@normal_probability(-x));
}"""
_ERF_INVERSE = """real @erf_inverse(real x) {
  real y = inv_Phi((1 + x) / 2) / sqrt2();
  return abs(x) > 0.5 ? y : y - (erf(y) - x) * sqrt(pi()) / 2 * exp(square(y));
}"""
# Stan's trigamma has 9 digits
_TRIGAMMA = """real @digamma_slope(real x) {
  real made = 0;
  real z = x;
  while (z < 10) {
    made += inv_square(z);
    z += 1;
  }
  real y = inv_square(z);
  real series = 1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * (5.0 / 66 - y * 691 / 2730)));
  return made + y / 2 + (1 + y * (1.0 / 6 - y * series)) / z;
}"""
# The slope of Stan's gamma_q in a is a series that stops at 1e-6: it is 3e23 at (50, 49), not 0.06; that of gamma_p is not a
# number from shapes of 900 on. Here both have their value by a series or a continued fraction, and its slope.
_GAMMA_KERNEL = """real @gamma_kernel(real a, real x) {
  if (a < 50) {
    return a * log(x) - x - lgamma(a);
  }
  real y = inv_square(a);
  real apart = (x - a) / a;
  return a * (log1p(apart) - apart) + log(a / (2 * pi())) / 2 - (1.0 / 12 - y * (1.0 / 360 - y / 1260)) / a;
}"""
_GAMMA_SERIES = """real @gamma_series(real a, real x) {
  real term = inv(a);
  real made = term;
  for (n in 1:100000) {
    term *= x / (a + n);
    made += term;
    if (term < 1e-18 * made) {
      break;
    }
  }
  return exp(@gamma_kernel(a, x)) * made;
}"""
_GAMMA_FRACTION = """real @gamma_fraction(real a, real x) {
  real b = x + 1 - a;
  real c = 1e300;
  real d = inv(b);
  real made = d;
  for (n in 1:100000) {
    real above = n * (a - n);
    b += 2;
    c = b + above / c;
    d = inv(b + above * d);
    made *= c * d;
    if (abs(c * d - 1) < 1e-15) {
      break;
    }
  }
  return exp(@gamma_kernel(a, x)) * made;
}"""
_GAMMA_LOWER = """real @gamma_lower(real a, real x) {
  return x < a + 1 ? @gamma_series(a, x) : 1 - @gamma_fraction(a, x);
}"""
_GAMMA_UPPER = """real @gamma_upper(real a, real x) {
  return x < a + 1 ? 1 - @gamma_series(a, x) : @gamma_fraction(a, x);
}"""
# The slopes of Stan's inc_beta in a and b are wrong where x is near 1: 14, and should be 0
_BETA_LOWER = """real @beta_lower(real a, real b, real x) {
  return x * (a + b) < a ? inc_beta(a, b, x) : 1 - inc_beta(b, a, 1 - x);
}"""
_BETA_UPPER = """real @beta_upper(real a, real b, real x) {
  return x * (a + b) < a ? 1 - inc_beta(a, b, x) : inc_beta(b, a, 1 - x);
}"""
_LOWER = """matrix @lower_triangle(matrix a) {
  matrix[rows(a), rows(a)] made = a;
  for (i in 1:rows(a)) {
    for (j in (i + 1):rows(a)) {
      made[i, j] = 0;
    }
  }
  return made;
}"""
_FILLED = """matrix @filled_triangle(vector diagonal, vector below) {
  matrix[rows(diagonal), rows(diagonal)] made = diag_matrix(diagonal);
  int place = 1;
  for (i in 2:rows(diagonal)) {
    for (j in 1:(i - 1)) {
      made[i, j] = below[place];
      place += 1;
    }
  }
  return made;
}"""
_FACTOR = """matrix @correlation_factor(vector y) {
  int d = 1;
  while (d * (d - 1) < 2 * rows(y)) {
    d += 1;
  }
  matrix[d, d] made = rep_matrix(0, d, d);
  int place = 1;
  for (i in 1:d) {
    real left = 1;
    for (j in 1:(i - 1)) {
      made[i, j] = left * tanh(y[place]);
      left *= inv(cosh(y[place]));
      place += 1;
    }
    made[i, i] = left;
  }
  return made;
}"""
_STICKS = """vector @stick_breaking(vector logits) {
  int d = rows(logits) + 1;
  vector[d] made;
  real left = 0;
  for (k in 1:(d - 1)) {
    made[k] = exp(left - log1p_exp(-logits[k]));
    left -= log1p_exp(logits[k]);
  }
  made[d] = exp(left);
  return made;
}"""
_TAIL = """vector @tail(vector a) {
  vector[rows(a) - 1] made;
  for (k in 1:rows(made)) {
    made[k] = sum(a[(k + 1):rows(a)]);
  }
  return made;
}"""
_COLUMN = """vector @pair_column(vector places) {
  vector[rows(places)] made;
  for (k in 1:rows(places)) {
    real row = floor((1 + sqrt(1 + 8 * places[k])) / 2);
    made[k] = places[k] - row * (row - 1) / 2;
  }
  return made;
}"""
_STUDENT = """real @student_log_density(vector r, real df, matrix k) {
  return multi_student_t_lpdf(r | df, rep_vector(0, rows(r)), k);
}"""


def _one(kind: str, name: str, arguments: str, result: str) -> str:
    return f"{kind} @{name}({arguments}) {{\n  return {result};\n}}"


def _correlated(letter: str) -> dict[str, str]:
    """Return the functions that multiply a vector by the Cholesky factor or lower triangle of a matrix, its transpose, or
    their inverses."""
    factor = "@lower_triangle(k)" if letter == "M" else "cholesky_decompose(k)"
    made = {
        "": f"{factor} * e",
        "t": f"{factor}' * e",
        "inverse": f"mdivide_left_tri_low({factor}, e)",
        "inverse_t": f"mdivide_right_tri_low(e', {factor})'",
    }
    return {
        f"correlated_{letter}{how}": _one("vector", f"correlated_{letter}{how}", "vector e, matrix k", text)
        for how, text in made.items()
    }


def _wisharts(name: str, law: str) -> dict[str, str]:
    plain = _one("real", name, "matrix s, real df, matrix v", f"{law}_lpdf(s | df, v)")
    by_factor = _one(
        "real", f"{name}_cholesky", "matrix s, real df, matrix v",
        f"{law}_lpdf(s | df, tcrossprod(@lower_triangle(v)))",
    )  # fmt: skip
    return {name: plain, f"{name}_cholesky": by_factor}


def _bartletts(name: str, middle: str) -> dict[str, str]:
    """Return the functions for products of a factor of the scale with a triangle of noise."""
    arguments = "vector diagonal, vector below, matrix v"
    made = {}
    for kind, factor in {"": "cholesky_decompose(v)", "_cholesky": "@lower_triangle(v)"}.items():
        made[f"{name}{kind}"] = _one("matrix", f"{name}{kind}", arguments, middle.format(factor))
    return made


def _gaussians() -> dict[str, str]:
    zero = "rep_vector(0, rows(r))"
    made = {
        "normal_log_density": f"multi_normal_lpdf(r | {zero}, k)",
        "normal_log_density_precision": f"multi_normal_prec_lpdf(r | {zero}, k)",
        "normal_log_density_cholesky": f"multi_normal_cholesky_lpdf(r | {zero}, @lower_triangle(k))",
    }
    return {name: _one("real", name, "vector r, matrix k", text) for name, text in made.items()}


def _students() -> dict[str, str]:
    """Return the multivariate t log-densities; Stan's own takes only the scale, so those by precision and by factor are
    written out."""
    head = "lgamma((df + d)/2) - lgamma(df/2) - d*log(df*pi())/2"
    tail = "(df + d)*log1p(form/df)/2"
    body = (
        "real @{name}(vector r, real df, matrix k) {{\n  int d = rows(r);\n  real form = {form};\n  return {told};\n}}"
    )
    prec = body.format(
        name="student_log_density_precision", form="quad_form(k, r)", told=f"{head} + log_determinant_spd(k)/2 - {tail}"
    )
    factor = body.format(
        name="student_log_density_cholesky",
        form="dot_self(mdivide_left_tri_low(@lower_triangle(k), r))",
        told=f"{head} - sum(log(abs(diagonal(k)))) - {tail}",
    )
    return {
        "student_log_density": _STUDENT,
        "student_log_density_precision": prec,
        "student_log_density_cholesky": factor,
    }


FUNCTIONS: dict[str, str] = {
    "normal_probability": _one("real", "normal_probability", "real x", "erfc(-x / sqrt2()) / 2"),
    "normal_log_probability": _NORMAL,
    "erf_inverse": _ERF_INVERSE,
    "digamma_slope": _TRIGAMMA,
    "gamma_kernel": _GAMMA_KERNEL,
    "gamma_series": _GAMMA_SERIES,
    "gamma_fraction": _GAMMA_FRACTION,
    "gamma_lower": _GAMMA_LOWER,
    "gamma_upper": _GAMMA_UPPER,
    "beta_lower": _BETA_LOWER,
    "beta_upper": _BETA_UPPER,
    "lower_triangle": _LOWER,
    "filled_triangle": _FILLED,
    **_gaussians(),
    **_students(),
    "lkj_log_density": _one("real", "lkj_log_density", "matrix l, real eta", "lkj_corr_cholesky_lpdf(l | eta)"),
    **_wisharts("wishart_log_density", "wishart"),
    **_wisharts("inverse_wishart_log_density", "inv_wishart"),
    "correlated": _one("vector", "correlated", "vector e, matrix k", "cholesky_decompose(k) * e"),
    **_correlated("L"),
    **_correlated("M"),
    "normalised": _one("vector", "normalised", "vector logarithms", "softmax(logarithms)"),
    "head": _one("vector", "head", "vector a", "a[1:(rows(a) - 1)]"),
    "tail": _TAIL,
    "stick_breaking": _STICKS,
    "pair_column": _COLUMN,
    "correlation_factor": _FACTOR,
    **_bartletts("bartlett", "tcrossprod({} * @filled_triangle(diagonal, below))"),
    **_bartletts("inverse_bartlett", "crossprod(mdivide_left_tri_low(@filled_triangle(diagonal, below), {}'))"),
}
