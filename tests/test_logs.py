"""Logs of evaluation programs, as tiny synthetic samples in the layouts that those programs write."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import doors
import howsure as hs
from howsure.errors import InputError
from howsure.sources.read import read

STAMP = "2025-01-31T10-20-30.123456"


def harness(path: Path, right: dict[int, float], *, metric: str = "acc", **more: Any) -> Path:
    """Write samples as lm-evaluation-harness does with --log_samples."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "doc_id": doc,
            "doc": {"question": f"q{doc}"},
            "target": "1",
            "arguments": {"gen_args_0": {"arg_0": f"q{doc}"}},
            "resps": [[["-1.0", "False"]]],
            "filtered_resps": [["-1.0", "False"]],
            "filter": "none",
            "metrics": [metric],
            "doc_hash": f"hash{doc}",
            "prompt_hash": "p",
            "target_hash": "t",
            metric: value,
            **more,
        }
        for doc, value in right.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class TestHarness:
    def test_two_runs_paired_on_doc_id(self, tmp_path: Path) -> None:
        one = harness(tmp_path / "llama" / f"samples_arc_{STAMP}.jsonl", {0: 1.0, 1: 0.0, 2: 1.0, 3: 1.0})
        two = harness(tmp_path / "qwen" / f"samples_arc_{STAMP}.jsonl", {3: 1.0, 2: 0.0, 1: 0.0, 0: 1.0})
        found = read([one, two])
        assert found.models == ("llama", "qwen")
        assert doors.rows_of(found) == {(1, 1, 1): (2.0,) * 3, (1, 0, 0): (1.0,) * 3, (1, 1, 0): (1.0,) * 3}
        assert hs.estimate(found, "accuracy", model="llama").value == 0.75
        assert hs.compare(found, "accuracy", a="llama", b="qwen").difference == -0.25
        assert found.notes[0] == "metric 'acc' of lm-evaluation-harness."
        assert "the share right" in found.notes[1]

    def test_one_file(self, tmp_path: Path) -> None:
        found = read(harness(tmp_path / f"samples_arc_{STAMP}.jsonl", {0: True, 1: False}, metric="exact_match"))
        assert (found.n, found.tp, found.models) == (2, 1, ("model",))
        assert hs.estimate(found, "recall").value == 0.5

    def test_several_tasks_of_two_models(self, tmp_path: Path) -> None:
        files = [
            harness(tmp_path / model / f"samples_{task}_{STAMP}.jsonl", {0: 1, 1: int(model == "b")})
            for model in ("a", "b")
            for task in ("mmlu_law", "mmlu_art")
        ]
        found = read(files)
        assert found.models == ("a", "b")
        assert doors.rows_of(found) == {(1, 1, 1): (2.0,) * 3, (1, 0, 1): (2.0,) * 3}

    def test_several_filters(self, tmp_path: Path) -> None:
        path = harness(tmp_path / "s.jsonl", {0: 1, 1: 0}, metric="exact_match", filter="strict-match")
        other = harness(tmp_path / "t.jsonl", {0: 1, 1: 1}, metric="exact_match", filter="flexible-extract")
        path.write_text(path.read_text() + other.read_text())
        with pytest.raises(InputError, match="'exact_match,flexible-extract', 'exact_match,strict-match'; name one"):
            read(path)
        assert read(path, predictions="exact_match,strict-match").tp == 1
        assert read(path, predictions="exact_match,flexible-extract").tp == 2
        with pytest.raises(InputError, match=r"doc_id 0 more than once \(of several filters\?\)"):
            read(path, predictions="exact_match")

    def test_several_metrics(self, tmp_path: Path) -> None:
        path = harness(tmp_path / "s.jsonl", {0: 1, 1: 0}, acc_norm=1.0, metrics=["acc", "acc_norm"])
        with pytest.raises(InputError, match="several 0/1 metrics: 'acc', 'acc_norm'; name one"):
            read(path)
        assert read(path, predictions="acc_norm").tp == 2

    def test_metric_that_is_no_share(self, tmp_path: Path) -> None:
        path = harness(tmp_path / "s.jsonl", {0: 0.5, 1: 0.25}, metric="f1")
        with pytest.raises(InputError, match="no 0/1 metric among 'f1'"):
            read(path)
        with pytest.raises(InputError, match="it must be 0 or 1 for each question"):
            read(path, predictions="f1")
        with pytest.raises(InputError, match="metric 'em' is not in"):
            read(path, predictions="em")

    def test_runs_that_differ(self, tmp_path: Path) -> None:
        one = harness(tmp_path / "a.jsonl", {0: 1, 1: 0, 2: 1})
        two = harness(tmp_path / "b.jsonl", {1: 1, 2: 1, 5: 0})
        with pytest.raises(InputError, match=r"'a' lacks 1 \(5\); 'b' lacks 1 \(0\)"):
            read([one, two])
        found = read([one, two], on_bad="skip")
        assert found.n == 2
        assert "2 of 4 questions were left out" in found.notes[-1]

    def test_other_questions_under_the_same_number(self, tmp_path: Path) -> None:
        one = harness(tmp_path / "a.jsonl", {0: 1, 1: 0})
        two = harness(tmp_path / "b.jsonl", {0: 1, 1: 0}, doc_hash="other")
        with pytest.raises(InputError, match="same version of a task"):
            read([one, two])

    def test_arguments_that_mean_nothing_here(self, tmp_path: Path) -> None:
        path = harness(tmp_path / "a.jsonl", {0: 1, 1: 0})
        for option in ({"truth": "target"}, {"weight": "w"}, {"labels": [0, 1]}, {"predictions": ["acc", "acc_norm"]}):
            with pytest.raises(InputError, match=next(iter(option))):
                read(path, **option)
        path.write_text(path.read_text() + '{"no": 1}\n')
        with pytest.raises(InputError, match="line 3 is no sample"):
            read(path)


def sample(name: Any, epoch: int, value: Any, scorer: str = "match") -> dict[str, Any]:
    score = {} if value is None else {scorer: {"value": value, "answer": "x", "explanation": "because"}}
    return {"id": name, "epoch": epoch, "input": "?", "target": "A", "messages": [], "scores": score}


def inspect(path: Path, model: str, samples: list[dict[str, Any]]) -> Path:
    log = {
        "version": 2,
        "status": "success",
        "eval": {"task": "arc", "model": model},
        "results": {},
        "samples": samples,
    }
    path.write_text(json.dumps(log))
    return path


class TestInspect:
    def test_one_epoch(self, tmp_path: Path) -> None:
        one = inspect(tmp_path / "a.json", "openai/x", [sample(1, 1, "C"), sample("b", 1, "I"), sample(3, 1, "N")])
        two = inspect(tmp_path / "b.json", "meta/y", [sample(3, 1, 1), sample(1, 1, 1.0), sample("b", 1, False)])
        found = read([one, two])
        assert found.models == ("openai/x", "meta/y")
        assert found.groups is None
        assert doors.rows_of(found) == {(1, 1, 1): (1.0,) * 3, (1, 0, 0): (1.0,) * 3, (1, 0, 1): (1.0,) * 3}

    def test_epochs_are_groups(self, tmp_path: Path) -> None:
        path = inspect(
            tmp_path / "a.json", "m", [sample(i, epoch, "C" if i else "I") for i in (0, 1) for epoch in (1, 2, 3)]
        )
        found = read(path)
        assert (found.n, found.n_groups) == (6, 2)
        assert "3 epochs of a sample are one group." in found.notes

    def test_archive(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
            archive.writestr("header.json", json.dumps({"eval": {"model": "m"}}))
            for place, value in enumerate("CIC"):
                archive.writestr(f"samples/{place}_epoch_1.json", json.dumps(sample(place, 1, value)))
            archive.writestr("summaries.json", "[]")
        found = read(tmp_path / "a.eval")
        assert (found.n, found.tp, found.models) == (3, 2, ("m",))

    def test_bomb(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("howsure.sources.logs.EXPANDED", 1 << 10)
        with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("samples/1_epoch_1.json", " " * 1_000_000)
        with pytest.raises(InputError, match="more than 200 times its size"):
            read(tmp_path / "a.eval")

    def test_scores_that_are_neither(self, tmp_path: Path) -> None:
        path = inspect(tmp_path / "a.json", "m", [sample(1, 1, "C"), sample(2, 1, "P"), sample(3, 1, None)])
        with pytest.raises(InputError, match=r"'m' has neither right nor wrong for 2 \(\(2, 1\), \(3, 1\)\)"):
            read(path)
        assert read(path, on_bad="skip").n == 1

    def test_several_scorers(self, tmp_path: Path) -> None:
        both = sample(1, 1, "C") | {"scores": {"match": {"value": "C"}, "judge": {"value": "I"}}}
        path = inspect(tmp_path / "a.json", "m", [both])
        with pytest.raises(InputError, match="several scorers: 'judge', 'match'; name one"):
            read(path)
        assert read(path, predictions="judge").tp == 0
        with pytest.raises(InputError, match="its scorers are 'judge', 'match'"):
            read(path, predictions="judges")

    def test_same_model_twice(self, tmp_path: Path) -> None:
        files = [inspect(tmp_path / f"{name}.json", "m", [sample(1, 1, "C")]) for name in ("first", "second")]
        assert read(files).models == ("first", "second")
        with pytest.raises(InputError, match="more than once"):
            read(inspect(tmp_path / "x.json", "m", [sample(1, 1, "C"), sample(1, 1, "I")]))


class TestReferences:
    def write(self, path: Path, content: Any) -> Path:
        path.write_text(json.dumps(content))
        return path

    def test_predictions_and_references(self, tmp_path: Path) -> None:
        path = self.write(tmp_path / "a.json", {"predictions": [1, 0, 1], "references": [1, 1, 0]})
        found = read(path)
        assert (found.models, found.tp, found.fn, found.fp) == (("model",), 1, 1, 1)

    def test_several_models(self, tmp_path: Path) -> None:
        path = self.write(tmp_path / "a.json", {"predictions": {"x": ["a"], "y": ["b"]}, "references": ["a"]})
        assert doors.rows_of(read(path)) == {("a", "a", "b"): (1.0,) * 3}

    def test_refusals(self, tmp_path: Path) -> None:
        path = self.write(tmp_path / "a.json", {"predictions": [["O"]], "references": [["O"]]})
        with pytest.raises(InputError, match=r"howsure\.spans"):
            read(path)
        path = self.write(tmp_path / "a.json", {"predictions": [1], "references": [1, 0]})
        with pytest.raises(InputError, match="'references' has 2, 'model' has 1"):
            read(path)
        path = self.write(tmp_path / "a.json", {"predictions": [1, None], "references": [1, 0]})
        with pytest.raises(InputError, match="'model' is missing in 1"):
            read(path)
        assert read(path, on_bad="skip").n == 1

    def test_mlflow_table(self, tmp_path: Path) -> None:
        data = [["q1", "yes", "yes", 0.9], ["q2", "no", "yes", 0.6]]
        path = self.write(tmp_path / "t.json", {"columns": ["inputs", "target", "prediction", "score"], "data": data})
        found = read(path, pos_label="yes")
        assert (found.models, found.tp, found.fp) == (("prediction",), 1, 1)
        assert "truth is 'target' by its name; the prediction is 'prediction' by name" in found.notes[0]
        assert read(path, truth="target", predictions={"m": "prediction"}).models == ("m",)
        with pytest.raises(InputError, match="'targets', which"):
            read(path, truth="targets", predictions="prediction")

    def test_other_objects(self, tmp_path: Path) -> None:
        path = self.write(tmp_path / "r.json", {"results": {"arc": {"acc,none": 0.5}}, "config": {}})
        with pytest.raises(InputError, match=r"one JSON object with the keys \['results', 'config'\]"):
            read(path)
        (tmp_path / "r.json").write_text('{"results": ')
        with pytest.raises(InputError, match="is not JSON"):
            read(tmp_path / "r.json")

    def test_mixtures(self, tmp_path: Path) -> None:
        log = inspect(tmp_path / "a.json", "m", [sample(1, 1, "C")])
        rows = tmp_path / "b.csv"
        rows.write_text("id,label,p\n1,1,1\n")
        with pytest.raises(InputError, match="mixes logs and other files"):
            read([log, rows])
        path = self.write(tmp_path / "c.json", {"predictions": [1], "references": [1]})
        with pytest.raises(InputError, match="one at a time"):
            read([path, path])
