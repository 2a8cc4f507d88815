r"""LaTeX commands, one a number: \hsBertFOne and its kin, so that no number of a paper is typed by hand."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from howsure.reports.grid import Grid
from howsure.reports.latex import escaped
from howsure.results.words import brief, count, decimals_for, number, p_text, percent, signed
from howsure.version import __version__

PREFIX = "hs"
# What tells the records of a table apart, in the order in which a name says it.
NAMED = ("population", "slice", "model", "b", "a", "metric")
APART = ("method", "n", "table", "cell", "name")
MAIN = ("value", "difference")  # which a name means where it says nothing else
P_VALUES = ("p_value", "p_h0", "p_h1")
DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
SPOKEN = {".": "Point", "+": "Plus", "−": "Minus", "-": "", "<": "Below", ">": "Above", "=": "Equal", "@": "At"}
PLAIN = ("design_effect", "variance", "null_variance", "statistic", "df", "critical", "icc", "gain")  # no shares
INTERVALS = {"joint": "joint interval", "credible": "credible interval"}
SKIPPED = ("seed", "family", "version")
NONE = "% no number here"


def grid_macros(grid: Grid) -> str:
    r"""Return a \newcommand for every number of a table, as it is printed; no package is needed."""
    lines = [
        f"% numbers of howsure {__version__}: \\input this file before \\begin{{document}}",
        f"% \\{PREFIX}NAME is the value, \\{PREFIX}NAMELow and \\{PREFIX}NAMEHigh its limits; digits are spelt out",
    ]
    made = [f"\\newcommand{{\\{name}}}{{{text}}}" for name, text in _commands(grid.records)]
    return "\n".join([*lines, *(made or [NONE])])


def _commands(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the name and the text of each number; names that would be the same have the number of their row."""
    found = [_numbers(record) for record in records]
    made = _together(_stems(records), found)
    if len({name for name, _ in made}) < len(made):
        made = _together([f"{stem}{_row(at)}" for at, stem in enumerate(_stems(records))], found)
    return made


def _together(stems: Sequence[str], found: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    return [
        (f"{PREFIX}{stem}{'' if field in MAIN and stem else spelt(field)}", text)
        for stem, numbers in zip(stems, found, strict=True)
        for field, text in numbers.items()
    ]


def _row(at: int) -> str:
    return f"Row{spelt(str(at + 1))}"


def _stems(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what tells each record from the others: model and metric, and more of it where that is not enough."""
    keys = [key for key in NAMED if any(key in record for record in records)]
    stems = [_stem(record, keys) for record in records]
    for key in APART:
        if len(set(stems)) == len(stems):
            return stems
        if len({str(record.get(key)) for record in records}) > 1:
            stems = [stem + spelt(str(record.get(key, ""))) for stem, record in zip(stems, records, strict=True)]
    if len(set(stems)) == len(stems):
        return stems
    return [f"{stem}{_row(at)}" for at, stem in enumerate(stems)]


def _stem(record: Mapping[str, Any], keys: Sequence[str]) -> str:
    parts = []
    for key in keys:
        value = record.get(key)
        if value is not None and not (key == "model" and value == "model"):
            parts.append(f"Minus{spelt(str(value))}" if key == "a" else spelt(str(value)))
    return "".join(parts)


def _numbers(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the numbers of a record as printed; with limits also the whole of it, ready for a sentence."""
    low, high = (record.get(end) for end in ("low", "high"))
    places = decimals_for(low, high) if isinstance(low, float) and isinstance(high, float) else None
    found = {}
    for field, value in record.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or field in SKIPPED:
            continue
        found[field] = _printed(field, value, places or 3, differs="difference" in record)
    main = next((field for field in MAIN if field in found), None)
    if places is not None and main is not None and record.get("side") == "both":
        kind = INTERVALS.get(record.get("meaning", ""), "interval")
        ends = f"{found['low']} to {found['high']}"
        found["said"] = f"{found[main]} ({escaped(percent(record['level']))} {kind} {ends})"
    return found


def _printed(field: str, value: float, places: int, *, differs: bool) -> str:
    if field in P_VALUES:
        return in_math(p_text(value))
    if field == "level":
        return escaped(percent(value))
    if isinstance(value, int) or (field in ("n", "effective_n", "positives") and math.isfinite(value)):
        return count(value)
    if differs and field in ("difference", "low", "high"):
        return in_math(signed(value, places))
    if field in PLAIN or abs(value) > 1e6:
        return in_math(brief(float(f"{value:.4g}")))
    return in_math(number(value, places + (field == "se")))


def in_math(text: str) -> str:
    r"""Return a printed number for text and for formulas alike.

    >>> in_math("−0.012"), in_math("0.740"), in_math("< 0.0001"), in_math("∞"), in_math("74.0%")
    ('\\ensuremath{-0.012}', '0.740', '\\ensuremath{<0.0001}', '\\ensuremath{\\infty}', '74.0\\%')
    """
    marks = {"−": "-", "∞": r"\infty", "< ": "<"}
    if not any(mark in text for mark in (*marks, "+")):
        return escaped(text)
    for mark, plain in marks.items():
        text = text.replace(mark, plain)
    head, space, unit = text.replace("%", r"\%").partition(" ")
    return rf"\ensuremath{{{head}}}{space}{unit}"


def spelt(text: str) -> str:
    """Return a name in letters alone, which is all that a command of LaTeX may have.

    >>> spelt("macro_f0.5"), spelt("f1[cat]"), spelt("naïve Bayes"), spelt("top3_accuracy"), spelt("f1@0.5")
    ('MacroFZeroPointFive', 'FOneCat', 'NaiveBayes', 'TopThreeAccuracy', 'FOneAtZeroPointFive')
    """
    text = re.sub(r"(?<=\d)\.(?=\d)", " Point ", text).replace(".", " ")
    text = "".join(f" {SPOKEN[mark]} " if mark in SPOKEN and mark != "." else mark for mark in text)
    text = re.sub(r"\d", lambda digit: f" {DIGITS[int(digit[0])]} ", text)
    plain = "".join(mark if mark.isascii() else _letters(mark) for mark in text)
    words = re.findall(r"[A-Za-z]+", plain)
    return "".join(word[0].upper() + word[1:] for word in words)


def _letters(mark: str) -> str:
    """Return the Latin letters of a mark, or its name: é is e, 名 spells out its code."""
    plain = "".join(part for part in unicodedata.normalize("NFKD", mark) if part.isascii() and part.isalpha())
    return plain or (f" {unicodedata.name(mark, 'mark').title()} " if mark.isalnum() else " ")
