"""howsure bayes: the paper's decisions from a file of counts, in every form, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

pytest.importorskip("click")
from click.testing import CliRunner

from howsure.cli.app import howsure
from howsure.studies.papers.wang2019 import COUNTS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines = ["task,model,repeat,fold,tp,fp,fn"]
    for (task, model), six in COUNTS.items():
        places = [(repeat, fold) for repeat in (1, 2, 3) for fold in (1, 2)]
        lines += [
            f"{task},{model},{repeat},{fold},{tp},{fp},{fn}"
            for (repeat, fold), (tp, fp, fn) in zip(places, six, strict=True)
        ]
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(lines))
    return path


def run(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(howsure, ["bayes", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done.output


def test_the_decisions_of_table_5(file: Path) -> None:
    text = run(file, "--where", "task=ORG", "-m", "precision", "-m", "recall", "-m", "f1")
    rows = {line.split()[0]: line.split() for line in text.splitlines()[1:4]}
    assert {name: (row[-4], " ".join(row[-2:])) for name, row in rows.items()} == {
        "precision": ("0.1903", "Accept H1"),
        "recall": ("0.705", "Accept H0"),
        "F1": ("0.5873", "Accept H0"),
    }
    assert "factor 0.3688" in text
    assert "note: the effective counts are 1.106 times the data" in text
    assert "note: the two posteriors are taken as independent" in text


def test_json_has_full_precision(file: Path) -> None:
    text = run(file, "--where", "task=CWS", "--metric", "recall", "--rope", "0.001", "--format", "json")
    (made,) = json.loads(text)["rows"]
    assert f"{made['p_h0']:.6g}" == "1.46112e-05"
    assert made["method"] == "exact"
    assert sum(made["rope_probabilities"]) == pytest.approx(1, abs=1e-9)
    assert (made["a"], made["b"], made["prior"]) == ("A", "B", 1.0)


def test_csv_has_a_row_per_metric(file: Path) -> None:
    text = run(file, "--where", "task=NER", "-m", "f1", "-m", "recall", "--factor", "conservative", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text.strip())))
    assert [row["metric"] for row in rows] == ["f1", "recall"]
    assert all(float(row["factor_a"]) == 1 / 3 for row in rows)
    assert float(rows[0]["p_h0"]) == pytest.approx(0.3095, abs=0.0005)  # Φ(Φ⁻¹(0.3002)·√(0.3333/0.3688))


@pytest.mark.parametrize(
    ("form", "part"),
    [
        ("md", "| F1 |"),
        ("latex", r"F1 & 0&769 & [0&761 & 0&777] & 0&768"),
        ("html", "<td>Accept H0</td>"),
        ("text", "F1  "),
    ],
)
def test_other_forms_and_files(file: Path, tmp_path: Path, form: str, part: str) -> None:
    output = tmp_path / "made"
    run(file, "--where", "task=ORG", "--format", form, "--output", output)
    assert part in output.read_text()


def test_options_reach_the_test(file: Path) -> None:
    chosen = ["--method", "monte-carlo", "--draws", 20000, "--seed", 3, "--prior", 0.5, "--level", 0.9]
    text = run(file, "--where", "task=NER", *chosen, "--correlations", 0, 0.5, "--format", "json")
    (drawn,) = json.loads(text)["rows"]
    assert [drawn[name] for name in ("method", "draws", "seed", "prior", "level")] == [
        "monte-carlo",
        20000,
        3,
        0.5,
        0.9,
    ]
    assert drawn["factors"] == [1 / 3, 1 / 3]


def test_models_can_be_turned_round(file: Path) -> None:
    one, other = (
        json.loads(run(file, "--where", "task=NER", "--model", a, "--model", b, "--format", "json"))["rows"][0]
        for a, b in (("A", "B"), ("B", "A"))
    )
    assert one["p_h0"] == pytest.approx(other["p_h1"], abs=1e-12)


def test_quiet_leaves_out_the_notes(file: Path) -> None:
    assert "note:" not in run(file, "--where", "task=NER", "--quiet")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "choose among the rows with --where, by one of 'task'"),
        (("--where", "task"), "--where is 'task'; it must be COLUMN=VALUE"),
        (("--where", "tsk=NER"), "which"),
        (("--where", "task=NER", "--model", "A"), "name two with --model"),
        (("--where", "task=NER", "--model", "A", "--model", "C"), "model 'C' is not in"),
        (("--where", "task=NER", "--factor", "half"), "--factor is 'half'"),
        (("--where", "task=NER", "-m", "accuracy"), "needs the true negatives"),
        (("--where", "task=NER", "-m", "recal"), "Did you mean recall?"),
    ],
)
def test_refusals_are_one_line_and_code_2(file: Path, arguments: tuple[str, ...], message: str) -> None:
    text = run(file, *arguments, code=2)
    assert message in text
    assert text.startswith("howsure: ")
    assert "Traceback" not in text


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "nowhere.csv" in run(tmp_path / "nowhere.csv", code=2)


def test_a_figure_has_a_row_for_each_metric(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    sizes = []
    for metrics in (["f1"], ["precision", "recall", "f1"]):
        path = tmp_path / f"{len(metrics)}.png"
        run(file, "--where", "task=ORG", "--plot", path, *(part for name in metrics for part in ("-m", name)))
        width, height = (int.from_bytes(path.read_bytes()[at : at + 4], "big") for at in (16, 20))
        sizes.append(height / width)
    assert sizes[1] == pytest.approx(3 * sizes[0], rel=0.01)
