"""The command line: verbs = functions. Nothing heavy is loaded until a verb runs.

May import: whatever it needs.
"""

from __future__ import annotations

import gc
import sys

from howsure.version import __version__

EXIT_CODES = "exit codes: 0 done or gate passed · 1 gate failed · 2 usage or data error · 3 gate inconclusive"


def main() -> None:
    """Run the command line; say which extra is missing when click is not installed."""
    gc.set_threshold(100_000)  # classes that are being loaded are no garbage, and to look for some takes a tenth of it
    try:
        from howsure.cli.app import howsure
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.stderr.write(
            f"howsure: the command line needs the package {error.name!r}; install it with: pip install 'howsure[cli]'\n"
        )
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    howsure(prog_name="howsure")


__all__ = ["EXIT_CODES", "__version__", "main"]
