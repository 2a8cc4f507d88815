"""The doors for rows that hold no single label, and for further logs, with small valid files to spoil."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import howsure as hs

Files = Callable[[dict[str, list[Any]]], bytes]
VALUES = {"a": [0.5, 1.0, 0.25, 0.0, 0.75, 1.0], "b": [0, 1, 1, 0, 1, 1], "site": list("xxyyzz")}
CELLS = ("tp", "fp", "fn")
UNITS: dict[str, list[Any]] = {"image": list("pqrstu")}
UNITS |= {f"{model}_{cell}": [1, 0, 2, 3, 1, at] for model in ("yolo", "detr") for at, cell in enumerate(CELLS)}
SPEECH = {"u": list("pqrstu"), "errors": [0, 1, 2, 0, 1, 0], "words": [5, 9, 7, 3, 8, 6], "who": list("xxyyzz")}
LONG = {
    "model": ["m", "n"] * 6, "q": [f"q{place // 4}" for place in range(12)], "draw": [1, 1, 2, 2] * 3,
    "correct": [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0], "grade": [0.5, 1, 0, 0.25, 0.5, 1, 1, 0, 0.75, 0.5, 0, 1],
}  # fmt: skip
LABELS = {
    "x_gold": [1, 0, 1, 1], "y_gold": [0, 0, 1, 0], "x_net": [1, 0, 0, 1], "y_net": [0, 1, 1, 0],
    "gold": ["x", "y", "x|y", "x"], "net": ["x", "y", "y", "x"],
}  # fmt: skip
SCORES = {"y": [0, 1, 1, 0, 1, 0], "p": [0.1, 0.8, 0.6, 0.3, 0.9, 0.5], "q": [2, 5, 4, 1, 3, 2]}


class Door(NamedTuple):
    """What is read, of which rows, and how it is asked for."""

    name: str
    rows: dict[str, list[Any]]
    asked: dict[str, Any]


DOORS = (
    Door("values", VALUES, {"value": ["a", "b"], "range": (0, 1), "group": "site"}),
    Door("values left out", VALUES, {"value": ["a", "b"], "on_bad": "skip"}),
    Door("counts per unit", UNITS, {"unit": "image", "sums": ["tp", "fp", "fn"]}),
    Door("sums per unit", SPEECH, {"unit": "u", "sums": ["errors", "words"], "group": "who"}),
    Door("parts of a whole", SPEECH, {"unit": "u", "sums": ["errors", "words"], "range": (0, 1), "on_bad": "skip"}),
    Door("long table", LONG, {"model": "model", "id": "q", "correct": "correct"}),
    Door("long table, values", LONG, {"model": "model", "id": "q", "value": "grade", "on_bad": "skip"}),
    Door("labels in columns", LABELS, {"truth": "*_gold", "predictions": "*_net"}),
    Door("labels in a cell", LABELS, {"truth": "gold", "predictions": ["net"], "separator": "|"}),
    Door("scores", SCORES, {"truth": "y", "scores": ["p", "q"]}),
)


def asked_of(door: Door) -> Callable[[Path], Any]:
    """Return the call that reads a file and makes its report, so that what was read is also used."""

    def read(path: Path) -> Any:
        table = hs.read(path, **door.asked)
        hs.report(table, undefined="skip")
        return table

    return read


def sliced(path: Path) -> Any:
    """Read a long table by one of its columns."""
    return hs.read_slices(path, by="draw", model="model", id="q", correct="correct")


def helm() -> bytes:
    """Return statistics of instances as HELM writes them, one of them of a perturbed input."""

    def stats(value: float) -> list[dict[str, Any]]:
        return [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": value, "mean": value}]

    entries: list[dict[str, Any]] = [
        {"instance_id": f"id{at}", "train_trial_index": trial, "stats": stats(at % 2)}
        for at in range(4) for trial in range(2)
    ]  # fmt: skip
    entries.append({"instance_id": "id0", "train_trial_index": 0, "perturbation": {"name": "typos"}, "stats": stats(1)})
    return json.dumps(entries).encode()


def openai_evals() -> bytes:
    """Return events as the recorder of OpenAI's evals writes them."""
    shared = {"run_id": "r", "created_by": "", "created_at": "2026-01-01"}
    lines: list[Any] = [{"spec": {"completion_fns": ["gpt"], "eval_name": "e"}}, {"final_report": {"accuracy": 0.5}}]
    for at in range(4):
        lines.append(
            shared | {"event_id": at, "sample_id": f"e.{at}", "type": "match", "data": {"correct": at % 2 == 0}}
        )
    return "".join(json.dumps(one) + "\n" for one in lines).encode()


def samples_by_subject() -> bytes:
    """Return samples of lm-evaluation-harness with a subject."""
    rows = [{"doc_id": at, "doc": {"subject": "ab"[at % 2]}, "target": "A", "resps": [], "filtered_resps": [],
             "acc": at % 3 == 0, "rouge": at / 4} for at in range(4)]  # fmt: skip
    return "".join(json.dumps(one) + "\n" for one in rows).encode()


def two_taggers(path: Path) -> Any:
    """Read a file of tags beside an unspoilt one, exactly and by looser matches."""
    other = path.parent / "other.conll"
    other.write_bytes(TAGS)
    table = hs.read([other, path], scheme="IOB2")
    gold, guess = [["B-A", "I-A"]], [["B-A", "O"]]
    hs.spans(gold, {"m": guess}, match="partial")
    return table


TAGS = b"EU B-ORG B-ORG\nrejects O O\nGerman B-MISC O\n\nPeter B-PER B-PER\nB I-PER O\n"
