"""The page "Coming from another package": each peer's own call and ours print what the page shows.

Our half runs in `make test` too, with all pages. The peers' half needs the environment that `make test-friends` makes.
"""

from __future__ import annotations

import importlib.util
import io
import random
import re
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from support.doc_blocks import assert_shown, blocks_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "coming-from.md"
PEERS = ("confidenceinterval", "prob_conf_mat", "stambo", "MLstatkit", "evalci", "statsmodels", "mlxtend", "pycm",
         "seqeval", "nervaluate")  # fmt: skip
BLOCKS = blocks_of(PAGE) if PAGE.exists() else []

pytestmark = [pytest.mark.friends, pytest.mark.skipif(not PAGE.exists(), reason="needs a clone, with its docs")]


def printed(code: str) -> str:
    """Return what code prints on its standard output; what it warns of, or shows of its progress, is its own affair."""
    with redirect_stdout(io.StringIO()) as caught, redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, str(PAGE), "exec"), {"__name__": "page"})
    return caught.getvalue()


def section(peer: str, language: str) -> tuple[str, str]:
    """Return a block of a peer's section, theirs ("py") or ours ("python"), and what the page says that it prints."""
    calls = [place for place, block in enumerate(BLOCKS) if block.language == language]
    place = calls[PEERS.index(peer)]
    assert BLOCKS[place + 1].language == "text"
    return BLOCKS[place].text, BLOCKS[place + 1].text


def test_the_page_has_a_section_for_each() -> None:
    headings = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(headings) == PEERS
    asked = [line.partition("==")[0] for line in (Path(__file__).with_name("peers.txt")).read_text().splitlines()]
    assert set(PEERS) <= set(asked)


@pytest.mark.parametrize("peer", PEERS)
def test_their_call_gives_their_numbers(peer: str) -> None:
    if importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed; make test-friends installs it")
    code, shown = section(peer, "py")
    assert f"{peer}" in code
    assert_shown(shown, printed(code), peer)


@pytest.mark.parametrize("peer", PEERS)
def test_our_call_gives_ours(peer: str) -> None:
    code, shown = section(peer, "python")
    assert_shown(shown, printed(code), peer)


def sentence(size: int, chance: random.Random) -> list[str]:
    """Return random IOB2 tags."""
    tags: list[str] = []
    while len(tags) < size:
        kind = chance.choice(("A", "B"))
        tags += ["O"] if chance.random() < 0.4 else [f"B-{kind}", *[f"I-{kind}"] * chance.randint(0, 2)]
    return tags[:size]


def test_looser_matches_are_nervaluates() -> None:
    evaluator = pytest.importorskip("nervaluate.evaluator", reason="make test-friends installs nervaluate")
    chance = random.Random(1)
    for _ in range(150):
        sizes = [chance.randint(3, 9) for _ in range(3)]
        true, guess = ([sentence(size, chance) for size in sizes] for _ in range(2))
        found: Any = evaluator.Evaluator(true, guess, tags=["A", "B"], loader="list").evaluate()["overall"]
        for theirs, match in (("strict", "exact"), ("ent_type", "type"), ("partial", "partial")):
            table = hs.spans(true, guess, scheme="IOB2", match=match)
            for name in ("precision", "recall", "f1"):
                value = float(hs.estimate(table, name))
                expected = getattr(found[theirs], name)
                assert (0.0 if value != value else value) == pytest.approx(expected, abs=1e-12)
