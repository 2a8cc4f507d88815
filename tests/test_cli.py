"""The command line: every verb in every form, files and streams, exit codes, and what is said when it goes wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("click")
from click.testing import CliRunner, Result

import howsure as hs
from howsure.cli.output import fitting
from howsure.cli.verbs import VERBS, howsure

FORMATS = ("text", "json", "csv", "md", "latex", "html")
TRUTH, X, Y, Z = (list(letters * 4) for letters in ("aabbbabbaa", "abbbaabbaa", "ababbabbba", "bbaabbabab"))


def run(*arguments: object, code: int = 0, stdin: str | None = None) -> Result:
    done = CliRunner().invoke(howsure, [str(argument) for argument in arguments], input=stdin)
    assert done.exit_code == code, done.output
    return done


def shell(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "howsure", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload]


def written(path: Path, **columns: list[object]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = [*["north"] * 20, *["south"] * 20]
    return written(tmp_path / "preds.csv", label=TRUTH, bert=X, svm=Y, site=place)


@pytest.fixture
def square(tmp_path: Path) -> Path:
    path = tmp_path / "matrix.csv"
    path.write_text(",a,b,c\na,2,5,0\nb,2,70,2\nc,2,2,15\n")
    return path


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    counts = [[20, 3, 4], [21, 4, 3], [19, 4, 5], [22, 2, 2], [20, 3, 4], [21, 4, 3]]
    places = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
    rows = [
        f"{model},{repeat},{fold},{tp + more},{fp},{fn}"
        for model, more in (("A", 0), ("B", 2))
        for (repeat, fold), (tp, fp, fn) in zip(places, counts, strict=True)
    ]
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(["model,repeat,fold,tp,fp,fn", *rows]))
    return path


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """Three sentences with four gold entities; the tagger finds two of them and one that is not there."""
    path = tmp_path / "tags.conll"
    path.write_text(
        "Ann B-PER B-PER\nmet O O\nBob B-PER O\n\nin O O\nNew B-LOC B-LOC\nYork I-LOC I-LOC\n\n"
        "Acme B-ORG O\nsaid O B-ORG\n"
    )
    return path


@pytest.fixture
def verbs(file: Path, square: Path, folds: Path, tagged: Path) -> dict[str, list[object]]:
    columns = ["--truth", "label", "--pred", "bert", "--pred", "svm", "--pos-label", "a"]
    return {
        "report": ["report", file, *columns],
        "counts": ["counts", "--tp", 77, "--fp", 44, "--fn", 10, "--tn", 702],
        "matrix": ["matrix", square, "--rows", "truth"],
        "spans": ["spans", tagged],
        "compare": ["compare", file, *columns, "--metric", "f1"],
        "gate": ["gate", file, *columns, "--model", "bert", "--metric", "f1", "--at-least", 0.5],
        "plan": ["plan", "f1", "--half-width", 0.02, "--prevalence", 0.1],
        "bayes": ["bayes", folds],
        "study": ["study", "f1", "--population", ".4,.1,.1,.4", "--n", 10, "--method", "wald"],
        "metrics": ["metrics"],
        "methods": ["methods"],
    }


# --- every verb in every form ------------------------------------------------------------------------------------

PROBE = ["report", "counts", "matrix", "spans", "compare", "gate", "plan", "bayes", "study", "metrics", "methods"]


def test_no_verb_is_forgotten() -> None:
    assert set(VERBS) - set(PROBE) == {"demo", "serve"}


class Balance(HTMLParser):
    """Fails on a tag that is closed out of order."""

    void = frozenset({"meta", "br", "img", "input", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


def check_json(text: str) -> None:
    assert json.loads(text)


def check_csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text.strip("\n"))))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}


def check_markdown(text: str) -> None:
    lines = text.splitlines()
    assert lines[0].startswith("| ")
    assert set(lines[1]) <= set("|-:")
    table = [line.replace("\\|", "") for line in lines if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1


def check_latex(text: str) -> None:
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1
    assert r"\toprule" in text


def check_html(text: str) -> None:
    parser = Balance()
    parser.feed(text)
    assert parser.open == []
    assert "<table" in text


CHECKS = {"json": check_json, "csv": check_csv, "md": check_markdown, "latex": check_latex, "html": check_html}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("verb", PROBE)
def test_every_verb_in_every_form(verbs: dict[str, list[object]], tmp_path: Path, verb: str, form: str) -> None:
    done = run(*verbs[verb], "--format", form)
    assert len(done.stdout) > 20
    CHECKS.get(form, str)(done.stdout)
    target = tmp_path / "made"
    again = run(*verbs[verb], "--format", form, "-o", target)
    assert again.stdout == ""
    assert f"wrote {target}" in again.stderr
    assert target.read_text(encoding="utf-8").rstrip("\n") == done.stdout.rstrip("\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_numbers_are_those_of_the_library(verbs: dict[str, list[object]]) -> None:
    made = json.loads(run(*verbs["counts"], "--format", "json").stdout)
    expected = hs.report(hs.counts(tp=77, fp=44, fn=10, tn=702))
    assert [(row["metric"], row["value"], row["low"], row["high"]) for row in made["rows"]] == [
        (row.metric, row.value, row.low, row.high) for row in expected
    ]
    (f1,) = [row for row in made["rows"] if row["metric"] == "f1"]
    assert f"{f1['value']:.3f} [{f1['low']:.3f}, {f1['high']:.3f}]" == "0.740 [0.669, 0.801]"  # Lam et al. 2024


# --- data --------------------------------------------------------------------------------------------------------


def test_columns_are_guessed_and_that_is_said(file: Path) -> None:
    base = ["report", file, "--pos-label", "a", "-m", "f1"]
    guessed = "note: columns were guessed: truth is 'label' by its name"
    assert run(*base).output.count(guessed) == 1
    for form in ("csv", "json", "latex"):
        done = run(*base, "--format", form)
        assert guessed in done.stderr
        assert guessed not in done.stdout
    assert "guessed" not in run(*base, "--quiet").output


def test_quiet_leaves_out_notes(file: Path) -> None:
    loud = run(
        "report", file, "--truth", "label", "--pred", "bert", "--pred", "svm", "--pos-label", "a", "-m", "f1"
    ).stdout
    quiet = run(
        "report", file, "--truth", "label", "--pred", "bert", "--pred", "svm", "--pos-label", "a", "-m", "f1", "-q"
    ).stdout
    assert "note: the models share their rows" in loud
    assert "note:" not in quiet
    assert loud.startswith(quiet.rstrip("\n"))


def test_standard_input(file: Path) -> None:
    arguments = ["--truth", "label", "--pred", "bert", "--pos-label", "a", "--format", "json"]
    piped = run("report", "-", *arguments, stdin=file.read_text()).stdout
    assert json.loads(piped)["rows"] == json.loads(run("report", file, *arguments).stdout)["rows"]


def test_several_files_are_aligned_by_id(tmp_path: Path) -> None:
    numbers = list(range(40))
    first = written(tmp_path / "one.csv", id=numbers, label=TRUTH, prediction=X)
    second = written(tmp_path / "two.csv", id=numbers[::-1], prediction=Y[::-1])
    made = run("compare", first, second, "--id", "id", "--pos-label", "a", "-m", "f1", "--format", "json").stdout
    table = hs.table(TRUTH, {"one": X, "two": Y}, pos_label="a")
    expected = hs.compare(table, "f1", a="one", b="two")
    assert json.loads(made)["difference"] == pytest.approx(expected.difference, abs=1e-15)
    assert json.loads(made)["low"] == pytest.approx(expected.low, abs=1e-15)


def test_ids_that_do_not_meet_are_counted_and_named(tmp_path: Path) -> None:
    first = written(tmp_path / "one.csv", id=[1, 2, 3, 14], label=list("abab"), prediction=list("abab"))
    second = written(tmp_path / "two.csv", id=[1, 2, 3, 99], prediction=list("abab"))
    done = run("compare", first, second, "--id", "id", "--pos-label", "a", "-m", "f1", code=2)
    assert "two.csv' has 1 ids of the first file not at all ('14')" in done.stderr
    assert "two.csv' has 1 ids that the first file does not have ('99')" in done.stderr
    assert done.stderr.endswith("leave such rows out with --on-bad skip.\n")
    twice = written(tmp_path / "three.csv", id=[1, 2, 3, 3, 14], prediction=list("ababa"))
    done = run("compare", first, twice, "--id", "id", "--pos-label", "a", "-m", "f1", code=2)
    assert "three.csv' has 1 ids more than once ('3')" in done.stderr


def test_slices(file: Path) -> None:
    columns = ["--truth", "label", "--pred", "bert", "--pos-label", "a", "-m", "f1"]
    done = run("report", file, *columns, "--by", "site")
    assert "north" in done.stdout
    assert "south" in done.stdout
    rows = json.loads(run("report", file, *columns, "--by", "site", "--format", "json").stdout)["rows"]
    assert len(rows) == 2
    assert all(row["value"] == pytest.approx(0.8) for row in rows)


def test_a_page_beside_the_text(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("report", file, "--pos-label", "a", "--html", page)
    assert "accuracy" in done.stdout
    check_html(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("verb", ["report", "counts", "matrix", "compare", "gate", "plan"])
def test_figures(verbs: dict[str, list[object]], tmp_path: Path, verb: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "figure.svg"
    done = run(*verbs[verb], "--plot", path)
    assert f"wrote {path}" in done.stderr
    assert b"<svg" in path.read_bytes()


def test_figures_of_a_study(verbs: dict[str, list[object]], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run(*verbs["study"], "--figures", tmp_path / "drawn")
    assert b"<svg" in (tmp_path / "drawn" / "coverage.svg").read_bytes()


# --- verdicts and exit codes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("threshold", "verdict", "code"), [(0.2, "pass", 0), (0.95, "fail", 1), (0.78, "inconclusive", 3)]
)
def test_a_gate_exits_with_its_verdict(file: Path, threshold: float, verdict: str, code: int) -> None:
    columns = ["--truth", "label", "--pred", "bert", "--pos-label", "a", "--metric", "f1"]
    done = run("gate", file, *columns, "--at-least", threshold, code=code)
    assert done.stdout.startswith(f"{verdict}: f1 at least {threshold:g}")
    made = run("gate", file, *columns, "--at-least", threshold, "--format", "json", code=code).stdout
    assert json.loads(made)["verdict"] == verdict


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reprot"], "Did you mean 'report'?"),
        (["counts", "--tp", 1, "--fp", 1, "--fn", 1, "-m", "presicion"], "Did you mean 'precision'?"),
        (["counts", "--tp", 1, "--fp", 1, "--fn", 1, "-m", "f1", "--method", "wilsn"], "Did you mean 'wilson'?"),
        (["counts", "--tp", 1, "--fp", 1, "--fn", 1, "--levl", 0.9], "--level"),
        (["counts", "--tp", -1, "--fp", 1, "--fn", 1], "tp"),
        (["counts", "--tp", 1, "--fp", 1, "--fn", 1, "--level", 95], "level is 95"),
        (["study", "presicion"], "Did you mean 'precision'?"),
        (["study", "f1", "--population", "1,2"], "it must be four numbers tp,fp,fn,tn"),
        (["report", "no-such-file.csv"], "no-such-file.csv"),
        (["plan", "f1", "--half-width", 0.02, "--agreement", 0.9], "--agreement does not go with"),
    ],
)
def test_mistakes_are_one_clear_line_and_two(arguments: list[object], said: str) -> None:
    done = run(*arguments, code=2)
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert done.stdout == ""


def test_a_misspelt_column_is_suggested(file: Path) -> None:
    assert "Did you mean 'label'?" in run("report", file, "--truth", "lable", "--pred", "bert", code=2).stderr


def test_options_without_use_are_refused(tmp_path: Path) -> None:
    two = written(tmp_path / "two.csv", label=TRUTH, bert=X, svm=Y)
    three = written(tmp_path / "three.csv", label=TRUTH, bert=X, svm=Y, rule=Z)
    done = run("compare", two, "--pos-label", "a", "-m", "f1", "--adjust", "holm", code=2)
    assert "--adjust does not go with two models" in done.stderr
    done = run("compare", three, "--pos-label", "a", "-m", "f1", "--rope", 0.01, code=2)
    assert "--rope does not go with 3 models; name two with --pred" in done.stderr


def test_a_seed_reaches_the_bootstrap(file: Path) -> None:
    base = ["compare", file, "--pred", "bert", "--pred", "svm", "--truth", "label", "--pos-label", "a", "-m", "f1"]
    lows = [
        json.loads(run(*base, "--method", "bootstrap", "--seed", seed, "--format", "json").stdout)["low"]
        for seed in (1, 1, 2)
    ]
    assert lows[0] == lows[1] != lows[2]


def test_a_file_is_not_left_half_written(file: Path, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "folder.txt"
    done = run("report", file, "--pos-label", "a", "-o", missing, code=2)
    assert "No such file or directory" in done.stderr
    assert not missing.exists()
    kept = tmp_path / "kept.txt"
    kept.write_text("before")
    run("report", file, "--pos-label", "a", "--metric", "nonsense", "-o", kept, code=2)
    assert kept.read_text() == "before"


# --- the shell ---------------------------------------------------------------------------------------------------


def test_version_has_a_signature() -> None:
    name, signature = run("--version").stdout.splitlines()
    assert name == f"howsure {hs.__version__}"
    assert signature.startswith(f"howsure|v={hs.__version__}|python=3.")


def test_help_names_verbs_codes_and_completion() -> None:
    text = run("--help").stdout
    assert all(f"  {verb} " in text for verb in VERBS)
    assert "exit codes: 0 done or gate passed" in text
    assert "_HOWSURE_COMPLETE=bash_source" in text


def test_completion() -> None:
    done = shell(
        env={**os.environ, "_HOWSURE_COMPLETE": "bash_complete", "COMP_WORDS": "howsure re", "COMP_CWORD": "1"}
    )
    assert done.stdout.split() == ["plain,report"]


def test_help_loads_nothing_heavy() -> None:
    code = """
import sys
from howsure.cli.verbs import howsure
try:
    howsure(["--help"], prog_name="howsure")
except SystemExit:
    pass
print([name for name in ("numpy", "scipy", "narwhals", "duckdb", "matplotlib", "rich") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_plain_marks_where_the_encoding_has_no_better() -> None:
    arguments = ("counts", "--tp", 77, "--fp", 44, "--fn", 10, "-m", "f1")
    plain = shell(*arguments, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert plain.returncode == 0, plain.stderr
    assert "==o=" in plain.stdout
    assert plain.stdout.isascii()
    assert "━━●━" in shell(*arguments, env={**os.environ, "PYTHONIOENCODING": "utf-8"}).stdout
    assert fitting("0 ≤ x − y ± ∞ 名", "latin-1") == "0 <= x - y +/- inf ?"


def at_a_terminal(arguments: list[object], **environment: str) -> str:
    """Return what a terminal gets on its screen."""
    pty = pytest.importorskip("pty")
    main, side = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    command = [sys.executable, "-m", "howsure", *map(str, arguments)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=side, stderr=side, timeout=120,
        env={**plain, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **environment},
    )  # fmt: skip
    os.close(side)
    text = os.read(main, 100_000).decode()
    os.close(main)
    assert done.returncode in (0, 3), text
    return text


def test_colours_only_at_a_terminal(file: Path) -> None:
    gate: list[object] = [
        "gate",
        file,
        "--truth",
        "label",
        "--pred",
        "bert",
        "--pos-label",
        "a",
        "-m",
        "f1",
        "--at-least",
        0.2,
    ]
    assert "\x1b[32m" in at_a_terminal(gate)
    assert "\x1b" not in at_a_terminal(gate, NO_COLOR="1")
    assert "\x1b" not in shell(*gate).stdout


def test_a_bar_only_at_a_terminal() -> None:
    study: list[object] = ["study", "f1", "--population", ".4,.1,.1,.4", "--n", 10, "--n", 20, "--method", "wald"]
    assert "[####" in at_a_terminal(study)
    assert "[####" not in at_a_terminal([*study, "--quiet"])
    assert "####" not in shell(*study).stderr


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{sys.executable} -m howsure methods | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals as shells send them")
def test_control_c_is_clean(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    command = [
        sys.executable, "-m", "howsure", "study", "macro_f1", "--population", ".4,.1,.1,.4", "--n", "2000",
        "--replicates", "100000000", "--output", str(target),
    ]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        time.sleep(4)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130, said
    assert "howsure: stopped" in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_demo(tmp_path: Path) -> None:
    page = tmp_path / "demo.html"
    done = run("demo", "--html", page)
    assert "tumours.csv: Table(284 rows, 2 labels, 3 models)" in done.stdout
    assert "Statistically tied with the best in f1" in done.stdout
    check_html(page.read_text(encoding="utf-8"))


def test_spans_counts_chunks_of_a_column_file(tagged: Path) -> None:
    """Two of four gold entities found, one false: precision 2/3, recall 2/4, F1 4/7."""
    done = CliRunner().invoke(
        howsure, ["spans", str(tagged), "-m", "f1", "-m", "precision", "-m", "recall", "--format", "json"]
    )
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["rows"]
    assert [row["value"] for row in rows] == pytest.approx([4 / 7, 2 / 3, 1 / 2])
