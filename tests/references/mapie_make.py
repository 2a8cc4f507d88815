"""Thresholds that MAPIE's risk controller finds. Writes mapie_rows.csv and mapie_thresholds.csv.

Run in this folder: python mapie_make.py (seconds). Nothing of howsure is used. Each case has rows with a truth and a
probability; BinaryClassificationController controls a precision, a recall or a false positive rate at 95 % confidence
with its defaults: Bonferroni–Holm over the thresholds 0, 0.01 … 0.99.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
ASKED = (("precision", 0.8), ("precision", 0.95), ("recall", 0.7), ("fpr", 0.1))
SHAPES = ((150, 0.5, 1.5), (400, 0.3, 2.0), (400, 0.3, 1.0), (1000, 0.1, 2.0), (1000, 0.5, 2.5), (300, 0.2, 3.0))


def write(name: str, rows: list[dict[str, object]]) -> None:
    with (HERE / f"mapie_{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    from mapie.risk_control import BinaryClassificationController  # of an environment of its own

    rng = np.random.default_rng(20)
    rows, found = [], []
    for case, (n, prevalence, shift) in enumerate(SHAPES):
        truth = (rng.random(n) < prevalence).astype(int)
        odds = rng.standard_normal(n) + shift * truth - shift / 2 + np.log(prevalence / (1 - prevalence)) / shift
        score = (1 / (1 + np.exp(-shift * odds))).round(4)
        rows += [{"case": case, "truth": one, "score": other} for one, other in zip(truth, score, strict=True)]
        for risk, level in ASKED:
            controller = BinaryClassificationController(
                predict_function=lambda X: np.column_stack([1 - X[:, 0], X[:, 0]]),
                risk=risk, target_level=level, confidence_level=0.95,
            )  # fmt: skip
            controller.calibrate(score[:, None], truth)
            valid = np.sort(np.asarray(controller.valid_predict_params, dtype=float).ravel())
            best = controller.best_predict_param
            found.append(
                {
                    "case": case,
                    "risk": risk,
                    "level": level,
                    "valid": len(valid),
                    "lowest": valid[0] if len(valid) else "",
                    "highest": valid[-1] if len(valid) else "",
                    "best": "" if best is None else float(np.ravel(best)[0]),
                }
            )
    write("rows", rows)
    write("thresholds", found)


if __name__ == "__main__":
    main()
