"""Around every request: the host it may name, the bytes it may bring, the headers of every answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from howsure.errors.messages import web as messages
from howsure.web.limits import MOST_BODY, MOST_UPLOAD, SECONDS_TO_DRAIN, SECONDS_TO_SEND, Refused, TooLarge

HOST = re.compile(r"(\[[^\[\]@]*\]|[^:\[\]@]*)(?::[0-9]*)?")
LOCAL = ("localhost", "127.0.0.1", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


def error_response(error: Refused | str, status: int = 400) -> JSONResponse:
    """Return an error as clear JSON text."""
    return JSONResponse({"error": str(error)}, getattr(error, "status", status))


def host_name(text: str) -> str:
    """Return the name in a Host header without its port; all of it where it is no name and port.

    >>> host_name("[::1]:8765"), host_name("LocalHost:80"), host_name("127.0.0.1"), host_name("[::1]evil.com")
    ('[::1]', 'localhost', '127.0.0.1', '[::1]evil.com')
    """
    found = HOST.fullmatch(text)
    return (found[1] if found else text).lower()


class Guard:
    """Refuse foreign hosts (a name that is pointed at this machine) and large bodies; set headers on every answer.

    Starlette's TrustedHostMiddleware answers a foreign host with 400 and plain text, not with 421 and the reason.
    """

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str]) -> None:
        given = (f"[{host}]" if ":" in host and not host.startswith("[") else host for host in hosts)
        self.app, self.hosts = app, {*LOCAL, *(host.lower() for host in given)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self._checked(scope, receive, send_with_headers)
        except Refused as error:
            if started:
                raise
            if isinstance(error, TooLarge) and Headers(scope=scope).get("expect") is None:
                await _drain(receive)
            await error_response(error)(scope, receive, send_with_headers)

    async def _checked(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        name = host_name(headers.get("host", ""))
        if name not in self.hosts:
            text = f"host is {name[:80]!r}; this server answers only to {', '.join(sorted(self.hosts))}"
            await error_response(text, 421)(scope, receive, send)
            return
        await self.app(scope, _counted(scope, headers, receive), send)


async def _drain(receive: Receive) -> None:
    """Read on while something comes, keeping nothing: a client that is still sending would not see the answer."""
    left = 4 * MOST_UPLOAD
    while left > 0:
        with anyio.move_on_after(SECONDS_TO_DRAIN) as pause:
            message = await receive()
        if pause.cancelled_caught or not message.get("more_body", False):
            return
        left -= len(message.get("body", b""))


async def _in_time(receive: Receive) -> Message:
    try:
        with anyio.fail_after(SECONDS_TO_SEND):
            return await receive()
    except TimeoutError:
        said = f"nothing came for {SECONDS_TO_SEND:g} seconds; the request must be sent without such a pause"
        raise Refused(said, 408) from None


def _counted(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    most = MOST_UPLOAD if scope["path"] == "/api/upload" else MOST_BODY
    told = headers.get("content-length", "0")
    if told.isdigit() and int(told) > most:
        raise TooLarge(messages.BYTES_OF_REQUEST(), int(told), most)
    seen, complete = 0, False

    async def count() -> Any:
        nonlocal seen, complete
        message = await (receive() if complete else _in_time(receive))
        complete = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge(messages.BYTES_OF_REQUEST(), seen, most)
        return message

    return count
