"""Write docs/hard-use.md from the cases of tests/hard_use; with --check only see that it is up to date.

python scripts/make_hard_use.py [--check]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from hard_use.table import CASES, page  # noqa: E402

PAGE = ROOT / "docs" / "hard-use.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    made = page()
    if parser.parse_args().check:
        if not PAGE.exists() or PAGE.read_text() != made:
            sys.exit("docs/hard-use.md is out of date; run: python scripts/make_hard_use.py")
        return
    PAGE.write_text(made)
    print(f"wrote {PAGE.relative_to(ROOT)}: {len(CASES)} cases")


if __name__ == "__main__":
    main()
