"""Coverage of the default intervals of scores on populations drawn at random: kept in docs/explanation/scores.json.

`python scripts/score_study.py FOLDER [family …]` goes on where it stopped: finished parts are kept in FOLDER. The laws,
the seed and the ranges below had no part in choosing any default, but that average precision was mended on other
populations of FRESH_LAWS; its own have OTHER_LAWS. Each family writes its line of the table in
docs/explanation/scores.md.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

import howsure as hs
from howsure.comparisons.pair import shrunk, square_and_add
from howsure.estimates.catalogue import own_limits
from howsure.estimates.methods.band import band_of
from howsure.estimates.tail import Tail
from howsure.metrics.names import named
from howsure.studies.scored.many import ManyScores
from howsure.studies.scored.populations import LAWS, ShiftedScores

SEED, SAMPLES = 20_261_119, 4000
SEED_OF_SAMPLES = 1
EACH = 4000  # of families that are looked at one sample after the other
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
PROBABLE_LATER = [  # drawn after the interval of ECE was mended on one of the others
    ({"slope": slope, "intercept": shift, "mean": mean, "spread": 1.2}, n)
    for slope, shift, mean in ((1.1, 0.1, -0.5), (0.8, -0.3, -1.5), (1.6, 0.2, 0.5), (1.0, 0.0, -2.5))
    for n in (50, 150, 500)
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
    for law, (n, p) in zip(FRESH_LAWS, ((80, 0.3), (250, 0.15), (60, 0.6), (400, 0.08)), strict=True)
    for areas in ((0.8, 0.88), (0.94, 0.94), (0.97, 0.99))
]
BOUNDS = [  # AUC, prevalence, rows, the recall at which precision is what is asked for, law
    (area, p, n, recall, law)
    for law, (area, p, n) in zip(
        FRESH_LAWS, ((0.85, 0.3, 200), (0.8, 0.25, 400), (0.8, 0.5, 100), (0.9, 0.2, 150)), strict=True
    )
    for recall in (0.5, 0.7, 0.9)
]  # fmt: skip


def move_of(law: str, area: float) -> float:
    """Return the shift of a law that gives an AUC."""
    return ShiftedScores(auc=area, prevalence=0.5, shape=law).move


def kept(folder: str, *what: Any, make: Callable[[], Found]) -> Found:
    """Return what a population gave, from the folder where it was kept."""
    name = hashlib.sha256(json.dumps([SEED_OF_SAMPLES, EACH, *what]).encode()).hexdigest()[:16]
    path = Path(folder) / f"{name}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(make()), encoding="utf-8")
    return dict(json.loads(path.read_text(encoding="utf-8")))


def paired(metric: str, folder: str) -> Iterator[Found]:
    """Yield how often the interval of a difference holds: the scores of two models correlate by 0.6 within a class."""
    for at, chosen in enumerate(PAIRS):
        yield kept(folder, "paired", metric, chosen, make=lambda at=at, chosen=chosen: _pair(metric, at, *chosen))


def _pair(metric: str, at: int, areas: tuple[float, float], n: int, p: float, law: str) -> Found:
    rng, ends = np.random.default_rng([SEED_OF_SAMPLES, at, len(metric)]), []
    moves = np.array([move_of(law, area) for area in areas])
    true = _difference(metric, law, p, areas)
    while sum(len(low) for low, _ in ends) < EACH:
        truth = rng.random((500, n)) < p
        truth = truth[(truth.sum(1) > 1) & ((~truth).sum(1) > 1)]
        both = rng.standard_normal((2, *truth.shape))
        both[1] = 0.6 * both[0] + 0.8 * both[1]
        scores = [LAWS[law](ndtr(one)) + move * truth for one, move in zip(both, moves, strict=True)]
        ends.append(limits_of_differences(metric, truth, *scores))
    low, high = (np.concatenate(part)[:EACH] for part in zip(*ends, strict=True))
    covered, length = float(np.mean((low <= true) & (true <= high))), round(float((high - low).mean()), 5)
    return {"population": [law, *areas, p], "n": n, "samples": EACH, "coverage": covered, "length": length}


def limits_of_differences(
    metric: str, truth: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits that hs.compare gives of the difference of two models, of many samples (samples, n) at once."""
    tail, ones = Tail(0.95), truth.sum(1)[:, None]
    each = [ManyScores(named(metric), truth, scores) for scores in (a, b)]
    (low_a, high_a), (low_b, high_b) = ((one.low, one.high) for one in (own_limits(held, tail)[1] for held in each))
    moved = [held.influence for held in each]
    factor = np.where(truth, ones / (ones - 1), (truth.shape[1] - ones) / (truth.shape[1] - ones - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        product, first, second = (
            (factor * x * y).sum(1) for x, y in ((moved[0], moved[1]), *zip(moved, moved, strict=True))
        )
        correlation = np.where(np.minimum(first, second) > 1e-18, product / np.sqrt(first * second), 0.0)
        rows = [np.nan_to_num((one**2).sum(1) ** 2 / (one**4).sum(1), nan=truth.shape[1]) for one in moved]
    held = shrunk(correlation, (rows[0] + rows[1]) / 2, tail.z)
    down, up = (each[1].value - low_b, high_a - each[0].value), (high_b - each[1].value, each[0].value - low_a)
    return square_and_add(each[1].value - each[0].value, down, up, held)


def _difference(metric: str, law: str, p: float, areas: tuple[float, float]) -> float:
    values = [
        float(hs.study(metric, "wald", {"auc": area, "prevalence": p, "shape": law}, 50, replicates=1)[0].truth)
        for area in areas
    ]
    return values[1] - values[0]


def thresholds(folder: str) -> Iterator[Found]:
    """Yield how often a threshold is chosen that does not reach the bound, and how often one is chosen at all."""
    for at, chosen in enumerate(BOUNDS):
        yield kept(folder, "threshold", chosen, make=lambda at=at, chosen=chosen: _choices(at, *chosen))


def _choices(at: int, area: float, p: float, n: int, recall: float, law: str) -> Found:
    rng, move, wrong, chosen = np.random.default_rng([SEED_OF_SAMPLES, at]), move_of(law, area), 0, 0
    grid = np.sort(LAWS[law]((np.arange(100_000) + 0.5) / 100_000))

    def precision(threshold: float) -> float:
        caught, false = (1 - np.searchsorted(grid, threshold - shift) / len(grid) for shift in (move, 0.0))
        return float(p * caught / max(p * caught + (1 - p) * false, 1e-300))

    bound = round(precision(grid[int((1 - recall) * len(grid))] + move), 3)
    for _ in range(EACH):
        truth = rng.random(n) < p
        table = hs.table(truth, scores=LAWS[law](rng.random(n)) + move * truth, labels=[False, True])
        # The band that hs.threshold looks at; where it shows none, how many rows it would take is not asked for.
        found = band_of(table.contents.scored(0), table.design, named("precision"), Tail(0.95, "lower"), own_limits,
                        degrees=np.inf)  # fmt: skip
        if (found.low >= bound).any():
            made = hs.threshold(table, "precision", at_least=bound)
            chosen += 1
            wrong += precision(made.threshold) < bound
    return {"population": [law, area, p, recall, bound], "n": n, "samples": EACH, "wrong": wrong / EACH,
            "chosen": chosen / EACH}  # fmt: skip


def families(folder: str) -> dict[str, Any]:
    """Return what each family of populations yields, by name."""
    few = list(worlds(16, 9, least=15.0, laws=(*FRESH_LAWS, *OTHER_LAWS)))
    single = {"samples": EACH}
    return {
        "auc": lambda: intervals("auc", list(worlds(330, 1)), folder),
        "auc, weights": lambda: intervals("auc", list(worlds(12, 2, weights=0.7)), folder, **single),
        "auc, groups": lambda: intervals("auc", list(worlds(12, 3, per_group=3, icc=0.4, least=5.0)), folder, **single),
        "average_precision": lambda: intervals("average_precision", list(worlds(330, 8, laws=OTHER_LAWS)), folder),
        "average_precision, weights": lambda: intervals(
            "average_precision", list(worlds(12, 5, weights=0.7)), folder, **single
        ),
        "average_precision, groups": lambda: intervals(
            "average_precision", list(worlds(12, 6, per_group=3, icc=0.4, least=5.0)), folder, **single
        ),
        "recall@specificity>=0.9": lambda: intervals("recall@specificity>=0.9", few, folder, **single),
        "partial_auc[fpr<=0.2]": lambda: intervals("partial_auc[fpr<=0.2]", few, folder, **single),
        "brier": lambda: intervals("brier", PROBABLE, folder, **single),
        "log_loss": lambda: intervals("log_loss", PROBABLE, folder, **single),
        "calibration_slope": lambda: intervals("calibration_slope", PROBABLE, folder, **single),
        "auc, paired": lambda: paired("auc", folder),
        "average_precision, paired": lambda: paired("average_precision", folder),
        "f1@best": lambda: intervals("f1@best", AT_BEST, folder, **single),
        "threshold": lambda: thresholds(folder),
        "ece": lambda: intervals("ece", PROBABLE_LATER, folder, **single),
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
        globals()["SAMPLES"] = globals()["EACH"] = int(asked.pop(0))
    made = families(folder)
    for name in asked or made:
        rows: list[Found] = []
        for row in made[name]():
            rows.append(row)
            if len(rows) % 20 == 0 or len(rows) < 3:
                sys.stdout.write(f"{name}: {len(rows)} done\n")
                sys.stdout.flush()
        stored = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
        stored[name] = rows
        text = ",\n".join(
            f"{json.dumps(key)}: [\n" + ",\n".join(json.dumps(row) for row in value) + "\n]"
            for key, value in stored.items()
        )
        KEPT.write_text("{\n" + text + "\n}\n", encoding="utf-8")
        write_page(stored)
        sys.stdout.write(summary(name, rows) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
