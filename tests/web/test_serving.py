"""howsure serve: where it listens, what it refuses, and how it stops."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from httpx import Client

from howsure.cli.app import howsure as verbs
from howsure.web import serving
from support.served import served


def started(
    *, command: Sequence[str] = (sys.executable, "-m", "howsure"), cwd: Path | None = None
) -> tuple[subprocess.Popen[str], str]:
    """Start the verb in a process and return it with the address that it says."""
    asked = [*command, "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd)
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.match(r"howsure is at (http://\S+/) ", line):
            return process, found[1]
    raise AssertionError("it ended without saying where it is")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is another signal on Windows")
def test_it_serves_and_ctrl_c_ends_it_in_order() -> None:
    process, address = started()
    with Client(trust_env=False, timeout=60) as client:
        assert "How sure are you" in client.get(address).text
        assert client.get(address + "api/intervals", params={"tp": 7, "fp": 2, "fn": 1}).status_code == 200
        assert "server" not in client.get(address).headers
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


def test_nothing_in_the_folder_where_it_was_started_is_imported(tmp_path: Path) -> None:
    """Neither by the server nor by its workers; the command's own folder is not the one where it is started."""
    (tmp_path / "here").mkdir()
    for name in ("pickle", "queue", "random", "signal", "socket", "struct"):
        (tmp_path / "here" / f"{name}.py").write_text("raise RuntimeError('taken for the standard library')\n")
    command = tmp_path / "howsure_command.py"
    command.write_text("from howsure.cli import main\n\nif __name__ == '__main__':\n    main()\n")
    process, address = started(command=[sys.executable, str(command)], cwd=tmp_path / "here")
    with Client(trust_env=False, timeout=60) as client:
        answer = client.get(address + "api/intervals", params={"tp": 7, "fp": 2, "fn": 1})
    process.terminate()
    process.communicate(timeout=30)
    assert answer.status_code == 200, answer.text


def test_a_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = CliRunner().invoke(verbs, ["serve", "--no-browser", "--port", str(port)])
    assert done.exit_code == 2
    assert f"port is {port}, where this cannot listen (Address already in use)" in done.output
    assert "choose another with --port" in done.output


def test_an_address_that_is_not_of_this_machine() -> None:
    done = CliRunner().invoke(verbs, ["serve", "--no-browser", "--host", "192.0.2.1"])
    assert (done.exit_code, "cannot listen" in done.output) == (2, True)


def test_other_addresses_are_warned_of_and_need_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}
    monkeypatch.setattr(serving, "serve", lambda door, **options: door.close() or asked.update(options))
    done = CliRunner().invoke(verbs, ["serve", "--no-browser", "--port", "0"])
    assert (done.exit_code, "warning" in done.output, asked["opened"]) == (0, False, False)
    done = CliRunner().invoke(verbs, ["serve", "--no-browser", "--port", "0", "--host", "0.0.0.0"])
    assert (done.exit_code, "such as --name" in done.output) == (2, True)
    done = CliRunner().invoke(verbs, ["serve", "--port", "0", "--host", "0.0.0.0", "--name", "lab.example"])
    assert done.exit_code == 0
    assert "warning: 0.0.0.0 may be reached by others; this server has no password" in done.output
    assert "http://127.0.0.1:" in done.output
    assert (asked["names"], asked["opened"]) == (("lab.example",), True)


def test_a_name_that_was_given_is_answered_to() -> None:
    with served(host="0.0.0.0", names=["Lab.example"]) as address, Client(base_url=address, trust_env=False) as client:
        for host, status in {"lab.example:80": 200, "localhost": 200, "other.example": 421}.items():
            assert client.get("/", headers={"host": host}).status_code == status
