"""Files of counts: confusion matrices with and without labels, and counts per fold."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.errors import InputError
from howsure.sources.files.matrix_files import FoldCounts, read_fold_counts, read_matrix


def text(path: Path, content: str) -> Path:
    path.write_text(content)
    return path


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("5,1\n2,7\n", (0, 1)),
        ("5 1\n2 7\n", (0, 1)),
        ("5\t1\n2\t7\n", (0, 1)),
        ("cat,dog\n5,1\n2,7\n", ("cat", "dog")),
        (",cat,dog\ncat,5,1\ndog,2,7\n", ("cat", "dog")),
        ("cat,5,1\ndog,2,7\n", ("cat", "dog")),
        ("truth;pred cat;pred dog\ncat;5;1\ndog;2;7\n", ("cat", "dog")),
        (",0,1\n0,5,1\n1,2,7\n", (0, 1)),
    ],
)
def test_layouts(tmp_path: Path, content: str, labels: tuple) -> None:
    found = read_matrix(text(tmp_path / "cm.csv", content), rows="truth")
    assert found.labels == labels
    assert found.matrix().tolist() == [[5, 1], [2, 7]]
    assert read_matrix(text(tmp_path / "cm.csv", "5,1\n2,7\n"), rows="prediction").matrix().tolist() == [[5, 2], [1, 7]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("5,1\n2,7,3\n", "are not the 2 counts"),
        ("5,x\n2,7\n", "are not the 2 counts"),
        (",cat,dog\ndog,5,1\ncat,2,7\n", "both must be the same"),
        ("cat,dog\n", "are not the 1 counts"),
        ("1,2,3,4\n5,6,7,8\n", "has 2 rows of 4 fields"),
        ("", "is empty"),
        ("5,-1\n2,7\n", "zero or larger"),
    ],
)
def test_refusals(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_matrix(text(tmp_path / "cm.csv", content), rows="truth")


@pytest.mark.parametrize("top", ["predicted,true_cat,true_dog", "prediction,cat,dog", ",actual cat,actual dog"])
def test_axes_that_contradict_the_caller(tmp_path: Path, top: str) -> None:
    path = text(tmp_path / "cm.csv", f"{top}\ncat,5,1\ndog,2,7\n")
    with pytest.raises(InputError, match=r"names its rows 'prediction' .*pass rows='prediction'"):
        read_matrix(path, rows="truth")
    assert read_matrix(path, rows="prediction").labels == ("cat", "dog")


def test_rows_must_be_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rows is 'columns'"):
        read_matrix(text(tmp_path / "cm.csv", "5,1\n2,7\n"), rows="columns")


def test_published_matrices(shared_data: Path) -> None:
    folder = shared_data / "published-counts"
    three = read_matrix(folder / "takahashi-table1-3x3.csv", rows="prediction")
    assert three.matrix().tolist() == [[2, 5, 0], [2, 70, 2], [2, 2, 15]]
    five = read_matrix(folder / "sleep-mnn-5x5.csv", rows="prediction")
    assert five.labels == ("W", "N1", "N2", "N3", "REM")
    assert five.matrix()[1, 0] == 407


class TestFolds:
    def test_usual_names(self, tmp_path: Path) -> None:
        path = text(tmp_path / "f.csv", "Classifier,Run,Fold,TP,FP,FN,TN\nB,1,2,5,1,2,9\nA,1,1,4,0,1,8\n")
        assert read_fold_counts(path) == [FoldCounts("B", 1, 2, 5, 1, 2, 9), FoldCounts("A", 1, 1, 4, 0, 1, 8)]

    def test_derived_counts(self, tmp_path: Path) -> None:
        path = text(tmp_path / "f.csv", "fold,tp,predicted,gold\nfold1,5,6,9\nfold2,4,4,4\n")
        assert read_fold_counts(path) == [FoldCounts("model", 1, 1, 5, 1, 4), FoldCounts("model", 1, 2, 4, 0, 0)]

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("fold,tp,fp\n1,1,1\n", r"columns 'fn' are not in the file"),
            ("fold,tp,fp,fn\n1,1,1,x\n", "fn is 'x'"),
            ("fold,tp,fp,fn\n1,1,1,-1\n", "zero or larger"),
            ("fold,tp,fp,fn\n1,1,1,1\n1,2,2,2\n", "more than once"),
            ("fold,tp,fp,fn,gold\n1,5,1,2,9\n", r"gold is 9, but tp \+ fn is 7"),
            ("fold,tp,predicted,fn\n1,5,3,2\n", "predicted is 3, but tp"),
            ("fold,tp,fp,fn\n1,1,1\n", "has 3 fields"),
            ("fold,tp,fp,fn\nx,1,1,1\n", "fold is 'x'"),
        ],
    )
    def test_refusals(self, tmp_path: Path, content: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            read_fold_counts(text(tmp_path / "f.csv", content))

    def test_real_counts(self, shared_data: Path) -> None:
        path = shared_data / "bcv3x2-counts" / "counts.csv"
        found = read_fold_counts(path, where={"task": "CWS", "tagset": "BMES"})
        assert len(found) == 6
        assert found[0] == FoldCounts("A", 1, 1, 533644, 24049, 27270)
        with pytest.raises(InputError, match="choose among the rows with where=, by one of 'task', 'tagset'"):
            read_fold_counts(path)
        with pytest.raises(InputError, match="where names the column 'tasks'"):
            read_fold_counts(path, where={"tasks": "CWS"})
