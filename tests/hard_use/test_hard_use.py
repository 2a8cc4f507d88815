"""Every row of docs/hard-use.md, proved; and the page is the one that these cases make."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hard_use.catalogue import Case
from hard_use.table import CASES

ROOT = Path(__file__).resolve().parents[2]


def named(case: Case) -> object:
    marks = [pytest.mark.slow] if case.slow else []
    return pytest.param(case, id=case.check.__name__, marks=marks)


@pytest.mark.parametrize("case", [named(case) for case in CASES])
def test_what_happens(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)


def test_no_row_stands_twice() -> None:
    given = [case.given for case in CASES]
    assert len(set(given)) == len(given)
    names = [case.check.__name__ for case in CASES]
    assert len({(case.theme, name) for case, name in zip(CASES, names, strict=True)}) == len(names)


def test_the_page_is_what_the_cases_say() -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts" / "make_hard_use.py"), "--check"], check=True, timeout=120)
