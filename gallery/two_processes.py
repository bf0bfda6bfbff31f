"""Eight schools' big sister on several hosts: 1,000 groups spread over two processes by jax.distributed.

python gallery/two_processes.py                  # both processes on this machine
python gallery/two_processes.py HOST:PORT 0 2    # on the first host; on the second, with a 1 for the 0

Every process loads its own groups only, and each evaluation of the log-density and its gradient sends one all-reduce.
"""

from __future__ import annotations

import socket
import subprocess
import sys

import numpy as np

GROUPS = 1000


def process(coordinator: str, number: int, count: int) -> None:
    """One of the processes: its part of the data, and the gradient of the whole."""
    import jax
    import jax.numpy as jnp
    import sympy as sp
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    import symaux as sa

    jax.distributed.initialize(coordinator, num_processes=count, process_id=number)
    mesh = Mesh(np.array(jax.devices()), ("j",))
    mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
    theta, y, j = *sa.arrays("theta y"), sa.plate("j")
    laws = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[j], mu, tau), sa.normal(y[j], theta[j], 1)]
    after = sa.auxiliary(sa.Model.of(*laws, observed=[y])).after

    share = GROUPS // count
    own = np.sin(np.arange(number * share, (number + 1) * share))  # as if read from a file of this host
    cut = NamedSharding(mesh, PartitionSpec("j"))
    data = {"y": jax.make_array_from_process_local_data(cut, own)}
    logp = sa.log_density(after, data, mesh=mesh, shard="j")
    position = {"mu": jnp.asarray(0.3), "log_tau": jnp.asarray(0.2)}
    position |= {"eps_theta": jax.make_array_from_process_local_data(cut, 0.5 * own)}
    value, slope = jax.jit(jax.value_and_grad(logp.of))(position, logp.data)
    print(
        f"process {number} of {count}: log p = {float(value):.4f}, slope of mu = {float(slope['mu']):.4f}", flush=True
    )


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def both_here() -> int:
    """Two processes on this machine."""
    coordinator = f"127.0.0.1:{free_port()}"
    command = [sys.executable, __file__, coordinator]
    running = [subprocess.Popen([*command, str(number), "2"]) for number in range(2)]
    return max(each.wait() for each in running)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(both_here())
    process(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
