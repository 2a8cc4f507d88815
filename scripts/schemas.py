"""Make the JSON schemas of every document that the library writes, from the types of its results.

`python scripts/make_reference.py` writes them into src/howsure/reports/schemas, where the name of a file is the middle
of the ``schema`` field of its documents. That of the report is written by hand. tests/reports/test_schemas.py checks a
document of every kind, and fails where one has a field that its schema does not know.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from pathlib import Path
from typing import Any

import numpy as np

from howsure.numerics.critical import CriticalValue
from howsure.results.base import HIDDEN, Note, document_of, schema_of
from howsure.results.bayes_test import BayesTest, Laws, Pairing
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.coverage import CoverageRow, PaperRow
from howsure.results.curves.curve import Calibration, Curve, ThresholdChoice
from howsure.results.cv_test import CvTest
from howsure.results.estimate import Estimate
from howsure.results.gap import Gap
from howsure.results.gate import Gate
from howsure.results.plans.comparison import ComparisonPlan
from howsure.results.plans.judged import JudgedPlan
from howsure.results.plans.plan import Plan
from howsure.results.plans.runs import RunPlan, RunsAndRows
from howsure.results.plans.strata import StrataPlan
from howsure.results.tasks.forest import Forest, ForestRow
from howsure.results.tasks.mean_ranks import MeanRanks
from howsure.results.tasks.over_tasks import Answer, NewTaskLimits, TaskRow, Unlike

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "src" / "howsure" / "reports" / "schemas"
Schema = dict[str, Any]

NUMBER: Schema = {"$ref": "#/$defs/number"}
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NOTES: Schema = {"type": "array", "items": TEXT}
SHARE: Schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
VERSION: Schema = TEXT | {"description": "version of howsure that wrote it"}
ENDS: Schema = {"version": VERSION, "sentence": TEXT | {"description": "the result in plain words"}}
PLAN: Schema = {"version": VERSION, "notes": NOTES, "paragraph": TEXT | {"description": "for a protocol"}}
PARTS: Schema = {"type": "object", "additionalProperties": NUMBER, "description": "shares of the variance"}
CLUSTERS: Schema = {"design_effect": NUMBER, "cluster_size": NUMBER, "icc": NUMBER}
OF_RUNS = ("runs", "run_values", "parts")  # only of several trained runs
NAMES = {"Laws": Laws, "Pairing": Pairing, "Source": Any, "Array": np.ndarray, "Note": Note, "Estimate": Estimate}


def report() -> Schema:
    """Return the schema of the report, from which others take what they have in common."""
    made: Schema = json.loads((FOLDER / "report.schema.json").read_text(encoding="utf-8"))
    return made


def array(items: Schema, **more: Any) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items} | more


def of_hint(hint: Any) -> Schema:
    """Return the schema of a value by the type of its field."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        made = [of_hint(one) for one in inner if one is not type(None)]
        if NUMBER in made:  # which may be null
            return NUMBER if len(made) == 1 else {"anyOf": made}
        if len(made) == 1 and isinstance(made[0].get("type"), str):
            return made[0] | {"type": [made[0]["type"], "null"]}
        return {"anyOf": [*made, *([{"type": "null"}] if type(None) in inner else [])]}
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        parts = list({json.dumps(of_hint(one)): of_hint(one) for one in inner if one is not Ellipsis}.values())
        return array(parts[0] if len(parts) == 1 else {"anyOf": parts})
    if origin is dict:
        return {"type": "object", "additionalProperties": of_hint(inner[1])}
    if np.ndarray in (hint, origin):
        return array(NUMBER)
    if hint in (Estimate, Comparison, Curve):
        return {"$ref": f"#/$defs/{document_of(hint)}"}
    plain = {float: NUMBER, int: WHOLE, bool: {"type": "boolean"}, str: TEXT, Note: TEXT}
    return plain.get(hint, TEXT if isinstance(hint, type) and issubclass(hint, str) else {})


def fields(kind: type, *without: str) -> Schema:
    """Return the properties that follow from the fields of a result."""
    hints = {**typing.get_type_hints(kind, localns=NAMES)}
    named = [one.name for one in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else kind.__match_args__
    made = {name: of_hint(hints[name]) for name in named if name not in {*HIDDEN, *without}}
    return made | ({"level": SHARE} if "level" in made else {})


def record(properties: Schema, *, optional: typing.Iterable[str] = ()) -> Schema:
    """Return the schema of an object that has these fields and no others."""
    needed = [name for name in properties if name not in set(optional)]
    return {"type": "object", "additionalProperties": False, "required": needed, "properties": properties}


def document(name: str, title: str, properties: Schema, definitions: Schema, **more: Any) -> Schema:
    """Return the schema of a document: an object that names its schema."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": schema_of(name), "title": title}
    used = json.dumps(properties)
    while True:  # what a definition refers to is needed too
        kept = {key: one for key, one in definitions.items() if f'#/$defs/{key}"' in used}
        if json.dumps(properties) + json.dumps(kept) == used:
            break
        used = json.dumps(properties) + json.dumps(kept)
    return head | record({"schema": {"const": schema_of(name)}} | properties, **more) | {"$defs": kept}


def over_tasks() -> Schema:
    """Return the schema of what a comparison says of tasks."""
    each, answer, new, unlike = (record(fields(kind)) for kind in (TaskRow, Answer, NewTaskLimits, Unlike))
    perhaps = {"random": answer, "new_task": new, "unlike": unlike}
    return record({"chosen": {"enum": ["fixed", "random"]}, "by_task": array(each), "fixed": answer} | {
        name: {"anyOf": [one, {"type": "null"}]} for name, one in perhaps.items()
    })  # fmt: skip


def schemas() -> dict[str, Schema]:
    """Return the schema of every document by its name."""
    known = report()["$defs"]
    effects = {"type": "object", "additionalProperties": NUMBER, "description": "effect sizes beside the p-value"}
    of_pair = {
        "runs": array(WHOLE, minItems=2, maxItems=2), "run_values": array(array(NUMBER)), "parts": PARTS,
        "tasks": over_tasks(),
    }  # fmt: skip
    comparison = fields(Comparison) | ENDS | {"effects": effects} | of_pair
    columns = [one.name for one in dataclasses.fields(Curve) if "Array" in str(one.type)]
    curve = fields(Curve) | ENDS
    some = [name for name in columns if name not in ("threshold", "value", "low", "high")]
    curve |= {name: array(NUMBER) for name in columns}
    bayes = fields(BayesTest) | ENDS
    calibration = fields(Calibration, "report", "curve") | ENDS | {
        "estimates": array({"$ref": "#/$defs/estimate"}),
        "curve": {"anyOf": [{"$ref": "#/$defs/curve"}, {"type": "null"}]},
    }  # fmt: skip
    threshold = fields(ThresholdChoice) | ENDS
    ranges = {"type": "object", "additionalProperties": array(WHOLE, minItems=2, maxItems=2)}
    ranks = {"ranks": {"type": "object", "additionalProperties": WHOLE}, "rank_ranges": ranges}
    cell = {"anyOf": [WHOLE, {"type": "null"}]}
    rebuilt = record({"tp": WHOLE, "fp": WHOLE, "fn": WHOLE, "tn": cell})
    known |= {"comparison": record(comparison, optional=of_pair), "curve": record(curve, optional=some)}
    gate = fields(Gate) | ENDS
    gates = known | {"gate": record({"schema": {"const": schema_of("gate")}} | gate)}
    single: dict[str, tuple[str, Schema, Schema, typing.Iterable[str]]] = {
        "estimate": ("One metric with its interval", known["estimate"]["properties"], known,
                     ("slice", "judge", *OF_RUNS)),
        "comparison": ("The difference of two models in one metric", comparison, known, of_pair),
        "comparisons": ("Differences of many models in one metric", fields(Comparisons) | ENDS | ranks, known, ()),
        "gate": ("Pass, fail or inconclusive", gate, known, ()),
        "gap": ("How far slices lie apart in one metric", fields(Gap) | ENDS, known, ()),
        "bayes-test": ("The Bayes test of two models", bayes, known, ()),
        "plan": ("How many rows to label", fields(Plan, "clusters", "curve_of", "scenarios_of") | {
            "asked": array({"anyOf": [TEXT, NUMBER]})} | CLUSTERS | PLAN, known, CLUSTERS),
        "comparison-plan": ("How many rows tell two models apart",
                            fields(ComparisonPlan, "clusters", "settled") | CLUSTERS | PLAN, known, CLUSTERS),
        "judged-plan": ("Labels of people and rows for a judge", fields(JudgedPlan) | PLAN | {
            "gain": NUMBER, "spent": NUMBER}, known, ()),
        "strata-plan": ("How many rows to label in each predicted class", fields(StrataPlan) | {
            "gain": NUMBER, "paragraph": PLAN["paragraph"], "version": VERSION}, known, ()),
        "run-plan": ("How many runs against how many rows", fields(RunPlan) | PLAN | {
            "others": array(record(fields(RunsAndRows)))}, known, ()),
        "curve": ("A curve of scores with its band", curve, known, some),
        "calibration": ("How far probabilities can be taken at their word", calibration, known, ()),
        "threshold-choice": ("The best threshold among those shown to reach a bound", threshold, known, ()),
        "reconstruction": ("Every table that rounds to printed figures", {
            "tables": array(rebuilt), "printed": {"type": "object", "additionalProperties": TEXT},
            "n": {"type": ["integer", "null"]}, "positives": {"type": ["integer", "null"]}, "level": SHARE,
            "estimates": array({"$ref": "#/$defs/estimate"}), "notes": NOTES, "version": VERSION,
        }, known, ()),
        "choice": ("Rows to label next", {
            "n": WHOLE, "by_stratum": {"type": "object", "additionalProperties": WHOLE},
            "pool": {"type": "object", "additionalProperties": NUMBER},
            "labels_before": {"type": "object", "additionalProperties": NUMBER}, "rows": array(WHOLE),
            "ids": array({"type": ["string", "number", "boolean", "null"]}), "strata": array(TEXT),
            "weights": array(NUMBER), "metric": {"type": ["string", "null"]}, "seed": {"type": ["integer", "null"]},
            "notes": NOTES,
        } | ENDS, known, ()),
        "forest": ("A metric in each task, and together", fields(Forest) | ENDS | {
            "rows": array(record(fields(ForestRow))), "together": array(record(fields(ForestRow))),
            "heterogeneity": {"anyOf": [record(fields(Unlike)), {"type": "null"}]},
        }, known, ()),
        "mean-ranks": ("Mean ranks of models over tasks", fields(MeanRanks) | ENDS | {
            "cliques": array(array(TEXT))}, known, ()),
        "history": ("A line of the history of gates", {
            "time": TEXT | {"format": "date-time"}, "release": {"type": ["string", "null"]},
            "files": array(record({"path": TEXT, "sha256": {"type": ["string", "null"]}})),
            "gate": {"$ref": "#/$defs/gate"},
        }, gates, ()),
    }  # fmt: skip
    test = fields(CvTest) | {"df": {"anyOf": [NUMBER, array(NUMBER)]}, "citation": TEXT, "notes": NOTES}
    law = dict.fromkeys(("mean", "mode", "sd", "low", "high"), NUMBER)
    words = {"name": TEXT, "aliases": TEXT}
    rows: dict[str, tuple[str, Schema]] = {
        "table": ("Records behind a table", {"type": "object"}),
        "bayes-tests": ("Bayes tests of two models, one a metric", record(bayes)),
        "calibrations": ("Calibration of several models", record(calibration)),
        "threshold-choices": ("Thresholds of several models", record(threshold)),
        "class-counts": ("The four cells of each class of each model", known["class"]),
        "posteriors": ("Posteriors of a metric, one a model", record(
            {"model": TEXT, "metric": TEXT} | law | {"level": SHARE, "kind": {"enum": ["equal", "hdi"]}, "law": TEXT})),
        "cv-test": ("A test on the scores of folds", record(test | {"metric": TEXT, "a": TEXT, "b": TEXT})),
        "split": ("The fold that trains on each row", {
            "type": "object", "required": ["row", "block"], "properties": {"row": WHOLE, "block": WHOLE},
            "patternProperties": {"^repeat_[0-9]+$": {"enum": [1, 2]}}, "additionalProperties": False}),
        "critical-value": ("A simultaneous critical value", record(fields(CriticalValue))),
        "coverage": ("A study of intervals, a row a method and number of rows", record(fields(CoverageRow))),
        "paper": ("What a paper prints beside ours", record(
            fields(PaperRow, "unexplained") | {"again": {"type": "boolean"}, "difference": NUMBER, "standing": TEXT})),
        "metrics": ("The catalogue of metrics", record(
            words | dict.fromkeys(("formula", "range", "better", "of"), TEXT))),
        "methods": ("The catalogue of interval methods", record(
            words | dict.fromkeys(("kind", "what", "avoid when", "citation"), TEXT))),
        "paper-map": ("From each item of a paper to its command and call", record(dict.fromkeys(
            ("paper", "item", "where", "command", "python", "printed", "ours", "note"), TEXT))),
    }  # fmt: skip
    made = {
        name: document(name, title, part, held, optional=free) for name, (title, part, held, free) in single.items()
    }
    return made | {name: document(name, title, {"version": VERSION, "rows": array(row)}, known)
                   for name, (title, row) in rows.items()}  # fmt: skip


def pages() -> dict[Path, str]:
    """Return the files of all schemas that are made here."""
    return {FOLDER / f"{name}.schema.json": json.dumps(one, indent=2, ensure_ascii=False) + "\n"
            for name, one in schemas().items()}  # fmt: skip


def listed() -> list[tuple[str, str, list[str]]]:
    """Return name, title and fields of every document, the report's too, for the page that lists them."""
    return [(name, one["title"], list(one["properties"])) for name, one in (schemas() | {"report": report()}).items()]
