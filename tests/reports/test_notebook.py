"""What a notebook shows: every result has a table, words and a drawing, escaped and without a style of its own."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from importlib import import_module
from importlib.resources import files
from pkgutil import walk_packages
from typing import Any

import pytest

import howsure as hs
import howsure.numerics
import howsure.results
from howsure.reports.writing import WRITERS
from howsure.results.base import Shown
from howsure.studies.papers.wang2019 import fold_counts
from support.command_line import CHECKS

SORTS = (files("howsure.reports.page") / "templates" / "sort.js").read_text(encoding="utf-8")
EVIL = '<script>alert("x")</script>'
TRUTH = list("aaabbbbbab" * 6)
MODELS = {EVIL: list("aabbbbabab" * 6), "y": list("aaabbabbbb" * 6), "a name that is very long indeed" * 2: TRUTH[::-1]}
ONE = {"tp": 77, "fp": 44, "fn": 10, "tn": 702}
SHARES = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}


def table() -> hs.Table:
    return hs.table(TRUTH, MODELS, pos_label="a")


CURVES = ("roc", "precision_recall", "reliability", "decision", "risk_coverage", "f1")


def scored() -> hs.Table:
    truth = [int(k % 10 >= 4) for k in range(120)]
    return hs.table(truth, scores={EVIL: [(k * 37 % 100 + 60 * truth[k]) / 160 for k in range(120)]})


RESULTS: dict[str, Callable[[], Any]] = {
    "estimate": lambda: hs.estimate(hs.counts(**ONE), "f1"),
    "report": lambda: hs.report(hs.counts(**ONE)),
    "report of several": lambda: hs.report(table(), ["f1", "mcc", "odds_ratio"]),
    "joint report": lambda: hs.report(table(), ["f1", "recall"], joint=True),
    "classes": lambda: table().per_class(),
    "methods": lambda: hs.intervals(hs.counts(**ONE), "f1"),
    "comparison": lambda: hs.compare(table(), "f1", EVIL, "y"),
    "ratio": lambda: hs.compare(table(), "f1", EVIL, "y", kind="ratio"),
    "comparisons": lambda: hs.compare_all(table(), "f1"),
    "tasks compared": lambda: hs.compare(hs.tasks({EVIL: table(), "other": table()}), "f1", EVIL, "y"),
    "forest": lambda: hs.forest(hs.tasks({EVIL: table(), "other": table()}), "f1", a=EVIL, b="y"),
    "mean ranks": lambda: hs.friedman(hs.tasks({"one": table(), "other": table()}), "f1"),
    "gate": lambda: hs.gate(hs.counts(**ONE), "f1", at_least=0.7),
    "gap": lambda: hs.slices(TRUTH, MODELS["y"], by=[EVIL, "s"] * 30, pos_label="a").gap("f1"),
    "bayes test": lambda: hs.bayes_test(fold_counts("ORG", "A"), fold_counts("ORG", "B"), "f1"),
    "posterior": lambda: hs.posterior(hs.counts(**ONE), "f1"),
    "drawn posterior": lambda: hs.posterior(hs.counts(**ONE), "mcc", draws=20_000),
    "plan": lambda: hs.plan("f1", half_width=0.05, prevalence=0.2),
    "plan of a comparison": lambda: hs.plan_comparison(
        "f1", difference=0.03, prevalence=0.3, precision=0.8, recall=0.7, agreement=0.9
    ),
    "plan of strata": lambda: hs.plan_strata("f1", n=500, predicted=0.1, precision=0.8, recall=0.7),
    "plan with a judge": lambda: hs.plan(
        "accuracy", n=40, pilot=hs.table([*TRUTH[:20], *[None] * 40], {EVIL: MODELS["y"]}, judge=TRUTH)
    ),
    "choice": lambda: hs.choose(judge=MODELS["y"], predictions={EVIL: TRUTH}, n=20),
    **{f"curve {what}": lambda what=what: hs.curve(scored(), what) for what in CURVES},
    "calibration": lambda: hs.calibration(scored()),
    "threshold": lambda: hs.threshold(scored(), "precision", at_least=0.6),
    "study": lambda: hs.study("f1", ["wald", "wilson"], SHARES, n=[10, 20]),
}
WITHOUT_TABLE = {"estimate"}
WITHOUT_DRAWING = {"choice", "plan with a judge", "plan of strata", "threshold", "classes"}


class Seen(HTMLParser):
    """The tags in order, their attributes, and the text of the cells."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[str] = []
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.cells[-1] += data

    def named(self, tag: str, kind: str | None = None) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag and (kind is None or attrs.get("class") == kind)]


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_shows_itself(name: str) -> None:
    source = RESULTS[name]()._repr_html_()
    seen = Seen(source)
    assert bool(seen.named("table")) == (name not in WITHOUT_TABLE)
    drawings = seen.named("svg")
    assert bool(drawings) == (name not in WITHOUT_DRAWING)
    assert all(one.get("aria-label") for one in drawings)
    assert not {"style", "link", "img"} & {tag for tag, _ in seen.tags}
    assert all(f"<script>{SORTS}</script>" in source for tag, _ in seen.tags if tag == "script")
    assert sum(tag == "script" for tag, _ in seen.tags) <= 1
    assert EVIL not in source


def test_writers_are_of_results_that_there_are() -> None:
    for package in (howsure.results, howsure.numerics):
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    kinds, named = [Shown], set()
    while kinds:
        kinds += (kind := kinds.pop()).__subclasses__()
        named.add(kind.__name__)
    assert set(WRITERS) <= named


@pytest.mark.parametrize("name", [name for name in RESULTS if name not in WITHOUT_TABLE])
def test_every_result_is_written_in_every_form(name: str) -> None:
    made = RESULTS[name]()
    assert "grid" in WRITERS[type(made).__name__]
    assert made.write("text")
    assert made.write("markdown") == made.write("md")
    for form, check in CHECKS.items():
        check(made.write(form))


def test_a_report_is_a_table_and_a_forest_plot() -> None:
    made = hs.report(table(), ["f1", "mcc", "odds_ratio"])
    source = made._repr_html_()
    seen = Seen(source)
    assert [cell for cell in seen.cells if cell.startswith(f"{made[EVIL, 'f1'].value:.3f}")]
    assert ">F1</th>" in source
    assert EVIL in seen.cells
    assert len(seen.named("circle", "point")) == 6  # the odds ratio has no upper end, and is named instead
    assert "Not drawn, for want of an upper end: odds ratio." in source
    places = [float(str(one["cx"])) for one in seen.named("circle", "point")]
    values = [row.value for metric in ("f1", "mcc") for row in made.rows if row.metric == metric]
    order = sorted(range(6), key=values.__getitem__)
    assert [places[at] for at in order] == sorted(places)


@pytest.mark.parametrize("metrics", [["accuracy"], ["accuracy", "f1"]])
def test_what_a_verdict_decided_is_not_advised(metrics: list[str]) -> None:
    truth = [0, 1] * 60
    poor = [value if at % 3 else 1 - value for at, value in enumerate(truth)]
    shown = hs.report(hs.table(truth, {"poor": poor, "good": truth}), metrics)._repr_html_()
    assert "good is better than poor" in shown
    assert "overlap" not in shown


def test_one_model_has_no_column_for_it() -> None:
    assert ">model</th>" in hs.report(table(), ["f1"])._repr_html_()
    assert ">model</th>" not in hs.report(hs.counts(**ONE), ["f1"])._repr_html_()


def test_a_long_report_says_what_is_not_drawn() -> None:
    truth = [f"class {at % 30}" for at in range(300)]
    models = {f"m{at}": truth[at:] + truth[:at] for at in (1, 30, 61)}
    metrics = [f"f1[class {at}]" for at in range(30)]
    source = hs.report(hs.table(truth, models), metrics)._repr_html_()
    assert "The first 60 of 90 estimates are drawn." in source
    assert len(Seen(source).named("circle", "point")) == 60


def test_the_areas_of_a_bayes_test_meet_at_zero() -> None:
    seen = Seen(RESULTS["bayes test"]()._repr_html_())
    below, above = (
        [tuple(map(float, pair.split(","))) for pair in str(one["points"]).split()] for one in seen.named("polygon")
    )
    assert max(x for x, _ in below) == min(x for x, _ in above)
