"""Arrays in every layout of memory: the same rows, the same table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import howsure as hs
from hard_use.catalogue import refused, theme

ARRAYS = theme("Arrays")
TRUTH = np.array([0, 1, 1, 2, 2, 2, 0, 1])
GUESS = np.array([0, 1, 2, 2, 2, 1, 0, 0])
EXPECTED = [[2, 0, 0], [1, 1, 1], [0, 1, 2]]


def same(change: Callable[[np.ndarray], np.ndarray]) -> None:
    """See that changed arrays count as the plain ones do, and that nobody wrote to them."""
    truth, guess = change(TRUTH), change(GUESS)
    before = np.array(truth), np.array(guess)
    assert hs.table(truth, guess).matrix().tolist() == EXPECTED
    assert np.array_equal(truth, before[0])
    assert np.array_equal(guess, before[1])


def frozen(values: np.ndarray) -> np.ndarray:
    """Return a copy that cannot be written to."""
    copy = values.copy()
    copy.flags.writeable = False
    return copy


@ARRAYS.case("read-only arrays", "counted like others; no input is ever written to")
def read_only(folder: Path) -> None:
    same(frozen)


@ARRAYS.case("memory-mapped arrays", "counted like others")
def mapped(folder: Path) -> None:
    for name, values in (("truth", TRUTH), ("guess", GUESS)):
        np.save(folder / f"{name}.npy", values)
    truth, guess = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("truth", "guess"))
    assert hs.table(truth, guess).matrix().tolist() == EXPECTED


@ARRAYS.case("strided, reversed or Fortran-ordered arrays, other byte order", "counted like others")
def strided(folder: Path) -> None:
    same(lambda values: np.repeat(values, 3)[::3])
    same(lambda values: values[::-1].copy()[::-1])
    same(lambda values: np.asfortranarray(np.stack([values, values], axis=1))[:, 0])
    same(lambda values: values.astype(">i4"))
    for kind in (np.int8, np.uint64, np.float32, np.float64, object):
        same(lambda values, kind=kind: values.astype(kind))


@ARRAYS.case("a single value (0-d array)", "refused: a column has one entry a row")
def no_dimension(folder: Path) -> None:
    refused(lambda: hs.table(np.array(1), np.array(1)), "truth is a single value")


@ARRAYS.case("2-d arrays", "taken as label indicators of 0 and 1; other numbers are refused")
def two_dimensions(folder: Path) -> None:
    assert hs.table(np.eye(3), np.eye(3)).multilabel
    refused(lambda: hs.table(np.array([[1, 2], [0, 2]]), np.eye(2)), "indicator matrix")
    refused(lambda: hs.table(np.eye(2), np.array([1, 0])), "one column, but the truth has several")


@ARRAYS.case("arrays of shape (n, 1), frames of one column", "are columns, whatever their name")
def one_column(folder: Path) -> None:
    same(lambda values: values.reshape(-1, 1))
    assert hs.table(pd.DataFrame({"y": TRUTH}), pd.DataFrame({"p": GUESS})).matrix().tolist() == EXPECTED


@ARRAYS.case("a frame with a column twice", "refused, with the name")
def column_twice(folder: Path) -> None:
    twice = pd.DataFrame([[1, 0, 1]], columns=["truth", "svm", "svm"])
    refused(lambda: hs.read(twice, truth="truth", predictions="svm"), "'svm'", "rename one")


@ARRAYS.case("probabilities as text under a truth of words", "refused as scores; they are no classes")
def scores_under_words(folder: Path) -> None:
    refused(lambda: hs.table(["cat", "dog"], ["0.31", "0.7"]), "'0.31'", "look like scores")


@ARRAYS.case("arrays of different lengths", "refused, with both names and both lengths")
def lengths(folder: Path) -> None:
    refused(lambda: hs.table([1, 0, 1], [1, 0]), "truth has 3 rows", "2")


@ARRAYS.case("structured arrays, complex numbers", "refused, with the types that labels may have")
def structured(folder: Path) -> None:
    refused(lambda: hs.table(np.zeros(2, dtype=[("x", "i4")]), [0, 0]), "labels must be integers, booleans or strings")
    refused(lambda: hs.table(np.array([1j, 0]), [1, 0]), "complex128")


@ARRAYS.case("masked arrays", "a masked entry is a missing value, hence refused; without any they count like others")
def masked(folder: Path) -> None:
    refused(lambda: hs.table(np.ma.array([1, 0, 1], mask=[0, 1, 0]), [1, 0, 1]), "1 missing value, in row 1")
    same(lambda values: np.ma.array(values, mask=np.zeros(len(values))))


@ARRAYS.case("no rows at all", "refused")
def empty(folder: Path) -> None:
    refused(lambda: hs.table([], []), "0 rows")
