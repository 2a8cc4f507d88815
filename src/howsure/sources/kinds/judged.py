"""Columns of people's labels, predictions and judges to a Table of judged rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Better, Label
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import first_row
from howsure.sources.arrays.blanks import Blanked, WrongGuess, no_label, read_blanked, refuse_codes
from howsure.sources.arrays.codebook import NotALabel, plain_label
from howsure.sources.arrays.column import Column, kind_of, refusal
from howsure.sources.arrays.labels import Coded, check_one_type, group_set, label_set
from howsure.sources.arrays.libraries import read_column
from howsure.sources.arrays.numbers import by_model, check_equal_lengths, read_floats, sampled
from howsure.sources.arrays.tabulate import count_columns, refuse_scores
from howsure.sources.kinds.values import check_within, checked_range
from howsure.tables.design import Design
from howsure.tables.kinds.judges.judged import Reading
from howsure.tables.kinds.judges.judged_labels import JudgedLabels, label_reading, score_readings
from howsure.tables.kinds.judges.judged_values import JudgedValues
from howsure.tables.kinds.values import RowValues
from howsure.tables.labels import Labels
from howsure.tables.table import Table, positive_class
from howsure.types import Array


class JudgeColumn(NamedTuple):
    """What a judge said of the distinct rows: labels, or the numbers that their codes stand for."""

    name: str
    coded: Coded
    blank: Array
    numbers: Array | None = None


def judged_names(judge: Any) -> dict[str, Any]:
    """Return the columns of judges by name: a mapping as it is, a single column as "judge" or by its own name."""
    if isinstance(judge, Mapping):
        if not judge:
            raise InputError(messages.JUDGE_IS_EMPTY())
        return {str(name): column for name, column in judge.items()}
    name = getattr(judge, "name", None)
    return {name if isinstance(name, str) and name else "judge": judge}


def judged_table(
    y_true: Any, predictions: Mapping[str, Any], judge: Any, *, labels: Any = None, pos_label: Label | None = None,
    weight: Any = None, groups: Any = None,
) -> Table:  # fmt: skip
    """Return the table of rows that a judge answered, and people in part."""
    try:
        return _counted(y_true, predictions, judge, labels, pos_label, weight, groups, quick=True)
    except WrongGuess:
        return _counted(y_true, predictions, judge, labels, pos_label, weight, groups, quick=False)


def _counted(
    y_true: Any, predictions: Mapping[str, Any], judge: Any, labels: Any, pos_label: Label | None, weight: Any,
    groups: Any, *, quick: bool,
) -> Table:  # fmt: skip
    judges = judged_names(judge)
    truth = read_blanked("truth", y_true, quick=quick)
    models = [read_column(f'prediction "{name}"', column) for name, column in predictions.items()]
    said = {name: _read_judge(f'judge "{name}"', column, quick=quick) for name, column in judges.items()}
    held = [truth.column, *models, *(one.column for one, _ in said.values())]
    rows, grouping, (people, *others), notes = count_columns(held, weight, groups)
    group_names = group_set(grouping[0]) if grouping else ()
    models_coded, judges_coded = others[: len(models)], others[len(models) :]
    columns = [
        JudgeColumn(name, one, _blank(one, blanked), scores)
        for (name, (blanked, scores)), one in zip(said.items(), judges_coded, strict=True)
    ]
    groups_coded = grouping[0].recode({name: place for place, name in enumerate(group_names)})[0] if grouping else None
    design = Design(rows.counts, rows.weights, rows.squares, groups_coded, group_names, cubes=rows.cubes)
    made = labels_judged(
        people, _blank(people, truth), models_coded, columns, tuple(map(str, predictions)), design, labels=labels,
        pos_label=pos_label,
    )  # fmt: skip
    name = getattr(groups, "name", None)
    noted = replace(made, notes=(*notes, *made.notes)).merged()
    return noted.grouped_by(name) if isinstance(name, str) and name else noted


def judged_of_factors(
    truth: tuple[str, Any], predictions: Mapping[str, Any], judges: Mapping[str, Any], design: Design, *,
    labels: Any = None, pos_label: Label | None = None, order: Sequence[Label] | None = None,
) -> Table:  # fmt: skip
    """Return the table of distinct rows that an engine counted: columns are codes of lists of values."""
    people, blank = _of_factor(*truth)
    models = [_of_factor(name, column)[0] for name, column in predictions.items()]
    said = []
    for name, column in judges.items():
        numbers = _fractions(name, column.values)
        listed = column if numbers is None else column._replace(values=list(range(len(column.values))))
        said.append(JudgeColumn(name, *_of_factor(name, listed), numbers))
    how: Any = {"labels": labels, "pos_label": pos_label, "order": order}
    return labels_judged(people, blank, models, said, tuple(predictions), design, **how)


def _of_factor(name: str, column: Any) -> tuple[Coded, Array]:
    """Return a column of distinct rows with its values as labels, and which rows have none."""
    values: list[Any] = []
    for place, value in enumerate(column.values):
        try:
            values.append(plain_label(value))
        except NotALabel:
            raise refusal(name, value, int((column.codes == place).argmax())) from None
    absent = np.array([no_label(value) for value in values], dtype=bool)
    blank = absent[column.codes]
    told = column.codes[~blank]
    kind = kind_of(name, told, values) if len(told) else "integers"
    whole = all(isinstance(value, bool) for value, gone in zip(column.values, absent, strict=True) if not gone)
    held = Column(name, "booleans" if whole and len(told) else kind, column.codes, values)
    return Coded(held, column.codes, values, np.unique(column.codes)), blank


def _fractions(name: str, values: Sequence[Any]) -> Array | None:
    """Return a judge's values as scores; None where they are labels."""
    try:
        numbers = read_floats(name, list(values)) if values else np.zeros(0)
    except InputError:
        return None
    told = numbers[~np.isnan(numbers)]
    if not (len(told) and (told != np.floor(told)).any()):
        return None
    _check_scores(name, told)
    return numbers


def _check_scores(name: str, told: Array) -> None:
    if told.min() < 0 or told.max() > 1:
        worst = float(told[np.argmax(np.abs(told - 0.5))])
        raise InputError(messages.HOLDS_JUDGE_SCORE_IS_PROBABILITY(name=name, worst=worst))


def _read_judge(name: str, data: Any, *, quick: bool) -> tuple[Blanked, Array | None]:
    """Return a judge's labels; or its scores, as places in the list of their values."""
    try:
        return read_blanked(name, data, quick=quick), None
    except InputError:
        try:
            numbers = read_floats(name, data)
        except InputError:
            numbers = np.zeros(0)
        told = numbers[~np.isnan(numbers)]
        if not (len(told) and (told != np.floor(told)).any()):
            raise
    _check_scores(name, told)
    values, codes = np.unique(numbers, return_inverse=True)
    return Blanked(Column(name, "integers", codes.reshape(-1), None)), values


def _blank(one: Coded, blanked: Blanked) -> Array:
    """Return which distinct rows have no label."""
    absent = np.array([blanked.blank(value) for value in one.values], dtype=bool)
    return absent[one.codes]


def labels_judged(
    people: Coded, blank: Array, models: Sequence[Coded], judges: Sequence[JudgeColumn], names: tuple[str, ...],
    design: Design, *, labels: Any = None, pos_label: Label | None = None, order: Sequence[Label] | None = None,
) -> Table:  # fmt: skip
    """Return the table of distinct rows: people's labels (``blank`` where there are none), predictions, judges."""
    told = _present(people, blank)
    columns = [one for one in (told, *models) if len(one.present)]
    written = [_present(one.coded, one.blank) for one in judges if one.numbers is None]
    check_one_type([one.column for one in (*columns, *written) if len(one.present)])
    refuse_scores([one.column for one in columns])
    answers = [value for one in (*models, *written) for value in one.occurring()]
    if labels is None:
        refuse_codes("truth", told.occurring(), answers, blanks=bool(blank.any()))
    classes, ordered = label_set(columns, labels, design.counts, order)
    place = {label: code for code, label in enumerate(classes)}
    about: dict[str, Any] = {"labels": classes, "ordered": ordered, **positive_class(classes, pos_label)}
    truth = np.where(blank, 0, told.recode(place)[0]) if len(told.present) else np.zeros(len(design), dtype=np.uint8)
    predictions = np.stack([one.recode(place)[0] for one in models], axis=1)
    rows = Labels(truth, predictions, **about)
    readings, notes = [], []
    for judge in judges:
        made, more = _readings(judge, rows, place, design)
        readings.append(made)
        notes += more
    contents = JudgedLabels(
        people=rows, labelled=~blank, judges=tuple(readings), judge_names=tuple(one.name for one in judges), **about
    )
    return Table(names, contents, design, tuple(notes))


def _present(one: Coded, blank: Array) -> Coded:
    """Return a column without the places of blanks in its list."""
    return replace(one, present=np.unique(one.codes[~blank])) if blank.any() else one


def _readings(
    judge: JudgeColumn, rows: Labels, place: Mapping[Any, int], design: Design
) -> tuple[tuple[Reading, ...], list[str]]:
    """Return a judge's readings, and a note on answers that are no class."""
    if judge.numbers is not None:
        return _scored(judge, rows), []
    codes = np.array([place.get(value, -1) for value in judge.coded.values], dtype=np.int64)[judge.coded.codes]
    codes = np.where(judge.blank, -1, codes)
    odd = (codes < 0) & ~judge.blank
    if not (codes >= 0).any() and odd.any():
        said = quoted(_present(judge.coded, judge.blank).occurring(), most=5)
        raise InputError(messages.JUDGE_SAYS_NONE_OF_IS_CLASS(judge=judge.name, said=said, place=quoted(place, most=5)))
    found = label_reading(rows, codes)
    if not odd.any():
        return (found,), []
    said = quoted(sorted({str(judge.coded.values[code]) for code in judge.coded.codes[odd].tolist()}), most=5)
    number = int(design.counts[odd].sum())
    rows_said = f"{number} row{'s' * (number != 1)}"
    return (found,), [marked("judge says no class", judge=judge.name, said=said, rows=rows_said)]


def _scored(judge: JudgeColumn, rows: Labels) -> tuple[Reading, ...]:
    """Return a score as two readings: so much of the positive class, and the rest of the other."""
    if len(rows.labels) != 2 or rows.pos_label is None:
        raise InputError(messages.JUDGE_HOLDS_SCORES(judge=judge.name, labels=quoted(rows.labels, most=5)))
    assert judge.numbers is not None
    return score_readings(rows, judge.numbers[np.asarray(judge.coded.values)][judge.coded.codes])


def judged_values(
    values: Any, judge: Any, *, range: Any = None, better: Better | None = "higher", sample_weight: Any = None,
    groups: Any = None,
) -> Table:  # fmt: skip
    """Return the table of numbers that people gave in some rows and a judge in all, for each model."""
    ends = checked_range(range)
    named, told = by_model("values", values), by_model("judge", judge)
    if list(told) == ["model"] and len(named) == 1:
        told = dict(zip(named, told.values(), strict=True))
    if set(told) != set(named):
        raise InputError(messages.JUDGE_HAS_NUMBERS_FOR_BUT_MODELS(told=quoted(told), named=quoted(named)))
    people = np.stack([read_floats(f'values "{name}"', column) for name, column in named.items()], axis=1)
    answers = np.stack([read_floats(f'judge "{name}"', told[name]) for name in named], axis=1)
    check_equal_lengths({"values": len(people), "judge": len(answers)})
    labelled, partly = ~np.isnan(people).any(1), ~np.isnan(people).all(1)
    row = first_row(labelled != partly)
    if row is not None:
        raise InputError(messages.VALUES_HAS_NUMBERS_OF_PEOPLE(row=row))
    answered = ~np.isnan(answers).any(1)
    for name, column, seen in (("values", people, labelled), ("judge", answers, answered)):
        for held in column.T:
            check_within(name, np.where(seen, held, 0.0 if range is None else ends[0]), ends)
    design = sampled("values", len(people), weight=sample_weight, groups=groups)
    rows = RowValues(np.where(labelled[:, None], people, 0.0), ends, better)
    reading = Reading(replace(rows, values=np.where(answered[:, None], answers, 0.0)), answered.astype(float))
    contents = JudgedValues(people=rows, labelled=labelled, judges=((reading,),))
    return Table(tuple(named), contents, design).merged()
