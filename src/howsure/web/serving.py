"""Listen on a port and serve the calculator until Ctrl+C. Needs the extra ``web``."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Sequence

import uvicorn

from howsure.errors import InputError
from howsure.errors.messages import web as messages
from howsure.web.app import application
from howsure.web.hurried import Hurried

LOCAL = ("127.0.0.1", "localhost", "::1")
EVERY = ("0.0.0.0", "::")
TO_END = 3  # seconds that running requests get after Ctrl+C


def check_host(host: str, names: Sequence[str]) -> str:
    """Return a warning where others can reach the server, or nothing; refuse to listen everywhere under no name.

    The server answers only to names that it knows, for a foreign page could otherwise reach it under a name of its own.
    """
    if host in EVERY and not names:
        raise InputError(messages.HOST_EVERY_ADDRESS_OF_MACHINE(host=host, gethostname=socket.gethostname()))
    return "" if host in LOCAL else f"{host} may be reached by others; this server has no password and no encryption"


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port; refuse a port that is taken, or an address that is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
        door.listen()
    except OSError as error:
        door.close()
        raise InputError(
            messages.HOST_AND_PORT_WHERE_CANNOT_LISTEN(host=host, port=port, strerror=error.strerror or error)
        ) from None
    return door


def address_of(door: socket.socket) -> str:
    """Return the address of the page that a listening socket serves."""
    host, port = door.getsockname()[:2]
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{near}]' if ':' in near else near}:{port}/"


def serve(door: socket.socket, *, host: str, names: Sequence[str] = (), opened: bool = False) -> None:
    """Serve until Ctrl+C, and open the page in the browser where that is wanted."""
    if opened:
        later = threading.Timer(1.0, webbrowser.open, (address_of(door),))
        later.daemon = True
        later.start()
    config = uvicorn.Config(
        application(host=host, names=names), log_level="warning", server_header=False, http=Hurried,
        timeout_graceful_shutdown=TO_END,
    )  # fmt: skip
    with door:
        try:
            uvicorn.Server(config).run(sockets=[door])
        except KeyboardInterrupt:
            return
