"""Parquet files of 10⁸ and 10⁹ rows: made by DuckDB, counted by hs.read, deleted. CPU time, and peak memory.

Every job runs in a process of its own, so that its memory is its own: ``python benchmarks/parquet.py job folder``.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from clock import Rounds
from record import Cell, Effort, Section, Target

ROWS = 100_000_000
BIG = 1_000_000_000
FREE = 20 * 2**30
"""Bytes that must be free before the large files are made; they take half a GiB."""
MOST_MEMORY = 500.0
FILE = 50_000_000
COLUMNS = ("label", "bert", "svm")

# Three classes. Truth and two models that are right in about 90 % and 80 % of the rows, from bits of one hash a row.
MAKE = """
COPY (
    SELECT label::TINYINT AS label,
           (CASE WHEN (h >> 16) % 1000 < 900 THEN label ELSE (h >> 26) % 3 END)::TINYINT AS bert,
           (CASE WHEN (h >> 36) % 1000 < 800 THEN label ELSE (h >> 46) % 3 END)::TINYINT AS svm
    FROM (SELECT (CASE WHEN h % 1000 < 600 THEN 0 WHEN h % 1000 < 900 THEN 1 ELSE 2 END) AS label, h
          FROM (SELECT hash(i) AS h FROM range({start}, {stop}) AS rows(i)))
) TO '{path}' (FORMAT parquet, COMPRESSION zstd)
"""
GROUPED = "SELECT label, bert, svm, count(*) FROM read_parquet('{folder}/*.parquet') GROUP BY ALL"
DECODED = "SELECT sum(label), sum(bert), sum(svm) FROM read_parquet('{folder}/*.parquet')"


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure 10⁸ rows, and 10⁹ where the disk allows."""
    rows, big = effort.rows(ROWS), effort.rows(BIG)
    first, targets = files(rows, effort.times(5))
    sections = [first]
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if effort.big and free >= FREE:
        second, more = files(big, 1)
        return [*sections, second], targets + more
    reason = "it was not asked for" if not effort.big else f"only {free / 2**30:.0f} GiB of disk are free, less than 20"
    told = f"The file of {big:,} rows was left out, because {reason}."
    return [Section(first.title, first.text, first.columns, first.rows, f"{first.after} {told}")], targets


def files(rows: int, repeats: int) -> tuple[Section, list[Target]]:
    """Make the files, run every job on them in turn, and delete them."""
    with tempfile.TemporaryDirectory(prefix="howsure-bench-") as name:
        folder = Path(name)
        start = time.perf_counter()
        alone("make", folder, rows)
        made = time.perf_counter() - start
        size = sum(path.stat().st_size for path in folder.glob("*.parquet"))
        found = {job: [alone(job, folder) for _ in range(1)] for job in JOBS}
        for _ in range(repeats - 1):
            for job, taken in found.items():
                taken.append(alone(job, folder))
    if found["howsure"][0]["counts"] != found["grouped"][0]["counts"]:
        raise AssertionError("hs.read counts otherwise than DuckDB's own group-by")
    return _section(rows, size, made, found)


def _section(rows: int, size: int, made: float, found: dict[str, list[dict]]) -> tuple[Section, list[Target]]:
    rounds = Rounds({job: np.array([one["seconds"] for one in taken]) for job, taken in found.items()})
    peaks = {job: float(np.max([one["megabytes"] for one in taken])) for job, taken in found.items()}
    lines: list[list[Cell]] = [
        [words, rounds.ratio(job, "decoded").value, rounds.ratio(job, "grouped").value, round(peaks[job])]
        for job, (words, _) in JOBS.items()
    ]
    text = (
        f"{rows:,} rows of truth and two models, three classes, in Parquet files of at most {FILE:,} rows, "
        f"{size / 2**20:,.0f} MiB in all; made by DuckDB, read, and deleted. CPU time of the call, all threads; peak "
        f"memory of the whole process, Python and libraries included; {_times(len(found['howsure']))}. `hs.read` "
        "checks every value before it counts. The counts are the same to the last row (checked)."
    )
    longer = made / max(float(np.median([one["wall"] for one in found["howsure"]])), 1e-9)
    after = f"Making the files took {longer:.1f} times as long as reading them with `hs.read`."
    columns = ["job", "CPU / decoding", "CPU / DuckDB's group-by", "peak memory, MB"]
    target = Target(f"Parquet, {rows:,} rows × 2 models: peak MB of hs.read", peaks["howsure"], MOST_MEMORY)
    return Section(f"{rows:,} rows", text, columns, lines, after), [target]


def _times(repeats: int) -> str:
    return "measured once" if repeats == 1 else f"{repeats} repeats in turn"


def alone(job: str, folder: Path, rows: int = 0) -> dict:
    """Run a job in a process of its own and return what it measured."""
    command = [sys.executable, __file__, job, str(folder), str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{job} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def make(folder: Path, rows: int) -> None:
    """Write the files with DuckDB."""
    import duckdb

    connection = duckdb.connect(config={"memory_limit": "2GB", "preserve_insertion_order": False})
    for start in range(0, rows, FILE):
        path = folder / f"part-{start // FILE:03}.parquet"
        connection.execute(MAKE.format(start=start, stop=min(start + FILE, rows), path=path))


def grouped(folder: Path) -> list[int]:
    """Count with DuckDB alone."""
    import duckdb

    return sorted(row[-1] for row in duckdb.connect().execute(GROUPED.format(folder=folder)).fetchall())


def decoded(folder: Path) -> list[int]:
    """Read the three columns with DuckDB and do the least with them."""
    import duckdb

    return [int(value) for value in duckdb.connect().execute(DECODED.format(folder=folder)).fetchone()]


def howsure(folder: Path) -> list[int]:
    """Count with hs.read, as a user does."""
    import howsure as hs

    table = hs.read(str(folder / "*.parquet"), truth=COLUMNS[0], predictions=list(COLUMNS[1:]))
    return sorted(int(count) for count in table.counts)


JOBS: dict[str, tuple[str, Callable[[Path], list[int]]]] = {
    "howsure": ("`hs.read`", howsure),
    "grouped": ("DuckDB, `GROUP BY` alone", grouped),
    "decoded": ("DuckDB, decoding the columns (`sum`)", decoded),
}


def main(job: str, folder: str, rows: str) -> None:
    """Do one job and print what it took as JSON."""
    if job == "make":
        make(Path(folder), int(rows))
        print("{}")
        return
    work = JOBS[job][1]
    import duckdb  # noqa: F401  (loading it is not part of the job)

    import howsure  # noqa: F401

    wall, start = time.perf_counter(), time.process_time()
    counts = work(Path(folder))
    seconds, waited = time.process_time() - start, time.perf_counter() - wall
    print(json.dumps({"seconds": seconds, "wall": waited, "megabytes": peak_megabytes(), "counts": counts}))


def peak_megabytes() -> float:
    """Return the most memory this process has held; not what its parent held before it started."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    main(*sys.argv[1:])
