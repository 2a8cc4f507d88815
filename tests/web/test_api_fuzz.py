"""Requests made up from the OpenAPI document: the server never fails, and answers as the document says."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from httpx import Client
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from howsure.web.app import document

# Not among them: rejection of all that the document does not describe. The page sends numbers as text, and the API
# reads them. Nor acceptance of all that it describes: whether counts and options go together is no matter of a schema.
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance, unsupported_method,
]  # fmt: skip
OPERATIONS = [found.ok() for found in schemathesis.openapi.from_dict(document()).get_all_operations()]
# What takes no field cannot be asked wrongly.
ASKED = [
    pytest.param(operation, mode, id=f"{operation.label}, {mode.value}")
    for operation in OPERATIONS
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or operation.body or operation.query
]
asked = pytest.mark.parametrize(("operation", "mode"), ASKED)


def send(operation: Any, mode: GenerationMode, address: str, examples: int) -> None:
    """Send made-up requests that keep to the document, or that break it, always the same ones."""

    @settings(
        max_examples=examples, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        case.call_and_validate(base_url=address, checks=CHECKS, timeout=90)

    check()


@asked
def test_a_few_requests(operation: Any, mode: GenerationMode, address: str) -> None:
    send(operation, mode, address, examples=15)


@pytest.mark.slow
@asked
def test_many_requests(operation: Any, mode: GenerationMode, address: str) -> None:
    send(operation, mode, address, examples=300)


ODD_NAMES = [
    "a[1].csv", "*.csv", "?.csv", "~.csv", "truth=1.csv", "../../etc/passwd.csv", "a\\b[c].csv", "é漢.csv", ".csv",
    "a" * 300 + ".csv",
    "con.csv", "a;b.csv", "a\tb.csv", "x.csv.gz", "x.parquet", "x.jsonl", "x.eval",
]  # fmt: skip
CONTENTS = [
    b"truth,pred\n1,1\n0,1\n",
    b'{"truth": 1, "pred": [1]}\n{"truth": 0, "pred": {"a": 1}}\n',
    b'{"truth": 123456789012345678.0, "pred": 1}\n',
    b"truth,pred\ncat,0.3\ndog,0.7\n",
    b"x" * 200_000 + b",truth,pred\n1,1,1\n",
    b"truth,truth,pred\n1,1,1\n",
    b"truth,pred,w\n1,1,1e300\n",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_uploads_of_odd_names_and_contents(name: str, address: str) -> None:
    """Names like patterns and paths, nested and huge values: answered or refused, never a fault; no path is told."""
    with Client(base_url=address, trust_env=False, timeout=90) as client:
        for content in CONTENTS:
            answer = client.post("/api/upload", files={"file": (name, content)}, data={"truth": "truth"})
            assert answer.status_code < 500, answer.text[:300]
            assert "howsure-" not in answer.text
