"""Requests made up from the OpenAPI document: the server never fails, and answers as the document says."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
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
