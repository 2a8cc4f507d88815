"""Run the benchmark, or the named parts of it, and write docs/benchmarks.md from all that was ever run.

``python benchmarks/run.py [part …] [--quick] [--no-big]``. Each part runs in a process of its own and leaves a JSON
file, so that one part can be repeated while the page keeps the others. A run of all parts that was stopped goes on with
those that it has not done.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
import page
from record import Effort, Part, save

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
PAGE = FOLDER.parent / "docs" / "benchmarks.md"
QUICK = 0.01
DONE = "done.txt"  # parts that a run of all has done; gone when all are


def main() -> None:
    """Run the parts and write the page."""
    options = _options()
    if options.alone:
        measure(options.parts[0], Effort(options.share, options.big), options.results)
        return
    failed = [name for name in options.parts or unfinished(options.results) if not run(name, options)]
    if not options.parts and not failed:
        (options.results / DONE).unlink(missing_ok=True)
    options.page.write_text(page.render(options.results), encoding="utf-8")
    print(f"wrote {options.page.name}")
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def run(name: str, options: argparse.Namespace) -> bool:
    """Run one part in a process of its own; True if it went through."""
    print(f"{name} …", flush=True)
    start = time.perf_counter()
    command = [sys.executable, str(FOLDER / "run.py"), name, "--alone", "--share", str(options.share)]
    command += ["--results", str(options.results), "--big" if options.big else "--no-big"]
    # One thread of linear algebra: nothing here needs more, and idle ones that spin would count as CPU time.
    done = subprocess.run(command, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, check=False)
    print(f"{name}: {(time.perf_counter() - start) / 60:.1f} minutes", flush=True)
    if done.returncode == 0 and not options.parts:
        with (options.results / DONE).open("a", encoding="utf-8") as file:
            file.write(f"{name}\n")
    return done.returncode == 0


def unfinished(results: Path) -> list[str]:
    """Return the parts of a run of all that are still to be done: what a run that was stopped has, it keeps."""
    kept = results / DONE
    done = kept.read_text(encoding="utf-8").split() if kept.exists() else []
    if done:
        print(f"goes on after {', '.join(done)}; remove {kept} to begin anew", flush=True)
    return [name for name in page.PARTS if name not in done]


def measure(name: str, effort: Effort, results: Path) -> None:
    """Measure one part here and keep what it found."""
    described, start = machine.describe(), time.perf_counter()
    sections, targets = importlib.import_module(name).measure(effort)
    save(Part(name, sections, targets, described, (time.perf_counter() - start) / 60), results)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(page.PARTS)}; all if none is named")
    parser.add_argument("--quick", action="store_true", help="small data, results and page in a temporary directory")
    parser.add_argument("--big", action=argparse.BooleanOptionalAction, default=True, help="the file of 10⁹ rows")
    parser.add_argument("--share", type=float, default=1.0, help="share of the full sizes and times")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = sorted(set(options.parts) - set(page.PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(page.PARTS)}")
    if options.quick:
        scratch = Path(tempfile.mkdtemp(prefix="howsure-bench-"))
        options.share, options.results, options.page = QUICK, scratch, scratch / "benchmarks.md"
        print(f"results and page in {scratch}")
    return options


if __name__ == "__main__":
    main()
