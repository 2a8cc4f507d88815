"""The calculator's server in a thread of the tests, on a free port."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def served(**options: Any) -> Iterator[str]:
    """Serve the application with these options and yield its address, without a slash at the end."""
    import uvicorn

    from howsure.web.app import application
    from howsure.web.hurried import Hurried

    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(application(**options), log_level="error", http=Hurried))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        while thread.is_alive() and not server.started:
            time.sleep(0.02)
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)
