"""Threads, processes and Ctrl-C: the same answers, and nothing left behind."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from hard_use.catalogue import theme

RUNNING = theme("Running")
METHODS = ("wilson", "beta", "bootstrap", "profile")


def answer(seed: int) -> list[tuple[float, float]]:
    """Return intervals of a table that the seed decides, a random method among them."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, 200)
    table = hs.table(truth, np.where(random.random(200) < 0.8, truth, 1 - truth))
    return [(found.low, found.high) for found in (hs.estimate(table, "f1", method=method) for method in METHODS)]


@RUNNING.case("many threads at once", "the same answers as one after the other")
def threads(folder: Path) -> None:
    expected = [answer(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(answer, range(8))) == expected


@RUNNING.case("many processes, made anew", "the same answers as in one", slow=True)
def spawned(folder: Path) -> None:
    expected = [answer(seed) for seed in range(4)]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(answer, range(4))) == expected


@RUNNING.case("many processes, forked", "the same answers as in one")
def forked(folder: Path) -> None:
    code = (
        "import multiprocessing, howsure as hs\n"
        "table = hs.counts(tp=77, fp=44, fn=10, tn=702)\n"
        "def one(method):\n"
        "    found = hs.estimate(table, 'f1', method=method)\n"
        "    return found.low, found.high\n"
        f"methods = {METHODS!r}\n"
        "here = [one(method) for method in methods]\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    assert pool.map(one, methods) == here\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


@RUNNING.case("threads that update one Counter", "no row is lost")
def counting_threads(folder: Path) -> None:
    counter = hs.Counter([0, 1])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: counter.update([0, 1, 1], [0, 1, 0]), range(200)))
    assert counter.table.matrix().tolist() == [[200, 0], [200, 200]]


STUDY = """
import sys, howsure as hs
rows = hs.study("f1", ["wald", "wilson"], dict(tp=.4, fp=.1, fn=.1, tn=.4), n=[20, 30, 40, 50, 60], exact=False,
                replicates=40_000, checkpoint=sys.argv[1], seed=3,
                progress=lambda done, whole: print(done, whole, file=sys.stderr, flush=True))
print([row.coverage for row in rows])
"""


def _study(folder: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", STUDY, str(folder)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@RUNNING.case("Ctrl-C in a long study", "it ends; started again, it goes on where it stopped, to the same numbers")
def interrupted(folder: Path) -> None:
    with _study(folder / "kept") as running:
        assert running.stderr is not None
        done, whole = map(int, running.stderr.readline().split())
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=120)
    assert running.returncode != 0
    with _study(folder / "kept") as again, _study(folder / "fresh") as fresh:
        (numbers, told), (expected, _) = again.communicate(timeout=300), fresh.communicate(timeout=300)
    assert numbers == expected != ""
    assert len(told.splitlines()) <= whole - done


def _results() -> list[Any]:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 60)
    guesses = {name: np.where(random.random(60) < share, truth, 1 - truth) for name, share in (("a", 0.9), ("b", 0.7))}
    table = hs.table(truth, guesses)
    six = [(9, 1, 2), (8, 2, 3), (9, 2, 2), (8, 1, 3), (9, 1, 3), (8, 2, 2)]
    folds = hs.folds(six), hs.folds(six[::-1])
    alone = table.pick("a")
    return [
        table,
        hs.estimate(alone, "f1"),
        hs.report(table),
        hs.report(table, joint=True),
        hs.compare(table, "f1", a="a", b="b"),
        hs.compare_all(table, "f1"),
        hs.gate(alone, "f1", at_least=0.5),
        hs.plan("f1", half_width=0.05, prevalence=0.3),
        hs.plan("f1", half_width=0.05, prevalence=0.3, precision=0.8, recall=0.7, cost=2.0, budget=400.0),
        hs.plan_comparison("accuracy", difference=0.05, power=0.8, accuracy=0.8, agreement=0.85),
        folds[0],
        hs.bayes_test(*folds, metric="f1"),
        hs.posterior(alone, "f1"),
        hs.posterior(alone, "mcc"),
        hs.critical_value(np.eye(3)),
        hs.study("precision", ["wilson"], {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}, n=25),
        hs.Counter([0, 1]),
    ]


@RUNNING.case("every result pickled or copied deep", "comes back the same, and prints the same")
def pickled(folder: Path) -> None:
    for result in _results():
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert type(again) is type(result)
            assert repr(again) == repr(result)
            assert str(again) == str(result)


@RUNNING.case("an estimate as a key of a dictionary", "equal estimates are equal, hash alike, and cannot be changed")
def hashed(folder: Path) -> None:
    table = hs.counts(tp=77, fp=44, fn=10, tn=702)
    first, again, other = (hs.estimate(table, name) for name in ("f1", "f1", "recall"))
    assert first == again
    assert first.same(again)
    assert hash(first) == hash(again)
    assert first != other
    assert {first: 1}[again] == 1
    for name in ("value", "low", "method", "anything_new"):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(first, name, 0.9)
    assert first == again
    assert first.same(again)
