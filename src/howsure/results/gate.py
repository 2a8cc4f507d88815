"""Gate: pass, fail or inconclusive, as a sentence and a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from howsure.results.base import Drawn, Note, Sampled, brief_notes, note_line
from howsure.results.sentences.judgements import gate_sentence
from howsure.results.sentences.phrases import held, phrase
from howsure.results.words import decimals_for, method_words, number, percent

Verdict = Literal["pass", "fail", "inconclusive"]


@dataclass(frozen=True, repr=False)
class Gate(Sampled, Drawn):
    """Pass, fail or inconclusive, from one-sided bounds at the stated level."""

    verdict: Verdict
    metric: str
    model: str
    threshold: float
    direction: str
    level: float
    method: str
    value: float
    low: float
    high: float
    n: float
    baseline: str | None = None
    margin: float = 0.0
    notes: tuple[Note, ...] = ()
    drawn: str = ""
    fixed: tuple[str, ...] = ()
    meaning: str = "confidence"

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 3 inconclusive: what the command line returns."""
        return {"pass": 0, "fail": 1, "inconclusive": 3}[self.verdict]

    def __bool__(self) -> bool:
        return self.verdict == "pass"

    def __repr__(self) -> str:
        return phrase("gate", verdict=self.verdict, sentence=self.sentence)

    @property
    def bounds(self) -> str:
        """What the verdict rests on."""
        places = decimals_for(self.low, self.high)
        return phrase(
            "gate bounds", sampled=self.sampled, held=held(self.fixed),
            level=percent(self.level), low=number(self.low, places),
            high=number(self.high, places), method=method_words(self.method),
            at=phrase("at any time") if self.meaning == "anytime" else "",
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """The verdict in plain words."""
        return gate_sentence(self)

    def __str__(self) -> str:
        return "\n".join([repr(self), self.bounds, *map(note_line, brief_notes(self.notes))])
