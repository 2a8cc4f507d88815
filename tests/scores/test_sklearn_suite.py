"""scikit-learn's own tests of its metrics, from the installed wheel, with our functions in the place of its own.

Counted are the tests that pass with scikit-learn's functions and call one that we have too. Whatever is not listed in
ACCEPTED must pass. That an error is raised is compared, its words are not: ours say more.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sklearn
import sklearn.metrics

TESTS = Path(sklearn.metrics.__file__).parent / "tests"
HERE = Path(__file__).parents[1]
REPORT = "compares the text of a report with scikit-learn's; ours has the intervals in it"
WORDS = "compares the words of warnings"
AVERAGES = "an average of AUC or average precision over label sets, or weighted over classes; refused"
# Part of a test's name: why it may fail.
ACCEPTED = {
    "test_raise_value_error_multilabel_sequences": "a list of label sets, which scikit-learn refuses, is accepted",
    r"test_classification_report_multiclass(_balanced|_with_\w+)?$": REPORT,
    "test_multilabel_classification_report$": REPORT,
    "test_classification_report_zero_division_warning": WORDS,
    r"test_(prf|recall|precision|fscore)_warnings": WORDS,
    "test_precision_recall_f1_score_binary_averaged$": "compares the last bit of a mean with that of numpy's",
    "test_confusion_matrix_dtype$": "wants whole-number weights to overflow; ours are summed as floats",
}
# The same for the scores of probabilities and ranks.
ACCEPTED_OF_SCORES = {
    r"\[(weighted|micro|samples)_\w*(roc_auc|average_precision_score)": AVERAGES,
    r"test_averaging_multilabel\[(average_precision_score|partial_roc_auc|roc_auc_score)\]": AVERAGES,
    r"test_(multilabel_sample_weight|continuous_multilabel_multioutput_permutations)_invariance"
    r"\[(average_precision|brier|\w*roc_auc|\w*log_loss)": AVERAGES,
    "test_sample_order_invariance_multilabel_and_multioutput": AVERAGES,
    r"test_(average_precision_score_(duplicate|tied)_values\[y_true0-y_score0\]$|"
    r"(multiclass_sample_weight|continuous_metric_permutation)_invariance\[average_precision)": "of three; refused",
    r"top_k_accuracy_score": "one score for two classes; refused, a score for each class is asked for",
    r"test_(log_loss|brier_score_loss)_(\w*warning\w*|y_pred_deprecation|invalid_inputs)": "probabilities that do not "
    "sum to 1 are refused, where scikit-learn warns; the old name y_pred is taken without a warning",
    r"test_brier_score_loss_binary$": "truth as a matrix of 0 and 1; refused",
    r"test_format_invariance_with_1d_vectors\[ov[ro]_roc_auc\]": "a single row: refused, where scikit-learn warns",
}
LABELS = ("accuracy_score", "balanced_accuracy_score", "classification_report", "cohen_kappa_score", "f1_score",
          "fbeta_score", "jaccard_score", "matthews_corrcoef", "precision_score", "recall_score")  # fmt: skip


def run(whose: str, out: Path, *arguments: str) -> dict[str, tuple[str, list[str], str]]:
    """Return outcome, called functions and last line of each test, run apart with scikit-learn's or our functions."""
    here = dict(os.environ, HOWSURE_SUITE=whose, HOWSURE_SUITE_OUT=str(out), OPENBLAS_NUM_THREADS="1")
    here["PYTHONPATH"] = os.pathsep.join([str(HERE), *sys.path])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    command += ["-p", "support.sklearn_suite", "-c", os.devnull, f"--rootdir={TESTS}", "--tb=line", *arguments]
    made = subprocess.run(command, env=here, cwd=out.parent, capture_output=True, text=True, check=False)
    assert out.exists(), made.stdout[-3000:] + made.stderr[-3000:]
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def accepted(name: str) -> bool:
    test = name.partition("::")[2]
    return any(matches(pattern, test) for pattern in (*ACCEPTED, *ACCEPTED_OF_SCORES))


def matches(pattern: str, test: str) -> bool:
    """Return whether a pattern names a test, whatever its parameters unless the pattern names them too."""
    return bool(re.search(pattern, test.partition("[")[0]) or re.search(pattern, test))


def test_a_part_of_their_tests_passes(tmp_path: Path) -> None:
    """Scores of one class, kappa and likelihood ratios: the quick part."""
    chosen = "(jaccard or kappa or precision or likelihood or zero_division) and not array_api"
    found = run("ours", tmp_path / "ours.json", str(TESTS / "test_classification.py"), "-k", chosen)
    used = {name: outcome for name, (outcome, called, _) in found.items() if called}
    assert len(used) > 60
    assert [name for name, outcome in used.items() if outcome != "passed" and not accepted(name)] == []


@pytest.mark.slow
def test_their_tests_pass(tmp_path: Path) -> None:
    files = [str(TESTS / name) for name in ("test_classification.py", "test_common.py")]
    more = ("-k", "not array_api")
    theirs = run("theirs", tmp_path / "theirs.json", *files, *more)
    ours = run("ours", tmp_path / "ours.json", *files, *more)
    counted = [name for name, (outcome, called, _) in theirs.items() if outcome == "passed" and called]
    failed = {name: ours.get(name, ("missing", [], ""))[2] for name in counted if ours[name][0] != "passed"}
    assert {name: said for name, said in failed.items() if not accepted(name)} == {}
    of_labels = [name for name in counted if set(LABELS) & set(theirs[name][1]) and not accepted(name)]
    assert len(of_labels) >= 970, "fewer tests of the ten functions of labels than there were"
    assert len(failed) <= 152, "an accepted difference has spread"
    listed = {pattern: any(matches(pattern, name.partition("::")[2]) for name in failed)
              for pattern in (*ACCEPTED, *ACCEPTED_OF_SCORES)}  # fmt: skip
    assert all(listed.values()), f"no longer a difference: {[name for name, seen in listed.items() if not seen]}"
    (tmp_path / "number.txt").write_text(f"{len(of_labels)} of labels, {len(counted) - len(failed)} of {len(counted)}")
