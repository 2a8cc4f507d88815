"""Numbers as people read them: a true minus, no sign before zeros, enough decimals to see an interval."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_PERCENT: ContextVar[bool] = ContextVar("percent", default=False)


@contextmanager
def percent_style() -> Iterator[None]:
    """Let shares be shown as percentages inside: 74.0% in place of 0.740."""
    before = _PERCENT.set(True)
    try:
        yield
    finally:
        _PERCENT.reset(before)


def percents() -> bool:
    """Say whether shares are shown as percentages."""
    return _PERCENT.get()


def decimals_for(low: float, high: float) -> int:
    """Return how many decimals show an interval: three, or enough to see its width."""
    width = high - low
    if not math.isfinite(width) or width <= 0:
        return 3
    return min(max(math.ceil(-math.log10(width)) + 1, 3), 9)


def number(value: float, decimals: int = 3) -> str:
    """Return a value as people read it: a true minus, none before zeros; large ratios lose decimals without support.

    >>> number(0.74038), number(-0.0216), number(-0.0001), number(122.873), number(float("nan"))
    ('0.740', '−0.022', '0.000', '122.9', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if _PERCENT.get() and abs(value) <= 1:
        return f"{100 * value:z.{max(decimals - 2, 1)}f}%".replace("-", "−")
    if abs(value) >= 10:
        decimals = max(decimals - math.floor(math.log10(abs(value))) - 1, 0) + 1
    return f"{value:z.{decimals}f}".replace("-", "−")


def signed(value: float, decimals: int = 3) -> str:
    """Return a difference as people read it: a plus or a minus where the digits shown are not all zero.

    >>> signed(0.0216), signed(-0.0216), signed(0.0001)
    ('+0.022', '−0.022', '0.000')
    """
    text = number(value, decimals).replace("%", " pp")
    return f"+{text}" if value > 0 and text.strip("0. p") else text


def brief(value: float) -> str:
    """Return a value as one would type it, with a true minus: '−0.03'."""
    return f"{value:zg}".replace("-", "−").replace("inf", "∞")


def amount(size: float, what: str) -> str:
    """Return a number of things, one of them in the singular: '1 pair', '3 pairs'."""
    return f"{size:,} {what}" if size == 1 else f"{size:,} {what}s"


def percent(level: float) -> str:
    """Return a level as text: 0.95 is '95%'."""
    return f"{100 * level:.10g}%"


def count(n: float) -> str:
    """Return a number of rows as text, whole where it is whole."""
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


def p_text(p: float) -> str:
    """Return a p-value as people print it."""
    if math.isnan(p):
        return "undefined"
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}" if p < 0.1 else f"{p:.3f}"


def p_said(p: float) -> str:
    """Return what is said of a p-value: 'p = 0.0134', 'p < 0.0001'."""
    text = p_text(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def chance(p: float, decimals: int = 4) -> str:
    """Return a probability with some decimals, or with more where they would all be the same digit.

    >>> chance(0.0261), chance(0.000013), chance(0.9999913), chance(0.9999913, 3)
    ('0.0261', '1.3e-05', '1 − 8.7e-06', '1 − 8.7e-06')
    """
    least = 10.0**-decimals
    if math.isnan(p) or least <= p <= 1 - least or p in (0.0, 1.0):
        return f"{p:.{decimals}f}"
    return f"{p:.{decimals - 1}g}" if p < 0.5 else f"1 − {1 - p:.{decimals - 1}g}"


# --- names, units, lists -----------------------------------------------------------------------------------------

# Words of a metric's name that people write in capitals, and persons whose name a method carries.
ABBREVIATIONS = frozenset(
    ("mcc", "ppv", "npv", "tpr", "tnr", "fpr", "fnr", "fdr", "for", "auc", "roc", "pr", "iou", "ece")
)
PERSONS = (
    "Wald", "Wilson", "Clopper", "Pearson", "Agresti", "Coull", "Koopman", "Newcombe", "Tango", "McNemar", "Holm",
    "Jeffreys", "Bayes", "Dirichlet", "Hartung", "Knapp", "Hanley", "McNeil", "Kosinski",
    "Fleiss", "Krippendorff", "Lang", "Reiczigel", "Youden", "Jaccard", "Brier", "Cohen",
)  # fmt: skip
METHOD_WORDS = {
    "mid-p": "mid-P",
    "hdi": "highest density",
    "mover": "joined limits",
    "crossed": "t for runs, z for rows",
    "mover-gamma": "joined class limits",
    "bca": "BCa",
    "mcnemar-cc": "McNemar with continuity correction",
    "wilson-cc": "Wilson with continuity correction",
    "anytime-beta": "beta mixture",
    "anytime-betting": "betting",
    "anytime-normal": "approximate normal mixture",
}
NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def metric_words(name: str) -> str:
    """Return a metric's name as people write it; what stands in brackets stays as it is.

    >>> metric_words("f1"), metric_words("macro_f0.5"), metric_words("ppv"), metric_words("f1[my_class]")
    ('F1', 'macro F0.5', 'PPV', 'F1 [my_class]')
    >>> metric_words("balanced_accuracy"), metric_words("tversky(0.8,0.2)"), metric_words("lr_plus")
    ('balanced accuracy', 'tversky(0.8,0.2)', 'LR+')
    >>> metric_words("ppv_at(0.02)"), metric_words("f1[a]@prevalence=0.02")
    ('PPV at 0.02', 'F1 [a] at prevalence 0.02')
    """
    name, at, prevalence = name.partition("@prevalence=")
    if at:
        return f"{metric_words(name)} at prevalence {prevalence}"
    head, bracket, inside = name.partition("[")
    text = re.sub(
        r"^lr (plus|minus)$", lambda found: "LR" + {"plus": "+", "minus": "−"}[found[1]], head.replace("_", " ")
    )
    text = re.sub(r" at\(([^)]*)\)", r" at \1", text)
    words = [_metric_word(word) for word in text.split(" ")]
    return " ".join(words) + (f" [{inside}" if bracket else "")


def _metric_word(word: str) -> str:
    if word in ABBREVIATIONS or re.fullmatch(r"f(\d+\.?\d*|\.\d+)(@.*)?", word):
        head, at, rest = word.partition("@")
        return head.upper() + at + rest
    return word.title() if word.title() in PERSONS else word


def method_words(name: str) -> str:
    """Return a method's name as a footnote says it.

    >>> method_words("wilson"), method_words("clopper-pearson"), method_words("smoothed-t"), method_words("mid-p")
    ('Wilson', 'Clopper–Pearson', 'smoothed t', 'mid-P')
    >>> method_words("mcnemar"), method_words("mcnemar-cc")
    ('McNemar', 'McNemar with continuity correction')
    """
    if name in METHOD_WORDS:
        return METHOD_WORDS[name]
    written = {person.lower(): person for person in PERSONS}
    parts = [written.get(part, part) for part in name.split("-")]
    return ("–" if all(part in PERSONS for part in parts) else " ").join(parts)


def worded(names: Sequence[str], last: str = "and", *, most: int = 6) -> str:
    """Return names as a list with a word before the last; of many the first ones and how many more.

    >>> worded(["a"]), worded(["a", "b"]), worded(["a", "b", "c"], "or"), worded(list("abcdefgh"), most=3)
    ('a', 'a and b', 'a, b or c', 'a, b, c and 5 others')
    """
    shown = [*names[:most], f"{len(names) - most} others"] if len(names) > most + 1 else list(names)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def numeral(size: int) -> str:
    """Return a small number as a word: 'three', '12'."""
    return NUMERALS[size] if 0 <= size < len(NUMERALS) else f"{size:,}"


def units(n: float, unit: str) -> str:
    """Return a number of units by their own name; a column's name stays as it is.

    >>> units(833, "row"), units(1, "sentence"), units(120, "patient_id"), units(3453.0, "sentence")
    ('833 rows', '1 sentence', '120 patient_id', '3,453 sentences')
    """
    plain = unit.isalpha() and unit.islower() and unit.isascii()
    return f"{count(n)} {unit}{'s' if plain and n != 1 and not unit.endswith('s') else ''}"


def about(expected: float) -> str:
    """Return an expected number of things in words: 'about one', 'one or two', 'about 14'.

    >>> about(1.0), about(1.35), about(2.9), about(14.3)
    ('about one', 'one or two', 'about three', 'about 14')
    """
    low = math.floor(expected)
    if expected < 1:
        return "about one"
    if expected > 10 or abs(expected - round(expected)) < 0.25:
        return f"about {numeral(round(expected))}"
    return f"{numeral(low)} or {numeral(low + 1)}"


def reach(low: float, high: float, decimals: int | None = None, *, sign: bool = False) -> str:
    """Return an interval in words: '0.669 to 0.801'.

    >>> reach(0.6689, 0.8009), reach(-0.018, 0.0512, sign=True), reach(math.nan, math.nan)
    ('0.669 to 0.801', '−0.018 to +0.051', 'undefined')
    """
    if math.isnan(low) and math.isnan(high):
        return "undefined"
    places = decimals_for(low, high) if decimals is None else decimals
    if low == high:
        return (signed if sign else number)(low, places)
    shown = signed if sign else number
    return f"{shown(low, places)} to {shown(high, places)}"


def tight(low: float, high: float) -> str:
    """Return an interval with the decimals that a sentence needs: two, or more where two digits would be lost.

    >>> tight(0.0571, 0.2034), tight(0.0042, 0.0131)
    ('0.06 to 0.20', '0.004 to 0.013')
    """
    smallest = min(abs(low), abs(high)) or max(abs(low), abs(high))
    if _PERCENT.get():
        return f"{reach(low, high, 3)} points".replace("%", "")
    return reach(low, high, 2 if smallest >= 0.02 or not smallest else max(3, decimals_for(low, high)))
