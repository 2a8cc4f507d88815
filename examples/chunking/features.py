"""What the conditional random fields see of a word: its neighbours, and its shape."""

from __future__ import annotations

from collections.abc import Sequence

Features = list[list[str]]


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
