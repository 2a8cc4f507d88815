"""A user's program, checked with `mypy --strict` and pyright: the types that the library promises.

`make check` checks it against the sources, `make dist` against the installed wheel, and runs it there.
"""

from __future__ import annotations

import howsure as hs
from howsure.scores import f1_score


def interval(tp: int, fp: int, fn: int, tn: int) -> tuple[float, float]:
    """Return an F1 score's 95 % limits."""
    table: hs.Table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
    estimate: hs.Estimate = hs.estimate(table, "f1", method="wilson", level=0.95)
    value: float = estimate.value
    assert estimate.low <= value <= estimate.high
    return estimate.low, estimate.high


def percentage(truth: list[int], model: list[int]) -> float:
    """Use an estimate as the float that it is."""
    score: hs.Estimate = f1_score(truth, model)
    wider: hs.Estimate = score.at(0.99).by("wald")
    plain: float = 100 * score
    return plain if score <= wider.high else max(score, 0.5)


def verdict(truth: list[str], first: list[str], second: list[str]) -> str:
    """Compare two models and say which is ahead."""
    table = hs.table(truth, {"first": first, "second": second})
    report: hs.Report = hs.report(table, ["accuracy", hs.macro("f1")], level=0.9)
    comparison: hs.Comparison = hs.compare(table, "macro_f1", a="first", b="second")
    every: hs.Comparisons = hs.compare_all(table, "macro_f1", method="permutation")
    p_value: float | None = comparison.p_value
    kinds: set[str] = {note.kind for row in report for note in row.notes}
    named: tuple[str, ...] = every.tied_with_best
    return f"{comparison.difference:+.3f}, p = {p_value}, notes of {len(kinds)} kinds, {len(named)} may be best"


def passes(truth: list[int], model: list[int]) -> bool:
    """Ask a gate about a metric of one's own."""
    own: hs.Metric = hs.Metric("hits", lambda c: c.tp / (c.tp + c.fn), range=(0, 1))
    gate: hs.Gate = hs.gate(hs.table(truth, model), own, at_least=0.5)
    return gate.verdict == "pass" and gate.exit_code == 0


def rows_needed() -> int | None:
    """Plan a test set."""
    plan = hs.plan("f1", half_width=0.02, prevalence=0.1)
    return plan.n if isinstance(plan, hs.Plan) else None  # of runs, or with a judge, it is a plan of another kind


if __name__ == "__main__":
    low, high = interval(77, 44, 10, 702)
    ones, twos = [1, 0, 1, 1, 0] * 9, [1, 0, 0, 1, 0] * 9
    print(f"{low:.3f} {high:.3f} {rows_needed()} {verdict(list('aabb') * 9, list('aabb') * 9, list('abab') * 9)}")
    print(f"{percentage(ones, twos):.1f} {passes(ones, twos)}")
