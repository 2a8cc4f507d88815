"""hs.table: label columns of any kind to a Table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.errors import InputError, first_given
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Better, Label
from howsure.sources.arrays.blanks import read_blanked
from howsure.sources.arrays.numbers import by_model
from howsure.sources.arrays.tabulate import tabulate
from howsure.sources.kinds.annotated import Consensus, Ties, annotated_table
from howsure.sources.kinds.judged import judged_table, judged_values
from howsure.sources.kinds.label_sets import is_multilabel, multilabel_table
from howsure.sources.kinds.runs import columns_of_runs, refuse_runs
from howsure.sources.kinds.scores import score_table
from howsure.sources.kinds.values import values_table
from howsure.tables.kinds.scores import Thresholds
from howsure.tables.labels import Labels
from howsure.tables.sampling.runs import RunChoice
from howsure.tables.table import Table, positive_class


def table(
    y_true: Any = None,
    y_pred: Any = None,
    *,
    scores: Any = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    threshold: Thresholds | None = None,
    abstain: Label | None = None,
    decimals: int | None = None,
    values: Any = None,
    range: Any = None,
    better: Better | None = "higher",
    judge: Any = None,
    runs: RunChoice | None = None,
    paired_runs: bool = False,
    consensus: Consensus | None = None,
    ties: Ties = "split",
    annotators: RunChoice = "fixed",
) -> Table:
    """Count the distinct rows of truth and predictions, or hold those of truth and scores, or of row values.

    ``y_pred`` is one column of predicted labels, or a mapping (or data frame) of a column per model. Labels are
    integers, booleans or strings; without ``labels`` they are sorted, or in the order that ordered categories (pandas),
    an Enum (polars) or an ordered dictionary (Arrow) states. An n×L indicator matrix or a list of label sets makes a
    multi-label table. ``groups`` names what belongs together (patient, document, speaker); ``sample_weight`` is a
    sampling weight.

    ``scores`` in place of ``y_pred`` are probabilities or ranks of the positive class, one column a model, or arrays of
    shape (rows, classes) with a column for each of ``labels``. ``threshold`` says what a bare "f1" means on them: a
    number, one for each model, or "argmax". ``decimals`` rounds scores, so that those that differ by rounding tie.
    ``abstain`` is the label that a missing or blank prediction counts as; ``abstain="lowest"`` takes a missing score as
    the lowest.

    ``values`` in place of both is a number for each row, one column or one per model: a rubric, a share of right
    answers, a loss; its metric is "mean". ``range`` says between which ends values can lie, ``better`` which way is
    better ("higher", "lower" or None).

    Several runs of a model (training seeds, prompts, readers) are a list of columns, an array of shape (runs, rows), or
    a mapping from run to column. A value is then the mean over runs, and runs are sampled as rows are; ``runs="fixed"``
    means these very runs. ``paired_runs=True`` says that run k is the same prompt or reader in every model.

    ``judge`` is what a judge (a language model, say) answers in every row, one column or a mapping of several; then
    ``y_true`` is None, nan or blank where nobody looked. Fractions between 0 and 1 are its scores of the positive
    class, a missing answer is none. With ``values``, missing where nobody looked, it is a number for each model.

    Several annotators are a mapping of a column each in place of ``y_true``. ``consensus`` "majority" takes the label
    that most gave; where labels tie the row counts in parts (``ties`` "split") or is left out ("drop"). "mean" is the
    mean of a metric over the annotators; "others" shows them as one more model: each against the consensus of the
    others, and the models against the same. There ``annotators`` may be "random": others like these would differ.

    >>> table([1, 0, 1, 1], [1, 0, 0, 1])
    Table(4 rows, 2 labels, 1 model)
    >>> table([1, 0, 1, 1], scores=[0.9, 0.2, 0.4, 0.7])
    Table(4 rows, 2 labels, 1 model, scores)
    >>> from howsure import estimate
    >>> round(estimate(table(values=[0.5, 1.0, 0.75, 0.25], range=(0, 1)), "mean").value, 3)
    0.625
    """
    how: Any = {"choice": runs, "paired": paired_runs}
    rows = len(y_true) if hasattr(y_true, "__len__") and getattr(y_true, "ndim", 1) != 0 else None
    if scores is not None:
        if astray := first_given({"y_pred": y_pred, "values": values, "range": range, "judge": judge}):
            raise InputError(messages.GIVEN_BESIDE_SCORES(name=astray))
        parts = columns_of_runs("scores", by_model("scores", scores, of="scores"), rows=rows, wide=True, **how)
        return parts.table(score_table(
            y_true, parts.columns, labels=labels, pos_label=pos_label, sample_weight=sample_weight, groups=groups,
            threshold=parts.by_column(threshold), abstain=abstain, decimals=decimals,
        ))  # fmt: skip
    for option, value in (("threshold", threshold), ("decimals", decimals)):
        if value is not None:
            raise InputError(messages.GOES_WITH_SCORES(option=option, value=value))
    if abstain is not None and (values is not None or judge is not None or isinstance(y_true, Mapping)):
        raise InputError(messages.ABSTAIN_GOES_WITH_LABELS_OR_SCORES(value=abstain))
    if consensus is not None or isinstance(y_true, Mapping):
        return _annotated(
            y_true, y_pred, {"values": values, "judge": judge, "runs": runs, "paired_runs": paired_runs or None},
            consensus=consensus or "majority", ties=ties, annotators=annotators, labels=labels, pos_label=pos_label,
            sample_weight=sample_weight, groups=groups,
        )  # fmt: skip
    _check_asked(y_true, y_pred, values, {"labels": labels, "pos_label": pos_label}, range)
    if values is not None:
        parts = columns_of_runs("values", by_model("values", values), rows=None, **how)
        shared: Any = {"range": range, "better": better, "sample_weight": sample_weight, "groups": groups}
        if judge is None:
            return parts.table(values_table(parts.columns, **shared))
        refuse_runs(parts, "judge")
        return judged_values(values, judge, **shared)
    if judge is not None:
        alone = columns_of_runs("y_pred", named_predictions(y_pred), rows=rows, **how)
        refuse_runs(alone, "judge")
        more: Any = {"labels": labels, "pos_label": pos_label, "weight": sample_weight, "groups": groups}
        return judged_table(y_true, alone.columns, judge, **more)
    several = is_multilabel(y_true)
    if several and abstain is not None:
        raise InputError(messages.ABSTAIN_GOES_WITH_LABELS_OR_SCORES(value=abstain))
    # A frame beside several labels per row is one model's indicators, not a column per model.
    predictions = named_predictions({"model": y_pred} if several and hasattr(y_pred, "columns") else y_pred)
    parts = columns_of_runs("y_pred", predictions, rows=rows, sets=several, **how)
    if several:
        return parts.table(
            multilabel_table(
                y_true, parts.columns, labels=labels, pos_label=pos_label, weight=sample_weight, groups=groups
            )
        )
    columns = parts.columns if abstain is None else _answered(parts.columns, abstain)
    tally = tabulate(y_true, columns, labels=labels, weight=sample_weight, groups=groups)
    held = Labels(
        tally.truth, tally.predictions, labels=tally.labels, ordered=tally.ordered,
        **positive_class(tally.labels, pos_label),
    )  # fmt: skip
    made = parts.table(Table(tally.models, held, tally.design, tally.notes))
    name = getattr(groups, "name", None)
    return made.grouped_by(name) if isinstance(name, str) and name else made


def _answered(columns: Mapping[str, Any], abstain: Label) -> dict[str, Any]:
    """Return predictions with a label for those that are missing or blank."""
    read = {name: read_blanked(name, column) for name, column in columns.items()}
    return {
        name: [abstain if one.blank(label) else label for label in one.column.labels()] for name, one in read.items()
    }


def _annotated(y_true: Any, y_pred: Any, others: Mapping[str, Any], **how: Any) -> Table:
    """Return the table of a truth that several annotators gave."""
    if astray := first_given(others):
        raise InputError(messages.GIVEN_BESIDE_SEVERAL_ANNOTATORS(name=astray))
    if y_pred is None or (not isinstance(y_true, Mapping) and not hasattr(y_true, "columns")):
        raise InputError(messages.CONSENSUS_IS_FOR_SEVERAL_ANNOTATORS())
    return annotated_table(table, by_model("y_true", y_true, of="labels"), named_predictions(y_pred), **how)


def _check_asked(y_true: Any, y_pred: Any, values: Any, of_labels: Mapping[str, Any], range: Any) -> None:
    """Refuse labels beside values, half of what labels need, and what the other kind of data has no use for."""
    if values is None:
        if y_true is None or y_pred is None:
            raise InputError(
                messages.MISSING_GIVE_TRUE_AND_PREDICTED_LABELS(which="y_pred" if y_pred is None else "y_true")
            )
        if range is not None:
            raise InputError.of("range", range, messages.BELONGS_TO_ROW_VALUES(), messages.GIVE_THEM_WITH_VALUES())
        return
    if astray := first_given({"y_true": y_true, "y_pred": y_pred, **of_labels}):
        raise InputError(messages.GIVEN_BESIDE_VALUES(name=astray))


def named_predictions(y_pred: Any) -> dict[str, Any]:
    """Return the predictions by model name: a mapping or a frame as it is, a single column as "model"."""
    return by_model("y_pred", y_pred, of="predictions")
