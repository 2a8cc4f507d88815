"""per_instance_stats.json of HELM: the statistics of each instance, one file a run.

The layout is that of HELM's class PerInstanceStats: a list of objects with ``instance_id``, ``train_trial_index``,
``perturbation`` where the input was changed, and ``stats``, each with ``name.name`` and the ``mean``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages.sources import logs as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.files.formats import files_of
from howsure.sources.files.join_by_id import short_names
from howsure.sources.logs.json_logs import load_json
from howsure.sources.logs.right_or_wrong import LogPath, Run, listed, paired_runs, scored_number
from howsure.tables.table import Table


def read_helm(
    sources: LogPath | Sequence[LogPath], *, metric: str | None = None, on_bad: str = "refuse",
    models: Sequence[str] | None = None,
) -> Table:  # fmt: skip
    """Read per_instance_stats.json of HELM, paired on the instance; the trials of an instance form a group.

    ``metric`` names a statistic such as "exact_match"; instances whose input was perturbed are left out. A run is named
    after its folder.
    """
    names = [name for one in listed(sources) for name in files_of(one)]
    folders = [str(PurePath(name).parent.name or name) for name in names]
    called = folders if len(set(folders)) == len(names) else short_names(names)
    called = list(models) if models is not None and len(models) == len(names) else called
    runs = [_run(name, model, metric) for name, model in zip(names, called, strict=True)]
    trials = {question[1] for run in runs for question in run.answers}
    notes = [marked("log of HELM", metric=metric)]
    if len(trials) > 1:
        notes.append(marked("trials of HELM", trials=len(trials)))
    return paired_runs(runs, on_bad, notes=notes, grouped=len(trials) > 1)


def _run(name: str, model: str, metric: str | None) -> Run:
    entries = load_json(name)
    if not isinstance(entries, list) or not all(_is_entry(one) for one in entries) or not entries:
        raise InputError(messages.NO_PER_INSTANCE_STATS_JSON_OF_HELM(name=name))
    plain = [one for one in entries if not one.get("perturbation")]
    options = sorted({stat["name"]["name"] for one in plain for stat in one["stats"] if _is_stat(stat)})
    if metric is None or metric not in options:
        said = messages.DOES_NOT_NAME_STATISTIC() if metric is None else messages.NAMES_NO_STATISTIC_HELD(metric=metric)
        raise InputError(
            messages.PREDICTIONS_HOLDS_NAME(
                said=said, name=name, options=quoted(options), hint=nearest(metric or "", options)
            )
        )
    answers: dict[Any, float | None] = {}
    for one in plain:
        question = one["instance_id"], one.get("train_trial_index") or 0
        found = [stat.get("mean") for stat in one["stats"] if _is_stat(stat) and stat["name"]["name"] == metric]
        if question in answers and found:
            raise InputError(
                messages.INSTANCE_OF_TRIAL_MORE_THAN_ONCE(name=name, question=question[0], other_question=question[1])
            )
        if len(found) > 1:
            raise InputError(
                messages.STATISTICS_FOR_INSTANCE_OF_SEVERAL_SPLITS(
                    name=name, number=len(found), metric=metric, question=question[0]
                )
            )
        if found:
            answers[question] = scored_number(found[0])
    lacking = {(one["instance_id"], one.get("train_trial_index") or 0) for one in plain} - set(answers)
    return Run(
        model, answers | dict.fromkeys(sorted(lacking, key=str)), {}, dict.fromkeys(lacking, "no such statistic")
    )


def _is_entry(found: Any) -> bool:
    return (
        isinstance(found, Mapping)
        and isinstance(found.get("instance_id"), (str, int))
        and isinstance(found.get("train_trial_index"), (int, type(None)))
        and isinstance(found.get("stats"), list)
    )


def _is_stat(found: Any) -> bool:
    name = found.get("name") if isinstance(found, Mapping) else None
    return isinstance(name, Mapping) and isinstance(name.get("name"), str)
