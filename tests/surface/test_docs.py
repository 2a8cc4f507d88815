"""Every block of the documentation runs and prints what is shown; the generated pages and the built site are whole."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

import howsure as hs
from howsure.cli.app import VERBS
from howsure.comparisons.catalogue import PAIR_METHODS, PairMethod
from howsure.comparisons.compare_all import ADJUSTMENTS, VERSUS
from howsure.estimates.catalogue import METHODS
from support.doc_blocks import assert_shown, blocks_of, commands_of, run_page, runs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUNNABLE = [page for page in PAGES if any(map(runs, blocks_of(page)))]


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run a page in, with the bundled example."""
    shown = tmp_path / "src" / "howsure" / "cli" / "example"  # as the README names them, from the root of a clone
    shown.mkdir(parents=True)
    for name in ("tumours.csv", "digits.csv"):
        text = (files("howsure.cli") / "example" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
        (shown / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_runs_and_prints_what_it_shows(page: Path, example_folder: Path) -> None:
    run_page(page)


def test_the_gallery_shows_what_its_script_draws() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "gallery.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    drawn = {path.name for path in (DOCS / "pictures" / "gallery").iterdir()}
    assert drawn == set(re.findall(r"pictures/gallery/([a-z-]+\.svg)", text))


@pytest.mark.parametrize("page", sorted((DOCS / "explanation").glob("*.md")), ids=lambda page: page.stem)
def test_an_explanation_begins_with_its_picture_and_a_sentence(page: Path) -> None:
    title, picture, said, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert title.startswith("# ")
    assert re.fullmatch(r"!\[[^]]+\]\([\w./-]+\.svg\)", picture)
    assert said[0].isupper()
    assert not said.startswith("|")


def test_a_wrong_output_is_noticed() -> None:
    assert_shown("one\n…\nlast\n", "one\ntwo\nthree\nlast\n", "a page")
    for shown in ("one\ntwo\n", "one\n…\nlasst\n", "two\n…\n", "one\n…\nlast\nmore\n"):
        with pytest.raises(AssertionError):
            assert_shown(shown, "one\ntwo\nthree\nlast\n", "a page")


def test_commands_are_read_with_their_output() -> None:
    found = list(commands_of("$ howsure a \\\n    --b 1\nx\ny\n$ echo $?\n3\n"))
    assert found == [("howsure a --b 1", "x\ny\n"), ("echo $?", "3\n")]


# --- the reference ------------------------------------------------------------------------------------------------


def test_reference_pages_follow_the_catalogues() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_reference.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: entry.name)
def test_every_interval_method_has_a_page_with_its_parts(entry: hs.IntervalMethod) -> None:
    text = (DOCS / "reference" / "methods" / f"{entry.name}.md").read_text(encoding="utf-8")
    assert entry.citation in text
    assert f"({entry.name}.svg)" in text or "has the study" in text
    for part in ("**Use it when.**", "**Do not use it when.**", "## Coverage", "## Example", "```text", "```python"):
        assert part in text


@pytest.mark.parametrize("entry", PAIR_METHODS, ids=lambda entry: entry.name)
def test_every_comparison_method_has_a_page_with_its_parts(entry: PairMethod) -> None:
    text = (DOCS / "reference" / "comparisons" / f"{entry.name}.md").read_text(encoding="utf-8")
    assert entry.citation in text
    assert f"({entry.name}.svg)" in text or "has the study" in text
    for part in ("**Use it when.**", "**Do not use it when.**", "## Coverage", "## Example", "```text", "```python"):
        assert part in text


def test_every_other_choice_is_described() -> None:
    comparisons = (DOCS / "reference" / "comparisons.md").read_text(encoding="utf-8")
    joint = (DOCS / "reference" / "joint.md").read_text(encoding="utf-8")
    assert all(f"`{entry.name}`" in comparisons for entry in PAIR_METHODS)
    assert all(f'`adjust="{name}"`' in joint for name in ADJUSTMENTS)
    assert all(f'`versus="{name}"`' in joint for name in VERSUS)


@pytest.mark.parametrize(
    ("metric", "method", "n"),
    [("recall", "wald", 25), ("recall", "clopper-pearson", 100), ("f1", "wilson", 25), ("lr_plus", "log", 25)],
)
def test_the_pictures_show_what_the_library_does_now(metric: str, method: str, n: int) -> None:
    """The stored series are recomputed at three populations: the pictures must not outlive the methods."""
    stored = json.loads((DOCS / "reference" / "methods" / "coverage.json").read_text(encoding="utf-8"))
    (one,) = (row for row in stored
              if (row["metric"], row["method"], row["n"], row["level"]) == (metric, method, n, 0.95))  # fmt: skip
    for place in (0, 7, -1):
        quality = one["quality"][place]
        source = {"prevalence": 0.3, "precision": quality, "recall": quality}
        assert hs.study(metric, method, source, n)[0].coverage == pytest.approx(one["coverage"][place], abs=1e-5)


def worded(n: int, agreement: float, ask: Callable[[hs.Table], bool], rates: tuple[float, float]) -> float:
    """Return how often a question about two models' accuracy is answered with yes, over every table of n rows."""
    a, b = rates
    apart = [a * (1 - b), (1 - a) * b, a * b, (1 - a) * (1 - b)]
    alike = [max(a - b, 0), max(b - a, 0), min(a, b), 1 - max(a, b)]
    shares = [(1 - agreement) * one + agreement * other for one, other in zip(apart, alike, strict=True)]
    total = 0.0
    for only_a in range(n + 1):
        for only_b in range(n + 1 - only_a):
            rest = n - only_a - only_b
            chance = math.comb(n, only_a) * math.comb(n - only_a, only_b)
            chance *= shares[0] ** only_a * shares[1] ** only_b * (shares[2] + shares[3]) ** rest
            if chance > 1e-7:
                right = {"a": [1] * only_a + [0] * only_b + [1] * rest, "b": [0] * only_a + [1] * only_b + [1] * rest}
                total += chance * ask(hs.table([1] * n, right, labels=[0, 1]))
    return total


@pytest.mark.parametrize("method", ["wald", "tango", "mcnemar", "mid-p"])
def test_the_coverage_of_comparisons_is_what_the_library_does_now(method: str) -> None:
    """Methods that ask only for the rows on which one model is right: enumerated here in another way."""
    stored = json.loads((DOCS / "reference" / "comparisons" / "coverage.json").read_text(encoding="utf-8"))
    question = "equal" if method in ("mcnemar", "mid-p") else "accuracy"
    (one,) = (row for row in stored if (row["question"], row["method"], row["n"]) == (question, method, 50))
    rates = (0.80, 0.80 if question == "equal" else 0.85)

    def ask(table: hs.Table) -> bool:
        found = hs.compare(table, "accuracy", a="a", b="b", method=method)
        return found.p_value > 0.05 if question == "equal" else found.low <= 0.05 <= found.high

    place = one["agreement"].index(0.98)
    assert worded(50, 0.98, ask, rates) == pytest.approx(one["coverage"][place], abs=2e-4)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.98])
def test_the_page_of_bounds_at_any_time_shows_the_martingale(share: float) -> None:
    """A look misses where the mixture is 20 times as likely as the true share: no limits are computed here."""
    stored = json.loads((DOCS / "reference" / "anytime.json").read_text(encoding="utf-8"))
    (one,) = (row for row in stored if (row["method"], row["share"]) == ("anytime", share))
    alive = [1.0]
    for n in range(1, 201):
        alive = [a * (1 - share) + b * share for a, b in zip([*alive, 0.0], [0.0, *alive], strict=True)]
        for s in range(n + 1):
            mixture = math.lgamma(0.5 + s) + math.lgamma(0.5 + n - s) - math.lgamma(1 + n) - math.log(math.pi)
            if mixture - s * math.log(share) - (n - s) * math.log1p(-share) >= math.log(20):
                alive[s] = 0.0
    assert sum(alive) == pytest.approx(one["coverage"][one["n"].index(200)], abs=1e-5)


def test_the_exceptions_named_beside_the_recommendation_are_those_measured() -> None:
    text = (DOCS / "explanation" / "which-interval.md").read_text(encoding="utf-8")
    stored = json.loads((DOCS / "reference" / "methods" / "coverage.json").read_text(encoding="utf-8"))
    series = {(row["metric"], row["n"]): dict(zip(row["quality"], row["coverage"], strict=True))
              for row in stored if row["method"] == "wilson" and row["level"] == 0.95}  # fmt: skip
    recall, f1 = series["recall", 25], series["f1", 25]
    for value in (recall[0.97], recall[0.98], recall[0.99], f1[0.99]):
        assert f"{value:.3f}" in text.split("`wilson`, the default before 0.2.0, n = 25")[1].split("- `mover")[0]
    assert min(*series["recall", 100].values(), *series["f1", 100].values()) >= 0.948
    averages = (DOCS / "explanation" / "averages.md").read_text(encoding="utf-8")
    sizes = ((6, 25), (12, 50), (20, 90))
    worst = [re.search(rf"^\| {k}, {n} \| [^|]* \| (0\.\d+) / ", averages, re.MULTILINE)[1] for k, n in sizes]
    assert "{} with 6 classes and\n  n = 25, {} with 12 and n = 50, {} with 20 and n = 90".format(*worst) in text
    lowest = {row["metric"]: min(row["coverage"]) for row in stored
              if (row["method"], row["n"], row["level"]) == ("smoothed-t", 25, 0.95)}  # fmt: skip
    assert f"the lowest at n = 25 are {lowest['mcc']:.3f} (MCC)\n  and {lowest['macro_f1']:.3f} (macro F1)" in text


def test_blocks_of_yaml_are_yaml() -> None:
    """Whole workflows have jobs with steps; a part of one has something to run."""
    found = [yaml.safe_load(textwrap.dedent(block.text)) for page in PAGES for block in blocks_of(page)
             if block.language in ("yaml", "yml")]  # fmt: skip
    workflows = [one for one in found if "jobs" in one]
    assert workflows
    steps = [step for one in workflows for job in one["jobs"].values() for step in job["steps"]]
    parts = [one for one in found if "jobs" not in one]
    steps += [step for one in parts for step in (one if isinstance(one, list) else [one])]
    assert all({"run", "uses"} & step.keys() for step in steps)
    verbs = {verb for step in steps for verb in re.findall(r"^ *howsure (\w+)", step.get("run", ""), re.MULTILINE)}
    assert verbs == {"report", "gate"}
    assert verbs <= VERBS.keys()
    with pytest.raises(yaml.YAMLError):
        yaml.safe_load("run: 'not closed")


# --- the README ---------------------------------------------------------------------------------------------------


def test_readme_shows_the_two_commands_and_links_to_files_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text
    assert len(text.splitlines()) <= 70
    assert "docs/pictures/report.png" in text
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_pages_name_only_commands_that_exist() -> None:
    """Every ``make target`` in the prose is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)`", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert {one or other for one, other in named} <= targets, page


def recorded(part: str, section: int, row: str, column: str) -> Any:
    """Return a number as the benchmarks stored it."""
    path = ROOT / "benchmarks" / "results" / f"{part}.json"
    if not path.exists():
        pytest.skip("the source archive comes without the benchmarks")
    held = json.loads(path.read_text(encoding="utf-8"))["sections"][section]
    (line,) = (one for one in held["rows"] if str(one[0]) == row)
    return line[held["columns"].index(column)]


def shown_beside(start: str) -> list[str]:
    """Return the cells of a row of a table of the page on neighbours."""
    text = (DOCS / "peers.md").read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in row.strip("| ").split("|")][1:]


PEERS = ("confidenceinterval", "prob_conf_mat", "MLstatkit", None, "howsure, default method")
COVERED = ("confidenceinterval", "prob_conf_mat", "percentile bootstrap (MLstatkit's)", "statsmodels, Wilson by hand",
           "howsure")  # fmt: skip


def three_figures(value: float | None) -> str:
    """Write a number as the table of neighbours does."""
    if value is None:
        return "–"
    places = next((places for places, least in enumerate((100, 10, 1)) if value >= least), 3)
    return f"{value:,.{places}f}"


@pytest.mark.parametrize(
    ("start", "column"), [("F1 with interval from 1,000", "f1, 1,000 rows"), ("… from 100,000", "f1, 100,000 rows")]
)
def test_times_beside_the_neighbours_are_the_recorded_ones(start: str, column: str) -> None:
    wanted = [None if peer is None else recorded("intervals", 0, peer, column) for peer in PEERS]
    assert shown_beside(start) == [three_figures(value) for value in wanted]


@pytest.mark.parametrize(
    ("start", "column"),
    [("its 95 % interval of F1", 2), ("… of macro F1, true", 3), ("… of macro precision", 5)],
)
def test_coverage_beside_the_neighbours_is_the_recorded_one(start: str, column: int) -> None:
    held = json.loads((ROOT / "benchmarks" / "results" / "coverage_of_peers.json").read_text(encoding="utf-8"))
    rows = {row[0]: row for row in held["sections"][0]["rows"]}
    for peer, cell in zip(COVERED, shown_beside(start), strict=True):
        stored = rows[peer][column]
        assert cell[:5].rstrip() == ("–" if stored is None else stored[:5]), peer


@pytest.mark.parametrize(
    ("start", "place"),
    [
        ("`f1_score` of 10,000,000", ("libraries", 0, "numpy int64", "f1_score / counting")),
        ("… against a whole report", ("reports", 0, "int64", "that is one in")),
        ("9999 bootstrap", ("resamples", 0, "1000000", "scipy / ours")),
        ("critical value", ("quantiles", 0, "20 equal, 0.5", "R / howsure")),
        ("a million Wilson", ("intervals", 1, "precision, wilson", "statsmodels / ours")),
    ],
)
def test_ratios_beside_the_neighbours_are_the_recorded_ones(start: str, place: tuple[str, int, str, str]) -> None:
    assert shown_beside(start)[-1] == three_figures(recorded(*place))
