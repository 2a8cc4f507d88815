"""report, counts, matrix, spans: what is read, what is guessed, slices, strata, sides, and bounds at any time."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist

import pytest

import howsure as hs
from support.command_line import COLUMNS, TRUTH, X, Y, as_json, run, written

BERT = [*COLUMNS, "--pred", "bert"]


def rows_of(*arguments: object) -> list[dict[str, object]]:
    return as_json(*arguments)["rows"]


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
    base = ["report", file, *BERT, "--pred", "svm", "-m", "f1"]
    loud, quiet = run(*base).stdout, run(*base, "-q").stdout
    assert "note:" in loud
    assert "note:" not in quiet
    assert loud.startswith(quiet.rstrip("\n"))


def test_standard_input(file: Path) -> None:
    arguments = [*BERT, "--format", "json"]
    piped = run("report", "-", *arguments, stdin=file.read_text()).stdout
    assert json.loads(piped)["rows"] == json.loads(run("report", file, *arguments).stdout)["rows"]


@pytest.mark.parametrize(
    ("verb", "rest", "fixture"),
    [
        ("matrix", ["--rows", "truth"], "square"),
        ("spans", [], "tagged"),
        ("bayes", [], "folds"),
        ("cvtest", [], "folds"),
    ],
)
def test_standard_input_everywhere(
    request: pytest.FixtureRequest, verb: str, rest: list[str], fixture: str
) -> None:  # fmt: skip
    path = request.getfixturevalue(fixture)
    assert run(verb, "-", *rest, stdin=path.read_text()).stdout == run(verb, path, *rest).stdout


def test_several_files_are_aligned_by_id(tmp_path: Path) -> None:
    numbers = list(range(40))
    first = written(tmp_path / "one.csv", id=numbers, label=TRUTH, prediction=X)
    second = written(tmp_path / "two.csv", id=numbers[::-1], prediction=Y[::-1])
    made = as_json("compare", first, second, "--id", "id", "--pos-label", "a", "-m", "f1")
    table = hs.table(TRUTH, {"one": X, "two": Y}, pos_label="a")
    expected = hs.compare(table, "f1", a="one", b="two")
    assert made["difference"] == pytest.approx(expected.difference, abs=1e-15)
    assert made["low"] == pytest.approx(expected.low, abs=1e-15)


def test_truth_and_predictions_in_files_of_their_own(tmp_path: Path) -> None:
    numbers = list(range(40))
    truth = written(tmp_path / "truth.csv", index=numbers, label=TRUTH)
    guess = written(tmp_path / "preds.csv", index=numbers[::-1], prediction=X[::-1])
    made = as_json("report", truth, guess, "--id", "index", "--truth", "label", "-m", "accuracy")
    assert made["rows"][0]["value"] == sum(a == b for a, b in zip(TRUTH, X, strict=True)) / 40


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


# --- slices and strata -------------------------------------------------------------------------------------------


def test_slices(file: Path) -> None:
    columns = [*BERT, "-m", "f1"]
    done = run("report", file, *columns, "--by", "site")
    assert "north" in done.stdout
    assert "south" in done.stdout
    assert "gap between slices 0.000" in done.stdout
    rows = rows_of("report", file, *columns, "--by", "site")
    assert len(rows) == 2
    assert all(row["value"] == pytest.approx(0.8) for row in rows)


def test_a_gap_that_there_is_not_is_said(tmp_path: Path) -> None:
    """Precision is 0/0 in the slice where nothing is predicted positive; the report itself is there."""
    place = [*["north"] * 20, *["south"] * 20]
    file = written(tmp_path / "p.csv", label=TRUTH, bert=[*X[:20], *["b"] * 20], site=place)
    done = run("report", file, *BERT, "-m", "precision", "--by", "site", "--html", tmp_path / "page.html")
    assert "undefined" in done.stdout
    assert "note: no gap of bert: metric 'precision' is defined in 1 slices" in done.stderr


def test_a_page_of_slices_shows_the_gap(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run("report", file, *BERT, "-m", "f1", "--by", "site", "--html", page)
    text = page.read_text(encoding="utf-8")
    assert "Subgroups by site" in text
    assert "The slices are not shown to differ in F1" in text
    assert ">north</th>" in text


def test_strata_of_predicted_classes(tmp_path: Path) -> None:
    """Labelled apart: 4 predicted positives, 3 of them right, of 10%; 4 predicted negatives, 1 wrong, of 90%."""
    path = written(tmp_path / "s.csv", truth=[1, 1, 0, 1, 0, 0, 0, 1], prediction=[1, 1, 1, 1, 0, 0, 0, 0])
    base = ["report", path, "-m", "precision", "-m", "prevalence", "--method", "wald"]
    precision, prevalence = rows_of(*base, "--share", "1=0.1", "--share", "0=0.9")
    assert (precision["value"], prevalence["value"]) == (pytest.approx(0.75), pytest.approx(0.1 * 0.75 + 0.9 * 0.25))
    # The variance of a mean within strata: Σ W² s²/n, and the share 1 − n/N less of it for a finite pool.
    wide = (0.1**2 + 0.9**2) * 0.25 / 4
    assert prevalence["se"] == pytest.approx(wide**0.5)
    finite = rows_of(*base, "--pool", "1=10", "--pool", "0=90")[1]
    left = (0.1**2 * 0.6 + 0.9**2 * (1 - 4 / 90)) * 0.25 / 4
    assert finite["se"] == pytest.approx(left**0.5)


def test_strata_of_a_column(file: Path) -> None:
    base = ["report", file, *BERT, "-m", "accuracy"]
    made = rows_of(*base, "--strata", "site", "--share", "north=0.8", "--share", "south=0.2")[0]
    parts = [hs.estimate(hs.table(TRUTH[at : at + 20], X[at : at + 20], pos_label="a"), "accuracy") for at in (0, 20)]
    assert made["value"] == pytest.approx(0.8 * parts[0].value + 0.2 * parts[1].value)
    done = run(*base, "--strata", "site", "--share", "north=0.8", code=2)
    assert "--share names 'north', but the labelled rows are of 'north', 'south'" in done.stderr
    done = run(*base, "--strata", "site", "--group", "svm", "--share", "north=1", code=2)
    assert "--group does not go with --strata" in done.stderr


# --- sides, methods, looks ---------------------------------------------------------------------------------------


def test_one_sided_bounds(file: Path) -> None:
    (row,) = rows_of("report", file, *BERT, "-m", "accuracy", "--side", "lower", "--method", "wilson")
    n, share, z = 40, 0.8, NormalDist().inv_cdf(0.95)
    centre, reach = share + z * z / (2 * n), z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    assert row["low"] == pytest.approx((centre - reach) / (1 + z * z / n))  # Wilson (1927)
    assert (row["high"], row["side"]) == (1.0, "lower")
    assert "95% lower bound\n" in run("report", file, *BERT, "-m", "accuracy", "--side", "lower").stdout


def test_all_methods_side_by_side(file: Path) -> None:
    rows = rows_of("report", file, *BERT, "-m", "f1", "--method", "all")
    expected = hs.intervals(hs.table(TRUTH, X, pos_label="a"), "f1")
    assert [(row["method"], row["low"]) for row in rows] == [(row.method, row.low) for row in expected]


def test_a_prior_and_a_bootstrap_of_ones_own(file: Path) -> None:
    base = ["report", file, *BERT, "-m", "f1"]
    (row,) = rows_of(*base, "--method", "beta", "--prior", 1)
    law = hs.posterior(hs.table(TRUTH, X, pos_label="a"), "f1")  # the prior is 1 there, too
    assert (row["low"], row["high"]) == pytest.approx(law.interval(0.95), abs=1e-9)
    (few,) = rows_of(*base, "--method", "bootstrap", "--resamples", 199, "--resampling", "basic", "--seed", 3)
    table = hs.table(TRUTH, X, pos_label="a")
    expected = hs.estimate(table, "f1", method=hs.Bootstrap(199, "basic", seed=3))
    assert (few["low"], few["high"]) == (expected.low, expected.high)
    assert "--prior goes with --method beta" in run(*base, "--prior", 1, code=2).stderr
    assert "--resamples goes with --method bootstrap" in run(*base, "--resamples", 500, code=2).stderr


def test_bounds_at_any_time_and_counters(file: Path, tmp_path: Path) -> None:
    counter = hs.Counter(["a", "b"], ["bert"], pos_label="a")
    counter.update(TRUTH, {"bert": X})
    path = tmp_path / "counter.npz"
    counter.save(path)
    (row,) = rows_of("report", path, "-m", "accuracy", "--anytime")
    bound = counter.bound("accuracy")
    assert (row["value"], row["low"], row["high"]) == (bound.value, bound.low, bound.high)
    assert rows_of("report", path, "-m", "f1") == rows_of("report", file, *BERT, "-m", "f1")
    (twice,) = rows_of("report", path, path, "-m", "accuracy")
    assert twice["n"] == 80


def test_a_file_of_counts(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("name,TP,fp,fn\nlam,77,44,10\nother,7,4,1\n")
    rows = rows_of("counts", path, "-m", "f1")
    assert [row["model"] for row in rows] == ["lam", "other"]
    assert f"[{rows[0]['low']:.3f}, {rows[0]['high']:.3f}]" == "[0.668, 0.802]"  # mid-P of 77/131
    path.write_text("tp,fp\n1,2\n")
    assert "needs the columns tp, fp and fn" in run("counts", path, code=2).stderr
    path.write_text("tp,fp,fn\n1,x,2\n")
    assert "counts.csv, line 2" in run("counts", path, code=2).stderr
    assert "FILE does not go with --tp" in run("counts", path, "--tp", 1, code=2).stderr
    assert "--fp, --fn missing" in run("counts", "--tp", 1, code=2).stderr


def test_spans_counts_chunks_of_a_column_file(tagged: Path) -> None:
    """Two of four gold entities found, one false: precision 2/3, recall 2/4, F1 4/7."""
    rows = rows_of("spans", tagged, "-m", "f1", "-m", "precision", "-m", "recall")
    assert [row["value"] for row in rows] == pytest.approx([4 / 7, 2 / 3, 1 / 2])
