"""Logs of right and wrong answers: samples of lm-evaluation-harness, logs of Inspect.

Logs of right and wrong answers become a table whose truth is 1 in every row ("should be right") and whose prediction
is 1 where the answer was right: accuracy, which is then recall too, is the share of right answers, and models are
compared on the same questions. Precision and F1 have no meaning for such a table.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import PurePath
from typing import Any

import numpy as np

from howsure.errors import InputError, nearest, quoted
from howsure.sources.aligned import short_names
from howsure.sources.distinct_rows import ON_BAD
from howsure.sources.faults import is_missing, shown
from howsure.sources.formats import EXPANDED, RATIO, check_files, files_of
from howsure.sources.json_files import kind_of_object, load_json
from howsure.sources.lines import json_records, opened
from howsure.sources.tables import table
from howsure.table import Table

Source = str | PathLike[str]
RIGHT = "truth is 1 in every row and a prediction of 1 is a right answer: read accuracy (or recall), the share right."
_HARNESS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
_SAMPLES = re.compile(r"samples_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.:-]+$")
_WORDS = {"c": 1, "correct": 1, "yes": 1, "true": 1, "i": 0, "incorrect": 0, "n": 0, "no": 0, "false": 0}


@dataclass(frozen=True)
class Run:
    """The answers of one model: right (1), wrong (0) or None, by question; ``prints`` tell questions apart."""

    name: str
    answers: Mapping[Any, int | None]
    prints: Mapping[Any, str]


# ---- lm-evaluation-harness


def read_lm_eval(sources: Source | Sequence[Source], *, metric: str | None = None, on_bad: str = "refuse") -> Table:
    """Read samples_*.jsonl files of lm-evaluation-harness, paired on doc_id: one model per file or directory.

    ``metric`` is the key of a 0/1 metric such as "acc", with the filter where a file holds several:
    "exact_match,strict-match". Files of several tasks are told apart by their names; the files of one directory are
    then one model.
    """
    names = [name for one in _listed(sources) for name in files_of(one)]
    check_files(names)
    tasks = [_task(name) for name in names]
    models = _models_of(names, tasks)
    chosen = metric
    runs: dict[str, Run] = {}
    for name, task, model in zip(names, tasks, models, strict=True):
        records = list(_samples(name))
        chosen = chosen or _one_metric(name, records)
        found = _answers(name, records, task if len(set(tasks)) > 1 else None, chosen)
        known = runs.get(model)
        runs[model] = (
            Run(model, {**known.answers, **found.answers}, {**known.prints, **found.prints})
            if known
            else replace(found, name=model)
        )
    return _paired(list(runs.values()), on_bad, notes=[f"metric {chosen!r} of lm-evaluation-harness."])


def _listed(sources: Source | Sequence[Source]) -> list[Source]:
    return [sources] if isinstance(sources, (str, PathLike)) else list(sources)


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
            if record.fields is None or "doc_id" not in record.fields:
                raise InputError(
                    f"{name!r}, line {record.line} is no sample of lm-evaluation-harness: it has no doc_id"
                )
            yield record.fields


def _one_metric(name: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the only 0/1 metric of a file, with its filter where there are several; refuse where it is not obvious."""
    declared = {key for one in records for key in one.get("metrics", ()) if isinstance(one.get("metrics"), list)}
    keys = declared or {key for one in records[:1] for key in one if key not in _HARNESS and not key.endswith("_hash")}
    metrics = sorted(key for key in keys if all(_binary(one.get(key)) is not None for one in records if key in one))
    filters = sorted({str(one["filter"]) for one in records if "filter" in one})
    found = [f"{key},{one}" for key in metrics for one in filters] if len(filters) > 1 else metrics
    if len(found) != 1:
        what = f"several 0/1 metrics: {quoted(found)}" if found else f"no 0/1 metric among {quoted(sorted(keys))}"
        raise InputError(f"predictions does not name a metric and {name!r} holds {what}; name one")
    return found[0]


def _binary(value: Any) -> int | None:
    """Return a right answer as 1, a wrong one as 0, and None for anything else.

    >>> _binary(1.0), _binary(False), _binary("C"), _binary(0.5)
    (1, 0, 1, None)
    """
    if isinstance(value, str):
        lowered = value.strip().lower()
        return _WORDS.get(lowered, int(lowered) if lowered in ("0", "1") else None)
    return int(value) if isinstance(value, (bool, int, float)) and value in (0, 1) else None


def _answers(name: str, records: Iterable[Mapping[str, Any]], task: str | None, metric: str) -> Run:
    key, _, wanted = metric.partition(",")
    answers: dict[Any, int | None] = {}
    prints: dict[Any, str] = {}
    keys: set[str] = set()
    for one in records:
        keys |= set(one)
        if key not in one or (wanted and str(one.get("filter", "none")) != wanted):
            continue
        question = one["doc_id"] if task is None else (task, one["doc_id"])
        if question in answers:
            raise InputError(
                f"{name!r} has doc_id {one['doc_id']!r} more than once{'' if wanted else ' (of several filters?)'}; "
                "each question "
                f"must be there once; name the filter after the metric, such as predictions='{key},strict-match'"
            )
        value = one[key]
        answers[question] = _binary(value)
        if answers[question] is None and not is_missing(value):
            raise InputError(
                f"metric {key!r} of {name!r} is {shown(value)} for doc_id {one['doc_id']!r}; it must be 0 or 1 for "
                "each question"
            )
        prints[question] = str(one.get("doc_hash", one.get("target", "")))
    if not answers:
        options = sorted(keys - _HARNESS)
        raise InputError(
            f"metric {metric!r} is not in {name!r}; its other keys are {quoted(options)}.{nearest(key, options)}"
        )
    return Run(name, answers, prints)


# ---- Inspect


def read_inspect(sources: Source | Sequence[Source], *, scorer: str | None = None, on_bad: str = "refuse") -> Table:
    """Read logs of Inspect (.json or .eval), paired on sample id and epoch; epochs of a sample form a group.

    Scores are C or 1 (right), I, N or 0 (wrong); other values and samples without a score cannot be counted.
    """
    names = [name for one in _listed(sources) for name in files_of(one)]
    logs = [_inspect_log(name) for name in names]
    models = [str(log.get("eval", {}).get("model") or name) for log, name in zip(logs, names, strict=True)]
    if len(set(models)) < len(models):
        models = short_names(names)
    chosen = scorer
    runs = []
    for log, name, model in zip(logs, names, models, strict=True):
        chosen = chosen or _one_scorer(name, log["samples"])
        runs.append(_inspect_run(name, model, log["samples"], chosen))
    epochs = {question[1] for run in runs for question in run.answers}
    notes = [f"scorer {chosen!r} of Inspect."]
    if len(epochs) > 1:
        notes.append(f"{len(epochs)} epochs of a sample are one group.")
    return _paired(runs, on_bad, notes=notes, grouped=len(epochs) > 1)


def _inspect_log(name: str) -> dict[str, Any]:
    if zipfile.is_zipfile(name):
        return _unzipped(name)
    found = load_json(name)
    if kind_of_object(found) != "inspect" or not isinstance(found["samples"], list):
        raise InputError(f"{name!r} is no log of Inspect with samples: it needs the keys 'eval' and 'samples'")
    return dict(found)


def _unzipped(name: str) -> dict[str, Any]:
    with zipfile.ZipFile(name) as archive:
        members = archive.infolist()
        unfolded, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
        if unfolded > EXPANDED and unfolded > RATIO * packed:
            raise InputError(
                f"{name!r} unfolds to {unfolded:,} bytes, more than {RATIO} times its size; convert it to JSON first"
            )
        try:
            header = next((one for one in ("header.json", "start.json") if one in archive.namelist()), None)
            eval_of = {} if header is None else json.loads(archive.read(header)).get("eval", {})
            inside = [one for one in members if one.filename.startswith("samples/") and one.filename.endswith(".json")]
            samples = [_scored(json.loads(archive.read(one))) for one in inside]
        except (NotImplementedError, ValueError, zipfile.BadZipFile) as error:
            raise InputError(
                f"{name!r} cannot be read ({error}); convert it with: inspect log convert --to json"
            ) from None
    return {"eval": eval_of, "samples": samples}


def _scored(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is needed of a sample: a log holds whole conversations."""
    return {key: sample.get(key) for key in ("id", "epoch", "target", "scores")}


def _one_scorer(name: str, samples: Sequence[Mapping[str, Any]]) -> str:
    found = sorted({key for one in samples for key in one.get("scores") or ()})
    if len(found) != 1:
        what = f"several scorers: {quoted(found)}" if found else "no scores"
        raise InputError(f"predictions does not name a scorer and {name!r} holds {what}; name one")
    return str(found[0])


def _inspect_run(name: str, model: str, samples: Sequence[Mapping[str, Any]], scorer: str) -> Run:
    answers: dict[Any, int | None] = {}
    prints: dict[Any, str] = {}
    for one in samples:
        question = one.get("id"), one.get("epoch") or 1
        if question in answers:
            raise InputError(
                f"{name!r} has sample {question[0]!r} of epoch {question[1]} more than once; each must be there once"
            )
        score = (one.get("scores") or {}).get(scorer)
        answers[question] = _binary(score.get("value")) if isinstance(score, Mapping) else None
        prints[question] = json.dumps(one.get("target"))
    if all(answer is None for answer in answers.values()):
        options = sorted({key for one in samples for key in one.get("scores") or ()})
        raise InputError(
            f"scorer {scorer!r} of {name!r} has no right or wrong answers; its scorers are {quoted(options)}"
        )
    return Run(model, answers, prints)


# ---- pairing


def _paired(runs: Sequence[Run], on_bad: str, *, notes: Sequence[str], grouped: bool = False) -> Table:
    """Return the table of runs on the same questions; questions that some run lacks are refused or left out."""
    if on_bad not in ON_BAD:
        raise InputError(f"on_bad is {on_bad!r}; it must be one of {quoted(ON_BAD)}")
    for run in runs[1:]:
        _check_same(runs[0], run)
    everything = list(dict.fromkeys(question for run in runs for question in run.answers))
    said = [words for run in runs for words in _lacking(run, everything)]
    if said and on_bad == "refuse":
        raise InputError(
            f"the runs did not answer the same questions: {'; '.join(said)}. Every question needs a right or wrong "
            "answer in "
            "every run; correct the logs, or leave such questions out with on_bad='skip'."
        )
    kept = [one for one in everything if all(run.answers.get(one) is not None for run in runs)]
    if not kept:
        raise InputError("the runs have no question in common; check that they are of the same task")
    left_out = (
        [f"{len(everything) - len(kept):,} of {len(everything):,} questions were left out: {'; '.join(said)}."]
        if said
        else []
    )
    groups = [str(question[0]) for question in kept] if grouped else None
    right = {run.name: np.array([run.answers[one] for one in kept], dtype=np.int8) for run in runs}
    made = table(np.ones(len(kept), dtype=np.int8), right, labels=(0, 1), groups=groups)
    return replace(made, notes=(*made.notes, *notes, RIGHT, *left_out))


def _check_same(first: Run, other: Run) -> None:
    differ = [one for one, mark in first.prints.items() if mark and other.prints.get(one, mark) not in (mark, "")]
    if differ:
        raise InputError(
            f"question {differ[0]!r} is not the same in {first.name!r} and {other.name!r} (nor {len(differ) - 1:,} "
            "others): its text or "
            "target differs; runs can be paired only on the same version of a task"
        )


def _lacking(run: Run, everything: Sequence[Any]) -> Iterator[str]:
    absent = [one for one in everything if one not in run.answers]
    unscored = [one for one, answer in run.answers.items() if answer is None]
    for some, words in ((absent, "lacks"), (unscored, "has neither right nor wrong for")):
        if some:
            yield f"{run.name!r} {words} {len(some):,} ({quoted(some, most=3)})"
