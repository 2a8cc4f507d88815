"""What readers of the papers ask of the verbs: chosen pairs, standard errors, shares, populations, steps of a plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import TRUTH, X, Y, as_json, rows_of, run, written

COUNTS = ["--tp", 77, "--fp", 44, "--fn", 10, "--tn", 702]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return written(tmp_path / "rows.csv", label=TRUTH, bert=X, **{"svm:2": Y})


class TestReport:
    def test_pairs_hold_together(self, rows: Path) -> None:
        made = as_json("report", rows, "--truth", "label", "--pos-label", "a", "--joint",
                       "--pair", "bert:f1", "--pair", "svm:2:cosine")  # fmt: skip
        assert [(row["model"], row["metric"]) for row in made["rows"]] == [("bert", "f1"), ("svm:2", "cosine")]
        assert made["critical_value"] > 1.96
        assert {row["model"] for row in made["classes"]} == {"bert", "svm:2"}

    def test_pairs_that_are_none(self, rows: Path) -> None:
        where = ["report", rows, "--truth", "label", "--pos-label", "a"]
        assert "MODEL:METRIC" in run(*where, "--pair", "bort:f1", code=2).stderr
        assert "does not go with --pair" in run(*where, "--pair", "bert:f1", "-m", "f1", code=2).stderr
        assert "does not go with" in run(*where, "--pair", "bert:f1", "--side", "lower", code=2).stderr

    def test_a_column_of_standard_errors(self) -> None:
        """Jiang (2020), section 2.3, prints 0.861 and 0.0162."""
        juice = ["counts", "--tp", 286, "--fp", 47, "--fn", 43, "--tn", 159, "-m", "f0.5", "--method", "wald", "--se"]
        assert "0.0162" in run(*juice).stdout
        assert "s.e." in run(*juice, "--format", "latex").stdout
        assert "0.0162" not in run(*juice[:-1]).stdout

    def test_shares_need_n(self, tmp_path: Path) -> None:
        path = tmp_path / "shares.csv"
        path.write_text("2/100,0.02,0.02\n0.05,0.70,0.02\n0,0.02,0.15\n")
        where = ["matrix", path, "--rows", "prediction", "-m", "maF1", "--method", "wald"]
        assert "pass --n" in run(*where, code=2).stderr
        assert "0.562 to 0.817" in run(*where, "--n", 100).stdout
        assert "pass --n" in run("counts", "--tp", 0.4, "--fp", 0.1, "--fn", 0.1, code=2).stderr
        assert as_json("counts", "--tp", 0.4, "--fp", 0.1, "--fn", 0.1, "--n", 100)["about"]["n"] == 60


class TestStudy:
    """Lam et al. (2024), Tables 3 and 4, scenario 1, n = 25, Wald: 0.905 and 0.343."""

    @pytest.mark.parametrize("text", ["0.4,0.1,0.1,0.4", "4/10,1/10,1/10,4/10", "40,10,10,40", "s1:0.4,0.1,0.1,0.4"])
    def test_shares_fractions_counts_and_a_name_are_taken_alike(self, text: str) -> None:
        (row,) = rows_of("study", "f1", "--population", text, "--n", 25, "--method", "wald")
        assert (row["coverage"], row["length"]) == pytest.approx((0.905, 0.343), abs=0.001)
        assert row["population"] == ("s1" if ":" in text else "")

    def test_rows_of_a_matrix_by_option_and_by_file(self, tmp_path: Path) -> None:
        path = tmp_path / "population.csv"
        path.write_text("16/100,4/100\n64/100,16/100\n")  # prediction in rows: fp is 64, fn 4
        typed = ["16,4;64,16", path]
        asked = ["--n", 25, "--method", "wald", "--rows"]
        found = [rows_of("study", "precision", "--population", one, *asked, "prediction") for one in typed]
        assert found[0][0]["truth"] == pytest.approx(found[1][0]["truth"]) == pytest.approx(16 / 80)
        other = rows_of("study", "precision", "--population", path, *asked, "truth")
        assert other[0]["truth"] == pytest.approx(16 / 20)

    def test_samples_left_out_are_said_in_every_form(self) -> None:
        """Takahashi et al. (2022), scenario 2, n = 25: the average is undefined in 16.5% of samples (erratum T6)."""
        asked = ["study", "macro_f1_star", "--population", "64,8,8;3,4,3;3,3,4", "--n", 25, "--method", "wald",
                 "--replicates", 4000]  # fmt: skip
        for form in ("text", "md", "latex", "html"):
            assert "left out" in run(*asked, "--format", form).stdout
        assert rows_of(*asked)[0]["undefined"] == pytest.approx(0.165, abs=0.02)


class TestPapers:
    def test_a_paper_goes_on_from_a_folder(self, tmp_path: Path) -> None:
        asked = ["study", "wang2019", "--replicates", 120, "--checkpoint", tmp_path, "--format", "csv"]
        first = run(*asked).stdout
        assert len(list(tmp_path.iterdir())) == 1
        assert run(*asked, "--jobs", 2).stdout == first
        rows = [line.rsplit(",", 1)[1] for line in first.splitlines()[1:]]
        assert f"{rows.count('open')} are open" in run(*asked[:-1], "text").stdout

    def test_figures_in_other_forms_and_papers_without(self, tmp_path: Path) -> None:
        drawn = tmp_path / "drawn"
        run("study", "jiang2020", "--replicates", 1000, "--figures", drawn, "--figure-format", "pdf", "-q")
        assert [path.name for path in drawn.iterdir()] == ["jiang2020-figure-1.pdf"]
        assert (drawn / "jiang2020-figure-1.pdf").read_bytes().startswith(b"%PDF")
        none = tmp_path / "none"
        said = run("study", "takahashi2022", "--replicates", 50, "--figures", none, "-q").stderr
        assert "have no figures" in said
        assert not none.exists()

    def test_data_that_a_paper_does_not_take(self, tmp_path: Path) -> None:
        assert "needs no data" in run("study", "lam2024", "--data", tmp_path, code=2).stderr
        assert "holds no abalone.csv" in run("study", "yuan2025", "--data", tmp_path, code=2).stderr
        assert "--splits goes with --data" in run("study", "yuan2025", "--splits", 3, code=2).stderr


def test_a_plan_explains_itself() -> None:
    """Jiang (2020), section 2.3: V(0.8) = 0.2050, and 10250 positives from it."""
    text = run("plan", "f0.5", "--se", 0.01, "--explain").stdout
    assert "V(0.8) = 0.20497" in text
    assert "hence 10,249" in text
    assert "divide by it, or give --prevalence" in text
    expected = ["--prevalence", 0.1, "--precision", 0.8, "--recall", 0.7]
    assert "n · variance = 1.2644" in run("plan", "f1", "--half-width", 0.05, *expected, "--explain").stdout
    assert (
        "--explain goes with"
        in run("plan", "accuracy", "--difference", 0.1, "--accuracy", 0.8, "--explain", code=2).stderr
    )


class TestFolds:
    @pytest.fixture
    def tasks(self, tmp_path: Path) -> Path:
        from howsure.studies.papers.wang2019 import COUNTS

        lines = [
            f"{task},{model},{at // 2 + 1},{at % 2 + 1},{tp},{fp},{fn}"
            for (task, model), folds in COUNTS.items() for at, (tp, fp, fn) in enumerate(folds)
        ]  # fmt: skip
        path = tmp_path / "counts.csv"
        path.write_text("\n".join(["task,model,repeat,fold,tp,fp,fn", *lines]))
        return path

    def test_table_2_of_wang_and_li_is_one_command(self, tasks: Path) -> None:
        found = rows_of("bayes", tasks, "--where", "task=NER", "-m", "precision", "-m", "recall", "-m", "f1")
        printed = [(90.59, 91.30, 90.70, 91.41), (87.69, 88.48, 87.78, 88.57), (89.21, 89.77, 89.32, 89.87)]
        for row, ends in zip(found, printed, strict=True):
            ours = [100 * end for end in (*row["interval_a"], *row["interval_b"])]
            assert ours == pytest.approx(ends, abs=0.01)
        assert "interval of a" in run("bayes", tasks, "--where", "task=NER").stdout

    def test_a_posterior_of_folds_takes_what_the_test_takes(self, tasks: Path, tmp_path: Path) -> None:
        where = ["posterior", "--folds", tasks, "--where", "task=NER"]
        wide, exact = rows_of(*where, "--factor", "conservative"), rows_of(*where, "--correlations", 0, 0.5)
        assert wide[0]["low"] == pytest.approx(exact[0]["low"], rel=1e-12)
        assert wide[0]["low"] < rows_of(*where)[0]["low"]
        figure = tmp_path / "laws.svg"
        run(*where, "--plot", figure, "--averaged")
        assert "Wang et al. 2015" in figure.read_text()
        run("bayes", tasks, "--where", "task=NER", "--plot", figure, "--averaged")
        assert "Wang et al. 2015" in figure.read_text()
        assert "--averaged goes with --plot" in run(*where, "--averaged", code=2).stderr
        assert "belong to --folds" in run("posterior", "--tp", 9, "--fp", 1, "--fn", 2, "--factor", 0.5, code=2).stderr
