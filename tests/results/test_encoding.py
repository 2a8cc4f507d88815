"""Results print on any standard output: cp1252, cp437, latin-1 and ascii fall back to plainer marks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import sys
import howsure as hs
table = hs.table([1, 0, 1, 1, 0] * 9, {"naïve": [1, 0, 0, 1, 0] * 9, "β": [1, 1, 1, 1, 0] * 9})
one = hs.counts(tp=77, fp=44, fn=10, tn=702)
folds = hs.folds([(20, 5, 5)] * 6)
made = (
    hs.estimate(one, "f1"), hs.estimate(one, "mcc"), hs.estimate(one, "odds_ratio"), hs.report(table),
    hs.report(table, joint=True), hs.compare(table, "f1"), hs.compare(table, "f1", kind="ratio"),
    hs.compare_all(table, "f1"), hs.gate(one, "f1", at_least=0.7), hs.posterior(one, "f1"), hs.confusion(one),
    hs.plan("f1", half_width=0.05, prevalence=0.2), hs.cochran_q(table), hs.no_information(one),
    hs.bayes_test(folds, folds), hs.study("f1", "wilson", dict(tp=.4, fp=.1, fn=.1, tn=.4), n=10),
    hs.slices([1, 0] * 9, [1, 1] * 9, by=["a", "ß", "c"] * 6).gap("accuracy"),
    hs.estimate(hs.counts(tp=0, fp=0, fn=0), "f1"),
    hs.critical_value([[1.0]]), table, folds,
)
for encoding in sys.argv[1:]:
    sys.stdout.reconfigure(encoding=encoding)
    for one in made:
        print(one)
        print(repr(one))
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\\0")
"""
ENCODINGS = ("ascii", "cp1252", "cp437", "latin-1", "utf-8")


@pytest.fixture(scope="module")
def printed() -> dict[str, bytes]:
    """What a process prints, whose standard output has one encoding after the other; the first from its start."""
    here = dict(os.environ, PYTHONIOENCODING=ENCODINGS[0], PYTHONUTF8="0")
    done = subprocess.run([sys.executable, "-c", CODE, *ENCODINGS], env=here, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-2000:]
    return dict(zip(ENCODINGS, done.stdout.split(b"\0")[:-1], strict=True))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_result_prints(printed: dict[str, bytes], encoding: str) -> None:
    text = printed[encoding].decode(encoding)
    assert "F1 = 0.740" in text
    assert ("−" in text) == (encoding == "utf-8")
    assert "-" in text
