"""Coverage of the defaults with weights, strata and groups, on populations that played no part in choosing them.

python scripts/design_coverage.py docs/explanation/clusters-and-weights.jsonl          # resumable: a line a population
python scripts/design_coverage.py docs/explanation/clusters-and-weights.jsonl --show   # the tables of the page
python scripts/design_coverage.py build/half.jsonl --part 0/2                          # one of two equal parts
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.design_families import FAMILIES
from studies.design_study import LEVELS, SAMPLES, SIZE, Line, cells_of, figures, lines_of, run

GROUPS = ((5, 7), (8, 14), (15, 29), (30, 50))
HEAD = "estimates: lowest, 5 %, mean; length | differences: lowest, 5 %, mean; length |"


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    parser.add_argument("--part", default="0/1", help="which of how many equal parts to compute")
    parser.add_argument("--most", type=int, default=SIZE, help="populations of a kind at most")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="samples of each at level 0.95")
    parser.add_argument("--seed", type=int, help="of other populations than the stored ones")
    asked = parser.parse_args()
    if not asked.show:
        first, parts = map(int, asked.part.split("/"))
        run(asked.file, part=(first, parts), most=asked.most, samples=asked.samples, seed=asked.seed)
    show(lines_of(asked.file))


def show(lines: list[Line]) -> None:
    """Print one row a family at each level, groups by their number, and the worst cells of each family."""
    for level in LEVELS:
        print(f"\n| level {level:g} | populations | {HEAD}\n|---|---|---|---|")
        for family in FAMILIES:
            print(_line(family, [line for line in lines if line["family"] == family], level))
    print(f"\n| groups | populations | {HEAD}\n|---|---|---|---|")
    for low, high in GROUPS:
        kept = [line for line in lines if line["family"] == "groups" and low <= line["groups"] <= high]
        print(_line(f"{low} to {high}", kept, LEVELS[0]))
    print()
    for family in FAMILIES:
        own = [line for line in lines if line["family"] == family]
        cells = cells_of(own, paired=False) + cells_of(own, paired=True)
        for cell, line in sorted(cells, key=lambda pair: pair[0]["coverage"])[:3]:
            told = f"{cell['metric']} {cell['coverage']:.4f}, true {cell['true']:.3f}, n {line['n']}"
            print(f"{family}: {line['kind']} {line['number']}: {told}, {line['classes']} classes, {line['name']}")


def _line(name: str, lines: Iterable[Line], level: float) -> str:
    own = list(lines)
    parts = [_summary(cells_of(own, paired=paired, level=level)) for paired in (False, True)]
    number = sum(any(cell["level"] == level for cell in line["cells"]) for line in own)
    return f"| {name} | {number} | {parts[0]} | {parts[1]} |"


def _summary(cells: list[tuple[Line, Line]]) -> str:
    if not cells:
        return "–"
    found = figures(cells)
    return f"{found['lowest']:.3f}, {found['low']:.3f}, {found['mean']:.3f}; {found['length']:.2f}"


if __name__ == "__main__":
    main()
