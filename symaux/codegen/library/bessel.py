r"""Modified Bessel functions of real order, on the scale of logarithms, with gradients in order and argument.

$$K_\nu(x) = \int_0^\infty e^{-x\cosh t}\cosh\nu t\,dt,\qquad
I_\nu(x) = \sum_{k\ge0}\frac{(x/2)^{2k+\nu}}{k!\,\Gamma(k+\nu+1)};$$

where $r = \sqrt{x^2 + \nu^2}$ is large, I is taken from Debye's expansion, which is uniform in the order.

>>> float(jnp.exp(log_kv(0.5, 1.0))).__round__(5)  # sqrt(pi/2) exp(-1)
0.46107
>>> float(iv(0.5, 1.0)).__round__(5)  # sqrt(2/pi) sinh(1)
0.93767
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from symaux.codegen.library.tails import expm1mx, floats, negligible, panels

# The polynomials of Debye's expansion in (nu/r)**2, one row for each power of 1/r.
DEBYE = (
    (0.125, -0.20833333333333334),
    (0.0703125, -0.4010416666666667, 0.3342013888888889),
    (0.0732421875, -0.8912109375, 1.8464626736111112, -1.0258125964506173),
    (0.112152099609375, -2.3640869140625, 8.78912353515625, -11.207002616222994, 4.669584423426247),
    (0.22710800170898438, -7.368794359479632, 42.53499874538846, -91.81824154324002, 84.63621767460073,
     -28.212072558200244),
    (0.5725014209747314, -26.491430486951554, 218.1905117442116, -699.5796273761325, 1059.9904525279999,
     -765.2524681411817, 212.57013003921713),
    (1.7277275025844574, -108.09091978839466, 1200.9029132163525, -5305.646978613403, 11655.393336864534,
     -13586.550006434138, 8061.722181737309, -1919.457662318407),
    (6.074042001273483, -493.915304773088, 7109.514302489364, -41192.65496889755, 122200.46498301746,
     -203400.17728041555, 192547.00123253153, -96980.59838863752, 20204.29133096615),
    (24.380529699556064, -2499.8304818112097, 45218.76898136273, -331645.1724845636, 1268365.2733216248,
     -2813563.226586534, 3763271.297656404, -2998015.9185381066, 1311763.6146629772, -242919.18790055133),
    (110.01714026924674, -13886.08975371704, 308186.4046126624, -2785618.1280864547, 13288767.166421818,
     -37567176.66076335, 66344512.27472903, -74105148.21153265, 50952602.49266464, -19706819.118432228,
     3284469.853072038),
    (551.3358961220206, -84005.43360302408, 2243768.1779224495, -24474062.72573873, 142062907.7975331,
     -495889784.2750303, 1106842816.8230145, -1621080552.1083372, 1553596899.57058, -939462359.6815784,
     325573074.18576574, -49329253.66450996),
    (3038.090510922384, -549842.3275722887, 17395107.553978164, -225105661.88941526, 1559279864.8792574,
     -6563293792.619285, 17954213731.1556, -33026599749.800724, 41280185579.753975, -34632043388.158775,
     18688207509.295826, -5866481492.051847, 814789096.1183121),
    (18257.755474293175, -3871833.442572613, 143157876.71888897, -2167164983.223795, 17634730606.83497,
     -87867072178.02327, 287900649906.1506, -645364869245.3765, 1008158106865.3821, -1098375156081.2233,
     819218669548.5773, -399096175224.4665, 114498237732.0258, -14679261247.695616),
    (118838.42625678325, -29188388.122220814, 1247009293.5127103, -21822927757.529224, 205914503232.41,
     -1196552880196.1816, 4612725780849.132, -12320491305598.287, 23348364044581.84, -31667088584785.16,
     30565125519935.32, -20516899410934.438, 9109341185239.898, -2406297900028.504, 286464035717.679),
)  # fmt: skip


def log_kv(nu, x):
    r"""$\log K_\nu(x)$ for x > 0."""
    nu, x = floats(nu, x)
    return integral_log_kv(jnp.abs(nu), x)


@jax.jit
def integral_log_kv(nu, x):
    """The integral around its peak, with nodes that do not move with the arguments."""
    order, at = lax.stop_gradient((nu, x))
    r, peak = jnp.hypot(order, at), jnp.arcsinh(order / at)
    wide, narrow = 0.5 * (r + order), 0.5 * jnp.square(at) / (r + order)
    ratio = negligible(x.dtype) / r
    left, left_weights = panels(jnp.minimum(peak, 0.5 * (ratio + jnp.sqrt(ratio * (ratio + 8.0)))))
    right, right_weights = panels(2.0 * jnp.arcsinh(jnp.sqrt(0.5 * ratio)))
    s = jnp.concatenate([-left, right], -1)
    exponent = -wide[..., None] * expm1mx(s) - narrow[..., None] * expm1mx(-s)
    t = peak[..., None] + s
    plain = nu[..., None] * t - x[..., None] * jnp.cosh(t)  # the same up to a constant: carries the gradients
    exponent = exponent + plain - lax.stop_gradient(plain)
    mass = jnp.concatenate([left_weights, right_weights], -1) * jnp.exp(exponent)
    total = jnp.sum(mass * (0.5 + 0.5 * jnp.exp(-2.0 * nu[..., None] * t)), -1)
    return jnp.log(total) + order * peak - r


def log_iv(nu, x):
    r"""$\log I_\nu(x)$ for ν > -1 and x ≥ 0."""
    nu, x = floats(nu, x)
    return special.xlogy(nu, 0.5 * x) + joined_log_iv(nu, x)


def log_iv_over_power(nu, x):
    r"""$\log I_\nu(x) - \nu\log\tfrac x2$ for ν > -1 and x ≥ 0."""
    return joined_log_iv(*floats(nu, x))


@jax.jit
def joined_log_iv(nu, x):
    """The power series, or Debye's expansion where the arguments are large."""
    large = jnp.square(nu) + jnp.square(x) > 900.0
    return jnp.where(
        large,
        debye_log_iv(jnp.where(large, nu, 30.0), jnp.where(large, x, 30.0)),
        series_log_iv(jnp.where(large, 1.0, nu), jnp.where(large, 1.0, x)),
    )


def series_log_iv(nu, x):
    """The power series, whose terms are all positive."""

    def inwards(number, total):
        k = (64 - number).astype(x.dtype)
        return 1.0 + 0.25 * jnp.square(x) / (k * (k + nu)) * total

    total = lax.fori_loop(0, 64, inwards, jnp.ones_like(x))
    return jnp.log(total) - special.gammaln(nu + 1.0)


def debye_log_iv(nu, x):
    """Debye's expansion."""
    r = jnp.hypot(nu, x)
    square = jnp.square(nu / r)
    table = jnp.asarray([(*row, *(0.0,) * (len(DEBYE) + 1 - len(row))) for row in DEBYE], r.dtype)
    rows = jnp.zeros((*r.shape, len(DEBYE)), r.dtype)
    for power in reversed(range(len(DEBYE) + 1)):
        rows = rows * square[..., None] + table[:, power]
    total = jnp.zeros_like(r)
    for k in reversed(range(len(DEBYE))):
        total = (total + rows[..., k]) / r
    return r + nu * jnp.log(2.0 / (nu + r)) - 0.5 * jnp.log(6.283185307179586 * r) + jnp.log1p(total)


def kv(nu, x):
    r"""$K_\nu(x)$."""
    return jnp.exp(log_kv(nu, x))


def kve(nu, x):
    r"""$e^x K_\nu(x)$."""
    return jnp.exp(log_kv(nu, x) + x)


def iv(nu, x):
    r"""$I_\nu(x)$."""
    return jnp.exp(log_iv(nu, x))


def ive(nu, x):
    r"""$e^{-x} I_\nu(x)$."""
    return jnp.exp(log_iv(nu, x) - x)
