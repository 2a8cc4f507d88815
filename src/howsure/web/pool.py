"""A few worker processes. A call that takes too long, or that nobody waits for any more, is ended with its process.

pebble's process pool was tried in its place: an idle worker that is killed breaks it for good, its workers import files
from the folder where the server was started, and a script without a main guard can no longer serve the application.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread

from howsure.errors.messages import web as messages
from howsure.web.limits import MOST_WAITING, SECONDS, WORKERS, Refused
from howsure.web.worker import Outcome

START = 120.0  # seconds within which a worker must have loaded the library
GRACE = 5.0  # seconds after which a worker ends itself, had the server not done it


class WorkerEnded(Refused):
    """A worker ended before it answered."""


class Worker:
    """One process; ``ask`` blocks until it answers or is ended."""

    def __init__(self) -> None:
        # -P: what lies in the folder where the server was started must not be imported.
        command = [sys.executable, "-P", "-m", "howsure.web.worker"]
        # Files of a process that is ended must go too.
        self.folder = tempfile.TemporaryDirectory(prefix="howsure-")
        scratch = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self.folder.name)
        path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        # A session of its own: Ctrl+C is for the server, which then ends its workers.
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
            env=os.environ | scratch | path,
        )  # fmt: skip

    def ready(self) -> None:
        """Wait until the library is loaded."""
        self._received()

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Outcome:
        """Return the outcome of a call."""
        assert self.process.stdin is not None
        pickle.dump((function, arguments, seconds + GRACE), self.process.stdin)
        self.process.stdin.flush()
        found: Outcome = self._received()
        return found

    def _received(self) -> Any:
        assert self.process.stdout is not None
        return pickle.load(self.process.stdout)

    def end(self) -> None:
        """End the process whatever it does, and remove its files."""
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def close(self) -> None:
        """End the process and close its pipes, which no thread may be using."""
        self.end()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:  # what was not yet sent cannot be any more
                continue


class Pool:
    """Run functions in at most ``size`` processes, each call for at most ``seconds``; more than that wait in turn."""

    def __init__(self, *, size: int = WORKERS, seconds: float = SECONDS, most_waiting: int = MOST_WAITING) -> None:
        self.seconds, self.most_waiting = seconds, most_waiting
        self._turns = anyio.CapacityLimiter(size)
        self._threads = anyio.CapacityLimiter(4 * size)
        self._free: list[Worker] = []

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Outcome:
        """Return the outcome of a call; refuse where too many wait or it takes too long."""
        if self._turns.statistics().tasks_waiting >= self.most_waiting:
            raise Refused(messages.REQUESTS_ARE_WAITING_ALREADY(most_waiting=self.most_waiting), 503)
        async with self._turns:
            try:
                return await self._asked(function, arguments)
            except WorkerEnded:  # killed from outside, perhaps: that must not cost the request
                return await self._asked(function, arguments)

    async def _asked(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
        worker = await self._taken()
        try:
            with anyio.fail_after(self.seconds):
                found: Outcome = await self._thread(worker, worker.ask, function, arguments, self.seconds)
        except TimeoutError:
            raise Refused(messages.TOOK_LONGER_THAN_SECONDS(seconds=self.seconds), 503) from None
        self._free.append(worker)
        return found

    async def start(self) -> None:
        """Start one worker before it is needed."""
        async with self._turns:
            self._free.append(await self._taken())

    async def _taken(self) -> Worker:
        while self._free:
            worker = self._free.pop()
            if worker.process.poll() is None:
                return worker
            worker.close()
        worker = Worker()
        with anyio.fail_after(START):
            await self._thread(worker, worker.ready)
        return worker

    async def _thread(self, worker: Worker, function: Callable[..., Any], *arguments: Any) -> Any:
        """Wait in a thread for a worker; end the worker when the wait is given up, and the thread ends with it.

        Whoever comes last, the thread or the one who gives up, closes the pipes.
        """
        turn = threading.Lock()
        begun = done = given_up = False

        def waited() -> Any:
            nonlocal begun, done
            with turn:
                begun = True
            try:
                found = function(*arguments)
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                worker.close()
                raise WorkerEnded(messages.COMPUTATION_ENDED(), 503) from None
            with turn:
                done = True
                if given_up:
                    worker.close()
            return found

        try:
            return await anyio.to_thread.run_sync(waited, limiter=self._threads, abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            with turn:
                given_up = True
                if done or not begun:
                    worker.close()
                else:
                    worker.end()  # the thread sees that, and closes the pipes
            raise

    def close(self) -> None:
        """End the workers that are free; those that compute end with the requests that they compute for."""
        while self._free:
            self._free.pop().close()
