"""The plugin for pytest, run as a user would: in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def counts(howsure, tp):
    return howsure.counts(tp=tp, fp=10, fn=10, tn=700)

def test_good(howsure):
    assert howsure.gate(counts(howsure, 200), "f1", at_least=0.8).verdict == "pass"

def test_bad(howsure):
    howsure.gate(counts(howsure, 5), "f1", at_least=0.8)

def test_unsure(howsure):
    howsure.gate(counts(howsure, 50), "f1", at_least=0.8)

@pytest.mark.howsure(inconclusive="skip")
def test_unsure_skipped(howsure):
    howsure.gate(counts(howsure, 50), "f1", at_least=0.8)

@pytest.mark.howsure(inconclusive="pass")
def test_unsure_passed(howsure):
    assert howsure.gate(counts(howsure, 50), "f1", at_least=0.8).verdict == "inconclusive"

@pytest.mark.howsure(inconclusive="maybe")
def test_wrong_marker(howsure):
    pass
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    here = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    plugin = ["-p", "howsure.integrations.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "-c", os.devnull, "--strict-markers"]
    command += [*plugin, "-p", "no:howsure", *arguments]
    return subprocess.run(command, cwd=folder, env=here, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_model.py").write_text(TESTS, encoding="utf-8")
    return run(folder, "test_model.py")


def test_verdicts_become_outcomes(done: subprocess.CompletedProcess[str]) -> None:
    lines = done.stdout.splitlines()
    found = {line.split("::")[1].split()[0]: line.split()[0] for line in lines if "::test_" in line and " " in line}
    assert found["test_good"] == found["test_unsure_passed"] == "PASSED"
    assert found["test_bad"] == found["test_unsure"] == "FAILED"
    assert found["test_wrong_marker"] == "ERROR"
    assert "1 skipped" in lines[-1]


def test_a_failure_is_readable(done: subprocess.CompletedProcess[str]) -> None:
    text = done.stdout
    assert "reaches 0.8" in text
    assert "95%" in text
    assert "pytest_plugin.py" not in text.partition("test_wrong_marker")[0]  # no traceback of ours
    assert "inconclusive is 'maybe'; it must be one of 'fail', 'skip', 'pass'" in text


def test_the_plugin_imports_the_library_late() -> None:
    code = (
        "import sys, howsure.integrations.pytest_plugin\n"
        "assert 'numpy' not in sys.modules, 'numpy'\n"
        "assert not [name for name in sys.modules if name.startswith('howsure.') and 'integrations' not in name]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
