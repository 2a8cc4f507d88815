"""Gates, plans, studies, papers and catalogues as plain tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from howsure.numerics.critical import CriticalValue
from howsure.reports.align import aligned
from howsure.reports.grid import Grid
from howsure.results.comparison import Gate
from howsure.results.coverage import Coverage, PaperRow
from howsure.results.cv_test import CvTest
from howsure.results.gap import Gap
from howsure.results.words import brief, count, number, p_text, percent


def gate_grid(made: Gate) -> Grid:
    """Return a gate as a table of one row."""
    judged = made.model if made.baseline is None else f"{made.model} − {made.baseline}"
    wanted = f"{made.direction} {brief(made.threshold)}"
    row = (made.verdict, made.metric, judged, wanted, *(number(x) for x in (made.value, made.low, made.high)))
    return Grid(
        ("verdict", "metric", "model", "wanted", "value", "low", "high"), (row,), frozenset({4, 5, 6}),
        f"One-sided {percent(made.level)} bounds ({made.method}), n = {count(made.n)}.", (made.to_dict(),),
        (made.sentence, *(f"note: {note}" for note in made.notes)),
    )  # fmt: skip


def gap_grid(made: Gap) -> Grid:
    """Return the gap between slices, and the worst of them, as a table of two rows."""
    rows = (
        ("gap", f"{made.best} − {made.worst}", *(number(x) for x in (made.gap, made.low, made.high))),
        ("worst", made.worst, *(number(x) for x in (made.worst_value, made.worst_low, made.worst_high))),
    )
    text = f"{made.metric} of {made.model}: {percent(made.level)} intervals, simultaneous over {made.slices} slices."
    header = ("what", "slice", "value", "low", "high")
    return Grid(header, rows, frozenset({2, 3, 4}), text, (made.to_dict(),), (made.sentence,))


def posterior_grid(laws: Mapping[str, Any], *, level: float, kind: str = "equal", metric: str = "") -> Grid:
    """Return the main numbers of posteriors, a row each; names are left out where there are none."""
    rows, records = [], []
    for name, law in laws.items():
        low, high = law.interval(level, kind=kind)
        numbers = {"mean": law.mean, "mode": law.mode, "sd": law.sd, "low": low, "high": high}
        exact = hasattr(law, "weight")
        how = f"Beta({law.a:g}, {law.b:g})" + (f", weight {law.weight:g}" if law.weight != 1 else "") if exact else ""
        rows.append((name, *(number(x, 4) for x in numbers.values()), how or f"{len(law.draws):,} draws"))
        records.append(
            {"model": name, "metric": metric} | numbers | {"level": level, "kind": kind, "law": rows[-1][-1]}
        )
    header = ("model", *numbers, "law")
    first = 0 if any(laws) else 1
    which = "equal tails" if kind == "equal" else "highest density"
    text = f"{f'Posterior of {metric}; ' if metric else ''}low and high: {percent(level)} credible interval ({which})."
    cut = tuple(row[first:] for row in rows)
    return Grid(header[first:], cut, frozenset(range(1 - first, 6 - first)), text, tuple(records))


def plan_grid(made: Any, points: Sequence[tuple[int, float]] | None, *, quiet: bool = False) -> Grid:
    """Return a plan: its curve if one was asked for, else its main numbers, and its paragraph below."""
    notes = () if quiet else tuple(f"note: {note}" for note in getattr(made, "notes", ()))
    if points is not None:
        rows = tuple((count(n), number(value, 4)) for n, value in points)
        header, numbers = ("rows", "reached"), frozenset({0, 1})
    else:
        rows = tuple((name, text) for name, text in _plan_facts(made))
        header, numbers = ("what", "number"), frozenset({1})
    return Grid(header, rows, numbers, repr(made), (made.to_dict(),), (made.paragraph, *notes))


def _plan_facts(made: Any) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    for name in ("n", "positives", "n_clusters", "n_more", "half_width", "se", "difference", "power"):
        value = getattr(made, name, None)
        if value is not None:
            facts.append((name.replace("_", " "), count(value) if isinstance(value, int) else number(value, 4)))
    for label, rows in getattr(made, "allocation", {}).items():
        facts.append((f"labels among predicted {label}", count(rows)))
    return facts


def coverage_grid(made: Coverage) -> Grid:
    """Return a study, a row per method and n."""
    several = len({row.population for row in made.rows}) > 1
    rows = tuple(
        (
            *([row.population] if several else []),
            row.metric, row.method, count(row.n), f"{row.coverage:.4f}", f"{row.length:.4f}", f"{row.overshoot:.4f}",
            f"{row.degenerate:.4f}", "exact" if row.exact else f"± {row.se:.4f}",
        )
        for row in made.rows
    )  # fmt: skip
    header = ("metric", "method", "n", "coverage", "length", "overshoot", "degenerate", "error")
    truths = {row.population: number(row.truth, 4) for row in made.rows}
    true = "; ".join(f"{name} {value}" for name, value in truths.items()) if several else next(iter(truths.values()))
    text = f"Coverage of {percent(made.rows[0].level)} intervals; the true value is {true}."
    names = ("population", *header) if several else header
    digits = frozenset(names.index(name) for name in ("n", "coverage", "length", "overshoot", "degenerate"))
    return Grid(names, rows, digits, text, tuple(made.to_dicts()))


def paper_grid(title: str, rows: Sequence[PaperRow], summary: str) -> Grid:
    """Return what a paper prints beside ours."""
    cells = tuple(_paper_cells(row) for row in rows)
    header = ("table", "cell", "printed", "ours", "difference", "note")
    return Grid(
        header, cells, frozenset({2, 3, 4}), title, tuple(row.to_dict() for row in rows), (summary,),
    )  # fmt: skip


def _paper_cells(row: PaperRow) -> tuple[str, ...]:
    ours = "–" if row.ours is None else f"{row.ours:.6g}".replace("-", "−") + (f" ± {row.se:.1g}" if row.se else "")
    difference = "" if row.difference is None else f"{row.difference:+.2g}".replace("-", "−")
    return row.table, row.cell, row.as_printed, ours, difference, row.note


def listed(records: Sequence[dict[str, str]], title: str) -> Grid:
    """Return a catalogue as it is: every record a row."""
    header = tuple(records[0])
    rows = tuple(tuple(record[name] for name in header) for record in records)
    return Grid(header, rows, frozenset(), title, tuple(records))


def cvtest_grid(made: CvTest, metric: str, a: str, b: str) -> Grid:
    """Return a cross-validation test as a table of one row."""
    df = ", ".join(f"{value:.3g}" for value in (made.df if isinstance(made.df, tuple) else (made.df,)))
    numbers = (number(x, 4) for x in (made.difference, made.low, made.high, made.statistic))
    row = (made.name, metric, *numbers, df, p_text(made.p_value))
    header = ("test", "metric", "b − a", "low", "high", "statistic", "df", "p")
    text = f"a = {a}, b = {b}; {percent(made.level)} interval of the mean difference of fold scores."
    record = made.to_dict() | {"metric": metric, "a": a, "b": b}
    return Grid(header, (row,), frozenset({2, 3, 4, 5, 7}), text, (record,), (*made.notes, made.citation))


def split_grid(rows: int, trained: Sequence[Any], blocks: Any) -> Grid:
    """Return a design: for each row its block, and for each repeat the fold that trains on it."""
    first = [{int(row) for row in part} for part in trained]
    records = [
        {"row": row + 1, "block": int(blocks[row]) + 1}
        | {f"repeat_{at}": 1 if row in held else 2 for at, held in enumerate(first, 1)}
        for row in range(rows)
    ]
    cells = tuple(tuple(map(str, record.values())) for record in records)
    text = f"Blocked {len(first)}×2 cross-validation of {count(rows)} rows: the fold that trains on each row."
    return Grid(tuple(records[0]), cells, frozenset(range(2 + len(first))), text, tuple(records))


def critical_grid(found: CriticalValue, level: float, side: str) -> Grid:
    """Return a critical value as a table of one row."""
    row = (f"{found.value:.6f}", f"{found.error:.1g}", percent(level), str(found.dimension), str(found.rank), found.how)
    header = ("q", "error", "level", "estimates", "rank", "how")
    bounds = {"both": "Intervals of ± q", "lower": "Lower bounds of − q", "upper": "Upper bounds of + q"}[side]
    text = f"{bounds} standard errors hold all together with the level."
    return Grid(header, (row,), frozenset({0}), text, (asdict(found),))


def paper_text(name: str, title: str, rows: list[PaperRow], form: str) -> str:
    """Return the rows in the asked form; text is headed by the paper's title."""
    grid = paper_grid(title, rows, summary(rows))
    if form == "text":
        return "\n".join([title, "", *aligned([grid.header, *grid.rows], grid.numbers), "", *grid.said])
    return grid.written(form)


def summary(rows: list[PaperRow]) -> str:
    """Return how many printed numbers came out, within rounding of the last printed digit or Monte-Carlo error."""
    found = standings(rows)
    printed = sum(found.values()) - found["not recomputed"]
    return (
        f"{found['agrees']} of {printed} printed numbers come out within rounding or Monte-Carlo error, "
        f"{found['explained']} differ for a stated reason, {found['open']} are open; {len(rows)} rows in all."
    )


def standings(rows: list[PaperRow]) -> dict[str, int]:
    """Return how many printed numbers agree, are explained, open or not recomputed; each number counts once."""
    found = Counter(row.standing for row in rows if row.standing and not row.again)
    return {name: found[name] for name in ("agrees", "explained", "open", "not recomputed")}
