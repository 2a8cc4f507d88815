"""A study that is interrupted for real, by Ctrl-C or by a hard kill of its process, loses nothing that was finished."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import howsure as hs

HALF = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}
METHODS = ["wald", "wilson"]
SETTINGS: dict[str, Any] = {"n": [20, 30, 40, 50], "exact": False, "replicates": 80_000, "seed": 3}
PARTS = 16

STUDY = f"""
import sys, time
import howsure as hs
def progress(done, everything):
    print(done, everything, flush=True)
    time.sleep(0.25)  # long enough for the signal to arrive before the end
hs.study("f2", {METHODS}, {HALF}, jobs=int(sys.argv[2]), checkpoint=sys.argv[1], progress=progress, **{SETTINGS})
"""


@pytest.fixture(scope="module")
def whole() -> hs.Coverage:
    return hs.study("f2", METHODS, HALF, **SETTINGS)


@pytest.mark.parametrize(
    ("sent", "code", "jobs"),
    [(signal.SIGINT, -signal.SIGINT, 1), (signal.SIGKILL, -signal.SIGKILL, 1), (signal.SIGINT, -signal.SIGINT, 2)],
)
def test_a_stopped_study_goes_on_with_the_same_numbers(
    whole: hs.Coverage, tmp_path: Path, sent: signal.Signals, code: int, jobs: int
) -> None:
    command = [sys.executable, "-c", STUDY, str(tmp_path), str(jobs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline().split() for _ in range(3)]
        os.kill(child.pid, sent)
        rest, _ = child.communicate(timeout=60)
    assert told == [[str(done), str(PARTS)] for done in (1, 2, 3)]
    assert child.returncode == code
    seen: list[tuple[int, int]] = []
    resumed = hs.study("f2", METHODS, HALF, checkpoint=tmp_path, progress=lambda *step: seen.append(step), **SETTINGS)
    assert resumed.to_json() == whole.to_json()
    # What was told as done was kept: only the rest was computed, and one part at most had been finished untold.
    finished = 3 + len(rest.splitlines())
    assert 3 <= finished < PARTS
    assert seen[0][0] - 1 in (finished, finished + 1)
    assert seen[-1] == (PARTS, PARTS)
