"""A run that was killed resumes to the same bits."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from support.models import linear
from support.paths import environment

import symaux as sa

RUN = """
import sys, time
import numpy as np
import symaux as sa
from support.models import linear
model, data, _, _ = linear()
pause = float(sys.argv[2])
learnt = sa.learn.mcem(model, data, ["W", "tau"], iterations=60, every=7, independent="n", step_size=0.1, seed=3,
                       start={"tau": 0.5}, checkpoint=sys.argv[1], watch=lambda now: time.sleep(pause))
np.savez(sys.argv[1] + ".result.npz", **learnt.position, log_joint=learnt.trace["log_joint"])
"""


def test_killed_in_the_middle_a_run_resumes_to_the_same_bits(tmp_path: Path) -> None:
    def begin(name: str, pause: float) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path / name), str(pause)], env=environment())

    killed, path = begin("cut.npz", 30.0), tmp_path / "cut.npz"
    deadline = time.monotonic() + 200
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert path.exists() and not (tmp_path / "cut.npz.result.npz").exists()
    for name in ("cut.npz", "whole.npz"):
        assert begin(name, 0.0).wait(200) == 0
    cut, whole = (dict(np.load(tmp_path / f"{name}.npz.result.npz")) for name in ("cut", "whole"))
    assert cut.keys() == whole.keys() and len(whole["log_joint"]) == 60
    assert all(cut[name].tobytes() == whole[name].tobytes() for name in whole)
    model, data, _, _ = linear()
    with pytest.raises(sa.DataError, match="another model, other data or other settings"):
        sa.learn.mcem(model, data, ["W", "tau"], independent="n", seed=4, checkpoint=path)
    path.write_bytes(b"no checkpoint")
    with pytest.raises(sa.DataError, match="is not a checkpoint"):
        sa.learn.mcem(model, data, ["W", "tau"], independent="n", seed=3, checkpoint=path)
