"""Plan and its relatives: results of planning that say themselves in a paragraph for a protocol."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from howsure.errors import InputError
from howsure.results import Note, count, json_ready, number, percent
from howsure.version import __version__


@dataclass(frozen=True)
class Clusters:
    """How rows hang together: design effect, mean rows per cluster, intra-class correlation if that was given."""

    design_effect: float
    size: float
    icc: float | None


def clusters_of(size: float | None, icc: float | None) -> Clusters | None:
    """Return the design effect 1 + (size − 1)·icc (Kish 1965), or None where no clusters are planned."""
    if size is None and icc is None:
        return None
    if size is None or icc is None:
        raise InputError("cluster_size and icc go together: rows per cluster, and the correlation within one")
    if not size >= 1:
        raise InputError(f"cluster_size is {size!r}; it must be 1 or larger")
    if not 0 <= icc <= 1:
        raise InputError(f"icc is {icc!r}; it must lie between 0 and 1")
    return Clusters(1 + (size - 1) * icc, float(size), float(icc))


@dataclass(frozen=True, repr=False)
class Plan:
    """How many rows to label, what that will give, and what was assumed."""

    metric: str
    n: int | None
    positives: int | None
    level: float
    half_width: float
    se: float
    goal: str
    method: str
    basis: str
    assumptions: tuple[str, ...]
    variance: float
    prevalence: float | None = None
    value: float | None = None
    assurance: float | None = None
    clusters: Clusters | None = None
    n_clusters: int | None = None
    n_so_far: int | None = None
    n_more: int | None = None
    seed: int | None = None
    notes: tuple[Note, ...] = ()
    curve_of: Callable[[float], float] = field(default=lambda rows: math.nan, repr=False, compare=False)

    def __repr__(self) -> str:
        rows = "?" if self.n is None else count(self.n)
        positives = "" if self.positives is None else f" ({count(self.positives)} positives)"
        return f"{self.metric}: {rows} rows{positives} for {self.goal} at {percent(self.level)}, {self.basis}"

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        rows = "" if self.n is None else f"{count(self.n)} labelled rows"
        if self.positives is not None:
            rows += (
                f" (about {count(self.positives)} of them positive)"
                if rows
                else f"{count(self.positives)} positive rows"
            )
        text = [
            f"We plan {rows} to estimate {self.metric} with {self.goal} at the {percent(self.level)} level "
            f"({self.basis}; expected half-width {number(self.half_width, 4)}, standard error {number(self.se, 4)}, "
            f"interval by the {self.method} method).",
            f"Assumptions: {'; '.join(self.assumptions)}.",
        ]
        if self.clusters is not None:
            text.append(
                f"Rows come in clusters of about {self.clusters.size:g}; with a design effect of "
                f"{self.clusters.design_effect:.3g} that is {count(self.n_clusters or 0)} clusters."
            )
        if self.n_more is not None:
            text.append(
                f"{count(self.n_so_far or 0)} rows are labelled; {count(self.n_more)} more are expected to be needed."
            )
        return " ".join(text) + f" Computed with howsure {__version__}."

    def __str__(self) -> str:
        return "\n".join([repr(self), self.paragraph, *(f"note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        skip = {"curve_of", "notes", "clusters"}
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in skip}
        if self.clusters is not None:
            plain |= {"design_effect": self.clusters.design_effect, "cluster_size": self.clusters.size}
        return plain | {"notes": [str(n) for n in self.notes], "paragraph": self.paragraph, "version": __version__}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the dictionary as JSON."""
        return json.dumps(json_ready(self.to_dict()), indent=indent, ensure_ascii=False)


@dataclass(frozen=True, repr=False)
class ComparisonPlan:
    """How many rows to tell two models apart, with what power."""

    metric: str
    n: int
    difference: float
    power: float
    level: float
    paired: bool
    variance: float
    agreement: float
    z: float
    margin: float | None = None
    comparisons: int = 1
    clusters: Clusters | None = None
    n_clusters: int | None = None
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        design = "on the same rows" if self.paired else "each on its own test set"
        return (
            f"{self.metric}: {count(self.n)} rows {design} to detect a difference of {number(self.difference, 4)} "
            f"with power {self.power:g} at {percent(self.level)}"
        )

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        design = "the same rows for both models" if self.paired else "two separate test sets of this size"
        question = (
            "detect a difference"
            if self.margin is None
            else f"show non-inferiority with margin {self.margin:g} at a difference"
        )
        text = [
            f"We plan {count(self.n)} labelled rows ({design}) to {question} of {number(self.difference, 4)} in "
            f"{self.metric} with power {self.power:g} at the {percent(self.level)} level.",
            f"Assumptions: the models agree on {percent(round(self.agreement, 4))} of rows; n · variance of the difference "
            f"{self.variance:.6g}.",
        ]
        if self.comparisons > 1:
            text.append(f"The level is adjusted for {self.comparisons} comparisons.")
        if self.clusters is not None:
            text.append(
                f"Rows come in clusters of about {self.clusters.size:g} with a design effect of "
                f"{self.clusters.design_effect:.3g}: {count(self.n_clusters or 0)} clusters."
            )
        return " ".join(text) + f" Computed with howsure {__version__}."

    def __str__(self) -> str:
        return "\n".join([repr(self), self.paragraph, *(f"note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        skip = {"notes", "clusters"}
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in skip}
        return plain | {"notes": [str(n) for n in self.notes], "paragraph": self.paragraph, "version": __version__}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the dictionary as JSON."""
        return json.dumps(json_ready(self.to_dict()), indent=indent, ensure_ascii=False)
