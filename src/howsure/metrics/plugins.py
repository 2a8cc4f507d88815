"""What other packages bring: metrics, methods and readers by entry points, and in the shell a metric as package:name.

A package declares, for example, ``[project.entry-points."howsure.metrics"]`` with ``cost = "mine.metrics:cost"``. An
entry is loaded when a name is asked for that the library does not know; built-in names cannot be replaced.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module
from typing import Any

from howsure.errors import MetricError
from howsure.metrics.metric import Metric

GROUPS = ("metrics", "methods", "pair_methods", "readers")


@cache
def plugged(group: str, name: str) -> Any:
    """Return what an installed package offers under a name in a group of entry points, or None."""
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group=f"howsure.{group}", name=name)), None)
    return None if found is None else found.load()


def own_metric(text: str) -> str | Metric:
    """Return the metric of a text such as "package.module:metric", which is imported; any other text as it is.

    The current folder is searched too. A plain function of the cells becomes a metric of its name.
    """
    if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", text):
        return text
    module, _, name = text.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise MetricError(f"metric {text!r} cannot be loaded: {error}; write it as package.module:name") from None
    if isinstance(found, Metric):
        return found
    if not callable(found):
        raise MetricError(f"metric {text!r} is {found!r}; it must be a howsure.Metric or a function of the cells")
    return Metric(name, found)
