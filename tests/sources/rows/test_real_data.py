"""The doors on published data: each number by another way, or as those who made the data printed it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, roc_auc_score

import howsure as hs
from howsure.web.questions.uploads import upload
from support.command_line import as_json, run


@pytest.fixture(scope="module")
def ecg(shared_data: Path) -> pd.DataFrame:
    return pd.read_csv(shared_data / "ecg-abnormalities" / "annotations.csv")


def values_of(rows: list[dict[str, Any]]) -> dict[tuple[str, str], float]:
    return {(row["model"], row["metric"]): row["value"] for row in rows}


class TestElectrocardiograms:
    """Six abnormalities in columns of 0 and 1, of a network and of doctors."""

    def test_columns_from_the_command_line(self, ecg: pd.DataFrame, shared_data: Path) -> None:
        path = shared_data / "ecg-abnormalities" / "annotations.csv"
        who = ("dnn", "cardiology_residents", "medical_students")
        asked = [word for one in who for word in ("--pred", f"*_{one}")]
        labels = [name.removesuffix("_gold") for name in ecg.columns if name.endswith("_gold")]
        found = values_of(as_json("report", path, "--truth", "*_gold", *asked)["rows"])
        for one in who:
            truth, guess = (ecg[[f"{label}_{kind}" for label in labels]].to_numpy() for kind in ("gold", one))
            for average in ("micro", "macro", "weighted"):
                expected = f1_score(truth, guess, average=average)
                assert found[one, f"{average}_f1"] == pytest.approx(expected, abs=1e-12)

    def test_one_cell_is_the_same(self, ecg: pd.DataFrame, shared_data: Path, tmp_path: Path) -> None:
        labels = [name.removesuffix("_gold") for name in ecg.columns if name.endswith("_gold")]
        cells = {
            who: [";".join(label for label in labels if row[f"{label}_{who}"]) for _, row in ecg.iterrows()]
            for who in ("gold", "dnn", "medical_students")
        }
        pd.DataFrame(cells).to_csv(tmp_path / "cells.csv", index=False)
        shared = ["--pred", "dnn", "--pred", "medical_students", "-m", "macro_f1"]
        joined = as_json("compare", tmp_path / "cells.csv", "--truth", "gold", "--separator", ";", *shared)
        path = shared_data / "ecg-abnormalities" / "annotations.csv"
        columns = as_json(
            "compare", path, "--truth", "*_gold", "--pred", "*_dnn", "--pred", "*_medical_students", "-m", "macro_f1"
        )
        assert (joined["low"], joined["high"], joined["p_value"]) == pytest.approx(
            (columns["low"], columns["high"], columns["p_value"]), rel=1e-9
        )

    def test_an_upload(self, ecg: pd.DataFrame, shared_data: Path) -> None:
        content = (shared_data / "ecg-abnormalities" / "annotations.csv").read_bytes()
        made = upload(content, "ecg.csv", {"truth": "*_gold", "predictions": "*_dnn,*_medical_students"})
        assert made["about"]["models"] == ["dnn", "medical_students"]
        assert made["about"]["rows"] == len(ecg)


@pytest.fixture(scope="module")
def wide(shared_data: Path) -> pd.DataFrame:
    return pd.read_csv(shared_data / "mmlu-pro-models" / "predictions.csv", keep_default_na=False)


@pytest.fixture(scope="module")
def long(wide: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    models = ["phi3_mini", "llama31_8b_instruct"]
    rows = wide.melt(["question", "category", "answer"], models, "model", "said")
    path = tmp_path_factory.mktemp("mmlu") / "long.csv"
    rows.assign(right=(rows["said"] == rows["answer"]).astype(int)).to_csv(path, index=False)
    return path


class TestQuestions:
    """MMLU-Pro: eight models' answers to 12 032 questions, made into a long table and into values."""

    def test_the_long_table_is_the_wide_one(self, wide: pd.DataFrame, long: Path) -> None:
        found = as_json("compare", long, "--model-column", "model", "--id", "question", "--correct", "right")
        shares = [(wide[name] == wide["answer"]).mean() for name in ("phi3_mini", "llama31_8b_instruct")]
        assert (found["value_a"], found["value_b"]) == pytest.approx(tuple(shares), abs=1e-12)
        answers = {name: wide[name].tolist() for name in ("phi3_mini", "llama31_8b_instruct")}
        direct = hs.compare(hs.table(wide["answer"].tolist(), answers), "accuracy")
        assert (found["low"], found["high"]) == pytest.approx((direct.low, direct.high), rel=1e-6)

    def test_values_of_right_and_wrong_are_shares(self, long: Path) -> None:
        asked: dict[str, Any] = {"model": "model", "id": "question"}
        values = hs.compare(hs.read(long, value="right", range=(0, 1), **asked), "mean", method="wald")
        answers = hs.compare(hs.read(long, correct="right", **asked), "accuracy", method="wald")
        assert (values.low, values.high) == pytest.approx((answers.low, answers.high), rel=1e-9)

    def test_slices_by_category(self, wide: pd.DataFrame, long: Path) -> None:
        parts = hs.read_slices(long, by="category", model="model", id="question", correct="right")
        assert {name: part.n for name, part in parts.items()} == wide["category"].value_counts().to_dict()

    def test_two_halves_as_two_test_sets(self, wide: pd.DataFrame, tmp_path: Path) -> None:
        files = [tmp_path / "first.csv", tmp_path / "second.csv"]
        parts = [wide.iloc[: len(wide) // 2], wide.iloc[len(wide) // 2 :]]
        for part, file in zip(parts, files, strict=True):
            part.to_csv(file, index=False)
        found = as_json(
            "compare", *files, "--unpaired", "--truth", "answer", "--pred", "phi3_mini", "--abstain", "none"
        )
        shares = [(part["phi3_mini"] == part["answer"]).mean() for part in parts]
        assert found["difference"] == pytest.approx(shares[1] - shares[0], abs=1e-12)
        assert found["n"] == len(wide)


class TestEntities:
    """CoNLL-2003 by two taggers and HIPE-2022 by five systems, with the counts of those who published them."""

    def test_counts_of_each_sentence_are_the_chunks(self, shared_data: Path, tmp_path: Path) -> None:
        folder = shared_data / "conll2003-ner-tags"
        found = values_of(as_json("counts", folder / "sentence_counts.csv", "--unit", "sentence")["rows"])
        files = []
        with (folder / "tags.tsv").open() as source:
            rows = list(csv.DictReader(source, delimiter="\t"))
        for model in ("elmo", "flair"):
            lines, last = [], rows[0]["sentence"]
            for row in rows:
                lines += [""] * (row["sentence"] != last) + [f"{row['token']} {row['gold']} {row[f'{model}_lstm_crf']}"]
                last = row["sentence"]
            files.append(tmp_path / f"{model}.conll")
            files[-1].write_text("\n".join(lines) + "\n")
        printed = run("spans", *files, "--scheme", "IOB2", "-m", "f1").stdout
        assert "flair is better than elmo" in " ".join(printed.split())
        table = hs.read(files, scheme="IOB2")
        for model in ("elmo", "flair"):
            for metric in ("precision", "recall", "f1"):
                assert hs.estimate(table, metric, model=model).value == pytest.approx(found[model, metric], abs=1e-12)
        sums, spans = (hs.compare(t, "f1", method="wald") for t in (
            hs.read(folder / "sentence_counts.csv", unit="sentence", sums=["tp", "fp", "fn"]), table))  # fmt: skip
        assert sums.se == pytest.approx(spans.se, rel=1e-9)

    def test_matches_by_type_beside_the_official_fuzzy_scores(self, shared_data: Path) -> None:
        """HIPE's fuzzy score lets a guess match any overlapping entity of its type, not only one that is free."""
        folder = shared_data / "hipe2022-ajmc"
        tags = pd.read_csv(folder / "tags-en.tsv", sep="\t", keep_default_na=False)
        official = pd.read_csv(folder / "official-counts-en.csv")
        system = "neurbsl_run1"
        gold, guess = ([part.tolist() for _, part in tags.groupby("document", sort=False)[name]]
                       for name in ("gold", system))  # fmt: skip
        fuzzy = official[(official["system"] == system) & (official["matching"] == "fuzzy")].iloc[0]
        made = {match: hs.spans(gold, {system: guess}, match=match, outside=("O", "_")) for match in ("exact", "type")}
        values = {match: hs.estimate(table, "f1").value for match, table in made.items()}
        assert values["exact"] == pytest.approx(0.736, abs=5e-4)
        assert values["type"] == pytest.approx(fuzzy["f1"], abs=0.01)


def test_shares_of_raters_as_values(shared_data: Path) -> None:
    """DICES-350: the share of raters who found a conversation unsafe; its mean with Wilson's limits in 0 to 1."""
    rows = pd.read_csv(shared_data / "judge-dices350" / "ratings.csv")
    share = rows["crowd_yes"] / (rows["crowd_yes"] + rows["crowd_no"] + rows["crowd_unsure"])
    found = hs.estimate(hs.table(values=share, range=(0, 1)), "mean")
    assert found.value == pytest.approx(share.mean(), abs=1e-12)
    assert found.se == pytest.approx(share.std(ddof=0) / np.sqrt(len(rows)), rel=1e-9)
    pooled = hs.sums({"yes": rows["crowd_yes"], "all": rows[["crowd_yes", "crowd_no", "crowd_unsure"]].sum(axis=1)},
                     range=(0, 1))  # fmt: skip
    assert hs.estimate(pooled, "yes/all").value == pytest.approx(rows["crowd_yes"].sum() / (123 * len(rows)), abs=1e-3)


def test_scores_through_the_calculator(shared_data: Path) -> None:
    path = shared_data / "scores-cancer" / "scores.csv"
    rows = pd.read_csv(path)
    made = upload(path.read_bytes(), "scores.csv", {"truth": "malignant", "scores": "logistic,forest"})["answers"][1]
    for row in made["rows"]:
        if row["metric"] == "auc":
            assert row["value"] == pytest.approx(roc_auc_score(rows["malignant"], rows[row["model"]]), abs=1e-12)
