"""Names of types that every package needs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Ints = NDArray[Any]  # integers of any width, mostly the smallest
Undefined = Literal["nan", "skip", "zero", "one"]
Side = Literal["both", "lower", "upper"]
