"""Run every benchmark of this folder and write what they print to one page.

Each benchmark is a script of its own that prints ratios measured in one run. ``python benchmarks/run.py [name …]``.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER / "results.md"
MOST_SECONDS = 1800


def machine() -> str:
    """Return one line about the machine: the ratios below belong to it."""
    processor = platform.processor() or platform.machine()
    return f"Python {platform.python_version()} on {platform.system()} ({processor})"


def run(script: Path) -> str:
    """Return what a benchmark prints."""
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=MOST_SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{script.name} failed:\n{done.stderr}")
    return done.stdout.rstrip()


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all of them."""
    scripts = [path for path in sorted(FOLDER.glob("*.py")) if path.name != Path(__file__).name]
    chosen = [path for path in scripts if not names or path.stem in names]
    if not chosen:
        raise SystemExit(f"no such benchmark; there are {', '.join(path.stem for path in scripts)}")
    parts = ["# Benchmarks", "", f"Ratios of medians, measured in one run: {machine()}.", ""]
    for script in chosen:
        print(f"running {script.stem} …", flush=True)
        text = run(script)
        print(text, flush=True)
        parts += [f"## {script.stem}", "", "```", text, "```", ""]
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main(sys.argv[1:])
