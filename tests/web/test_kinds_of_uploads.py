"""Uploads of every kind of rows: the numbers of the library, and copies in Python and for the shell that give them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from httpx import Client

import howsure as hs
from howsure.web.limits import Refused
from howsure.web.questions.uploads import upload
from support.command_line import copied_lines

SEED = np.random.default_rng(18)


def _csv(**columns: Any) -> bytes:
    rows = zip(*(map(str, column) for column in columns.values()), strict=True)
    return "\n".join([",".join(columns), *(",".join(row) for row in rows)]).encode()


CELLS = ("tp", "fp", "fn")
TRUTH = SEED.integers(0, 2, 80)
WORDS = SEED.integers(5, 30, 60)
QUESTIONS = [f"q{number // 2}" for number in range(120)]
# How it is asked in the calculator, and how in Python.
KINDS: dict[str, tuple[bytes, dict[str, Any], dict[str, Any]]] = {
    "values": (
        _csv(a=SEED.random(50).round(3), b=SEED.random(50).round(3), site=SEED.integers(0, 9, 50)),
        {"value": "a,b", "range": "0,1", "group": "site"},
        {"value": ["a", "b"], "range": (0, 1), "group": "site"},
    ),
    "counts per unit": (
        _csv(image=range(60), **{f"{m}_{c}": SEED.integers(0, 5, 60) for m in ("yolo", "detr") for c in CELLS}),
        {"unit": "image", "sums": "tp,fp,fn"},
        {"unit": "image", "sums": ["tp", "fp", "fn"]},
    ),
    "sums per unit": (
        _csv(u=range(60), a_errors=SEED.integers(0, 4, 60), b_errors=SEED.integers(0, 4, 60), words=WORDS),
        {"unit": "u", "sums": "errors,words", "better": "lower"},
        {"unit": "u", "sums": ["errors", "words"], "better": "lower"},
    ),
    "scores": (
        _csv(y=TRUTH, p=(SEED.random(80) + TRUTH).round(3), q=(SEED.random(80) + TRUTH / 2).round(3)),
        {"truth": "y", "scores": "p,q"},
        {"truth": "y", "scores": ["p", "q"]},
    ),
    "long table": (
        _csv(who=["x", "y"] * 60, q=QUESTIONS, right=SEED.integers(0, 2, 120)),
        {"model_column": "who", "id": "q", "correct": "right"},
        {"model": "who", "id": "q", "correct": "right"},
    ),
    "long table of values": (
        _csv(who=["x", "y"] * 60, q=QUESTIONS, grade=SEED.integers(0, 11, 120)),
        {"model_column": "who", "id": "q", "value": "grade", "range": "0,10"},
        {"model": "who", "id": "q", "value": "grade", "range": (0, 10)},
    ),
    "labels in columns": (
        _csv(**{f"{label}_{who}": SEED.integers(0, 2, 40) for label in "xyz" for who in ("gold", "net", "tree")}),
        {"truth": "*_gold", "predictions": "*_net,*_tree"},
        {"truth": "*_gold", "predictions": ["*_net", "*_tree"]},
    ),
    "labels in a cell": (
        _csv(gold=["a b", "b", "a", "c b"] * 9, m=["a", "b", "a b", "c"] * 9, n=["a b", "a", "a", "c"] * 9),
        {"truth": "gold", "predictions": "m,n", "separator": " "},
        {"truth": "gold", "predictions": ["m", "n"], "separator": " "},
    ),
    "labels and a judge": (
        _csv(human=[label if row < 40 else "" for row, label in enumerate(TRUTH)], gpt=SEED.permutation(TRUTH),
             m=1 - TRUTH, n=np.roll(TRUTH, 1)),
        {"truth": "human", "predictions": "m,n", "judge": "gpt", "pos_label": "1"},
        {"truth": "human", "predictions": ["m", "n"], "judge": "gpt", "pos_label": "1"},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Client]:
    with Client(base_url=address, timeout=60, trust_env=False) as made:
        yield made


def answered(client: Client, kind: str, **more: str) -> list[Any]:
    content, fields, _ = KINDS[kind]
    response = client.post("/api/upload", files={"file": ("rows.csv", content)}, data=fields | more)
    assert response.status_code == 200, response.text
    found: list[Any] = response.json()["answers"]
    return found


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    content, _, asked = KINDS[request.getfixturevalue("kind")]
    (tmp_path / "rows.csv").write_bytes(content)
    return hs.read(tmp_path / "rows.csv", **asked)


@pytest.mark.parametrize("kind", KINDS)
def test_reports_are_those_of_the_library(client: Client, kind: str, table: Any) -> None:
    _, shown = answered(client, kind)
    expected = {(row.model, row.metric): (row.value, row.low, row.high) for row in hs.report(table)}
    assert {(r["model"], r["metric"]): (r["value"], r["low"], r["high"]) for r in shown["rows"]} == expected


@pytest.mark.parametrize("kind", KINDS)
def test_comparisons_are_those_of_the_library(client: Client, kind: str, table: Any) -> None:
    (shown,) = answered(client, kind, question="compare")
    a, b = table.models
    expected = hs.compare(table, table.contents.leading, a=a, b=b)
    first = shown["rows"][0]
    assert (first["a"], first["b"], first["low"], first["high"]) == (a, b, expected.low, expected.high)
    assert first["p_value"] == expected.p_value


@pytest.mark.parametrize("question", ["report", "compare"])
@pytest.mark.parametrize("kind", KINDS)
def test_copies_give_the_pages_numbers(
    client: Client, kind: str, question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "rows.csv").write_bytes(KINDS[kind][0])
    monkeypatch.chdir(tmp_path)
    answer = answered(client, kind, question=question)[-1]
    row = answer["rows"][0]
    exec(compile(answer["copies"]["python"], "copied", "exec"), {})
    assert f"{row['low']:.3f}".lstrip("-") in capsys.readouterr().out
    assert repr(row["low"]) in copied_lines(answer["copies"]["command"] + " --format json", tmp_path)


def test_a_page_with_a_judge_shows_both(client: Client) -> None:
    content, fields, _ = KINDS["labels and a judge"]
    made = client.post("/api/upload", files={"file": ("rows.csv", content)}, data=fields | {"page": "true"}).json()
    assert '<section id="judge"' in made["page"]


def test_the_second_model_may_come_first(client: Client) -> None:
    (turned,) = answered(client, "long table", question="compare", a="y", b="x")
    (plain,) = answered(client, "long table", question="compare")
    assert turned["rows"][0]["difference"] == -plain["rows"][0]["difference"]
    assert "--baseline y" in turned["copies"]["command"]


@pytest.mark.parametrize(("kind", "more", "message"), [
    ("values", {"range": "0,0.5"}, "outside the range"),
    ("values", {"range": "0"}, "range has 1 numbers; give"),
    ("values", {"range": "0,1,2"}, "range has 3 numbers; give"),
    ("values", {"range": "0,x"}, "range"),
    ("values", {"correct": "b"}, "correct is given beside value"),
    ("sums per unit", {"unit": ""}, "sums is given without unit"),
    ("scores", {"metric": "accuracy"}, "threshold"),
    ("long table", {"id": ""}, "name its questions too"),
    ("long table", {"a": "z", "question": "compare"}, "'z'"),
    ("labels in a cell", {"separator": "x" * 30}, "separator"),
])  # fmt: skip
def test_what_is_refused_is_said(kind: str, more: dict[str, str], message: str) -> None:
    content, fields, _ = KINDS[kind]
    with pytest.raises(hs.HowsureError, match=message) as raised:
        upload(content, "rows.csv", fields | more)
    assert not isinstance(raised.value, Refused) or raised.value.status in (400, 413, 422)


def test_a_helm_file_is_known_by_its_name() -> None:
    stats = [{"instance_id": str(at), "stats": [{"name": {"name": "em"}, "mean": at % 2}]} for at in range(6)]
    about = upload(json.dumps(stats).encode(), "per_instance_stats.json", {"predictions": "em"})["about"]
    assert about["rows"] == 6
