"""Coverage of intervals with a judge, on populations that played no part in choosing them; people alone beside it.

python scripts/judge_coverage.py build/judges.jsonl                   # resumable: one line a population, kind and n
python scripts/judge_coverage.py build/judges.jsonl --kind rows       # some of them
python scripts/judge_coverage.py build/judges.jsonl --show            # the table of docs/explanation/judges.md
python scripts/judge_coverage.py build/judges.jsonl --show --summary docs/explanation/judges.json

Samples are computed hundreds at a time (tests/studies/judge_samples.py); a test sees that this is what hs.estimate and
hs.compare compute. Half an hour of one core.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.judge_study import SAMPLES, SIZES, Line, lines_of, run, summary

HEADS = ("people alone: lowest, mean", "with the judge: lowest, mean", "PPI++: lowest, mean", "length", "worth")


def show(lines: list[Line]) -> None:
    """Print the summary as the tables of the page: one model, differences, groups and weights."""
    found = summary(lines)
    alone = [line for line in found if line["kind"] == "rows"]
    for part, wald in (
        ([line for line in alone if "difference" not in line["metric"]], True),
        ([line for line in alone if "difference" in line["metric"]], False),
        ([line for line in found if line["kind"] != "rows"], False),
    ):
        _table(part, wald=wald)


def _table(lines: list[Line], *, wald: bool) -> None:
    heads = [head for head in HEADS if wald or "PPI++" not in head]
    print(f"\n| metric | n | {' | '.join(heads)} |")
    print("|---|---|" + "---|" * len(heads))
    for line in lines:
        several = f", {line['classes']} classes" if line["classes"] > 2 else ""
        kind = "" if line["kind"] == "rows" else f" ({line['kind']})"
        cells = ["{:.3f}, {:.3f}".format(*line[who]) for who in ("human", "gain", *(["wald"] if wald else []))]
        cells += [f"{line[what]:.2f}" for what in ("length", "worth")]
        name = line["metric"].replace("_", " ").replace("[1]", "")
        print(f"| {name}{several}{kind} | {line['n']} | {' | '.join(cells)} |")


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="+", help="one to write to; several to show")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="a file holds one size")
    parser.add_argument("--kind", action="append", choices=tuple(SIZES))
    parser.add_argument("--show", action="store_true", help="only what is in the files")
    parser.add_argument("--summary", type=Path, help="write one line a kind, metric and n there")
    asked = parser.parse_args()
    if not asked.show:
        run(asked.file[0], asked.samples, asked.kind or tuple(SIZES))
    lines = [line for file in asked.file for line in lines_of(file)]
    if asked.summary:
        rows = ",\n".join(json.dumps(line) for line in summary(lines))
        asked.summary.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    show(lines)


if __name__ == "__main__":
    main()
