"""A file of predictions: kept in a temporary file while it is counted, and answered like the rest."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from howsure.comparisons.compare_all import compare_all
from howsure.comparisons.slices import Slices
from howsure.errors import HowsureError, InputError, cut
from howsure.errors.messages import web as messages
from howsure.estimates.estimate import report
from howsure.sources.files.formats import HELM
from howsure.sources.files.request import ReadRequest, TooManyLabels
from howsure.sources.read import read_as_asked, slices_as_asked
from howsure.sources.rows.asked import RowsAsked, by_pattern
from howsure.tables.table import Table
from howsure.web import limits
from howsure.web.answers import comparison_answer, comparisons_answer, report_answer, slices_answer
from howsure.web.api import intervals_of, shown_first
from howsure.web.copies import call, command, taken_along
from howsure.web.fields import Upload
from howsure.web.limits import Refused
from howsure.web.questions.columns import columns_in
from howsure.web.questions.comparing import by_every_method, pair_options

LABELS = ("truth", "predictions", "judge", "group", "weight", "pos_label", "threshold", "id")
FLAGS = {"predictions": "pred", "scores": "score", "sums": "sum", "model": "model-column"}  # options of the shell
SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".arrow", ".jsonl", ".ndjson", ".json", ".eval")


def upload(content: bytes, name: str, given: Mapping[str, Any] | Upload) -> dict[str, Any]:
    """Answer from a file: the report and intervals of its models, or their comparison."""
    asked = Upload.read(given)
    if asked.question == "columns":
        return {"answers": [], "about": _on_disk(content, name, lambda path: columns_in(path, _request(asked)))}
    counted: Table | Slices = _on_disk(content, name, lambda path: _counted(path, asked))
    table = limits.checked_table(counted.total if isinstance(counted, Slices) else counted)
    parts = counted if isinstance(counted, Slices) else None
    made = _Asked(table, Path(name).name or "predictions.csv", asked, parts)
    answers = made.comparison() if asked.question == "compare" else made.report()
    labels, models = ([cut(str(name), limits.MOST_NAME) for name in names] for names in (table.labels, table.models))
    shown = {"rows": table.n, "labels": labels, "models": models}
    page = {"page": _page(counted, asked)} if asked.page else {}
    return {"answers": answers, "about": shown | {"notes": list(map(str, table.notes))}, **page}


def _page(counted: Table | Slices, asked: Upload) -> str:
    from howsure.reports.page.page import table_page
    from howsure.reports.page.sliced import sliced_page

    if isinstance(counted, Slices):
        return sliced_page(counted, by=asked.by or "")
    return table_page(counted)


def _on_disk(content: bytes, name: str, use: Callable[[str], Any]) -> Any:
    """Return what a function makes of the file, kept in a temporary folder while it works."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise Refused(messages.FILE_IS_NAMED(name=name[:80], suffixes=", ".join(SUFFIXES)), 422)
    if not content.strip():
        raise Refused(messages.FILE_IS_EMPTY(), 422)
    with tempfile.TemporaryDirectory(prefix="howsure-") as folder:
        path = Path(folder) / (HELM if Path(name).name == HELM else f"predictions{suffix}")
        path.write_bytes(content)
        try:
            return use(str(path))
        except TooManyLabels as error:
            raise limits.TooLarge("classes", error.number, limits.MOST_CLASSES) from None
        except HowsureError as error:
            raise InputError(str(error).replace(str(path), name).replace(folder, "")) from None
        except (ValueError, OSError, LookupError, ArithmeticError) as error:
            said = str(error).replace(str(path), name).splitlines()
            raise Refused(
                messages.FILE_CANNOT_BE_READ(name=name, said=said[0] if said else type(error).__name__), 422
            ) from None


def _counted(path: str, asked: Upload) -> Table | Slices:
    request = _request(asked)
    rows = RowsAsked(**_rows(asked), patterns=by_pattern(request))
    if asked.by is not None:
        parts = slices_as_asked(path, request, rows)
        limits.at_most(messages.SUBGROUPS(), len(parts), limits.MOST_SLICES)
        return Slices(parts)
    return read_as_asked(path, request, rows)


def _request(asked: Upload) -> ReadRequest:
    return ReadRequest(
        memory="400MB",
        threads=2,
        most_labels=limits.MOST_CLASSES,
        score_columns=asked.scores,
        **asked.given(*LABELS, "by"),
    )


def _rows(asked: Upload) -> dict[str, Any]:
    """Return what is asked of rows that hold other things than labels, as hs.read is told."""
    found = asked.given("value", "correct", "unit", "sums", "better", "separator")
    if asked.value is not None and len(asked.value) == 1:
        found["value"] = asked.value[0]
    more = {"model": asked.model_column, "range": None if asked.range is None else tuple(asked.range)}
    return found | {name: value for name, value in more.items() if value is not None}


class _Asked:
    """One file and what was asked of it."""

    def __init__(self, table: Table, name: str, asked: Upload, parts: Slices | None = None) -> None:
        self.table, self.name, self.asked, self.parts = table, name, asked, parts
        columns = asked.given(*LABELS, "scores") | _rows(asked)
        self.read, self.source = columns, call("hs.read", repr(name), **columns)
        self.columns = {FLAGS.get(key, key): value for key, value in columns.items()}
        self.options = asked.given("level", "undefined")

    def of_two(self, first: str, second: str) -> dict[str, Any]:
        """Return the options of the shell that compare two of the models."""
        models = self.table.models
        if self.asked.model_column is not None or self.asked.sums is not None:
            alone = {"baseline": first} if models.index(first) else {}
            return self.columns | (alone if len(models) == 2 else {"baseline": first, "adjust": "none"})
        held = next((key for key in ("scores", "value") if getattr(self.asked, key)), "predictions")
        columns = dict(zip(models, getattr(self.asked, held) or models, strict=False))
        return self.columns | {FLAGS.get(held, held): [columns.get(name, name) for name in (first, second)]}

    def shell(self, verb: str, **options: Any) -> str:
        return command("howsure", verb, self.name, **self.columns, **options)

    def report(self) -> list[dict[str, Any]]:
        """Return the intervals of the chosen metric and the report of all models."""
        model = self.asked.model or self.table.models[0]
        one = intervals_of(self.table, self.source, lambda **more: self.shell("report", **more), self.asked, model)
        code = call("hs.report", "t", **self.options)
        copies = taken_along(self.shell("report", **self.options), f"t = {self.source}", f"print({code})")
        every = report_answer(report(self.table, **self.options), copies)
        return [one, every] if self.parts is None else [one, self._by_slice(self.parts), every]

    def _by_slice(self, parts: Slices) -> dict[str, Any]:
        """Return the chosen metric in each subgroup."""
        metric = self.asked.metric or shown_first(self.table)
        made = parts.report(metric, **self.options)
        source = call("hs.read_slices", repr(self.name), by=self.asked.by, **self.read)
        code = f"print({call('hs.Slices(parts).report', repr(metric), **self.options)})"
        shell = self.shell("report", by=self.asked.by, metric=metric, **self.options)
        copies = taken_along(shell, f"parts = {source}", code)
        return slices_answer(made, self.asked.by or "", copies)

    def comparison(self) -> list[dict[str, Any]]:
        """Return the comparison of two models by every method, or of all pairs."""
        models, a, b = self.table.models, self.asked.a, self.asked.b
        if self.parts is not None:
            raise Refused(messages.BY_DOES_NOT_GO_WITH_COMPARE(by=self.asked.by), 422)
        if len(models) < 2:
            raise Refused(messages.FILE_HOLDS_ONE_MODEL(models=models[0]), 422)
        metric = self.asked.metric or self.table.contents.leading
        asked = self.asked.model_copy(update={"metric": metric})
        if len(models) > 2 and a is None and b is None:
            return [self._all_pairs(metric)]
        first = a or next((name for name in models if name != b), models[0])
        second = b or next((name for name in models if name != first), models[1])
        first, second = (models[self.table.model_index(name)] for name in (first, second))
        options = pair_options(self.asked)
        code = call("hs.compare", "t", repr(metric), a=first, b=second, **options)
        shell = command("howsure", "compare", self.name, **self.of_two(first, second), metric=metric, **options)
        copies = taken_along(shell, f"t = {self.source}", f"print({code})")
        return [comparison_answer(by_every_method(self.table, asked, first, second), copies)]

    def _all_pairs(self, metric: str) -> dict[str, Any]:
        code = call("hs.compare_all", "t", repr(metric), **self.options)
        shell = self.shell("compare", metric=metric, **self.options)
        copies = taken_along(shell, f"t = {self.source}", f"print({code}.to_markdown())")
        return comparisons_answer(compare_all(self.table, metric, **self.options), copies)
