"""Predictions of finished folds on disk: a cross-validation that was interrupted goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import cross_validation as messages
from howsure.results.saving import write_whole
from howsure.types import Integers


class KeptFolds:
    """A folder with a file for each fold that a model has finished; a file that is damaged is ignored.

    A fold is known by the model's name and what it says of itself (its parameters), by its rows of training and test,
    and by the data. What a function does inside cannot be seen: another function belongs under another name or into
    another folder. Without a folder nothing is kept.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, X: Any, y: Any) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is None:
            return
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(messages.CHECKPOINT_IS_FILE(folder=str(self.folder)))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.data = _digest(_described(X), _described(y))

    def path(self, name: str, model: Any, train: Integers, test: Integers) -> Path | None:
        """Return where the predictions of a fold are kept."""
        if self.folder is None:
            return None
        said = repr(model) if hasattr(model, "get_params") or hasattr(model, "__dataclass_fields__") else ""
        rows = [np.asarray(part).astype(np.int64).tobytes() for part in (train, test)]
        return self.folder / f"fold-{_digest(name.encode(), said.encode(), *rows, self.data.encode())}.json"

    def get(self, path: Path | None) -> Any:
        """Return kept predictions, or None."""
        if path is None or not path.exists():
            return None
        try:
            held = json.loads(path.read_bytes())
            said, kind = held["predictions"], held["dtype"]
        except (ValueError, KeyError, TypeError):
            return None
        return said if kind is None else np.array(said, dtype=kind)

    def put(self, path: Path | None, said: Any) -> None:
        """Keep the predictions of a finished fold."""
        if path is None:
            return
        array = said if isinstance(said, np.ndarray) and said.dtype.kind in "biufU" else None
        listed = array.tolist() if array is not None else said.tolist() if hasattr(said, "tolist") else said
        try:
            text = json.dumps({"dtype": None if array is None else array.dtype.str, "predictions": listed})
        except TypeError:
            raise InputError(messages.CHECKPOINT_KEEPS_PREDICTIONS_ARE_NUMBERS(kind=type(said).__name__)) from None
        write_whole(str(path), text.encode())


def _digest(*parts: bytes) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "little"))
        found.update(part)
    return found.hexdigest()[:24]


def _described(data: Any) -> bytes:
    """Return bytes that stand for data: the numbers of arrays, sparse matrices and frames, the text of lists."""
    if hasattr(data, "to_numpy"):
        data = data.to_numpy()
    if all(hasattr(data, name) for name in ("indptr", "indices", "data")):
        return b"".join(np.asarray(part).tobytes() for part in (data.indptr, data.indices, data.data))
    if isinstance(data, np.ndarray) and data.dtype.kind != "O":
        return str(data.shape).encode() + np.ascontiguousarray(data).tobytes()
    plain = data.tolist() if hasattr(data, "tolist") else data
    return json.dumps(plain, default=str).encode()
