"""The report page of every kind of data in a real browser: verdict and picture first, nothing cut, nothing fetched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import howsure as hs

pytestmark = pytest.mark.browser

RANDOM = np.random.default_rng(17)
ROWS = 160
TRUTH = RANDOM.integers(0, 2, ROWS)
NAMES = ("logistic", "forest", "neighbours")


def flipped(truth: Any, share: float) -> Any:
    return np.where(RANDOM.random(len(truth)) < share, 1 - truth, truth)


def labels() -> hs.Table:
    return hs.table(TRUTH, {name: flipped(TRUTH, share) for name, share in zip(NAMES, (0.1, 0.12, 0.3), strict=True)})


def scores() -> hs.Table:
    noise = {name: 1 / (1 + np.exp(-(TRUTH - 0.5) * k - RANDOM.normal(size=ROWS))) for k, name in enumerate(NAMES, 1)}
    return hs.table(TRUTH, scores=noise)


def judged() -> hs.Table:
    answers, judge = flipped(TRUTH, 0.2), flipped(TRUTH, 0.08)
    known = [int(value) if at % 4 == 0 else None for at, value in enumerate(TRUTH)]
    return hs.table(known, {"bot": answers, "new bot": flipped(TRUTH, 0.15)}, judge=judge)


def runs() -> hs.Table:
    return hs.table(TRUTH, {name: [flipped(TRUTH, share + 0.02 * run) for run in range(4)]
                            for name, share in (("small", 0.25), ("large", 0.12))})  # fmt: skip


def tasks() -> hs.Table:
    return hs.tasks({name: labels() for name in ("news", "law", "chat", "code")})


def values() -> hs.Table:
    return hs.table(values={name: RANDOM.beta(k, 2, ROWS) for k, name in enumerate(NAMES, 2)}, range=(0, 1))


KINDS: dict[str, Callable[[], hs.Table]] = {
    "labels": labels, "scores": scores, "judge": judged, "runs": runs, "tasks": tasks, "values": values,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_is_on_the_first_screen(open_page: Callable[..., Any], kind: str, tmp_path: Any) -> None:
    path = hs.page(KINDS[kind](), tmp_path / f"{kind}.html")
    for width, height, scheme in ((1200, 800, "light"), (375, 700, "dark")):
        seen = open_page(width=width, scheme=scheme)
        seen.page.set_viewport_size({"width": width, "height": height})
        seen.page.goto(path.as_uri())
        verdict = seen.page.locator("h1").bounding_box()
        picture = seen.page.locator(".board:visible table").first.bounding_box()
        assert verdict["y"] + verdict["height"] <= picture["y"] + 1
        assert picture["y"] + picture["height"] <= 700, width
        assert len(seen.page.locator("h1").inner_text()) > 20
        assert seen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        cut = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
        assert seen.page.locator(".board:visible tbody th, .board:visible tbody td:not(.bar)").evaluate_all(cut) == []
        assert seen.faults() == []
        assert seen.errors == []
        assert seen.outside(path.as_uri()) == []
