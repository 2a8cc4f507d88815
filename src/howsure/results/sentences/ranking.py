"""Ranking: who is best, tied or clearly worse, in one sentence and in order, by the pairs of a comparison.

Every face that shows several models begins with it: text, page, notebook, Markdown. It is computed once from the pairs
(``Comparisons.ranking``), so that all say the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from howsure.results.sentences.phrases import phrase
from howsure.results.words import number, numeral, tight, worded

if TYPE_CHECKING:
    from howsure.results.comparison import Comparison, Comparisons
    from howsure.results.estimate import Estimate

Place = Literal["best", "tied", "behind", "worse", "undefined", "none"]
POWER = 0.8
MOST_NAMED = 4
SAME = 1e-12  # values nearer than this have the same rank: the last bits of a sum are no order


@dataclass(frozen=True)
class Standing:
    """One model of a ranking; ``rank`` is the range of ranks that the pairs leave open."""

    model: str
    estimate: Estimate
    rank: tuple[int, int] | None
    place: Place
    parted: bool = False
    """Whether every pair of this model or one above with one below is settled: a line may be drawn under it."""

    @property
    def words(self) -> str:
        """What the model is against the best, in two or three words."""
        return phrase(f"standing {self.place}")

    @property
    def leads(self) -> bool:
        """Whether the model may be the best."""
        return self.place in ("best", "tied")

    @property
    def ranks(self) -> str:
        """The rank as text: '3', or '1–2' where the order is not settled."""
        if self.rank is None:
            return "–"
        low, high = self.rank
        return rank_text(low, high)


@dataclass(frozen=True)
class Ranking:
    """Models in order of their value, with what the pairs settle, and the sentence that says it."""

    metric: str
    rows: tuple[Standing, ...]
    settled: int
    size: int
    level: float
    sentence: str
    caution: str = ""
    behind: str = ""
    brief: tuple[str, str] | None = None
    among: str = "models"

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.rows)

    def __getitem__(self, model: str) -> Standing:
        return next(row for row in self.rows if row.model == model)

    @property
    def headline(self) -> tuple[str, str]:
        """What stands in large letters, in two parts: the sentence, and the size of it in brackets if there is one."""
        said = self.sentence if self.brief is None else self.brief[0]
        return in_two(said, [row.estimate for row in self.rows])

    @property
    def heading(self) -> str:
        """What heads the column of names: 'model', or 'slice'."""
        return self.among.removesuffix("s")

    @property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """Groups of models between which every pair is settled, best first."""
        groups: list[list[str]] = [[]]
        for row in self.rows:
            groups[-1].append(row.model)
            if row.parted:
                groups.append([])
        return tuple(tuple(group) for group in groups if group)

    @property
    def pairs_said(self) -> str:
        """How many pairs have a clear winner."""
        return phrase(
            "settled short", settled=self.settled, size=self.size, have="has" if self.settled == 1 else "have"
        )


def ranking_of(made: Comparisons) -> Ranking:
    """Return the ranking by all pairs of a comparison; of one against a baseline or the best, by what was compared."""
    better = made.rows[0].better if made.rows else None
    values = {row.model: float(row.value) for row in made.estimates}
    known = [row for row in made.estimates if math.isfinite(values[row.model])]
    lost = [row for row in made.estimates if not math.isfinite(values[row.model])]
    order = sorted(known, key=lambda row: values[row.model], reverse=better != "lower")
    pairs = {frozenset((row.a, row.b)): row for row in made.rows}
    ranges = rank_ranges(made) if better is not None and made.versus == "pairs" else {}
    places = _places(order, pairs, better)
    standings = [
        Standing(row.model, row, ranges.get(row.model), places[row.model], parted)
        for row, parted in zip(order, _parted([row.model for row in order], pairs), strict=True)
    ] + [Standing(row.model, row, None, "undefined") for row in lost]
    settled = sum(row.decided for row in made.rows)
    sentence, caution, behind = _words(made, standings, pairs)
    brief = _brief(made, standings, pairs)
    return Ranking(
        made.metric, tuple(standings), settled, len(made.rows), made.level, sentence, caution, behind, brief, made.among
    )  # fmt: skip


def in_two(said: str, rows: Sequence[Estimate]) -> tuple[str, str]:
    """Return a sentence before and from its own bracket; brackets in the names of models and metrics are no such."""
    names = {name for row in rows for name in (row.model, row.said, row.said[:1].upper() + row.said[1:])}
    hidden = said
    for name in sorted(names, key=len, reverse=True):
        hidden = hidden.replace(name, "-" * len(name))
    at = hidden.find(" (")
    return (said, "") if at < 0 else (said[:at], said[at + 1 :])


def rank_text(low: int, high: int) -> str:
    """Return a rank as text: '3', or '1–2' where the order is not settled."""
    return str(low) if low == high else f"{low}–{high}"


def rank_ranges(made: Comparisons) -> dict[str, tuple[int, int]]:
    """Return the ranks that the settled pairs leave open for each model that has a value."""
    known = [row.model for row in made.estimates if math.isfinite(row.value)]
    won = [row.winner for row in made.rows if row.winner is not None]
    lost = [row.a if row.winner == row.b else row.b for row in made.rows if row.winner is not None]
    return {name: (1 + lost.count(name), len(known) - won.count(name)) for name in known}


def ranks(made_of: Sequence[Estimate], better: str | None) -> dict[str, int]:
    """Return whole ranks by value, the same for the same value; none without a better direction."""
    if better is None:
        return {}
    sign = -1 if better == "lower" else 1
    values = {row.model: sign * float(row.value) for row in made_of if math.isfinite(row.value)}
    return {name: 1 + sum(other > value + SAME for other in values.values()) for name, value in values.items()}


def _places(order: Sequence[Estimate], pairs: dict[frozenset[str], Comparison], better: str | None) -> dict[str, Place]:
    """Return each model against the first: tied if the pair is not settled, behind if not told from all tied."""
    if better is None or not order:
        return {row.model: "none" for row in order}
    names = [row.model for row in order]
    tied = [name for name in names if name == names[0] or not _settled(pairs, names[0], name)]
    places: dict[str, Place] = dict.fromkeys(tied, "tied" if len(tied) > 1 else "best")
    for name in names:
        if name not in tied:
            places[name] = "worse" if all(_settled(pairs, other, name) for other in tied) else "behind"
    return places


def _settled(pairs: dict[frozenset[str], Comparison], one: str, other: str) -> bool:
    found = pairs.get(frozenset((one, other)))
    return found is not None and found.decided


def _parted(names: Sequence[str], pairs: dict[frozenset[str], Comparison]) -> list[bool]:
    """Return after which models a line may be drawn: every pair across it is settled; none after the last."""
    return [
        at < len(names) and all(_settled(pairs, above, below) for above in names[:at] for below in names[at:])
        for at in range(1, len(names) + 1)
    ]


# --- words -------------------------------------------------------------------------------------------------------


def _words(
    made: Comparisons, standings: Sequence[Standing], pairs: dict[frozenset[str], Comparison]
) -> tuple[str, str, str]:
    known = [row for row in standings if row.place != "undefined"]
    if len(made.estimates) == 2 and len(made.rows) == 1:
        return made.rows[0].sentence, "", ""
    if made.rows and made.rows[0].better is None:
        return phrase("no direction", metric=made.said), "", ""
    tied = [row.model for row in known if row.leads]
    if len(known) < 2 or made.versus != "pairs":
        return made.settled_said, "", ""
    rest = [row.model for row in known if row.place == "worse"]
    behind = [row.model for row in known if row.place == "behind"]
    return (
        _sentence(made, known, tied, rest, behind, pairs),
        _caution(made, known, tied, pairs),
        _behind(known, tied, behind, pairs),
    )


def _brief(
    made: Comparisons, standings: Sequence[Standing], pairs: dict[frozenset[str], Comparison]
) -> tuple[str, str] | None:
    """Return that two models are tied, and apart from it what that does not mean; None where more is to be said."""
    tied = [row.model for row in standings if row.leads]
    plain = all(row.meaning != "anytime" and not row.beside for row in made.rows)
    if len(standings) != 2 or len(made.rows) != 1 or len(tied) != 2 or not plain:
        return None
    said = phrase("two tied", tied=worded(tied), metric=made.said)
    return said, _caution(made, standings, tied, pairs)


def _sentence(
    made: Comparisons, known: Sequence[Standing], tied: list[str], rest: list[str], behind: list[str],
    pairs: dict[frozenset[str], Comparison],
) -> str:  # fmt: skip
    metric = made.said
    if len(tied) == len(known):
        return phrase(
            "two tied" if len(tied) == 2 else "all tied",
            tied=worded(tied, most=3),
            size=numeral(len(tied)),
            among=made.among,
            metric=metric,
        )
    if len(tied) == 1:
        gap = pairs[frozenset((tied[0], known[1].model))]
        return phrase("one best", best=tied[0], next=known[1].model, metric=metric, gap=_gap(gap))
    if behind or len(rest) > MOST_NAMED:
        return phrase("tied for best", tied=worded(tied, most=3), metric=metric)
    nearest = [pairs[frozenset((one, other))] for one in tied for other in rest]
    lower = "" if made.rows[0].better == "higher" else ", lower"
    said = f"{worded(rest, most=3)} {'is' if len(rest) == 1 else 'are'}"
    return phrase(
        f"tied, worse{lower}",
        tied=worded(tied, most=3),
        rest=said,
        metric=metric,
        gap=_least(nearest) if len(rest) > 1 else _gap(pairs[frozenset((tied[-1], rest[0]))]),
    )


def _gap(row: Comparison) -> str:
    return tight(*_ahead(row))


def _ahead(row: Comparison) -> tuple[float, float]:
    """Return how far the better of two is ahead; Holm's p-value may settle a pair whose interval begins below 0."""
    return (row.low, row.high) if row.difference > 0 else (-row.high, -row.low)


def _least(rows: Sequence[Comparison]) -> str:
    """Return how far all of these pairs are apart at least; the intervals hold together."""
    least = min(_ahead(row)[0] for row in rows)
    return f"{tight(least, least)} or more"


def _caution(
    made: Comparisons, known: Sequence[Standing], tied: list[str], pairs: dict[frozenset[str], Comparison]
) -> str:
    """Return what keeps the sentence from being over-read: tied is not equal, and what these rows could settle."""
    if len(tied) < 2:
        return ""
    row = pairs[frozenset(tied[:2])]
    reaches = detectable(row.se, made.critical_value or NormalDist().inv_cdf(0.5 + made.level / 2))
    foreseen = 0 < reaches < math.inf and row.meaning != "anytime" and attainable(row, reaches)
    size = phrase("would be settled", size=number(reaches)) if foreseen else ""
    if len(tied) == 2:
        up, down = (row.high, -row.low) if row.b == tied[0] else (-row.low, row.high)
        if row.better == "lower":
            up, down = down, up
        text = phrase(
            "not equal", first=tied[0], second=tied[1], most=number(max(up, 0.0)), least=number(max(down, 0.0))
        )
        return text + size
    apart = phrase("between", first=tied[0], second=tied[1], size=number(reaches)) if size else ""
    sampled = known[0].estimate.sampled if row.paired else row.sampled
    return phrase("not told apart", sampled=sampled.capitalize()) + apart


def _behind(
    known: Sequence[Standing], tied: list[str], behind: list[str], pairs: dict[frozenset[str], Comparison]
) -> str:
    """Say it where groups overlap: behind the first, and not told apart from all that are tied with it."""
    if not behind:
        return ""
    if len(behind) > 1:
        return phrase("behind, more", models=worded(behind, most=3), first=tied[0])
    name = behind[0]
    beaten = [other for other in tied if _settled(pairs, other, name)]
    left = [other for other in tied if other not in beaten]
    others = left if len(left) < 3 else [f"the other {numeral(len(left))}"]
    return phrase("behind", model=name, beaten_by=worded(beaten), open=worded(others))


def detectable(se: float, critical: float) -> float:
    """Return the true difference that data of this kind and size would settle in 80 of 100 cases."""
    return (critical + NormalDist().inv_cdf(POWER)) * se


def attainable(row: Comparison, size: float) -> bool:
    """Say whether two models could differ by so much: two shares never differ by 1.2, two values of 0 to 100 may."""
    low, high = row.range_of_metric
    return row.kind == "ratio" or size < high - low


def ordinal(rank: int) -> str:
    """Return a rank in words: 'first', '12th'."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return words[rank - 1] if 0 < rank <= len(words) else f"{rank}th"


def rank_meaning(standings: Sequence[Standing]) -> str:
    """Return what a range of ranks means, by an example of the ranking; empty where every rank is settled."""
    for row in standings:
        if row.rank is not None and row.rank[0] < row.rank[1]:
            low, high = row.rank
            words = worded([ordinal(rank) for rank in range(low, high + 1)], "or") if high - low < 3 else ""
            return phrase("a rank", rank=row.ranks, words=words or f"{ordinal(low)} to {ordinal(high)}")
    return ""
