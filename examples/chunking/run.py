"""The experiments of Wang & Li (2019), section 4, end to end on a corpus that a grammar makes: about a minute.

    python examples/chunking/run.py [--sentences 600] [--jobs 2] [--figures folder]

Does a finer tag set help? IOB2 against IOBES for all entities and for organisations alone, BMES against BB2B3MES for
word segmentation: conditional random fields, 3×2 blocked cross-validation with blocks balanced on the chunks per
sentence, posteriors of precision, recall and F1, and the decisions of the Bayes test.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus import Sentences, entities, only, words
from features import windows

import howsure as hs
from howsure.studies.papers.wang2019_corpus import Crf

METRICS = ("precision", "recall", "f1")


@dataclass(frozen=True)
class Task:
    """A chunking task: sentences, gold tags, and the two tag sets to compare (the first is that of the gold)."""

    name: str
    sentences: Sentences
    tags: Sentences
    schemes: tuple[str, str]
    shapes: bool


def tasks(sentences: int, *, seed: int = 0) -> list[Task]:
    """Return the three tasks of the paper."""
    tokens, tags = entities(sentences, seed=seed)
    characters, segments = words(sentences, seed=seed)
    return [
        Task("CWS", characters, segments, ("BMES", "BB2B3MES"), shapes=False),
        Task("NER", tokens, tags, ("IOB2", "IOBES"), shapes=True),
        Task("ORG", tokens, only(tags, "ORG"), ("IOB2", "IOBES"), shapes=True),
    ]


def run(task: Task, *, iterations: int = 40, jobs: int = 1, progress: Any = None) -> tuple[hs.Folds, hs.Folds]:
    """Train both models on the six folds and return their counts; spans alone are compared, as in the paper."""
    gold = task.schemes[0]
    features = [windows(sentence, shapes=task.shapes) for sentence in task.sentences]
    cv = hs.BlockedCV(repeats=3, seed=0, balance=hs.chunk_frequencies(task.tags, scheme=gold))
    models = {scheme: Crf(gold, scheme, iterations) for scheme in task.schemes}
    a, b = hs.cross_validate(
        models, features, task.tags, cv=cv, jobs=jobs, progress=progress, types=False,
        scheme={"gold": gold, **{scheme: scheme for scheme in task.schemes}},
    )  # fmt: skip
    return a, b


def told(task: Task, a: hs.Folds, b: hs.Folds) -> str:
    """Return the task's part of Tables 2 to 5."""
    lines = [f"{task.name}: {a.model} (A) against {b.model} (B)"]
    for metric in METRICS:
        ends = [hs.posterior(folds, metric).interval(0.95) for folds in (a, b)]
        test = hs.bayes_test(a, b, metric)
        intervals = "  ".join(f"[{100 * low:.2f}, {100 * high:.2f}]" for low, high in ends)
        lines.append(f"  {metric:<9}  {intervals}  P(H0) = {test.p_h0:.3f}  P(H1) = {test.p_h1:.3f}  {test.decision}")
    return "\n".join([*lines, *(f"  note: {note}" for note in test.notes)])


def draw(task: Task, a: hs.Folds, b: hs.Folds, folder: Path) -> Path:
    """Draw the posteriors as in Figures 1 to 3: solid with the paper's factor, dashed with the mean of six tables."""
    import numpy as np
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.4), layout="constrained")
    panels = figure.subplots(1, 3)
    for metric, panel in zip(METRICS, panels, strict=True):
        for folds, colour in ((a, "#1f5fa8"), (b, "#c0392b")):
            for factor, style in ((folds.factor, "-"), (1 / 6, "--")):
                law = hs.posterior(folds.with_factor(factor), metric)
                x = np.linspace(float(law.ppf(0.001)), float(law.ppf(0.999)), 201)
                panel.plot(x, law.pdf(x), style, color=colour, label=f"{folds.model}, factor {factor:.3f}")
        panel.set_title(f"{task.name}: {metric}")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{task.name.lower()}.svg"
    figure.savefig(path)
    return path


def main() -> None:
    """Run the three experiments and print what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--figures", type=Path, help="folder to draw the posteriors into (needs matplotlib)")
    options = parser.parse_args()
    for task in tasks(options.sentences):
        a, b = run(task, jobs=options.jobs, progress="bar")
        print(told(task, a, b))  # noqa: T201
        if options.figures is not None:
            print(f"  drew {draw(task, a, b, options.figures)}")  # noqa: T201


if __name__ == "__main__":
    main()
