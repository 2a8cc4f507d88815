"""From the data options of a verb to a table, saying what was guessed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.output import WIDTH, obeyed_by_none, say, sharing_bar, watched
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.tables.table import Table

COUNTER = ".npz"
STRATUM_RULE = "STRATUM=NUMBER, such as positive=0.1"
# Arguments of hs.read that options give as they are, and those whose options have another name.
AS_IN_PYTHON = (
    "threshold", "group", "weight", "pos_label", "on_bad", "abstain", "memory", "threads", "partitions", "better",
    "correct", "run", "runs", "paired_runs", "unit", "separator",
)  # fmt: skip
RENAMED = {"format": "input_format", "range": "range_", "model": "model_column"}
EVERY = "all"
# The usual metrics of two classes in the words of medicine.
MEDICAL = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "youden", "lr_plus", "lr_minus")
NOT_IN_STRATA = {
    "group": "here the rows of a stratum are taken as drawn one by one. Leave --group out, or count groups within "
    "strata in Python: howsure.stratified(…, strata=…, groups=…)",
}


def source_of(files: Sequence[str]) -> Any:
    """Return what to read: standard input for "-", one file, or several."""
    if tuple(files) == ("-",):
        return sys.stdin.buffer
    return files[0] if len(files) == 1 else list(files)


@contextmanager
def on_disk(file: str, ending: str = ".csv") -> Iterator[str]:
    """Return the path of a file; of standard input ("-") and of pipes, that of a copy."""
    from howsure.sources.files.at_rest import at_rest, copy_of
    from howsure.sources.files.formats import files_of

    if file != "-" and not Path(file).exists():
        files_of(file)  # refuses, with the nearest name
    with at_rest(file) if file != "-" else copy_of(sys.stdin.buffer, f"standard-input{ending}") as path:
        yield path


def labels_of(options: dict[str, Any]) -> list[str] | None:
    """Return the labels of a comma-separated option."""
    return None if options["labels"] is None else [part.strip() for part in options["labels"].split(",")]


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that reading a table and reading slices share."""
    alike = {name: options[name] for name in AS_IN_PYTHON}
    listed = {name: list(options[name]) or None for name in ("predictions", "scores", "sums", "judge")}
    renamed = {name: options[option] for name, option in RENAMED.items()}
    return alike | listed | renamed | {
        "truth": list(options["annotators"]) or options["truth"],
        "labels": labels_of(options),
        "value": _one_or_more(options),
        "progress": sharing_bar("reading") if watched(options["quiet"]) else None,
    }  # fmt: skip


def _one_or_more(options: dict[str, Any]) -> Any:
    """Return the columns of values: one as itself, as a long table has it."""
    values = list(options["values"])
    return values[0] if len(values) == 1 else values or None


def read_table(files: Sequence[str], options: dict[str, Any], *, quiet: bool) -> Table:
    """Read one file, several aligned by id, standard input ("-"), or what a Counter saved."""
    table = _counted(files) if all(file.endswith(COUNTER) for file in files) else _read(files, options)
    if not quiet:
        from howsure.estimates.estimate import chosen_metrics, notes_of
        from howsure.reports.text import wrapped
        from howsure.results.base import note_line

        asked = [options["metric"]] if options.get("metric") else list(options.get("metrics") or ()) or None
        for note in notes_of(table, chosen_metrics(table, asked)):
            for line in wrapped(note_line(note), WIDTH, hang=6):
                say(obeyed_by_none(line), err=True)
    return table


def _counted(files: Sequence[str]) -> Table:
    """Return the sum of counters, such as those of several processes."""
    from howsure.comparisons.monitoring.counter import Counter

    return reduce(add, [Counter.load(file) for file in files]).table


def _read(files: Sequence[str], options: dict[str, Any]) -> Table:
    from howsure.sources.read import read

    asked = reading(options) | _of_annotators(options)
    if options["task"] is not None:
        return _read_tasks(files, options, asked)
    if not (options["strata"] or options["shares"] or options["pool"]):
        return read(source_of(files), id=options["id_"], **asked)
    for name, why in NOT_IN_STRATA.items():
        if options[name] is not None:
            raise click.UsageError(messages.DOES_NOT_GO_WITH_STRATA_SHARE(name=name, why=why))
    if options["weight"] is not None and (options["shares"] or options["pool"]):
        raise click.UsageError(messages.WEIGHT_DOES_NOT_GO_WITH_SHARE())
    from howsure.sources.stratified import to_pool, to_pool_by_weight

    table = read(source_of(files), id=options["id_"], **(asked | {"group": options["strata"]}))
    if options["weight"] is not None:
        return to_pool_by_weight(table)
    return to_pool(table, shares=_sizes(options["shares"], "--share"), pool=_sizes(options["pool"], "--pool"))


def _of_annotators(options: dict[str, Any]) -> dict[str, Any]:
    """Return how several annotators make a truth, where that is asked for."""
    if options["annotators"] and options["truth"] is not None:
        raise click.UsageError(messages.ANNOTATOR_DOES_NOT_GO_WITH_TRUTH())
    given = {"consensus": options["consensus"], "ties": options["ties"], "annotators": options["annotators_are"]}
    found = {name: value for name, value in given.items() if value is not None}
    if found and not options["annotators"]:
        raise click.UsageError(messages.GOES_WITH_ANNOTATOR_ONE_COLUMN(next=next(iter(found))))
    return found


def _read_tasks(files: Sequence[str], options: dict[str, Any], asked: dict[str, Any]) -> Table:
    """Return the table of several tasks: of a column, or one file or subfolder each."""
    from howsure.sources.read import read

    for name in ("strata", "shares", "pool"):
        if options[name]:
            raise click.UsageError(messages.DOES_NOT_GO_WITH_TASK(name=name.rstrip("s")))
    task, source = options["task"] or True, source_of(files)
    return read(
        list(files) if task is True and len(files) > 1 else source, id=options["id_"], task=task,
        tasks=options["tasks"], task_weights=_task_weights(options["task_weights"]), **asked,
    )  # fmt: skip


def _task_weights(given: Sequence[str]) -> str | dict[str, float]:
    if len(given) < 2 and not any("=" in one for one in given):
        return given[0] if given else "equal"
    return _sizes(given, "--task-weights", "TASK=WEIGHT, such as mmlu=2") or "equal"


def _sizes(parts: Sequence[str], option: str, rule: str = STRATUM_RULE) -> dict[str, float] | None:
    """Return {"stratum": number} from STRATUM=NUMBER parts."""
    found: dict[str, float] = {}
    for part in parts:
        name, _, size = part.rpartition("=")
        try:
            found[name] = float(size)
        except ValueError:
            raise click.UsageError(messages.PART_BREAKS_RULE(option=option, part=part, rule=rule)) from None
    return found or None


def asked_metrics(table: Table, options: dict[str, Any]) -> list[str] | None:
    """Return the metrics that were named; None for the usual ones, in the words that were asked for."""
    named = [name for name in options["metrics"] if name != EVERY]
    if named or options.get("names") != "medical":
        return named or None
    if not table.contents.two_classes:
        raise click.UsageError(messages.NAMES_MEDICAL_IS_FOR_TWO_CLASSES())
    return list(MEDICAL)


def shown_as(options: dict[str, Any]) -> dict[str, Any]:
    """Return what the text of a report shows besides its first table, and which model its marks are about."""
    asked = {name: options[name] for name in ("verbose", "long", "se")}
    marks = {} if options.get("baseline") is None else {"baseline": options["baseline"]}
    return asked | {"every": EVERY in options["metrics"]} | marks


def right_of_all(text: str) -> tuple[int, int] | None:
    """Return right answers and all answers as a user types them, 185/200; None where it is a file or something else."""
    found = re.fullmatch(r"([0-9]+)/([0-9]+)", text)
    if found is None or Path(text).exists():
        return None
    right, total = int(found[1]), int(found[2])
    if right > total or total == 0:
        raise click.UsageError(messages.NO_NUMBER_OF_RIGHT_ANSWERS(text=text))
    return right, total
