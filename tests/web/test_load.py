"""The calculator under strain: too slow, too large, too many, gone away; the others are answered meanwhile."""

from __future__ import annotations

import json
import operator
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from httpx import Client

from howsure.web import guards
from howsure.web.limits import MEMORY, MOST_UPLOAD, Refused
from howsure.web.pool import Pool
from support.served import served

LAM = {"tp": 77, "fp": 44, "fn": 10, "tn": 702}
LONG = 3600  # seconds that no test waits


def pooled(work: Callable[[Pool], Any], **options: Any) -> Any:
    """Run an asynchronous piece of work with a pool, and end the pool's processes."""

    async def main() -> Any:
        pool = Pool(**options)
        try:
            return await work(pool)
        finally:
            pool.close()

    # In a thread of its own: a browser that other tests hold open has a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(anyio.run, main).result()


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# --- the pool -----------------------------------------------------------------------------------------------------


def test_a_computation_that_takes_too_long_is_ended() -> None:
    async def work(pool: Pool) -> None:
        process = int((await pool.run(os.getpid))[1])
        assert alive(process)
        with pytest.raises(Refused, match=r"longer than 0\.2 seconds") as caught:
            await pool.run(time.sleep, LONG)
        assert caught.value.status == 503
        assert not alive(process), "the process that computed is gone"

    pooled(work, size=1, seconds=0.2)


def test_a_computation_in_compiled_code_is_ended() -> None:
    async def work(pool: Pool) -> int:
        with pytest.raises(Refused, match="longer"):
            await pool.run(pow, 7, 10**9)  # holds the interpreter's lock: no thread could be interrupted
        pool.seconds = 60
        return int((await pool.run(operator.add, 2, 3))[1])

    assert pooled(work, size=1, seconds=0.5) == 5


def test_a_computation_that_nobody_waits_for_is_ended() -> None:
    async def work(pool: Pool) -> None:
        process = int((await pool.run(os.getpid))[1])
        folder = Path(json.loads((await pool.run(tempfile.gettempdir))[1]))
        assert folder.is_dir()
        with anyio.move_on_after(0.2):
            await pool.run(time.sleep, LONG)
        assert not alive(process)
        assert not folder.exists(), "an upload that it was counting is gone too"

    pooled(work, size=1)


def test_faults_stay_with_their_request(capfd: pytest.CaptureFixture[str]) -> None:
    async def work(pool: Pool) -> None:
        status, content = await pool.run(operator.truediv, 1, 0)
        assert (status, b"ZeroDivisionError" in content) == (500, True)
        with pytest.raises(Refused, match="ended without an answer"):
            await pool.run(os._exit, 3)
        assert await pool.run(print, "noise") == (200, b"null")
        assert await pool.run(operator.add, 2, 3) == (200, b"5")

    pooled(work, size=1)
    assert "noise" in capfd.readouterr().err, "what a library prints does not get among the answers"


@pytest.mark.skipif(not os.path.exists("/proc"), reason="the limit of memory is the Linux kernel's")
def test_memory_is_limited() -> None:
    async def work(pool: Pool) -> None:
        status, content = await pool.run(len, bytes(10))
        assert (status, content) == (200, b"10")
        status, content = await pool.run(operator.mul, b"0123456789", MEMORY // 5)
        assert (status, b"memory" in content) == (503, True)
        assert await pool.run(operator.add, 2, 3) == (200, b"5")

    pooled(work, size=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_worker_that_ends_while_it_is_idle_is_replaced() -> None:
    async def work(pool: Pool) -> None:
        process = int((await pool.run(os.getpid))[1])
        os.kill(process, signal.SIGKILL)
        await anyio.sleep(0.5)
        assert await pool.run(operator.add, 2, 3) == (200, b"5")

    pooled(work, size=1)


def test_those_who_wait_are_counted() -> None:
    async def work(pool: Pool) -> list[int]:
        found = []

        async def ask() -> None:
            try:
                found.append((await pool.run(time.sleep, 0.3))[0])
            except Refused as error:
                found.append(error.status)

        await pool.run(operator.add, 2, 3)
        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(ask)
        return sorted(found)

    assert pooled(work, size=1, most_waiting=3) == [200] * 4 + [503] * 2


# --- the server ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hurried() -> Iterator[str]:
    """Serve with a limit of half a second on a computation."""
    with served(seconds=0.5) as where:
        yield where


def slow_upload() -> tuple[bytes, dict[str, str]]:
    """Return a file of 20 models and 12 classes: all pairs of it take far longer than half a second."""
    rows = ["truth," + ",".join(f"m{k}" for k in range(20))]
    rows += [",".join(str((at * (k + 3) + at // 7) % 12) for k in range(21)) for at in range(90_000)]
    return "\n".join(rows).encode(), {"question": "compare", "metric": "macro_f1"}


def test_others_are_answered_while_long_ones_are_ended(hurried: str) -> None:
    content, fields = slow_upload()

    def slow(client: Client) -> Any:
        return client.post("/api/upload", files={"file": ("p.csv", content)}, data=fields)

    def quick(client: Client) -> Any:
        return client.post("/api/intervals", json={"tp": 77})  # refused by a worker, for want of fp and fn

    with Client(base_url=hurried, timeout=120, trust_env=False) as client, ThreadPoolExecutor(20) as pool:
        long = [pool.submit(slow, client) for _ in range(4)]
        short = [pool.submit(quick, client) for _ in range(12)]
        assert {one.result().status_code for one in short} == {400}
        assert {one.result().status_code for one in long} == {503}
        assert "use the library" in long[0].result().json()["error"]


def raw(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=30)


def received(door: socket.socket, until: bytes = b"}") -> bytes:
    found = b""
    while not found.endswith(until) and (piece := door.recv(4000)):
        found += piece
    return found


def head(path: str, length: int, kind: str = "application/json") -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n".encode()
    )


def test_a_client_that_goes_away_frees_its_place(hurried: str) -> None:
    content, fields = slow_upload()
    form = b"".join(
        b'--x\r\ncontent-disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value.encode())
        for name, value in fields.items()
    )
    form += b'--x\r\ncontent-disposition: form-data; name="file"; filename="p.csv"\r\n\r\n' + content + b"\r\n--x--\r\n"
    for _ in range(8):
        with raw(hurried) as door:
            door.sendall(head("/api/upload", len(form), "multipart/form-data; boundary=x") + form)
    with Client(base_url=hurried, timeout=60, trust_env=False) as client:
        assert client.get("/api/intervals", params={"tp": 77}).status_code == 400


def test_a_client_that_leaves_in_the_middle_of_its_request(address: str) -> None:
    for _ in range(20):
        with raw(address) as door:
            door.sendall(head("/api/intervals", 500) + b'{"tp": 77, "fp"')
    with Client(base_url=address, timeout=60, trust_env=False) as client:
        assert client.post("/api/intervals", json=LAM).status_code == 200


def test_a_slow_client_holds_nobody_up(address: str) -> None:
    body = b'{"tp": 77, "fp": 44, "fn": 10}'
    with raw(address) as door:
        door.sendall(head("/api/intervals", len(body)))
        for byte in body[:-1]:
            door.sendall(bytes([byte]))
        with Client(base_url=address, timeout=60, trust_env=False) as client:
            assert client.post("/api/intervals", json=LAM).status_code == 200
        door.sendall(body[-1:])
        assert door.recv(100).startswith(b"HTTP/1.1 200")


def test_a_client_that_stops_sending_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "SECONDS_TO_SEND", 0.2)
    with raw(address) as door:
        door.sendall(head("/api/intervals", 500) + b'{"tp"')
        answer = received(door)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"nothing came for 0.2 seconds" in answer


def test_an_upload_that_is_too_large_is_told_so(address: str) -> None:
    with raw(address) as door:
        door.sendall(head("/api/upload", MOST_UPLOAD + 1, "multipart/form-data; boundary=x") + b"x" * 100_000)
        assert received(door).startswith(b"HTTP/1.1 413")


def test_an_upload_that_grows_too_large_is_told_so(address: str) -> None:
    """Without a length told beforehand."""
    piece = b"186a0\r\n" + b"x" * 100_000 + b"\r\n"
    start = b'--x\r\ncontent-disposition: form-data; name="file"; filename="p.csv"\r\n\r\n'
    with raw(address) as door:
        told = head("/api/upload", 0, "multipart/form-data; boundary=x")
        door.sendall(told.replace(b"content-length: 0", b"transfer-encoding: chunked"))
        door.sendall(b"%x\r\n%s\r\n" % (len(start), start) + piece * (MOST_UPLOAD // 100_000 + 1))
        assert received(door).startswith(b"HTTP/1.1 413")


def test_an_upload_that_asks_first_is_told_before_it_is_sent(address: str) -> None:
    with raw(address) as door:
        asking = head("/api/upload", MOST_UPLOAD + 1, "multipart/form-data; boundary=x")
        door.sendall(asking.replace(b"\r\n\r\n", b"\r\nexpect: 100-continue\r\n\r\n"))
        assert received(door).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /..%5c..%5capp.py HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET //etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /style.css/../app.py HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /app.js%00.css HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ],
)
def test_no_path_leads_out(address: str, sent: bytes) -> None:
    """Sent as bytes: a client's library would tidy the path first."""
    with raw(address) as door:
        door.sendall(sent)
        assert door.recv(4000).split(b"\r\n")[0] in (b"HTTP/1.1 404 Not Found", b"HTTP/1.1 400 Bad Request")


def test_a_request_without_a_host_is_refused(address: str) -> None:
    with raw(address) as door:
        door.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert b" 421 " in door.recv(100)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "text/json", "", "multipart/mixed"]
)
def test_only_the_content_types_that_are_asked_for(address: str, kind: str) -> None:
    """A form on a foreign page can send these without asking; it cannot send application/json."""
    with Client(base_url=address, timeout=60, trust_env=False) as client:
        for path in ("/api/intervals", "/api/upload"):
            answer = client.post(path, content=b'{"tp": 1}', headers={"content-type": kind})
            assert answer.status_code == 415, path


def test_half_a_character_is_refused(address: str) -> None:
    with Client(base_url=address, timeout=60, trust_env=False) as client:
        body = b'{"cube": [1,2,3,4,5,6,7,8], "a": "\\ud800", "b": "x"}'
        answer = client.post("/api/compare", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 400
