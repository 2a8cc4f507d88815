"""The reference pages of the comparison methods: a page and a picture each, from the catalogue, texts and a study."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from coverage_figure import Axis, Line, coverage_figure
from reference_methods import OTHER, OWN, sentence, texts_for

from howsure.comparisons.catalogue import PAIR_METHODS, PairMethod

HERE = Path(__file__).resolve().parent
COVERAGE = HERE.parent / "docs" / "reference" / "comparisons" / "coverage.json"
PANELS = {"accuracy": "accuracy, interval", "equal": "accuracy, test of equal models", "f1": "F1, interval",
          "precision": "precision, test of equal models"}  # fmt: skip
AXIS = Axis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), scale=lambda value: value, name="x: agreement")
SETUP = """import howsure as hs

truth = [1] * 60 + [0] * 140
old = [1] * 42 + [0] * 18 + [1] * 20 + [0] * 120
new = [1] * 50 + [0] * 10 + [1] * 16 + [0] * 124
t = hs.table(truth, {"old": old, "new": new})
"""

INDEX = """# Comparison methods

Made from the catalogue. `hs.compare(t, metric, a=…, b=…, method=…)` and `howsure compare --method …` take these names;
`hs.compare_all` takes `mover`, `wald`, `crossed` and `t`. All use that both models saw the same rows. Each has a page
with its formula, its coverage and its source.

| method | what it is | do not use it when |
|---|---|---|
ROWS

An interval method of one model is no comparison method: `single=` names the one whose limits `mover` joins (by default
the metric's own default).

```python
SETUPfor method in ("mover", "wald", "tango", "mcnemar", "mid-p", "bayes"):
    print(repr(hs.compare(t, "recall", a="old", b="new", method=method)))
```

```text
OUTPUT
```

## Which metrics

`tango`, `mcnemar` and `mid-p` count the rows that only one model gets right, so they serve metrics whose rows do not
depend on the predictions: accuracy, recall, specificity. Precision, F1 and the averages take `mover`, `wald`,
`bootstrap` or `bayes`. `bayes` needs independent rows with one label each.
"""

SETTING = (
    "Two models on the same n rows; the axis is how much they agree: on that share of the rows both answer from the "
    "same random number, on the others independently."
)
QUESTIONS = {
    "accuracy": "*Accuracy, interval*: models right in 80 % and 85 % of rows, how often the 95 % interval holds the "
    "difference of 0.05.",
    "equal": "*Accuracy, test of equal models*: both right in 80 %, how often the p-value of no difference stays above "
    "0.05, as it should in 95 %.",
    "precision": "*Precision, test of equal models*: 30 % positives, both with true positive rate 0.80 and false "
    "positive rate 0.10, how often the p-value stays above 0.05; samples without a positive call are left out.",
    "f1": "*F1, interval*: 30 % positives, true positive rates 0.80 and 0.75, false positive rates 0.10 and 0.08, how "
    "often the 95 % interval holds the difference; samples in which F1 is undefined are left out.",
}
READING = (
    "A sample without limits is a miss. Lines end at 0.80: what runs along the bottom is lower. Numbers with ± are "
    "simulated, ± the largest standard error over the axis; the others are exact, by enumeration of all tables but the "
    "unlikeliest, which have less than 0.0001 together and count as missed."
)
DRAWN = " `bootstrap` was run with 999 resamples, `bayes` for F1 with 2000 draws."


@cache
def texts() -> dict[str, dict[str, Any]]:
    """Return the texts of the comparison methods."""
    return texts_for({entry.name for entry in PAIR_METHODS}, "pair_texts.toml")


@cache
def studied() -> list[dict[str, Any]]:
    """Return the series that scripts/pair_coverage.py has written."""
    found: list[dict[str, Any]] = json.loads(COVERAGE.read_text(encoding="utf-8"))
    return found


TESTED = ("equal", "precision")  # questions about a p-value


def _series(question: str, method: str) -> list[dict[str, Any]]:
    return [one for one in studied() if (one["question"], one["method"]) == (question, method)]


def picture(entry: PairMethod) -> str:
    """Return the picture of a method's coverage: a panel per question and n, its rival in grey."""
    own = texts()[entry.name]
    lines = [
        Line(f"n = {one['n']}", PANELS[question], name, tuple(zip(one["agreement"], one["coverage"], strict=True)))
        for question in own["panels"] for name in (own["rival"], entry.name) for one in _series(question, name)
    ]  # fmt: skip
    if not any(line.method == entry.name for line in lines):
        raise SystemExit(f"no coverage of {entry.name!r} in {COVERAGE.name}; run scripts/pair_coverage.py")
    lines.sort(key=lambda line: int(line.row.split()[-1]))
    colours = {own["rival"]: OTHER, entry.name: OWN}
    return coverage_figure(lines, title=f"Coverage at 95 %: {entry.name}", axis=AXIS, colours=colours, zoom=1.6)


def numbers(entry: PairMethod) -> list[str]:
    """Return the table of lowest and mean coverage and of mean length; a test has no length."""
    own = texts()[entry.name]
    rows = ["| question | n | method | lowest coverage | mean coverage | mean length |", "|---|---|---|---|---|---|"]
    for question in own["panels"]:
        pairs = [(one, name) for name in (entry.name, own["rival"]) for one in _series(question, name)]
        for one, name in sorted(pairs, key=lambda pair: int(pair[0]["n"])):
            length = "–" if question in TESTED else f"{fmean(one['length']):.3f}"
            said = "" if one["exact"] else f" (± {one['se']:.3f})"
            rows.append(f"| {PANELS[question]} | {one['n']} | `{name}` | {min(one['coverage']):.3f}{said} | "
                        f"{fmean(one['coverage']):.3f} | {length} |")  # fmt: skip
    return rows


def example(entry: PairMethod) -> list[str]:
    """Return an example and what it prints."""
    call = f'hs.compare(t, "{texts()[entry.name]["metric"]}", a="old", b="new", method="{entry.name}")'
    code = f"{texts()[entry.name].get('setup', SETUP)}print(repr({call}))"
    return ["```python", code, "```", "", "```text", printed(code), "```"]


def printed(code: str) -> str:
    """Return what an example prints."""
    lines: list[str] = []
    exec(code, {"print": lines.append})
    return "\n".join(lines)


def caption(entry: PairMethod) -> str:
    """Return what the picture shows."""
    own = texts()[entry.name]
    asked = " ".join(QUESTIONS[question] for question in own["panels"])
    return f"{SETTING} {asked} {READING}" + (DRAWN if entry.name in ("bootstrap", "bayes") else "")


def coverage(entry: PairMethod) -> list[str]:
    """Return the picture and the numbers of a method's coverage, or where they are."""
    own = texts()[entry.name].get("coverage")
    if own is not None:
        return [own]
    return [f"![Coverage of {entry.name}]({entry.name}.svg)", "", caption(entry), "", *numbers(entry)]


def page(entry: PairMethod) -> str:
    """Return the page of a method."""
    own = texts()[entry.name]
    also = f" Also `{'`, `'.join(entry.aliases)}`." if entry.aliases else ""
    return "\n".join([
        f"# {entry.name}", "", f"A comparison of two models on the same rows: {entry.text}.{also}", "",
        "```text", own["formula"].strip("\n"), "```", "",
        f"**Use it when.** {own['use']}", "", f"**Do not use it when.** {sentence(entry.avoid)}", "",
        "## Coverage", "", *coverage(entry), "",
        "## Example", "", *example(entry), "",
        "## Source", "", f"{entry.citation}.", "",
    ])  # fmt: skip


def index() -> str:
    """Return the page of all comparison methods."""
    rows = [
        f"| [`{entry.name}`](comparisons/{entry.name}.md){''.join(f', `{name}`' for name in entry.aliases)} | "
        f"{entry.text} | {entry.avoid} |"
        for entry in PAIR_METHODS
    ]
    text = INDEX.replace("ROWS", "\n".join(rows)).replace("SETUP", SETUP)
    return text.replace("OUTPUT", printed(text.split("```python\n")[1].split("```")[0]))


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    made = {"comparisons.md": index()}
    for entry in PAIR_METHODS:
        made[f"comparisons/{entry.name}.md"] = page(entry)
        if "coverage" not in texts()[entry.name]:
            made[f"comparisons/{entry.name}.svg"] = picture(entry)
    return made
