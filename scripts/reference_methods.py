"""The reference pages of the interval methods: one page and one picture each, from the catalogue, texts and a study."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from coverage_figure import Axis, Line, coverage_figure

import howsure as hs
from howsure.errors import MetricError
from howsure.estimates.catalogue import METHODS, IntervalMethod, default_method
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import OF_SCORES, named
from howsure.results.words import number
from howsure.tables.covariance import linearise

HERE = Path(__file__).resolve().parent
COVERAGE = HERE.parent / "docs" / "reference" / "methods" / "coverage.json"
AVERAGES = ("macro_f1", "micro_f1", "weighted_f1", "macro_precision", "macro_recall")
AXIS = Axis(0.5, 0.99, (0.5, 0.6, 0.7, 0.8, 0.9, 0.99), scale=lambda value: value,
            name="x: precision = recall")  # fmt: skip
LEVELS = (0.9, 0.95, 0.99)
OWN, OTHER = "#0072b2", "#8a8a8a"
VALUES = "hs.table(values=[0.25, 1, 0.75, 1, 0.5, 1, 0, 1, 1, 0.75], range=(0, 1))"
SCORES = "hs.table([0, 0, 1, 0, 1, 1, 0, 1, 1, 0], scores=[.1, .2, .3, .35, .6, .7, .5, .9, .4, .45])"
SCORED = ("auc", "f1@best", "ece", "recall@specificity>=0.9")
BINARY = "hs.counts(tp=77, fp=44, fn=10, tn=702)"
SQUARE = 'hs.matrix([[2, 5, 0], [2, 70, 2], [2, 2, 15]], rows="truth", labels=["a", "b", "c"])'
EDGES = (("everything right", {"tp": 10, "fp": 0, "fn": 0, "tn": 90}),
         ("nothing found", {"tp": 0, "fp": 5, "fn": 10, "tn": 85}),
         ("one row, right", {"tp": 1, "fp": 0, "fn": 0, "tn": 0}))  # fmt: skip


SUMS = 'hs.sums({"errors": [1, 0, 2, 1, 3, 0, 1, 2], "words": [12, 9, 20, 15, 17, 8, 11, 14]})'
UNIT_EDGES = (("no error", "20 times 0 of 10", ([0] * 20, [10] * 20)),
              ("every unit the same", "20 times 2 of 10", ([2] * 20, [10] * 20)),
              ("one unit", "2 of 10", ([2], [10])))  # fmt: skip
VALUE_EDGES = (("every value the best", "20 times 1", [1.0] * 20), ("every value the same", "20 times 0.4", [0.4] * 20),
               ("one row", "0.4", [0.4]))  # fmt: skip


SCORE_EDGES = (("every positive above every negative", "10 and 90", [1] * 10 + [0] * 90, [0.9] * 10 + [0.1] * 90),
               ("all scores equal", "10 and 90", [1] * 10 + [0] * 90, [0.5] * 100),
               ("one row of each class", "1 and 1", [1, 0], [0.7, 0.2]))  # fmt: skip


def texts_for(names: set[str], file: str) -> dict[str, dict[str, Any]]:
    """Return what the pages say beyond a catalogue; every method has an entry and every entry a method."""
    found = tomllib.loads((HERE / file).read_text(encoding="utf-8"))
    if found.keys() != names:
        raise SystemExit(f"scripts/{file} and the catalogue of methods differ: {found.keys() ^ names}")
    return found


@cache
def texts() -> dict[str, dict[str, Any]]:
    """Return the texts of the interval methods."""
    return texts_for({entry.name for entry in METHODS}, "method_texts.toml")


@cache
def studied() -> list[dict[str, Any]]:
    """Return the series that scripts/method_coverage.py has written."""
    found: list[dict[str, Any]] = json.loads(COVERAGE.read_text(encoding="utf-8"))
    return found


# --- which metrics a method serves --------------------------------------------------------------------------------


@cache
def evidences() -> dict[str, Evidence]:
    """Return the evidence of every metric on a table of two classes, or of three where it is an average."""
    binary, square = hs.counts(tp=77, fp=44, fn=10, tn=702), hs.matrix([[9, 1, 1], [1, 8, 1], [1, 2, 9]], rows="truth")
    found = {}
    for name in (*(entry.name for entry in CATALOGUE), *AVERAGES):
        table = square if name in AVERAGES else binary
        try:
            found[name] = evidence_of(linearise(table, named(name)))
        except MetricError:
            continue  # a metric of multi-label rows
    values, sums = hs.table(values=[0.25, 1, 0.5, 0], range=(0, 1)), hs.sums({"errors": [1, 0, 2], "words": [9, 8, 7]})
    more = {"mean": values, "errors/words": sums}
    scores = eval(SCORES, {"hs": hs})
    own = [entry.name for entry in OF_SCORES if entry.scoring and entry.scoring.classes != "several"]
    more |= dict.fromkeys([*own, "recall@specificity>=0.5", "f1@best"], scores)
    return found | {name: evidence_of(linearise(table, named(name))) for name, table in more.items()}


def serves(entry: IntervalMethod) -> str:
    """Return, in words, the metrics that a method serves and those whose default it is."""
    fits = [name for name, evidence in evidences().items() if entry.missing(evidence) is None]
    default = [name for name, evidence in evidences().items() if default_method(named(name), evidence) == entry]
    if not fits:
        return "Serves every metric of a table of tasks."
    every = "every metric" if len(fits) == len(evidences()) else ", ".join(f"`{name}`" for name in fits)
    mine = ", ".join(f"`{name}`" for name in default)
    return f"Serves {every}." + (f"\n\nDefault of {mine}." if default else "")


# --- the picture --------------------------------------------------------------------------------------------------


def _series(metric: str, method: str, level: float = 0.95) -> list[dict[str, Any]]:
    wanted = metric, method, level
    return [one for one in studied() if (one["metric"], one["method"], one["level"]) == wanted]


def rival(entry: IntervalMethod, metric: str) -> str:
    """Return the method drawn beside: the one named, else the metric's default, or Wald where that is the method."""
    if "rival" in texts()[entry.name]:
        return str(texts()[entry.name]["rival"])
    name = default_method(named(metric), evidences()[metric]).name
    return "wald" if name == entry.name else name


def picture(entry: IntervalMethod) -> str:
    """Return the picture of a method's coverage: a panel per metric and n, its rival in grey."""
    lines, colours = [], {}
    for metric in texts()[entry.name]["panels"]:
        other = rival(entry, metric)
        for name, colour in ((other, OTHER), (entry.name, OWN)):
            colours[name] = colour
            for one in _series(metric, name):
                points = tuple(zip(one["quality"], one["coverage"], strict=True))
                lines.append(Line(f"n = {one['n']}", metric, name, points))
    if not lines:
        raise SystemExit(f"no coverage of {entry.name!r} in {COVERAGE.name}; run scripts/method_coverage.py")
    lines.sort(key=lambda line: int(line.row.split()[-1]))
    return coverage_figure(
        lines, title=f"Coverage of 95 % intervals: {entry.name}", axis=AXIS, colours=colours, zoom=1.6
    )


def numbers(entry: IntervalMethod) -> list[str]:
    """Return the table of lowest coverage, mean coverage and mean length."""
    rows = ["| metric | level | n | method | lowest coverage | mean | mean length |", "|---|---|---|---|---|---|---|"]
    for metric in texts()[entry.name]["panels"]:
        names = (entry.name, rival(entry, metric))
        pairs = [(one, name) for level in LEVELS for name in names for one in _series(metric, name, level)]
        for one, name in sorted(pairs, key=lambda pair: (pair[0]["level"], int(pair[0]["n"]))):
            lengths = [length for length in one["length"] if length is not None]
            length = f"{fmean(lengths):.3f}" if len(lengths) == len(one["length"]) else "without end"
            said = "" if one["exact"] else f" (± {one['se']:.3f})"
            rows.append(f"| `{metric}` | {one['level']:g} | {one['n']} | `{name}` | {min(one['coverage']):.3f}{said} | "
                        f"{fmean(one['coverage']):.3f} | {length} |")  # fmt: skip
    return rows


# --- the page -----------------------------------------------------------------------------------------------------


def example(entry: IntervalMethod) -> list[str]:
    """Return an example and what it prints."""
    metric = texts()[entry.name]["metric"]
    own = {"mean": VALUES, "errors/words": SUMS} | dict.fromkeys(SCORED, SCORES)
    source = texts()[entry.name].get("source") or (SQUARE if metric in AVERAGES else own.get(metric, BINARY))
    found = hs.estimate(eval(source, {"hs": hs}), metric, method=entry.name)
    return [
        "```python", "import howsure as hs", "", f"t = {source}",
        f'e = hs.estimate(t, "{metric}", method="{entry.name}")', "print(repr(e))", "```", "", "```text", repr(found),
        "```",
    ]  # fmt: skip


def edges(entry: IntervalMethod) -> list[str]:
    """Return what the method gives at the edge."""
    metric = texts()[entry.name]["metric"]
    metric = "balanced_accuracy" if metric in AVERAGES else metric
    kinds = {"mean": "values", "errors/words": "errors of words"} | dict.fromkeys(SCORED, "truth and scores")
    held = kinds.get(metric, "tp, fp, fn, tn")
    rows = [f"| `{metric}` | {held} | value | limits |", "|---|---|---|---|"]
    for words, shown, table in _at_the_edge(metric):
        found = hs.estimate(table, metric, method=entry.name)
        limits = "none" if found.low != found.low else f"[{number(found.low)}, {number(found.high)}]"
        rows.append(f"| {words} | {shown} | {number(found.value)} | {limits} |")
    return rows


def _at_the_edge(metric: str) -> list[tuple[str, str, hs.Table]]:
    """Return tables at the edge: what is special, what they hold, and themselves."""
    if metric == "mean":
        return [(words, shown, hs.table(values=values, range=(0, 1))) for words, shown, values in VALUE_EDGES]
    if metric in SCORED:
        return [(words, shown, hs.table(truth, scores=scores)) for words, shown, truth, scores in SCORE_EDGES]
    if metric == "errors/words":
        return [(words, shown, hs.sums({"errors": e, "words": w})) for words, shown, (e, w) in UNIT_EDGES]
    return [(words, ", ".join(map(str, cells.values())), hs.counts(**cells)) for words, cells in EDGES]


def coverage(entry: IntervalMethod) -> list[str]:
    """Return the picture and the numbers of a method's coverage and what it gives at the edge, or where they are."""
    own = texts()[entry.name]
    if "coverage" in own:
        return [own["coverage"]]
    return [
        f"![Coverage of {entry.name}]({entry.name}.svg)", "", CAPTIONS.get(own["metric"], CAPTION), "",
        *numbers(entry), "", "## At the edge", "", *edges(entry),
    ]  # fmt: skip


def page(entry: IntervalMethod) -> str:
    """Return the page of a method."""
    own = texts()[entry.name]
    also = f" Also `{'`, `'.join(entry.aliases)}`." if entry.aliases else ""
    return "\n".join([
        f"# {entry.name}", "", f"A {entry.meaning} interval: {entry.text}.{also}", "",
        "```text", own["formula"].strip("\n"), "```", "",
        f"**Use it when.** {own['use']}", "",
        f"**Do not use it when.** {sentence(entry.avoid)} {own.get('levels', '')}".rstrip(), "",
        "## Coverage", "", *coverage(entry), "",
        "## Example", "", *example(entry), "",
        "## Metrics", "", serves(entry), "",
        "## Source", "", f"{entry.citation}.", "",
    ])  # fmt: skip


def sentence(text: str) -> str:
    """Return words of the catalogue as a sentence."""
    return text[0].upper() + text[1:] + "."


CAPTION = (
    "The picture: 95 % intervals. Each point is a population with 30 % positives whose precision and recall both have "
    "the value on the axis (for macro F1: three classes, one with 30 %). Samples in which the metric is undefined are "
    "left out; a sample in which the method gives no limits is a miss. Lines end at 0.80: what runs along the bottom "
    "is lower. Numbers with ± are simulated, ± one standard error; the others are exact, by enumeration of all tables. "
    "The lowest coverage is that of the worst of these populations."
)


CAPTIONS = {"mean": (
    "95 % intervals of a mean of row values. Each point is a population of questions whose mean is on the axis: a row "
    "is the share of right ones among four answers to a question, and questions differ (beta with a + b = 1). "
    "Simulated, ± one standard error (scripts/value_coverage.py). Lines end at 0.80: what runs along the bottom is "
    "lower."
), "errors/words": (
    "95 % intervals of errors over words. Each point is a population of utterances whose share of right words, 1 − the "
    "ratio, is on the axis; rates of utterances are exponential, 16 words in the mean. Simulated, ± one standard error "
    "(scripts/value_coverage.py). Lines end at 0.80: what runs along the bottom is lower."
)}  # fmt: skip


SCORE_CAPTION = (
    "95 % intervals. Each point is a population of normal scores of equal spread, 30 % positives, whose AUC is on the "
    "axis; of F1 at the best threshold the true F1 at the threshold that was chosen is to be held. Simulated, ± one "
    "standard error (scripts/score_coverage.py). Lines end at 0.80: what runs along the bottom is lower."
)
ECE_CAPTION = (
    "95 % intervals of ECE in 15 bins. Each point is a model whose stated log-odds are those of the truth divided by "
    "the value on the axis. Simulated, ± one standard error (scripts/score_coverage.py). Lines end at 0.80: what runs "
    "along the bottom is lower."
)
CAPTIONS |= dict.fromkeys(SCORED, SCORE_CAPTION) | {"ece": ECE_CAPTION}


def index() -> str:
    """Return the list of all methods."""
    rows = [
        f"| [`{entry.name}`]({entry.name}.md) | {entry.meaning} | {entry.text} | {entry.avoid} |" for entry in METHODS
    ]
    return "\n".join([
        "# Interval methods", "",
        "Made from the catalogue. Without `method=` each metric takes its own default; the result says which. "
        "[Which interval when](../../explanation/which-interval.md) has the evidence. For a test set that grows while "
        "you look at it there are [bounds at any time](../anytime.md).", "",
        "| method | meaning | what it is | do not use it when |", "|---|---|---|---|", *rows, "",
        "With groups or weights a method that counts rows gets the number of independent rows the data are worth "
        "(`effective_n`), and the quantile is Student's t with the number of groups less one. A metric and a method "
        "that do not fit are refused, and the message names the methods that do.", "",
    ])  # fmt: skip


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    made = {"methods/index.md": index()}
    for entry in METHODS:
        made[f"methods/{entry.name}.md"] = page(entry)
        if "coverage" not in texts()[entry.name]:
            made[f"methods/{entry.name}.svg"] = picture(entry)
    return made
