"""A process of its own that computes one request after another, so that one that takes too long can be ended."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from howsure.errors import HowsureError
from howsure.web.limits import MEMORY, Refused

Outcome = tuple[int, bytes]
TOO_MUCH_MEMORY = f"this needs more than {MEMORY:,} bytes of memory; use the library instead"


def encoded(content: Any) -> bytes:
    """Return content as JSON, which has no infinities.

    >>> encoded({"error": "no"})
    b'{"error":"no"}'
    """
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Return the HTTP status and the body that a call gives: its answer, its refusal or its fault.

    >>> outcome(divmod, (7, 2))
    (200, b'[3,1]')
    """
    try:
        return 200, encoded(function(*arguments))
    except Refused as error:
        return error.status, encoded({"error": str(error)})
    except HowsureError as error:
        return 422, encoded({"error": str(error)})
    except MemoryError:
        return 503, encoded({"error": TOO_MUCH_MEMORY})
    except Exception as error:
        traceback.print_exc()
        said = f"a fault of howsure, not of yours ({type(error).__name__}); please report it"
        return 500, encoded({"error": said})


def main() -> None:
    """Answer the calls on standard input until it is closed; each brings the seconds that it may take."""
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the answers
    _limit_memory()
    import howsure.web.questions.uploads  # noqa: F401  loads what the first call would wait for

    _send("ready", answers)
    while True:
        try:
            function, arguments, seconds = pickle.load(calls)
        except EOFError:
            return
        _limit_time(seconds)
        found = outcome(function, arguments)
        _limit_time(0)
        _send(found, answers)


def _send(what: Any, answers: Any) -> None:
    pickle.dump(what, answers)
    answers.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def _limit_time(seconds: float) -> None:
    """End this process by the system's alarm, in case that the server is gone and cannot."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
