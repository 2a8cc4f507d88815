"""Tensors of a real torch: tables and counters count them as they count arrays."""

from __future__ import annotations

from typing import Any

import pytest

import howsure as hs

pytestmark = pytest.mark.engines

torch = pytest.importorskip("torch", reason="needs the package 'torch', which no extra brings")

TRUTH, FIRST, SECOND = [1, 0, 1, 1, 0], [1, 1, 1, 0, 0], [0, 0, 1, 1, 0]
MATRICES = {"first": [[1, 1], [1, 2]], "second": [[2, 0], [1, 2]]}
"""Truth in rows, counted by hand."""
TYPES = ["bool", "uint8", "int32", "int64", "float32"]


def tensor(values: list[int], dtype: str) -> Any:
    return torch.tensor(values).to(getattr(torch, dtype))


@pytest.mark.parametrize("dtype", TYPES)
def test_tables(dtype: str) -> None:
    found = hs.table(tensor(TRUTH, dtype), {"first": tensor(FIRST, dtype), "second": tensor(SECOND, dtype)})
    assert found.labels == ((False, True) if dtype == "bool" else (0, 1))
    assert {model: found.matrix(model).tolist() for model in found.models} == MATRICES


@pytest.mark.parametrize("dtype", TYPES)
def test_counters(dtype: str) -> None:
    """Batches of two rows, the last of one, and one without rows, as a loop over filtered data may end."""
    counter = hs.Counter([0, 1], ["first", "second"])
    columns = [tensor(values, dtype) for values in (TRUTH, FIRST, SECOND)]
    for truth, first, second in zip(*(column.split(2) for column in columns), strict=True):
        counter.update(truth, {"first": first, "second": second})
    counter.update(columns[0][:0], {"first": columns[1][:0], "second": columns[2][:0]})
    assert {model: counter.table.matrix(model).tolist() for model in counter.models} == MATRICES


def test_weights_and_groups_and_views() -> None:
    """A column of a matrix of predictions is no contiguous tensor."""
    both = torch.tensor([FIRST, SECOND]).T
    found = hs.table(
        torch.tensor(TRUTH),
        {"first": both[:, 0], "second": both[:, 1]},
        sample_weight=torch.tensor([0.5, 1.0, 2.0, 0.25, 0.25]),
        groups=torch.tensor([7, 7, 8, 8, 9]),
    )
    assert {model: found.matrix(model).tolist() for model in found.models} == MATRICES
    assert (float(found.weights.sum()), found.group_labels) == (4.0, (7, 8, 9))


def test_scores_and_logits_are_refused() -> None:
    with pytest.raises(hs.InputError, match="threshold them first"):
        hs.table(torch.tensor(TRUTH), torch.rand(5))
    with pytest.raises(hs.InputError, match=r"take the class of each row, for example with \.argmax"):
        hs.table(torch.tensor(TRUTH), torch.rand(5, 2))
