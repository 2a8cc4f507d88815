"""Counts from a paper's figures: against trying every table, with rounding up and down."""

from __future__ import annotations

import pickle
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product

import pytest
from click.testing import CliRunner
from scipy.special import betainc

import howsure as hs
from howsure.cli.app import howsure
from howsure.errors import HowsureError, InputError


def printed(value: Fraction, decimals: int) -> set[str]:
    """Return how a value may be printed: halves may be rounded up or down."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    unit = Decimal(1).scaleb(-decimals)
    return {str(exact.quantize(unit, rounding=how)) for how in (ROUND_HALF_UP, ROUND_HALF_DOWN)}


def share(top: int, bottom: int) -> Fraction | None:
    return Fraction(top, bottom) if bottom else None


FORMULAS = {
    "precision": lambda tp, fp, fn, tn: share(tp, tp + fp),
    "recall": lambda tp, fp, fn, tn: share(tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: share(tn, tn + fp),
    "npv": lambda tp, fp, fn, tn: share(tn, tn + fn),
    "f1": lambda tp, fp, fn, tn: share(2 * tp, 2 * tp + fp + fn),
    "accuracy": lambda tp, fp, fn, tn: share(tp + tn, tp + fp + fn + tn),
    "jaccard": lambda tp, fp, fn, tn: share(tp, tp + fp + fn),
    "prevalence": lambda tp, fp, fn, tn: share(tp + fn, tp + fp + fn + tn),
}


def tried(n: int, positives: int | None, figures: dict[str, str]) -> set[tuple[int, int, int, int]]:
    """Return all tables with these figures, by trying each."""
    found = set()
    for actual in range(1, n + 1) if positives is None else (positives,):
        for tp, fp in product(range(actual + 1), range(n - actual + 1)):
            table = (tp, fp, actual - tp, n - actual - fp)
            values = {name: FORMULAS[name](*table) for name in figures}
            if all(v is not None and figures[m] in printed(v, len(figures[m]) - 2) for m, v in values.items()):
                found.add(table)
    return found


@pytest.mark.parametrize(("n", "positives", "figures"), [
    (60, 20, {"precision": "0.81", "recall": "0.85"}),
    (60, 20, {"f1": "0.8", "specificity": "0.9"}),
    (60, None, {"precision": "0.75", "recall": "0.60", "accuracy": "0.850"}),
    (40, None, {"f1": "0.500", "npv": "0.88"}),
    (40, 8, {"recall": "0.12", "precision": "0.5"}),  # 1/8 = 0.125 rounds down as well
    (40, 8, {"recall": "0.13", "precision": "0.5"}),
    (50, None, {"jaccard": "0.333", "prevalence": "0.3"}),
    (40, 10, {"recall": "1.00", "precision": "1.00"}),
    (40, 10, {"recall": "0.00", "specificity": "1.00"}),
    (45, None, {"accuracy": "0.98", "f1": "0.9"}),
])  # fmt: skip
def test_every_table_and_no_other(n: int, positives: int | None, figures: dict[str, str]) -> None:
    expected = tried(n, positives, figures)
    assert expected
    assert set(hs.reconstruct(n=n, positives=positives, **figures).tables) == expected


def test_a_published_table_comes_back() -> None:
    """Lam et al. 2024, section 6: tp 77, fp 44, fn 10, tn 702; three figures of three digits fix it."""
    found = hs.reconstruct(n=833, accuracy="0.935", recall="0.885", specificity="0.941")
    assert found.tables == ((77, 44, 10, 702),)
    assert found["f1"].interval == hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1").interval


def test_the_interval_holds_those_of_all_tables() -> None:
    found = hs.reconstruct(n=120, positives=40, precision="0.8", recall="0.7")
    assert len(found) > 3
    each = [hs.estimate(hs.counts(tp=a, fp=b, fn=c, tn=d), "f1") for a, b, c, d in found.tables]
    assert found["f1"].low == pytest.approx(min(one.low for one in each), abs=1e-12)
    assert found["f1"].high == pytest.approx(max(one.high for one in each), abs=1e-12)
    assert min(each) <= found["f1"] <= max(each)
    assert f"{len(found)} tables give the printed numbers" in str(found["f1"].notes[0])


def test_percent_and_text_keep_their_zeros() -> None:
    tables = hs.reconstruct(n=200, positives=50, recall="0.80", precision="0.80").tables
    assert hs.reconstruct(n=200, positives=50, recall="80%", precision="80 %").tables == tables
    assert len(hs.reconstruct(n=200, positives=50, recall=0.8, precision=0.8).tables) > len(tables)
    assert "recall 0.8 counts as printed with 1 decimal" in str(hs.reconstruct(n=90, recall=0.8, precision=0.81))


def test_without_n_the_tables_know_no_true_negatives() -> None:
    found = hs.reconstruct(positives=80, precision=0.81, recall="0.74")
    assert found.tables == ((59, 14, 21, None),)
    assert found["f1"] == pytest.approx(2 * 59 / (2 * 59 + 35))


@pytest.mark.parametrize(("given", "message"), [
    ({"n": 500, "positives": 80, "precision": 0.81, "recall": 0.73, "f1": 0.9}, "no table gives these numbers"),
    ({"n": 10, "recall": 1}, "does not say how many decimals"),
    ({"n": 10, "recall": "high"}, "recall is 'high'"),
    ({"n": 10, "recall": 1.6}, "recall is 1.6"),
    ({"n": 10}, "figures that were printed"),
    ({"recall": 0.8}, "give n="),
    ({"n": 10, "positives": 20, "recall": 0.8}, "positives is 20, more than the 10 rows"),
    ({"positives": 20, "accuracy": 0.8}, "accuracy counts true negatives"),
    ({"positives": 20, "recall": 0.8}, "nothing bounds the false positives"),
    ({"n": 10**6, "recall": 0.8}, "number of positives must be known"),
    ({"n": 10_000, "accuracy": 0.9}, "millions of tables"),
])  # fmt: skip
def test_refusals(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        hs.reconstruct(**given)


def test_a_misspelt_metric_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="no argument 'recal'"):
        hs.reconstruct(n=10, recal=0.8)


def test_command_line() -> None:
    arguments = ["reconstruct", "--n", "833", "accuracy=0.935", "recall=88.5%", "specificity=0.941"]
    done = CliRunner().invoke(howsure, arguments)
    assert done.exit_code == 0
    assert "tp 77, fp 44, fn 10, tn 702" in done.output
    assert '"fn": 10' in CliRunner().invoke(howsure, [*arguments, "--format", "json"]).output
    assert CliRunner().invoke(howsure, ["reconstruct", "--n", "833", "0.9"]).exit_code == 2


def test_a_reconstruction_of_another_process_keeps_its_tables() -> None:
    found = hs.reconstruct(n=833, accuracy="0.935", recall="0.885", specificity="0.941")
    again = pickle.loads(pickle.dumps(found))
    assert again.tables == found.tables
    with pytest.raises(InputError, match="another process"):
        again["f1"]


# --- AUC


def hanley(area: float, ones: int, zeros: int) -> float:
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    return (area * (1 - area) + (ones - 1) * (q1 - area**2) + (zeros - 1) * (q2 - area**2)) / (ones * zeros)


def test_an_auc_from_a_paper_has_an_interval() -> None:
    """Each end is an AUC at which as many rows as its variance is worth leave 2.5 % beyond the printed value, mid-P."""
    found = hs.reconstruct(n=500, positives=80, auc="0.87")["auc"]
    for end, nearest, below in ((found.low, 0.865, True), (found.high, 0.875, False)):
        rows = end * (1 - end) / hanley(end, 80, 420)
        hits, misses = rows * nearest, rows * (1 - nearest)
        tail = (betainc(hits + 1, misses, end) + betainc(hits, misses + 1, end)) / 2
        assert (tail if below else 1 - tail) == pytest.approx(0.025, abs=1e-9)
    assert found.value == 0.87
    assert found.se == pytest.approx(hanley(0.87, 80, 420) ** 0.5)
    assert "spread alike" in found.notes[0]


def test_the_score_interval_of_a_papers_auc_takes_the_larger_of_two_shapes() -> None:
    """Each end is an AUC that lies z standard errors, of its own, from the nearest value that rounds to the printed."""
    few, many = (hs.reconstruct(n=500, positives=ones, auc="0.87", method="wilson")["auc"] for ones in (80, 420))
    for end, nearest in ((few.low, 0.865), (few.high, 0.875)):
        assert abs(nearest - end) == pytest.approx(1.959963985 * hanley(end, 80, 420) ** 0.5, rel=1e-6)
    assert many.interval == pytest.approx(few.interval, abs=1e-12)


def test_newcombes_method_averages_the_sizes() -> None:
    found = hs.reconstruct(n=500, positives=80, auc="0.870", method="newcombe")["auc"]
    for end, nearest in ((found.low, 0.8695), (found.high, 0.8705)):
        spread = hanley(end, 250, 250) * 250 * 250 / (80 * 420)
        assert abs(nearest - end) == pytest.approx(1.959963985 * spread**0.5, rel=1e-6)
    with pytest.raises(HowsureError, match="method is 'wald', which needs the scores"):
        hs.reconstruct(n=500, positives=80, auc="0.870", method="wald")["auc"]


def test_a_perfect_auc_has_a_width_and_counts_stand_beside_it() -> None:
    perfect = hs.reconstruct(n=60, positives=20, auc="1.00")
    assert perfect["auc"].low < 0.98
    assert perfect["auc"].high == 1.0
    assert len(perfect) == 0
    assert "no counts follow from it, but an interval does" in repr(perfect)
    assert "auc = 1.000" in str(perfect).lower()
    both = hs.reconstruct(n=500, positives=80, precision=0.81, recall=0.73, f1=0.76, auc=0.87)
    assert both.tables == ((58, 14, 22, 406),)
    assert both["auc"].interval == hs.reconstruct(n=500, positives=80, auc=0.87)["auc"].interval
    assert [row.metric for row in both.report] == ["precision", "recall", "f1", "auc"]


def test_what_an_auc_needs() -> None:
    with pytest.raises(InputError, match=r"auc is 0\.87, which needs the rows of both classes"):
        hs.reconstruct(n=500, auc=0.87)
    with pytest.raises(HowsureError, match="'average_precision' does not say how sure it is without its scores"):
        hs.reconstruct(n=500, positives=80, average_precision=0.87)
    with pytest.raises(HowsureError, match="'f1' does not follow from 'auc'"):
        hs.reconstruct(n=500, positives=80, auc=0.87)["f1"]


def test_an_auc_on_the_command_line() -> None:
    done = CliRunner().invoke(howsure, ["reconstruct", "--n", "500", "--positives", "80", "auc=0.87"])
    assert done.exit_code == 0, done.output
    assert "no counts follow from it, but an interval does" in done.output
    assert "AUC = 0.870, 95% interval" in done.output
