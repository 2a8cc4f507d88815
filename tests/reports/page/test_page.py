"""The report page: every part is there, nothing is fetched, and no label can break out of its cell."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure.reports.page.checklists import answers, methods_paragraph
from howsure.reports.page.contents import page_contents
from howsure.reports.page.page import page_of, table_page

EVIL = '<script>alert("x")</script>'
QUOTE = 'it\'s "quoted" & 5 < 6'
EMOJI = "猫 🐈 é"
TRUTH = [EVIL, QUOTE, EMOJI, EVIL, QUOTE, EMOJI] * 8
MODELS = {
    EVIL: [EVIL, QUOTE, EMOJI, QUOTE, QUOTE, EMOJI] * 8,
    QUOTE: [EVIL, EVIL, EMOJI, EVIL, QUOTE, EMOJI] * 8,
    EMOJI: [EMOJI, QUOTE, EMOJI, EVIL, EVIL, EVIL] * 8,
}
KINDS = ("application/json", "application/gzip", "text/csv")
VOID = {"meta", "br", "img", "input", "link", "wbr"}


class Page(HTMLParser):
    """Reads a page as a browser would: tags in order, ids, text, and where links go."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: dict[str, int] = {}
        self.text: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action", "data", "poster") and tag != "use":
                self.links.append(value or "")
            assert not name.startswith("on"), f"<{tag}> runs {name}"
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


@pytest.fixture(scope="module")
def table() -> hs.Table:
    return hs.table(TRUTH, MODELS)


@pytest.fixture(scope="module")
def source(table: hs.Table) -> str:
    halves = hs.slices(TRUTH, MODELS, by=[EVIL, "second"] * 24)
    parts = {str(name): hs.report(part) for name, part in halves.items()}
    return table_page(table, slices=parts)


@pytest.fixture(scope="module")
def read(source: str) -> Page:
    return Page(source)


def test_the_page_is_whole(source: str, read: Page) -> None:
    assert source.startswith("<!doctype html>")
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    assert read.tags["main"] == read.tags["h1"] == read.tags["body"] == 1


def test_every_section_is_there_and_linked(read: Page) -> None:
    wanted = ["metrics", "pairs", "classes", "slices", "cover", "paper", "details"]
    assert [name for name in read.ids if name in wanted] == wanted
    inside = [link[1:] for link in read.links if link.startswith("#")]
    assert set(inside) == {*wanted, "main"}
    assert set(inside) <= set(read.ids)


def test_labels_stay_text(source: str, read: Page) -> None:
    assert read.tags["script"] == 1  # our own; the label's is text
    text = " ".join(read.text)
    for label in (EVIL, QUOTE, EMOJI):
        assert label in text
    assert EVIL not in source


def test_nothing_is_fetched(source: str, read: Page) -> None:
    assert all(link.startswith(("#", *(f"data:{kind};base64," for kind in KINDS))) for link in read.links)
    assert "@import" not in source
    assert not re.search(r"url\(|https?://|//[a-z]+\.", re.sub(r"base64,[A-Za-z0-9+/=]+", "", source))


def held(link: str) -> str:
    """Return what a link carries along, a large file unpacked."""
    data = base64.b64decode(link.partition("base64,")[2])
    return (gzip.decompress(data) if "gzip" in link[:40] else data).decode()


def test_the_download_holds_the_numbers(table: hs.Table, read: Page) -> None:
    link, table_link = [link for link in read.links if link.startswith("data:")]
    made, rows = json.loads(held(link)), list(csv.DictReader(io.StringIO(held(table_link))))
    values = [row["value"] for row in made["rows"]]
    assert [float(row["value"]) for row in rows[: len(values)]] == [float(f"{value:.9g}") for value in values]
    assert made["schema"] == "howsure/report/1"
    assert made["matrices"][EVIL] == table.pick(EVIL).matrix().tolist()
    assert [row["value"] for row in made["rows"]] == [row.value for row in hs.report(table)]
    assert len(made["comparisons"][0]["rows"]) == 3


def test_what_the_page_holds(table: hs.Table) -> None:
    made = page_contents(table)
    assert made.report.models == (EVIL, QUOTE, EMOJI)
    assert {one.metric for one in made.comparisons} == set(made.report.metrics)
    assert made.per_class is not None
    assert len(made.per_class) == 3 * 3 * 3
    assert made.about["n"] == 48
    assert made.signature.startswith(f"howsure|v={hs.__version__}|metrics=")


def test_one_model_has_no_comparison() -> None:
    made = page_contents(hs.counts(tp=77, fp=44, fn=10, tn=702))
    assert made.comparisons == ()
    read = Page(page_of(made))
    assert "pairs" not in read.ids
    text = " ".join(read.text)
    assert "F1 is 0.740" in text
    assert "F1 0.740 (95% interval 0.668 to 0.802)" in text
    assert "Most confused: 0 called 1, 44 of 746 rows." in text


def test_a_matrix_without_negatives_says_so() -> None:
    assert "not counted" in " ".join(Page(table_page(hs.counts(tp=7, fp=2, fn=1))).text)


def test_groups_are_named_in_the_methods() -> None:
    grouped = hs.table(TRUTH, MODELS[EVIL], groups=[at // 4 for at, _ in enumerate(TRUTH)])
    text = methods_paragraph(page_contents(grouped))
    assert "from 48 rows of 12 groups" in text
    assert "Rows of one group are treated as alike." in text


def test_checklists_claim_nothing(table: hs.Table) -> None:
    found = answers(page_contents(table))
    assert [item.split(",")[0] for item, _ in found] == [
        "NeurIPS checklist", "ACL responsible NLP checklist", "STARD 2015", "TRIPOD+AI", "CLAIM 2024",
    ]  # fmt: skip
    assert not any(re.search(r"\b(compl(y|ies|iant)|compliance)\b", text) for _, text in found)


def test_a_report_alone_is_a_page() -> None:
    made = hs.intervals(hs.counts(tp=77, fp=44, fn=10), "f1")
    read = Page(made.to_html())
    assert read.open == []
    assert {"paper", "details"} <= set(read.ids)
    assert read.tags["circle"] == len(made)


def test_only_drawings_are_not_escaped() -> None:
    """What a template writes as it is must come from our own drawers."""
    sources = [path.read_text(encoding="utf-8") for path in (files("howsure.reports.page") / "templates").iterdir()]
    kept = [found for source in sources for found in re.findall(r"\{\{ *(.*?) *\| *safe *\}\}", source)]
    assert len(sources) > 10
    assert sorted(kept) == ["drawing", "one.html"]
    assert sum(len(re.findall(r"(?<!un)safe|autoescape", source)) for source in sources) == 2


def test_without_jinja2_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "import howsure as hs\n"
        "made = hs.report(hs.counts(tp=77, fp=44, fn=10), 'f1')\n"
        "str(made), made.to_markdown(), made.to_latex(), made._repr_html_()\n"
        "try: made.to_html()\n"
        "except hs.HowsureError as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == (
        "MissingExtra the report page needs the package 'jinja2'; install it with: pip install 'howsure[page]'"
    )


def test_notebook_tables_are_escaped(table: hs.Table) -> None:
    for made in (hs.report(table, ["accuracy"]), hs.compare_all(table, "accuracy"), hs.report(table, ["accuracy"])[0]):
        text = made._repr_html_()
        read = Page(text)
        assert read.open == []
        assert read.tags.get("script", 0) == text.count('class="sortable" data-plain')
        assert EVIL in "".join(read.text)


# --- what it says, and how large it is ---------------------------------------------------------------------------


def birds(models: int = 10) -> hs.Table:
    """Ten models from good to bad on the same 200 rows."""
    random = np.random.default_rng(1)
    truth, hard = random.integers(0, 2, 200), random.random(200)
    levels = np.linspace(0.9, 0.3, models)
    found = {
        f"bird {at}": np.where((random.random(200) + hard) / 2 < level, truth, 1 - truth)
        for at, level in enumerate(levels)
    }
    return hs.table(truth, found)


def asked(models: int, classes: int = 11) -> hs.Table:
    """Models with names of some length that answer 12,000 questions by a letter or none, which is a class too."""
    random = np.random.default_rng(2)
    letters = np.array(["none", *"ABCDEFGHIJ"])[:classes]
    truth = random.choice(letters[1:], 12_000)
    levels = np.linspace(0.2, 0.45, models)
    found = {
        f"model{at}_8b_instruct": np.where(random.random(12_000) < level, truth, random.choice(letters, 12_000))
        for at, level in enumerate(levels)
    }
    return hs.table(truth, found)


def test_ten_models_ten_metrics_and_eleven_classes_are_below_300_kb() -> None:
    metrics = [
        "accuracy", "macro_f1", "macro_precision", "macro_recall", "weighted_f1", "kappa", "mcc", "weighted_precision",
        "micro_f1", "weighted_recall",
    ]  # fmt: skip
    table = asked(10)
    source = table_page(table, hs.report(table, metrics))
    assert len(source.encode()) < 300_000
    assert source.count('<table class="cm">') == 10
    classes = source[source.index('<section id="classes"') : source.index('<section id="cover"')]
    assert classes.count("<small>") == 10 * 11 * 3  # intervals
    assert classes.count("<br>") == 10 * 11 * 2  # counts


def test_an_empty_label_has_a_word() -> None:
    read = Page(table_page(hs.table(["", "a", "b", "a"] * 9, ["a", "a", "b", ""] * 9)))
    assert read.text.count("(empty)") >= 3
    assert "Most confused: (empty) called a, 9 of 9 rows." in " ".join(read.text)


def test_lines_of_a_leaderboard_are_written_once() -> None:
    source = table_page(birds(3))
    for key in set(re.findall(r'<use href="#(\w+)"', source)):
        assert source.count(f'id="{key}"') == 1
    assert source.count('<g id="m0g"') == 1


def test_ten_models_and_ten_metrics_are_below_250_kb() -> None:
    metrics = ["f1", "accuracy", "precision", "recall", "specificity", "npv", "jaccard", "mcc", "balanced_accuracy", "kappa"]  # fmt: skip # noqa: E501
    table = birds()
    source = table_page(table, hs.report(table, metrics))
    assert len(source.encode()) < 250_000
    read = Page(source)
    assert read.tags["h1"] == 1
    for board in metrics:
        assert f'id="m{metrics.index(board)}"' in source
    assert "Content-Security-Policy" in source


def test_brackets_in_a_name_do_not_part_the_headline() -> None:
    truth = [0, 1] * 100
    models = {"gpt (mini)": truth, "b (x) c": [0] * 200, "d": [0, 1, 1, 0] * 50}
    several = hs.compare_all(hs.table(truth, models), "accuracy").ranking
    assert several.headline == (several.sentence, "")
    assert several.sentence.startswith("gpt (mini) is the best")
    head, size = hs.compare_all(hs.table(truth, dict(list(models.items())[:2])), "accuracy").ranking.headline
    assert head.startswith("gpt (mini) is better than b (x) c in accuracy, by ")
    assert size.startswith("(95% interval; zero")
    mine = hs.Metric("mine (of 2)", lambda cells: cells.tp / (cells.tp + cells.fn))
    table = hs.counts(tp=40, fp=5, fn=10, tn=45)
    shown = " ".join(Page(table_page(table, hs.report(table, [mine]))).text)
    assert re.search(r"Mine \(of 2\) is 0\.800\s+\(95% interval", shown)


def test_the_page_says_the_same_as_the_ranking() -> None:
    table = birds(4)
    made = hs.report(table, ["accuracy", "f1"])
    text = " ".join(" ".join(Page(table_page(table, made)).text).split())
    ranked = hs.compare_all(table, "accuracy").ranking
    assert ranked.headline[0] in text
    assert f"{ranked.settled} of {ranked.size} have a clear winner" in text
    for row in ranked:
        assert row.words in text


def test_no_python_and_no_terms_of_the_trade(source: str, read: Page) -> None:
    shown = " ".join(read.text)
    for word in ("compare()", "joint=True", "report(", ".notes", "simultaneous"):
        assert word not in shown


def test_a_kind_of_data_adds_its_section(monkeypatch: pytest.MonkeyPatch) -> None:
    from howsure.reports.page import sections
    from howsure.tables.labels import Labels

    monkeypatch.setattr(Labels, "sections", ("extra",))
    monkeypatch.setitem(
        sections.MAKERS,
        "extra",
        lambda table, report: sections.Section("extra", "One more thing", "why", "<svg></svg>"),
    )
    read = Page(table_page(birds(2)))
    assert "extra" in read.ids
    assert "One more thing" in " ".join(read.text)


def test_a_long_name_breaks_between_its_parts() -> None:
    page = hs.page(hs.table([0, 1, 1, 0], {"qwen15_7b-chat": [0, 1, 1, 1], "<b>_x": [1, 1, 1, 0]}))
    assert '<th scope="row">qwen15_<wbr>7b-<wbr>chat</th>' in page
    assert '<th scope="row">&lt;b&gt;_<wbr>x</th>' in page


def test_the_line_beneath_the_verdict_says_what_was_held_fixed(source: str) -> None:
    (line,) = re.findall(r'<p class="measured">(.*?)</p>', source)
    assert line.endswith("held fixed: the models, their training and the labels")


def test_hs_page(tmp_path: Path) -> None:
    table = birds(3)
    shown = hs.page(table, metrics=["f1", "recall"])
    assert shown.startswith("<!doctype html>")
    assert shown._repr_html_().startswith("<iframe srcdoc=")
    path = hs.page(table, tmp_path / "out.html", metrics=["f1", "recall"])
    assert path.read_text(encoding="utf-8") == shown


def test_one_pair_is_no_count_of_pairs() -> None:
    truth = [1, 0] * 50
    near, far = [1, 0, 1, 0, 0] * 20, [1, 0] * 49 + [0, 1]
    tied = hs.report(hs.table(truth, {"a": near, "b": near[::-1]}), ["accuracy"]).to_html()
    assert "Difference in accuracy: not settled" in tied
    assert (
        "Difference in accuracy: settled" in hs.report(hs.table(truth, {"a": near, "b": far}), ["accuracy"]).to_html()
    )
    assert "of 1 have" not in tied
