"""Logs with numbers that are no right or wrong answers, HELM's per_instance_stats.json, and logs of OpenAI's evals.

Files of the two programs' own making are in tests/samples; the others are written here in the same layouts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from support.command_line import as_json

SAMPLES = Path(__file__).parents[2] / "samples"
MADE = json.loads((SAMPLES / "made.json").read_text())
RIGHT = {"old": [1, 0, 1, 1, 0, 1], "new": [1, 1, 1, 1, 0, 1]}
F1 = {"old": [0.5, 0.0, 1.0, 0.8, 0.25, 1.0], "new": [0.75, 0.5, 1.0, 0.8, 0.5, 1.0]}


def helm(folder: Path, model: str, *, trials: int = 1) -> Path:
    def stat(name: str, value: float) -> dict[str, Any]:
        return {"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "mean": value}

    def entry(at: int, trial: int, **more: Any) -> dict[str, Any]:
        held = {"exact_match": float(RIGHT[model][at]), "f1_score": F1[model][at], "num_references": 4}
        stats = [stat(name, value) for name, value in held.items()]
        return {"instance_id": f"id{at}", "train_trial_index": trial, "stats": stats} | more

    entries = [entry(at, trial) for trial in range(trials) for at in range(6)]
    entries.append(entry(0, 0, perturbation={"name": "typos", "robustness": True}))
    path = folder / f"mmlu:model={model}" / "per_instance_stats.json"
    path.parent.mkdir()
    path.write_text(json.dumps(entries))
    return path


def events(folder: Path, model: str) -> Path:
    lines: list[dict[str, Any]] = [{"spec": {"completion_fns": [model], "eval_name": "arithmetic.dev.v0"}}]
    for at, (right, share) in enumerate(zip(RIGHT[model], F1[model], strict=True)):
        shared = {"run_id": "r", "sample_id": f"arithmetic.dev.{at}", "created_by": "", "created_at": "2026-01-01"}
        lines.append(shared | {"event_id": 3 * at, "type": "sampling", "data": {"prompt": "?", "sampled": ["4"]}})
        lines.append(shared | {"event_id": 3 * at + 1, "type": "match", "data": {"correct": bool(right)}})
        lines.append(shared | {"event_id": 3 * at + 2, "type": "metrics", "data": {"f1": share}})
    lines.append({"final_report": {"accuracy": 0.5}})
    path = folder / f"{model}.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    return path


@pytest.mark.parametrize("make", [helm, events])
def test_right_answers_and_values_of_two_runs(make: Any, tmp_path: Path) -> None:
    paths = [make(tmp_path, model) for model in ("old", "new")]
    right, share = ("exact_match", "f1_score") if make is helm else ("correct", "f1")
    answers = hs.read(paths, predictions=right)
    assert [name.rpartition("=")[2] for name in answers.models] == ["old", "new"]
    found = hs.compare(answers, "accuracy")
    assert (found.value_a, found.value_b) == (pytest.approx(4 / 6), pytest.approx(5 / 6))
    values = hs.read(paths, predictions=share)
    direct = hs.table(values=F1, range=(0, 1))
    assert hs.compare(values, "mean").low == pytest.approx(hs.compare(direct, "mean").low)
    assert any("taken as shares" in note for note in values.notes)
    assert hs.read(paths[0], predictions=right).n == 6
    assert as_json("compare", *paths, "--pred", share)["metric"] == "mean"


def test_what_these_logs_refuse(tmp_path: Path) -> None:
    stats, log = helm(tmp_path, "old"), events(tmp_path, "old")
    with pytest.raises(hs.InputError, match=r"does not name a statistic; .* holds 'exact_match', 'f1_score'"):
        hs.read(stats)
    with pytest.raises(hs.InputError, match="Did you mean 'f1_score'"):
        hs.read(stats, predictions="f1_scores")
    with pytest.raises(hs.InputError, match="is 'bleu', which no event"):
        hs.read(log, predictions="bleu")
    with pytest.raises(hs.InputError, match="has its own; leave it out"):
        hs.read(log, truth="x")
    (tmp_path / "per_instance_stats.json").write_text('[{"id": 3}]')
    with pytest.raises(hs.InputError, match=r"is no per_instance_stats\.json of HELM"):
        hs.read(tmp_path / "per_instance_stats.json", predictions="exact_match")
    twice = tmp_path / "twice.jsonl"
    twice.write_text(log.read_text() + log.read_text())
    with pytest.raises(hs.InputError, match="more than once"):
        hs.read(twice)


def test_trials_of_an_instance_are_one_group(tmp_path: Path) -> None:
    found = hs.read(helm(tmp_path, "old", trials=3), predictions="exact_match")
    assert (found.n, found.n_groups) == (18, 6)


def test_numbers_in_samples_of_lm_evaluation_harness(tmp_path: Path) -> None:
    path = tmp_path / "samples_task_2026-01-01T00-00-00.000001.jsonl"
    scores = [0.25, 0.5, 1.0, 0.0]
    common = {"target": "x", "resps": [], "filtered_resps": []}
    lines = [common | {"doc_id": at, "doc": {"subject": "xy"[at % 2]}, "rouge": one, "acc": one > 0.4}
             for at, one in enumerate(scores)]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    assert hs.estimate(hs.read(path, predictions="rouge"), "mean").value == pytest.approx(np.mean(scores))
    assert hs.estimate(hs.read(path), "accuracy").value == pytest.approx(0.5)
    parts = hs.read_slices(path, by="subject", predictions="rouge")
    assert {name: hs.estimate(one, "mean").value for name, one in parts.items()} == {"x": 0.625, "y": 0.25}
    with pytest.raises(hs.InputError, match=r"the fields of questions are 'subject'.*Did you mean 'subject'"):
        hs.read_slices(path, by="subjects", predictions="rouge")


def test_two_runs_by_subject(tmp_path: Path) -> None:
    """Slices of two paired models; a field inside the document, and tags in any order."""
    common = {"target": "x", "resps": [], "filtered_resps": []}
    for model in ("old", "new"):
        path = tmp_path / model / "samples_task_2026-01-01T00-00-00.000001.jsonl"
        path.parent.mkdir()
        docs = [{"subject": "xy"[at % 2], "info": {"level": at // 3}, "tags": ["a", "b"][:: 1 - 2 * (at % 2)]}
                for at in range(6)]  # fmt: skip
        lines = [common | {"doc_id": at, "doc": docs[at], "acc": RIGHT[model][at]} for at in range(6)]
        path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    folders = [tmp_path / "old", tmp_path / "new"]
    for by in ("subject", "doc.subject"):
        parts = hs.read_slices(folders, by=by)
        assert {name: one.models for name, one in parts.items()} == {"x": ("old", "new"), "y": ("old", "new")}
        assert hs.compare(parts["y"], "accuracy").difference == pytest.approx(1 / 3)
    assert list(hs.read_slices(folders, by="info.level")) == ["0", "1"]
    assert list(hs.read_slices(folders, by="tags")) == ["a, b"]
    assert hs.read_slices({"p": folders[0], "q": folders[1]}, by="subject")["x"].models == ("p", "q")
    rows = as_json("report", *folders, "--by", "subject")["rows"]
    assert sorted(round(row["value"] * 3) for row in rows) == [2, 2, 2, 3]
    (tmp_path / "a.csv").write_text("label,svm,site\n1,1,x\n0,1,y\n")
    with pytest.raises(hs.InputError, match="slices are read from one, or from logs"):
        hs.read_slices([tmp_path / "a.csv", tmp_path / "a.csv"], by="site")


class TestRealFiles:
    """Files that HELM's helm-run and the recorder of OpenAI's evals wrote; their own numbers are the reference."""

    @pytest.mark.parametrize("name", ["five", "none", "twice"])
    def test_helm(self, name: str) -> None:
        path = SAMPLES / "helm" / name / "per_instance_stats.json"
        for statistic, metric in (("exact_match", "accuracy"), ("num_prompt_tokens", "mean")):
            found = hs.estimate(hs.read(path, predictions=statistic), metric)
            assert found.value == pytest.approx(MADE["helm"][name][statistic], abs=1e-12)

    def test_helm_pairs_runs_and_groups_trials(self) -> None:
        paths = [SAMPLES / "helm" / name / "per_instance_stats.json" for name in ("five", "none")]
        table = hs.read(paths, predictions="exact_match")
        assert (table.models, table.n) == (("five", "none"), 12)
        made = hs.compare(table, "accuracy", a="none", b="five")
        assert made.difference == pytest.approx(
            MADE["helm"]["five"]["exact_match"] - MADE["helm"]["none"]["exact_match"]
        )
        twice = hs.read(SAMPLES / "helm" / "twice" / "per_instance_stats.json", predictions="exact_match")
        assert (twice.n, twice.n_groups) == (8, 4)  # perturbed inputs are left out
        assert as_json("compare", *paths, "--pred", "exact_match")["value_a"] == MADE["helm"]["five"]["exact_match"]

    def test_openai(self) -> None:
        paths = [SAMPLES / "openai" / f"{name}.jsonl" for name in ("first", "second")]
        table = hs.read(paths)
        assert table.models == ("first", "second")
        for model in table.models:
            found = hs.estimate(table, "accuracy", model=model).value
            assert found == pytest.approx(MADE["openai"][model]["accuracy"])
        assert hs.compare(table, "accuracy").discordant == (2, 1)
        letters = hs.estimate(hs.read(paths[0], predictions="letters"), "mean").value
        assert letters == pytest.approx((1 + 1 + 0.25 + 1 + 0 + 1) / 6)  # Genf and Bern have the e in common


def test_numbers_in_logs_of_inspect(tmp_path: Path) -> None:
    samples = [
        {"id": at, "epoch": e, "target": "x", "metadata": {"topic": at % 2}, "scores": {"r": {"value": (at + e) / 8}}}
        for at in range(4) for e in (1, 2)
    ]  # fmt: skip
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {"model": "m"}, "status": "success", "plan": {}, "samples": samples}))
    found = hs.read(path)
    assert found.n_groups == 4
    assert {name: one.n_groups for name, one in hs.read_slices(path, by="topic").items()} == {"0": 2, "1": 2}
    assert hs.estimate(found, "mean").value == pytest.approx(np.mean([(at + e) / 8 for at in range(4) for e in (1, 2)]))


# --- found by attack --------------------------------------------------------------------------------------------------


def stats_of(path: Path, **changed: Any) -> Path:
    entry: dict[str, Any] = {"instance_id": "a", "train_trial_index": 0, "stats": [{"name": {"name": "em"}, "mean": 1}]}
    path.write_text(json.dumps([entry | changed, entry | {"instance_id": "b"}]))
    return path


@pytest.mark.parametrize(("changed", "message"), [
    ({"instance_id": ["a"]}, "is no per_instance_stats"),
    ({"train_trial_index": {}}, "is no per_instance_stats"),
    ({"stats": [{"name": {"name": "em"}, "mean": "much"}]}, "neither right nor wrong for 1"),
    ({"stats": [{"name": {"name": ["em"]}, "mean": 1}]}, "1 with no such statistic"),
    ({"stats": []}, "1 with no such statistic"),
    ({"stats": [{"name": {"name": "em", "split": split}, "mean": 1} for split in ("test", "valid")]}, "several splits"),
])  # fmt: skip
def test_odd_statistics_of_helm(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = stats_of(tmp_path / "per_instance_stats.json", **changed)
    with pytest.raises(hs.InputError, match=message):
        hs.read(path, predictions="em")


def test_odd_events_of_openai(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    lines = [{"spec": {"completion_fns": ["g"]}}, {"sample_id": [1], "type": "match", "data": {"correct": True}}]
    path.write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(hs.InputError, match="line 2 scores a sample without a sample_id"):
        hs.read(path)


def inspect(path: Path, answers: list[tuple[Any, int, str]]) -> Path:
    samples = [
        {"id": id, "epoch": epoch, "target": "x", "scores": {"s": {"value": value}}} for id, epoch, value in answers
    ]
    path.write_text(json.dumps({"eval": {"model": "m"}, "status": "success", "samples": samples}))
    return path


def test_unequal_epochs_count_each_sample_once(tmp_path: Path) -> None:
    """A run that was stopped: one sample has two epochs, the other one. Inspect takes the mean of samples, ¾, not ⅔."""
    found = hs.read(inspect(tmp_path / "log.json", [(1, 1, "C"), (1, 2, "I"), (2, 1, "C")]))
    assert hs.estimate(found, "mean").value == pytest.approx(0.75)
    assert any("unequal numbers of answers" in note for note in found.notes)


def test_samples_1_and_text_1_are_two(tmp_path: Path) -> None:
    answers = [(1, 1, "C"), (1, 2, "C"), ("1", 1, "I"), ("1", 2, "I")]
    assert hs.read(inspect(tmp_path / "log.json", answers)).n_groups == 2
