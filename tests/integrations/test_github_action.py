"""The composite action for GitHub: its shell step run here, with the files that GitHub would give it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ACTION = ROOT / ".github" / "actions" / "howsure-gate" / "action.yml"
EXAMPLE = ROOT / "src" / "howsure" / "cli" / "example" / "tumours.csv"
ASKED = "--truth truth --pred linear --pos-label malignant -m f1 --at-least"

pytestmark = pytest.mark.skipif(not ACTION.exists() or shutil.which("bash") is None, reason="needs a clone and bash")


def step() -> str:
    """Return the shell of the step that runs the gate."""
    text = ACTION.read_text(encoding="utf-8")
    found = re.search(r"id: gate.*?run: \|\n(.*)", text, re.DOTALL)
    assert found is not None
    return "\n".join(line[8:] for line in found[1].splitlines())


@pytest.mark.parametrize(
    ("threshold", "inconclusive", "status", "verdict"),
    [("0.85", "fail", 0, "pass"), ("0.99", "fail", 1, "fail"), ("0.9", "fail", 3, "inconclusive"),
     ("0.9", "pass", 0, "inconclusive")],
)  # fmt: skip
def test_the_step(threshold: str, inconclusive: str, status: int, verdict: str, tmp_path: Path) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "howsure").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m howsure "$@"\n')
    (bin_ / "howsure").chmod(0o755)
    files: dict[str, Any] = {"GITHUB_STEP_SUMMARY": tmp_path / "summary.md", "GITHUB_OUTPUT": tmp_path / "output"}
    here = os.environ | {name: str(path) for name, path in files.items()}
    here |= {"FILES": str(EXAMPLE), "ARGUMENTS": f"{ASKED} {threshold}", "INCONCLUSIVE": inconclusive}
    here |= {"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", step()], env=here, cwd=tmp_path, check=False)
    assert done.returncode == status
    assert files["GITHUB_OUTPUT"].read_text() == f"verdict={verdict}\n"
    summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    assert summary.startswith(f"### howsure gate: {verdict}\n")
    assert "F1 of linear" in summary
