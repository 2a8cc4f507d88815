"""Change the numerical core in small ways and see whether its tests notice: `make mutants`; see docs/mutation.md.

Each mutant is one change of one expression: an operator, a comparison, a constant, a sign, a function exchanged for
its opposite. It lives in a forked child only, which imports the changed module in place of the file and runs the narrow
tests of that module until the first failure. No file of the package is touched. Mutants are sampled with a fixed seed,
so that a second run meets the same ones as long as the module is unchanged.

The tests run once without any change, which tells how long each takes and which functions it enters. A mutant inside
a function meets only the tests that enter it, the quickest first; one outside meets them all.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import json
import math
import os
import pickle
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import pytest

import coverage

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "howsure"
RESULTS = ROOT / "build" / "mutants"

# The quick tests that are about each module; its own doctests are always among them.
CORE: dict[str, tuple[str, ...]] = {
    "planning.expected": ("planning/test_plan.py", "papers/test_jiang2020_planning.py"),
    "comparisons.bayes_test": ("comparisons/test_bayes_test.py",),
    "numerics.beta": ("numerics/test_share_posterior.py", "papers/test_wang2019_posteriors.py"),
    "numerics.binomial": ("numerics/test_binomial.py", "numerics/test_tversky.py"),
    "metrics.cells": (
        "properties/test_metrics.py",
        "references/test_sklearn.py",
        "tables/test_label_counts.py",
        "estimates/methods/test_batch.py",
    ),
    "numerics.share_difference": ("numerics/test_share_posterior.py", "comparisons/test_bayes_test.py"),
    "numerics.critical": ("numerics/critical",),
    "metrics.gradient": (
        "properties/test_metrics.py",
        "references/test_standard_errors.py",
        "tables/test_design.py",
        "estimates/methods/test_batch.py",
    ),
    "numerics.share_ratio": ("numerics/test_share_ratio.py",),
    "estimates.methods.limits": (
        "estimates/methods/test_limits.py",
        "estimates/methods/test_pseudo_counts.py",
        "estimates/methods",
    ),
    "tables.linearised": (
        "references/test_standard_errors.py",
        "tables/test_design.py",
        "estimates/test_joint.py",
        "sources/test_stratified.py",
        "tables/test_label_counts.py",
        "messages/test_metric_messages.py",
    ),
    "comparisons.methods.paired_posterior": ("comparisons",),
    "comparisons.catalogue": ("comparisons",),
    "planning.basis": ("planning/test_plan.py", "papers/test_jiang2020_planning.py"),
    "planning.comparison": ("planning/test_comparison.py",),
    "numerics.max_normal_sampled": ("numerics/critical", "comparisons/test_compare_all.py"),
    "numerics.solving": (
        "numerics/test_share_posterior.py",
        "numerics/test_tversky.py",
        "numerics/test_share_ratio.py",
    ),
    "numerics.tversky": ("numerics/test_tversky.py", "numerics/test_binomial.py"),
    "numerics.share_posterior": ("numerics/test_share_posterior.py", "estimates/methods"),
    "estimates.methods.pseudo_counts": ("estimates/methods",),
    "metrics.largest_variance": ("planning/test_plan.py", "papers/test_jiang2020_planning.py"),
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
SURVIVED, KILLED, TIMEOUT, UNMET = "survived", "killed", "timeout", "unmet"
LIVING = (SURVIVED, UNMET)  # unmet: no test of the module enters the function


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, what stood there and what stands there now, and the tree to put it into."""

    module: str
    line: int
    column: int
    before: str
    after: str
    scope: range | None
    change: Callable[[], ast.Module]


@dataclass(frozen=True)
class Lap:
    """One test: how long it took, and the lines of the module that it ran."""

    seconds: float
    lines: frozenset[int]


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


def path_of(module: str) -> Path:
    """Return the file of a module below the package."""
    return SOURCE.joinpath(*module.split(".")).with_suffix(".py")


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
    tree = ast.parse((path_of(module)).read_text(encoding="utf-8"))
    bodies = [
        range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]
    for parent, field, place in list(sites(tree)):
        held = getattr(parent, field)
        node = held if place is None else held[place]
        for changed in changes(node):
            ast.fix_missing_locations(ast.copy_location(changed, node))
            whole = partial(_changed, tree, (parent, field, place), (node, changed))
            scope = min((body for body in bodies if node.lineno in body), key=len, default=None)
            yield Mutant(module, node.lineno, node.col_offset, ast.unparse(node), ast.unparse(changed), scope, whole)


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


class Watch:
    """Note how long each test takes and which lines of the module it runs; `""` stands for the import."""

    def __init__(self, module: str) -> None:
        self._path = str(path_of(module))
        self._coverage = coverage.Coverage(data_file=None, config_file=False, include=[self._path])
        self._seconds = {"": 0.0}
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        began = time.monotonic()
        result = yield
        self._seconds[item.nodeid] = time.monotonic() - began
        return result

    def laps(self) -> dict[str, Lap]:
        self._coverage.stop()
        data = self._coverage.get_data()
        found = {}
        for name, seconds in self._seconds.items():
            data.set_query_context(name)
            found[name] = Lap(seconds, frozenset(data.lines(self._path) or ()))
        return found


class Chosen:
    """Run only some tests, in the order given."""

    def __init__(self, names: list[str]) -> None:
        self._place = {name: place for place, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self._place), key=lambda one: self._place[one.nodeid])


def tests_of(mutant: Mutant, laps: dict[str, Lap]) -> list[str]:
    """Return the tests that enter the mutant's function, the quickest first; all for what runs on import."""
    lines = set(mutant.scope or ())
    named = (name for name in laps if name and (mutant.scope is None or lines & laps[name].lines))
    return sorted(named, key=lambda name: laps[name].seconds)


def run_tests(module: str, tree: ast.Module | None, *plugins: object) -> int:
    """Run the tests of a module on a tree in place of its file; return pytest's exit code."""
    sys.path.insert(0, str(ROOT / "src"))
    if tree is not None:
        sys.meta_path.insert(0, Changed(f"howsure.{module}", path_of(module), tree))
    importlib.import_module(f"howsure.{module}")
    targets = [str(path_of(module)), *(str(ROOT / "tests" / name) for name in CORE[module])]
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *QUIET, "-m", "not slow and not engines"]
    return int(pytest.main([*options, *targets], plugins=list(plugins)))


def watch(module: str, store: Path) -> int:
    """Run the tests of a module as it is and store what each took and ran."""
    watcher = Watch(module)
    code = run_tests(module, None, watcher)
    store.write_bytes(pickle.dumps(watcher.laps()))
    return code


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
    ended = status = 0
    try:
        while not ended and time.monotonic() - began < seconds:
            time.sleep(0.05)
            ended, status = os.waitpid(child, os.WNOHANG)
    finally:  # also where the parent is told to stop: the child leads a session of its own and would go on
        if not ended:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
    taken = time.monotonic() - began
    if not ended:
        return TIMEOUT, taken
    return SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED, taken


def study(module: str, *, most: int, seed: int, seconds: float) -> Iterator[Outcome]:
    """Run a sample of a module's mutants, after the module itself has passed, until the time is up."""
    store = RESULTS / f"{module}.laps"
    fate, usual = in_child(lambda: watch(module, store), 600)
    if fate != SURVIVED:
        print(f"{module}: left out, its tests fail without any change ({fate}); mend that first", flush=True)
        return
    laps: dict[str, Lap] = pickle.loads(store.read_bytes())
    found = list(mutants(module))
    chosen = found if len(found) <= most else random.Random(seed).sample(found, most)
    print(f"{module}: {len(chosen)} of {len(found)} mutants, {usual:.0f} s a run", flush=True)
    began = time.monotonic()
    for one in chosen:
        if time.monotonic() - began > seconds:
            return
        names = tests_of(one, laps)
        limit = 20 + 5 * sum(laps[name].seconds for name in names)
        fate, taken = (
            in_child(partial(run_tests, module, one.change(), Chosen(names)), limit) if names else (UNMET, 0.0)
        )
        if fate in LIVING:
            print(f"  {fate}, line {one.line}, column {one.column}: {one.before}  →  {one.after}", flush=True)
        yield Outcome(module, one.line, one.column, one.before, one.after, fate, round(taken, 1))


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
    reader.add_argument("--seconds", type=float, default=math.inf, help="a module, after which no new mutant is begun")
    reader.add_argument("--list", action="store_true", help="count the mutants and stop")
    given = reader.parse_args()
    modules = given.modules or sorted(CORE)
    if given.list:
        for module in modules:
            print(f"{module:16} {sum(1 for _ in mutants(module))}")
        return
    os.chdir(ROOT)
    sys.path.remove(str(Path(__file__).parent))  # scripts/papers.py would hide the folder tests/papers
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    RESULTS.mkdir(parents=True, exist_ok=True)
    load_what_is_heavy()
    for module in modules:
        outcomes = []
        with (RESULTS / f"{module}.jsonl").open("w", encoding="utf-8") as results:
            for one in study(module, most=given.most, seed=given.seed, seconds=given.seconds):
                outcomes.append(one)
                results.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")
                results.flush()
        killed = sum(one.fate not in LIVING for one in outcomes)
        print(f"{module}: {killed} of {len(outcomes)} killed", flush=True)


if __name__ == "__main__":
    main()
