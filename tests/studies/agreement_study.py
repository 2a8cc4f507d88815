"""The study of coefficients of agreement: populations on which nothing was chosen, and what their intervals cover.

An item has a hidden class; each annotator repeats it with a chance of its own and otherwise says something of its own
habit; some items are hard for all. The true coefficient is that of very many items judged by the same annotators.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import howsure as hs

FRESH, MANY = 20261120, 200_000
POPULATIONS, SAMPLES = 12, 1000
KINDS: tuple[tuple[str, str], ...] = (
    ("cohen", "nominal"), ("fleiss", "nominal"), ("krippendorff", "nominal"), ("krippendorff", "ordinal"),
    ("krippendorff", "interval"),
)  # fmt: skip
Line = dict[str, Any]


@dataclass(frozen=True)
class Annotators:
    """How often classes occur, how often each annotator repeats them, what it says otherwise, how much is missing."""

    classes: np.ndarray
    right: np.ndarray
    habits: np.ndarray
    hard: float
    missing: float
    items: int

    def draw(self, rng: np.random.Generator, items: int) -> dict[str, np.ndarray]:
        """Return the labels of each annotator, nan where there is none."""
        truth = rng.choice(len(self.classes), items, p=self.classes)
        ease = np.where(rng.random(items) < self.hard, 0.4, 1.0)
        made = {}
        for place, (right, habit) in enumerate(zip(self.right, self.habits, strict=True)):
            said = np.where(rng.random(items) < right * ease, truth, rng.choice(len(habit), items, p=habit))
            made[f"a{place}"] = np.where(rng.random(items) < self.missing, np.nan, said)
        return made


def annotators(coefficient: str, number: int, seed: int = FRESH) -> Annotators:
    """Return one of the populations: 2 to 5 annotators (Cohen 2), 2 to 5 classes, 20 to 200 items."""
    rng = np.random.default_rng([seed, len(coefficient), number])
    raters = 2 if coefficient == "cohen" else int(rng.integers(2, 6))
    width = int(rng.integers(2, 6))
    return Annotators(
        rng.dirichlet(np.full(width, 2.0)), rng.uniform(0.5, 0.97, raters), rng.dirichlet(np.full(width, 2.0), raters),
        rng.uniform(0, 0.4), rng.uniform(0, 0.3) if coefficient == "krippendorff" else 0.0,
        int(rng.choice([20, 40, 80, 200])),
    )  # fmt: skip


def computed(coefficient: str, scale: str, number: int, samples: int = SAMPLES) -> Line:
    """Return what the intervals of one population cover."""
    population = annotators(coefficient, number)
    rng = np.random.default_rng([FRESH, 7, len(coefficient), len(scale), number])
    how: Any = {"coefficient": coefficient, "scale": scale}
    true = hs.agreement(population.draw(rng, MANY), method="wald", **how).value
    held, lengths = [], []
    for _ in range(samples):
        found = hs.agreement(population.draw(rng, population.items), **how)
        if np.isfinite(found.value):
            held.append(found.low <= true <= found.high)
            lengths.append(found.high - found.low)
    return {"coefficient": coefficient, "scale": scale, "number": number, "items": population.items,
            "annotators": len(population.right), "classes": len(population.classes), "true": round(true, 4),
            "samples": len(held), "coverage": round(float(np.mean(held)), 4),
            "length": round(float(np.mean(lengths)), 4)}  # fmt: skip


def run(path: Path, samples: int = SAMPLES, populations: int = POPULATIONS) -> list[Line]:
    """Compute what the file lacks, each kind once before any twice, and return all lines."""
    done = lines_of(path)
    seen = {(line["coefficient"], line["scale"], line["number"]) for line in done}
    with path.open("a", encoding="utf-8") as file:
        for number in range(populations):
            for coefficient, scale in KINDS:
                if (coefficient, scale, number) not in seen:
                    file.write(json.dumps(computed(coefficient, scale, number, samples)) + "\n")
                    file.flush()
    return lines_of(path)


def lines_of(path: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def summary(lines: list[Line]) -> list[Line]:
    """Return one line a coefficient and scale: populations, lowest, 5 % point and mean coverage, and the worst."""
    found = []
    for coefficient, scale in KINDS:
        own = [line for line in lines if (line["coefficient"], line["scale"]) == (coefficient, scale)]
        if own:
            held = np.array([line["coverage"] for line in own])
            found.append({
                "coefficient": coefficient, "scale": scale, "populations": len(own), "samples": own[0]["samples"],
                "lowest": float(held.min()), "low": round(float(np.quantile(held, 0.05)), 4),
                "mean": round(float(held.mean()), 4), "worst": own[int(held.argmin())],
            })  # fmt: skip
    return found
