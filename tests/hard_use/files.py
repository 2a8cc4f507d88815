"""Files as people have them: encodings, line ends, damage, bombs, odd names and places."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from click.testing import CliRunner
from pyarrow import feather, parquet

import howsure as hs
from hard_use.catalogue import refused, theme
from howsure.cli.app import howsure

FILES = theme("Files")
ROWS = "truth,svm\ncat,cat\ndog,cat\ndog,dog\n"
EXPECTED = [[1, 0], [1, 1]]


def written(folder: Path, content: bytes | str, name: str = "rows.csv") -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path) -> hs.Table:
    """Read the two columns that the files here have."""
    return hs.read(path, truth="truth", predictions="svm")


def counts(path: Path) -> list[list[float]]:
    """Return what a file counts to."""
    return read(path).matrix().tolist()


@FILES.case("a byte order mark before the header", "left out")
def byte_order_mark(folder: Path) -> None:
    assert counts(written(folder, b"\xef\xbb\xbf" + ROWS.encode())) == EXPECTED


@FILES.case("Windows line ends (CRLF), no line end at the last row", "read like others")
def line_ends(folder: Path) -> None:
    assert counts(written(folder, ROWS.replace("\n", "\r\n"))) == EXPECTED
    assert counts(written(folder, ROWS.rstrip("\n"))) == EXPECTED


@FILES.case("lines that end now in LF, now in CRLF, now in CR", "read like others; the line of a bad row is right")
def uneven_line_ends(folder: Path) -> None:
    rows = ROWS.replace("cat,cat\n", "cat,cat\r\n")
    for name, packed in (("rows.csv", rows.encode()), ("rows.csv.gz", gzip.compress(rows.encode()))):
        assert counts(written(folder, packed, name)) == EXPECTED
    assert counts(written(folder, ROWS.replace("dog,cat\n", "dog,cat\r"))) == EXPECTED
    refused(lambda: read(written(folder, rows + "dog,\r\ncat\n")), "2 of 5 rows", "first at line 6", "first at line 5")


@FILES.case("semicolons, tabs or bars between fields", "found by the header")
def separators(folder: Path) -> None:
    for mark in ";\t|":
        assert counts(written(folder, ROWS.replace(",", mark))) == EXPECTED


@FILES.case("UTF-16 or Latin-1", "refused: the file is to be converted to UTF-8")
def encodings(folder: Path) -> None:
    refused(lambda: read(written(folder, ROWS.encode("utf-16"))), "UTF-8")
    refused(lambda: read(written(folder, ROWS.replace("dog", "hündin").encode("latin-1"))), "UTF-8")


@FILES.case("a file without a byte, or with blanks only", "refused")
def empty(folder: Path) -> None:
    refused(lambda: read(written(folder, b"")), "is empty")
    refused(lambda: read(written(folder, b"\n \n")), "no text")


@FILES.case("a header and no rows", "refused")
def header_only(folder: Path) -> None:
    refused(lambda: read(written(folder, "truth,svm\n")), "rows.csv", "none")


@FILES.case("two columns of one name", "refused, if one of them is wanted")
def double_columns(folder: Path) -> None:
    refused(lambda: read(written(folder, "truth,svm,svm\na,a,b\nb,b,b\n")), "svm")


@FILES.case("a row with a field too few or too many", "refused with its line; left out and noted with on_bad='skip'")
def ragged(folder: Path) -> None:
    path = written(folder, ROWS + "cat\ncat,cat,dog\n")
    refused(lambda: read(path), "2 of 5 rows", "line 5")
    table = hs.read(path, truth="truth", predictions="svm", on_bad="skip")
    assert table.matrix().tolist() == EXPECTED
    assert any("2 of 5 rows were left out" in note for note in table.notes)


@FILES.case("a separator at the end of a line", "forgiven: the surplus field is empty")
def trailing_separator(folder: Path) -> None:
    assert counts(written(folder, ROWS.replace("dog,cat\n", "dog,cat,\n"))) == EXPECTED


@FILES.case("a field of 10 MB in one line", "read; the row counts like others")
def long_line(folder: Path) -> None:
    text = "truth,svm,text\ncat,cat," + "x" * 10_000_000 + "\ndog,cat,y\ndog,dog,z\n"
    assert counts(written(folder, text)) == EXPECTED
    lines = [
        {"truth": t, "svm": s, "text": "x" * n}
        for t, s, n in (("cat", "cat", 10_000_000), ("dog", "cat", 1), ("dog", "dog", 1))
    ]
    assert counts(written(folder, "\n".join(map(json.dumps, lines)), "rows.jsonl")) == EXPECTED


@FILES.case("a key twice in one JSON object", "the first one counts")
def double_key(folder: Path) -> None:
    text = '{"truth": "cat", "svm": "cat", "svm": "dog"}\n' * 2 + '{"truth": "dog", "svm": "dog"}\n'
    assert counts(written(folder, text, "rows.jsonl")) == [[2, 0], [0, 1]]


@FILES.case("JSON nested a thousand times too deep", "refused as no JSON")
def deep_json(folder: Path) -> None:
    refused(lambda: hs.read(written(folder, '{"a": ' + "[" * 100_000, "rows.json")), "rows.json")


@FILES.case("a truncated Parquet file", "refused")
def truncated_parquet(folder: Path) -> None:
    parquet.write_table(pa.table({"truth": ["a", "b"], "svm": ["a", "a"]}), folder / "whole.parquet")
    whole = (folder / "whole.parquet").read_bytes()
    for share in (0.3, 0.7, 0.99):
        refused(
            lambda share=share: read(written(folder, whole[: int(len(whole) * share)], "cut.parquet")), "cut.parquet"
        )


@FILES.case("a damaged Arrow file", "checked before it is counted, and refused")
def damaged_arrow(folder: Path) -> None:
    values = {"truth": ["cat", "dog"] * 500, "svm": ["cat", "cat"] * 500}
    feather.write_feather(pa.table(values), folder / "whole.arrow", compression="uncompressed")
    whole = (folder / "whole.arrow").read_bytes()
    assert counts(folder / "whole.arrow") == [[500, 0], [500, 0]]
    # The offsets of the first column, made to point far beyond its text.
    offsets = whole.index((0).to_bytes(4, "little") + (3).to_bytes(4, "little") + (6).to_bytes(4, "little"))
    broken = whole[: offsets + 4] + b"\xff\xff\xff\x7f" + whole[offsets + 8 :]
    refused(lambda: read(written(folder, broken, "broken.arrow")), "broken.arrow", "damaged")


@FILES.case("a damaged gzip file", "refused")
def damaged_gzip(folder: Path) -> None:
    packed = gzip.compress(ROWS.encode() * 50)
    for content in (packed[:-12], packed[:40] + b"\x00\x00" + packed[42:]):
        refused(lambda content=content: read(written(folder, content, "rows.csv.gz")), "rows.csv.gz")


@FILES.case("a gzip bomb: 1 MB that unfolds to over 1 GB", "refused before it is read")
def gzip_bomb(folder: Path) -> None:
    piece = gzip.compress(b"\n" * (32 << 20))
    refused(lambda: read(written(folder, piece * 34, "rows.csv.gz")), "unfolds to more than")


@FILES.case("a zip bomb as an evaluation log", "refused by its list of contents")
def zip_bomb(folder: Path) -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/1.json", " " * 1000)
    content, size = bytearray(sink.getvalue()), (2 << 30).to_bytes(4, "little")
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(mark) + place
        content[at : at + 4] = size
    refused(lambda: hs.read(written(folder, bytes(content), "log.eval")), "unfolds to")


BOUNDED = """
import sys
import howsure as hs
try:
    hs.read(sys.argv[1], truth="truth", predictions="svm")
except hs.HowsureError as error:
    most = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(int(most.split()[1]) // 1024, error)
"""


@FILES.case("a Zstandard bomb: 0.2 MB that unfolds to 4 GB", "refused at the first GB, in less than 400 MB of memory")
def zstandard_bomb(folder: Path) -> None:
    piece = pa.compress(b"\n" * (64 << 20), codec="zstd", asbytes=True)
    path = written(folder, piece * 64, "rows.csv.zst")
    assert path.stat().st_size < 200_000
    # In a process of its own, whose largest size is that of the reading alone.
    done = subprocess.run(
        [sys.executable, "-c", BOUNDED, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    megabytes, _, message = done.stdout.partition(" ")
    assert "rows.csv.zst" in message
    assert "unfolds to more than 200 times its size and 1,073,741,824 bytes" in message
    assert int(megabytes) < 400


@FILES.case("a file that is not there", "refused, with the files beside it")
def absent(folder: Path) -> None:
    written(folder, ROWS)
    refused(lambda: read(folder / "rosw.csv"), "no such file", "rows.csv")


@FILES.case("a directory where a file is meant", "its files are read together if they are of one format, else refused")
def directory(folder: Path) -> None:
    refused(lambda: read(folder), "directory", "no file of a known format")
    for name in ("one.csv", "two.csv"):
        written(folder, ROWS, name)
    assert counts(folder) == [[2, 0], [2, 2]]


@FILES.case("symbolic links, and names with spaces or any script", "followed, and read")
def odd_names(folder: Path) -> None:
    for name in ("with space.csv", "предсказания.csv", "予測 😀.csv", "quote's.csv", "a;b.csv"):
        assert counts(written(folder, ROWS, name)) == EXPECTED
        link = folder / f"link to {name}"
        link.symlink_to(folder / name)
        assert counts(link) == EXPECTED


@FILES.case("a symbolic link to nothing", "refused as a file that is not there")
def dangling(folder: Path) -> None:
    (folder / "rows.csv").symlink_to(folder / "gone.csv")
    refused(lambda: read(folder / "rows.csv"), "no such file")


@FILES.case("a file that another program takes away meanwhile", "read whole or refused; never a table of the half")
def vanishing(folder: Path) -> None:
    path = written(folder, "truth,svm\n" + "cat,cat\ndog,cat\n" * 30_000)
    try:
        found = hs.read(
            path, truth="truth", predictions="svm", on_bad="skip", progress=lambda _: path.unlink(missing_ok=True)
        ).matrix()
    except (hs.HowsureError, FileNotFoundError):
        found = np.array([[30_000, 0], [30_000, 0]])
    assert found.tolist() == [[30_000, 0], [30_000, 0]]
    assert not path.exists()
    refused(lambda: read(path), "no such file")


@FILES.case("a file with another format's name", "refused; format= says what it is")
def misnamed(folder: Path) -> None:
    path = written(folder, ROWS, "rows.parquet")
    refused(lambda: read(path), "rows.parquet")
    assert hs.read(path, truth="truth", predictions="svm", format="csv").matrix().tolist() == EXPECTED


@FILES.case(
    "names with [ ] * ? in them, such as preds[1].csv beside preds1.csv",
    "a name that exists is that file; only others are patterns, and those are expanded once",
)
def names_like_patterns(folder: Path) -> None:
    for name in ("preds[1].csv", "all*.csv", "q?.csv", "~.csv"):
        for beside in ("preds1.csv", "all_others.csv", "qa.csv"):
            written(folder, "truth,svm\ncat,dog\n", beside)
        assert counts(written(folder, ROWS, name)) == EXPECTED


@FILES.case(
    "folders named truth=1 or group=7",
    "are no columns unless partitions=True asks for them; a column that the file has too is then refused",
)
def folders_like_columns(folder: Path) -> None:
    (folder / "truth=1").mkdir()
    path = written(folder / "truth=1", ROWS)
    assert counts(path) == EXPECTED
    refused(lambda: hs.read(path, truth="truth", predictions="svm", partitions=True), "partitions", "'truth'")


@FILES.case("columns that differ only in case, Pred and pred", "are two columns, and the asked one is read")
def columns_by_case(folder: Path) -> None:
    table = pa.table({"Pred": [0, 1], "truth": [1, 0], "pred": [1, 0]})
    parquet.write_table(table, folder / "a.parquet")
    feather.write_feather(table, folder / "a.arrow")
    for name in ("a.parquet", "a.arrow"):
        found = [hs.read(folder / name, truth="truth", predictions=one) for one in ("pred", "Pred")]
        assert [float(hs.estimate(one, "accuracy")) for one in found] == [1.0, 0.0]


@FILES.case("decimals and integers of 18 and more digits", "read exactly: neighbours are two labels")
def many_digits(folder: Path) -> None:
    big = 123_456_789_012_345_678
    column = pa.array([big, big + 1]).cast(pa.decimal128(38, 0))
    parquet.write_table(pa.table({"truth": column, "svm": column}), folder / "a.parquet")
    assert read(folder / "a.parquet").labels == (big, big + 1)


@FILES.case("columns of lists, structs or maps", "refused as labels, by name; beside other columns they do no harm")
def nested_columns(folder: Path) -> None:
    table = pa.table({"truth": [1, 0], "svm": [1, 0], "odd": [[1], [2]]})
    for name, write in (("a.parquet", parquet.write_table), ("a.arrow", feather.write_feather)):
        write(table, folder / name)
        assert hs.read(folder / name).n == 2
        refused(lambda name=name: hs.read(folder / name, truth="truth", predictions="odd"), "'odd'", "one value a row")


@FILES.case("a header of more than 131 072 characters", "read like others")
def long_header(folder: Path) -> None:
    assert counts(written(folder, ROWS.replace("svm", "svm," + "x" * 150_000).replace("cat\n", "cat,1\n")
                          .replace("dog\n", "dog,1\n"))) == EXPECTED  # fmt: skip


@FILES.case("a FIFO, /dev/stdin, <(zcat rows.csv.gz)", "read like standard input")
def pipes(folder: Path) -> None:
    os.mkfifo(folder / "fifo")
    writer = threading.Thread(target=(folder / "fifo").write_text, args=(ROWS,), daemon=True)
    writer.start()
    assert counts(folder / "fifo") == EXPECTED
    writer.join(10)


@FILES.case("an output that is the input, or a link to it", "refused before anything is read; the file stays as it was")
def output_onto_input(folder: Path) -> None:
    path = written(folder, ROWS)
    os.symlink(path, folder / "link.csv")
    for output in (path, folder / "link.csv"):
        done = CliRunner().invoke(howsure, ["report", str(path), "-o", str(output)])
        assert (done.exit_code, "never goes onto its input" in done.output) == (2, True)
    assert path.read_text() == ROWS
