"""Truth of several annotators: the label that most of them gave, their mean, or each beside the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Literal

import numpy as np

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Label
from howsure.results.base import note_of
from howsure.results.words import amount, count
from howsure.sources.arrays.numbers import check_equal_lengths, sampled
from howsure.sources.kinds.ratings import labels_with_gaps
from howsure.tables.kinds.annotators.annotated import AnnotatedLabels
from howsure.tables.sampling.runs import CHOICES, ModelRuns, RunChoice
from howsure.tables.table import Table, positive_class
from howsure.types import Array, Ints

Consensus = Literal["majority", "mean", "others"]
Ties = Literal["split", "drop"]
CONSENSUS = ("majority", "mean", "others")
TIES = ("split", "drop")
PEOPLE = "annotator"


def annotated_table(
    make: Callable[..., Table], named: Mapping[str, Any], predictions: Mapping[str, Any], *,
    consensus: Consensus = "majority", ties: Ties = "split", annotators: RunChoice = "fixed",
    labels: Sequence[Label] | None = None, pos_label: Label | None = None, sample_weight: Any = None,
    groups: Any = None,
) -> Table:  # fmt: skip
    """Return the table of models against what several annotators said; ``make`` makes one of a single truth.

    "majority": the label that most gave; a tie counts in parts for the labels that tie (``ties="split"``), or its row
    is left out ("drop"). "mean": the mean of a metric over the annotators. "others": each annotator as a model, the
    mean over annotators of their score against the consensus of the others, beside that of the models.
    """
    check_choice("consensus", consensus, CONSENSUS)
    check_choice("ties", ties, TIES)
    check_choice("annotators", annotators, CHOICES)
    _check_names(named, predictions)
    codes, found = labels_with_gaps({**named, **predictions}, labels)
    people, guesses = codes[:, : len(named)], codes[:, len(named) :]
    _check_gaps(consensus, people, guesses, named, predictions)
    if consensus == "majority":
        made = _of_majority(
            make, people, guesses, found, tuple(predictions), ties, pos_label=pos_label, sample_weight=sample_weight,
            groups=groups,
        )  # fmt: skip
        return replace(made, contents=replace(made.contents, ordered=_ordered(labels, found)))
    design = sampled("y_true", len(codes), weight=sample_weight, groups=groups)
    models = tuple(predictions) if consensus == "mean" else (PEOPLE, *predictions)
    runs = ModelRuns((tuple(named),) * len(models), annotators, True, PEOPLE, of_truth=True)
    shared: dict[str, Any] = {
        "labels": found, "ordered": _ordered(labels, found), **positive_class(found, pos_label)
    }  # fmt: skip
    each, places = range(len(named)), range(len(predictions))
    votes = (people[:, :, None] == np.arange(len(found))).astype(float)
    if consensus == "mean":
        pairs = tuple((who, model) for model in places for who in each)
        rows = AnnotatedLabels(votes, guesses, pairs, **shared)
        return Table(models, rows, replace(design, runs=runs)).merged()
    rest = _winners(votes.sum(1, keepdims=True) - votes)
    truths = rest / rest.sum(2, keepdims=True)
    pairs = (*((who, who) for who in each), *((who, len(named) + model) for model in places for who in each))
    rows = AnnotatedLabels(truths, codes, pairs, **shared)
    return Table(models, rows, replace(design, runs=runs)).merged()


def _ordered(labels: Sequence[Label] | None, found: Sequence[Label]) -> bool:
    """Say whether the order of the labels means something: text in the order of its letters has none."""
    return labels is not None or not isinstance(found[0], str)


def _winners(votes: Array) -> Array:
    """Return 1 for each label that has the most votes (last axis)."""
    return np.asarray(votes == votes.max(-1, keepdims=True), dtype=float)


def _of_majority(
    make: Callable[..., Table], people: Ints, guesses: Ints, found: tuple[Label, ...], models: tuple[str, ...],
    ties: Ties, *, pos_label: Label | None, sample_weight: Any, groups: Any,
) -> Table:  # fmt: skip
    """Return a plain table of labels; a row that ties stands there in parts, each less than a row."""
    winners = _winners((people[:, :, None] == np.arange(len(found))).sum(1))
    many = winners.sum(1).astype(int)
    weight, group = (None if one is None else np.asarray(one) for one in (sample_weight, groups))
    check_equal_lengths({"y_true": len(people)} | {
        name: len(one) for name, one in (("sample_weight", weight), ("groups", group)) if one is not None
    })  # fmt: skip

    def of_rows(rows: Ints, place: int) -> Table:
        """Return the table of some rows, each with the label that comes at this place among its winners."""
        order = np.argsort(-winners[rows], axis=1, kind="stable")[:, place]
        made = make(
            [found[code] for code in order.tolist()],
            {name: [found[code] for code in column] for name, column in zip(models, guesses[rows].T, strict=True)},
            labels=list(found), pos_label=pos_label,
            sample_weight=None if weight is None else weight[rows], groups=None if group is None else group[rows],
        )  # fmt: skip
        return made.scaled(1 / int(many[rows[0]])) if many[rows[0]] > 1 else made

    tied = int((many > 1).sum())
    if ties == "drop" and tied == len(many):
        raise InputError(messages.TIES_IS_DROP_AND_EVERY_ROW())
    sizes = [1] if ties == "drop" else sorted(set(many.tolist()))
    parts = [of_rows(np.flatnonzero(many == size), place) for size in sizes for place in range(size)]
    made = reduce(add, parts)
    said = note_of(
        "ties left out" if ties == "drop" else "ties in parts", "ties", tied=count(tied), rows=amount(len(many), "row")
    )
    return replace(made, notes=(*made.notes, said) if tied else made.notes)


def _check_names(named: Mapping[str, Any], predictions: Mapping[str, Any]) -> None:
    both = [name for name in predictions if name in named or name == PEOPLE]
    if both:
        raise InputError(messages.Y_PRED_CALLS_MODEL_IS_NAME(both=both[0]))


def _check_gaps(
    consensus: Consensus, people: Ints, guesses: Ints, named: Mapping[str, Any], predictions: Mapping[str, Any]
) -> None:
    """Refuse rows without a prediction or without any label; a mean over annotators needs all of them."""
    unsaid = (guesses < 0).any(0)
    if unsaid.any():
        name = list(predictions)[int(unsaid.argmax())]
        raise InputError(messages.Y_PRED_HAS_ROWS_WITHOUT_LABEL(name=name))
    if len(named) < 2 + (consensus == "others"):
        raise InputError(
            messages.Y_TRUE_HOLDS_ANNOTATOR(
                number=len(named),
                what="s" * (len(named) > 1),
                named=quoted(named),
                consensus=consensus,
                other_what=2 + (consensus == "others"),
            )
        )
    empty = int((people < 0).all(1).sum())
    if empty:
        raise InputError(messages.Y_TRUE_NO_ANNOTATOR_LABELLED(empty=amount(empty, "row")))
    gaps = (people < 0).any(0)
    if consensus != "majority" and gaps.any():
        name = list(named)[int(gaps.argmax())]
        raise InputError(
            messages.Y_TRUE_HAS_NO_LABEL_OF_ANNOTATOR(
                name=name, what=amount(int((people[:, gaps.argmax()] < 0).sum()), "row"), consensus=consensus
            )
        )
