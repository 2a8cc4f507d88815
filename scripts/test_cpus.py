"""Run the numerical tests as other processors would: other kernels of the linear algebra, and none of numpy's own.

    python scripts/test_cpus.py [--jobs 2] [--only Haswell …] [pytest arguments]

Sums are added up in another order there, so that last bits differ. A number of rows, a rank, a tie or a printed digit
that hangs on them fails here and not first on somebody's machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORES = ("Prescott", "Nehalem", "Haswell", "SkylakeX")
NEEDS = {"SkylakeX": "AVX512F", "Haswell": "AVX2"}
PLAIN = "numpy without dispatch"
NUMERICAL = (
    "comparisons", "cross_validation", "estimates", "metrics", "numerics", "papers", "planning", "properties",
    "references", "results", "studies", "tables", "surface/test_docs.py",
)  # fmt: skip


def features() -> dict[str, bool]:
    """Return the features of this processor that numpy knows."""
    from numpy._core._multiarray_umath import __cpu_features__

    return dict(__cpu_features__)


def dispatched() -> list[str]:
    """Return the features by which numpy chooses its loops here."""
    from numpy._core._multiarray_umath import __cpu_dispatch__

    held = features()
    return [name for name in __cpu_dispatch__ if held.get(name)]


def settings() -> dict[str, dict[str, str] | str]:
    """Return the environment of each processor, or why it cannot be tried here."""
    held = features()
    found: dict[str, dict[str, str] | str] = {}
    for core in CORES:
        needed = NEEDS.get(core)
        absent = needed is not None and not held.get(needed)
        found[core] = f"this processor has no {needed}" if absent else {"OPENBLAS_CORETYPE": core}
    found[PLAIN] = {"NPY_DISABLE_CPU_FEATURES": " ".join(dispatched())}
    return found


def run(name: str, environment: dict[str, str], jobs: int, more: list[str]) -> bool:
    """Run the tests in an environment; True if they pass."""
    print(f"--- {name}", flush=True)
    tests = more or [str(ROOT / "tests" / part) for part in NUMERICAL]
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "-m", "not slow and not engines", *tests]
    shared = {"OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, cwd=ROOT, env=os.environ | shared | environment, check=False).returncode == 0


def main() -> None:
    """Try every processor and say how each went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", choices=[*CORES, PLAIN], help="one processor; may be repeated")
    options, more = parser.parse_known_args()
    outcome = {}
    for name, environment in settings().items():
        if options.only and name not in options.only:
            continue
        if isinstance(environment, str):
            outcome[name] = f"skipped: {environment}"
        else:
            outcome[name] = "passed" if run(name, environment, options.jobs, more) else "FAILED"
    print(*(f"{name}: {how}" for name, how in outcome.items()), sep="\n")
    if "FAILED" in outcome.values():
        raise SystemExit(1)


if __name__ == "__main__":
    main()
