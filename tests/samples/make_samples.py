"""Make the logs beside this file with the programs themselves, and write down what those programs say about them.

Needs inspect-ai, lm-eval (with its torch), mlflow, evaluate with scikit-learn, crfm-helm and evals in environments of
their own, and no network:

    python make_samples.py [inspect harness mlflow evaluate helm openai]

The models are mock models and the questions are ours. `made.json` keeps the versions and each program's own numbers.
Samples that fail are not among them: their tracebacks name the folders of the machine.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
HERE = Path(__file__).parent
CAPITALS = {1: "Paris", "s/2 x": "Rome", 3: "Bern", 4: "Oslo", 5: "Wien", 6: "Lima"}
FIRST = ["Paris", "Rome", "Genf", "Oslo", "Graz", "Lima"]
SECOND = ["Paris", "Pisa", "Bern", "Oslo", "Graz", "Quito"]


def inspect_logs(folder: Path) -> dict[str, Any]:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, accuracy, includes, match, mean, scorer
    from inspect_ai.solver import generate

    @scorer(metrics=[mean()])
    def partial() -> Any:
        async def score(state: Any, target: Any) -> Score:
            return Score(value=0.5 if "o" in state.output.completion else 1.0)

        return score

    @scorer(metrics={"right": [accuracy()], "short": [accuracy()]})
    def two() -> Any:
        async def score(state: Any, target: Any) -> Score:
            said = state.output.completion
            return Score(value={"right": "C" if target.text == said else "I", "short": int(len(said) < 5)})

        return score

    def answer(text: str) -> ModelOutput:
        made = ModelOutput.from_content("mockllm/model", text)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else a tokenizer is downloaded
        return made

    def run(name: str, form: str, answers: list[str], scorers: Any, **options: Any) -> Any:
        samples = [Sample(input=f"Capital {key}?", target=word, id=key) for key, word in CAPITALS.items()]
        task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=scorers, name=name)
        model = get_model("mockllm/model", custom_outputs=list(map(answer, answers)))
        with tempfile.TemporaryDirectory() as place:
            log = eval(
                task, model=model, log_dir=place, log_format=form, display="none", max_samples=1,
                log_realtime=False, **options,
            )[0]  # fmt: skip
            shutil.copy(next(Path(place).iterdir()), folder / f"{name}.{form}")
        found = log.results.scores if log.results else []
        return {"status": log.status, **{one.name: {k: m.value for k, m in one.metrics.items()} for one in found}}

    return {
        "first.eval": run("first", "eval", FIRST, match()),
        "second.eval": run("second", "eval", SECOND, match()),
        "epochs.eval": run("epochs", "eval", FIRST + SECOND + FIRST, match(), epochs=3),
        "several.json": run("several", "json", FIRST, [match(), includes(), partial()], limit=3),
        "parts.eval": run("parts", "eval", FIRST, two()),
        "limited.eval": run("limited", "eval", FIRST, match(), limit=3),
        "unscored.eval": run("unscored", "eval", FIRST, None),
    }


TASK = {"dataset_path": "json", "test_split": "test", "doc_to_text": "{{question}}"}
FILTERS = [
    {"name": "strict-match", "filter": [{"function": "regex", "regex_pattern": "(\\d+)"}, {"function": "take_first"}]},
    {"name": "flexible-extract", "filter": [{"function": "regex", "regex_pattern": "(l[a-z]+)"},
                                            {"function": "take_first"}]},
]  # fmt: skip


def harness_samples(folder: Path) -> dict[str, Any]:
    import lm_eval
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    rows = [
        {"question": f"{i}+{i}?", "choices": [str(2 * i), str(2 * i + 1), str(i)], "gold": 0, "answer": "lol"}
        for i in range(1, 9)
    ]
    said = {}
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "rows.jsonl"
        data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        task = TASK | {"dataset_kwargs": {"data_files": {"test": str(data)}}}
        tasks = [
            task | {"task": "choose", "output_type": "multiple_choice", "doc_to_choice": "{{choices}}",
                    "doc_to_target": "gold", "metric_list": [{"metric": "acc"}, {"metric": "acc_norm"}]},
            task | {"task": "write", "output_type": "generate_until", "doc_to_target": "{{answer}}",
                    "generation_kwargs": {"until": ["\n"]}, "metric_list": [{"metric": "exact_match"}],
                    "filter_list": FILTERS},
        ]  # fmt: skip
        for model, limit in (("first", None), ("second", 7)):
            random.seed(len(model))
            tracker = EvaluationTracker(output_path=str(Path(place) / model))
            found = lm_eval.simple_evaluate(
                model="dummy", tasks=list(tasks), limit=limit, log_samples=True, task_manager=TaskManager()
            )
            samples = found.pop("samples")
            tracker.save_results_aggregated(results=found, samples=samples)
            for name in found["configs"]:
                tracker.save_results_samples(task_name=name, samples=samples[name])
            (folder / model).mkdir(parents=True)
            for file in Path(place, model).rglob("samples_*.jsonl"):
                shutil.copy(file, folder / model / file.name)
            said[model] = {
                task: {key: value for key, value in row.items() if "," in key and "stderr" not in key}
                for task, row in found["results"].items()
            }
    return said


def mlflow_tables(folder: Path) -> dict[str, Any]:
    import mlflow
    import pandas as pd

    truth = ["yes", "no", "yes", "no", "yes", "no", "no", "yes"]
    said = ["yes", "no", "no", "no", "yes", "yes", "no", "yes"]
    frame = pd.DataFrame({"inputs": list("abcdefgh"), "ground_truth": truth, "answer": said})

    def exact(predictions: Any, targets: Any) -> Any:
        scores = [int(a == b) for a, b in zip(predictions, targets, strict=True)]
        return mlflow.metrics.MetricValue(scores=scores, aggregate_results={"mean": sum(scores) / len(scores)})

    with tempfile.TemporaryDirectory() as place:
        mlflow.set_tracking_uri(f"sqlite:///{place}/runs.db")
        with mlflow.start_run(experiment_id=mlflow.create_experiment("e", artifact_location=f"{place}/made")):
            mlflow.log_table(frame.rename(columns={"ground_truth": "target", "answer": "prediction"}), "logged.json")
            metric = mlflow.models.make_metric(eval_fn=exact, greater_is_better=True, name="exact")
            result = mlflow.models.evaluate(
                data=frame, predictions="answer", targets="ground_truth", extra_metrics=[metric]
            )
        for file in Path(place, "made").rglob("*.json"):
            shutil.copy(file, folder / file.name)
    return dict(result.metrics)


def evaluate_result(folder: Path) -> dict[str, Any]:
    import evaluate
    from sklearn.metrics import accuracy_score

    references, predictions = [0, 1, 0, 0, 2, 1], [0, 1, 1, 0, 2, 2]
    said = {"accuracy": accuracy_score(references, predictions)}
    file = folder / "result.json"
    evaluate.save(file, **said, predictions=predictions, references=references)
    kept = {key: value for key, value in json.loads(file.read_text()).items() if key != "_interpreter_path"}
    file.write_text(json.dumps(kept) + "\n")
    return said


def helm_stats(folder: Path) -> dict[str, Any]:
    """Run helm-run on its own scenario of even and odd numbers; the model is a mock model with known mistakes."""
    from helm.benchmark import run
    from helm.clients.simple_client import SimpleClient

    def answer(client: Any, request: Any) -> dict[str, Any]:
        number = int(re.findall(r"Is (\d+) even", request["prompt"])[-1])
        shots = request["prompt"].count("Question:") - 1
        wrong = number % 5 == 0 or (shots == 0 and number % 7 < 3)
        return {"completions": ["AB"[(number + wrong) % 2]] * request["num_completions"]}

    SimpleClient.invoke_model = answer  # type: ignore[method-assign]
    entries = {
        "five": ("", "12"), "none": (",max_train_instances=0", "12"),
        "twice": (",num_train_trials=2,data_augmentation=robustness", "4"),
    }  # fmt: skip
    said = {}
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for name, (more, size) in entries.items():
            entry = f"simple_mcqa:model=simple/model1{more}"
            sys.argv = ["helm-run", "--run-entries", entry, "--suite", name, "--max-eval-instances", size]
            run.main()
            (made,) = Path("benchmark_output", "runs", name).glob("simple_mcqa*")
            stats = json.loads((made / "per_instance_stats.json").read_text())
            (folder / name).mkdir(parents=True)
            (folder / name / "per_instance_stats.json").write_text(json.dumps(stats, separators=(",", ":")) + "\n")
            whole = json.loads((made / "stats.json").read_text())
            said[name] = {
                one["name"]["name"]: one["mean"] for one in whole
                if one["name"]["name"] in ("exact_match", "num_prompt_tokens") and "perturbation" not in one["name"]
            }  # fmt: skip
        os.chdir(HERE)
    return said


def openai_events(folder: Path) -> dict[str, Any]:
    """Record matches with the recorder of OpenAI's evals, as its own class Match does, and its own accuracy."""
    os.environ.setdefault("OPENAI_API_KEY", "none")  # evals makes a client when it is imported; nothing is asked
    from evals.api import record_and_check_match
    from evals.base import RunSpec
    from evals.metrics import get_accuracy
    from evals.record import LocalRecorder, record_metrics

    said = {}
    for model, answers in (("first", FIRST), ("second", SECOND)):
        spec = RunSpec(
            completion_fns=[model], eval_name="capitals.dev.v0", base_eval="capitals", split="dev",
            run_config={"seed": 1}, created_by="", run_id=f"run-{model}", created_at="2025-01-31 10:20:30",
        )  # fmt: skip
        path = folder / f"{model}.jsonl"
        recorder = LocalRecorder(str(path), run_spec=spec)
        for at, (word, text) in enumerate(zip(CAPITALS.values(), answers, strict=True)):
            with recorder.as_default_recorder(f"capitals.dev.{at}"):
                record_and_check_match(prompt=f"Capital {at}?", sampled=text, expected=word)
                record_metrics(letters=sum(a == b for a, b in zip(word, text, strict=False)) / len(word))
        accuracy = get_accuracy(recorder.get_events("match"))
        recorder.record_final_report({"accuracy": accuracy})
        recorder.flush_events()
        said[model] = {"accuracy": accuracy}
    return said


MAKERS = {
    "inspect": (inspect_logs, "inspect-ai"), "harness": (harness_samples, "lm-eval"),
    "mlflow": (mlflow_tables, "mlflow"), "evaluate": (evaluate_result, "evaluate"),
    "helm": (helm_stats, "crfm-helm"), "openai": (openai_events, "evals"),
}  # fmt: skip


def main() -> None:
    stored = HERE / "made.json"
    made = json.loads(stored.read_text()) if stored.exists() else {"versions": {}}
    for name in sys.argv[1:] or MAKERS:
        make, package = MAKERS[name]
        folder = HERE / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        made["versions"][package] = version(package)
        made[name] = make(folder)
    stored.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
