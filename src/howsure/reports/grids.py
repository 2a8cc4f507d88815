"""Every result as one Grid, from which every form is written."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from howsure.reports.boards.verdicts import check_baseline, report_ranking
from howsure.reports.boards.wide import board_caption, board_grid, is_board, is_wide, lead_of, wide_grid
from howsure.reports.describe import all_notes, comparison_caption, each_pair, heading, held_caption, printed
from howsure.reports.grid import FORMS, Cell, Grid, GridColumn, Said, columns, noted, sentences
from howsure.reports.text import bar
from howsure.results.base import brief_notes, note_line
from howsure.results.sentences.phrases import phrase
from howsure.results.words import brief, count, decimals_for, number, p_text, percent, signed

if TYPE_CHECKING:  # who writes one kind of result does not load the others
    from howsure.numerics.critical import CriticalValue
    from howsure.results.bayes_test import BayesTest
    from howsure.results.class_counts import ClassCounts
    from howsure.results.comparison import Comparison, Comparisons
    from howsure.results.coverage import Coverage, PaperRow
    from howsure.results.curves.curve import Calibration, Curve, ThresholdChoice
    from howsure.results.cv_test import CvTest
    from howsure.results.estimate import Estimate, Report
    from howsure.results.gap import Gap
    from howsure.results.gate import Gate
    from howsure.results.plans.choice import Choice

ENDS = ("value", "low", "high")
MOST_POINTS = 20  # of a curve that is read


# --- estimates and posteriors -------------------------------------------------------------------------------------


def report_grid(
    report: Report, *, quiet: bool = False, long: bool = False, se: bool = False, baseline: str | None = None
) -> Grid:
    """Return a report: models and metrics as a wide table, one metric as a leaderboard, else a row an estimate."""
    notes = () if quiet else noted(brief_notes(all_notes(report)), "text", "markdown", "notebook")
    if not (long := long or se) and (is_wide(report) or (baseline is not None and is_board(report))):
        return replace(wide_grid(report, baseline=baseline), said=notes)
    check_baseline(report, baseline)
    ranked = None if long or not is_board(report) else report_ranking(report)
    if ranked is not None:
        made = board_grid(ranked)
        text, records = board_caption(report, report.metrics), tuple(report.to_dicts())
        return replace(made, caption=text, records=records, said=notes, lead=(ranked.sentence,))
    return replace(long_grid(report, se=se), said=notes, lead=() if long else lead_of(report))


def long_grid(report: Report, *, se: bool = False) -> Grid:
    """Return a report, a row per estimate; the page names a model also where it is the only one."""
    models = FORMS if len(report.models) > 1 else ("page",)
    counted = FORMS if any(row.counts for row in report.rows) else ()
    several = len({row.method for row in report.rows}) > 1
    judged = FORMS if any(row.human is not None for row in report.rows) else ()
    return Grid(
        (
            GridColumn(heading(report), forms=models), GridColumn("metric"), GridColumn("value", "number"),
            GridColumn("se", "number", FORMS if se else (), {"latex": "s.e."}), GridColumn("counts", forms=counted),
            GridColumn(f"{percent(report.level)} {_kinds(report)}"), GridColumn("", forms=() if judged else ("text",)),
            GridColumn("people alone", forms=judged), GridColumn("judge alone", "number", judged),
            GridColumn("labels worth", "number", judged),
            GridColumn("method", forms=() if judged else FORMS if several else ("page",)),
        ),
        tuple(map(_estimate_cells, report.rows)), held_caption(report), tuple(report.to_dicts()),
    )  # fmt: skip


def _kinds(report: Report) -> str:
    kinds = list(dict.fromkeys(row.kind for row in report.rows))
    return kinds[0] if len(kinds) == 1 else "interval"


def _estimate_cells(row: Estimate) -> tuple[Cell, ...]:
    value = number(row.value, decimals_for(row.low, row.high))
    spread = number(row.se, decimals_for(row.low, row.high) + 1)
    people = alone = worth = ""
    if row.human is not None and row.judge_only is not None:
        people, alone = row.human.reach, number(row.judge_only.value, decimals_for(row.low, row.high))
        worth = count(round(row.n * (row.gain or 1.0)))
    return row.model, row.said, value, spread, row.counts, row.reach, bar(row), people, alone, worth, row.method_said


def class_grid(made: ClassCounts) -> Grid:
    """Return the four cells of each class, a row per model and class."""
    digits = ("tp", "fp", "fn", "tn")
    models = FORMS if len({row.model for row in made.rows}) > 1 else ()
    header = (GridColumn("model", forms=models), *columns("class", *digits, numbers=digits))
    rows = tuple((row.model, str(row.label), *map(_counted, row[2:])) for row in made.rows)
    return Grid(header, rows, phrase("classes caption"), tuple(made.to_dicts()), document="class-counts")


def _counted(cell: float) -> str:
    return "–" if math.isnan(cell) else count(cell)


def posterior_grid(law: Any) -> Grid:
    """Return the main numbers of a posterior, with the 95% credible interval of equal tails."""
    return posteriors_grid({"": law}, level=0.95)


def posteriors_grid(laws: Mapping[str, Any], *, level: float, kind: str = "equal", metric: str = "") -> Grid:
    """Return the main numbers of posteriors, a row each; names are left out where there are none."""
    records = [_posterior_record(name, law, metric, level, kind) for name, law in laws.items()]
    digits = ("mean", "mode", "sd", "low", "high")
    rows = tuple((one["model"], *(number(one[name], 4) for name in digits), one["law"]) for one in records)
    which = "equal tails" if kind == "equal" else "highest density"
    text = phrase(f"posterior caption{' of' * bool(metric)}", metric=metric, level=percent(level), which=which)
    named = GridColumn("model", forms=FORMS if any(laws) else ())
    header = (named, *columns(*digits, "law", numbers=digits))
    return Grid(header, rows, text, tuple(records), document="posteriors")


def _posterior_record(name: str, law: Any, metric: str, level: float, kind: str) -> dict[str, Any]:
    low, high = law.interval(level, kind=kind)
    how = f"{len(law.draws):,} draws" if not hasattr(law, "weight") else f"Beta({law.a:g}, {law.b:g})"
    if getattr(law, "weight", 1) != 1:
        how += f", weight {law.weight:g}"
    return {
        "model": name, "metric": metric, "mean": law.mean, "mode": law.mode, "sd": law.sd, "low": low, "high": high,
        "level": level, "kind": kind, "law": how,
    }  # fmt: skip


def choice_grid(made: Choice, *, quiet: bool = False) -> Grid:
    """Return how many rows to label in each stratum; records are the rows themselves where they are known."""
    digits = ("in the pool", "labelled", "to label")
    notes = () if quiet else (*sentences(made.sentence), *noted(made.notes, *FORMS))
    rows = tuple((one["stratum"], *(count(one[name]) for name in ("pool", "labelled", "n"))) for one in made.kinds())
    records = tuple(made.chosen.records() or made.kinds())
    return Grid(columns("stratum", *digits, numbers=digits), rows, "", records, notes, lead=(repr(made),))


# --- curves of scores ---------------------------------------------------------------------------------------------


def curve_grid(made: Curve, *, quiet: bool = False) -> Grid:
    """Return a curve as a table; forms that are read show twenty points, JSON and CSV have all."""
    names = [name for name in made.columns if name not in ("value", "low", "high")]
    shown = [*names, *ENDS]
    size = len(made)
    kept = range(size) if size <= MOST_POINTS else sorted({round(at * (size - 1) / (MOST_POINTS - 1))
                                                           for at in range(MOST_POINTS)})  # fmt: skip
    records = made.to_dicts()
    rows = tuple(tuple(brief(records[at][name]) for name in shown) for at in kept)
    ends = [phrase("area caption", area=repr(made.area))] if made.area is not None else []
    if made.best:
        at_best = brief(made.best.threshold or float("nan"))
        ends.append(phrase("curve best", best=repr(made.best), threshold=at_best))
    some = "" if size == len(rows) else phrase("curve points", shown=len(rows), size=size)
    told = {"metric": made.metric, "model": made.model, "level": percent(made.level), "method": made.method}
    text = phrase("curve caption", some=some, rows=count(made.n), **told)
    below = (*sentences(*ends, made.sentence), *noted([] if quiet else made.notes, "text", "markdown", "notebook"))
    return Grid(columns(*shown, numbers=shown), rows, text, tuple(records), below)


def calibration_grid(made: Calibration, *, quiet: bool = False) -> Grid:
    """Return calibration as a table: the estimates, then the parts of the Brier score and the test."""
    rows = [(row.metric, *printed(row, *ENDS), row.method) for row in made.report.rows]
    parts = {"miscalibration": made.miscalibration, "discrimination": made.discrimination,
             "uncertainty": made.uncertainty, "ece of a perfect model": made.expected_ece}  # fmt: skip
    rows += [(name, number(value, 4), "", "", "") for name, value in parts.items()]
    rows.append(("test of slope 1, intercept 0", f"p {p_text(made.p_value)}", "", "", "wald"))
    notes = [*all_notes(made.report), *made.notes]
    text = phrase("calibration caption", model=made.model, level=percent(made.level), rows=count(made.n))
    known = made.report.to_dicts()
    blank = dict.fromkeys(known[0], None) | {"model": made.model, "n": made.n, "level": made.level}
    records = [*known, *(blank | {"metric": name, "value": value} for name, value in parts.items()),
               blank | {"metric": "p-value of the calibration test", "value": made.p_value}]  # fmt: skip
    below = (*sentences(made.sentence), *noted([] if quiet else notes, "text", "markdown", "notebook"))
    return Grid(columns("metric", *ENDS, "method", numbers=ENDS), tuple(rows), text, tuple(records), below)


def threshold_grid(made: ThresholdChoice, *, quiet: bool = False) -> Grid:
    """Return a chosen threshold as a table of one row."""
    at = "none" if made.threshold is None else number(made.threshold, 4)
    wanted = f"{made.metric} {made.direction} {brief(made.wanted)}"
    row = (made.model, at, wanted, number(made.value), number(made.bound), made.then, number(made.then_value))
    digits = ("threshold", "value", "bound", "then value")
    text = phrase("threshold caption", level=percent(made.level), rows=count(made.n))
    names = ("model", "threshold", "wanted", "value", "bound", "then", "then value")
    below = (*sentences(made.sentence), *noted([] if quiet else made.notes, "text", "notebook"))
    return Grid(columns(*names, numbers=digits), (row,), text, (made.to_dict(),), below)


# --- differences and verdicts -------------------------------------------------------------------------------------


def comparisons_grid(made: Comparison | Comparisons, *, quiet: bool = False) -> Grid:
    """Return the pairs with what they say: the sentence before, the caption and notes below."""
    grid = pairs_grid(made)
    notes = noted([] if quiet else brief_notes(made.notes), "text", "notebook")
    return replace(grid, said=notes, lead=(made.sentence,))


def pairs_grid(made: Comparison | Comparisons) -> Grid:
    """Return comparisons, a row each, the settled ones first; the last column speaks for itself."""
    rows = each_pair(made)
    order = sorted(rows, key=lambda row: (not row.decided, -round(abs(row.difference), 9) if row.decided else 0))
    first = rows[0]
    interval = "bounds" if first.side == "each" else "interval" if first.side == "both" else f"{first.side} bound"
    return Grid(
        (
            GridColumn("pair"), GridColumn(f"{first.kind} in {first.said}", "number"),
            GridColumn(f"{percent(first.level)} {interval}{first.at}"),
            GridColumn("p", "number", headings={"latex": "$p$"}), GridColumn("", headings={"page": "verdict"}),
        ),
        tuple(map(_comparison_cells, order)), comparison_caption(made), tuple(row.to_dict() for row in rows),
    )  # fmt: skip


def _comparison_cells(row: Comparison) -> tuple[Cell, ...]:
    sign, shown = ("/", number) if row.kind == "ratio" else ("−", signed)
    value = shown(row.difference, decimals_for(row.low, row.high))
    return f"{row.b} {sign} {row.a}", value, row.reach, p_text(row.p_value), row.words


def gate_grid(made: Gate) -> Grid:
    """Return a gate as a table of one row."""
    judged = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    wanted = f"{made.direction} {brief(made.threshold)}"
    row = (made.verdict, made.said, judged, wanted, *(number(x) for x in (made.value, made.low, made.high)))
    text = made.bounds
    below = sentences(made.sentence, *map(note_line, brief_notes(made.notes)))
    return Grid(
        columns("verdict", "metric", "model", "wanted", *ENDS, numbers=ENDS), (row,), text, (made.to_dict(),), below
    )


def gap_grid(made: Gap) -> Grid:
    """Return the gap between slices, and the worst of them, as a table of two rows."""
    rows = (
        ("gap", f"{made.best} − {made.worst}", *(number(x) for x in (made.gap, made.low, made.high))),
        ("worst", made.worst, *(number(x) for x in (made.worst_value, made.worst_low, made.worst_high))),
    )
    text = phrase("gap caption", metric=made.said, model=made.model, level=percent(made.level), slices=made.slices)
    below = (*sentences(made.sentence), *noted(made.notes, "notebook"))
    return Grid(columns("what", "slice", *ENDS, numbers=ENDS), rows, text, (made.to_dict(),), below)


def bayes_grid(made: BayesTest | Sequence[BayesTest], *, quiet: bool = False) -> Grid:
    """Return Bayes tests of two models, a row per metric; several share their notes."""
    tests = made if isinstance(made, Sequence) else [made]
    names = {"b − a": "$b-a$", "low": "low", "high": "high", "P(H0)": "$P(H_0)$", "P(H1)": "$P(H_1)$"}
    digits = [GridColumn(name, "number", headings={"latex": latex}) for name, latex in names.items()]
    each = [column for name in "ab" for column in (
        GridColumn(name, "number", headings={"latex": f"${name}$"}), GridColumn(f"interval of {name}", "interval"),
    )]  # fmt: skip
    sentences = (Said(test.sentence, forms=("text", "html")) for test in tests)
    notes = [] if quiet else [note for test in tests for note in test.notes]
    return Grid(
        (GridColumn("metric"), *each, *digits, GridColumn("decision")), tuple(map(_bayes_cells, tests)),
        _bayes_caption(tests), tuple(test.to_dict() for test in tests), (*sentences, *noted(notes, "text", "notebook")),
        document="bayes-tests",
    )  # fmt: skip


def _bayes_cells(test: BayesTest) -> tuple[Cell, ...]:
    places, values = decimals_for(test.low, test.high), printed(test, "value_a", "value_b", "difference", "low", "high")
    ends = [
        ("–", "–") if own is None else (number(own[0], places), number(own[1], places))
        for own in (test.interval_a, test.interval_b)
    ]
    each = (values[0], ends[0], values[1], ends[1])
    return test.said, *each, *values[2:], f"{test.p_h0:.4g}", f"{test.p_h1:.4g}", test.decision


def _bayes_caption(tests: Sequence[BayesTest]) -> str:
    first = tests[0]
    factors = " and ".join(dict.fromkeys(f"{factor:.4g}" for factor in first.factors if factor is not None))
    scaled = phrase("bayes caption factor", factors=factors) if factors else ""
    told = {"level": percent(first.level), "pairing": first.pairing, "prior": f"{first.prior:g}", "factor": scaled}
    return phrase("bayes caption", a=first.a, b=first.b, **told)


def cvtest_grid(made: CvTest, metric: str, a: str, b: str) -> Grid:
    """Return a cross-validation test as a table of one row."""
    df = ", ".join(f"{value:.3g}" for value in (made.df if isinstance(made.df, tuple) else (made.df,)))
    numbers = (number(x, 4) for x in (made.difference, made.low, made.high, made.statistic))
    row = (made.name, metric, *numbers, df, p_text(made.p_value))
    digits = ("b − a", "low", "high", "statistic")
    header = columns("test", "metric", *digits, "df", "p", numbers=(*digits, "p"))
    text = phrase("cv caption", a=a, b=b, level=percent(made.level))
    record = made.to_dict() | {"metric": metric, "a": a, "b": b}
    return Grid(header, (row,), text, (record,), sentences(*made.notes, made.citation), document="cv-test")


# --- plans, studies, designs, catalogues --------------------------------------------------------------------------


def plan_grid(made: Any, points: Sequence[tuple[int, float]] | None = None, *, quiet: bool = False) -> Grid:
    """Return a plan: its curve if one was asked for, else its main numbers, and its paragraph below."""
    notes = () if quiet else tuple(map(note_line, getattr(made, "notes", ())))
    if points is not None:
        rows = tuple((count(n), number(value, 4)) for n, value in points)
        header = columns("rows", "reached", numbers=("rows", "reached"))
    else:
        rows, header = tuple(_plan_facts(made)), columns("what", "number", numbers=["number"])
    return Grid(header, rows, repr(made), (made.to_dict(),), sentences(made.paragraph, *notes))


def _plan_facts(made: Any) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    for name in ("n", "positives", "n_clusters", "n_more", "pool", "half_width", "se", "difference", "power"):
        value = getattr(made, name, None)
        if value is not None:
            facts.append((name.replace("_", " "), count(value) if isinstance(value, int) else number(value, 4)))
    for label, rows in getattr(made, "allocation", {}).items():
        which = f"predicted {label}" if made.kind == "predicted class" else label
        facts.append((f"labels among {which}", count(rows)))
    return facts


def coverage_grid(made: Coverage) -> Grid:
    """Return a study, a row per method and n; populations are named where there are several."""
    several = len({row.population for row in made.rows}) > 1
    shares: tuple[str, ...] = ("coverage", "length", "overshoot", "degenerate")
    lost = max(row.undefined for row in made.rows) >= 0.00005
    shares += ("undefined",) if lost else ()
    rows = tuple(
        (
            row.population, row.metric, row.method, count(row.n), *(f"{getattr(row, name):.4f}" for name in shares),
            "exact" if row.exact else f"± {row.se:.4f}",
        )
        for row in made.rows
    )  # fmt: skip
    truths = {row.population: number(row.truth, 4) for row in made.rows}
    true = "; ".join(f"{name} {value}" for name, value in truths.items()) if several else next(iter(truths.values()))
    known = not any(math.isnan(row.truth) for row in made.rows)
    text = phrase(f"coverage caption{' of' * known}", level=percent(made.rows[0].level), true=true)
    text += phrase("coverage caption lost") if lost else ""
    others = columns("metric", "method", "n", *shares, "error", numbers=("n", *shares))
    named = GridColumn("population", forms=FORMS if several else ())
    return Grid((named, *others), rows, text, tuple(made.to_dicts()), document="coverage")


def split_grid(rows: int, trained: Sequence[Any], blocks: Any) -> Grid:
    """Return a design: for each row its block, and for each repeat the fold that trains on it."""
    first = [{int(row) for row in part} for part in trained]
    records = [
        {"row": row + 1, "block": int(blocks[row]) + 1}
        | {f"repeat_{at}": 1 if row in held else 2 for at, held in enumerate(first, 1)}
        for row in range(rows)
    ]
    cells = tuple(tuple(map(str, record.values())) for record in records)
    text = phrase("split caption", repeats=len(first), rows=count(rows))
    return Grid(columns(*records[0], numbers=records[0]), cells, text, tuple(records), document="split")


def critical_grid(found: CriticalValue, level: float, side: str) -> Grid:
    """Return a critical value as a table of one row."""
    row = (f"{found.value:.6f}", f"{found.error:.1g}", percent(level), str(found.dimension), str(found.rank), found.how)
    header = columns("q", "error", "level", "estimates", "rank", "how", numbers=["q"])
    text = phrase(f"critical {side}")
    return Grid(header, (row,), text, (found.to_dict(),), document="critical-value")


def record_grid(records: Sequence[dict[str, str]], title: str, document: str) -> Grid:
    """Return a catalogue as it is: every record a row."""
    cells = tuple(tuple(one.values()) for one in records)
    return Grid(columns(*records[0]), cells, title, tuple(records), document=document)


# --- papers -------------------------------------------------------------------------------------------------------


def paper_grid(title: str, rows: Sequence[PaperRow]) -> Grid:
    """Return what a paper prints beside ours."""
    digits = ("printed", "ours", "difference")
    header = columns("table", "cell", *digits, "note", numbers=digits)
    records = tuple(row.to_dict() for row in rows)
    return Grid(header, tuple(map(_paper_cells, rows)), title, records, sentences(summary(rows)), document="paper")


def _paper_cells(row: PaperRow) -> tuple[str, ...]:
    ours = "–" if row.ours is None else f"{row.ours:.6g}".replace("-", "−") + (f" ± {row.se:.1g}" if row.se else "")
    difference = "" if row.difference is None else f"{row.difference:+.2g}".replace("-", "−")
    return row.table, row.cell, row.as_printed, ours, difference, row.note


def summary(rows: Sequence[PaperRow]) -> str:
    """Return how many printed numbers came out, within rounding of the last printed digit or Monte-Carlo error."""
    found = standings(rows)
    printed = sum(found.values()) - found["not recomputed"]
    if not sum(found.values()):
        return phrase("printed numbers none", rows=count(len(rows)))
    told = {"agree": found["agrees"], "explained": found["explained"], "open": found["open"]}
    return phrase("printed numbers", printed=printed, rows=len(rows), **told)


def standings(rows: Sequence[PaperRow]) -> dict[str, int]:
    """Return how many printed numbers agree, are explained, open or not recomputed; each number counts once."""
    found = Counter(row.standing for row in rows)
    return {name: found[name] for name in ("agrees", "explained", "open", "not recomputed")}
