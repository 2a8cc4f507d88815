"""Coverage of the defaults with weights, strata and groups, on populations that played no part in choosing them.

python scripts/design_coverage.py build/designs.jsonl          # resumable: one line a population
python scripts/design_coverage.py build/designs.jsonl --show   # the table of docs/explanation/clusters-and-weights.md
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.design_populations import FAMILIES
from studies.design_study import AGAIN, SAMPLES, Line, figures, lines_of, run


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--level", type=float, default=0.95, help="one file for each level")
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    asked = parser.parse_args()
    lines = lines_of(asked.file) if asked.show else run(asked.file, level=asked.level)
    show(lines)


def show(lines: list[Line]) -> None:
    """Print one row a family, and its worst cells by the new samples."""
    print("| family | populations | estimates: lowest, 5 %, mean; length | differences: lowest, 5 %, mean; length |")
    print("|---|---|---|---|")
    for family in FAMILIES:
        own = [line for line in lines if line["family"] == family]
        if own:
            number = sum(line["samples"] == SAMPLES for line in own)
            print(f"| {family} | {number} | {_summary(own, family, False)} | {_summary(own, family, True)} |")
    for family in FAMILIES:
        looked = [line for line in lines if line["family"] == family and line["samples"] == AGAIN]
        cells = [(cell, line) for line in looked for cell in line["cells"]]
        for cell, line in sorted(cells, key=lambda pair: pair[0]["coverage"])[:3]:
            told = f"{cell['metric']} {cell['coverage']:.3f}, true {cell['true']:.3f}, n {line['n']}"
            print(f"{family}: {line['kind']} {line['number']}: {told}, {line['classes']} classes, {line['name']}")


def _summary(lines: list[Line], family: str, paired: bool) -> str:
    found = figures(lines, family, paired=paired)
    return f"{found['lowest']:.3f}, {found['low']:.3f}, {found['mean']:.3f}; {found['length']:.2f}"


if __name__ == "__main__":
    main()
