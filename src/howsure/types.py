"""Names of types that every package needs."""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import NDArray

Array = NDArray[Any]
Undefined = Literal["nan", "skip", "zero", "one"]
Side = Literal["both", "lower", "upper"]
