"""uvicorn's HTTP with a time-out for headers: a connection that never finishes asking is closed."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from howsure.web import limits


class Hurried(H11Protocol):
    """HTTP/1.1 where the headers of each request must come within some seconds.

    uvicorn itself closes a connection that is idle between requests, and one that sends nothing at all, or a header now
    and then, it keeps for ever: some thousand of those, and nobody else is let in.
    """

    _late: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in what came; wait for the rest of the headers, or no longer."""
        if self._late is None and not self._asked():
            self._wait()
        super().data_received(data)
        if self._asked():
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _asked(self) -> bool:
        """Say whether the headers of a request are here whose answer is not complete."""
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._late = self.loop.call_later(limits.SECONDS_TO_ASK, self._too_late)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        self._late = None
        if not self._asked():
            self.transport.close()
