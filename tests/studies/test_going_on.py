"""How a study spreads, stops and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

import howsure as hs
from studies.populations import HALF

LONG = {"n": [20, 40], "exact": False, "replicates": 60_000}


@pytest.fixture(scope="module")
def whole() -> hs.Coverage:
    return hs.study("f2", ["wald", "wilson"], HALF, **LONG)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_do_not_change_the_numbers(whole: hs.Coverage, backend: str) -> None:
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config(backend=backend):
        assert hs.study("f2", ["wald", "wilson"], HALF, jobs=2, **LONG) == whole


def test_a_backend_that_cannot_hand_over_one_by_one(whole: hs.Coverage, monkeypatch: pytest.MonkeyPatch) -> None:
    joblib = pytest.importorskip("joblib")
    from joblib._parallel_backends import ThreadingBackend

    monkeypatch.setattr(ThreadingBackend, "supports_return_generator", False)
    with joblib.parallel_config(backend="threading"):
        assert hs.study("f2", ["wald", "wilson"], HALF, jobs=2, **LONG) == whole


class Stop(Exception):
    """The user pulls the plug."""


@pytest.mark.parametrize("stop_after", [1, 3, 5])
def test_an_interrupted_study_goes_on_where_it_stopped(whole: hs.Coverage, tmp_path: Path, stop_after: int) -> None:
    seen: list[tuple[int, int]] = []

    def progress(done: int, everything: int) -> None:
        seen.append((done, everything))
        if len(seen) == stop_after:
            raise Stop

    with pytest.raises(Stop):
        hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=progress, **LONG)
    resumed = hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=progress, **LONG)
    assert resumed == whole
    assert [done for done, _ in seen] == list(range(1, 7))
    assert {everything for _, everything in seen} == {6}
    again = hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=progress, **LONG)
    assert again == whole
    assert len(seen) == 6


def test_an_exact_study_is_kept_too(tmp_path: Path) -> None:
    calls = []
    first = hs.study("f1", "wald", HALF, n=25, checkpoint=tmp_path, progress=lambda *a: calls.append(a))
    second = hs.study("f1", "wald", HALF, n=25, checkpoint=tmp_path, progress=lambda *a: calls.append(a))
    assert first == second
    assert calls == [(1, 1)]


def test_a_torn_line_is_ignored(whole: hs.Coverage, tmp_path: Path) -> None:
    hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, **LONG)
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-40])
    calls = []
    found = hs.study("f2", ["wald", "wilson"], HALF, checkpoint=tmp_path, progress=lambda *a: calls.append(a), **LONG)
    assert found == whole
    assert len(calls) == 1


def test_a_checkpoint_knows_options_and_formulas(tmp_path: Path) -> None:
    """Two methods, or two metrics, of the same name are told apart by what they do."""
    rows = [
        hs.study("f1", hs.Bootstrap(n_resamples=200, kind=kind), HALF, n=4, checkpoint=tmp_path)[0].length
        for kind in ("percentile", "basic", "bca")
    ]
    assert len(set(rows)) > 1
    values = [
        hs.study(hs.Metric("mine", formula), "wald", HALF, n=9, checkpoint=tmp_path)[0].truth
        for formula in (lambda c: c.tp / (c.tp + c.fp), lambda c: c.tp / (c.tp + 2 * c.fp))
    ]
    lengths = [
        hs.study(hs.Metric("mine", formula), "wald", HALF, n=9, checkpoint=tmp_path)[0].length
        for formula in (lambda c: c.tp / (c.tp + c.fp), lambda c: c.tp / (c.tp + 2 * c.fp))
    ]
    assert values[0] != values[1]
    assert lengths[0] != lengths[1]


def test_more_replicates_reuse_the_finished_ones(tmp_path: Path) -> None:
    calls = []
    settings = {"n": 20, "exact": False, "checkpoint": tmp_path, "progress": lambda *a: calls.append(a)}
    hs.study("f2", "wald", HALF, replicates=40_000, **settings)
    more = hs.study("f2", "wald", HALF, replicates=60_000, **settings)
    assert calls == [(1, 2), (2, 2), (3, 3)]
    assert more == hs.study("f2", "wald", HALF, n=20, exact=False, replicates=60_000)


def test_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    hs.study("f1", "wald", HALF, n=[5, 6], progress="bar")
    drawn = capsys.readouterr().err  # blanks wipe out what the line said before
    assert drawn.endswith("\n")
    assert drawn.rstrip().endswith(f"\r[{'#' * 40}] 2/2")


@pytest.mark.parametrize(
    "damage",
    [
        b"\xff\xfe\x00\n",
        b'["%b", {"mass": "much"}]\n',
        b'["%b", [1, 2]]\n',
        b'["%b", {"no": 1}]\n',
        b'[["%b"], {}]\n',
        b"7\n",
    ],
)
def test_damaged_parts_are_computed_again(tmp_path: Path, damage: bytes) -> None:
    """Bytes that are no UTF-8, and text where a number belongs."""
    whole = hs.study("f1", "wald", HALF, n=5, checkpoint=tmp_path)
    (path,) = tmp_path.glob("*.jsonl")
    key = next(line for line in path.read_bytes().splitlines() if line).split(b'"')[1]
    path.write_bytes(damage.replace(b"%b", key))
    assert hs.study("f1", "wald", HALF, n=5, checkpoint=tmp_path) == whole
    path.write_bytes(path.read_bytes() + damage)
    assert hs.study("f1", "wald", HALF, n=5, checkpoint=tmp_path) == whole
