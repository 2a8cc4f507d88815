"""Coverage of the intervals of hs.agreement, on populations that played no part in choosing them.

python scripts/agreement_coverage.py build/agreement.jsonl                                        # resumable
python scripts/agreement_coverage.py build/agreement.jsonl --summary docs/explanation/agreement.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studies import agreement_study


def show(study: Any, about: str | None) -> None:
    """Run what is missing of a study, and show its summary: lowest and mean coverage."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, default=study.SAMPLES)
    parser.add_argument("--summary", type=Path)
    asked = parser.parse_args()
    found = study.summary(study.run(asked.file, asked.samples))
    if asked.summary:
        rows = ",\n".join(json.dumps(line) for line in found)
        asked.summary.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    for line in found:
        print(json.dumps(line))


if __name__ == "__main__":
    show(agreement_study, __doc__)
