"""The bootstrap of a paired difference."""

from __future__ import annotations

import pytest

import howsure as hs
from compare.cubes import EXAMPLE, cube
from howsure.compare import paired
from howsure.pair_methods import named_pair_method


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_bootstrap_p_value_belongs_to_its_interval(kind: str) -> None:
    made = hs.compare(EXAMPLE, "f1", method=hs.Bootstrap(kind=kind, n_resamples=4999))
    found = named_pair_method(hs.Bootstrap(kind=kind, n_resamples=4999))
    pair = paired(EXAMPLE, "f1", "a", "b")
    from howsure.evidence import Tail

    result = found(pair, Tail(0.95))
    assert result.p(made.low, "greater") == pytest.approx(0.025, abs=0.003)
    assert result.p(made.high, "less") == pytest.approx(0.025, abs=0.003)
    assert made.seed == 0
    assert made.error > 0


def test_bootstrap_draws_the_same_rows_for_both() -> None:
    same = cube([40, 0, 0, 10, 12, 0, 0, 38])
    made = hs.compare(same, "f1", method=hs.Bootstrap(n_resamples=500))
    assert (made.low, made.high) == (0.0, 0.0)
    assert any(note.kind == "degenerate" for note in made.notes)
    with pytest.raises(hs.InputError, match="'studentised' needs the error of each resampled difference"):
        hs.compare(EXAMPLE, "f1", method=hs.Bootstrap(kind="studentised"))
