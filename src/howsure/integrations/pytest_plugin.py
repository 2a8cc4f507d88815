"""A plugin for pytest: the fixture ``howsure``, whose ``gate`` fails a test with the verdict, and a marker for doubt.

    def test_the_model_is_good_enough(howsure):
        howsure.gate(howsure.read("preds.csv"), "f1", at_least=0.8)

The library is imported when a test asks for the fixture, not when pytest starts.
"""

from __future__ import annotations

from typing import Any

import pytest

MARKER = "howsure(inconclusive='fail'): what a gate without enough evidence does: 'fail' (default), 'skip' or 'pass'"
CHOICES = ("fail", "skip", "pass")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


class Judge:
    """The library's names, with a ``gate`` that speaks to pytest."""

    def __init__(self, inconclusive: str = "fail") -> None:
        self.inconclusive = inconclusive

    def __getattr__(self, name: str) -> Any:
        import howsure

        return getattr(howsure, name)

    def gate(self, table: Any, metric: Any, **asked: Any) -> Any:
        """Return the gate if it passes; otherwise end the test with the verdict in words, without a traceback."""
        import howsure

        made = howsure.gate(table, metric, **asked)
        if made.verdict == "inconclusive" and self.inconclusive != "fail":
            if self.inconclusive == "skip":
                pytest.skip(str(made))
            return made
        if made.verdict != "pass":
            pytest.fail(str(made), pytrace=False)
        return made


@pytest.fixture(name="howsure")
def judge(request: pytest.FixtureRequest) -> Judge:
    """The library, with a ``gate`` that fails the test in words."""
    marker = request.node.get_closest_marker("howsure")
    chosen = marker.kwargs.get("inconclusive", "fail") if marker is not None else "fail"
    if chosen not in CHOICES:
        raise pytest.UsageError(f"inconclusive is {chosen!r}; it must be one of {', '.join(map(repr, CHOICES))}")
    return Judge(chosen)


def pytest_assertrepr_compare(op: str, left: Any, right: Any) -> list[str] | None:
    """Say a gate in words where a test compares its verdict: ``assert gate.verdict == "pass"`` says too little."""
    return str(left).splitlines() if type(left).__name__ == "Gate" and hasattr(left, "verdict") else None
