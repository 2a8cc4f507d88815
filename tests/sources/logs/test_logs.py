"""Logs of evaluation programs: synthetic ones in their layouts, and real ones made by samples/make_samples.py."""

from __future__ import annotations

import json
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.errors import InputError
from howsure.sources.read import read
from support import doors

SAMPLES = Path(__file__).parents[2] / "samples"
MADE = json.loads((SAMPLES / "made.json").read_text())
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
        assert hs.estimate(read(path, predictions="f1"), "mean").value == pytest.approx(0.375)
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
        monkeypatch.setattr("howsure.sources.files.formats.EXPANDED", 1 << 10)
        with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("samples/1_epoch_1.json", " " * 1_000_000)
        with pytest.raises(InputError, match="more than 200 times its size"):
            read(tmp_path / "a.eval")

    def test_scores_that_are_neither(self, tmp_path: Path) -> None:
        path = inspect(tmp_path / "a.json", "m", [sample(1, 1, "C"), sample(2, 1, "P"), sample(3, 1, None)])
        with pytest.raises(InputError, match=r"'m' has neither right nor wrong for 2 \(\(2, 1\), \(3, 1\)\)"):
            read(path)
        assert read(path, on_bad="skip").n == 1
        with pytest.raises(InputError, match=r"1 with a score 'P', 1 with no score"):
            read(path)

    def test_samples_that_failed_and_runs_that_stopped(self, tmp_path: Path) -> None:
        failed = sample(2, 1, None) | {"error": {"message": "broken", "traceback": "..."}}
        path = inspect(tmp_path / "a.json", "m", [sample(1, 1, "C"), failed])
        with pytest.raises(InputError, match=r"the run did not answer all its questions: .*, 1 with an error"):
            read(path)
        path.write_text(path.read_text().replace('"success"', '"error"'))
        notes = read(path, on_bad="skip").notes
        assert "the run of 'm' ended with status 'error': it may not have answered all questions." in notes

    @pytest.mark.parametrize(
        "content",
        [
            {"eval": {}, "samples": [3]},
            {"eval": {}, "samples": [{"id": [1], "scores": {}}]},
            {"eval": [], "samples": [{"id": 1, "scores": ["match"]}]},
            {"eval": None, "samples": {}},
            {"eval": {}, "status": "success", "plan": {}, "results": {}},
        ],
    )
    def test_broken_logs(self, tmp_path: Path, content: Any) -> None:
        (tmp_path / "a.json").write_text(json.dumps(content))
        with pytest.raises(InputError, match=r"a\.json"):
            read(tmp_path / "a.json")

    def test_broken_archives(self, tmp_path: Path) -> None:
        whole = (SAMPLES / "inspect" / "first.eval").read_bytes()
        for place in range(100, len(whole), 997):
            damaged = bytearray(whole)
            damaged[place] ^= 0xFF
            (tmp_path / "a.eval").write_bytes(damaged)
            with suppress(InputError):  # nothing else may come out; where nothing that is read was hit, the table
                assert read(tmp_path / "a.eval").n == 6

    def test_several_scorers(self, tmp_path: Path) -> None:
        both = sample(1, 1, "C") | {"scores": {"match": {"value": "C"}, "judge": {"value": "I"}}}
        path = inspect(tmp_path / "a.json", "m", [both])
        with pytest.raises(InputError, match="several scorers: 'judge', 'match'; name one"):
            read(path)
        assert read(path, predictions="judge").tp == 0
        with pytest.raises(InputError, match=r"it has 'judge', 'match'\. Did you mean 'judge'"):
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
        with pytest.raises(InputError, match=r"for sequences of tags use spans\(\)"):
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

    def test_a_judge_of_an_mlflow_table(self, tmp_path: Path) -> None:
        rows = [[1, 1, 1], [0, 0, 0], [None, 1, 1], [None, 0, 1], [1, 0, 1], [0, 1, 0], [None, 0, 0], [1, 1, 1]]
        path = self.write(tmp_path / "t.json", {"columns": ["y", "m", "j"], "data": rows})
        found = read(path, truth="y", predictions="m", judge="j")
        truth, model, judge = zip(*rows, strict=True)
        again = hs.table(truth, {"m": model}, judge={"j": judge})
        assert (found.n, repr(found)) == (8, repr(again))
        assert hs.estimate(found, "accuracy").value == hs.estimate(again, "accuracy").value

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


def value_of(found: hs.Table, model: str | None = None) -> float:
    return hs.estimate(found, "accuracy", model=model).value


class TestRealLogs:
    """The program's own number, stored when it wrote the log, is the reference."""

    @pytest.mark.parametrize("name", ["first.eval", "second.eval", "limited.eval"])
    def test_inspect(self, name: str) -> None:
        found, said = read(SAMPLES / "inspect" / name), MADE["inspect"][name]["match"]
        made = hs.estimate(found, "accuracy")
        assert made.value == pytest.approx(said["accuracy"], abs=1e-12)
        # Inspect divides by n − 1.
        assert made.se * (found.n / (found.n - 1)) ** 0.5 == pytest.approx(said["stderr"], rel=1e-9)
        assert found.models == ("mockllm/model",)

    def test_inspect_epochs_are_clusters(self) -> None:
        found, said = read(SAMPLES / "inspect" / "epochs.eval"), MADE["inspect"]["epochs.eval"]["match"]
        made = hs.estimate(found, "accuracy", method="wald")
        assert (found.n, found.n_groups) == (18, 6)
        assert made.value == pytest.approx(said["accuracy"], abs=1e-12)
        # Inspect takes the spread of the six means over their epochs; groups give the same, divided by G − 1 as well.
        assert made.se == pytest.approx(said["stderr"], rel=1e-9)

    def test_inspect_epochs_by_the_rule_of_groups(self) -> None:
        """Two hidden rows, in clusters as large as those seen: ¾ + ¼·3 is feared of them, or what was seen if more."""
        found, said = read(SAMPLES / "inspect" / "epochs.eval"), MADE["inspect"]["epochs.eval"]["match"]
        n, epochs, share = 18, 3, said["accuracy"]
        seen = share * (1 - share) / n
        hidden = 2 / n * (share**2 + (1 - share) ** 2) / 2 / n  # of two rows, right or wrong alike
        shown = said["stderr"] ** 2 / seen
        hidden *= max(shown, 1)
        effect = (said["stderr"] ** 2 + hidden * max(0.75 + 0.25 * epochs, shown)) / (seen + hidden)
        made = hs.estimate(found, "accuracy")
        assert made.design_effect == pytest.approx(effect, rel=1e-9)
        assert made.se == pytest.approx((seen * effect) ** 0.5, rel=1e-9)

    def test_inspect_scorers_and_their_parts(self) -> None:
        several, parts = SAMPLES / "inspect" / "several.json", SAMPLES / "inspect" / "parts.eval"
        for scorer in ("match", "includes"):
            said = MADE["inspect"]["several.json"][scorer]["accuracy"]
            assert value_of(read(several, predictions=scorer)) == pytest.approx(said, abs=1e-12)
        assert 0 < hs.estimate(read(several, predictions="partial"), "mean").value < 1  # half marks are values
        for part in ("right", "short"):
            said = MADE["inspect"]["parts.eval"][part]["accuracy"]
            assert value_of(read(parts, predictions=f"two.{part}")) == pytest.approx(said, abs=1e-12)
        with pytest.raises(InputError, match=r"several scorers: 'two\.right', 'two\.short'; name one"):
            read(parts)

    def test_inspect_runs_are_paired(self) -> None:
        folder = SAMPLES / "inspect"
        found = read([folder / "first.eval", folder / "second.eval"])
        assert found.models == ("first", "second")
        # By hand: both right on 1 and 4, both wrong on 5; first alone on 2 and 6, second alone on 3.
        assert doors.rows_of(found) == {
            (1, 1, 1): (2.0,) * 3, (1, 0, 0): (1.0,) * 3, (1, 1, 0): (2.0,) * 3, (1, 0, 1): (1.0,) * 3,
        }  # fmt: skip
        assert read({"a": folder / "first.eval", "b": folder / "second.eval"}).models == ("a", "b")
        assert read([folder / "first.eval", folder / "limited.eval"], on_bad="skip").n == 3
        with pytest.raises(InputError, match="without scores; add them with: inspect score"):
            read(folder / "unscored.eval")

    @pytest.mark.parametrize("model", ["first", "second"])
    def test_harness(self, model: str) -> None:
        for task, said in MADE["harness"][model].items():
            (file,) = (SAMPLES / "harness" / model).glob(f"samples_{task}_*.jsonl")
            for metric, value in said.items():
                found = read(file, predictions=metric.removesuffix(",none"))
                assert value_of(found) == pytest.approx(value, abs=1e-12), metric

    def test_harness_runs_are_paired(self, tmp_path: Path) -> None:
        pattern = str(SAMPLES / "harness" / "*" / "samples_choose_*.jsonl")
        with pytest.raises(InputError, match=r"'second' lacks 1 \(7\)"):
            read(pattern, predictions="acc")
        found = read(pattern, predictions="acc", on_bad="skip")
        assert (found.n, found.models) == (7, ("first", "second"))
        assert value_of(found, "second") == pytest.approx(MADE["harness"]["second"]["choose"]["acc,none"], abs=1e-12)
        with pytest.raises(InputError, match="it has 'exact_match,flexible-extract', 'exact_match,strict-match'"):
            read(pattern.replace("choose", "write"), predictions="exact_match,strict")

    def test_harness_directory_with_its_summary(self, tmp_path: Path) -> None:
        (file,) = (SAMPLES / "harness" / "first").glob("samples_choose_*.jsonl")
        shutil.copy(file, tmp_path)
        (tmp_path / "results_2025-01-31T10-20-30.123456.json").write_text("{}")
        assert read(tmp_path, predictions="acc").n == 8
        assert read({"mine": tmp_path}, predictions="acc").models == ("mine",)

    def test_mlflow(self) -> None:
        logged = read(SAMPLES / "mlflow" / "logged.json", pos_label="yes")
        evaluated = read(SAMPLES / "mlflow" / "eval_results_table.json", truth="ground_truth", pos_label="yes")
        assert value_of(evaluated) == value_of(logged) == MADE["mlflow"]["exact/mean"]
        assert (logged.tp, logged.fp, logged.fn, logged.tn) == (3, 1, 1, 3)
        assert evaluated.models == ("answer",)

    def test_evaluate(self) -> None:
        found = read(SAMPLES / "evaluate" / "result.json")
        assert value_of(found) == pytest.approx(MADE["evaluate"]["accuracy"], abs=1e-12)
        assert found.labels == (0, 1, 2)


def test_what_a_trainer_predicts(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps({"predictions": [1, 0, 1], "label_ids": [1, 1, 0], "metrics": {}}))
    found = read(tmp_path / "p.json")
    assert (found.tp, found.fn, found.fp) == (1, 1, 1)


def test_a_saved_data_set(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the package pyarrow")
    rows = pa.table({"label": ["a", "b"], "prediction": ["a", "a"]})
    with pa.ipc.new_stream(str(tmp_path / "data-00000-of-00001.arrow"), rows.schema) as sink:
        sink.write_table(rows)
    for name in ("dataset_info.json", "state.json"):
        (tmp_path / name).write_text("{}")
    assert read(tmp_path).n == 2
