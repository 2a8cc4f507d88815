"""The page's section on a judge: three bars, judge against people, the box of what to label next."""

from __future__ import annotations

import re

import numpy as np

import howsure as hs
from howsure.reports.page.judge import judge_section, sentence_of
from howsure.reports.page.sections import sections_of
from howsure.tables.table import Table


def judged(name: str = "bert") -> Table:
    rng = np.random.default_rng(0)
    truth = rng.random(600) < 0.4
    model, judge = (np.where(rng.random(600) < right, truth, ~truth).astype(int) for right in (0.85, 0.9))
    people = np.where(np.arange(600) < 60, truth.astype(float), np.nan)
    return hs.table(people, {name: model}, judge={"gpt4": judge})


def test_the_section_says_and_draws_three_ways() -> None:
    table = judged()
    report = hs.report(table, ["f1", "accuracy"])
    section = judge_section(table, report)
    assert section is not None
    both, people, alone = section.data["bars"]
    row = report["f1"]
    assert row.human is not None
    assert both.value == f"{row.value:.3f}"
    assert people.reach == f"{row.human.low:.3f} to {row.human.high:.3f}"
    assert alone.low is None
    assert both.high - both.low < people.high - people.low
    assert section.title == f"A judge beside people: 60 labels count like {round(60 * (row.gain or 0))}"
    assert "60 labels of people and 600 judgments" in sentence_of(row)
    assert sum(map(sum, section.data["against"]["cells"])) == 60
    rows = section.data["next"]["rows"]
    assert sum(int(labelled) for _, _, _, labelled, _ in rows) == 60
    assert sum(int(free) for _, _, free, _, _ in rows) == 540
    apart = sum(int(free) for judge, model, free, _, _ in rows if judge != model)
    assert section.data["next"]["title"] == f"Label next: among the {apart} rows where judge and bert disagree"


def test_the_page_holds_it_and_escapes_names() -> None:
    page = hs.page(judged("<b>bert</b>"))
    text = str(getattr(page, "html", page))
    assert 'id="judge"' in text
    assert "people alone" in text
    assert "<b>bert</b>" not in text
    drawn = text[text.index('id="judge"') :]
    assert re.findall(r'<circle class="(\w+)"', drawn[: drawn.index("</table>")]) == ["tie", "unsettled", "judge"]


def test_classes_count_the_rows_that_people_labelled() -> None:
    people = np.where(np.arange(600) < 60, np.arange(600) % 3, np.nan)
    page = hs.page(hs.table(people, np.arange(600) // 2 % 3, judge=np.arange(600) % 3))
    table = page[page.index("each class, worst first</caption>") :]
    assert re.findall(r"<td>(\d+|–)</td>", table[: table.index("</table>")]) == ["20"] * 6


def test_other_tables_have_no_such_section() -> None:
    table = hs.counts(tp=8, fp=2, fn=1, tn=9)
    assert sections_of(table, hs.report(table, ["f1"])) == ()


def test_of_one_model_it_is_the_picture_beneath_the_verdict() -> None:
    page = hs.page(judged())
    assert page.index("<h1>") < page.index('<section id="judge"') < page.index("with 95% intervals</caption>")
    assert page.count('<section id="judge"') == 1
    assert '<a href="#kinds">' not in page


def test_of_several_models_the_leaderboard_comes_first() -> None:
    rows = np.arange(600) % 2
    people = np.where(np.arange(600) < 60, rows.astype(float), np.nan)
    both = hs.table(people, {"bert": rows, "tiny": 1 - rows}, judge={"gpt4": rows})
    page = hs.page(both)
    assert page.index("</caption>") < page.index('<section id="judge"')
