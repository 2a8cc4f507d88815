"""What a case of hard use is: an input in words, what happens in words, and the function that proves it.

Every case is a test (``test_hard_use.py``) and a row of docs/hard-use.md (``scripts/make_hard_use.py``): a row that no
test proves cannot be there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

import howsure as hs

Check = Callable[[Path], None]


class Case(NamedTuple):
    """One row of the table; ``check`` is given an empty directory."""

    theme: str
    given: str
    happens: str
    check: Check
    slow: bool = False


@dataclass(frozen=True)
class Theme:
    """Gathers the cases of one theme, in the order in which they are written."""

    title: str
    cases: list[Case]

    def case(self, given: str, happens: str, *, slow: bool = False) -> Callable[[Check], Check]:
        """Return a decorator that enrols a function as the proof of a row."""

        def enrol(check: Check) -> Check:
            self.cases.append(Case(self.title, given, happens, check, slow))
            return check

        return enrol


def theme(title: str) -> Theme:
    """Return an empty theme."""
    return Theme(title, [])


def refused(call: Callable[[], object], *words: str) -> None:
    """See that a call is refused with an error of ours that says all these words."""
    with pytest.raises(hs.HowsureError) as caught:
        call()
    message = str(caught.value)
    for word in words:
        assert word in message, message
