"""Make every reference table of tests/references again with its own program, and compare cell by cell.

Run: python scripts/references.py [--jobs N] [--quick] [--write] [maker …]. Exit status 1 if a cell differs or a maker
fails. A maker whose program is missing is named as skipped. --quick leaves out the makers of several minutes; --write
puts what comes out in the place of the stored tables.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "references"
RELATIVE = 1e-9


@dataclass(frozen=True)
class Maker:
    """A script, the tables it writes, the programs it needs, the tables it reads.

    Cells agree to 1e-9 relative, or below ``floor``; columns of ``noise`` are Monte-Carlo numbers or roots found
    coarsely by the program, and agree to that absolute error.
    """

    script: str
    files: tuple[str, ...]
    programs: tuple[str, ...]
    reads: tuple[str, ...] = ()
    noise: Mapping[str, float] = field(default_factory=dict)
    floor: float = 1e-14
    slow: bool = False

    @property
    def in_r(self) -> bool:
        """Whether R runs the script."""
        return self.script.endswith(".R")


MAKERS = (
    Maker("prevalence_make.R", ("prevalence_limits.csv",), ()),
    Maker("agreement_make.R", ("agreement_tables.csv", "agreement_kappa.csv"), ("vcd",)),
    Maker("best_make.R", ("best_limits.csv",), ("mvtnorm",), ("compare_models.csv",)),
    Maker("binconf_make.R", ("binconf_limits.csv",), ("Hmisc",)),
    Maker("binomial_make.R", ("binomial_limits.csv",), ("Hmisc", "epiR")),
    Maker("caret_make.R", ("caret_tables.csv", "caret_values.csv"), ("caret",)),
    Maker(
        "compare_make.R", ("compare_pairs.csv", "compare_mcnemar.csv"), ("multcomp", "mvtnorm"),
        reads=("compare_models.csv",),
        noise={"low": 1e-4, "high": 1e-4, "joint": 1e-5},  # a quantile to 1e-3 times a standard error of 0.03
    ),
    Maker("clusters_make.R", ("clusters_errors.csv",), ("clubSandwich",), reads=("design_rows.csv",)),
    Maker("critical_make.R", ("critical_qmvnorm.csv",), ("mvtnorm",), noise={"quantile": 2e-3}, slow=True),
    Maker("delta_make.R", ("delta_tables.csv", "delta_errors.csv", "delta_pairs.csv"), ("car",)),
    Maker("design_make.R", ("design_rows.csv", "design_errors.csv"), ("survey",)),
    Maker("medical_make.R", ("medical_tests.csv",), ("epiR",)),
    Maker("metafor_make.R", ("metafor_studies.csv", "metafor_pooled.csv"), ("metafor",)),
    Maker("judged_make.py", ("judged_peers.csv",), ("numpy", "ppi-python", "truescore", "judgy")),
    Maker("ppi_make.py", ("ppi_rows.csv", "ppi_means.csv"), ("numpy", "ppi-python")),
    Maker("mapie_make.py", ("mapie_rows.csv", "mapie_thresholds.csv"), ("numpy", "MAPIE")),
    Maker("roc_make.R", ("roc_rows.csv", "roc_areas.csv", "roc_pairs.csv"), ("pROC",)),
    Maker("survey_make.R", ("survey_rows.csv", "survey_errors.csv"), ("survey",)),
    Maker(
        "baycomp_make.py", ("baycomp_ranks.csv",), ("baycomp", "numpy"),
        noise={"left": 5e-3, "equal": 5e-3, "right": 5e-3}, slow=True,
    ),
    Maker("binomial_tversky_make.py", ("binomial_tversky.csv",), ("mpmath",), slow=True),
    Maker("enumeration_make.py", ("enumeration_coverage.csv",), ()),
    Maker("nervaluate_make.py", ("nervaluate_tags.csv", "nervaluate_scores.csv"), ("nervaluate",)),
    Maker(
        "posterior_make.py", ("posterior_probabilities.csv", "posterior_laws.csv"), ("mpmath", "numpy", "scipy"),
        floor=0.0, slow=True,
    ),
    Maker("scipy_make.py", ("scipy_values.csv",), ("numpy", "scipy")),
    Maker("scored_make.py", ("scored_rows.csv", "scored_values.csv"), ("numpy", "scikit-learn")),
    Maker("seqeval_make.py", ("seqeval_tags.csv", "seqeval_scores.csv"), ("seqeval",)),
    Maker("sklearn_make.py", ("sklearn_cases.csv", "sklearn_values.csv"), ("numpy", "scikit-learn")),
    Maker(
        "statsmodels_make.py",
        tuple(f"statsmodels_{name}.csv" for name in ("limits", "kappa", "mcnemar", "holm")), ("numpy", "statsmodels"),
    ),
)  # fmt: skip


# --- comparing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of one table."""

    file: str
    maker: str
    programs: str
    verdict: str
    cells: int | None = None
    largest: float | None = None

    @property
    def good(self) -> bool:
        """Whether nothing differs: the same, or not made at all."""
        return self.verdict.startswith(("same", "skipped", "written"))

    @property
    def line(self) -> tuple[str, ...]:
        """The outcome as a line of the table."""
        cells = "" if self.cells is None else str(self.cells)
        largest = "" if self.largest is None else f"{self.largest:.1e}"
        return self.file, self.maker, self.programs, cells, largest, self.verdict


def compare(old: Path, new: Path, *, noise: Mapping[str, float], floor: float) -> tuple[int, float, str]:
    """Return the number of cells, the largest difference (relative; absolute in noisy columns) and a verdict."""
    before, after = (list(csv.reader(path.read_text(encoding="utf-8").splitlines())) for path in (old, new))
    if [len(row) for row in before] != [len(row) for row in after] or before[:1] != after[:1]:
        return 0, 0.0, f"differs in shape: {len(before)} rows stored, {len(after)} made, or other columns"
    header, largest, wrong = before[0], 0.0, []
    for number, (first, second) in enumerate(zip(before[1:], after[1:], strict=True), start=2):
        for column, x, y in zip(header, first, second, strict=True):
            apart, allowed = _apart(x, y, noise.get(column), floor)
            largest = max(largest, apart)
            if apart > allowed:
                wrong.append(f"line {number}, {column}: {x} stored, {y} made")
    verdict = f"differs in {len(wrong)} cells, first {wrong[0]}" if wrong else "same"
    return len(header) * (len(before) - 1), largest, verdict


def _apart(x: str, y: str, noise: float | None, floor: float) -> tuple[float, float]:
    """Return how far two cells are apart, and how far they may be."""
    if x == y:
        return 0.0, RELATIVE
    try:
        first, second = float(x), float(y)
    except ValueError:
        return float("inf"), RELATIVE
    if noise is not None:
        return abs(first - second), noise
    size = max(abs(first), abs(second))
    return (0.0 if size <= floor else abs(first - second) / size), RELATIVE


# --- making -----------------------------------------------------------------------------------------------------------


@cache
def r_versions() -> dict[str, str]:
    """Return the versions of R and of the packages it has, nothing where R is absent."""
    if shutil.which("Rscript") is None:
        return {}
    wanted = sorted({program for maker in MAKERS if maker.in_r for program in maker.programs})
    code = (
        "cat('R', paste(R.version$major, R.version$minor, sep = '.'), '\\n'); for (name in commandArgs(TRUE)) "
        "if (nzchar(system.file(package = name))) cat(name, as.character(packageVersion(name)), '\\n')"
    )
    run = subprocess.run(["Rscript", "-e", code, *wanted], capture_output=True, text=True, check=True)
    return dict(line.split() for line in run.stdout.splitlines())


def versions(maker: Maker) -> tuple[str, list[str]]:
    """Return a maker's programs with their versions, and those that are missing."""
    if maker.in_r:
        known, needed = r_versions(), ("R", *maker.programs)
    else:
        known = {"Python": ".".join(map(str, sys.version_info[:3]))}
        needed = ("Python", *maker.programs)
        for name in maker.programs:
            try:
                known[name] = metadata.version(name)
            except metadata.PackageNotFoundError:
                continue
    return ", ".join(f"{name} {known[name]}" for name in needed if name in known), [n for n in needed if n not in known]


def outcomes(maker: Maker, *, write: bool) -> list[Outcome]:
    """Run a maker in a folder of its own and return what became of its tables."""
    programs, missing = versions(maker)

    def all_alike(verdict: str) -> list[Outcome]:
        return [Outcome(file, maker.script, programs, verdict) for file in maker.files]

    if missing:
        return all_alike(f"skipped: no {' '.join(missing)}")
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        for name in (maker.script, *maker.reads):
            shutil.copy(FOLDER / name, place)
        command = ["Rscript" if maker.in_r else sys.executable, maker.script]
        # Without a time zone R asks systemd, which a container has not.
        run = subprocess.run(command, cwd=place, capture_output=True, text=True, env={"TZ": "UTC", **os.environ})
        if run.returncode:
            print(run.stderr, file=sys.stderr)
            return all_alike(f"failed with status {run.returncode}")
        return [_outcome(maker, place / file, programs, write=write) for file in maker.files]


def _outcome(maker: Maker, made: Path, programs: str, *, write: bool) -> Outcome:
    stored = FOLDER / made.name
    if not made.exists():
        return Outcome(made.name, maker.script, programs, "failed: it was not made")
    found = compare(stored, made, noise=maker.noise, floor=maker.floor) if stored.exists() else (0, 0.0, "new")
    if write and not found[2].startswith("same"):
        shutil.copy(made, stored)
        found = (*found[:2], f"written: it {found[2]}")
    return Outcome(made.name, maker.script, programs, found[2], *found[:2])


def chosen(names: Iterable[str], *, quick: bool) -> list[Maker]:
    """Return the makers whose script starts with one of the names (all without names)."""
    starts = tuple(names)
    return [maker for maker in MAKERS if maker.script.startswith(starts or "") and not (quick and maker.slow)]


def reported(maker: Maker, *, write: bool) -> list[Outcome]:
    """Run a maker and say at once how long it took and what became of its tables: a later one may be stopped."""
    start = time.perf_counter()
    found = outcomes(maker, write=write)
    verdicts = ", ".join(f"{row.file} {row.verdict}" for row in found)
    print(f"{maker.script}: {time.perf_counter() - start:.0f} s; {verdicts}", flush=True)
    return found


def print_table(rows: list[tuple[str, ...]]) -> None:
    """Print rows under a header, aligned."""
    lines = [("table", "maker", "programs", "cells", "largest", "verdict"), *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(5)]
    for line in lines:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[5]]))


def main() -> int:
    """Print a table of all outcomes and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="starts of the makers' names; all by default")
    parser.add_argument("--jobs", type=int, default=1, help="makers at the same time")
    parser.add_argument("--quick", action="store_true", help="leave out the makers of several minutes")
    parser.add_argument("--write", action="store_true", help="replace the stored tables that differ")
    options = parser.parse_args()
    makers = sorted(chosen(options.names, quick=options.quick), key=lambda maker: not maker.slow)
    if not makers:
        parser.error(f"no maker starts with {' or '.join(options.names)}")
    with ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for rows in pool.map(lambda maker: reported(maker, write=options.write), makers) for row in rows]
    print_table([row.line for row in sorted(rows, key=lambda row: row.file)])
    same, skipped = (sum(row.verdict.startswith(word) for row in rows) for word in ("same", "skipped"))
    print(f"\n{same} of {len(rows)} tables came out the same (1e-9 relative; noisy columns within their stated error)")
    if skipped:
        print(f"SKIPPED: {skipped} tables, because a program is missing; they were NOT checked")
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
