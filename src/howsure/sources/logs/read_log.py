"""Logs of evaluation tools by their format: one table, or one for each value of a field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.errors import InputError
from howsure.errors.messages.sources import logs as messages
from howsure.sources.files.request import ReadRequest
from howsure.sources.logs.helm import read_helm
from howsure.sources.logs.inspect import read_inspect
from howsure.sources.logs.json_logs import read_huggingface, read_mlflow
from howsure.sources.logs.lm_eval import read_lm_eval
from howsure.sources.logs.openai_evals import read_openai_evals

ANSWERS: dict[str, Any] = {
    "lm-eval": read_lm_eval, "inspect": read_inspect, "helm": read_helm, "openai-evals": read_openai_evals,
}  # fmt: skip


def read_log(
    paths: Sequence[Any], kind: str, request: ReadRequest, *, names: Sequence[Any] | None = None, by: str | None = None
) -> Any:
    """Return the table of logs, or of ``by``, a field of each question, one table for each of its values."""
    answers = kind in ANSWERS
    for name in ("weight", "id", *(("truth", "group", "labels", "pos_label", "abstain") if answers else ())):
        if getattr(request, name) is not None:
            raise InputError(messages.BUT_LOG_OF_FORMAT_HAS_OWN(name=name, request=getattr(request, name), kind=kind))
    if answers:
        return _read_answers(paths, kind, request, names=None if names is None else list(map(str, names)), by=by)
    if len(paths) > 1:
        raise InputError(messages.SOURCE_HOLDS_FILES_OF_FORMAT(number=len(paths), kind=kind))
    return read_huggingface(paths[0], request) if kind == "huggingface" else read_mlflow(paths[0], request)


def _read_answers(
    paths: Sequence[Any], kind: str, request: ReadRequest, *, names: Sequence[str] | None, by: str | None
) -> Any:
    named = request.columns()
    if len(named) > 1:
        raise InputError.of("predictions", named, messages.FOR_LOG_NAMES_ONE_METRIC())
    chosen = named[0] if named else None
    how: dict[str, Any] = {"on_bad": request.on_bad, "models": names} | ({} if by is None else {"by": by})
    if kind == "inspect":
        return read_inspect(paths, scorer=chosen, **how)
    return ANSWERS[kind](paths, metric=chosen, **how)
