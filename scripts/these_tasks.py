"""How often the interval of a mean over these very tasks holds it: the table of docs/how-to/tasks.md.

python scripts/these_tasks.py build/these.jsonl                   # resumable: one line a benchmark, 4 000 samples each
python scripts/these_tasks.py build/these.jsonl --show            # the table
python scripts/these_tasks.py build/these.jsonl --show --page     # also into docs/how-to/tasks.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.task_study import CLASSES, METRICS, SAMPLES, Line, figures, lines_of, run

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "tasks.json"


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    parser.add_argument("--page", action="store_true", help="keep the benchmarks beside the page of the documentation")
    asked = parser.parse_args()
    lines = lines_of(asked.file) if asked.show else run(asked.file, asked.samples)
    show(lines)
    if asked.page:
        PAGE.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n", encoding="utf-8")


def show(lines: list[Line]) -> None:
    """Print one row a metric and number of classes: lowest and mean coverage, Wald's, and how much longer than it."""
    print("| metric | classes | covered: lowest, mean | Wald: lowest, mean | length over Wald's |")
    print("|---|---|---|---|---|")
    for metric in METRICS:
        for classes in CLASSES:
            names = ("covered", "wald covered", "length", "wald length")
            covered, wald, length, other = (np.array(figures(lines, metric, name, (classes,))) for name in names)
            if covered.size:
                ends = " | ".join(f"{one.min():.3f}, {one.mean():.3f}" for one in (covered, wald))
                print(f"| `{metric}` | {classes} | {ends} | {(length / other).mean():.2f} |")


if __name__ == "__main__":
    main()
