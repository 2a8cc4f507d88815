"""Every message about the arguments of a call, word for word: which argument, what came, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import howsure as hs
from howsure import scores
from refusals import refusal

BINARY = hs.counts(tp=7, fp=2, fn=1, tn=5)


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "level": (
        lambda: hs.estimate(BINARY, "f1", level=95),
        "level is 95; it must lie strictly between 0 and 1, such as 0.95",
    ),
    "level that is no number": (
        lambda: hs.estimate(BINARY, "f1", level="0.95"),  # type: ignore[arg-type]
        "level is '0.95'; it must lie strictly between 0 and 1, such as 0.95",
    ),
    "side": (
        lambda: hs.estimate(BINARY, "f1", side="left"),  # type: ignore[arg-type]
        "side is 'left'; it must be one of 'both', 'lower', 'upper'",
    ),
    "undefined": (
        lambda: hs.estimate(BINARY, "f1", undefined="drop"),  # type: ignore[arg-type]
        "undefined is 'drop'; it must be one of 'nan', 'skip', 'zero'",
    ),
    "not a table": (
        lambda: hs.estimate([[1, 2], [3, 4]], "f1"),  # type: ignore[arg-type]
        "table is of type list; make a Table first: howsure.table(y_true, y_pred), "
        "howsure.counts(tp=…, fp=…, fn=…), howsure.matrix(…, rows=…) or howsure.read(file)",
    ),
    "no metrics": (
        lambda: hs.report(BINARY, []),
        "metrics is empty; name at least one, or leave it out for the usual ones",
    ),
    "weights of kappa": (
        lambda: scores.cohen_kappa_score([0, 1], [0, 1], weights="cubic"),
        "weights is 'cubic'; it must be one of None, 'linear', 'quadratic'",
    ),
    "labels of kappa": (
        lambda: scores.cohen_kappa_score([0, 1], [0, 1], labels=[5, 6]),
        "labels 5, 6 occur in no row; name labels that do: 0, 1",
    ),
    "average": (
        lambda: scores.f1_score([0, 1], [0, 1], average="mean"),
        "average is 'mean'; it must be one of None, 'binary', 'micro', 'macro', 'weighted', 'samples'",
    ),
    "samples of one label": (
        lambda: scores.f1_score([0, 1], [0, 1], average="samples"),
        "average is 'samples', which is for multi-label input; each row here has one label",
    ),
    "binary of three": (
        lambda: scores.f1_score([0, 1, 2], [0, 1, 1]),
        "average is 'binary', but the data are 3 labels (0, 1, 2); choose average='macro', 'micro', 'weighted' or None",
    ),
    "binary of sets": (
        lambda: scores.f1_score(np.eye(2), np.eye(2)),
        "average is 'binary', but the data are multi-label; choose average='macro', 'micro', 'weighted' or None",
    ),
    "positive label": (
        lambda: scores.f1_score(["no", "yes"], ["no", "no"]),
        "pos_label is 1, which is not among the labels 'no', 'yes'; pass one of them",
    ),
    "zero division": (
        lambda: scores.f1_score([0, 1], [0, 1], zero_division=0.5),
        "zero_division is 0.5; it must be 'warn', 0, 1 or nan",
    ),
    "target names": (
        lambda: scores.classification_report([0, 1], [0, 1], target_names=["zero"]),
        "target_names has 1 names but there are 2 labels; give one name per label",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_call_message(case: str) -> None:
    call, message = CALLS[case]
    assert refusal(call, hs.InputError) == message


def test_unknown_method_suggests_the_nearest() -> None:
    with pytest.raises(hs.MethodError) as caught:
        hs.estimate(BINARY, "f1", method="wold")
    assert str(caught.value).startswith("method 'wold' is not known. Did you mean 'wald'? Known: ")


def test_every_error_is_a_value_error() -> None:
    for error in (hs.HowsureError, hs.InputError, hs.MetricError, hs.MethodError):
        assert issubclass(error, ValueError)
