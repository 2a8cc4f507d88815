"""How often limits of a difference that hold at any time are ever wrong, looked at every 25 rows up to 2 000.

python scripts/anytime_streams.py build/anytime.jsonl                  # resumable: one line a population, 4 000 streams
python scripts/anytime_streams.py build/anytime.jsonl --populations 5  # five of each kind
python scripts/anytime_streams.py build/anytime.jsonl --show           # what is in the file
python scripts/anytime_streams.py build/anytime.jsonl --show --page    # also into docs/reference/anytime-streams.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.anytime_study import COUNTED, KINDS, METRICS, MOST, STREAMS, Line, lines_of, run

FIRST_NUMBER = 400  # the ones before were looked at when the method was chosen
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "anytime-streams.json"


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--populations", type=int, default=24, help="of each kind")
    parser.add_argument("--first", type=int, default=FIRST_NUMBER, help="number of the first population")
    parser.add_argument("--streams", type=int, default=STREAMS)
    parser.add_argument("--rows", type=int, default=MOST, help="that a stream has")
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    parser.add_argument("--page", action="store_true", help="keep the table for the page of the reference")
    asked = parser.parse_args()
    lines = (
        lines_of(asked.file)
        if asked.show
        else run(
            asked.file, range(asked.first, asked.first + asked.populations), streams=asked.streams, most=asked.rows
        )
    )
    show(lines)
    if asked.page:
        PAGE.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n", encoding="utf-8")


def show(lines: list[Line]) -> None:
    """Print the table."""
    print("\n".join(table(lines)))


def table(lines: list[Line]) -> list[str]:
    """Return one row a metric: the worst population and the mean of all, for equal models and for others."""
    rows = ["| metric | equal models: worst, mean | different models: worst, mean |", "|---|---|---|"]
    for metric in (*COUNTED, *METRICS):
        rows.append(f"| `{metric}` | {' | '.join(_figures(lines, kind, metric) for kind in KINDS)} |")
    return rows


def _figures(lines: list[Line], kind: str, metric: str) -> str:
    found = [line["wrong"][metric] for line in lines if line["kind"] == kind and metric in line["wrong"]]
    return f"{max(found):.3f}, {sum(found) / len(found):.3f}" if found else "–"


if __name__ == "__main__":
    main()
