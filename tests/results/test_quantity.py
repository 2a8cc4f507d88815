"""A result that stands for one number is a float: everywhere a float goes, with what it knows besides."""

from __future__ import annotations

import copy
import csv
import io
import json
import math
import operator
import pickle
import statistics
from dataclasses import FrozenInstanceError, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import howsure as hs
from howsure.results.quantity import Quantity, alike, later

TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)
VALUE = 154 / 208  # 2·77 / (2·77 + 44 + 10)
COUNTER = hs.Counter(labels=[0, 1])
COUNTER.update([1, 1, 0, 1], [1, 0, 0, 1])
NUMBERS: dict[str, Any] = {
    "estimate": hs.estimate(TABLE, "f1"),
    "slice": hs.Slices({"a": TABLE, "b": TABLE}).report("f1")[0],
    "bound": COUNTER.bound("accuracy"),
    "critical value": hs.critical_value([[1.0, 0.0], [0.0, 1.0]]),
}


@pytest.fixture(params=NUMBERS, scope="module")
def number(request: pytest.FixtureRequest) -> Any:
    return NUMBERS[request.param]


@pytest.fixture(scope="module")
def e() -> hs.Estimate:
    found: hs.Estimate = NUMBERS["estimate"]
    return found


# --- a number ------------------------------------------------------------------------------------------------------


def test_it_is_a_float_of_its_value(number: Any) -> None:
    assert isinstance(number, float)
    assert number == number.value == float(number)
    assert type(number.value) is type(float(number)) is float
    assert hash(number) == hash(number.value)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "floordiv", "mod"])
def test_arithmetic_gives_plain_floats(number: Any, name: str) -> None:
    work = getattr(operator, name)
    for found, expected in ((work(number, 2), work(number.value, 2)), (work(3, number), work(3, number.value))):
        assert type(found) is float
        assert found == expected


def test_functions_of_one_number_give_plain_numbers(number: Any) -> None:
    value = number.value
    for work in (operator.neg, operator.pos, abs, math.sqrt, lambda x: round(x, 3), lambda x: x.real):
        assert type(work(number)) is float
        assert work(number) == work(value)
    assert (int(number), bool(number), math.floor(number)) == (int(value), True, math.floor(value))
    assert Fraction(number) == Fraction(value)
    assert Decimal(number) == Decimal(value)
    assert number.hex() == value.hex()


def test_python_s_own_programs_take_it(number: Any) -> None:
    value, pair = number.value, [number, number]
    assert sum(pair) == math.fsum(pair) == 2 * value
    for mean in (statistics.mean, statistics.fmean, statistics.median, statistics.geometric_mean):
        assert type(mean(pair)) is float
        assert mean(pair) == pytest.approx(value, rel=1e-15)
    assert statistics.stdev(pair) == 0
    assert json.dumps({"f1": number, "list": pair}) == json.dumps({"f1": value, "list": [value, value]})
    assert json.loads(json.dumps({number: 1})) == {repr(value): 1}
    assert number == pytest.approx(value)
    assert value == pytest.approx(number)
    assert pair == pytest.approx([value, value])
    assert "%.2f" % number == f"{number:.2f}" == f"{value:.2f}"  # noqa: UP031
    assert sorted([number, value - 1, value + 1]) == [value - 1, value, value + 1]


def test_the_class_of_a_bare_number_gives_that_number(number: Any) -> None:
    kind = type(number)
    assert type(kind(Fraction(1, 4))) is float
    assert (kind(Fraction(1, 4)), kind("0.5"), kind()) == (0.25, 0.5, 0.0)
    assert kind.fromhex("0x1p-1") == 0.5


def test_nan_behaves_as_nan() -> None:
    found = hs.estimate(hs.counts(tp=0, fp=0, fn=0, tn=9), "f1")
    assert math.isnan(found)
    assert found != found
    assert found.same(found)
    assert found.same(pickle.loads(pickle.dumps(found)))


# --- other people's containers -------------------------------------------------------------------------------------


def test_numpy_takes_it_for_a_float(number: Any) -> None:
    value = number.value
    made = np.array([number, 0.5])
    assert made.dtype == np.float64
    assert made.tolist() == [value, 0.5]
    assert np.asarray(number).shape == ()
    for found in (np.mean([number, number]), np.float64(number), np.multiply(number, 1.0), np.clip(number, -9, 9)):
        assert found == value
    assert np.full(2, number).tolist() == np.append([value], number).tolist() == [value, value]
    filled = np.zeros(2)
    filled[1] = number
    assert filled.tolist() == [0.0, value]
    np.testing.assert_allclose(number, value, rtol=0)
    assert np.isfinite(number)


def test_pandas_takes_it_for_a_float(number: Any) -> None:
    value = number.value
    frame = pd.DataFrame({"list": [number, 0.5]})
    frame["f"] = number
    frame.loc[0, "g"] = number
    frame.at[1, "g"] = number
    frame.iloc[1, 0] = number
    frame["filled"] = pd.Series([np.nan, 1.0]).fillna(number)
    frame["mapped"] = frame["f"].map({value: number})
    assert set(frame.dtypes) == {np.dtype("float64")}
    assert frame["list"].tolist() == frame["f"].tolist() == frame["g"].tolist() == [value, value]
    assert frame["filled"].tolist() == [value, 1.0]
    for made in (pd.Series([number]), pd.Series({"a": number}), pd.Series(number, index=["a"])):
        assert made.dtype == np.float64
        assert made.tolist() == [value]
    assert pd.DataFrame([{"f": number}, {"f": 0.5}]).dtypes["f"] == np.float64
    assert pd.Series([1, 2]).groupby([0, 0]).agg(lambda part: number).tolist() == [value]


def test_polars_takes_it_for_a_float(number: Any) -> None:
    value = number.value
    assert not is_dataclass(number)
    for made in (pl.Series([number, 0.5]), pl.DataFrame({"f": [number, 0.5]})["f"], pl.DataFrame([{"f": number}])["f"]):
        assert made.dtype == pl.Float64
        assert made[0] == value
    frame = pl.DataFrame({"f": [None, 1.0]}).with_columns(g=pl.lit(number), h=pl.col("f").fill_null(number))
    assert frame.dtypes == [pl.Float64] * 3
    assert frame["h"].to_list() == [value, 1.0]


def test_arrow_takes_it_for_a_float(number: Any) -> None:
    assert pa.array([number, None]).type == pa.table({"f": [number]}).schema.field("f").type == pa.float64()
    assert pa.scalar(number).as_py() == number.value


# --- what it knows besides -----------------------------------------------------------------------------------------


def test_an_estimate_unpacks_as_value_and_limits(e: hs.Estimate) -> None:
    value, (low, high) = e
    assert (value, low, high) == (e.value, e.low, e.high)
    assert list(e) == [e[0], e[1]] == [e.value, (e.low, e.high)]
    with pytest.raises(IndexError):
        e[2]
    assert not hasattr(e, "__iter__")
    assert not hasattr(e, "__len__")
    match e:
        case hs.Estimate(first, lower, upper):
            assert (first, lower, upper) == (value, low, high)


def test_an_estimate_says_itself(e: hs.Estimate) -> None:
    assert repr(e) == "F1 = 0.740, 95% interval 0.668 to 0.802 (mid-P), 833 rows"
    assert str(e).splitlines()[0] == f"{e}".splitlines()[0] == repr(e)
    assert f"{e:.1%}" == "74.0%"
    out = io.StringIO()
    csv.writer(out).writerow([float(e)])
    assert out.getvalue() == f"{VALUE!r}\r\n"


def test_same_compares_everything(e: hs.Estimate) -> None:
    wald = e.by("wald")
    assert wald == e
    assert not wald.same(e)
    assert not e.same(e.value)
    assert e.same(hs.estimate(TABLE, "f1"))
    for name in set(e.__match_args__) - {"again"}:
        assert not e.same(e.replace(**{name: "other" if name != "value" else 0.5})), name
    assert e.same(e.replace(again=None))


def test_reports_and_comparisons_compare_everything() -> None:
    assert hs.report(TABLE, "f1") == hs.report(TABLE, "f1")
    assert hs.report(TABLE, "f1") != hs.report(TABLE, "f1", method="wald")
    pair = hs.table([1, 0, 1, 1, 0], {"a": [1, 0, 0, 1, 0], "b": [1, 1, 1, 1, 0]})
    assert hs.compare_all(pair, "f1") == hs.compare_all(pair, "f1")
    made = hs.compare_all(pair, "f1")
    assert made != hs.compare_all(pair, "f1", level=0.9)


def test_it_never_changes(number: Any) -> None:
    with pytest.raises(FrozenInstanceError, match="never changes"):
        number.level = 0.5
    with pytest.raises(AttributeError, match="never changes"):
        del number.level
    moved = number.replace(level=0.5)
    assert (moved.level, moved.value, type(moved)) == (0.5, number.value, type(number))
    assert moved.same(number.__replace__(level=0.5))
    assert copy.copy(number) is copy.deepcopy(number) is number


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_keep_everything_but_the_table(number: Any, protocol: int) -> None:
    found = pickle.loads(pickle.dumps(number, protocol=protocol))
    assert type(found) is type(number)
    assert found.same(number)
    assert len(pickle.dumps(number, protocol=protocol)) < 5000


def test_a_pickled_estimate_no_longer_knows_its_table(e: hs.Estimate) -> None:
    assert e.at(0.9).level == 0.9
    with pytest.raises(hs.InputError, match="no longer knows its table"):
        pickle.loads(pickle.dumps(e)).at(0.9)


# --- fields --------------------------------------------------------------------------------------------------------


class Length(Quantity):
    """A quantity of this test: a field more, one with a default, one hidden."""

    hidden: ClassVar[frozenset[str]] = frozenset({"source"})

    metres: float
    error: float
    unit: str = "m"
    source: Any = None


class Height(Length):
    above: str = "sea"


def test_fields_are_bound_as_arguments_are() -> None:
    assert Height.__match_args__ == ("metres", "error", "unit", "source", "above")
    made = Height(2, 0.1, above="ground")
    assert (made, made.metres, made.error, made.unit, made.above) == (2.0, 2.0, 0.1, "m", "ground")
    assert repr(made) == "Height(metres=2.0, error=0.1, unit='m', above='ground')"
    assert Length(2, 0.1, source=1).same(Length(2, 0.1, source=2))
    assert not Length(2, 0.1).same(Height(2, 0.1))


@pytest.mark.parametrize(
    ("values", "fields", "said"),
    [
        ((1, 2, 3, 4, 5), {}, "has 4 fields, and 5 values were given"),
        ((1, 2), {"metres": 3}, "no field 'metres' that is not given yet"),
        ((1, 2), {"colour": 3}, "no field 'colour'"),
        ((), {"metres": 3}, "needs 'error' too"),
    ],
)
def test_wrong_fields_are_refused(values: tuple[Any, ...], fields: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Length(*values, **fields)


def test_alike_looks_into_containers() -> None:
    one = {"a": [Length(1, 2), math.nan]}
    assert alike(one, {"a": (Length(1, 2), math.nan)})
    assert not alike(one, {"a": [Length(1, 3), math.nan]})
    assert not alike(one, {"a": [Length(1, 2)]})
    assert not alike(one, {"b": [Length(1, 2), math.nan]})


# --- what nobody looks at --------------------------------------------------------------------------------------------


class Found(Quantity):
    value: float
    se: float
    model: str = "model"


def looks() -> tuple[Found, list[str]]:
    """Return a number whose standard error is found later, and a list that grows when it is."""
    asked: list[str] = []
    return Found(0.5, later(lambda: asked.append("se") or 0.25)), asked


def test_a_field_for_later_is_found_at_the_first_look_and_kept() -> None:
    found, asked = looks()
    assert (found + 1, found.model, asked) == (1.5, "model", [])
    assert (found.se, found.se, asked) == (0.25, 0.25, ["se"])


def test_what_is_for_later_stays_so_in_a_changed_copy() -> None:
    found, asked = looks()
    changed = found.replace(model="bert")
    assert (changed.model, asked) == ("bert", [])
    assert (changed.se, asked) == (0.25, ["se"])
    assert found.replace(se=1.0).se == 1.0


def test_comparing_and_pickling_look_at_everything() -> None:
    found, asked = looks()
    assert found.same(Found(0.5, 0.25))
    assert not found.same(Found(0.5, 0.26))
    assert asked == ["se"]
    assert pickle.loads(pickle.dumps(looks()[0])).same(found)


def test_a_name_that_is_no_field_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'Found' object has no attribute 'sd'"):
        _ = looks()[0].sd


def test_an_estimate_finds_its_standard_error_and_notes_when_asked() -> None:
    e = hs.estimate(hs.counts(tp=0, fp=0, fn=0, tn=5), "f1")
    assert {"se", "notes", "fraction", "drawn"} <= e.as_given().keys() - vars(e).keys()
    assert math.isnan(e.se)
    assert "undefined (0/0)" in str(e.notes[0])
    assert {"se", "notes"} <= vars(e).keys()
