"""How often limits that hold at any time are ever wrong, of a difference or of one value: a look every 25 rows.

python scripts/anytime_streams.py build/anytime.jsonl                  # resumable: one line a population, 4 000 streams
python scripts/anytime_streams.py build/anytime.jsonl --populations 5  # five of each kind
python scripts/anytime_streams.py build/anytime.jsonl --show           # what is in the file
python scripts/anytime_streams.py build/anytime.jsonl --show --page    # also into docs/reference/anytime-streams.json
python scripts/anytime_streams.py build/values.jsonl --values          # one model; anytime-values.json
python scripts/anytime_streams.py build/ratios.jsonl --ratios --populations 1   # ratios of sums; anytime-ratios.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies import anytime_ratios, anytime_study, anytime_values
from studies.anytime_study import COUNTED, KINDS, METRICS, MOST, Line, lines_of, run

FIRST_NUMBER = 400  # the ones before were looked at when the method was chosen
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "anytime-streams.json"
PAGE_OF_VALUES, PAGE_OF_RATIOS = PAGE.with_name("anytime-values.json"), PAGE.with_name("anytime-ratios.json")


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--populations", type=int, default=24, help="of each kind")
    parser.add_argument("--first", type=int, default=FIRST_NUMBER, help="number of the first population")
    parser.add_argument("--streams", type=int, default=anytime_study.STREAMS, help="of each population")
    parser.add_argument("--rows", type=int, default=MOST, help="that a stream has")
    parser.add_argument("--values", action="store_true", help="of one model, in place of the difference of two")
    parser.add_argument("--ratios", action="store_true", help="of sums per unit; a population is a law, drawn anew")
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    parser.add_argument("--page", action="store_true", help="keep the table for the page of the reference")
    asked = parser.parse_args()
    studied = anytime_ratios if asked.ratios else anytime_values if asked.values else anytime_study
    shown, page = (
        (table_of_ratios, PAGE_OF_RATIOS) if asked.ratios
        else (table_of_values, PAGE_OF_VALUES) if asked.values
        else (table, PAGE)
    )  # fmt: skip
    numbers = range(asked.first, asked.first + asked.populations)
    how = {"streams": asked.streams, "most": asked.rows}
    lines = lines_of(asked.file) if asked.show else run(asked.file, numbers, studied.line, studied.KINDS, **how)
    print("\n".join(shown(lines)))
    if asked.page:
        page.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n", encoding="utf-8")


def table(lines: list[Line]) -> list[str]:
    """Return one row a metric: the worst population and the mean of all, for equal models and for others."""
    rows = ["| metric | equal models: worst, mean | different models: worst, mean |", "|---|---|---|"]
    for metric in (*COUNTED, *METRICS):
        rows.append(f"| `{metric}` | {' | '.join(_figures(lines, kind, metric) for kind in KINDS)} |")
    return rows


def table_of_values(lines: list[Line]) -> list[str]:
    """Return one row a metric: the worst population and the mean of all, of two classes and of several."""
    rows = ["| metric | two classes: worst, mean | three to six classes: worst, mean |", "|---|---|---|"]
    for metric in anytime_values.METRICS:
        figures = (_figures(lines, kind, metric) for kind in anytime_values.KINDS)
        rows.append(f"| `{metric}` | {' | '.join(figures)} |")
    return rows


def table_of_ratios(lines: list[Line]) -> list[str]:
    """Return one row a law: the share of streams that were ever wrong."""
    rows = [f"| {line['kind']} | {line['wrong']['ratio']:.3f} |" for line in lines]
    return ["| units | ever wrong |", "|---|---|", *rows]


def _figures(lines: list[Line], kind: str, metric: str) -> str:
    found = [line["wrong"][metric] for line in lines if line["kind"] == kind and metric in line["wrong"]]
    return f"{max(found):.3f}, {sum(found) / len(found):.3f}" if found else "–"


if __name__ == "__main__":
    main()
