"""Describe the machine and the versions that the ratios belong to: no host names, no paths."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent


def peers() -> list[str]:
    """Return the names of the peers, as they are installed."""
    return (FOLDER / "peers.txt").read_text(encoding="utf-8").split()


def describe() -> dict[str, str]:
    """Return what a reader needs to know about the machine."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "load at the start": f"{os.getloadavg()[0]:.1f}",
        "system": platform.system(),
        "Python": platform.python_version(),
        "howsure": version("howsure"),
        "numpy": version("numpy"),
        **{name: version(name) for name in peers()},
        "R": _r_version(),
    }


def version(package: str) -> str:
    """Return the version of an installed package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or platform.machine()


def _r_version() -> str:
    program = shutil.which("Rscript")
    if program is None:
        return "not installed"
    question = 'cat(as.character(getRversion()), "with mvtnorm", as.character(packageVersion("mvtnorm")))'
    done = subprocess.run([program, "-e", question], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "without mvtnorm"
