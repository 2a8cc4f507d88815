"""A user's program, checked with `mypy --strict` against the installed wheel: the types that the library promises."""

from __future__ import annotations

import howsure as hs


def interval(tp: int, fp: int, fn: int, tn: int) -> tuple[float, float]:
    """Return an F1 score's 95 % limits."""
    table: hs.Table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
    estimate: hs.Estimate = hs.estimate(table, "f1", method="wilson", level=0.95)
    value: float = estimate.value
    assert estimate.low <= value <= estimate.high
    return estimate.low, estimate.high


def verdict(truth: list[str], first: list[str], second: list[str]) -> str:
    """Compare two models and say which is ahead."""
    table = hs.table(truth, {"first": first, "second": second})
    report: hs.Report = hs.report(table, ["accuracy", hs.macro("f1")], level=0.9)
    comparison: hs.Comparison = hs.compare(table, "macro_f1", a="first", b="second")
    p_value: float | None = comparison.p_value
    kinds: set[str] = {note.kind for row in report for note in row.notes}
    return f"{comparison.difference:+.3f}, p = {p_value}, notes of {len(kinds)} kinds"


def rows_needed() -> int | None:
    """Plan a test set."""
    plan: hs.Plan = hs.plan("f1", half_width=0.02, prevalence=0.1)
    return plan.n


if __name__ == "__main__":
    low, high = interval(77, 44, 10, 702)
    print(f"{low:.3f} {high:.3f} {rows_needed()} {verdict(list('aabb') * 9, list('aabb') * 9, list('abab') * 9)}")
