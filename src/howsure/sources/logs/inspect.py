"""Logs of Inspect, as .json or as .eval, an archive of one JSON file per sample."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages.sources import logs as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import shown
from howsure.sources.files.formats import check_expansion, content, files_of
from howsure.sources.files.join_by_id import short_names
from howsure.sources.logs.json_logs import kind_of_object, load_json
from howsure.sources.logs.right_or_wrong import LogPath, Run, listed, paired_runs, scored_number, sliced_runs

Log = dict[str, Any]
_CONVERT = messages.CONVERT_INSPECT_LOG_CONVERT_TO_JSON()
_STAMPED = re.compile(r"\d{4}-\d\d-\d\dT[\d-]+[+_](?P<task>.+)_[0-9A-Za-z]{22}")


def read_inspect(
    sources: LogPath | Sequence[LogPath],
    *,
    scorer: str | None = None,
    on_bad: str = "refuse",
    models: Sequence[str] | None = None,
    by: str | None = None,
) -> Any:
    """Read logs of Inspect (.json or .eval), paired on sample id and epoch; epochs of a sample form a group.

    Scores are C or 1 (right), I, N or 0 (wrong); other numbers are values; samples without a score cannot be counted. A
    score of several parts is named "scorer.part". ``by`` names a field of the samples' metadata, such as their tags:
    one table for each of its values.
    """
    names = [name for one in listed(sources) for name in files_of(one)]
    logs = [_log(name) for name in names]
    called = list(models) if models is not None and len(models) == len(names) else _models(logs, names)
    chosen = scorer
    runs = []
    for log, name, model in zip(logs, names, called, strict=True):
        chosen = chosen or _one_scorer(name, log["samples"])
        runs.append(_run(name, model, log["samples"], chosen))
    epochs = {question[1] for run in runs for question in run.answers}
    notes = [marked("log of Inspect", scorer=chosen), *_unfinished(logs, called)]
    if len(epochs) > 1:
        notes.append(marked("epochs of Inspect", epochs=len(epochs)))
    if by is not None:
        return sliced_runs(runs, by, on_bad, notes=notes, grouped=len(epochs) > 1)
    return paired_runs(runs, on_bad, notes=notes, grouped=len(epochs) > 1)


def _models(logs: Sequence[Log], names: Sequence[str]) -> list[str]:
    """Return the models' names; of logs of one model those of the files, without date and number where they differ."""
    headers = [log["eval"] if isinstance(log["eval"], Mapping) else {} for log in logs]
    models = [str(header.get("model") or name) for header, name in zip(headers, names, strict=True)]
    if len(set(models)) == len(models):
        return models
    files = short_names(names)
    tasks = [found["task"] if (found := _STAMPED.fullmatch(name)) else name for name in files]
    return tasks if len(set(tasks)) == len(tasks) else files


def _unfinished(logs: Sequence[Log], models: Sequence[str]) -> Iterator[str]:
    for log, model in zip(logs, models, strict=True):
        status = log.get("status", "success")
        if status != "success":
            yield marked("run not finished", model=model, status=status)


# ---- files


def _log(name: str) -> Log:
    found = _unzipped(name) if zipfile.is_zipfile(name) else load_json(name)
    if kind_of_object(found) != "inspect":
        raise InputError(messages.NO_LOG_OF_INSPECT(name=name))
    if not isinstance(found.get("samples"), list) or not found["samples"]:
        raise InputError(messages.LOG_OF_INSPECT_WITHOUT_SAMPLES(name=name))
    for at, sample in enumerate(found["samples"], 1):
        if not _is_sample(sample):
            raise InputError(messages.SAMPLE_HAS_NO_ID_OR_SCORES(name=name, at=at))
    return dict(found)


def _is_sample(found: Any) -> bool:
    return (
        isinstance(found, Mapping)
        and isinstance(found.get("id"), (str, int))
        and isinstance(found.get("epoch"), (int, type(None)))
        and isinstance(found.get("scores"), (Mapping, type(None)))
    )


def _unzipped(name: str) -> Log:
    try:
        with zipfile.ZipFile(name) as archive:
            _refuse_arrays(archive, name)
            check_expansion(archive, name, remedy=f"if you trust it, {_CONVERT}")
            return _members(archive)
    except InputError:
        raise
    # A damaged archive may seem to be encrypted, of a later version (both RuntimeError) or at its end.
    except (ValueError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        why = str(error) or messages.ENDS_TOO_EARLY()
        raise InputError(messages.CANNOT_BE_READ(name=name, why=why, convert=_CONVERT)) from None


def _refuse_arrays(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse an archive of numpy arrays, which is no log, with the way to read it."""
    inside = set(archive.namelist())
    if {"header.npy", "counts.npy"} <= inside:
        raise InputError(messages.SOURCE_SAVED_COUNTER(name=name))
    if any(one.endswith(".npy") for one in inside):
        raise InputError(messages.SOURCE_ARCHIVE_OF_NUMPY_ARRAYS(name=name))


def _members(archive: zipfile.ZipFile) -> Log:
    members = {one.filename: one for one in archive.infolist()}
    inside = [one for path, one in members.items() if path.startswith("samples/") and path.endswith(".json")]
    # An evaluation that was killed has no header, only how it began.
    header = next((path for path in ("header.json", "_journal/start.json") if path in members), None)
    began = {} if header is None else json.loads(content(archive, members[header]))
    about = began if isinstance(began, Mapping) else {}
    return {
        "eval": about.get("eval", {}),
        "status": about.get("status", "started"),
        "samples": [_scored(json.loads(content(archive, one))) for one in inside],
    }


def _scored(sample: Any) -> Any:
    """Return what is needed of a sample: a log holds whole conversations."""
    wanted = ("id", "epoch", "target", "scores", "error", "metadata")
    return {key: sample.get(key) for key in wanted} if isinstance(sample, Mapping) else None


# ---- scores


def _options(samples: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the scorers, and the parts of those that give several."""
    found = {}
    for one in samples:
        for scorer, score in (one.get("scores") or {}).items():
            parts = score.get("value") if isinstance(score, Mapping) else None
            found.update(dict.fromkeys([f"{scorer}.{part}" for part in parts] if isinstance(parts, dict) else [scorer]))
    return sorted(found)


def _one_scorer(name: str, samples: Sequence[Mapping[str, Any]]) -> str:
    found = _options(samples)
    if not found:
        raise InputError(messages.LOG_OF_INSPECT_WITHOUT_SCORES(name=name))
    if len(found) > 1:
        raise InputError(messages.PREDICTIONS_DOES_NOT_NAME_SCORER_HOLDS(name=name, found=quoted(found)))
    return found[0]


def _value(sample: Mapping[str, Any], scorer: str) -> Any:
    """Return the value that a scorer, or one part of its score, gave a sample; None where it gave none."""
    scores = sample.get("scores") or {}
    name, part = (scorer, None) if scorer in scores or "." not in scorer else scorer.rsplit(".", 1)
    score = scores.get(name)
    value = score.get("value") if isinstance(score, Mapping) else None
    return value if part is None or not isinstance(value, Mapping) else value.get(part)


def _run(name: str, model: str, samples: Sequence[Mapping[str, Any]], scorer: str) -> Run:
    options = _options(samples)
    if scorer not in options:
        raise InputError(
            messages.NO_SUCH_SCORER(scorer=scorer, name=name, options=quoted(options), hint=nearest(scorer, options))
        )
    answers: dict[Any, float | None] = {}
    prints: dict[Any, str] = {}
    why: dict[Any, str] = {}
    about: dict[Any, Mapping[str, Any]] = {}
    for one in samples:
        question = one.get("id"), one.get("epoch") or 1
        if question in answers:
            raise InputError(
                messages.SAMPLE_OF_EPOCH_MORE_THAN_ONCE(name=name, question=question[0], other_question=question[1])
            )
        value = _value(one, scorer)
        answers[question] = scored_number(value)
        prints[question] = json.dumps(one.get("target"))
        about[question] = one["metadata"] if isinstance(one.get("metadata"), Mapping) else {}
        if answers[question] is None:
            why[question] = (
                "an error" if one.get("error") else "no score" if value is None else f"a score {shown(value)}"
            )
    if all(answer is None for answer in answers.values()):
        raise InputError(
            messages.SCORER_OF_HAS_NO_RIGHT(
                scorer=scorer, name=name, next=next(iter(why.values())), options=quoted(options)
            )
        )
    return Run(model, answers, prints, why, about)
