"""Spoil valid files at random and read them: only our own errors may come out, and within seconds.

    python scripts/fuzz_readers.py --seconds 60 [--reader csv] [--seed 0] [--found directory] [--atheris]

Run by hand. Each case is written to disk before it is read, so that one that kills the process is still there. With
``--atheris`` (pip install atheris) the mutations are guided by the code that they reach. A bounded version runs in the
tests (tests/hard_use/test_readers.py).
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

# Code is watched for new paths only if it is loaded under the eye of atheris.
with import_module("atheris").instrument_imports(include=["howsure"]) if "--atheris" in sys.argv else nullcontext():
    from hard_use.readers import Reader, mutated, readers
    from howsure.errors import HowsureError

PATIENCE = 20


class Hang(Exception):
    """A case took longer than it may."""


def _late(*_: object) -> None:
    raise Hang(f"no answer within {PATIENCE} seconds")


def outcome(reader: Reader, path: Path) -> str:
    """Read one file; return "read", "refused", or where and how it broke."""
    signal.alarm(PATIENCE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            reader.read(path)
    except (HowsureError, FileNotFoundError):
        return "refused"
    except Exception as error:
        last = [frame for frame in traceback.extract_tb(error.__traceback__) if "howsure" in frame.filename][-1]
        return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {str(error)[:100]}"
    finally:
        signal.alarm(0)
    return "read"


def place(found: str) -> str:
    """Return a finding without its message, to count alike ones together."""
    return found.split(": ")[0]


def keep(found: str, reader: Reader, content: bytes, folder: Path, seen: Counter[str]) -> None:
    """Count a finding; print and keep the first of each kind."""
    key = f"{reader.name}: {place(found)}"
    seen[key] += 1
    if found not in ("read", "refused") and seen[key] == 1:
        path = folder / f"{reader.name.replace(', ', '-')}-{abs(hash(key)) % 10**8}{reader.suffix}"
        path.write_bytes(content)
        print(f"{reader.name}: {found}  ({path})", flush=True)


def by_chance(chosen: list[Reader], seconds: float, seed: int, folder: Path) -> Counter[str]:
    """Mutate the seeds of all readers in turn until the time is over."""
    chance, seen = random.Random(seed), Counter[str]()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for reader in chosen:
            content = mutated(chance.choice(reader.seeds), chance)
            path = folder / f"case{reader.suffix}"
            path.write_bytes(content)
            keep(outcome(reader, path), reader, content, folder, seen)
    return seen


def guided(reader: Reader, seconds: float, folder: Path) -> None:
    """Let atheris choose the mutations; it ends the process itself."""
    import atheris

    seen = Counter[str]()
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for place_, content in enumerate(reader.seeds):
        (corpus / str(place_)).write_bytes(content)

    def one(content: bytes) -> None:
        path = folder / f"case{reader.suffix}"
        path.write_bytes(content)
        keep(outcome(reader, path), reader, content, folder, seen)

    atheris.Setup([sys.argv[0], f"-max_total_time={int(seconds)}", "-verbosity=0", str(corpus)], one)
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--reader")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--found", type=Path)
    parser.add_argument("--atheris", action="store_true")
    options = parser.parse_args()
    folder = options.found or Path(tempfile.mkdtemp(prefix="howsure-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in readers() if options.reader in (None, one.name)]
    signal.signal(signal.SIGALRM, _late)
    if options.atheris:
        guided(chosen[0], options.seconds, folder)
        return
    seen = by_chance(chosen, options.seconds, options.seed, folder)
    for key, times in sorted(seen.items()):
        print(f"{times:8,}  {key}")
    sys.exit(any(not key.endswith((": read", ": refused")) for key in seen))


if __name__ == "__main__":
    main()
