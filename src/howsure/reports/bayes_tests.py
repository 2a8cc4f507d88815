"""Bayes tests in every form: one row per metric, with the credible intervals of both models beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from howsure.reports.align import aligned
from howsure.reports.grid import plain_table
from howsure.reports.latex import columns_of, decimal_cell, table_environment
from howsure.reports.latex import escaped as latex_escaped
from howsure.reports.markdown import escaped as markdown_escaped
from howsure.results.bayes_test import BayesTest
from howsure.results.words import decimals_for, number, percent

HEADER = ("metric", "a", "b", "b − a", "low", "high", "P(H0)", "P(H1)", "decision")

Tests = BayesTest | Sequence[BayesTest]


def _listed(made: Tests) -> Sequence[BayesTest]:
    return [made] if isinstance(made, BayesTest) else made


def printed(test: BayesTest) -> tuple[str, ...]:
    """Return the printed parts of a test."""
    places = decimals_for(test.low, test.high)
    values = (number(value, places) for value in (test.value_a, test.value_b, test.difference, test.low, test.high))
    return (test.metric, *values, f"{test.p_h0:.4g}", f"{test.p_h1:.4g}", test.decision)


def caption(tests: Sequence[BayesTest]) -> str:
    """Return the sentence under a table of tests."""
    first = tests[0]
    factors = " and ".join(dict.fromkeys(f"{factor:.4g}" for factor in first.factors if factor is not None))
    scaled = f", factor {factors}" if factors else ""
    return (
        f"a = {first.a}, b = {first.b}. H0: b − a ≤ 0; H1: b − a > 0. low and high: {percent(first.level)} credible "
        f"interval of b − a; {first.pairing} posteriors, prior {first.prior:g} per cell{scaled}."
    )


def bayes_text(tests: Sequence[BayesTest], *, notes: Sequence[str] = ()) -> str:
    """Return tests as aligned text; several share their notes, said once."""
    table = [HEADER, *(printed(test) for test in tests)]
    lines = aligned(table, range(1, len(HEADER) - 1))
    said = [test.sentence for test in tests]
    return "\n".join([*lines, "", caption(tests), *said, *(f"note: {note}" for note in notes)])


def bayes_markdown(made: Tests) -> str:
    """Return tests as a Markdown table."""
    tests = _listed(made)
    head = ["| " + " | ".join(HEADER) + " |", "|---|" + "---:|" * (len(HEADER) - 2) + "---|"]
    body = ["| " + " | ".join(markdown_escaped(cell) for cell in printed(test)) + " |" for test in tests]
    return "\n".join([*head, *body, "", caption(tests)])


def bayes_latex(made: Tests) -> str:
    """Return tests as a LaTeX table (booktabs)."""
    tests = _listed(made)
    names = ("$a$", "$b$", "$b-a$", "low", "high", "$P(H_0)$", "$P(H_1)$")
    head = ["metric", *(rf"\multicolumn{{2}}{{c}}{{{name}}}" for name in names), "decision"]
    body = []
    for test in tests:
        metric, *numbers, decision = printed(test)
        body.append([latex_escaped(metric), *map(decimal_cell, numbers), latex_escaped(decision)])
    return table_environment("l" + columns_of(True) * len(names) + "l", head, body, caption(tests))


def bayes_html(made: Tests) -> str:
    """Return tests as an HTML table."""
    tests = _listed(made)
    table = plain_table(HEADER, map(printed, tests), frozenset(range(1, len(HEADER) - 1)), caption(tests))
    return table + "".join(f"<p>{escape(test.sentence)}</p>" for test in tests)
