"""Distinct rows as any engine counts them, judged by one set of rules and made into a Table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from howsure.errors import InputError, check_choice
from howsure.errors.messages.sources import files as messages
from howsure.metrics.metric import Label
from howsure.sources.arrays.bad_values import (
    ABSENT,
    NO_WEIGHT,
    SMALLEST,
    Fault,
    Faults,
    is_missing,
    refuse_text_scores,
    score_among,
    status_of,
)
from howsure.sources.arrays.digits import digit_type
from howsure.sources.arrays.tabulate import tabulate
from howsure.tables.design import Design
from howsure.tables.labels import Labels
from howsure.tables.table import Table, positive_class
from howsure.types import Array, Ints

ON_BAD = ("refuse", "skip")
_UNHASHABLE = (list, dict, set, np.ndarray)
MOST_CELLS = 20_000_000
"""Rows × columns of a table that is held in memory; beyond it, models are counted in pairs."""
MOST_PAIR_ROWS = 20_000_000
"""Distinct rows of all pairs together; beyond it, memory would not hold them either."""


class Factor(NamedTuple):
    """A column as places in a list of values; a missing value is None, nan or the like."""

    codes: Ints
    values: list[Any]

    def take(self, chosen: Any) -> Factor:
        """Return some of the rows."""
        return Factor(self.codes[chosen], self.values)

    def decoded(self, decode: Callable[[Any], Any]) -> Factor:
        """Return the column with its values read in another way."""
        return Factor(self.codes, [decode(value) for value in self.values])

    def unified(self) -> Factor:
        """Return the column with equal values, such as 1 and 1.0, as one."""
        found = factor(self.values)
        return self if len(found.values) == len(self.values) else Factor(found.codes[self.codes], found.values)

    def occurring(self) -> list[Any]:
        """Return the values that occur."""
        return [self.values[place] for place in np.unique(self.codes).tolist()]


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column plays which part; ``predictions`` maps a model's name to its column."""

    truth: str
    predictions: Mapping[str, str]
    group: str | None = None
    weight: str | None = None
    by: str | None = None
    judges: Mapping[str, str] = field(default_factory=dict)

    def parts(self) -> dict[str, str]:
        """Return the columns that make rows distinct, by the part they play."""
        named = {"truth": self.truth, **{f"prediction {name}": column for name, column in self.predictions.items()}}
        named |= {f"judge {name}": column for name, column in self.judges.items()}
        extra = {"group": self.group, "by": self.by}
        return named | {part: column for part, column in extra.items() if column is not None}

    def every(self) -> dict[str, str]:
        """Return all columns by the part they play, the weight too."""
        return self.parts() | ({} if self.weight is None else {"weight": self.weight})

    def by_argument(self) -> list[tuple[str, str]]:
        """Return all columns with the arguments that name them."""
        said = {"prediction": "predictions", "judge": "judge"}
        return [(said.get(part.split(" ")[0], part), one) for part, one in self.every().items()]

    def of_models(self, models: Sequence[str]) -> Roles:
        """Return the parts for some of the models."""
        chosen = {name: self.predictions[name] for name in models}
        return replace(self, predictions=chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """Distinct rows with what a source summed over each: rows, and ``powers``, weights, their squares and cubes.

    ``weighable`` is False where a row's weight was missing, negative or not finite. ``faults`` are rows that the
    source could not read at all, such as lines with too few fields.
    """

    roles: Roles
    truth: Factor
    predictions: Mapping[str, Factor]
    counts: Array
    powers: Sequence[Array] | None = None
    weighable: Array | None = None
    group: Factor | None = None
    by: Factor | None = None
    judges: Mapping[str, Factor] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def labelled(self) -> dict[str, Factor]:
        """Return the columns that hold labels, truth first."""
        return {self.roles.truth: self.truth, **self.predictions}

    def has_text(self) -> bool:
        """Say whether any label is text."""
        return any(isinstance(value, str) for column in self.labelled().values() for value in column.values)

    def take(self, chosen: Any) -> Distinct:
        """Return some of the rows."""
        return replace(
            self,
            truth=self.truth.take(chosen),
            predictions={name: column.take(chosen) for name, column in self.predictions.items()},
            judges={name: column.take(chosen) for name, column in self.judges.items()},
            counts=self.counts[chosen],
            powers=self.powers and [part[chosen] for part in self.powers],
            weighable=None if self.weighable is None else self.weighable[chosen],
            group=self.group and self.group.take(chosen),
            by=self.by and self.by.take(chosen),
        )


def nowhere(column: str, is_bad: Callable[[Any], bool]) -> str:
    """Return nothing: the place of a bad row is unknown where rows have no order."""
    return ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user asked for, and how the source names itself and finds the first row with a bad value."""

    labels: Sequence[Label] | None = None
    pos_label: Label | None = None
    on_bad: str = "refuse"
    abstain: Label | None = None
    source: str = "data"
    where: Callable[[str, Callable[[Any], bool]], str] = field(default=nowhere)
    order: Sequence[Label] | None = None
    """The classes in their order, where the type of a column states one."""

    def __post_init__(self) -> None:
        check_choice("on_bad", self.on_bad, ON_BAD)


def factor(values: Sequence[Any]) -> Factor:
    """Return a column of Python objects as places in the list of its distinct ones.

    >>> factor(["b", None, "b"])
    Factor(codes=array([0, 1, 0]), values=['b', None])
    """
    try:
        places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        if any(isinstance(value, _UNHASHABLE) for value in values):
            return _nested(values)
        raise
    return Factor(np.fromiter(map(places.__getitem__, values), np.int64, len(values)), list(places))


def _nested(values: Sequence[Any]) -> Factor:
    """Return the same where some values are lists and the like, which are compared by their text."""
    keys = [repr(value) if isinstance(value, _UNHASHABLE) else value for value in values]
    found = factor(keys)
    first = np.unique(found.codes, return_index=True)[1]
    return Factor(found.codes, [values[place] for place in first.tolist()])


def table_of(distinct: Distinct, rules: Rules, *, notes: Iterable[str] = ()) -> Table:
    """Return the table of distinct rows; rows that cannot be counted are refused, or left out and noted."""
    return next(iter(tables_of(replace(distinct, by=None), rules, notes=notes).values()))


def tables_of(distinct: Distinct, rules: Rules, *, notes: Iterable[str] = ()) -> dict[Any, Table]:
    """Return one table per value of ``by`` (a single one without), all with the same labels."""
    merged = replace(
        distinct, group=distinct.group and distinct.group.unified(), by=distinct.by and distinct.by.unified()
    )
    kept, remarks = _usable(_filled(merged, rules), rules)
    whole = (_with_judge if kept.judges else _without_judge)(kept, rules, (*notes, *remarks))
    if kept.by is None:
        return {None: whole.merged()}
    return {value: whole.some_rows(kept.by.codes == place).merged() for place, value in _sorted_values(kept.by)}


def _without_judge(kept: Distinct, rules: Rules, notes: tuple[str, ...]) -> Table:
    labels, ordered = _labels(kept, rules)
    place = {label: index for index, label in enumerate(labels)}
    truth, *others = (_placed(column, place) for column in kept.labelled().values())
    rows = Labels(
        truth, np.stack(others, axis=1), labels=labels, ordered=ordered, **positive_class(labels, rules.pos_label)
    )
    return Table(tuple(kept.predictions), rows, _design(kept), notes)


def _with_judge(kept: Distinct, rules: Rules, notes: tuple[str, ...]) -> Table:
    """Return the rows that a judge answered, and people in part."""
    from howsure.sources.kinds.judged import judged_of_factors  # with all that is known of judges

    made = judged_of_factors(
        (kept.roles.truth, kept.truth), kept.predictions, kept.judges, _design(kept), labels=rules.labels,
        pos_label=rules.pos_label, order=rules.order,
    )  # fmt: skip
    return replace(made, notes=(*notes, *made.notes))


def _filled(distinct: Distinct, rules: Rules) -> Distinct:
    """Return the rows with the label for abstentions in place of missing predictions."""
    if rules.abstain is None:
        return distinct

    def fill(value: Any) -> Any:
        return rules.abstain if is_missing(value) else value

    return replace(distinct, predictions={name: one.decoded(fill) for name, one in distinct.predictions.items()})


def _usable(distinct: Distinct, rules: Rules) -> tuple[Distinct, tuple[str, ...]]:
    """Return the rows that can be counted, and notes on those that cannot."""
    found = Faults(distinct.faults)
    bad = np.zeros(len(distinct.counts), dtype=bool)
    text = _is_text(distinct, rules)
    for name, column in distinct.predictions.items() if text else ():
        score = score_among(column.values, distinct.truth.values)
        if score is not None:
            raise refuse_text_scores(score, name, rules.source)
    for name, column in distinct.labelled().items():

        def judge(value: Any, *, name: str = name) -> str:
            return status_of(value, text=text, labels=rules.labels, column=name, source=rules.source)

        if name == distinct.roles.truth and distinct.judges:
            continue  # where nobody looked a judge did
        bad |= _judged(column, name, judge, distinct, found, rules)
    for part, column_name in ((distinct.group, distinct.roles.group), (distinct.by, distinct.roles.by)):
        if part is not None:
            bad |= _judged(part, str(column_name), _absent, distinct, found, rules)
    if distinct.weighable is not None:
        bad |= ~distinct.weighable
        wrong = int(distinct.counts[~distinct.weighable].sum())
        found.add(Fault(str(distinct.roles.weight), NO_WEIGHT, wrong))
    return _without(distinct, bad, found, rules)


def _absent(value: Any) -> str:
    return ABSENT if is_missing(value) else ""


def _is_text(distinct: Distinct, rules: Rules) -> bool:
    """Say whether labels are text: as in the labels given, else as in most rows of the truth."""
    if rules.labels is not None:
        return any(isinstance(label, str) for label in rules.labels)
    column = distinct.truth
    if distinct.judges and all(map(is_missing, column.values)):  # nobody looked anywhere
        column = next(iter(distinct.predictions.values()))
    rows = np.bincount(column.codes, weights=distinct.counts, minlength=len(column.values))
    kinds = [(isinstance(value, str), n) for value, n in zip(column.values, rows, strict=True) if not is_missing(value)]
    return bool(sum(n if text else -n for text, n in kinds) > 0)


def _judged(
    column: Factor, name: str, judge: Callable[[Any], str], distinct: Distinct, found: Faults, rules: Rules
) -> Ints:
    """Return which rows are bad in one column, and add the faults with their numbers of rows."""
    statuses = [judge(value) for value in column.values]
    rows = np.bincount(column.codes, weights=distinct.counts, minlength=len(statuses))
    for status in sorted(set(filter(None, statuses))):
        having = [
            (n, str(value), value) for value, one, n in zip(column.values, statuses, rows, strict=True) if one == status
        ]
        number = int(sum(entry[0] for entry in having))
        example = min(having, key=lambda entry: (-entry[0], entry[1]))[2]

        def has_it(value: Any, *, status: str = status) -> bool:
            return judge(value) == status

        found.add(Fault(name, status, number, example, rules.where(name, has_it) if number else ""))
    return np.array([bool(status) for status in statuses], dtype=bool)[column.codes]


def _without(distinct: Distinct, bad: Ints, found: Faults, rules: Rules) -> tuple[Distinct, tuple[str, ...]]:
    lost = int(distinct.counts[bad].sum()) + sum(fault.rows for fault in distinct.faults)
    total = int(distinct.counts.sum()) + sum(fault.rows for fault in distinct.faults)
    if lost and rules.on_bad == "refuse":
        raise found.refusal(rules.source, lost, total)
    if lost == total:
        raise found.nothing_left(rules.source, total)
    kept = distinct.take(~bad) if bad.any() else distinct
    name, most = kept.roles.weight, kept.powers[0].max() if kept.powers else 1.0
    if 0 < most < SMALLEST:
        raise InputError(
            messages.WEIGHT_IS_AT_MOST_IN_EVERY(source=rules.source, weight_name=name, most=most, smallest=SMALLEST)
        )
    if not most > 0:
        raise InputError(messages.WEIGHT_IS_ZERO_IN_EVERY_ROW(source=rules.source, weight_name=name))
    return kept, (found.note(lost, total),) if lost else ()


def _labels(distinct: Distinct, rules: Rules) -> tuple[tuple[Label, ...], bool]:
    """Return the labels, and whether they have an order, as for arrays: from each column's distinct values."""
    columns = {name: column.occurring() for name, column in distinct.labelled().items()}
    longest = max(map(len, columns.values()))
    truth, *others = ([*values, *values[:1] * (longest - len(values))] for values in columns.values())
    names = list(distinct.predictions)
    found = tabulate(truth, dict(zip(names, others, strict=True)), labels=rules.labels, order=rules.order)
    return found.labels, found.ordered


def _design(distinct: Distinct) -> Design:
    group_labels: tuple[Any, ...] = ()
    groups = None
    if distinct.group is not None:
        group_labels = tuple(value for _, value in _sorted_values(distinct.group))
        groups = _placed(distinct.group, {value: index for index, value in enumerate(group_labels)})
    counts = np.asarray(distinct.counts, dtype=float)
    weights, squares, cubes = distinct.powers or (counts, counts, counts)
    return Design(counts, weights, squares, groups, group_labels, cubes=cubes)


def _placed(column: Factor, place: Mapping[Any, int]) -> Ints:
    places = [0 if isinstance(value, _UNHASHABLE) else place.get(value, 0) for value in column.values]
    return np.array(places, dtype=digit_type(len(place)))[column.codes]


def _sorted_values(column: Factor) -> list[tuple[int, Any]]:
    """Return the values that occur with their places, in order where they have one."""
    found = [(place, column.values[place]) for place in np.unique(column.codes).tolist()]
    mixed = len({isinstance(value, str) for _, value in found}) > 1
    return sorted(found, key=lambda pair: str(pair[1]) if mixed else pair[1])
