"""Runs: which columns of a table are runs of one model (training seeds, prompts, readers), and what was sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from howsure.errors import InputError, quoted
from howsure.errors.messages import tables as messages

RunChoice = Literal["random", "fixed"]
CHOICES = ("random", "fixed")


@dataclass(frozen=True)
class CrossedFactor:
    """Something that is crossed with rows: every level of it (a run, a reader) is seen on every row.

    ``random``: the levels are a sample, and another one would have others; otherwise these very ones are meant.
    ``paired``: all models share the levels. ``called`` is what a level is called; ``of_truth``: it makes the truth and
    not the predictions, as an annotator does.
    """

    random: bool = True
    paired: bool = False
    called: str = "run"
    of_truth: bool = False


@dataclass(frozen=True)
class ModelRuns:
    """The names of the runs of each model, in the order of the columns; every run predicts the same rows.

    ``choice`` "random": the runs are a sample, and another one would have other runs; "fixed": these very runs are
    meant. ``paired``: run k is the same prompt, reader or split in every model. ``called`` is what a run is called,
    ``of_truth`` says that it is an annotator, and no run of a model.
    """

    names: tuple[tuple[str, ...], ...]
    choice: RunChoice = "random"
    paired: bool = False
    called: str = "run"
    of_truth: bool = False

    def places(self, model: int) -> range:
        """Return the columns of a model."""
        first = sum(map(len, self.names[:model]))
        return range(first, first + len(self.names[model]))

    def columns(self, models: Sequence[str]) -> tuple[str, ...]:
        """Return a name for each column: that of its model, with that of its run where there are several."""
        pairs = zip(models, self.names, strict=True)
        return tuple(f"{model}: {run}" if len(runs) > 1 else model for model, runs in pairs for run in runs)

    def starting(self, place: int) -> range:
        """Return the columns of the model whose first one is given."""
        return next(found for found in map(self.places, range(len(self.names))) if found.start == place)

    def some(self, models: Sequence[int]) -> ModelRuns:
        """Return the runs of some models."""
        return replace(self, names=tuple(self.names[model] for model in models))

    @property
    def numbers(self) -> tuple[int, ...]:
        """How many runs each model has."""
        return tuple(map(len, self.names))

    @property
    def size(self) -> int:
        """How many runs there are: of all models together, or annotators, whom all models share."""
        return self.numbers[0] if self.of_truth else sum(self.numbers)

    @property
    def factor(self) -> CrossedFactor:
        """How the runs were sampled."""
        return CrossedFactor(self.choice == "random", self.paired, self.called, self.of_truth)


def runs_differ(one: ModelRuns | None, other: ModelRuns | None) -> InputError:
    """Return the error for rows that other runs predicted."""
    here, there = map(_said, (one, other))
    how = "" if here != there else messages.OF_OTHER_MODELS_HAVE_THEM()
    return InputError(messages.TABLES_TO_ADD_RUNS(here=here, there=there, how=how))


def _said(runs: ModelRuns | None) -> str:
    return "no runs" if runs is None else f"the runs {quoted(dict.fromkeys(sum(runs.names, ())))}"
