"""Coverage with a judge of row values, and of labels drawn in strata: docs/explanation/judge-cases.json.

python scripts/judge_cases.py build/cases.jsonl                                                  # resumable
python scripts/judge_cases.py build/cases.jsonl --summary docs/explanation/judge-cases.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies.judge_cases import SAMPLES, run, summary


def main() -> None:
    """Run what is missing, and show lowest and mean coverage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--summary", type=Path)
    asked = parser.parse_args()
    found = summary(run(asked.file, asked.samples))
    if asked.summary:
        rows = ",\n".join(json.dumps(line) for line in found)
        asked.summary.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    for line in found:
        print(json.dumps(line))


if __name__ == "__main__":
    main()
