"""What the server takes: sizes, numbers of things, and the error that says one is exceeded."""

from __future__ import annotations

import os
from typing import Any

from howsure.errors import InputError
from howsure.errors.messages import web as messages

MOST_BODY = 1_000_000  # bytes of a JSON request
MOST_UPLOAD = 20_000_000  # bytes of a file with its form
MOST_CLASSES = 100
MOST_MODELS = 20
MOST_METRICS = 60
MOST_FOLDS = 200
MOST_SLICES = 100
MOST_TEXT = 200_000
MOST_NAME = 200  # characters of a name
MOST_COUNT = 1e12
MOST_PAIRED = 1e7  # the exact posterior of a difference slows down where counts are huge and far apart
LEVELS = (0.5, 0.999999)  # joint intervals at other levels take long and serve nobody
MOST_TIMES = 1e6
# 9999 resamples of K² cells: 0.2 s for two classes, 17 s for thirty.
MOST_RESAMPLED = 12
SECONDS = 60.0  # of one computation; its process is ended then
SECONDS_TO_ASK = 20.0  # for the headers of a request, from its first byte or from the connection on
SECONDS_TO_SEND = 60.0  # between two pieces of a request
SECONDS_TO_DRAIN = 1.0  # between two pieces of a request that was refused already
WORKERS = max(2, min(4, os.cpu_count() or 2))
MOST_WAITING = 250
MEMORY = 4_000_000_000  # bytes of one worker


class Refused(InputError):
    """A request that is not answered, with its HTTP status."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class TooLarge(Refused):
    """A request that exceeds a limit."""

    def __init__(self, what: str, got: float, most: float) -> None:
        super().__init__(
            f"{what}: {got:,.0f} is more than this server takes, {most:,.0f}; use the library instead", 413
        )


def at_most(what: str, got: float, most: float) -> None:
    """Refuse what exceeds a limit.

    >>> at_most("classes", 3, 100)
    """
    if got > most:
        raise TooLarge(what, got, most)


def checked_table(table: Any) -> Any:
    """Return a table that is within the limits."""
    at_most(messages.CLASSES(), len(table.labels), MOST_CLASSES)
    at_most(messages.MODELS(), len(table.models), MOST_MODELS)
    return table
