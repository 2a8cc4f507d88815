"""How many labels hs.choose saves, and whether hs.stratified then keeps its level.

    python scripts/label_coverage.py --data FOLDER --samples 1000 --output build/labels.json
    python scripts/label_coverage.py --output build/labels.json

FOLDER holds judge-pandalm; without it the pools are made up. Prints, for each way of ``tests/studies/label_study.py``,
how often the 95% interval held the value of the pool, and how many labels at random one label is worth: by the squared
width of the intervals, and by the variance of the estimates. Lines that the file holds are not made again.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.label_study import WAYS, keep, kept, line, pandalm, simulated

LABELS = (200,)


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--samples", type=int, default=300)
    asked.add_argument("--labels", type=int, nargs="*", default=LABELS)
    asked.add_argument("--data", type=Path, help="folder of judge-pandalm")
    asked.add_argument("--output", type=Path, help="write there as JSON what it does not hold yet")
    given = asked.parse_args()
    pools = [
        simulated("accuracy", 0.2, 0.9, 0.9), simulated("accuracy", 0.2, 0.98, 0.98),
        simulated("f1", 0.05, 0.8, 0.8), simulated("f1", 0.05, 0.9, 0.9), simulated("f1", 0.2, 0.9, 0.9),
        simulated("f1", 0.2, 0.9, 0.9, echo=0.5),
    ]  # fmt: skip
    pools = list(pandalm(given.data)) if given.data else pools
    print(f"| pool | labels | covered: {', '.join(WAYS)} | worth by width | worth by variance |\n|---|---|---|---|---|")
    lines = kept(given.output)
    for pool in pools:
        for labels in given.labels:
            found = next((one for one in lines if (one["pool"], one["labels"]) == (pool.name, labels)), None)
            if found is None:
                found = line(pool, labels, given.samples)
                lines.append(found)
                keep(lines, given.output)
            cells = [" ".join(map(str, found[what])) for what in ("covered", "width", "variance")]
            print(f"| {pool.name} | {labels} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
