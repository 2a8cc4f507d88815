"""What a comparison method needs of a pair: each returns what is missing, in words, or None."""

from __future__ import annotations

from howsure.comparisons.methods.discordant import why_not_counted
from howsure.comparisons.pair import Pair


def discordant_difference(pair: Pair) -> str | None:
    if pair.kind == "ratio":
        return "it is about differences, not ratios"
    return one_table(pair) or why_not_counted(pair)


def one_table(pair: Pair) -> str | None:
    if pair.crossing is not None:
        return "it resamples rows alone, and runs were sampled too"
    if pair.a.design.tasks_sampled:
        return "it knows rows alone, and here the tasks are a sample too"
    return None if pair.same_rows else "it needs both models on the same rows"


def sampled_runs(pair: Pair) -> str | None:
    return "it needs several runs of a model" if pair.crossing is None else None


def a_joint_table(pair: Pair) -> str | None:
    if not pair.same_rows:
        return one_table(pair)
    if not pair.a.design.ungrouped or not pair.a.contents.one_truth:
        return "it needs independent rows with one label each"
    counted = pair.a.contents.negatives
    return None if counted else "it needs the true negatives, which are not counted"
