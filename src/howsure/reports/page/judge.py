"""The page's section on a judge: people alone, with the judge, the judge alone; where it errs; what to label next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.estimates.estimate import estimate
from howsure.reports.boards.verdicts import leading
from howsure.reports.page.section import Section
from howsure.results.estimate import Estimate, Report
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, decimals_for, number, percent, reach
from howsure.tables.table import Table

MOST_MODELS, MOST_CLASSES, MOST_METRICS, MOST_KINDS = 5, 8, 6, 12
GRID = 5  # parts of the axis at most
THICK, THIN = 8, 3


@dataclass(frozen=True)
class JudgedBar:
    """One way of labelling: its value and interval in words, and where they lie in percent of the axis."""

    name: str
    value: str
    reach: str
    words: str = ""
    at: float | None = None
    low: float | None = None
    high: float | None = None
    width: int = 0
    leads: bool = False


def judge_section(table: Table, report: Report) -> Section | None:
    """Return the section; None where no estimate has a judge."""
    rows = [row for row in report.rows if row.human is not None and math.isfinite(row.value)]
    if not rows:
        return None
    shown = ([row for row in rows if row.metric == leading(report)] or rows[:1])[:MOST_MODELS]
    best = shown[0]
    own = [row for row in rows if row.model == best.model][:MOST_METRICS]
    worth = round(best.n * (best.gain or 1.0))
    title = "page judge title" if worth > best.n else "page judge helps not"
    data = {
        "metric": best.said, "level": percent(best.level), **_bars(shown), "metrics": [row.said for row in own],
        "ways": _ways(own) if len(own) > 1 else [], "against": _against(table), "next": _next(table, best),
    }  # fmt: skip
    said = phrase(title, labels=count(best.n), worth=count(worth))
    return Section(
        "judge", said, sentence_of(best), template="judge.html.jinja", data=data, leads=len(report.models) == 1
    )


def sentence_of(row: Estimate) -> str:
    """Return what a judge did to one estimate, in words."""
    human, alone = row.human, row.judge_only
    assert human is not None
    places = decimals_for(row.low, row.high)
    judged, labels = float(row.judged or row.n), float(row.n)
    pooled = 1 - labels / judged
    explained = (1 - 1 / (row.gain or 1.0)) / pooled if pooled > 0 else 0.0
    return phrase(
        "page judge sentence", labels=count(labels), judged=count(judged), explained=percent(round(explained, 2)),
        metric=row.said, worth=count(round(labels * (row.gain or 1.0))), value=number(human.value, places),
        reach=reach(human.low, human.high, places),
        alone=number(math.nan if alone is None else alone.value, places),
    )  # fmt: skip


def _bars(rows: Sequence[Estimate]) -> dict[str, Any]:
    """Return three bars for each model on one axis: with the judge, people alone, the judge alone as a dot."""
    ends = [end for row in rows for end in (row.low, row.high, *_more_ends(row)) if math.isfinite(end)]
    ticks = _ticks(min(ends), max(ends))
    low, high = ticks[0], ticks[-1]

    def at(value: float) -> float | None:
        return round(100 * (value - low) / (high - low), 2) if math.isfinite(value) else None

    bars = [bar for row in rows for bar in _three(row, f"{row.model}: " if len(rows) > 1 else "", at)]
    return {"bars": bars, "ticks": [(at(tick), number(tick, 2)) for tick in ticks]}


def _three(row: Estimate, of: str, at: Any) -> list[JudgedBar]:
    places = decimals_for(row.low, row.high)
    human, alone = row.human, row.judge_only
    assert human is not None
    worth = row.sampled
    value = math.nan if alone is None else alone.value
    off = phrase("page judge off", off=number(abs(value - row.value), places)) if math.isfinite(value) else ""

    def bar(name: str, found: Estimate, words: str, width: int, leads: bool) -> JudgedBar:
        return JudgedBar(
            of + phrase(name), number(found.value, places), reach(found.low, found.high, places), words,
            at(found.value), at(found.low), at(found.high), width, leads,
        )  # fmt: skip

    return [
        bar("page judge both", row, worth, THICK, True),
        bar("page judge people", human, "", THIN, False),
        JudgedBar(of + phrase("page judge alone"), number(value, places), phrase("page judge none"), off, at(value)),
    ]


def _ways(rows: Sequence[Estimate]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the metrics of one model by three ways of labelling: the name of the way, and value and interval."""
    each = [_three(row, "", lambda value: None) for row in rows]
    return [
        (way[0].name, [(bar.value, bar.reach if bar.width else "") for bar in way]) for way in zip(*each, strict=True)
    ]


def _against(table: Table) -> dict[str, Any] | None:
    """Return what the judge said where people said something, and how often they agree."""
    contents: Any = table.contents  # the kind that asked for this section
    held = contents.judge_as_model(table.design)
    if held is None or len(table.labels) > MOST_CLASSES:
        return None
    both = Table((contents.judge_names[0],), *held)
    cross, made = both.matrix(), estimate(both, "accuracy", method="wilson")
    said = {"value": number(made.value, 3), "reach": made.reach, "level": percent(made.level)}
    return {
        "title": phrase("page judge agrees", alike=count(float(np.trace(cross))), rows=count(float(cross.sum()))),
        "names": [str(label) for label in table.labels], "cells": [[float(one) for one in row] for row in cross],
        "note": phrase("page judge agreement", **said),
    }  # fmt: skip


def _next(table: Table, row: Estimate) -> dict[str, Any] | None:
    """Return how many rows of each kind, by judge and prediction, have no label yet, where they disagree first."""
    contents: Any = table.contents  # the kind that asked for this section
    kinds = contents.kinds_by_name(table.model_index(row.model), table.counts)
    if not kinds:
        return None
    apart = sum(kind.free for kind in kinds if kind.apart)
    order = sorted(kinds, key=lambda kind: (not kind.apart, -kind.free))[:MOST_KINDS]
    return {
        "title": phrase("page judge next", rows=count(apart), model=row.model),
        "lead": phrase("page judge next lead"), "heads": (contents.judge_names[0], row.model),
        "rows": [(kind.judge, kind.model, count(kind.free), count(kind.labelled), kind.apart) for kind in order],
    }  # fmt: skip


def _more_ends(row: Estimate) -> tuple[float, ...]:
    alone = () if row.judge_only is None else (row.judge_only.value,)
    return alone if row.human is None else (*alone, row.human.low, row.human.high)


def _ticks(low: float, high: float) -> list[float]:
    """Return marks in steps of 1, 2 or 5 that hold all intervals."""
    scale = 10.0 ** math.floor(math.log10(max(high - low, 1e-9)) - 1)
    for step in (scale * times for times in (1, 2, 5, 10, 20, 50)):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first <= GRID:
            return [step * at for at in range(first, max(last, first + 1) + 1)]
    return [low, high]
