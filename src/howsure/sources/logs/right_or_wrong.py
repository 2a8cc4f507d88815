"""Right and wrong answers of models to the same questions, paired question by question.

They become a table whose truth is 1 in every row ("should be right") and whose prediction is 1 where the answer was
right: accuracy, which is then recall too, is the share of right answers, and models are compared on the same questions.
Precision and F1 have no meaning for such a table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, nearest, quoted
from howsure.errors.messages.sources import logs as messages
from howsure.results.base import note_of
from howsure.results.sentences.phrases import marked
from howsure.sources.files.distinct_rows import ON_BAD
from howsure.sources.kinds.labels import table
from howsure.sources.kinds.values import values_table
from howsure.tables.table import Table

LogPath = str | PathLike[str]
RIGHT = note_of("right and wrong", "answers")
UNEQUAL = marked("unequal answers")
_WORDS = {"c": 1, "correct": 1, "yes": 1, "true": 1, "i": 0, "incorrect": 0, "n": 0, "no": 0, "false": 0}


@dataclass(frozen=True)
class Run:
    """The answers of one model: right (1), wrong (0), another number, or None; ``prints`` tell questions apart.

    ``why`` says of a question that is neither right nor wrong what came instead, ``about`` what else the log knows of
    it: its subject.
    """

    name: str
    answers: Mapping[Any, float | None]
    prints: Mapping[Any, str]
    why: Mapping[Any, str] = field(default_factory=dict)
    about: Mapping[Any, Mapping[str, Any]] = field(default_factory=dict)

    def joined(self, other: Run) -> Run:
        """Return the run with the answers of another file of it."""
        parts = ("answers", "prints", "why", "about")
        both: Any = {part: {**getattr(self, part), **getattr(other, part)} for part in parts}
        return replace(self, **both)


def names_apart(values: Sequence[Any]) -> list[str]:
    """Return values as text; where two of them would read the same, such as 1 and "1", as Python writes them.

    >>> names_apart([1, 2]), names_apart([1, "1"])
    (['1', '2'], ['1', "'1'"])
    """
    texts = list(map(str, values))
    return texts if len(set(texts)) == len(set(values)) else list(map(repr, values))


def listed(sources: LogPath | Sequence[LogPath]) -> list[LogPath]:
    """Return one source or several as a list."""
    return [sources] if isinstance(sources, (str, PathLike)) else list(sources)


def right_or_wrong(value: Any) -> int | None:
    """Return a right answer as 1, a wrong one as 0, and None for anything else.

    >>> right_or_wrong(1.0), right_or_wrong(False), right_or_wrong("C"), right_or_wrong(0.5)
    (1, 0, 1, None)
    """
    if isinstance(value, str):
        lowered = value.strip().lower()
        return _WORDS.get(lowered, {"0": 0, "1": 1}.get(lowered.removesuffix(".0")))
    return int(value) if isinstance(value, (bool, int, float)) and value in (0, 1) else None


def scored_number(value: Any) -> float | None:
    """Return a right answer as 1, a wrong one as 0, any other finite number as itself, and None for anything else.

    >>> scored_number("C"), scored_number(0.25), scored_number("maybe")
    (1, 0.25, None)
    """
    known = right_or_wrong(value)
    if known is not None or isinstance(value, bool) or not isinstance(value, int | float):
        return known
    return float(value) if math.isfinite(value) else None


def paired_runs(runs: Sequence[Run], on_bad: str, *, notes: Sequence[str], grouped: bool = False) -> Table:
    """Return the table of runs on the same questions; questions that some run lacks are refused or left out."""
    check_choice("on_bad", on_bad, ON_BAD)
    for run in runs[1:]:
        _check_same(runs[0], run)
    everything = list(dict.fromkeys(question for run in runs for question in run.answers))
    said = [words for run in runs for words in _lacking(run, everything)]
    if said and on_bad == "refuse":
        whose = messages.RUNS_DID_NOT_ANSWER_SAME() if len(runs) > 1 else messages.RUN_DID_NOT_ANSWER_ALL()
        raise InputError(messages.QUESTIONS_EVERY_QUESTION_NEEDS_RIGHT(whose=whose, said="; ".join(said)))
    kept = [one for one in everything if all(run.answers.get(one) is not None for run in runs)]
    if not kept:
        raise InputError(messages.RUNS_HAVE_NO_QUESTION_IN_COMMON())
    left_out = [questions_left_out(len(kept), len(everything), "; ".join(said))] if said else []
    numbers = {run.name: np.array([run.answers[one] for one in kept], dtype=float) for run in runs}
    groups = names_apart([question[0] for question in kept]) if grouped else None
    if groups is not None and len(set(Counter(groups).values())) > 1:
        places, sizes = np.unique(groups, return_inverse=True, return_counts=True)[1:]
        means = {name: np.bincount(places, weights=column) / sizes for name, column in numbers.items()}
        return _values(means, None, (*notes, UNEQUAL, *left_out))
    if not all(np.isin(column, (0.0, 1.0)).all() for column in numbers.values()):
        return _values(numbers, groups, (*notes, *left_out))
    right = {name: column.astype(np.int8) for name, column in numbers.items()}
    made = table(np.ones(len(kept), dtype=np.int8), right, labels=(0, 1), groups=groups)
    answers = replace(made.contents, answers=True)
    return replace(made, contents=answers, notes=(*made.notes, *notes, RIGHT, *left_out))


def sliced_runs(
    runs: Sequence[Run], by: str, on_bad: str, *, notes: Sequence[str], grouped: bool = False
) -> dict[Any, Table]:
    """Return one table for each value of a field of the questions, such as their subject."""
    where: dict[Any, Any] = {}
    for run in runs:
        kinds = {question: _kind(about, by) for question, about in run.about.items()}
        where |= {question: kind for question, kind in kinds.items() if kind is not None}
    lacking = [question for run in runs for question in run.answers if question not in where]
    if lacking:
        fields = sorted({str(key) for run in runs for about in run.about.values() for key in about})
        raise InputError(
            messages.BY_QUESTION_FIELDS_OF_QUESTIONS(
                by=by, lacking=lacking[0], fields=quoted(fields), hint=nearest(by, fields)
            )
        )
    found = {}
    for kind in sorted(set(where.values())):
        some = [
            replace(run, answers={one: value for one, value in run.answers.items() if where[one] == kind})
            for run in runs
        ]
        found[kind] = paired_runs(some, on_bad, notes=notes, grouped=grouped)
    return found


def _kind(about: Mapping[str, Any], by: str) -> str | None:
    """Return a field of a question as text: "subject", or inside another one, "doc.subject"; None where it has none.

    Several tags are one kind together, whatever their order, so that slices share no question.

    >>> _kind({"subject": "law"}, "doc.subject"), _kind({"tags": ["b", "a"]}, "tags"), _kind({}, "tags")
    ('law', 'a, b', None)
    """
    found: Any = about
    inner = by if by in about else by.removeprefix("doc.").removeprefix("metadata.")
    for name in [inner] if inner in about else inner.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    if isinstance(found, list):
        return ", ".join(sorted(map(str, found)))
    return None if found is None else str(found)


def _values(numbers: Mapping[str, Any], groups: Sequence[str] | None, notes: Sequence[str]) -> Table:
    """Return the table of numbers that are no right or wrong answers; shares where all lie between 0 and 1."""
    inside = all((column >= 0).all() and (column <= 1).all() for column in numbers.values())
    said = note_of("values as shares" if inside else "values without range", "values")
    made = values_table(numbers, range=(0, 1) if inside else None, groups=groups)
    return replace(made, notes=(*made.notes, *notes, said))


def _check_same(first: Run, other: Run) -> None:
    differ = [one for one, mark in first.prints.items() if mark and other.prints.get(one, mark) not in (mark, "")]
    if differ:
        raise InputError(
            messages.QUESTION_IS_NOT_SAME(differ=differ[0], first=first.name, other=other.name, number=len(differ) - 1)
        )


def questions_left_out(kept: int, asked: int, why: str) -> str:
    """Return the note for questions left out."""
    return marked("questions left out", lost=f"{asked - kept:,}", total=f"{asked:,}", why=why)


def _lacking(run: Run, everything: Sequence[Any]) -> Iterator[str]:
    absent = [one for one in everything if one not in run.answers]
    unscored = [one for one, answer in run.answers.items() if answer is None]
    for some, words in ((absent, "lacks"), (unscored, "has neither right nor wrong for")):
        if some:
            reasons = Counter(run.why[one] for one in some if one in run.why)
            said = "".join(f", {number:,} with {reason}" for reason, number in reasons.most_common(3))
            yield f"{run.name!r} {words} {len(some):,} ({quoted(some, most=3)}){said}"
