"""What every verb computes with, loaded before the verb does anything."""

from __future__ import annotations

import gc
from functools import cache
from importlib import import_module

ARRAYS = ("numpy", "scipy.special")


@cache
def load_arrays() -> None:
    """Load numpy and scipy.special, and leave them out of every search for garbage: they stay to the end.

    The searches at the end of the process would take longer than the metrics and intervals of a table. Engines and a
    user's own modules are loaded later: some packages count what they leave behind, and complain.
    """
    for name in ARRAYS:
        import_module(name)
    gc.freeze()
