"""The calculator's API: the library's numbers, clear refusals, limits, headers, and a hundred requests at once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

import howsure as hs
from howsure.results.citation import Citation, Work, bibtex
from howsure.studies.papers.takahashi2022 import SECTION_3, TABLE_1
from howsure.studies.papers.wang2019 import COUNTS, P_H0
from howsure.web.limits import MOST_BODY, MOST_UPLOAD
from howsure.web.questions.uploads import upload
from support.command_line import copied_lines

LAM = {"tp": 77, "fp": 44, "fn": 10, "tn": 702}
CUBE = [600, 30, 20, 50, 10, 20, 25, 245]
TUMOURS = Path(hs.__file__).parent / "cli" / "example" / "tumours.csv"


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Client]:
    with Client(base_url=address, timeout=60, trust_env=False) as made:
        yield made


def rows(answer: Any, key: str = "method") -> dict[str, Any]:
    return {row[key]: row for row in answer.json()["rows"]}


def send(client: Client, content: bytes, name: str = "p.csv", **fields: str) -> Any:
    return client.post("/api/upload", files={"file": (name, content)}, data=fields)


# --- the library's numbers ----------------------------------------------------------------------------------------


def test_intervals_are_the_librarys(client: Client) -> None:
    found = rows(client.post("/api/intervals", json={**LAM, "metric": "f1"}))
    made = hs.intervals(hs.counts(**LAM), "f1")
    assert [(name, row["value"], row["low"], row["high"]) for name, row in found.items()] == [
        (row.method, row.value, row.low, row.high) for row in made
    ]
    assert (round(found["wilson"]["low"], 3), round(found["wilson"]["high"], 3)) == (0.669, 0.801)
    assert found["mid-p"]["default"]
    assert not found["wald"]["default"]


def test_get_is_post(client: Client) -> None:
    assert (
        client.get("/api/intervals", params={**LAM, "metric": "f1"}).json()
        == client.post("/api/intervals", json=LAM).json()
    )


def test_a_list_is_a_repeated_key_or_a_text_with_commas(client: Client) -> None:
    counts, names = list(LAM.items()), ["f1", "recall", "mcc"]
    posted = client.post("/api/report", json={**LAM, "metrics": names}).json()
    assert [row["metric"] for row in posted["rows"]] == names
    for parts in (names, ["f1,recall,mcc"], ["f1,recall", "mcc"], ["f1", "", "recall", "mcc"]):
        query: Any = [*counts, *(("metrics", part) for part in parts)]
        assert client.get("/api/report", params=query).json() == posted
    twice = client.get("/api/report?tp=77&tp=78&fp=44&fn=10")
    assert (twice.status_code, twice.json()["error"]) == (400, "tp is given 2 times; give it once")


def test_the_document_says_how_a_list_is_sent(client: Client) -> None:
    parameters = client.get("/openapi.json").json()["paths"]["/api/report"]["get"]["parameters"]
    (metrics,) = (one for one in parameters if one["name"] == "metrics")
    assert (metrics["style"], metrics["explode"], metrics["schema"]["type"]) == ("form", True, "array")


def test_a_form_may_repeat_a_field_that_is_a_list(client: Client) -> None:
    content = b"truth,a,b\n" + b"1,1,0\n0,0,0\n" * 9
    form = {"file": ("p.csv", content)}
    several = client.post("/api/upload", files=form, data={"truth": "truth", "predictions": ["a", "b"]})
    joined = client.post("/api/upload", files=form, data={"truth": "truth", "predictions": "a,b"})
    assert several.json() == joined.json()
    assert several.json()["about"]["models"] == ["a", "b"]


def test_takahashi(client: Client) -> None:
    fields = {"matrix": TABLE_1, "rows": "prediction", "metric": "macro_f1"}
    wald = rows(client.post("/api/intervals", json=fields))["wald"]
    assert (round(wald["low"], 3), round(wald["high"], 3)) == SECTION_3["macro_f1"][1:]
    pasted = {**fields, "matrix": "x a b c\na 2 2 2\nb 5 70 2\nc 0 2 15"}
    assert client.post("/api/intervals", json={**fields, "labels": "a,b,c"}).status_code == 200
    assert client.post("/api/intervals", json={**pasted, "labels": "a,b,c"}).json()["rows"][0]["low"] == wald["low"]


def test_report(client: Client) -> None:
    found = rows(client.post("/api/report", json={**LAM, "joint": True}), "metric")
    made = hs.report(hs.counts(**LAM), joint=True)
    assert {name: row["low"] for name, row in found.items()} == {row.metric: row.low for row in made}


def test_compare(client: Client) -> None:
    found = rows(client.post("/api/compare", json={"cube": CUBE, "metric": "accuracy"}))
    keys = [(truth, a, b) for truth in (0, 1) for a in (0, 1) for b in (0, 1)]
    truth, a, b = zip(*(key for key, number in zip(keys, CUBE, strict=True) for _ in range(number)), strict=True)
    made = hs.compare(hs.table(truth, {"A": a, "B": b}, pos_label=1), "accuracy", a="A", b="B")
    assert (found["mover"]["low"], found["mover"]["high"]) == pytest.approx((made.low, made.high), abs=1e-12)
    serving = {"mover", "wald", "tango", "mcnemar", "mid-p", "mcnemar-cc", "permutation", "bootstrap", "bayes"}
    assert serving == set(found)  # kosinski is about predictive values alone


@pytest.mark.parametrize("task", ["CWS", "NER", "ORG"])
def test_wang(client: Client, task: str) -> None:
    body = {"a": COUNTS[task, "A"], "b": COUNTS[task, "B"]}
    found = rows(client.post("/api/bayes", json=body), "metric")
    for short, name in {"P": "precision", "R": "recall", "F1": "f1"}.items():
        assert found[name]["p_h0"] == pytest.approx(P_H0[task, short], abs=0.0015)


def test_jiang(client: Client) -> None:
    answer = client.post("/api/plan", json={"metric": "f0.5", "half_width": 0.02, "prevalence": 0.615}).json()
    assert answer["rows"][0]["n"] == 16004
    assert answer["title"] == "16,004 rows"
    assert "<svg" in answer["figures"][0]["svg"]


def test_plan_of_a_comparison(client: Client) -> None:
    fields = {"metric": "accuracy", "accuracy": 0.8, "accuracy_b": 0.85, "agreement": 0.85}
    assert client.post("/api/plan", json=fields).json()["rows"][0]["n"] == 469
    assert client.post("/api/plan", json={**fields, "half_width": 0.1}).status_code == 422
    for more in ({"unpaired": True}, {"power": 0.9}):
        answer = client.post("/api/plan", json={"metric": "f1", "half_width": 0.1, "prevalence": 0.3, **more})
        (name,) = more
        assert (answer.status_code, answer.json()["error"]) == (
            422, f"{name} does not go with the plan of one model; leave it empty, or give the difference to detect",
        )  # fmt: skip
    separate = client.post("/api/plan", json={**fields, "unpaired": True})
    assert (separate.status_code, "which share no rows" in separate.json()["error"]) == (422, True)


def test_upload(client: Client) -> None:
    answer = send(client, TUMOURS.read_bytes(), pos_label="malignant", metric="f1", model="centroid").json()
    table = hs.read(str(TUMOURS), pos_label="malignant")
    one, report = answer["answers"]
    assert [row["low"] for row in one["rows"]] == [row.low for row in hs.intervals(table, "f1", model="centroid")]
    assert [row["high"] for row in report["rows"]] == [row.high for row in hs.report(table)]
    assert answer["about"]["models"] == ["linear", "neighbours", "centroid"]


def test_upload_to_compare(client: Client) -> None:
    fields = {"question": "compare", "metric": "f1", "pos_label": "malignant"}
    all_pairs = send(client, TUMOURS.read_bytes(), **fields).json()["answers"][0]
    assert len(all_pairs["rows"]) == 3
    two = send(client, TUMOURS.read_bytes(), **fields, a="linear", b="centroid").json()["answers"][0]
    made = hs.compare(hs.read(str(TUMOURS), pos_label="malignant"), "f1", a="linear", b="centroid")
    assert two["rows"][0]["low"] == made.low


def test_upload_gives_the_page(client: Client) -> None:
    page = send(client, TUMOURS.read_bytes(), pos_label="malignant", page="true").json()["page"]
    assert page.startswith("<!doctype html>")


def test_an_upload_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert upload(TUMOURS.read_bytes(), "t.csv", {"pos_label": "malignant"})["about"]["rows"] == 284
    with pytest.raises(hs.InputError):
        upload(b"truth,a\n1,\n0,0\n", "t.csv", {"truth": "nothing"})
    assert list(tmp_path.iterdir()) == []


# --- copies make the result again ---------------------------------------------------------------------------------

FOLDS = {"a": COUNTS["ORG", "A"], "b": COUNTS["ORG", "B"], "name_a": "IOB2"}
MALIGNANT = {"pos_label": "malignant"}
COPIED: list[tuple[str, dict[str, Any], str]] = [
    ("/api/intervals", LAM, "0.669"),
    ("/api/intervals", {"tp": 77, "fp": 44, "fn": 10, "metric": "jaccard", "level": 0.9}, "0.588"),
    ("/api/intervals", {"matrix": TABLE_1, "rows": "prediction", "metric": "macro_f1"}, "0.689"),
    ("/api/intervals", {"matrix": "New York\tb\n5\t1\n2\t7", "rows": "truth", "metric": "kappa"}, ""),
    ("/api/report", LAM, "0.717"),
    ("/api/report", {"matrix": TABLE_1, "rows": "prediction", "joint": True, "metrics": "macro_f1,kappa"}, "0.670"),
    ("/api/compare", {"cube": CUBE, "metric": "f1"}, "0.052"),
    ("/api/compare", {"cube": CUBE, "metric": "accuracy", "margin": 0.05, "a": "old one", "b": "new one"}, ""),
    ("/api/bayes", FOLDS, "0.5873"),
    ("/api/bayes", {**FOLDS, "metrics": "f1", "rope": 0.01, "factor": "conservative", "prior": 0.5}, ""),
    ("/api/plan", {"metric": "f0.5", "half_width": 0.02, "prevalence": 0.615}, "16,004"),
    ("/api/plan", {"metric": "f1", "half_width": 0.05, "prevalence": 0.3, "bound": "sharp"}, ""),
    ("/api/plan", {"metric": "accuracy", "accuracy": 0.8, "accuracy_b": 0.85, "agreement": 0.85}, "469"),
    ("/api/upload", {**MALIGNANT, "metric": "f1", "model": "centroid"}, "0.798"),
    ("/api/upload", {**MALIGNANT, "question": "compare", "metric": "f1", "a": "linear", "b": "centroid"}, ""),
    ("/api/upload", {**MALIGNANT, "question": "compare", "metric": "f1"}, ""),
    ("/api/upload", {"truth": "truth", "predictions": "linear,centroid", "level": 0.9}, ""),
]


def copied(client: Client, path: str, fields: dict[str, Any]) -> list[Any]:
    """Return the answers that a request gives, each with its copies."""
    if path != "/api/upload":
        return [client.post(path, json=fields).json()]
    found: list[Any] = send(client, TUMOURS.read_bytes(), "tumours.csv", **fields).json()["answers"]
    return found


def numbers_of(answer: Any, *, printed_as: str) -> list[str]:
    """Return the numbers that the page shows of the result that the copies make again."""
    table = answer["table"]
    if table["header"] == ["fact", "value"]:
        return [value for fact, value in table["rows"] if fact in ("n", "positives", "half width")]
    rows = [table["rows"][table["mark"]]] if table["mark"] is not None else table["rows"]
    # A Bayes test prints the difference of its two models, a table of such tests the models too.
    left_out = ("a", "b", "P(H0)") if printed_as == "python" else ()
    wanted = [at for at in table["numbers"] if table["header"][at] not in left_out]
    # Said in a sentence, a probability has two decimals.
    short = {at for at in wanted if table["header"][at] == "P(H1)" and printed_as == "python"}
    return [f"{float(row[at]):.2f}" if at in short else row[at] for row in rows for at in wanted if row[at]]


def plain(text: str) -> str:
    return text.replace("−", "-").replace("+", "")


@pytest.mark.parametrize(("path", "fields", "said"), COPIED)
def test_the_python_copy_gives_the_pages_numbers(
    client: Client, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    path: str, fields: dict[str, Any], said: str,
) -> None:  # fmt: skip
    shutil.copy(TUMOURS, tmp_path)
    monkeypatch.chdir(tmp_path)
    form, answers = "python", copied(client, path, fields)
    assert said in json.dumps(answers)
    for answer in answers:
        copies = answer["copies"]
        exec(compile(copies["python"], "copied", "exec"), {})
        printed = plain(capsys.readouterr().out)
        assert [number for number in numbers_of(answer, printed_as=form) if plain(number) not in printed] == []
        assert set(copies) == {"text", "latex", "bibtex", "python", "command"}
        assert copies["bibtex"].count("{") == copies["bibtex"].count("}") > 0
        assert said in copies["text"] or path == "/api/upload"


@pytest.mark.parametrize(("path", "fields", "said"), COPIED)
def test_the_command_copy_gives_the_pages_numbers(
    client: Client, tmp_path: Path, path: str, fields: dict[str, Any], said: str
) -> None:
    shutil.copy(TUMOURS, tmp_path)
    form = "command"
    for answer in copied(client, path, fields):
        printed = plain(copied_lines(answer["copies"]["command"], tmp_path))
        assert [number for number in numbers_of(answer, printed_as=form) if plain(number) not in printed] == []


def test_bibtex_says_what_the_citation_says() -> None:
    brown = Work(("Brown", "Cai", "DasGupta"), 2001, "Statistical Science", "16", "101")
    made = bibtex({"beta": Citation(brown, Work(("Lam", "others"), 2024, part="section 4.4"))})
    assert "author = {Brown and Cai and DasGupta}" in made
    assert "author = {Lam and others}" in made
    assert "note = {section 4.4. Source of: beta}" in made
    assert "journal = {Statistical Science},\n  volume = {16},\n  pages = {101},\n  note = {Source of: beta}" in made


# --- refusals -----------------------------------------------------------------------------------------------------

BAD = [
    ("/api/intervals", {}, 400, "tp, fp, fn not given"),
    ("/api/intervals", {**LAM, "tp": "many"}, 400, "tp is 'many'"),
    ("/api/intervals", {**LAM, "tp": -1}, 422, "tp"),
    ("/api/intervals", {**LAM, "tp": True}, 400, "must be a number"),
    ("/api/intervals", {**LAM, "tp": 10**400}, 400, "must be a number"),
    ("/api/intervals", {**LAM, "tp": 1e15}, 413, "more than this server takes"),
    ("/api/intervals", {**LAM, "metric": "f1_scor"}, 422, "f1_scor"),
    ("/api/intervals", {**LAM, "level": 2}, 422, "level is 2"),
    ("/api/intervals", {**LAM, "colour": "red"}, 400, "no field 'colour'"),
    ("/api/intervals", {**LAM, "metrik": "f1"}, 400, "Did you mean 'metric'?"),
    ("/api/intervals", {"matrix": [[1, 2], [3]], "rows": "truth"}, 400, "square"),
    ("/api/intervals", {"matrix": [[1, 2], [3, 4]]}, 400, "rows must say"),
    ("/api/intervals", {"matrix": [[1, 2], [3, None]], "rows": "truth"}, 400, "must be a number"),
    ("/api/intervals", {"matrix": [[1] * 101] * 101, "rows": "truth"}, 413, "classes"),
    ("/api/report", {**LAM, "metrics": [[1]]}, 400, "metrics"),
    ("/api/compare", {"cube": [1, 2, 3]}, 400, "eight"),
    ("/api/compare", {"cube": [10**9] * 8}, 413, "more than this server takes"),
    ("/api/report", {**LAM, "level": 1e-9, "joint": True}, 422, "levels from 0.5"),
    ("/api/compare", {"cube": [0] * 8}, 422, ""),
    ("/api/compare", {"cube": CUBE, "a": "x", "b": "x"}, 400, "two names"),
    ("/api/bayes", {"a": [[1, 2, 3]]}, 400, "both be given"),
    ("/api/bayes", {"a": [[1, 2, 3]] * 2, "b": [[1, 2, 3]] * 2, "factor": "1e300"}, 422, "factor is 1e300"),
    ("/api/bayes", {"a": [[1, 2]], "b": [[1, 2, 3]]}, 400, "line 1"),
    ("/api/bayes", {"a": [[1, 2, 3]] * 201, "b": [[1, 2, 3]]}, 413, "folds"),
    ("/api/plan", {"metric": "f1"}, 422, ""),
    ("/api/plan", {"metric": "f1", "half_width": 0.02, "prevalence": 7}, 422, "prevalence"),
    ("/api/plan", {"metric": "f1", "n": 0, "prevalence": 0.1}, 422, ""),
    ("/api/plan", {"metric": "f1", "n": 2.5}, 400, "whole"),
    ("/api/plan", {"metric": "f1", "half_width": 0.1, "pilot": "/etc/passwd"}, 400, "no field 'pilot'"),
]


@pytest.mark.parametrize(("path", "fields", "status", "said"), BAD)
def test_bad_fields(client: Client, path: str, fields: Any, status: int, said: str) -> None:
    answer = client.post(path, json=fields)
    assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text[:300]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"tp": NaN}', b"\xff\xfe", b"[" * 100_000])
def test_bad_bodies(client: Client, body: bytes) -> None:
    answer = client.post("/api/intervals", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]


def test_a_key_given_twice_is_refused(client: Client) -> None:
    for body in (b'{"tp": 7, "fp": 2, "fn": 1, "tp": 8}', b'{"metric": "f1", "metric": "f1"}'):
        answer = client.post("/api/intervals", content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, "is given 2 times; give it once" in answer.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    ("content", "name", "status"),
    [
        (b"", "p.csv", 422),
        (b"truth\n1\n", "p.csv", 422),
        (b"\x00\x01\x02\xff" * 50, "p.csv", 422),
        (b"PAR1 no", "p.parquet", 422),
        (b"{", "p.json", 422),
        (b"truth,a\n1,1\n", "../../etc/p.sh", 422),
        (b"truth,a\n" + b"".join(b"%d,%d\n" % (k, k) for k in range(101)), "p.csv", 413),
    ],
)
def test_bad_files(client: Client, content: bytes, name: str, status: int) -> None:
    answer = send(client, content, name)
    assert answer.status_code == status, answer.text[:300]
    assert "howsure-" not in answer.json()["error"], "the temporary path stays private"


def test_bad_forms(client: Client) -> None:
    assert client.post("/api/upload", json={}).status_code == 415
    assert client.post("/api/intervals", content=b"tp=1", headers={"content-type": "text/plain"}).status_code == 415
    assert client.post("/api/upload", files={"other": ("p.csv", b"x")}).status_code == 400
    broken = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/api/upload", content=b"no parts", headers=broken).status_code == 400


def test_limits_of_size(client: Client) -> None:
    large = client.post("/api/intervals", content=b" " * (MOST_BODY + 1), headers={"content-type": "application/json"})
    assert large.status_code == 413
    assert "bytes" in large.json()["error"]
    pieces = (b" " * 100_000 for _ in range(11))  # without a length told beforehand
    assert client.post("/api/plan", content=pieces, headers={"content-type": "application/json"}).status_code == 413
    assert send(client, b"x" * MOST_UPLOAD).status_code == 413


def test_many_classes_leave_out_resampling(client: Client) -> None:
    matrix = [[9 if row == column else 1 for column in range(20)] for row in range(20)]
    answer = client.post("/api/intervals", json={"matrix": matrix, "rows": "truth", "metric": "macro_f1"}).json()
    assert "bootstrap" not in {row["method"] for row in answer["rows"]}
    assert any("resample" in note for note in answer["notes"])


# --- headers, hosts, document -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/app.js", "/style.css", "/api/plan", "/nowhere", "/openapi.json"])
def test_headers_of_every_answer(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")


@pytest.mark.parametrize("host", [
    "evil.example", "127.0.0.1.evil.example", "", "localhost.evil:8765", "[::1]evil.com", "[::1]:80evil.com",
    "127.0.0.1:80@evil.com", "localhost@evil.com", "localhost:80:80",
])  # fmt: skip
def test_foreign_hosts_are_refused(client: Client, host: str) -> None:
    answer = client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "answers only to" in answer.json()["error"]


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "[::1]:8765", "LOCALHOST"])
def test_local_hosts_are_served(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


def test_only_the_pages_own_files(client: Client) -> None:
    for path in ("/static/../app.py", "/..%2fapp.py", "/index.html", "/etc/passwd"):
        assert client.get(path).status_code == 404
    page = client.get("/").text
    assert "http://" not in page
    assert "https://" not in page
    assert "<style" not in page
    assert "onclick" not in page


def test_the_document_and_the_endpoints_agree(client: Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for path, operations in document["paths"].items():
        for verb in ("get", "post"):
            assert (client.request(verb, path).status_code != 405) == (verb in operations)
    used = json.dumps(document).count("#/components/schemas/")
    assert used > 0
    for name in document["paths"]["/api/plan"]["post"]["requestBody"]["content"]["application/json"]["schema"][
        "properties"
    ]:
        assert "no field" not in client.post("/api/plan", json={name: "1"}).text


def arrays(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield from [part] if part.get("type") == "array" else []
        part = list(part.values())
    for one in part if isinstance(part, list) else []:
        yield from arrays(one)


def test_the_document_says_what_an_array_holds(client: Client) -> None:
    found = list(arrays(client.get("/openapi.json").json()))
    assert len(found) > 20
    assert [one for one in found if "items" not in one] == []


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/api/plan", "GET, HEAD, POST"), ("/api/catalogue", "GET, HEAD"), ("/api/upload", "POST"), ("/", "GET, HEAD")],
)
def test_the_methods_that_a_path_takes(client: Client, path: str, allowed: str) -> None:
    answer = client.delete(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
    assert (client.head(path).status_code != 405) == ("HEAD" in allowed)


# --- a hundred requests --------------------------------------------------------------------------------


def test_a_hundred_parallel_requests(address: str) -> None:
    """Good ones, bad ones and broken ones mixed: each gets its own answer."""
    broken = {"content-type": "application/json"}

    def ask(at: int) -> Any:
        kind = at % 5
        if kind == 0:
            return client.post("/api/report", json={**LAM, "tp": 50 + at})
        if kind == 1:
            return client.post("/api/intervals", json={"tp": at})
        if kind == 2:
            return send(client, b"truth,a\n" + b"1,1\n0,1\n" * (at + 1))
        if kind == 3:
            return client.post("/api/plan", content=b"{" * at, headers=broken)
        return client.get(f"/nowhere/{at}")

    with Client(base_url=address, timeout=120, trust_env=False) as client, ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(ask, range(100)))
        assert client.get("/").status_code == 200
    assert [answer.status_code for answer in answers] == [200, 400, 200, 400, 404] * 20
    for at, answer in enumerate(answers):
        if at % 5 == 0:
            tp = 50 + at
            assert rows(answer, "metric")["f1"]["value"] == pytest.approx(2 * tp / (2 * tp + 54))
        if at % 5 == 2:
            assert answer.json()["about"]["rows"] == 2 * (at + 1)
