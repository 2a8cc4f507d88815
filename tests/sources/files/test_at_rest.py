"""Pipes, FIFOs and devices are read like standard input."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from howsure.errors import InputError
from howsure.estimates.estimate import estimate
from howsure.sources.read import read

TEXT = "id,truth,pred\n" + "".join(f"{place},{place % 2},{int(place % 4 == 1)}\n" for place in range(40))
CONLL = "EU B-ORG B-ORG\nrejects O O\n\nPeter B-PER O\n"


@contextmanager
def _fed(path: Path, content: bytes) -> Iterator[Path]:
    """A FIFO that somebody writes into, once."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,), daemon=True)
    writer.start()
    yield path
    writer.join(10)


@pytest.mark.parametrize("packed", [False, True])
def test_a_fifo(tmp_path: Path, packed: bool) -> None:
    content = gzip.compress(TEXT.encode()) if packed else TEXT.encode()
    with _fed(tmp_path / "f", content) as path:
        found = read(path, truth="truth", predictions="pred")
    assert (found.n, float(estimate(found, "accuracy"))) == (40, 0.75)


def test_fifos_among_several_files(tmp_path: Path) -> None:
    with _fed(tmp_path / "a", TEXT.encode()) as one, _fed(tmp_path / "b", TEXT.encode()) as other:
        found = read([one, other], id="id")
    assert (found.n, found.models) == (40, ("a", "b"))
    with _fed(tmp_path / "c", TEXT.encode()) as one, _fed(tmp_path / "d", TEXT.encode()) as other:
        assert read({"x": one, "y": other}, id="id").models == ("x", "y")


def test_nothing_comes(tmp_path: Path) -> None:
    with _fed(tmp_path / "f", b"") as path, pytest.raises(InputError, match="is empty"):
        read(path)
    with pytest.raises(InputError, match="is empty"):
        read("/dev/null")


SHELL = {
    "/dev/stdin": ("{howsure} report /dev/stdin -m accuracy --format csv < {csv}", "0.75"),
    "pipe to /dev/stdin": ("cat {csv} | {howsure} report /dev/stdin -m accuracy --format csv", "0.75"),
    "process substitution": ("{howsure} report <(zcat {gz}) -m accuracy --format csv", "0.75"),
    "two of them": ("{howsure} compare <(zcat {gz}) <(cat {csv}) --id id -m accuracy", "40"),
    "a slice": ("{howsure} report <(cat {csv}) --by id --truth truth -m accuracy --format csv", "39"),
    "a matrix": ("{howsure} matrix <(printf '3,1\\n1,3\\n') --rows truth -m accuracy --format csv", "0.75"),
    "tags": ("{howsure} spans <(cat {conll}) -m f1 --format csv", "0.66"),
    "folds": ("{howsure} counts <(printf 'tp,fp,fn,tn\\n3,1,1,3\\n') -m accuracy --format csv", "0.75"),
}


@pytest.mark.parametrize("case", list(SHELL))
def test_from_a_shell(tmp_path: Path, case: str) -> None:
    (tmp_path / "a.csv").write_text(TEXT)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "a.conll").write_text(CONLL)
    command, answer = SHELL[case]
    names = {"csv": tmp_path / "a.csv", "gz": tmp_path / "a.csv.gz", "conll": tmp_path / "a.conll"}
    line = command.format(howsure=f"{sys.executable} -m howsure", **names)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert answer in done.stdout
