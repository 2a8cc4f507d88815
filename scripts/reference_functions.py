"""Reference pages made from docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import howsure as hs

CV_TESTS = """# Cross-validation tests

Tests of no difference between two algorithms, from the scores of folds. Each takes the differences of b less a, one per
fold, and returns a `CvTest` with statistic, degrees of freedom, p-value and an interval of the difference. How to come
by the folds: [cross-validation](../how-to/cross-validation.md). What to choose:

| you have | take |
|---|---|
| counts of each fold of a blocked 3×2 (or m×2) design, and want a probability | `hs.bayes_test` |
| scores of a blocked 3×2 design | `hs.blocked_three_by_two_t` |
| scores of five random repeats of two folds | `hs.five_by_two_f`; `hs.five_by_two_t` depends on which fold came first |
| scores of other random splits (k folds, repeated hold-out) | `hs.corrected_resampled_t` |

All of them are about algorithms trained on part of the data, not about the model you deliver.
"""

PLANNING = """# Planning

How many rows to label: for a width, for a power, or within strata. [How to plan](../how-to/planning.md) has the
worked examples.
"""


def document(function: Callable[..., Any]) -> list[str]:
    """Return a function's signature and docstring as Markdown."""
    name = f"hs.{function.__name__}"
    return [f"## {name}", "", "```text", f"{name}({_arguments(function)})", "```", "", _markdown(function), ""]


def _arguments(function: Callable[..., Any]) -> str:
    parts, starred = [], False
    for one in inspect.signature(function).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        parts.append(one.name if one.default is one.empty else f"{one.name}={one.default!r}")
    return ", ".join(parts)


def _markdown(function: Callable[..., Any]) -> str:
    text = re.sub(r"``(.+?)``", r"`\1`", inspect.getdoc(function) or "", flags=re.DOTALL)
    parts = re.split(r"\n\n", text)
    shown = [f"```pycon\n{part}\n```" if part.startswith(">>>") else part for part in parts]
    return "\n\n".join(shown).replace("<", "&lt;") if ">>>" not in text else "\n\n".join(shown)


def cv_tests() -> str:
    """Return the page of the tests from cross-validation."""
    functions = (hs.bayes_test, hs.blocked_three_by_two_t, hs.five_by_two_f, hs.five_by_two_t,
                 hs.corrected_resampled_t, hs.effective_factor)  # fmt: skip
    return "\n".join([CV_TESTS, *(line for function in functions for line in document(function))])


def planning() -> str:
    """Return the page of the planners."""
    functions = (hs.plan, hs.plan_comparison, hs.plan_strata, hs.still_needed)
    return "\n".join([PLANNING, *(line for function in functions for line in document(function))])


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    return {"cross-validation-tests.md": cv_tests(), "planning.md": planning()}
