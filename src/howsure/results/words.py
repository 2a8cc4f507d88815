"""Numbers as people read them: a true minus, no sign before zeros, enough decimals to see an interval."""

from __future__ import annotations

import math


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
    if abs(value) >= 10:
        decimals = max(decimals - math.floor(math.log10(abs(value))) - 1, 0) + 1
    return f"{value:z.{decimals}f}".replace("-", "−")


def signed(value: float, decimals: int = 3) -> str:
    """Return a difference as people read it: a plus or a minus where the digits shown are not all zero.

    >>> signed(0.0216), signed(-0.0216), signed(0.0001)
    ('+0.022', '−0.022', '0.000')
    """
    text = number(value, decimals)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def brief(value: float) -> str:
    """Return a value as one would type it, with a true minus: '−0.03'."""
    return f"{value:zg}".replace("-", "−").replace("inf", "∞")


def amount(size: int, what: str) -> str:
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
