"""The calculator against those who mean no good: dead workers, slow headers, endless labels, names of megabytes."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import signal
import socket
import time
from pathlib import Path
from typing import Any

import anyio
import polars as pl
import pytest
from click.testing import CliRunner
from httpx import Client

import howsure as hs
from howsure.cli.app import howsure as verbs
from howsure.errors import LONG_SENTENCE, InputError, MetricError
from howsure.web import limits
from howsure.web.pool import Pool
from howsure.web.questions.uploads import upload
from support.served import served
from web.test_load import pooled


def _dies_once(path: str) -> int:
    """End this process the first time, and answer the second."""
    if os.path.exists(path):
        return 7
    Path(path).touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def test_a_worker_that_is_killed_costs_no_request(tmp_path: Path) -> None:
    async def work(pool: Pool) -> Any:
        return await pool.run(_dies_once, str(tmp_path / "seen"))

    assert pooled(work, size=1) == (200, b"7")


def test_a_worker_killed_from_outside_costs_no_request() -> None:
    async def work(pool: Pool) -> Any:
        process = int((await pool.run(os.getpid))[1])
        found = []

        async def ask() -> None:
            found.append(await pool.run(time.sleep, 1.0))

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.sleep(0.4)
            os.kill(process, signal.SIGKILL)
        return found

    assert pooled(work, size=1) == [(200, b"null")]


class TestSlowHeaders:
    """A connection that never finishes asking is closed; others are not held up."""

    @pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: local", b"GET / HTTP/1.1\r\n"])
    def test_closed(self, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
        monkeypatch.setattr(limits, "SECONDS_TO_ASK", 0.4)
        with served() as address:
            host, port = address.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port)), timeout=20) as line:
                line.sendall(sent)
                began = time.monotonic()
                assert line.recv(100) == b""
                assert time.monotonic() - began < 15

    def test_a_second_request_has_its_own_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "SECONDS_TO_ASK", 1.0)
        request = b"GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with served() as address:
            host, port = address.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port)), timeout=20) as line:
                for _ in range(2):
                    line.sendall(request)
                    answer = b""
                    while not answer.endswith(b"}\n"):
                        answer += line.recv(1 << 20)
                    assert answer.startswith(b"HTTP/1.1 200")
                    time.sleep(0.7)
                line.sendall(request[:-2])
                while line.recv(1 << 20):
                    continue


def test_a_million_distinct_labels_are_refused_in_seconds() -> None:
    content = b"truth,pred\n" + b"".join(b"a%d,b%d\n" % (k, k) for k in range(1_000_000))
    began = time.process_time()
    with pytest.raises(limits.TooLarge, match="classes: 1,000,000 is more than this server takes"):
        upload(content, "p.csv", {})
    assert time.process_time() - began < 5  # twenty before


LONG = "x" * 1_000_000


class TestLongNames:
    """Labels of megabytes are shortened in every face; the data have them whole."""

    @pytest.fixture(scope="class")
    @classmethod
    def table(cls) -> hs.Table:
        return hs.table(
            [LONG, "b", LONG, "b"] * 9, {LONG[:-1]: [LONG, "b", "b", "b"] * 9, "m": [LONG, LONG, "b", "b"] * 9}
        )

    @pytest.mark.parametrize("form", ["to_markdown", "to_html", "to_latex", "__str__", "__repr__"])
    def test_written(self, table: hs.Table, form: str) -> None:
        made = hs.report(table, [f"f1[{LONG}]", "macro_f1", "accuracy"])
        assert len(re.sub(r"base64,[^\"]*", "", getattr(made, form)())) < 40 * LONG_SENTENCE
        assert LONG in made.to_json()

    def test_estimates_and_comparisons(self, table: hs.Table) -> None:
        one = hs.estimate(table, f"f1[{LONG}]", model="m")
        both = hs.compare(table, f"f1[{LONG}]", a=LONG[:-1], b="m")
        for text in (repr(one), str(one), str(both), *map(str, one.notes), *map(str, both.notes)):
            assert len(text) < 4 * LONG_SENTENCE

    def test_messages(self, table: hs.Table) -> None:
        for ask in (
            lambda: hs.estimate(table, "f1", model="m"),
            lambda: hs.estimate(table, "f1[none]", model="m"),
            lambda: hs.estimate(table, LONG),
            lambda: hs.table([LONG], ["b"], labels=["b", "c"]),
            lambda: hs.read(LONG[:200_000]),
        ):
            with pytest.raises((InputError, MetricError)) as caught:
                ask()
            assert len(str(caught.value)) <= LONG_SENTENCE

    def test_page_and_command_line(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"truth": [LONG[:900_000], "b"] * 20, "pred": [LONG[:900_000], "b", "b", "b"] * 10})
        frame.write_csv(tmp_path / "a.csv")
        done = CliRunner().invoke(verbs, ["report", str(tmp_path / "a.csv"), "--html", str(tmp_path / "a.html")])
        assert done.exit_code == 0, done.output[:2000]
        assert len(done.output) < 40 * LONG_SENTENCE
        shown = re.sub(r'base64,[^"]*', "", (tmp_path / "a.html").read_text())
        assert len(shown) < 500_000

    def test_calculator(self) -> None:
        content = f"truth,{LONG[:80_000]},m\n" + f"{LONG[:90_000]},b,b\nb,b,b\n" * 20
        found = upload(content.encode(), "p.csv", {"truth": "truth"})
        assert max(map(len, [*found["about"]["labels"], *found["about"]["models"]])) <= limits.MOST_NAME
        assert len(str(found)) < 600_000


class TestPolicy:
    """What a page may do is said in it: its own script by its hash, its own style, and nothing from elsewhere."""

    def test_report_page(self) -> None:
        text = hs.report(hs.counts(tp=7, fp=2, fn=1, tn=9)).to_html()
        page = text if "Content-Security-Policy" in text else _page()
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
        hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
        assert [f"sha256-{one}" in policy for one in hashes] == [True]
        assert policy.startswith("default-src 'none'".replace("'", "&#39;"))

    def test_calculator(self) -> None:
        with served() as address, Client(base_url=address, trust_env=False) as client:
            assert client.get("/").headers["content-security-policy"].startswith("default-src 'none'")


def _page() -> str:
    from howsure.reports.page.page import table_page

    return table_page(hs.counts(tp=7, fp=2, fn=1, tn=9))


def test_threads_and_resamples_are_bounded(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("truth,pred\n1,1\n0,1\n")
    with pytest.raises(InputError, match="threads is 1000000; it must be a whole number, at most 1,024"):
        hs.read(tmp_path / "a.csv", threads=10**6)
    with pytest.raises(InputError, match="n_resamples is 1000000000000; it must be a whole number, at most 10,000,000"):
        hs.Bootstrap(n_resamples=10**12)
    for options in (["--threads", "1000000"], ["--method", "bootstrap", "--resamples", "1000000000000"]):
        done = CliRunner().invoke(verbs, ["report", str(tmp_path / "a.csv"), *options])
        assert done.exit_code == 2, done.output
