"""Coverage of the interval methods of scores for docs/reference/methods: simulated, kept in coverage.json.

AUC, the F1 at the best threshold and recall at a specificity: normal scores of equal spread, 30 % positives, the AUC on
the axis. ECE: a probability whose true log-odds are the axis' value times the stated ones.

    python scripts/score_coverage.py [metric …]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import howsure as hs

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference" / "methods" / "coverage.json"
QUALITY = (0.55, 0.7, 0.85, 0.93, 0.98)
BOUNDED = "recall@specificity>=0.9"
SAMPLES = {"auc": 10_000, "f1@best": 100, "ece": 100, BOUNDED: 1_000}
METHODS = {"auc": ("newcombe", "wilson", "mid-p", "wald"), "f1@best": ("band", "wald"), "ece": ("union", "wald"),
           BOUNDED: ("thresholds", "wilson")}  # fmt: skip
SIZES = {"auc": (25, 100), "f1@best": (100,), "ece": (200,), BOUNDED: (100,)}


def series(metric: str, n: int) -> list[dict[str, object]]:
    """Return coverage and mean length of each method along the axis."""
    axis = "slope" if metric == "ece" else "auc"
    worlds = [{axis: value} if metric == "ece" else {axis: value, "prevalence": 0.3} for value in QUALITY]
    rows = hs.study(metric, METHODS[metric], worlds, n, replicates=SAMPLES[metric])
    return [
        {"metric": metric, "method": name, "n": n, "level": 0.95, "quality": list(QUALITY),
         "coverage": [row.coverage for row in rows if row.method == name],
         "length": [row.length for row in rows if row.method == name],
         "exact": False, "se": (0.05 * 0.95 / SAMPLES[metric]) ** 0.5}
        for name in METHODS[metric]
    ]  # fmt: skip


if __name__ == "__main__":
    asked = sys.argv[1:] or list(SIZES)
    made = [one for metric in asked for n in SIZES[metric] for one in series(metric, n)]
    kept = [one for one in json.loads(TARGET.read_text(encoding="utf-8")) if one["metric"] not in asked]
    lines = ",\n".join(json.dumps(one) for one in (*kept, *made))
    TARGET.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
