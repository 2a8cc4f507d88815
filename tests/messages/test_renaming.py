"""Names that change warn for one minor version, at the line of whoever calls."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from howsure.errors import InputError, renamed_arguments, warn_renamed


@renamed_arguments(gone="0.4.0", alpha="level")
def interval(value: float, *, level: float = 0.95) -> tuple[float, float]:
    """Return what came."""
    return value, level


def test_an_old_argument_works_and_warns_where_it_is_given() -> None:
    with pytest.warns(
        FutureWarning, match=r"argument 'alpha' is called 'level' now; the old name goes with version 0\.4\.0"
    ) as seen:
        assert interval(1.0, alpha=0.9) == (1.0, 0.9)
    assert Path(seen[0].filename) == Path(__file__)


def test_the_new_name_is_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert interval(1.0, level=0.8) == (1.0, 0.8)
        assert interval(2.0) == (2.0, 0.95)
    assert interval.__doc__ == "Return what came."


def test_both_names_are_refused() -> None:
    with pytest.raises(InputError, match="level is given twice, also by its old name 'alpha'; give it once"):
        interval(1.0, level=0.8, alpha=0.9)


def test_another_name_warns_as_an_argument_does() -> None:
    with pytest.warns(FutureWarning, match="method 'old' is called 'new' now"):
        warn_renamed("method", "old", "new", gone="0.4.0")
