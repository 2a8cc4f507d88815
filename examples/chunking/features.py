"""A conditional random field that tags sentences in any tag set; needs python-crfsuite (pip install 'howsure[crf]')."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from howsure.sources.sequences.tags import convert_sequences

Features = list[list[str]]


@dataclass(frozen=True)
class Crf:
    """Trains on tags converted from the gold tag set to its own, and answers in its own."""

    gold: str
    scheme: str
    iterations: int = 40

    def __call__(self, known: Sequence[Features], tags: Sequence[Sequence[str]], asked: Sequence[Features]) -> Any:
        """Return the tags of the sentences asked about."""
        import pycrfsuite

        trainer = pycrfsuite.Trainer(verbose=False)
        for features, labels in zip(known, convert_sequences(tags, self.gold, self.scheme), strict=True):
            trainer.append(features, labels)
        trainer.set_params({"c1": 0.05, "c2": 0.05, "max_iterations": self.iterations})
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "model.crfsuite")
            trainer.train(path)
            tagger = pycrfsuite.Tagger()
            tagger.open(path)
            said = [tagger.tag(features) for features in asked]
            tagger.close()
        return said


def windows(sentence: Sequence[str], *, shapes: bool) -> Features:
    """Return the features of every token: words, pairs and triples within two places, and the word's shape."""
    around = ["<<", "<", *sentence, ">", ">>"]
    rows = []
    for place in range(2, len(around) - 2):
        features = [f"{step}={around[place + step]}" for step in (-2, -1, 0, 1, 2)]
        features += [f"{step}:2={around[place + step]}|{around[place + step + 1]}" for step in (-2, -1, 0, 1)]
        features += [f"{step}:3={'|'.join(around[place + step : place + step + 3])}" for step in (-2, -1, 0)]
        if shapes:
            word = around[place]
            features += [f"shape={_shape(word)}", f"end={word[-3:]}", f"next={_shape(around[place + 1])}"]
        rows.append(features)
    return rows


def _shape(word: str) -> str:
    kinds = ("A" if sign.isupper() else "a" if sign.islower() else "0" if sign.isdigit() else "." for sign in word)
    shape = "".join(kinds)
    return "".join(sign for place, sign in enumerate(shape) if place == 0 or shape[place - 1] != sign)
