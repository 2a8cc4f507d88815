"""How often equal algorithms, trained several times each, are called different; how often single values are covered.

python scripts/run_coverage.py build/runs.jsonl                   # resumable: one line a cell, 4 000 samples each
python scripts/run_coverage.py build/runs.jsonl --samples 200     # a shorter one
python scripts/run_coverage.py build/runs.jsonl --show            # the table of docs/how-to/runs.md
python scripts/run_coverage.py build/runs.jsonl --show --page     # also into docs/how-to/runs.json
python scripts/run_coverage.py build/inside.jsonl --tasks         # runs inside tasks: docs/how-to/runs-in-tasks.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies import task_run_study
from studies.run_study import RUNS, SAMPLES, Line, lines_of, run, share

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "runs.json"
INSIDE = PAGE.with_name("runs-in-tasks.json")


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, help=f"{SAMPLES}; of runs inside tasks {task_run_study.SAMPLES} a seed")
    parser.add_argument("--tasks", action="store_true", help="runs inside tasks")
    parser.add_argument("--seed", type=int, default=task_run_study.SEED, help="of runs inside tasks; others are added")
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    parser.add_argument("--page", action="store_true", help="keep the cells beside the page of the documentation")
    asked = parser.parse_args()
    if asked.tasks:
        lines, page = inside_tasks(asked), INSIDE
    else:
        lines, page = lines_of(asked.file) if asked.show else run(asked.file, asked.samples or SAMPLES), PAGE
        show(lines)
    if asked.page:
        page.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n", encoding="utf-8")


def inside_tasks(asked: argparse.Namespace) -> list[Line]:
    """Run or read what there is of runs inside tasks, print one row a cell, and return the cells."""
    many = asked.samples or task_run_study.SAMPLES
    lines = lines_of(asked.file) if asked.show else task_run_study.run(asked.file, many, asked.seed)
    cells = task_run_study.joined(lines)
    print("| tasks | runs | spread of runs | asked about | samples | called different | covered |")
    print("|---|---|---|---|---|---|---|")
    words = {"fixed": "these tasks", "random": "tasks like these"}
    for one in cells:
        tasks, runs, spread, choice = one["cell"]
        shares = " | ".join(f"{one[name] / one['samples']:.3f}" for name in ("different", "covered"))
        print(f"| {tasks} | {runs} | {spread:g} | {words[choice]} | {one['samples']:,} | {shares} |")
    return cells


def show(lines: list[Line]) -> None:
    """Print one row a number of runs: worst and mean over all cells and metrics."""
    print("| runs of each | equal called different | rows alone | single values covered | rows alone |")
    print("|---|---|---|---|---|")
    for runs in RUNS:
        wrong = [share(lines, what, runs=(runs,)) for what in ("different", "rows alone")]
        right = [share(lines, what, runs=(runs,)) for what in ("covered", "rows cover")]
        if wrong[0].size:
            cells = [f"{one.max():.3f} / {one.mean():.3f}" for one in wrong]
            cells += [f"{one.min():.3f} / {one.mean():.3f}" for one in right]
            print(f"| {runs} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
