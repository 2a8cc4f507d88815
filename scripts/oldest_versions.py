"""Print what pyproject.toml allows at its oldest, as requirements for pip: `make test-oldest` installs exactly that.

With --newest the same packages without a limit above: `make test-newest`. A floor is written once, in pyproject.toml. A
package without a floor is a tool of the tests, in whatever version goes with the rest.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
# The tests of these do not run on the oldest versions: they are about the browser and the engines, not about numbers.
LEFT_OUT = ("axe-playwright-python", "playwright", "schemathesis")


def oldest(project: dict[str, object]) -> list[str]:
    """Return every requirement of the library, its extras and its tests, with the floor as the only version.

    >>> oldest({"dependencies": ["numpy>=1.26"], "optional-dependencies": {"all": ["p[cli]"], "cli": ["click>=8.1"],
    ...         "test": ["p[all]", "mpmath", "playwright"]}})
    ['click==8.1', 'mpmath', 'numpy==1.26']
    """
    extras: dict[str, list[str]] = project["optional-dependencies"]  # type: ignore[assignment]
    wanted: list[str] = [*project["dependencies"]]  # type: ignore[misc]
    for name in (*_extras(extras["all"][0]), "crf"):  # which few want, and which the tests need
        wanted += extras.get(name, [])
    wanted += [one for one in extras["test"] if "[" not in one and one not in _excused(extras["test"])]
    return sorted({one.replace(">=", "==") for one in wanted})


def _extras(requirement: str) -> list[str]:
    return requirement.partition("[")[2].rstrip("]").split(",")


def _excused(requirements: list[str]) -> list[str]:
    return [one for one in requirements if re.split(r"[<>=\[]", one)[0] in LEFT_OUT]


if __name__ == "__main__":
    found = oldest(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"])
    print("\n".join(one.replace("==", ">=") if "--newest" in sys.argv[1:] else one for one in found))
