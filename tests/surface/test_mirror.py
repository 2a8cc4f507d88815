"""Tests mirror the packages: every module with a public function is named by a test, or stands in a list."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support.source_trees import trees

TESTS = Path(__file__).resolve().parents[1]
# Reached through other modules alone, whose tests show them. One that a test comes to name leaves the list.
THROUGH_OTHERS = {
    "cli": "loading verbs.papers.papers verbs.serve",
    "comparisons": "bayes_densities gap methods.predictive_values methods.requirements monitoring.bound "
                   "monitoring.saved",
    "estimates": "build interval_method methods.band methods.calibration",
    "metrics": "pseudo_counts thresholds",
    "planning": "basis clusters pilots power",
    "reports": "boards.wide figures.curves figures.sizes page.sliced page.tasks tasks.forest tasks.mean_ranks texts",
    "results": "plans.plan saving sentences.judgements",
    "sources": "arrays.blanks arrays.fixed_width arrays.weights files.scans.arrow files.scans.delimited "
               "files.scans.json_objects files.scans.parquet files.scans.scan kinds.annotated kinds.label_sets "
               "logs.helm logs.inspect logs.json_logs logs.kind_of_file logs.lm_eval logs.openai_evals logs.read_log "
               "rows.annotations rows.label_columns rows.long_runs rows.run_columns second_pass "
               "sequences.overlaps sequences.tokens",
    "studies": "half_widths kept papers.drawing",
    "tables": "indicators kinds.annotators.said_rows kinds.judges.judged kinds.judges.judged_labels kinds.score_worth "
              "kinds.unit_moments kinds.unit_notes runs.run_means runs.run_notes sampling.resampled_errors",
    "web": "fields openapi reading",
}  # fmt: skip


@cache
def files() -> tuple[Path, ...]:
    """Return the test files, from the folder of tests."""
    return tuple(path.relative_to(TESTS) for path in TESTS.rglob("test_*.py"))


@cache
def named() -> set[str]:
    """Return the modules that some test imports and every name that one uses."""
    return {name for file in files() for name in _names(ast.parse((TESTS / file).read_text(encoding="utf-8")))}


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Attribute | ast.Name):
            yield node.attr if isinstance(node, ast.Attribute) else node.id


def functions(tree: ast.Module) -> set[str]:
    """Return the public functions of a module."""
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}


def shown(module: str, public: set[str]) -> bool:
    """Say whether a test file of the package bears the module's name, or a test imports it or names what it offers."""
    package, *_, name = module.split(".")
    own = any(file.parts[0] == package and name in file.stem for file in files())
    return own or bool({f"howsure.{module}", *public} & named())


def test_every_module_with_a_public_function_is_named_by_a_test() -> None:
    listed = {f"{package}.{name}" for package, names in THROUGH_OTHERS.items() for name in names.split()}
    found = {".".join(path.with_suffix("").parts): functions(tree) for path, tree in trees().items()}
    offering = {name: public for name, public in found.items() if public and "__" not in name}
    assert {name for name, public in offering.items() if not shown(name, public)} == listed


def test_a_module_without_a_test_is_noticed() -> None:
    assert not shown("estimates.planted", {"nobody_" + "calls_this"})
    assert shown("estimates.estimate", {"nobody_" + "calls_this"})
