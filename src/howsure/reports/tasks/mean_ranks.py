"""Mean ranks over tasks: a table, and the critical-difference diagram."""

from __future__ import annotations

import math

from howsure.reports.figures import picture
from howsure.reports.figures.picture import Axis, Line, Mark, Panel
from howsure.reports.grid import Grid, columns, noted, sentences
from howsure.results.sentences.phrases import phrase
from howsure.results.tasks.mean_ranks import MeanRanks
from howsure.results.words import number, percent, worded


def ranks_grid(made: MeanRanks, *, quiet: bool = False) -> Grid:
    """Return the mean rank of each model, best first, and the models it is not told apart from."""
    rows = tuple((name, number(made.ranks[name], 2), _joined_with(made, name)) for name in made.order)
    records = tuple({"model": name, "mean_rank": made.ranks[name]} for name in made.order)
    notes = () if quiet else noted(made.notes, "text", "markdown", "notebook")
    header = columns("model", "mean rank", "not told apart from", numbers=("mean rank",))
    return Grid(header, rows, _caption(made), records, (*sentences(repr(made), made.sentence), *notes))


def _joined_with(made: MeanRanks, name: str) -> str:
    others = [other for other in made.order if abs(made.ranks[other] - made.ranks[name]) <= made.critical_difference]
    return worded([other for other in others if other != name]) if len(others) > 1 else "–"


def _caption(made: MeanRanks) -> str:
    return phrase("friedman caption", cd=number(made.critical_difference, 2), level=percent(made.level))


def ranks_panel(made: MeanRanks) -> Panel:
    """Describe the critical-difference diagram (Demšar 2006): models at their mean ranks, bars over those not apart."""
    order, cliques = made.order, made.cliques
    marks: list[Mark] = []
    for at, name in enumerate(order):
        rank = made.ranks[name]
        marks.append(picture.dots((rank,), (at,), name="point", label=name, said=f"{name} {number(rank, 2)}"))
    for at, clique in enumerate(cliques):
        ends = (made.ranks[clique[0]] - 0.04, made.ranks[clique[-1]] + 0.04)
        height = -1 - 0.5 * at
        marks.append(Line(ends, (height, height), name="clique", colour=picture.BLACK, width=4))
    top = -1.4 - 0.5 * len(cliques)
    marks.append(Line((1, 1 + made.critical_difference), (top, top), name="critical difference", colour=picture.GREY))
    words = f"CD {number(made.critical_difference, 2)}"
    marks.append(picture.Words(1 + made.critical_difference / 2, top - 0.45, words, colour=picture.GREY))
    most = max(float(len(order)), 1 + made.critical_difference)
    return Panel(
        across=Axis(most + 0.3, 0.7, label=f"mean rank in {made.said}", ticks=range(1, math.floor(most) + 1)),
        up=Axis(len(order) - 0.4, top - 1.0, names=order),
        marks=marks, caption=_caption(made), size=(7.2, 1.6 + 0.3 * (len(order) + len(cliques))),
        described="; ".join(f"{name} {number(made.ranks[name], 2)}" for name in order),
    )  # fmt: skip
