"""Spoilt files through every reader: an error of ours comes out or a table, nothing else (see scripts/fuzz_readers.py).

Each example spoils one file of every reader.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import howsure as hs
from hard_use.readers import Reader, mutated, readers
from support.strategies import some

READERS = {reader.name: reader for reader in readers()}
NAMES = list(READERS)
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def read_or_refuse(reader: Reader, path: Path) -> None:
    with suppress(hs.HowsureError, FileNotFoundError):
        reader.read(path)


@pytest.mark.parametrize("name", NAMES)
def test_the_valid_files_are_read(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    for place, seed in enumerate(reader.seeds):
        path = tmp_path / f"{place}{reader.suffix}"
        path.write_bytes(seed)
        assert reader.read(path) is not None


@pytest.mark.parametrize("name", NAMES)
@settings(parent=SHARED, max_examples=some(5).max_examples)
@given(seed=st.integers(0, 2**32 - 1))
@example(seed=8868)  # an archive that seems encrypted
@example(seed=238)  # one that ends too early
@example(seed=234966465)  # one of a later version
def test_spoilt_files(name: str, tmp_path: Path, seed: int) -> None:
    reader, chance = READERS[name], random.Random(seed)
    path = tmp_path / f"spoilt{reader.suffix}"
    path.write_bytes(mutated(chance.choice(reader.seeds), chance))
    read_or_refuse(reader, path)


@pytest.mark.parametrize("name", NAMES)
@settings(parent=SHARED, max_examples=some(5).max_examples)
@given(content=st.binary(max_size=200))
@example(content=b"(\xb5/\xfd")  # how a zstd file begins, and nothing else
def test_random_bytes(name: str, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / f"random{READERS[name].suffix}"
    path.write_bytes(content)
    read_or_refuse(READERS[name], path)


ODD = st.text("*?[]{}()!~\\=-+ .,;:'\"$%&#@ab1é漢\n", min_size=1, max_size=12).filter(
    lambda name: name not in (".", "..")
)


@settings(parent=SHARED, max_examples=some(3).max_examples)
@given(odd=ODD, other=ODD, ending=st.sampled_from([".csv", ".jsonl"]))
@example(odd="a[1]", other="a1", ending=".csv")
@example(odd="**", other="a", ending=".csv")
def test_a_file_of_any_name_is_itself(
    tmp_path_factory: pytest.TempPathFactory, odd: str, other: str, ending: str
) -> None:
    """Whatever else lies beside it, and in folders of such names too."""
    folder = tmp_path_factory.mktemp("names")
    rows = {".csv": "truth,pred\n1,{0}\n0,{1}\n", ".jsonl": '{{"truth":1,"pred":{0}}}\n{{"truth":0,"pred":{1}}}\n'}[
        ending
    ]
    for place in (folder, folder / odd):
        place.mkdir(exist_ok=True)
        (place / f"{other}{ending}").write_text(rows.format(0, 1))
        (place / f"{odd}{ending}").write_text(rows.format(1, 0))
        found = hs.read(place / f"{odd}{ending}", truth="truth", predictions="pred")
        assert (found.n, float(hs.estimate(found, "accuracy"))) == (2, 1.0)


@pytest.mark.parametrize("name", ["parquet", "arrow", "counter", "inspect, zipped"])
def test_files_cut_short_are_refused(name: str, tmp_path: Path) -> None:
    """Formats that say where they end: no cut may pass for a whole file."""
    reader = READERS[name]
    whole = reader.seeds[0]
    for share in (0.05, 0.3, 0.5, 0.7, 0.9, 0.98):
        path = tmp_path / f"cut{reader.suffix}"
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(hs.HowsureError):
            reader.read(path)
