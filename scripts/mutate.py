"""Change the numerical core in small ways and see whether its tests notice: `make mutants`; see docs/mutation.md.

Each mutant is one change of one expression: an operator, a comparison, a constant, a sign, a function exchanged for
its opposite. It lives in a forked child only, which imports the changed module in place of the file and runs the narrow
tests of that module until the first failure. No file of the package is touched. Mutants are sampled with a fixed seed,
so that a second run meets the same ones as long as the module is unchanged.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "howsure"
RESULTS = ROOT / "build" / "mutants"

# The quick tests that are about each module; its own doctests are always among them.
CORE: dict[str, tuple[str, ...]] = {
    "anticipated": ("test_plan.py", "papers/test_jiang2020_planning.py"),
    "bayes_test": ("test_bayes_test.py",),
    "betas": ("test_posterior.py", "papers/test_wang2019_posteriors.py"),
    "binomial": ("test_binomial.py", "test_score.py"),
    "cells": ("properties/test_metrics.py", "references/test_sklearn.py", "test_multilabel.py"),
    "contrasts": ("test_posterior.py", "test_bayes_test.py"),
    "critical": ("critical",),
    "influence": ("properties/test_metrics.py", "references/test_standard_errors.py", "test_groups.py"),
    "koopman": ("test_koopman.py",),
    "limits": ("test_limits_at_the_ends.py", "test_smoothing.py", "methods"),
    "linear": ("references/test_standard_errors.py", "test_groups.py", "test_joint.py", "test_strata.py"),
    "pair_laws": ("compare",),
    "pair_methods": ("compare",),
    "plan_basis": ("test_plan.py", "papers/test_jiang2020_planning.py"),
    "plan_comparison": ("test_plan_comparison.py",),
    "quadrature": ("test_posterior.py",),
    "radial": ("critical", "test_many.py"),
    "roots": ("test_posterior.py", "test_score.py", "test_koopman.py"),
    "scales": ("methods",),
    "score": ("test_score.py", "test_binomial.py"),
    "shares": ("test_posterior.py", "methods"),
    "smoothing": ("test_smoothing.py", "methods"),
    "worst_case": ("test_plan.py", "papers/test_jiang2020_planning.py"),
}

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
OPPOSITES = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
    "floor": "ceil", "ceil": "floor", "log1p": "log", "expm1": "exp", "argmin": "argmax", "argmax": "argmin",
}  # fmt: skip
QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # the parent has imported some plugins already
SURVIVED, KILLED, TIMEOUT = "survived", "killed", "timeout"


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, what stood there and what stands there now, and the tree to put it into."""

    module: str
    line: int
    column: int
    before: str
    after: str
    change: Callable[[], ast.Module]


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant."""

    module: str
    line: int
    column: int
    before: str
    after: str
    fate: str
    seconds: float


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what could stand in place of an expression: each differs from it in one place."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _with(node, "op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield _with(node, "ops", [*node.ops[:place], other(), *node.ops[place + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant):
        yield from (ast.Constant(value) for value in _other_constants(node.value))
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITES:
        yield _with(node, "attr", OPPOSITES[node.attr])
    elif isinstance(node, ast.Name) and node.id in OPPOSITES:
        yield _with(node, "id", OPPOSITES[node.id])


def _other_constants(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1)
    if isinstance(value, float):
        return (value * 1.25 if value else 1.0,)
    return ()


def _with(node: ast.AST, field: str, value: object) -> ast.AST:
    made = copy.deepcopy(node)
    setattr(made, field, value)
    return made


def sites(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield every place that holds an expression to change: its parent, the field, and the place in a list."""
    skipped = {"annotation", "returns", "decorator_list", "type_params"}
    for field, value in ast.iter_fields(tree):
        if field in skipped or isinstance(tree, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
            continue
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if isinstance(child, ast.AST) and not _of_no_use(child):
                yield tree, field, place if isinstance(value, list) else None
                yield from sites(child)


def _of_no_use(node: ast.AST) -> bool:
    """Say whether a statement only documents, names or serves the type checker."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
        return True
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    tree = ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8"))
    for parent, field, place in list(sites(tree)):
        held = getattr(parent, field)
        node = held if place is None else held[place]
        for changed in changes(node):
            ast.fix_missing_locations(ast.copy_location(changed, node))
            whole = partial(_changed, tree, (parent, field, place), (node, changed))
            yield Mutant(module, node.lineno, node.col_offset, ast.unparse(node), ast.unparse(changed), whole)


def _changed(tree: ast.Module, site: tuple[ast.AST, str, int | None], nodes: tuple[ast.AST, ast.AST]) -> ast.Module:
    """Return the tree with one node exchanged; the tree itself stays as it is."""
    before, after = nodes
    _put(*site, after)
    whole = copy.deepcopy(tree)
    _put(*site, before)
    return whole


def _put(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import one module from a tree instead of its file."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._name, self._path, self._tree = name, path, tree

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> object:
        if fullname != self._name:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=str(self._path))

    def exec_module(self, module: object) -> None:
        module.__file__ = str(self._path)  # type: ignore[attr-defined]
        exec(compile(self._tree, str(self._path), "exec"), vars(module))


def run_tests(module: str, tree: ast.Module | None) -> int:
    """Run the tests of a module on a tree in place of its file; return pytest's exit code."""
    import pytest

    sys.path.insert(0, str(ROOT / "src"))
    if tree is not None:
        sys.meta_path.insert(0, Changed(f"howsure.{module}", SOURCE / f"{module}.py", tree))
    importlib.import_module(f"howsure.{module}")
    targets = [str(SOURCE / f"{module}.py"), *(str(ROOT / "tests" / name) for name in CORE[module])]
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *QUIET, "-m", "not slow and not engines"]
    return int(pytest.main([*options, *targets]))


def in_child(work: Callable[[], int], seconds: float) -> tuple[str, float]:
    """Run some work in a forked, silent child for so many seconds at most; return what came of it and its time."""
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setsid()
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        code = 3
        try:
            code = work()
        finally:
            os._exit(code)
    while time.monotonic() - began < seconds:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            fate = SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED
            return fate, time.monotonic() - began
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TIMEOUT, time.monotonic() - began


def study(module: str, *, most: int, seed: int) -> list[Outcome]:
    """Run a sample of a module's mutants, after the module itself has passed."""
    fate, usual = in_child(lambda: run_tests(module, None), 600)
    if fate != SURVIVED:
        print(f"{module}: left out, its tests fail without any change ({fate}); mend that first", flush=True)
        return []
    found = list(mutants(module))
    chosen = found if len(found) <= most else random.Random(seed).sample(found, most)
    print(f"{module}: {len(chosen)} of {len(found)} mutants, {usual:.0f} s a run", flush=True)
    outcomes = []
    for one in sorted(chosen, key=lambda mutant: mutant.line):
        fate, seconds = in_child(partial(run_tests, module, one.change()), 20 + 5 * usual)
        outcomes.append(Outcome(module, one.line, one.column, one.before, one.after, fate, round(seconds, 1)))
        if fate == SURVIVED:
            print(f"  survived, line {one.line}, column {one.column}: {one.before}  →  {one.after}", flush=True)
    return outcomes


def load_what_is_heavy() -> None:
    """Import what every child would, apart from the package and from what pytest wants to import itself."""
    for name in (
        "numpy",
        "scipy.special",
        "scipy.stats",
        "scipy.optimize",
        "hypothesis",
        "pytest",
        "mpmath",
        "narwhals",
    ):
        importlib.import_module(name)


def main() -> None:
    """Study the modules that were named, or all, and store what came of their mutants."""
    reader = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    reader.add_argument("modules", nargs="*", metavar="module", help=f"of {', '.join(CORE)}; all if none is named")
    reader.add_argument("--most", type=int, default=40, help="mutants a module (40)")
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--list", action="store_true", help="count the mutants and stop")
    given = reader.parse_args()
    modules = given.modules or sorted(CORE)
    if given.list:
        for module in modules:
            print(f"{module:16} {sum(1 for _ in mutants(module))}")
        return
    os.chdir(ROOT)
    RESULTS.mkdir(parents=True, exist_ok=True)
    load_what_is_heavy()
    for module in modules:
        outcomes = study(module, most=given.most, seed=given.seed)
        if not outcomes:
            continue
        lines = "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in outcomes)
        (RESULTS / f"{module}.jsonl").write_text(lines, encoding="utf-8")
        killed = sum(one.fate != SURVIVED for one in outcomes)
        print(f"{module}: {killed} of {len(outcomes)} killed", flush=True)


if __name__ == "__main__":
    main()
