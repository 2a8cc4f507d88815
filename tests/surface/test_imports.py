"""The tree is the architecture: what may import what, how large a folder may be; and importing is light."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.source_trees import SOURCE, trees

ROOT = Path(__file__).resolve().parents[2]

HEAVY = (
    "scipy.stats", "scipy.optimize", "pandas", "polars", "pyarrow", "duckdb", "sklearn", "joblib", "matplotlib",
    "narwhals", "mpmath", "click", "starlette", "fastapi", "pydantic", "jinja2", "statsmodels",
)  # fmt: skip


PLANTED = {
    "an upward import": ("metrics/cells.py", "from howsure.tables.table import Table"),
    "an upward import inside a function": ("tables/design.py", "def late():\n    import howsure.cli.output"),
    "a second way to the writers": ("results/estimate.py", "def late():\n    import howsure.reports.text"),
    "a circle inside a package": ("numerics/beta.py", "from howsure.numerics.share_posterior import SharePosterior"),
    "a writer that computes": ("reports/grid.py", "from howsure.planning.plan import plan"),
    "a package that nobody placed": ("misc/__init__.py", ""),
}
# Checks the contract of a file against the package as it stands, then with each module planted alone; a line for each.
LINT = """
import contextlib, io, json, pathlib, sys
from importlinter.cli import lint_imports
settings, planted = sys.argv[1], json.loads(sys.argv[2])

def check():
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = lint_imports(config_filename=settings, cache_dir="cache")
    print(json.dumps([status, said.getvalue()]))

check()
for name, code in planted:
    path = pathlib.Path("howsure", name)
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{before or ''}\\n\\n{code}\\n", encoding="utf-8")
    check()
    if before is None:
        path.unlink()
        path.parent.rmdir()
    else:
        path.write_text(before, encoding="utf-8")
check()
"""


@pytest.fixture(scope="module")
def linted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Return status and output of a check of a copy of the package, and of one of each planted import."""
    pytest.importorskip("importlinter", reason="import-linter is not installed")
    folder = tmp_path_factory.mktemp("linted")
    shutil.copytree(SOURCE, folder / "howsure", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-c", LINT, str(ROOT / "pyproject.toml"), json.dumps(list(PLANTED.values()))], cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = (json.loads(line) for line in done.stdout.splitlines())
    return {name: (status, said) for name, (status, said) in zip(["before", *PLANTED, "after"], found, strict=True)}


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_contract_is_kept(linted: dict[str, tuple[int, str]], when: str) -> None:
    assert linted[when][0] == 0, linted[when][1]


@pytest.mark.parametrize("planted", PLANTED)
def test_the_contract_fails_on(planted: str, linted: dict[str, tuple[int, str]]) -> None:
    status, said = linted[planted]
    assert status == 1, said
    module = f"howsure.{PLANTED[planted][0].removesuffix('.py').replace('/', '.')}"
    assert module in said or "circle" in planted or "package" in planted


# --- the tree is the architecture ---------------------------------------------------------------------------------


def folders() -> list[Path]:
    """Return every package, the top one first."""
    return sorted({path.parent for path in SOURCE.rglob("*.py")})


def modules_of(folder: Path) -> list[str]:
    """Return the modules of a folder; files that Python itself asks for are not counted."""
    return [path.name for path in folder.glob("*.py") if not path.name.startswith("__")]


def test_the_top_is_small() -> None:
    packages = [path for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(packages) + len(modules_of(SOURCE)) <= 18


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.relative_to(SOURCE).as_posix())
def test_a_folder_has_at_most_fifteen_modules(folder: Path) -> None:
    assert len(modules_of(folder)) <= 15


@pytest.mark.parametrize("folder", folders()[1:], ids=lambda folder: folder.relative_to(SOURCE).as_posix())
def test_a_package_is_its_docstring(folder: Path) -> None:
    """The command line has more, the entry point, which must not load what a verb needs; scores is a public module, and
    errors are what every other module imports."""
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    assert (ast.get_docstring(tree) or "").splitlines()[-1].startswith("May import: ")
    assert len(tree.body) == 1 or folder.name in ("cli", "scores", "errors")


def test_no_module_is_long() -> None:
    sizes = {path.relative_to(SOURCE).as_posix(): len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert {name: size for name, size in sizes.items() if size > 400} == {}


DOORS = ("cli/verbs/", "web/", "studies/papers/")  # a verb is named after what it calls; papers have common names


def defined(tree: ast.Module) -> list[str]:
    """Return the public classes, functions and types that a module defines."""
    names = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            found = (target.id for target in node.targets if isinstance(target, ast.Name))
            names += [name for name in found if not name.isupper()]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    return [name for name in names if not name.startswith("_") and not name.isupper()]


def test_a_name_has_one_home() -> None:
    homes: dict[str, list[str]] = {}
    for path, tree in trees().items():
        module = path.as_posix()
        for name in [] if module.startswith(DOORS) else defined(tree):
            homes.setdefault(name, []).append(module)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


# --- light imports ------------------------------------------------------------------------------------------------


def loaded_after(code: str) -> set[str]:
    """Return the heavy modules that a fresh interpreter has loaded after running the code."""
    probe = f"import sys\n{code}\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stdout.split())


def test_import_is_light() -> None:
    assert loaded_after("import howsure") == set()


def test_every_public_name_is_light() -> None:
    assert loaded_after("import howsure\nfor name in howsure.__all__: getattr(howsure, name)") == set()


def test_showing_is_light() -> None:
    """Text, tables and what a notebook shows need neither the templates of the page nor matplotlib."""
    code = """
import howsure
made = howsure.report(howsure.counts(tp=7, fp=2, fn=1, tn=3), 'f1')
str(made), made.to_markdown(), made.to_latex(), made.write('csv'), made._repr_html_()
"""
    assert loaded_after(code) == set()


def test_an_estimate_is_light() -> None:
    code = """
import howsure
howsure.estimate(howsure.counts(tp=7, fp=2, fn=1, tn=3), 'f1')
howsure.report(howsure.matrix([[5, 1], [2, 7]], rows='truth'))
howsure.estimate(howsure.table(['a', 'b', 'a'], ['a', 'b', 'b']), 'macro_f1')
"""
    assert loaded_after(code) == set()


def loaded_by(*command: str) -> set[str]:
    """Return the modules that a verb has loaded when it is done."""
    probe = f"""
import runpy, sys
sys.argv = {["howsure", *command]!r}
try:
    runpy.run_module("howsure", run_name="__main__")
finally:
    print("loaded:", *sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stdout.rpartition("loaded:")[2].split())


RARE = {
    "howsure.comparisons.anytime", "howsure.comparisons.methods.paired_posterior",
    "howsure.comparisons.methods.resampled", "howsure.comparisons.methods.task_answers",
    "howsure.numerics.sampled_posterior", "howsure.numerics.share_posterior", "howsure.sources.files.count_pairs",
    "howsure.sources.files.join_by_id", "howsure.sources.files.matrix_files", "howsure.sources.files.scans.arrow",
    "howsure.sources.files.scans.json_objects", "howsure.sources.files.scans.parquet", "howsure.sources.frames",
    "howsure.sources.kinds.annotated", "howsure.sources.kinds.judged", "howsure.sources.kinds.tasks",
    "howsure.sources.logs.json_logs", "howsure.sources.logs.read_log", "howsure.sources.rows.doors",
    "howsure.sources.rows.scores", "howsure.sources.sequences.conll", "howsure.tables.kinds.scores",
}  # fmt: skip
"""What few data or few questions need: loaded with the first that does."""
NOT_OF_COUNTS = {"duckdb", "narwhals", "jinja2", "howsure.comparisons.catalogue", "howsure.sources.read"}
EXAMPLE = SOURCE / "cli" / "example" / "tumours.csv"


def test_rare_modules_are_modules() -> None:
    """A module that moves would else be missed by the tests below."""
    ours = [name for name in RARE | NOT_OF_COUNTS if name.startswith("howsure.")]
    assert [name for name in ours if not (SOURCE.parent / f"{name.replace('.', '/')}.py").exists()] == []


def test_counts_load_no_reader() -> None:
    loaded = loaded_by("counts", "77", "44", "10", "702")
    assert "howsure.estimates.catalogue" in loaded
    assert loaded & (RARE | NOT_OF_COUNTS | set(HEAVY) - {"click"}) == set()


def test_a_file_of_labels_loads_no_other_door() -> None:
    loaded = loaded_by("report", str(EXAMPLE))
    assert "duckdb" in loaded
    assert loaded & (RARE | {"narwhals", "pyarrow", "pandas", "polars", "jinja2", "scipy.stats"}) == set()


def test_a_comparison_loads_no_other_door() -> None:
    loaded = loaded_by("compare", str(EXAMPLE), "--truth", "truth", "-m", "accuracy")
    assert "howsure.comparisons.compare_all" in loaded
    assert loaded & (RARE | {"narwhals", "pyarrow", "pandas", "polars", "jinja2", "scipy.stats"}) == set()
