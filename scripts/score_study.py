"""Coverage of the default intervals of scores on populations drawn at random: kept in docs/explanation/scores.json.

`python scripts/score_study.py FOLDER [family …]` goes on where it stopped: finished parts are kept in FOLDER. The laws,
the seed and the ranges below had no part in choosing any default, but that average precision was mended on other
populations of FRESH_LAWS; its own have OTHER_LAWS. Each family writes its line of the table in
docs/explanation/scores.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

import howsure as hs
from howsure.studies.scored.populations import LAWS, ShiftedScores

SEED, SAMPLES = 20_261_119, 4000
SEED_OF_SAMPLES = 1
SLOW = 1000  # samples where one takes a tenth of a second
FRESH_LAWS = ("burr", "log-gamma", "skewed", "kumaraswamy")
OTHER_LAWS = ("frechet", "tukey", "half-normal", "triangular")  # the first were seen when average precision was mended
KEPT = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "scores.json"
PAGE = KEPT.with_suffix(".md")
BEGIN = "<!-- study, made by scripts/score_study.py: begin -->"
END = "<!-- study, made by scripts/score_study.py: end -->"
Found = dict[str, Any]


def worlds(
    count: int, stream: int, least: float = 4.0, laws: tuple[str, ...] = FRESH_LAWS, **more: Any
) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield populations and numbers of rows drawn at random, with a few rows (or groups) of each class expected."""
    rng = np.random.default_rng([SEED, stream])
    while count:
        n = int(np.exp(rng.uniform(np.log(30), np.log(500))))
        p = float(rng.choice([0.06, 0.12, 0.25, 0.5, 0.7, 0.88]))
        world = {
            "auc": float(np.round(1 - np.exp(rng.uniform(np.log(0.006), np.log(0.4))), 4)),
            "prevalence": p,
            "shape": str(rng.choice(laws)),
            "spread": float(np.round(np.exp(rng.uniform(-0.8, 0.8)), 2)),
            "hidden": float(rng.choice([0.0, 0.0, 0.0, 0.08, 0.16])),
            "levels": int(rng.choice([0, 0, 0, 0, 4, 7])),
            "mirrored": bool(rng.random() < 0.5),
            **more,
        }
        few = min(p, 1 - p) * n / more.get("per_group", 1)
        if few >= least and world["auc"] < 1 - world["hidden"] / 2 - 0.003:
            count -= 1
            yield world, n


def intervals(
    metric: str, chosen: list[tuple[dict[str, Any], int]], folder: str, samples: int | None = None
) -> Iterator[Found]:
    """Yield how often the default interval, and Wald's, hold in each population."""
    samples = samples or SAMPLES
    for at, (world, n) in enumerate(chosen):
        made = hs.study(
            metric, ["default", "wald"], world, n, replicates=samples, seed=SEED_OF_SAMPLES + at, checkpoint=folder
        )
        said, wald = made
        yield {
            "population": world, "n": n, "samples": samples, "method": said.method, "truth": round(said.truth, 6),
            "coverage": round(said.coverage, 5), "above": round(said.above, 5), "below": round(said.below, 5),
            "length": round(said.length, 5), "wald": round(wald.coverage, 5), "wald_length": round(wald.length, 5),
        }  # fmt: skip


PROBABLE = [
    ({"slope": slope, "intercept": shift, "mean": mean, "spread": 1.6}, n)
    for slope, shift, mean in ((1.0, 0.0, 0.0), (0.7, 0.3, -1.0), (1.3, -0.4, -2.0))
    for n in (60, 200, 600)
]
AT_BEST = [
    ({"auc": auc, "prevalence": p, "shape": shape, "mirrored": turned}, n)
    for auc, p, n, shape, turned in (
        (0.75, 0.2, 100, "logistic", False), (0.9, 0.1, 200, "gumbel", False), (0.85, 0.3, 200, "lognormal", True),
        (0.97, 0.1, 400, "logistic", False), (0.8, 0.5, 60, "gumbel", True), (0.93, 0.05, 600, "weibull", False),
    )
]  # fmt: skip
PAIRS = [
    (areas, n, p, law)
    for law in ("normal", "logistic", "gumbel")
    for areas in ((0.8, 0.88), (0.94, 0.94), (0.97, 0.99))
    for n, p in ((80, 0.3), (250, 0.15))
]
BOUNDS = [
    (0.85, 0.3, 200, 0.7, "normal"), (0.9, 0.2, 200, 0.8, "normal"), (0.9, 0.1, 400, 0.5, "normal"),
    (0.8, 0.4, 150, 0.75, "logistic"), (0.93, 0.5, 100, 0.9, "gumbel"),
]  # fmt: skip


def move_of(law: str, area: float) -> float:
    """Return the shift of a law that gives an AUC."""
    return ShiftedScores(auc=area, prevalence=0.5, shape=law).move


def paired(metric: str) -> Iterator[Found]:
    """Yield how often the interval of a difference holds: the scores of two models correlate by 0.6 within a class."""
    for at, (areas, n, p, law) in enumerate(PAIRS):
        rng, held, length = np.random.default_rng([SEED_OF_SAMPLES, at, len(metric)]), [], []
        moves = np.array([move_of(law, area) for area in areas])
        true = _difference(metric, law, moves, p, areas)
        while len(held) < SLOW:
            truth = rng.random(n) < p
            if min(truth.sum(), (~truth).sum()) < 2:
                continue
            both = LAWS[law](ndtr(rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], n))) + np.outer(truth, moves)
            made = hs.compare(hs.table(truth, scores={"a": both[:, 0], "b": both[:, 1]}), metric)
            held.append(made.low <= true <= made.high)
            length.append(made.high - made.low)
        yield {"population": [law, *areas, p], "n": n, "coverage": float(np.mean(held)), "samples": len(held),
               "length": float(np.mean(length)), "method": made.method}  # fmt: skip


def _difference(metric: str, law: str, moves: np.ndarray, p: float, areas: tuple[float, float]) -> float:
    values = [
        float(hs.study(metric, "wald", {"auc": area, "prevalence": p, "shape": law}, 50, replicates=1)[0].truth)
        for area in areas
    ]
    return values[1] - values[0]


def thresholds() -> Iterator[Found]:
    """Yield how often a threshold is chosen that does not reach the bound, and how often one is chosen at all."""
    for at, (area, p, n, bound, law) in enumerate(BOUNDS):
        rng, move, wrong, chosen = np.random.default_rng([SEED_OF_SAMPLES, at]), move_of(law, area), 0, 0
        grid = np.sort(LAWS[law]((np.arange(100_000) + 0.5) / 100_000))
        for _ in range(SLOW):
            truth = rng.random(n) < p
            scores = LAWS[law](rng.random(n)) + move * truth
            made = hs.threshold(hs.table(truth, scores=scores), "precision", at_least=bound)
            if made.threshold is not None:
                caught, false = (1 - np.searchsorted(grid, made.threshold - shift) / len(grid) for shift in (move, 0.0))
                chosen += 1
                wrong += p * caught / max(p * caught + (1 - p) * false, 1e-300) < bound
        yield {"population": [law, area, p, bound], "n": n, "samples": SLOW, "wrong": wrong / SLOW,
               "chosen": chosen / SLOW}  # fmt: skip


def families(folder: str) -> dict[str, Any]:
    """Return what each family of populations yields, by name."""
    tame = list(worlds(12, 7, least=15.0, levels=0, hidden=0.0))
    return {
        "auc": lambda: intervals("auc", list(worlds(330, 1)), folder),
        "auc, weights": lambda: intervals("auc", list(worlds(12, 2, weights=0.7)), folder),
        "auc, groups": lambda: intervals("auc", list(worlds(12, 3, per_group=3, icc=0.4, least=5.0)), folder),
        "average_precision": lambda: intervals("average_precision", list(worlds(330, 8, laws=OTHER_LAWS)), folder),
        "average_precision, weights": lambda: intervals("average_precision", list(worlds(8, 5, weights=0.7)), folder),
        "average_precision, groups": lambda: intervals(
            "average_precision", list(worlds(8, 6, per_group=3, icc=0.4, least=5.0)), folder
        ),
        "recall@specificity>=0.9": lambda: intervals("recall@specificity>=0.9", tame, folder),
        "partial_auc[fpr<=0.2]": lambda: intervals("partial_auc[fpr<=0.2]", tame, folder),
        "brier": lambda: intervals("brier", PROBABLE, folder),
        "log_loss": lambda: intervals("log_loss", PROBABLE, folder),
        "calibration_slope": lambda: intervals("calibration_slope", PROBABLE, folder),
        "auc, paired": lambda: paired("auc"),
        "average_precision, paired": lambda: paired("average_precision"),
        "f1@best": lambda: intervals("f1@best", AT_BEST, folder, SLOW),
        "threshold": thresholds,
        "ece": lambda: intervals("ece", PROBABLE, folder, SLOW),
    }


def summary(family: str, rows: list[Found]) -> str:
    """Return a line of the table."""
    many = f"{len(rows)} × {rows[0]['samples']:,}"
    if family == "threshold":
        worst = max(rows, key=lambda row: row["wrong"])
        return f"| `hs.threshold` misses its bound | {many} | at most {worst['wrong']:.3f} | {_name(worst)} | |"
    found = np.array([row["coverage"] for row in rows])
    wald = [row["wald"] for row in rows if "wald" in row]
    beside = f"{min(wald):.3f} / {np.mean(wald):.3f}" if wald else ""
    worst = _name(rows[int(found.argmin())])
    name = f"`{family.partition(',')[0]}`{family.partition(',')[1]}{family.partition(',')[2]}"
    shown = f"{found.min():.3f} / {np.quantile(found, 0.05):.3f} / {found.mean():.3f}"
    return f"| {name} | {many} | {shown} | {worst} | {beside} |"


def write_page(kept: dict[str, list[Found]]) -> None:
    """Write the table of the page."""
    text = PAGE.read_text(encoding="utf-8")
    head = (
        "| | populations × samples | lowest / 5 % / mean | lowest at | `wald`: lowest / mean |\n|---|---|---|---|---|"
    )
    lines = "\n".join([head, *(summary(name, kept[name]) for name in families("") if name in kept)])
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{lines}\n\n{END}{after}", encoding="utf-8")


def _name(row: Found) -> str:
    world = row["population"]
    if isinstance(world, list):
        return f"{world[0]}, {', '.join(f'{value:g}' for value in world[1:])}, n = {row['n']}"
    shown = [
        f"{key} {value:g}" if isinstance(value, float) else f"{key} {value}" for key, value in world.items() if value
    ]
    return ", ".join([*shown, f"n = {row['n']}"])


def main() -> None:
    """Run the families asked for, or all, and keep what they yield after each."""
    folder, *asked = sys.argv[1:]
    if asked and asked[0].isdigit():  # samples, where fewer must do
        globals()["SAMPLES"] = globals()["SLOW"] = int(asked.pop(0))
    made = families(folder)
    for name in asked or made:
        rows: list[Found] = []
        for row in made[name]():
            rows.append(row)
            if len(rows) % 20 == 0 or len(rows) < 3:
                sys.stdout.write(f"{name}: {len(rows)} done\n")
                sys.stdout.flush()
        kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
        kept[name] = rows
        text = ",\n".join(
            f"{json.dumps(key)}: [\n" + ",\n".join(json.dumps(row) for row in value) + "\n]"
            for key, value in kept.items()
        )
        KEPT.write_text("{\n" + text + "\n}\n", encoding="utf-8")
        write_page(kept)
        sys.stdout.write(summary(name, rows) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
