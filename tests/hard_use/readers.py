"""Every reader of files with small valid files of its format, and ways of spoiling them."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
from pyarrow import feather, ipc, parquet

import howsure as hs
from hard_use.row_readers import (
    DOORS,
    LONG,
    TAGS,
    asked_of,
    helm,
    openai_evals,
    samples_by_subject,
    sliced,
    two_taggers,
)
from howsure.sources.files.matrix_files import read_matrix
from howsure.sources.sequences.conll import read_conll

ROWS = {"truth": ["cat", "dog", "cat", "cow"] * 3, "svm": ["cat", "cat", "cat", "cow"] * 3, "site": list("xxyy") * 3}
NUMBERS = {"y": [0, 1, 1, 0, 1], "p": [0, 1, 0, 0, 1], "w": [1.5, 2.0, 1.0, 0.5, 3.0]}
# Fragments that formats give a meaning to; spliced into files by the mutations below.
TOKENS = (
    b'"', b"'", b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"{", b"}", b"[",
    b"]", b":", b"null", b"NaN", b"Infinity", b"-1", b"1e400", b"1e-400", b"0.5", b"9" * 25, b"-DOCSTART-", b"#", b" ",
    b"true", b"truth", b"doc_id", b"\xe2\x80\xa8", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"PAR1", b"PK\x03\x04",
    b"\x1f\x8b", b"[1]", b"*", b"?", b"site=1", b"Truth", b"TRUTH", "é".encode(), "😀".encode(), b"=1+1", b"[" * 5000,
)  # fmt: skip
STRANGE = (
    None, True, 0, -1, 1, 2**70, 0.5, float("nan"), float("inf"), 1e300, "", " ", "1", "cat", "\ud800", "\x00", "=1+1",
    [], {}, [[]], [1, "a"], {"a": []}, {"value": 1}, [None], {"": None}, "C" * 9,
)  # fmt: skip


class Reader(NamedTuple):
    """A reader: its name, the ending of its files, valid files, and the call that reads one."""

    name: str
    suffix: str
    seeds: tuple[bytes, ...]
    read: Callable[[Path], Any]


def _separated(columns: dict[str, list[Any]], mark: str) -> bytes:
    lines = [columns, *zip(*columns.values(), strict=True)]
    return "".join(mark.join(map(str, line)) + "\n" for line in lines).encode()


def _lines(objects: list[Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in objects).encode()


def _records(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _written(write: Callable[[Any, Any], Any], columns: dict[str, list[Any]]) -> bytes:
    sink = io.BytesIO()
    write(pa.table(columns), sink)
    return sink.getvalue()


def _streamed(table: Any, sink: Any) -> None:
    with ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def _dictionaries(columns: dict[str, list[Any]]) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(pd.DataFrame(columns).astype("category")), sink)
    return sink.getvalue()


def _samples() -> bytes:
    rows = [
        {"doc_id": one, "target": "A", "filter": "none", "metrics": ["acc"], "doc_hash": f"h{one}", "resps": [["A"]],
         "filtered_resps": ["A"], "acc": one % 2}
        for one in range(4)
    ]  # fmt: skip
    return _lines(rows)


def _inspect() -> dict[str, Any]:
    samples = [
        {"id": one, "epoch": 1, "target": "A", "scores": {"match": {"value": "CI"[one % 2]}}} for one in range(4)
    ]
    return {"version": 2, "eval": {"model": "openai/gpt"}, "samples": samples}


def _inspect_zip() -> bytes:
    sink = io.BytesIO()
    log = _inspect()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": log["eval"]}))
        for one in log["samples"]:
            archive.writestr(f"samples/{one['id']}_epoch_1.json", json.dumps(one))
    return sink.getvalue()


def _snapshot() -> bytes:
    counter = hs.Counter(["cat", "cow", "dog"], ["svm"])
    counter.update(ROWS["truth"], ROWS["svm"], groups=ROWS["site"])
    with TemporaryDirectory() as folder:
        counter.save(Path(folder) / "counter.npz")
        return (Path(folder) / "counter.npz").read_bytes()


def _folds() -> bytes:
    rows = [f"{model},{r},{f},{9 + r},{f},{2 + r}" for model in "ab" for r in (1, 2, 3) for f in (1, 2)]
    return "\n".join(["model,repeat,fold,tp,fp,fn", *rows, ""]).encode()


CONLL = b"-DOCSTART- O O\n\nEU B-ORG B-ORG\nrejects O O\nGerman B-MISC O\n\n# a comment\nPeter B-PER B-PER\nB I-PER O\n"


@lru_cache
def readers() -> tuple[Reader, ...]:
    """Return every reader."""
    csv, numbers = _separated(ROWS, ","), _separated(NUMBERS, ";")
    named = {"truth": "truth", "predictions": ["svm"]}
    return (
        Reader("csv", ".csv", (csv, numbers, csv.replace(b"\n", b"\r\n"), gzip.compress(csv, mtime=0)), hs.read),
        Reader("csv, columns named", ".csv", (csv,), lambda path: hs.read(path, **named, group="site")),
        Reader("csv, slices", ".csv", (csv,), lambda path: hs.read_slices(path, by="site", **named)),
        Reader("csv, bad rows left out", ".csv", (csv,), lambda path: hs.read(path, **named, on_bad="skip")),
        Reader("tsv", ".tsv", (_separated(ROWS, "\t"), _separated(NUMBERS, "\t")), hs.read),
        Reader("jsonl", ".jsonl", (_lines(_records(ROWS)), _lines(_records(NUMBERS))), hs.read),
        Reader("json", ".json", (json.dumps(_records(ROWS)).encode(),), hs.read),
        Reader("parquet", ".parquet", (_written(parquet.write_table, ROWS), _dictionaries(ROWS)), hs.read),
        Reader("arrow", ".arrow", (_written(feather.write_feather, ROWS), _written(_streamed, NUMBERS)), hs.read),
        Reader("csv, an odd name", ".csv", (csv, gzip.compress(csv, mtime=0)), _oddly_named),
        Reader("csv, folders as columns", ".csv", (_separated(NUMBERS, ","),), _in_folders),
        Reader("parquet, folders as columns", ".parquet", (_written(parquet.write_table, NUMBERS),), _in_folders),
        Reader("parquet, nested", ".parquet", (_nested(parquet.write_table),), hs.read),
        Reader("parquet, nested and named", ".parquet", (_nested(parquet.write_table),), _each_column),
        Reader("arrow, nested", ".arrow", (_nested(feather.write_feather), _nested(_streamed)), _each_column),
        Reader("jsonl, nested", ".jsonl", (_lines(NESTED),), _each_column),
        Reader("no ending", "", (csv, _lines(_records(ROWS)), _written(parquet.write_table, ROWS)), hs.read),
        Reader("matrix", ".csv", (b"5,1\n2,7\n", b",cat,dog\ncat,5,1\ndog,2,7\n"), _matrix),
        Reader("folds", ".csv", (_folds(),), hs.read_folds),
        Reader("conll", ".conll", (CONLL,), lambda path: hs.spans(*_tags(path))),
        Reader("lm-eval", ".jsonl", (_samples(),), hs.read),
        Reader("inspect", ".json", (json.dumps(_inspect()).encode(),), hs.read),
        Reader("inspect, zipped", ".eval", (_inspect_zip(),), hs.read),
        Reader("mlflow", ".json", (_mlflow(),), hs.read),
        Reader("huggingface", ".json", (json.dumps({"predictions": [0, 1], "references": [1, 1]}).encode(),), hs.read),
        Reader("counter", ".npz", (_snapshot(),), hs.Counter.load),
        *(Reader(f"{ending[1:]}, {door.name}", ending, (write(door.rows),), asked_of(door))
          for door in DOORS for ending, write in WRITERS.items() if ending == ".csv" or door.name in EVERYWHERE),
        Reader("csv, long table in slices", ".csv", (_separated(LONG, ","),), sliced),
        Reader("helm", ".json", (helm(),), lambda path: hs.read(path, format="helm", predictions="exact_match")),
        Reader("openai-evals", ".jsonl", (openai_evals(),), hs.read),
        Reader("lm-eval, values", ".jsonl", (samples_by_subject(),), lambda path: hs.read(path, predictions="rouge")),
        Reader("lm-eval, slices", ".jsonl", (samples_by_subject(),), lambda path: hs.read_slices(path, by="subject")),
        Reader("conll, two taggers", ".conll", (TAGS,), two_taggers),
    )  # fmt: skip


EVERYWHERE = ("values", "sums per unit", "long table")  # doors that are tried with every format
WRITERS: dict[str, Callable[[dict[str, list[Any]]], bytes]] = {
    ".csv": lambda rows: _separated(rows, ","),
    ".jsonl": lambda rows: _lines(_records(rows)),
    ".parquet": lambda rows: _written(parquet.write_table, rows),
}


def _oddly_named(path: Path) -> hs.Table:
    """Read the file under a name that would match others, beside one that it matches."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "rows1.csv").write_bytes(b"truth,svm\n0,1\n")
        odd = Path(folder) / "rows[1]*?.csv"
        odd.write_bytes(path.read_bytes())
        found = hs.read(odd)
        assert not set(found.labels) >= {0, 1} or b"0" in path.read_bytes() or path.read_bytes()[:2] == b"\x1f\x8b"
        return found


def _in_folders(path: Path) -> hs.Table:
    """Read the file in folders that state two columns, one of them at most its own."""
    with TemporaryDirectory() as folder:
        inside = Path(folder) / "site=b%20c" / "year=2024"
        inside.mkdir(parents=True)
        (inside / path.name).write_bytes(path.read_bytes())
        return hs.read(folder, truth="y", predictions="p", group="site", partitions=True)


NESTED = [
    {
        "truth": place % 2,
        "pred": place % 2,
        "list": [place],
        "struct": {"a": place},
        "deep": [{"b": [place]}],
        "Pred": 1,
    }
    for place in range(6)
]


def _nested(write: Callable[[Any, Any], Any]) -> bytes:
    sink = io.BytesIO()
    table = pa.Table.from_pylist(NESTED)
    maps = pa.array([[("a", 1)]] * 6, pa.map_(pa.string(), pa.int8()))
    decimals = pa.array(range(6)).cast(pa.decimal128(38, 0))
    write(table.append_column("map", maps).append_column("decimal", decimals), sink)
    return sink.getvalue()


def _each_column(path: Path) -> list[Any]:
    """Read the file with each of its columns as the prediction in turn; those that cannot be one are refused."""
    found: list[Any] = []
    for column in ("pred", "Pred", "list", "struct", "deep", "map", "decimal"):
        try:
            found.append(hs.read(path, truth="truth", predictions=column))
        except hs.HowsureError as error:
            found.append(error)
    return found


def _matrix(path: Path) -> hs.Table:
    return read_matrix(path, rows="truth")


def _tags(path: Path) -> tuple[Any, Any]:
    found = read_conll(path)
    return found.gold, found.predictions


def _mlflow() -> bytes:
    rows = [list(row) for row in zip(*ROWS.values(), strict=True)]
    return json.dumps({"columns": list(ROWS), "data": rows}).encode()


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Return a spoilt file: bytes changed, cut, doubled or put in; of JSON, at times a value of another kind."""
    if content[:1] in (b"{", b"[") and chance.random() < 0.5:
        return _restructured(content, chance)
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at, size = chance.randrange(len(data) + 1), chance.choice((1, 1, 2, 4, 16, 64))
        kind = chance.randrange(7)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            del data[at : at + size]
        elif kind == 2:
            data[at:at] = chance.choice(TOKENS)
        elif kind == 3:
            data[at : at + size] = chance.choice(TOKENS)
        elif kind == 4:
            data[at:at] = data[at : at + size] * chance.choice((1, 2, 50))
        elif kind == 5 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        else:
            data[at : at + size] = chance.randbytes(size)
    return bytes(data)


def _restructured(content: bytes, chance: random.Random) -> bytes:
    """Return JSON, or JSON lines, with a value somewhere replaced or taken away."""
    try:
        return json.dumps(_with_another_value(json.loads(content), chance)).encode()
    except ValueError:
        lines = content.splitlines()
        at = chance.randrange(len(lines))
        lines[at] = json.dumps(_with_another_value(json.loads(lines[at]), chance)).encode()
        return b"\n".join(lines)


def _with_another_value(value: Any, chance: random.Random) -> Any:
    if not isinstance(value, (dict, list)) or not value or chance.random() < 0.2:
        return chance.choice(STRANGE)
    key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    if chance.random() < 0.15:
        del value[key]
    else:
        value[key] = _with_another_value(value[key], chance)
    return value
