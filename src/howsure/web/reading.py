"""How a request is read: its JSON, its query and its form, strictly, and as the models want them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import UploadFile

from howsure.errors.messages import web as messages
from howsure.web.limits import Refused


class Given(Request):
    """A request for FastAPI's models that loses nothing: of a key given twice FastAPI itself would take one value."""

    async def load(self) -> None:
        """Read the body; what is refused in it must not become FastAPI's own answer, which knows no reason."""
        body = await self.body()  # of a GET too: one that is sent must not be taken for the next request
        self.fields = _fields(self, body) if self.method == "POST" else {}

    async def json(self) -> Any:
        """Return the fields of the body."""
        return self.fields

    @property
    def query_params(self) -> Any:
        """Return the fields of the query."""
        return gathered(super().query_params.multi_items())


class GivenRoute(APIRoute):
    """A route whose request is read here."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler that FastAPI calls."""
        handler = super().get_route_handler()

        async def respond(request: Request) -> Response:
            given = Given(request.scope, request.receive)
            await given.load()
            return await handler(given)

        return respond


def gathered(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields by name; one that is given more than once holds a tuple of all its values."""
    every: dict[str, list[Any]] = {}
    for name, value in items:
        every.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else tuple(values) for name, values in every.items()}


def _is(request: Request, kind: str) -> bool:
    return request.headers.get("content-type", "").split(";")[0].strip().lower() == kind


def _fields(request: Request, body: bytes) -> dict[str, Any]:
    if not _is(request, "application/json"):
        raise Refused(messages.BODY_MUST_BE_JSON_WITH_HEADER(), 415)
    try:
        given = json.loads(body, parse_constant=_no_constant, object_pairs_hook=_once)
        json.dumps(given, ensure_ascii=False).encode()  # half a surrogate pair is JSON, but no text to answer with
    except Refused:
        raise
    except (ValueError, RecursionError):
        raise Refused(messages.BODY_IS_NOT_VALID_JSON()) from None
    if not isinstance(given, dict):
        raise Refused(messages.BODY_MUST_BE_ONE_JSON_OBJECT())
    return given


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for name, times in Counter(name for name, _ in pairs).items():
        if times > 1:
            raise Refused(messages.FIELD_IS_GIVEN_TWICE(name=name, times=times))
    return dict(pairs)


async def read_form(request: Request) -> tuple[bytes, str, dict[str, Any]]:
    """Return the content and the name of the file of a form, and the other fields.

    FastAPI's own reading of forms keeps the last value of a field that is given twice, and cannot tell a list of one
    name that holds a comma from a text of several names.
    """
    if not _is(request, "multipart/form-data"):
        raise Refused(messages.BODY_MUST_BE_FORM_WITH_FILE(), 415)
    async with request.form(max_files=1, max_fields=30) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Refused(messages.FILE_IS_NOT_GIVEN())
        given = gathered((name, value) for name, value in form.multi_items() if name != "file")
        return await file.read(), file.filename or "predictions", given
