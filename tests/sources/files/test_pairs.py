"""Files whose joint rows would not fit are counted in pairs of models, many in one pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from howsure.errors import InputError
from howsure.sources.files import count_pairs
from howsure.sources.files.read_file import read_file
from howsure.sources.files.request import ReadRequest
from howsure.tables.in_pairs import InPairs
from support import doors
from support.written import write_csv


class TestPairs:
    """Files whose joint rows would not fit are counted in pairs of models, many in one pass."""

    models: ClassVar = [f"m{place}" for place in range(4)]

    def write(self, path: Path) -> Path:
        first, second = doors.make_columns(600), doors.make_columns(600, seed=1)
        rows = [first[doors.MODELS[0]], first[doors.MODELS[1]], second[doors.TRUTH], second[doors.MODELS[0]]]
        columns = {"y": first[doors.TRUTH], "w": first[doors.WEIGHT], "site": first[doors.GROUP]}
        return write_csv(path, columns | dict(zip(self.models, rows, strict=True)))

    @pytest.mark.parametrize(
        ("group", "numbers"), [(None, count_pairs.MOST_NUMBERS), (None, 0), ("site", count_pairs.MOST_NUMBERS)]
    )
    def test_same_tables(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str | None, numbers: int
    ) -> None:
        """All pairs in one pass, and some in each where labels are too many or rows have groups."""
        path = self.write(tmp_path / "a.csv")
        monkeypatch.setattr(count_pairs, "MOST_NUMBERS", numbers)
        request = ReadRequest("y", self.models, group=group, weight="w")
        joint = read_file(path, request)
        monkeypatch.setattr(
            "howsure.sources.files.read_file.MOST_CELLS", (len(joint.rows) - 1) * (5 if group is None else 6)
        )
        monkeypatch.setattr("howsure.sources.files.count_pairs.PAIRS_A_PASS", 4)
        pairs = read_file(path, request)
        assert isinstance(pairs.contents, InPairs)
        assert pairs.models == joint.models
        for pair in [("m0", "m1"), ("m3", "m1"), ("m2",), ("m2", "m3")]:
            assert doors.rows_of(pairs.pick(*pair)) == doors.rows_of(joint.pick(*pair))

    def test_holes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.write(tmp_path / "a.csv")
        lines = path.read_text().splitlines()
        lines[5:5] = ["cat,1,3,cat,,cat,cat", "cat,1,3,cat", "cat,1,3,cat,cat,cat,"]
        path.write_text("\n".join(lines) + "\n")
        request = ReadRequest("y", self.models, on_bad="skip")
        joint = read_file(path, request)
        monkeypatch.setattr("howsure.sources.files.read_file.MOST_CELLS", (len(joint.rows) - 1) * 5)
        pairs = read_file(path, request)
        assert isinstance(pairs.contents, InPairs)
        assert pairs.n == joint.n == 600
        assert "3 of 603 rows were left out: 'm1' is missing in 1; 'm3' is missing in 1" in pairs.notes[0]
        with pytest.raises(InputError, match="3 of 603 rows cannot be counted"):
            read_file(path, ReadRequest("y", self.models))

    def test_too_many_even_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.write(tmp_path / "a.csv")
        monkeypatch.setattr("howsure.sources.files.read_file.MOST_CELLS", 30)
        monkeypatch.setattr("howsure.sources.files.read_file.MOST_PAIR_ROWS", 30)
        monkeypatch.setattr(count_pairs, "MOST_NUMBERS", 30)
        with pytest.raises(InputError, match="too many distinct rows"):
            read_file(path, ReadRequest("y", self.models))


READS = """
import resource, sys
import howsure as hs
from howsure.sources.files import read_file
read_file.MOST_CELLS = 1_000_000
found = hs.read(sys.argv[1], truth="y", predictions=[f"m{place}" for place in range(20)], memory="150MB", threads=2)
print(repr(found), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, sep="|")
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    """Eight times the rows, nearly all distinct, would be 170 MB more as codes of 32 bits; 60 MB is the slack here."""
    peaks = []
    for rows in (250_000, 2_000_000):
        draw = np.random.default_rng(rows)
        truth = draw.integers(0, 8, rows, dtype=np.int8)
        models = {f"m{place}": (truth + (draw.random(rows) < 0.3)) % 8 for place in range(20)}
        pl.DataFrame({"y": truth, **models}).write_parquet(tmp_path / "a.parquet")
        command = [sys.executable, "-c", READS, str(tmp_path / "a.parquet")]
        said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout
        name, peak = said.strip().split("|")
        assert name == f"Table({rows:,} rows, 8 labels, 20 models, in pairs)"
        peaks.append(int(peak))
    assert peaks[1] - peaks[0] < 60
