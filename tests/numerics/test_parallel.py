"""Long work: in order, wherever it runs; told as done only when the caller has it."""

from __future__ import annotations

import io
import sys

import joblib
import pytest
from joblib._parallel_backends import ThreadingBackend

from howsure.errors import InputError
from howsure.numerics import parallel as progress
from howsure.numerics.parallel import ProgressBar, run_in_order

WORK = [(number,) for number in range(10)]


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("jobs", [1, 2])
def test_in_order_and_told(jobs: int) -> None:
    told: list[tuple[int, int]] = []
    with joblib.parallel_config("threading"):
        found = list(run_in_order(square, WORK, jobs=jobs, progress=lambda *step: told.append(step), before=5))
    assert found == [number**2 for number in range(10)]
    assert told == [(done, 15) for done in range(6, 16)]


def test_told_after_the_caller_has_it() -> None:
    events: list[str] = []
    for result in run_in_order(square, WORK[:2], jobs=1, progress=lambda done, _: events.append(f"told {done}")):
        events.append(f"kept {result}")
    assert events == ["kept 0", "told 1", "kept 1", "told 2"]


def test_a_backend_that_hands_over_at_the_end_works_in_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each wave is handed over before the next begins, so that a caller can keep it."""
    monkeypatch.setattr(ThreadingBackend, "supports_return_generator", False)
    monkeypatch.setattr(progress, "WAVE", 4)
    begun: list[int] = []

    def noted(number: int) -> int:
        begun.append(number)
        return number

    with joblib.parallel_config("threading"):
        seen = [(result, len(begun)) for result in run_in_order(noted, WORK, jobs=2)]
    assert seen == [(number, min(number // 4 * 4 + 4, 10)) for number in range(10)]


def test_an_error_comes_through_and_what_was_done_is_kept() -> None:
    kept: list[float] = []
    with pytest.raises(ZeroDivisionError):
        kept.extend(run_in_order(lambda number: 1 / (2 - number), WORK, jobs=1))
    assert kept == [0.5, 1.0]


def test_bar_and_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    bar = ProgressBar()
    bar(1, 4)
    bar(4, 4)
    first, second = sys.stderr.getvalue().split("\r")[1:]
    assert first.startswith(f"[{'#' * 10}{'.' * 30}] 1/4 about 1 s left")
    assert second == f"[{'#' * 40}] 4/4 {' ' * 18}\n"
    with pytest.raises(InputError, match="progress is 'loud'"):
        list(run_in_order(square, WORK, jobs=1, progress="loud"))
