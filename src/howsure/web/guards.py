"""Around every request: the host it may name, the bytes it may bring, the headers of every answer."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from howsure.web.limits import MOST_BODY, MOST_UPLOAD, Refused, TooLarge

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
    """Return the name in a Host header without its port.

    >>> host_name("[::1]:8765"), host_name("LocalHost:80"), host_name("127.0.0.1")
    ('[::1]', 'localhost', '127.0.0.1')
    """
    name, bracket, _ = text.partition("]")
    return (name + bracket if bracket else text.partition(":")[0]).lower()


class Guard:
    """Refuse foreign hosts (a name that is pointed at this machine) and large bodies; set headers on every answer."""

    def __init__(self, app: ASGIApp, *, host: str) -> None:
        given = f"[{host}]" if ":" in host and not host.startswith("[") else host
        self.app, self.hosts = app, {*LOCAL, given.lower()}

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
        except TooLarge as error:
            if started:
                raise
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
    """Read on a while without keeping anything: a client that is still sending would not see the answer."""
    left = 4 * MOST_UPLOAD
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if not message.get("more_body", False):
            return


def _counted(scope: Scope, headers: Headers, receive: Receive) -> Receive:
    most = MOST_UPLOAD if scope["path"] == "/api/upload" else MOST_BODY
    told = headers.get("content-length", "0")
    if told.isdigit() and int(told) > most:
        raise TooLarge("bytes of the request", int(told), most)
    seen = 0

    async def count() -> Any:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge("bytes of the request", seen, most)
        return message

    return count
