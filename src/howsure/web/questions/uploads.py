"""A file of predictions: kept in a temporary file while it is counted, and answered like the rest."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from howsure.comparisons.compare_all import compare_all
from howsure.errors import HowsureError, InputError, cut
from howsure.estimates.estimate import report
from howsure.sources.files.read_file import columns_of, scan_of
from howsure.sources.files.request import ReadRequest, TooManyLabels
from howsure.sources.logs.right_or_wrong import RIGHT
from howsure.sources.read import read_as_asked
from howsure.tables.table import Table
from howsure.web import limits
from howsure.web.answers import comparison_answer, comparisons_answer, report_answer
from howsure.web.api import intervals_of
from howsure.web.copies import call, command, python
from howsure.web.fields import Upload
from howsure.web.limits import Refused
from howsure.web.questions.comparing import by_every_method, pair_options

LOGS = (".json", ".eval")
SUFFIXES = (".csv", ".tsv", ".txt", ".parquet", ".arrow", ".jsonl", ".ndjson", ".json", ".eval")


def upload(content: bytes, name: str, given: Mapping[str, Any] | Upload) -> dict[str, Any]:
    """Answer from a file: the report and intervals of its models, or their comparison."""
    asked = Upload.read(given)
    if asked.question == "columns":
        return {"answers": [], "about": _on_disk(content, name, lambda path: _columns_in(path, asked))}
    table: Table = limits.checked_table(_on_disk(content, name, lambda path: _counted(path, asked)))
    made = _Asked(table, Path(name).name or "predictions.csv", asked)
    answers = made.comparison() if asked.question == "compare" else made.report()
    labels, models = ([cut(str(name), limits.MOST_NAME) for name in names] for names in (table.labels, table.models))
    shown = {"rows": table.n, "labels": labels, "models": models}
    page = {"page": _page(table)} if asked.page else {}
    return {"answers": answers, "about": shown | {"notes": list(map(str, table.notes))}, **page}


def _page(table: Table) -> str:
    from howsure.reports.page.page import table_page

    return table_page(table)


def _on_disk(content: bytes, name: str, use: Callable[[str], Any]) -> Any:
    """Return what a function makes of the file, kept in a temporary folder while it works."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise Refused(f"the file is named {name[:80]!r}; its name must end in one of {', '.join(SUFFIXES)}", 422)
    if not content.strip():
        raise Refused("the file is empty; it must hold a row per example, with a truth and a prediction", 422)
    with tempfile.TemporaryDirectory(prefix="howsure-") as folder:
        path = Path(folder) / f"predictions{suffix}"
        path.write_bytes(content)
        try:
            return use(str(path))
        except TooManyLabels as error:
            raise limits.TooLarge("classes", error.number, limits.MOST_CLASSES) from None
        except HowsureError as error:
            raise InputError(str(error).replace(str(path), name).replace(folder, "")) from None
        except (ValueError, OSError, LookupError, ArithmeticError) as error:
            said = str(error).replace(str(path), name).splitlines()
            raise Refused(f"{name} cannot be read: {said[0] if said else type(error).__name__}", 422) from None


def _counted(path: str, asked: Upload) -> Table:
    return read_as_asked(path, _request(asked))


def _columns_in(path: str, asked: Upload) -> dict[str, Any]:
    """Return the columns of a file, and which are guessed to be truth and predictions; none in a log."""
    if Path(path).suffix.lower() in LOGS:
        return {"columns": [], "truth": "", "predictions": []}
    request = _request(asked)
    with request.start() as duck:
        scan = scan_of(path, request, duck)
        try:
            roles = columns_of(scan, request)[0]
        except HowsureError:  # which column is which must be said; the columns can be offered all the same
            return {"columns": list(scan.columns), "truth": "", "predictions": []}
    return {"columns": list(scan.columns), "truth": roles.truth, "predictions": list(roles.predictions.values())}


def _request(asked: Upload) -> ReadRequest:
    return ReadRequest(memory="400MB", threads=2, most_labels=limits.MOST_CLASSES, **_columns(asked))


def _columns(asked: Upload) -> dict[str, Any]:
    return asked.given("truth", "predictions", "group", "weight", "pos_label")


class _Asked:
    """One file and what was asked of it."""

    def __init__(self, table: Table, name: str, asked: Upload) -> None:
        self.table, self.name, self.asked = table, name, asked
        self.source = call("hs.read", repr(name), **_columns(asked))
        columns = {key: value for key, value in _columns(asked).items() if key != "predictions"}
        self.columns = columns | {"pred": asked.predictions or []}
        self.options = asked.given("level", "undefined")

    def shell(self, verb: str, **options: Any) -> str:
        return command("howsure", verb, self.name, **self.columns, **options)

    def report(self) -> list[dict[str, Any]]:
        """Return the intervals of the chosen metric and the report of all models."""
        model = self.asked.model or self.table.models[0]
        # Of right and wrong answers only accuracy has a meaning.
        metrics = ["accuracy"] if RIGHT in self.table.notes else None
        asked = self.asked.model_copy(update={"metric": self.asked.metric or (metrics[0] if metrics else None)})
        one = intervals_of(self.table, self.source, lambda **more: self.shell("report", **more), asked, model)
        code = call("hs.report", "t", metrics=metrics, **self.options)
        copies = {
            "python": python(f"t = {self.source}", f"print({code})"),
            "command": self.shell("report", metric=metrics or [], **self.options),
        }
        return [one, report_answer(report(self.table, metrics, **self.options), copies)]

    def comparison(self) -> list[dict[str, Any]]:
        """Return the comparison of two models by every method, or of all pairs."""
        models, a, b = self.table.models, self.asked.a, self.asked.b
        if len(models) < 2:
            raise Refused(
                f"the file holds one model, {models[0]!r}; a comparison needs two columns of predictions", 422
            )
        metric = self.asked.metric or "accuracy"
        if len(models) > 2 and a is None and b is None:
            return [self._all_pairs(metric)]
        first = a or next((name for name in models if name != b), models[0])
        second = b or next((name for name in models if name != first), models[1])
        options = pair_options(self.asked)
        code = call("hs.compare", "t", repr(metric), a=first, b=second, **options)
        shown = self.columns | {"pred": [first, second]}
        shell = command("howsure", "compare", self.name, **shown, metric=metric, **options)
        copies = {"python": python(f"t = {self.source}", f"print({code})"), "command": shell}
        return [comparison_answer(by_every_method(self.table, self.asked, first, second), copies)]

    def _all_pairs(self, metric: str) -> dict[str, Any]:
        code = call("hs.compare_all", "t", repr(metric), **self.options)
        copies = {
            "python": python(f"t = {self.source}", f"print({code}.to_markdown())"),
            "command": self.shell("compare", metric=metric, **self.options),
        }
        return comparisons_answer(compare_all(self.table, metric, **self.options), copies)
