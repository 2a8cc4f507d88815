"""Writing where there is no room, no directory and no right to: the old file stays, and no half file is left."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import howsure as hs
from hard_use.catalogue import theme

WRITING = theme("Writing")
COUNTS = ["counts", "--tp", "77", "--fp", "44", "--fn", "10", "--tn", "702"]


def command(*words: object, most: int | None = None, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line; ``most`` is the largest file that it may write, as if the disk were full after that."""

    def narrow() -> None:
        if most is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", "howsure", *map(str, words)],
        capture_output=True, text=True, timeout=300, preexec_fn=narrow, cwd=folder, env=environment, check=False,
    )  # fmt: skip


@WRITING.case("a disk that is full while a report is written", "an error; the old report stays, and no half file")
def full_disk(folder: Path) -> None:
    page = folder / "report.html"
    page.write_text("the old report")
    found = command(*COUNTS, "--format", "html", "--output", page, most=2000)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
    assert page.read_text() == "the old report"
    assert [one.name for one in folder.iterdir()] == ["report.html"]


@WRITING.case("a target directory that is not there", "an error that names it, exit status 2")
def absent_directory(folder: Path) -> None:
    found = command(*COUNTS, "--output", folder / "nowhere" / "report.txt")
    assert found.returncode == 2
    assert "nowhere" in found.stderr
    assert "Traceback" not in found.stderr


@WRITING.case("a target directory without the right to write", "an error that names it, exit status 2")
def closed_directory(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir()
    closed.chmod(0o500)
    if os.access(closed, os.W_OK):  # the superuser may write anywhere, except where the kernel says no
        closed = Path("/proc/self")
    found = command(*COUNTS, "--output", closed / "report.txt")
    assert found.returncode == 2
    assert str(closed / "report.txt") in found.stderr
    assert "Traceback" not in found.stderr


@WRITING.case("a directory as the target", "an error, exit status 2; the directory stays as it was")
def directory_as_file(folder: Path) -> None:
    (folder / "report.txt").mkdir()
    found = command(*COUNTS, "--output", folder / "report.txt")
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
    assert [one.name for one in folder.iterdir()] == ["report.txt"]


@WRITING.case("a counter that cannot be saved", "the old snapshot stays whole, and no half file is left")
def counter_without_room(folder: Path) -> None:
    path = folder / "counter.npz"
    counter = hs.Counter([0, 1])
    counter.update([0, 1], [0, 1])
    counter.save(path)
    before = path.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, old[1]))
        with pytest.raises(OSError, match="File too large"):
            counter.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before
    assert [one.name for one in folder.iterdir()] == ["counter.npz"]
