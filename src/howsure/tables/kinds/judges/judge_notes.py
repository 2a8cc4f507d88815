"""What is said of an estimate that a judge helps with: how labels were chosen, how few there are, what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc

from howsure.errors import quoted
from howsure.results.base import Note, note_of
from howsure.results.words import count, metric_words, percent
from howsure.tables.design import Design

if TYPE_CHECKING:
    from howsure.tables.kinds.judges.judge_copy import Contrast
    from howsure.tables.kinds.judges.judge_design import JudgeFacts
    from howsure.tables.kinds.judges.judged import Judged

UNLIKELY = 0.01  # below this chance, labelled rows are said to be no random draw
EXPECTED = 5.0  # rows of a kind that are expected at least; rarer kinds are taken together
FEW_OF_CLASS = 5
FEW_LABELS = 20


def judge_notes(judged: Judged, contrast: Contrast, design: Design, facts: JudgeFacts) -> tuple[Note, ...]:
    """Return the notes on a judge for one metric of one model, or for a difference."""
    if not facts.labels or facts.labels == facts.judged:
        return () if facts.labels else (note_of("no labels", "judge"),)
    found = [*_few_labels(facts), *_chosen(judged, contrast, design), *_few_of_class(judged, contrast, design, facts)]
    agrees = _agrees(judged, design) if facts.labels >= FEW_LABELS else []
    return (*found, *agrees, *_silent(judged, design), *_on_difference(contrast, facts), _worth(contrast, facts))


def _on_difference(contrast: Contrast, facts: JudgeFacts) -> list[Note]:
    """Say that a comparison with a judge need not be the difference of two scores with it."""
    if len(contrast.models) < 2 or not any(facts.lam):
        return []
    return [note_of("judge on difference", "judge difference", metric=metric_words(contrast.metric.name))]


def _few_labels(facts: JudgeFacts) -> list[Note]:
    if facts.labels >= FEW_LABELS:
        return []
    return [note_of("few labels", "few labels", labels=count(facts.labels), least=FEW_LABELS)]


def _worth(contrast: Contrast, facts: JudgeFacts) -> Note:
    """Return what the judge explains, and its weight."""
    lam = ", ".join(
        f"{name} {weight:.2f}" if len(facts.names) > 1 else f"{weight:.2f}"
        for name, weight in zip(facts.names, facts.lam, strict=True)
    )
    said = {"metric": metric_words(contrast.metric.name), "explained": percent(round(facts.explained, 2))}
    name = "judge explains" if facts.gain > 1 else "judge explains nothing"
    return note_of(name, "judge", detail=True, lam=lam, **said)


def _chosen(judged: Judged, contrast: Contrast, design: Design) -> list[Note]:
    """Say that labelled rows differ from the others by more than chance: χ² of judge's answer and prediction.

    Rows that carry weights or come from strata were chosen by a known rule. With groups χ² is divided by the rows of a
    group, as if all of a group were alike.
    """
    if design.weighted:
        return []
    chances = [_chance(judged, place, design) for place in contrast.places]
    if min(chances) >= UNLIKELY:
        return []
    return [note_of("labels not random", "labels", chance=f"{max(min(chances), 1e-4):.2g}")]


def _chance(judged: Judged, place: int, design: Design) -> float:
    kinds, labelled = judged.kinds_of_row(place), judged.labelled
    table = np.stack([np.bincount(kinds, weights=design.counts * part) for part in (labelled, ~labelled)])
    share = table.sum(1, keepdims=True) / table.sum()
    rare = (share.min() * table.sum(0)) < EXPECTED
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(1)] if rare.any() else [table])
    expected = share * table.sum(0)
    held = expected.min(0) > 0
    square = float(((table - expected)[:, held] ** 2 / expected[:, held]).sum())
    if design.n_groups:
        square /= max(float(design.n) / design.n_groups, 1.0)
    return float(chdtrc(max(int(held.sum()) - 1, 1), square))


def _few_of_class(judged: Judged, contrast: Contrast, design: Design, facts: JudgeFacts) -> list[Note]:
    """Say that people labelled too few rows of a class that carries the metric."""
    seen = facts.human[0].view
    metric = contrast.metric
    if seen is None or (metric.share is not None and seen.selection is None) or metric.over == "matrix":
        return []
    support = judged.support(design.counts)
    labels = [label for label in seen.labels_in_view if label in judged.labels]
    few = [label for label in labels if support[judged.labels.index(label)] < FEW_OF_CLASS]
    if not few:
        return []
    return [note_of("few of class", "few of class", classes=quoted(few), metric=metric_words(metric.name))]


def _agrees(judged: Judged, design: Design) -> list[Note]:
    """Say that a judge was right wherever people looked: either it is very good, or it has seen these labels."""
    agree = judged.agreement(design.counts)
    names = [name for name, share in zip(judged.judge_names, agree, strict=True) if share == 1.0]
    return [note_of("judge agrees", "judge agrees", judge=name) for name in names]


def _silent(judged: Judged, design: Design) -> list[Note]:
    notes = []
    for name, readings in zip(judged.judge_names, judged.judges, strict=True):
        silent = float(design.counts[sum(one.share for one in readings) == 0].sum())
        if silent:
            notes.append(
                note_of("judge silent", "judge silent", judge=name, rows=count(silent), judged=count(float(design.n)))
            )
    return notes
