"""Logs of OpenAI's evals: JSON lines of events, one file a run.

The layout is that of its recorder: a line with the ``spec`` of the run, events with ``sample_id``, ``type`` and
``data``, and a line with the ``final_report``. An event "match" says in ``data.correct`` whether an answer is right;
events "metrics" have numbers of other names there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages.sources import logs as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.files.formats import check_files, files_of
from howsure.sources.files.join_by_id import short_names
from howsure.sources.files.text_records import json_records, opened
from howsure.sources.logs.right_or_wrong import LogPath, Run, listed, paired_runs, scored_number
from howsure.tables.table import Table

SCORING = ("match", "metrics")


def read_openai_evals(
    sources: LogPath | Sequence[LogPath], *, metric: str | None = None, on_bad: str = "refuse",
    models: Sequence[str] | None = None,
) -> Table:  # fmt: skip
    """Read logs of OpenAI's evals, paired on the sample; ``metric`` is a key of an event's data, "correct" by "
    "default."""
    names = [name for one in listed(sources) for name in files_of(one)]
    check_files(names)
    read = [_events(name) for name in names]
    stated = [model for model, _ in read]
    called = stated if None not in stated and len(set(stated)) == len(names) else short_names(names)
    called = list(models) if models is not None and len(models) == len(names) else called
    chosen = metric or "correct"
    runs = [
        _run(name, str(model), events, chosen) for name, model, (_, events) in zip(names, called, read, strict=True)
    ]
    return paired_runs(runs, on_bad, notes=[marked("log of evals", metric=chosen)])


def _events(name: str) -> tuple[str | None, list[Mapping[str, Any]]]:
    """Return the model that the spec names, and the events that score a sample."""
    model: str | None = None
    events: list[Mapping[str, Any]] = []
    with opened(name) as file:
        for record in json_records(file):
            fields = record.fields
            if fields is None:
                raise InputError(messages.LINE_IS_NO_JSON_OBJECT(name=name, line=record.line))
            spec = fields.get("spec")
            if isinstance(spec, Mapping) and isinstance(spec.get("completion_fns"), list):
                model = ",".join(map(str, spec["completion_fns"]))
            if fields.get("type") in SCORING and isinstance(fields.get("data"), Mapping):
                if not isinstance(fields.get("sample_id"), (str, int)):
                    raise InputError(messages.LINE_SCORES_SAMPLE_WITHOUT_SAMPLE_ID(name=name, line=record.line))
                events.append(fields)
    if not events:
        raise InputError(messages.LOG_OF_OPENAI_EVALS_WITHOUT_EVENTS(name=name))
    return model, events


def _run(name: str, model: str, events: Sequence[Mapping[str, Any]], metric: str) -> Run:
    answers: dict[Any, float | None] = {}
    for event in events:
        if metric not in event["data"]:
            continue
        sample = event["sample_id"]
        if sample in answers:
            raise InputError(messages.SCORES_SAMPLE_MORE_THAN_ONCE(name=name, sample=sample))
        answers[sample] = scored_number(event["data"][metric])
    if not answers:
        options = sorted({key for event in events for key in event["data"]})
        raise InputError(
            messages.PREDICTIONS_NO_EVENT(
                metric=metric, name=name, options=quoted(options), hint=nearest(metric, options)
            )
        )
    return Run(model, answers, {})
