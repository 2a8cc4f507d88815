"""Reports in every form, as literal text: what a person pastes must not move unseen."""

from __future__ import annotations

import copy
import json
import math
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

import howsure as hs
from howsure.errors import InputError, MissingExtra
from howsure.reports.align import visible, width_of
from howsure.reports.csv import as_csv
from howsure.reports.describe import caption
from howsure.reports.grids import bayes_grid, coverage_grid, plan_grid
from howsure.reports.latex import decimal_cell, escaped, interval_cells
from howsure.reports.markdown import escaped_cell
from howsure.reports.writing import written
from howsure.results.base import schema_of
from howsure.studies.papers.wang2019 import fold_counts
from support.snapshots import Snapshots

# Truth a: 4 of 5 found, 1 false alarm. mid-P of 8/10 is [0.480, 0.965]: at p = 0.480 P(X > 8) + P(X = 8)/2 = 0.025, at
# 0.965 P(X < 8) + P(X = 8)/2 is. F1 = 2u/(1+u) of 4/6; the odds ratio is 16 · exp(± 1.96 · √(1/4 + 1 + 1 + 1/4)).
TRUTH = list("aabbbabbaa")
MODELS = {"x_1": list("abbbaabbaa"), "y": list("ababbabbba")}
# tp 3, fp 1, fn 2, tn 4 for y: [0.256, 0.921] is mid-P of 3/6 through the link, [0.380, 0.917] mid-P of 7/10.


@pytest.fixture(scope="module")
def report() -> hs.Report:
    return hs.report(hs.table(TRUTH, MODELS, pos_label="a"), ["f1", "accuracy", "odds_ratio"])


def test_text(report: hs.Report, snapshots: Snapshots) -> None:
    text = str(report)
    snapshots.check("report-text", text)
    for value, low, high in (
        ("0.800", "0.415", "0.969"), ("0.800", "0.480", "0.965"), ("16.00", "0.722", "354.8"),
        ("0.667", "0.256", "0.921"), ("0.700", "0.380", "0.917"), ("6.000", "0.354", "101.6"),
    ):  # fmt: skip
        assert value in text
        assert f"{low} to {high}" in text


def test_long(report: hs.Report, snapshots: Snapshots) -> None:
    text = report.write("text", long=True)
    snapshots.check("report-long", text)
    assert [line.split()[:3] for line in text.splitlines()[1:3]] == [
        ["x_1", "F1", "0.800"],
        ["x_1", "accuracy", "0.800"],
    ]


def test_markdown(report: hs.Report, snapshots: Snapshots) -> None:
    text = report.to_markdown()
    snapshots.check("report-markdown", text)
    assert r"| x\_1 | **0.800** (0.415 to 0.969) | **0.800** (0.480 to 0.965) | **16.00** (0.722 to 354.8) |" in text


def test_latex(report: hs.Report, snapshots: Snapshots) -> None:
    text = report.to_latex()
    snapshots.check("report-latex", text)
    assert r"x\_1 & \textbf{0.800} [0.415, 0.969] & \textbf{0.800} [0.480, 0.965]" in text
    assert "F1, accuracy and odds ratio with 95\\% intervals (mid-P; log for odds ratio). Sampled: 10 rows;" in text


def test_marks_against_a_baseline() -> None:
    """A dagger where the pair with the baseline is settled, also for a model that is better than it."""
    truth = [0, 1] * 60
    wrong = {"good": 40, "base": 3, "same": 3}
    models = {
        name: [value if at % step else 1 - value for at, value in enumerate(truth)] for name, step in wrong.items()
    }
    made = hs.report(hs.table(truth, models), ["accuracy", "mcc"])
    for text in (
        made.to_markdown(baseline="base"),
        made.to_latex(baseline="base"),
        made.write("text", baseline="base"),
    ):
        rows = [line for line in text.splitlines() if line.lstrip("| ").startswith(tuple(wrong)) and "0." in line]
        good, base, same = (next(line for line in rows[-3:] if name in line) for name in wrong)
        assert "†" in good or "dagger" in good
        assert not any(mark in base or mark in same for mark in ("†", "dagger"))
        assert "differs clearly from base" in text
    assert "all 2 pairs together" in made.to_latex(baseline="base")
    with pytest.raises(hs.InputError, match="one of the models of the report"):
        made.to_latex(baseline="bass")


def test_every_verdict_says_what_was_held_fixed() -> None:
    truth = [0, 1] * 30
    t = hs.table(
        truth, {"a": truth, "b": [1, *truth[1:]], "c": [0, 0, *truth[2:]]}, groups=[at // 2 for at in range(60)]
    )
    verdicts = [
        hs.estimate(t, "f1", model="a"), hs.compare(t, "f1", a="a", b="b"), hs.compare_all(t, "f1"),
        hs.gate(t, "f1", model="a", at_least=0.5), hs.gate(t, "f1", model="a", baseline="b"), hs.report(t)[0],
    ]  # fmt: skip
    for one in verdicts:
        assert one.held_fixed == "Sampled: 60 rows of 30 groups; held fixed: the models, their training, the labels."
    fixed = "held fixed: the models, their training, the labels."
    report = hs.report(t)
    for made in (*verdicts, report):
        assert "Sampled: 60 rows of 30 groups" in " ".join(str(made).split())
        assert fixed in " ".join(str(made).split())
        assert fixed in made._repr_html_()
    for made in (report, hs.report(t, "f1"), verdicts[1], verdicts[2]):
        assert fixed in made.to_markdown()
        assert fixed in made.to_latex()
    assert fixed in hs.page(t)


def test_one_model_has_no_column_for_it() -> None:
    made = hs.report(hs.counts(tp=77, fp=44, fn=10), ["f1", "recall"])
    assert str(made).splitlines()[:4] == [
        "F1 is 0.740 (95% interval 0.668 to 0.802).",
        "",
        "metric  value  counts  95% interval",
        "F1      0.740          0.668 to 0.802  ···············━━●━·····",
    ]
    assert made.to_markdown().splitlines()[4] == "| F1 | 0.740 |  | 0.668 to 0.802 |"
    assert r"recall & 0&885 & 77/87 & 0.805 to 0.940 \\" in made.to_latex()


# --- JSON --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema() -> dict[str, object]:
    found = json.loads((files("howsure") / "reports" / "schemas" / "report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def test_the_schema_has_the_version_that_documents_say(schema: dict[str, object]) -> None:
    assert schema["$id"] == schema_of("report") == "howsure/report/1"


@pytest.mark.parametrize("joint", [False, True])
def test_json_follows_the_schema(schema: dict[str, object], joint: bool) -> None:
    table = hs.table(TRUTH, MODELS, pos_label="a")
    made = json.loads(hs.report(table, ["f1", "accuracy"], joint=joint).to_json())
    jsonschema.validate(made, schema)
    assert [(row["model"], row["metric"]) for row in made["rows"]] == [
        ("x_1", "f1"), ("x_1", "accuracy"), ("y", "f1"), ("y", "accuracy"),
    ]  # fmt: skip
    assert made["rows"][0]["value"] == 0.8


def test_json_of_every_kind_follows_the_schema(schema: dict[str, object]) -> None:
    undefined = hs.report(hs.counts(tp=0, fp=0, fn=3, tn=5))
    endless = hs.report(hs.counts(tp=5, fp=0, fn=3, tn=5), ["odds_ratio", "lr_plus"])
    classes = hs.report(hs.matrix([[2, 5, 0], [2, 70, 2], [2, 2, 15]], rows="truth", labels=[1, 2, 3]))
    chunks = hs.report(hs.spans([["B-A", "O"]], [["B-A", "B-A"]], scheme="IOB2"))
    drawn = hs.report(hs.counts(tp=7, fp=2, fn=3, tn=5), ["f1"], method=hs.Bootstrap(n_resamples=199, seed=3))
    for made in (undefined, endless, classes, chunks, drawn, hs.intervals(hs.counts(tp=7, fp=2, fn=3, tn=5), "f1")):
        jsonschema.validate(json.loads(made.to_json()), schema)
    assert json.loads(undefined.to_json())["rows"][1]["value"] is None


def test_the_schema_refuses_what_is_wrong(schema: dict[str, object], report: hs.Report) -> None:
    good = json.loads(report.to_json())
    for change in ({"level": 95}, {"schema": "howsure/report/0"}, {"rows": [{}]}, {"more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(copy.deepcopy(good) | change, schema)


# --- LaTeX -------------------------------------------------------------------------------------------------------


def test_numbers_split_at_their_point() -> None:
    assert decimal_cell("0.740") == "0&740"
    assert decimal_cell("-0.018") == "$-$0&018"
    assert decimal_cell("< 0.0001") == "$<$ 0&0001"
    assert decimal_cell("29,757") == r"\multicolumn{1}{r@{}}{29,757}&"
    assert interval_cells("0.5", "∞") == ["[0&5", r"\multicolumn{2}{l}{$\infty$]}"]
    assert interval_cells("undefined", "undefined") == [r"\multicolumn{4}{c}{undefined}"]


def test_special_marks_are_made_plain() -> None:
    assert escaped(r"50% of $x_1$ & \y {#} ~^ a|b <c>") == (
        r"50\% of \$x\_1\$ \& \textbackslash{}y \{\#\} \textasciitilde{}\textasciicircum{} a\textbar{}b $<$c$>$"
    )


def awkward() -> str:
    """Return tables of every kind in one document, with names and numbers that trip LaTeX."""
    odd = {r"50% & \x_1{": MODELS["x_1"], "y^2~#|<é>": MODELS["y"], '["quoted"] it\'s': MODELS["y"]}
    table = hs.table(TRUTH, odd, pos_label="a")
    both = fold_counts("CWS", "A"), fold_counts("CWS", "B")
    made = [
        hs.report(table, ["f1", "mcc", "odds_ratio"]).to_latex(),
        hs.report(hs.counts(tp=0, fp=0, fn=3, tn=5), ["precision", "recall", "lr_plus"]).to_latex(),
        hs.report(hs.counts(tp=5, fp=0, fn=3, tn=5), ["odds_ratio"]).to_latex(),
        hs.compare_all(table, "f1").to_latex(),
        written(bayes_grid([hs.bayes_test(*both, name) for name in ("recall", "f1")]), "latex"),
        hs.gate(table, "f1", at_least=0.5, model="y^2~#|<é>").write("latex"),
        hs.plan("f1", half_width=0.05, prevalence=0.2).write("latex", points=[(100, 0.2), (200, 0.1)]),
        hs.plan("f1", half_width=0.05, prevalence=0.2).write("latex"),
        hs.study("f1", ["wald"], {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}, n=[10]).write("latex"),
    ]
    body = "\n\n".join(made)
    return rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{body}\end{{document}}"


NEEDS = "Debian: texlive-latex-recommended"


def compiled(text: str, engine: str, place: Path) -> None:
    (place / "tables.tex").write_text(text, encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (place / "tables.pdf").stat().st_size > 1000


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason=f"needs pdflatex ({NEEDS})")
def test_latex_compiles(tmp_path: Path) -> None:
    compiled(awkward(), "pdflatex", tmp_path)


def other_scripts() -> str:
    odd = {"🐈 猫": MODELS["x_1"], "العربية": MODELS["y"], "[a] * \x1b " + "long " * 40: MODELS["y"]}
    return hs.report(hs.table(TRUTH, odd, pos_label="a"), ["f1"]).to_latex()


def test_other_scripts_name_their_engine(report: hs.Report) -> None:
    assert other_scripts().splitlines()[1].startswith("% compile with lualatex or xelatex")
    assert report.to_latex().splitlines()[:2] == [r"% needs \usepackage{booktabs}", r"\begin{table}"]
    assert "\x1b" not in other_scripts()
    assert r"[a] *" in other_scripts()


@pytest.mark.skipif(shutil.which("lualatex") is None, reason=f"needs lualatex ({NEEDS})")
def test_other_scripts_compile(tmp_path: Path) -> None:
    document = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{other_scripts()}\end{{document}}"
    compiled(document.replace("% compile", "\n% compile"), "lualatex", tmp_path)


def columns_in(line: str) -> int:
    """Return how many columns a row fills, spans counted."""
    plain = line.replace(r"\&", "")
    spans = sum(int(part[0]) - 1 for part in plain.split(r"\multicolumn{")[1:])
    return plain.count("&") + 1 + spans


def test_every_row_fills_every_column() -> None:
    for table in awkward().split(r"\begin{tabular}")[1:]:
        kinds, *lines = table.split(r"\end{tabular}")[0].strip().splitlines()
        wide = sum(kinds.replace("@{.}", "").replace("@{, }", "").count(kind) for kind in "lr")
        rows = [line for line in lines if line.endswith(r"\\")]
        assert len(rows) > 1
        assert [columns_in(row) for row in rows] == [wide] * len(rows)


# --- text --------------------------------------------------------------------------------------------------------


def test_wide_letters_take_two_places() -> None:
    models = {"名前": MODELS["x_1"], "b": MODELS["y"]}
    lines = hs.report(hs.table(TRUTH, models, pos_label="a"), ["f1"]).write("text", long=True).splitlines()
    places = {width_of(line[: line.index("F1")]) for line in lines[1:3]}
    assert places == {width_of(lines[0][: lines[0].index("metric")])} == {7}


def test_a_terminal_obeys_no_label() -> None:
    models = {"\x1b[31mred\nline": MODELS["x_1"], "b": MODELS["y"]}
    table = hs.table(TRUTH, models, pos_label="a")
    for text in (str(hs.report(table, ["f1"])), hs.gate(table, "f1", at_least=0.5, model="b").write("text")):
        assert "\x1b" not in text
    assert visible("\x1b[2J") == r"\x1b[2J"


def test_csv_that_a_spreadsheet_does_not_run() -> None:
    text = as_csv(
        [{"model": '=HYPERLINK("http://x")', "value": -0.5, "text": "-0.5", "more": "@now", "list": ["a", "b"]}]
    )
    assert text.splitlines()[1] == '"\'=HYPERLINK(""http://x"")",-0.5,-0.5,\'@now,"a; b"'


def test_csv_cells_that_split_elsewhere_are_quoted() -> None:
    rows = [{"model": "a;=cmd", "other": "plain", "low": None}]
    assert as_csv(rows) == 'model,other,low\n"a;=cmd",plain,\n'


def test_markdown_that_stays_one_cell() -> None:
    assert escaped_cell("a|b\n# c &lt; $x$ ~~d~~ \x1b") == r"a\|b # c &amp;lt; \$x\$ \~\~d\~\~ \\x1b"


def test_markdown_under_a_table_is_plain_text_too() -> None:
    models = {"<b>x_1</b>": MODELS["x_1"], "y|z": MODELS["y"]}
    text = hs.compare_all(hs.table(TRUTH, models, pos_label="a"), "macro_f1").to_markdown()
    assert "<b>" not in text
    assert text.startswith(r"\<b\>x\_1\</b\> and y\|z are not told apart in macro F1")
    assert text.splitlines()[-1].startswith("macro F1: 95% intervals of the paired difference")


def test_sides_and_sizes_in_the_caption() -> None:
    table = hs.table(TRUTH, MODELS, pos_label="a")
    lower = [hs.estimate(table, "f1", model=name, side="lower") for name in MODELS]
    assert caption(hs.Report(tuple(lower), 0.95)) == "10 rows, 95% lower bounds, one-sided (mid-P)."
    sizes = [hs.estimate(hs.counts(tp=tp, fp=1, fn=1), "f1") for tp in (5, 7)]
    assert caption(hs.Report(tuple(sizes), 0.95)) == "7 to 9 rows, 95% intervals (mid-P)."


def test_frames(report: hs.Report) -> None:
    pandas, polars = report.to_frame("pandas"), report.to_frame("polars")
    assert list(pandas["value"]) == polars["value"].to_list() == [row.value for row in report]
    with pytest.raises(InputError, match="backend is 'excel'; it must be one of 'pandas', 'polars'"):
        report.to_frame("excel")


@pytest.mark.parametrize(("backend", "package"), [(None, "pandas"), ("pandas", "pandas"), ("polars", "polars")])
def test_without_a_frame_library_one_is_named(
    report: hs.Report, backend: str | None, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra) as caught:
        report.to_frame(backend)
    assert str(caught.value) == f"to_frame() needs the package '{package}'; install it with: pip install {package}"


def test_plans_and_studies_in_every_form() -> None:
    made = hs.plan("f1", half_width=0.05, prevalence=0.2)
    grid = plan_grid(made, [(100, 0.25), (2000, 0.0625)])
    assert written(grid, "text").splitlines()[:3] == [" rows  reached", "  100   0.2500", "2,000   0.0625"]
    assert made.paragraph in written(grid, "markdown")
    assert json.loads(written(grid, "json"))["rows"][0]["n"] == made.n
    study = coverage_grid(hs.study("f1", ["wald"], {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}, n=[10]))
    at = [column.name for column in study.columns].index("coverage")
    assert math.isclose(float(study.rows[0][at]), study.records[0]["coverage"], abs_tol=5e-5)


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "profile"])
def test_a_method_leaves_out_the_usual_metrics_that_it_cannot_serve(method: str) -> None:
    table = hs.counts(tp=77, fp=44, fn=10, tn=702)
    made = hs.report(table, method=method)
    (note,) = (note for note in made.notes if note.kind == "left out")
    assert {row.metric for row in made} | {"mcc", "balanced_accuracy"} == {row.metric for row in hs.report(table)}
    assert "'mcc', 'balanced_accuracy'" in note
    assert {row.method for row in made} == {method}


def test_nothing_that_was_named_is_left_out() -> None:
    table = hs.counts(tp=77, fp=44, fn=10, tn=702)
    with pytest.raises(hs.MethodError, match="method 'wilson' cannot serve metric 'mcc'"):
        hs.report(table, ["f1", "mcc"], method="wilson")
    with pytest.raises(hs.MethodError, match="method 'koopman' cannot serve metric 'accuracy'"):
        hs.report(table, method="koopman")
    assert not [note for note in hs.report(table, method="wald").notes if note.kind == "left out"]
