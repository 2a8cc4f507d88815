"""Draw every figure that the library draws, and the pictures with which the explanations begin.

Run: python scripts/gallery.py [--check]. Writes docs/gallery.md, docs/pictures/gallery/*.svg and
docs/explanation/pictures/*.svg. The calls stand in FIGURES: each is run as it is shown. With --check nothing is
written; the exit code says whether the page follows this file.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np

import howsure as hs
from howsure.reports.figures import picture
from howsure.reports.figures.canvas import draw, save
from howsure.reports.figures.intervals import Bar, bars_forest
from howsure.reports.figures.picture import Axis, Line, Panel, Rule

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
EXAMPLE = Path(hs.__file__).parent / "cli" / "example"

SETUP = """
import howsure as hs

t = hs.read("tumours.csv", truth="truth", pos_label="malignant")  # written by: howsure demo --data .
truth = [int(row % 10 >= 6) for row in range(400)]
s = hs.table(truth, scores={"net": [(row * 37 % 100 + 60 * truth[row]) / 160 for row in range(400)]})
rates = {"arc": (6, 9, 15), "gsm8k": (5, 7, 8), "mmlu": (4, 6, 12), "piqa": (5, 9, 11), "siqa": (6, 8, 20)}
parts = {
    task: hs.table([1] * 120, {f"m{at}": [int(row % rate > 0) for row in range(120)] for at, rate in enumerate(each)})
    for task, each in rates.items()
}
tasks = hs.tasks(parts)
"""

# name, heading, what it shows, the call
FIGURES = (
    ("estimate", "One score", "A score with its interval.",
     'hs.estimate(t, "f1", model="linear").plot()'),
    ("report", "Several models and metrics", "The best first; hollow: not among the best.",
     'hs.report(t, ["f1", "recall", "specificity"]).plot()'),
    ("joint", "Intervals that hold together", "Thin lines: all intervals hold at once.",
     'hs.report(t, ["f1", "recall"]).plot(joint=hs.report(t, ["f1", "recall"], joint=True))'),
    ("methods", "One score by every method", "What the choice of a method changes.",
     'hs.intervals(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1").plot()'),
    ("comparison", "One difference", "Zero is outside: the difference is settled.",
     'hs.compare(t, "f1", a="centroid", b="linear").plot()'),
    ("pairs", "All pairs", "Coloured: settled; grey: not settled.",
     'hs.compare_all(t, "f1").plot()'),
    ("non-inferiority", "A margin", "Shaded: what counts as equal.",
     'hs.compare(t, "f1", a="linear", b="neighbours", margin=0.05).plot()'),
    ("forest", "One difference in each task", "Each task, and all of them together.",
     'hs.forest(tasks, "accuracy", a="m0", b="m1").plot()'),
    ("ranks", "Ranks over tasks", "A bar joins models whose mean ranks are not told apart.",
     'hs.friedman(tasks, "accuracy").plot()'),
    ("gate", "A gate", "Both bounds against the threshold.",
     'hs.gate(t, "f1", model="linear", at_least=0.85).plot()'),
    ("gap", "A gap between slices", "The largest difference between subgroups.",
     'hs.slices(truth, [int(row % 7 > 2) for row in range(400)], by=["Lyon", "Porto"] * 200).gap("f1").plot()'),
    ("matrix", "A confusion matrix", "An interval in every cell.",
     "howsure report tumours.csv --pos-label malignant --pred linear --plot-matrix matrix.svg -q -o table.txt"),
    ("roc", "ROC curve", "The band holds along the whole curve.",
     'hs.curve(s, "roc").plot()'),
    ("precision-recall", "Precision and recall", "The band holds along the whole curve.",
     'hs.curve(s, "precision_recall").plot()'),
    ("threshold", "A metric over thresholds", "The best threshold is marked.",
     'hs.curve(s, "f1").plot()'),
    ("reliability", "Reliability", "On the diagonal a probability can be taken at its word.",
     'hs.calibration(s).plot()'),
    ("decision", "Decision curve", "What acting on the score gains.",
     'hs.curve(s, "decision").plot()'),
    ("risk-coverage", "Risk and coverage", "Errors among the rows that are answered.",
     'hs.curve(s, "risk_coverage").plot()'),
    ("posterior", "A posterior", "Shaded: the credible interval.",
     'hs.posterior(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1").plot(metric="f1")'),
    ("bayes", "A Bayes test", "Two posteriors, and their difference.",
     'hs.bayes_test(hs.folds([(45, 8, 9)] * 6), hs.folds([(48, 7, 7)] * 6), metric="f1").plot()'),
    ("plan", "A plan", "Half-width over the number of rows.",
     'hs.plan("f1", half_width=0.03, prevalence=0.2, precision=0.8, recall=0.7).plot()'),
    ("power", "A plan to compare", "Power over the number of rows.",
     'hs.plan_comparison("f1", difference=0.03, prevalence=0.3, precision=0.8, recall=0.7, agreement=0.9).plot()'),
    ("coverage", "Coverage of methods", "How often a 95 % interval holds the truth.",
     'hs.study("f1", ["wald", "wilson", "mid-p"], dict(tp=0.4, fp=0.1, fn=0.1, tn=0.4), n=[10, 20, 50]).plot()'),
)  # fmt: skip


# --- the gallery -------------------------------------------------------------------------------------------------


def gallery_page() -> str:
    """Return the page of all figures, each with its call."""
    parts = [
        "# Gallery", "",
        "Every figure that the library draws, each with the call beneath it. Written by `make pictures`; the extra",
        "`figures` is needed. A figure shows itself in a notebook, and `ax=` draws it on your own axes. On the command",
        "line `--plot FILE` saves it.", "",
        "All calls go on from these lines:", "", f"```python{SETUP}```", "",
    ]  # fmt: skip
    for name, heading, said, call in FIGURES:
        parts += [f"## {heading}", "", f"![{said}](pictures/gallery/{name}.svg)", "", said, ""]
        parts += ["```console", f"$ {call}", "```", ""] if in_shell(call) else ["```python", call, "```", ""]
    return "\n".join(parts)


def in_shell(call: str) -> bool:
    """Say whether a call is a command of the shell."""
    return call.startswith("howsure ")


def draw_gallery() -> Iterator[Path]:
    """Run each call in the current folder and save what it draws."""
    names: dict[str, Any] = {}
    exec(SETUP, names)
    for name, _, _, call in FIGURES:
        path = DOCS / "pictures" / "gallery" / f"{name}.svg"
        if in_shell(call):
            subprocess.run([sys.executable, "-m", *shlex.split(call)], check=True, stdout=subprocess.DEVNULL)
            yield Path(shutil.copy(f"{name}.svg", path))
        else:
            yield save(eval(call, names), path)


# --- the explanations --------------------------------------------------------------------------------------------


def influence() -> Any:
    """How one more row of each kind moves F1."""
    counts = {"tp": 77, "fp": 44, "fn": 10, "tn": 702}
    value = hs.estimate(hs.counts(**counts), "f1")
    kinds = {"tp": "true positive", "fp": "false positive", "fn": "false negative", "tn": "true negative"}
    moved = {name: hs.estimate(hs.counts(**counts | {name: counts[name] + 1}), "f1") - value for name in kinds}
    bars = [Bar(kinds[name], move, min(move, 0.0), max(move, 0.0)) for name, move in moved.items()]
    return draw(bars_forest(bars, against=0.0, label="what one more row does to F1 = 0.740"))


def many_samples() -> Any:
    """Intervals of 40 test sets from one source whose F1 is 0.8."""
    tables = np.random.default_rng(0).multinomial(100, [0.24, 0.06, 0.06, 0.64], size=40)
    found = hs.batch_intervals("f1", tp=tables[:, 0], fp=tables[:, 1], fn=tables[:, 2], tn=tables[:, 3])
    marks: list[Any] = [Rule(0.8, colour=picture.GREY, dash="--", width=1)]
    for at, (low, high) in enumerate(zip(found.low, found.high, strict=True)):
        held = low <= 0.8 <= high
        colour = picture.BLUE if held else picture.ORANGE
        marks += [Line((low, high), (at, at), colour=colour, width=2.4),
                  picture.dots((float(found.value[at]),), (at,), size=4, colour=colour)]  # fmt: skip
    panel = Panel(Axis(0.55, 1, "F1"), Axis(40, -1, "40 test sets of 100 rows", ticks=()), marks, size=(6.4, 4.6))
    return draw(panel)


def pairing() -> Any:
    """The same difference, paired and as if on different rows."""
    rng = np.random.default_rng(0)
    truth = (rng.random(500) < 0.3).astype(int)
    common = np.where(rng.random(500) < 0.15, 1 - truth, truth)
    old = np.where(rng.random(500) < 0.05, 1 - common, common)
    new = np.where(rng.random(500) < 0.01, 1 - common, common)
    made = hs.compare(hs.table(truth, {"old": old, "new": new}), "f1", a="old", b="new")
    apart = made.unpaired
    assert apart is not None
    bars = [Bar("on the same rows", made.difference, made.low, made.high),
            Bar("as if on different rows", made.difference, *apart, colour=picture.PALE)]  # fmt: skip
    return draw(bars_forest(bars, against=0.0, label="difference in F1, new − old"))


def clusters() -> Any:
    """The same rows with and without the patient named."""
    truth, test = [1, 1, 0, 0, 1, 0] * 30, [1, 1, 0, 0, 0, 1] * 30
    grouped = hs.table(truth, test, groups=[patient for patient in range(60) for _ in range(3)])
    made = {"60 patients, 3 rows each": grouped, "180 rows, taken as independent": grouped.without_groups()}
    found = {name: hs.estimate(one, "accuracy") for name, one in made.items()}
    bars = [Bar(name, one.value, one.low, one.high, colour=picture.PALE if at else picture.BLUE)
            for at, (name, one) in enumerate(found.items())]  # fmt: skip
    return draw(bars_forest(bars, label="accuracy"))


def families() -> Any:
    """The chance that some interval misses, over their number."""
    sizes = np.arange(1, 46)
    marks = [Line(sizes, 1 - 0.95**sizes, name="single", label="single 95 % intervals", colour=picture.GREY, dash="--"),
             Line(sizes, np.full(45, 0.05), name="joint", label="intervals that hold together")]  # fmt: skip
    up = Axis(0, 1, "chance that one or more miss")
    return draw(Panel(Axis(1, 45, "intervals (independent)"), up, marks, legend=True, size=(6.4, 3.6)))


def priors() -> Any:
    """A posterior with its credible interval."""
    return hs.posterior(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1").plot(metric="f1")


def undefined() -> Any:
    """Scores where nothing was predicted positive."""
    return hs.report(hs.counts(tp=0, fp=0, fn=8, tn=92), ["precision", "recall", "f1"]).plot()


def averages() -> Any:
    """Four averages of one matrix."""
    t = hs.matrix([[8, 2, 0], [30, 60, 10], [0, 5, 5]], rows="truth", labels=["a", "b", "c"])
    return hs.report(t, ["micro_f1", "macro_f1", "macro_f1_star", "weighted_f1"]).plot()


def exact() -> Any:
    """Coverage of three methods over n."""
    population = {"prevalence": 0.3, "precision": 0.8, "recall": 0.8}
    return hs.study("f1", ["wald", "wilson", "clopper-pearson"], population, n=[10, 20, 30, 50, 80]).plot()


def changed() -> Any:
    """A perfect score by the old default and by the new one."""
    t = hs.counts(tp=20, fp=0, fn=0, tn=30)
    made = [(hs.estimate(t, name, method=method), f"{name}, {said}") for name in ("recall", "specificity")
            for method, said in (("wilson", "0.1.0"), (None, "0.2.0"))]  # fmt: skip
    return draw(bars_forest([Bar(name, one.value, one.low, one.high) for one, name in made], label="score of 1.000"))


def ranked() -> Any:
    """Coverage of AUC over n, where few negatives have the tail that overlaps."""
    population = {"auc": 0.97, "prevalence": 0.8, "shape": "exponential"}
    return hs.study("auc", ["wald", "logit", "mid-p"], population, n=[30, 60, 120, 250, 500], replicates=4000).plot()


def judged() -> Any:
    """One score three ways: people with a judge, people alone, the judge alone."""
    labelled = [(1, 1, 1)] * 17 + [(1, 1, 0)] * 2 + [(1, 0, 1)] * 3 + [(1, 0, 0)] + [(0, 1, 1)] + [(0, 1, 0)] * 3
    labelled += [(0, 0, 1)] * 2 + [(0, 0, 0)] * 31
    others = [(1, 1)] * 160 + [(1, 0)] * 58 + [(0, 1)] * 54 + [(0, 0)] * 268
    people = [row[0] for row in labelled] + [None] * len(others)
    model, judge = ([row[at] for row in labelled] + [row[at - 1] for row in others] for at in (1, 2))
    made = hs.estimate(hs.table(people, model, judge=judge), "f1")
    human, alone = made.human, made.judge_only
    assert human is not None
    assert alone is not None
    bars = [Bar("people and the judge", made.value, made.low, made.high),
            Bar("people alone", human.value, human.low, human.high, colour=picture.GREY),
            Bar("the judge alone", *[alone.value] * 3, colour=picture.PALE)]  # fmt: skip
    return draw(bars_forest(bars, label="F1"))


def annotators() -> Any:
    """What people score against each other, and a model against the same, the people fixed or a sample."""
    true = [int(k * 7 % 10 < 3) for k in range(120)]

    def seen(step: int, errors: int) -> list[int]:
        return [1 - label if k * step % 120 < errors else label for k, label in enumerate(true)]

    people = {"ann": seen(7, 9), "bob": seen(11, 12), "eva": seen(13, 15)}
    bars = []
    for choice, said, colour in (
        ("fixed", "these people", picture.BLUE),
        ("random", "people like these", picture.PALE),
    ):
        t = hs.table(people, {"a model": seen(17, 16)}, consensus="others", annotators=choice)
        for one, who in zip(hs.report(t, "f1"), ("a person", "a model"), strict=True):
            bars.append(Bar(f"{who}, {said}", one.value, one.low, one.high, colour=colour))
    return draw(bars_forest(bars, label="F1 against the others"))


EXPLAINED: dict[str, Callable[[], Any]] = {
    "one-rule": influence, "what-it-covers": many_samples, "pairing": pairing, "clusters-and-weights": clusters,
    "many-comparisons": families, "bayes-or-not": priors, "undefined": undefined, "averages": averages,
    "exact-coverage": exact, "changed-numbers": changed, "judges": judged,
    "hidden-truth": annotators, "scores": ranked,
}  # fmt: skip


def main() -> None:
    """Write the page and draw the figures, or check the page."""
    page = DOCS / "gallery.md"
    if "--check" in sys.argv:
        if page.read_text(encoding="utf-8") != gallery_page():
            raise SystemExit("docs/gallery.md is out of date; run python scripts/gallery.py")
        return
    page.write_text(gallery_page(), encoding="utf-8")
    for folder in (DOCS / "pictures" / "gallery", DOCS / "explanation" / "pictures"):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for path in EXAMPLE.glob("*.csv"):
            shutil.copy(path, folder)
        for drawn in draw_gallery():
            print(drawn.relative_to(ROOT))
    for name, made in EXPLAINED.items():
        print(save(made(), DOCS / "explanation" / "pictures" / f"{name}.svg").relative_to(ROOT))


if __name__ == "__main__":
    main()
