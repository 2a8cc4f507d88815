"""Logs of right and wrong answers: samples of lm-evaluation-harness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages.sources import logs as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import is_missing, shown
from howsure.sources.files.formats import check_files, files_of
from howsure.sources.files.join_by_id import short_names
from howsure.sources.files.text_records import json_records, opened
from howsure.sources.logs.right_or_wrong import (
    LogPath,
    Run,
    listed,
    paired_runs,
    right_or_wrong,
    scored_number,
    sliced_runs,
)

_HARNESS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
_SAMPLES = re.compile(r"samples_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.:-]+$")


def read_lm_eval(
    sources: LogPath | Sequence[LogPath],
    *,
    metric: str | None = None,
    on_bad: str = "refuse",
    models: Sequence[str] | None = None,
    by: str | None = None,
) -> Any:
    """Read samples_*.jsonl files of lm-evaluation-harness, paired on doc_id: one model per file or directory.

    ``metric`` is the key of a metric such as "acc", with the filter where a file holds several:
    "exact_match,strict-match"; one that is no 0/1 metric gives values. Files of several tasks are told apart by their
    names; the files of one directory are then one model. ``by`` names a field of the documents, such as their subject:
    one table for each of its values.
    """
    parts = [files_of(one) for one in listed(sources)]
    names = [name for part in parts for name in part]
    check_files(names)
    tasks = [_task(name) for name in names]
    called = _models_of(names, tasks) if models is None else _given(models, parts)
    chosen = metric
    runs: dict[str, Run] = {}
    for name, task, model in zip(names, tasks, called, strict=True):
        records = list(_samples(name))
        chosen = chosen or _one_metric(name, records)
        found = _answers(name, records, task if len(set(tasks)) > 1 else None, chosen)
        runs[model] = runs[model].joined(found) if model in runs else replace(found, name=model)
    notes = [marked("log of lm-eval", metric=chosen)]
    if by is not None:
        return sliced_runs(list(runs.values()), by, on_bad, notes=notes)
    return paired_runs(list(runs.values()), on_bad, notes=notes)


def _given(models: Sequence[str], parts: Sequence[Sequence[str]]) -> list[str]:
    """Return the name that was given to the source of each file."""
    return [model for model, part in zip(models, parts, strict=True) for _ in part]


def _task(name: str) -> str:
    found = _SAMPLES.fullmatch(PurePath(name).name.split(".jsonl")[0])
    return found["task"] if found else ""


def _models_of(names: Sequence[str], tasks: Sequence[str]) -> list[str]:
    """Return the model of each file: its directory where files are of several tasks or share their name."""
    directories = [str(PurePath(name).parent) for name in names]
    several = len(set(tasks)) > 1
    if several and len(set(zip(directories, tasks, strict=True))) == len(names):
        unique = list(dict.fromkeys(directories))
        short = dict(zip(unique, _ends(unique), strict=True))
        return [short[one] for one in directories]
    if len(set(directories)) == len(names):
        return _ends(directories)
    return short_names(names)


def _ends(directories: Sequence[str]) -> list[str]:
    return (
        ["model"]
        if len(directories) == 1
        else [name.removesuffix("/samples") for name in short_names([f"{one}/samples" for one in directories])]
    )


def _samples(name: str) -> Iterator[dict[str, Any]]:
    with opened(name) as file:
        for record in json_records(file):
            if record.fields is None or not isinstance(record.fields.get("doc_id"), (str, int)):
                raise InputError(messages.LINE_IS_NO_SAMPLE_OF_LM_EVALUATION_HARNESS(name=name, line=record.line))
            yield record.fields


def _one_metric(name: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the only 0/1 metric of a file, with its filter where there are several; refuse where it is not obvious."""
    declared = [one["metrics"] for one in records if isinstance(one.get("metrics"), list)]
    keys = {key for named in declared for key in named if isinstance(key, str)} or _keys(records[:1])
    metrics = sorted(
        key for key in keys if all(right_or_wrong(one.get(key)) is not None for one in records if key in one)
    )
    if not metrics:
        raise InputError(messages.HOLDS_NO_0_1_METRIC_AMONG(name=name, keys=quoted(sorted(keys))))
    found = _filtered(metrics, records)
    if len(found) > 1:
        raise InputError(messages.PREDICTIONS_DOES_NOT_NAME_METRIC_HOLDS(name=name, found=quoted(found)))
    return found[0]


def _keys(records: Iterable[Mapping[str, Any]]) -> set[str]:
    return {key for one in records for key in one if key not in _HARNESS and not key.endswith("_hash")}


def _filtered(metrics: Iterable[str], records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return metrics with their filters where there are several filters."""
    filters = sorted({str(one["filter"]) for one in records if "filter" in one})
    return [f"{key},{one}" for key in metrics for one in filters] if len(filters) > 1 else list(metrics)


def _answers(name: str, records: Sequence[Mapping[str, Any]], task: str | None, metric: str) -> Run:
    key, _, wanted = metric.partition(",")
    answers: dict[Any, float | None] = {}
    prints: dict[Any, str] = {}
    about: dict[Any, Mapping[str, Any]] = {}
    for one in records:
        if key not in one or (wanted and str(one.get("filter", "none")) != wanted):
            continue
        question = one["doc_id"] if task is None else (task, one["doc_id"])
        if question in answers:
            raise InputError(
                messages.DOC_ID_MORE_THAN_ONCE(
                    name=name,
                    one=one["doc_id"],
                    which="" if wanted else messages.OF_SEVERAL_FILTERS(),
                    what=f"{key},strict-match",
                )
            )
        value = one[key]
        answers[question] = scored_number(value)
        if answers[question] is None and not is_missing(value):
            raise InputError(messages.METRIC_OF_FOR_DOC_ID(key=key, name=name, value=shown(value), one=one["doc_id"]))
        about[question] = one["doc"] if isinstance(one.get("doc"), Mapping) else {}
        prints[question] = str(one.get("doc_hash", one.get("target", "")))
    if not answers:
        options = _filtered(sorted(_keys(records)), records)
        raise InputError(
            messages.NO_SUCH_METRIC_IN_LOG(
                metric=metric, name=name, options=quoted(options), hint=nearest(metric, options)
            )
        )
    return Run(name, answers, prints, about=about)
