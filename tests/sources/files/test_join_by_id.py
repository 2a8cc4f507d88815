"""Several files joined by id: order does not matter, what does not fit is counted and named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from howsure.errors import InputError
from howsure.sources.files.join_by_id import short_names
from howsure.sources.read import read
from support import doors

ROWS = {1: (1, 1, 0), 2: (0, 0, 0), 3: (1, 0, 1), 4: (0, 0, 1)}
TABLE = {(1, 1, 0): (1.0,) * 3, (0, 0, 0): (1.0,) * 3, (1, 0, 1): (1.0,) * 3, (0, 0, 1): (1.0,) * 3}


def write(path: Path, rows: dict, *, column: str = "pred", model: int = 0, truth: bool = True, order: int = 1) -> Path:
    ids = list(rows)[::order]
    columns = {"id": ids} | ({"label": [rows[one][0] for one in ids]} if truth else {})
    frame = pl.DataFrame(columns | {column: [rows[one][1 + model] for one in ids]})
    if path.suffix == ".jsonl":
        texts = [json.dumps({**row, "id": str(row["id"])}) for row in frame.to_dicts()]
        path.write_text("\n".join(texts))
    elif path.suffix == ".parquet":
        frame.with_columns(pl.col(column).cast(pl.Float64)).write_parquet(path)
    else:
        frame.write_csv(path)
    return path


@pytest.mark.parametrize("second", ["b.csv", "b.jsonl", "b.parquet"])
@pytest.mark.parametrize("truth", [True, False])
def test_joined_whatever_the_order_and_format(tmp_path: Path, second: str, truth: bool) -> None:
    files = [write(tmp_path / "a.csv", ROWS), write(tmp_path / second, ROWS, model=1, truth=truth, order=-1)]
    found = read(files, id="id", truth="label", predictions="pred")
    assert found.models == ("a", "b")
    assert found.labels == (0, 1)
    assert doors.rows_of(found) == TABLE


def test_guessed_and_said(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.csv", ROWS), write(tmp_path / "b.csv", ROWS, model=1, order=-1)]
    found = read(files)
    assert doors.rows_of(found) == TABLE
    assert found.notes == (
        "files were joined by the column 'id', guessed from its name.",
        "columns were guessed: truth is 'label' by its name.",
    )


def test_names_of_models(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.csv", ROWS), write(tmp_path / "b.csv", ROWS, model=1)]
    named = dict(zip(["old", "new"], files, strict=True))
    assert read(named, id="id", truth="label", predictions="pred").models == ("old", "new")
    other = write(tmp_path / "c.csv", ROWS, model=1, column="svm")
    pl.read_csv(files[0]).with_columns(cnn=pl.col("pred")).write_csv(files[0])
    assert read([files[0], other], id="id", truth="label").models == ("a", "c")
    assert read([files[0], other], id="id", truth="label", predictions=["pred", "cnn", "svm"]).models == (
        "pred",
        "cnn",
        "svm",
    )
    assert short_names(["x/1/p.csv", "x/2/p.csv"]) == ["1/p", "2/p"]


def test_group_and_weight_come_from_the_first_file(tmp_path: Path) -> None:
    first = write(tmp_path / "a.csv", ROWS)
    pl.read_csv(first).with_columns(site=pl.Series([7, 7, 8, 8]), w=pl.Series([1.0, 2.0, 0.5, 0.25])).write_csv(first)
    second = write(tmp_path / "b.csv", ROWS, model=1, order=-1)
    found = read([first, second], id="id", truth="label", predictions="pred", group="site", weight="w")
    assert doors.rows_of(found) == {
        (7, 1, 1, 0): (1.0, 1.0, 1.0),
        (7, 0, 0, 0): (1.0, 2.0, 4.0),
        (8, 1, 0, 1): (1.0, 0.5, 0.25),
        (8, 0, 0, 1): (1.0, 0.25, 0.0625),
    }
    with pytest.raises(InputError, match="group names the column 'ward', which the first file"):
        read([first, second], id="id", truth="label", predictions="pred", group="ward")


def test_ids_that_do_not_fit(tmp_path: Path) -> None:
    first = write(tmp_path / "a.csv", ROWS)
    other = tmp_path / "b.csv"
    other.write_text("id,label,pred\n1,1,0\n3,1,1\n3,1,1\n9,1,1\n8,0,1\n,0,1\n")
    with pytest.raises(InputError) as refusal:
        read([first, other], id="id", truth="label", predictions="pred")
    assert f"'{other}' has 1 rows without an id" in str(refusal.value)
    assert "has 1 ids more than once ('3')" in str(refusal.value)
    assert "has 2 ids of the first file not at all ('2', '4')" in str(refusal.value)
    assert "has 2 ids that the first file does not have ('8', '9')" in str(refusal.value)
    found = read([first, other], id="id", truth="label", predictions="pred", on_bad="skip")
    assert doors.rows_of(found) == {(1, 1, 0): (1.0, 1.0, 1.0)}
    assert found.notes[0].startswith("rows were left out because files differ")


def test_truth_that_differs(tmp_path: Path) -> None:
    first = write(tmp_path / "a.csv", ROWS)
    other = write(tmp_path / "b.csv", ROWS | {4: (1, 0, 1)}, model=1)
    with pytest.raises(InputError, match=r"truth 'label' differs .* in 1 rows, first for the id '4': '0' and '1'"):
        read([first, other], id="id", truth="label", predictions="pred", on_bad="skip")


def test_never_by_order(tmp_path: Path) -> None:
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in files:
        path.write_text("label,pred\n1,1\n")
    with pytest.raises(InputError, match="never joined by the order of their rows"):
        read(files, truth="label", predictions="pred")
    with pytest.raises(InputError, match="id names the column 'key'"):
        read(files, truth="label", predictions="pred", id="key")


def test_bad_values_in_one_file(tmp_path: Path) -> None:
    first = write(tmp_path / "a.csv", ROWS)
    other = tmp_path / "b.csv"
    other.write_text("id,pred\n1,0\n2,\n3,1\n4,x\n")
    with pytest.raises(
        InputError, match=r"2 of 4 rows cannot be counted: 'b' is missing in 1; 'b' is text .* such as 'x'"
    ):
        read([first, other], id="id", truth="label", predictions="pred")
    other.write_text("id,pred\n1,0\n2\n3,1\n4,1\n")
    with pytest.raises(InputError, match="1 lines have not 2 fields"):
        read([first, other], id="id", truth="label", predictions="pred")


def test_lists_of_other_things() -> None:
    with pytest.raises(InputError, match="a list of other things than paths"):
        read([1, 2])


def apart(folder: Path, *, extra: dict | None = None) -> tuple[Path, Path]:
    """Write a file with the truth alone and one with the predictions alone, in another order."""
    truth, guess = folder / "truth.csv", folder / "preds.csv"
    pl.DataFrame({"index": list(ROWS), "label": [row[0] for row in ROWS.values()]} | (extra or {})).write_csv(truth)
    pl.DataFrame({"index": list(ROWS)[::-1], "svm_pred": [row[2] for row in ROWS.values()][::-1]}).write_csv(guess)
    return truth, guess


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("named", [{}, {"truth": "label", "predictions": "svm_pred"}])
def test_truth_and_predictions_in_files_of_their_own(tmp_path: Path, named: dict, order: int) -> None:
    found = read(apart(tmp_path, extra={"text": list("wxyz")})[::order], id="index", **named)
    assert found.models == ("preds",)
    assert found.matrix().tolist() == [[1, 1], [1, 1]]
    expected = {(row[0], row[2]) for row in ROWS.values()}
    assert {(found.labels[a], found.labels[b]) for a, b in zip(*np.nonzero(found.matrix()), strict=True)} == expected


def test_a_file_of_the_truth_and_two_models(tmp_path: Path) -> None:
    truth, guess = apart(tmp_path)
    other = tmp_path / "bert.csv"
    pl.DataFrame({"index": [1, 2, 3, 9], "svm_pred": [1, 0, 0, 0]}).write_csv(other)
    with pytest.raises(InputError) as refusal:
        read([guess, truth, other], id="index")
    assert "bert.csv' has 1 ids of the file of the truth not at all ('4')" in str(refusal.value)
    assert "bert.csv' has 1 ids that the file of the truth does not have ('9')" in str(refusal.value)
    found = read([guess, truth, other], id="index", on_bad="skip")
    assert (found.models, found.n) == (("preds", "bert"), 3)
    assert read({"m": guess, "gold": truth}, id="index").models == ("m",)


def test_predictions_called_as_the_truth(tmp_path: Path) -> None:
    truth, _ = apart(tmp_path)
    other = tmp_path / "submission.csv"
    other.write_text(truth.read_text())
    with pytest.raises(InputError) as refusal:
        read([truth, other], id="index")
    assert "submission.csv' has 'index', 'label'" in str(refusal.value)
    assert "rename a column of predictions that is called 'label' too" in str(refusal.value)


def test_no_file_has_the_truth(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"'gold', which no file has; .*has 'index', 'label'; .*has 'index', 'svm_pred'"
    ):
        read(apart(tmp_path), id="index", truth="gold")


def test_a_model_keeps_its_place(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a.csv", ROWS, truth=False), write(tmp_path / "b.csv", ROWS)
    with pytest.raises(InputError, match=r"which .*a.csv' does not have; put the file that has it first"):
        read([first, second], id="id", truth="label", predictions="pred")
