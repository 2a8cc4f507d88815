"""The ASGI application: the page, its three files, the JSON API and its document. Needs the extra ``web``."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from howsure.web import api
from howsure.web.guards import Guard, error_response
from howsure.web.limits import SECONDS, Refused
from howsure.web.openapi import document
from howsure.web.pool import Pool
from howsure.web.uploads import upload

STATIC = {
    "/": ("index.html", "text/html"),
    "/style.css": ("style.css", "text/css"),
    "/app.js": ("app.js", "text/javascript"),
}
ANSWERS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "/api/intervals": api.intervals,
    "/api/report": api.report_of,
    "/api/compare": api.compare,
    "/api/bayes": api.bayes,
    "/api/plan": api.plan,
}


def application(*, host: str = "127.0.0.1", names: Sequence[str] = (), seconds: float = SECONDS) -> Starlette:
    """Return the calculator as an ASGI application that answers to this host, to these names and to the local ones.

    A computation that takes longer than ``seconds``, or whose asker went away, is ended.
    """
    pool = Pool(seconds=seconds)
    routes = [Route(path, _static(*made), methods=["GET"]) for path, made in STATIC.items()]
    routes += [Route(path, _endpoint(answer, pool), methods=["GET", "POST"]) for path, answer in ANSWERS.items()]
    routes += [
        Route("/api/upload", _upload(pool), methods=["POST"]),
        Route("/api/catalogue", _catalogue, methods=["GET"]),
        Route("/openapi.json", _document, methods=["GET"]),
    ]
    handlers: Any = {HTTPException: _http_error, Exception: _own_fault}
    guard = Middleware(Guard, hosts=[host, *names])
    return Starlette(routes=routes, middleware=[guard], exception_handlers=handlers, lifespan=_lifespan(pool))


def _lifespan(pool: Pool) -> Any:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(pool.start)
            yield
            group.cancel_scope.cancel()
        pool.close()

    return lifespan


async def _catalogue(request: Request) -> Response:
    return JSONResponse(api.catalogue())


async def _document(request: Request) -> Response:
    return JSONResponse(document())


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = (files("howsure.web") / "static" / name).read_text(encoding="utf-8")
    if name == "style.css":  # on top of the report page's
        content = (files("howsure.reports.page") / "templates" / name).read_text(encoding="utf-8") + content
    return lambda request: Response(content, media_type=f"{kind}; charset=utf-8")


def _http_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    words = {
        404: "there is no such page; the API is described at /openapi.json",
        405: f"{request.method} is not allowed here",
    }
    response = error_response(words.get(status, str(getattr(error, "detail", error))), status)
    response.headers.update(getattr(error, "headers", None) or {})  # Allow, where the method is the fault
    return response


def _own_fault(request: Request, error: Exception) -> Response:
    return error_response(f"a fault of howsure, not of yours ({type(error).__name__}); please report it", 500)


def _endpoint(answer: Callable[[Mapping[str, Any]], dict[str, Any]], pool: Pool) -> Any:
    async def respond(request: Request) -> Response:
        try:
            given = await _body(request) if request.method == "POST" else await _query(request)
        except Refused as error:
            return error_response(error)
        return await _computed(request, pool, answer, given)

    return respond


async def _query(request: Request) -> dict[str, Any]:
    await request.body()  # none is asked for; one that is sent must not be taken for the next request
    return _gathered(request.query_params.multi_items())


def _gathered(items: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields by name; one that is given more than once holds a tuple of all its values."""
    every: dict[str, list[Any]] = {}
    for name, value in items:
        every.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else tuple(values) for name, values in every.items()}


async def _body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refused("the body must be JSON, with the header content-type: application/json", 415)
    body = await request.body()
    try:
        given = json.loads(body, parse_constant=_no_constant)
        json.dumps(given, ensure_ascii=False).encode()  # half a surrogate pair is JSON, but no text to answer with
    except (ValueError, RecursionError):
        raise Refused("the body is not valid JSON; it must be one object of fields") from None
    if not isinstance(given, dict):
        raise Refused('the body must be one JSON object of fields, such as {"tp": 77, "fp": 44, "fn": 10}')
    return given


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _upload(pool: Pool) -> Any:
    async def respond(request: Request) -> Response:
        if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
            return error_response("the body must be a form with a file: content-type multipart/form-data", 415)
        try:
            async with request.form(max_files=1, max_fields=30) as form:
                file = form.get("file")
                if not isinstance(file, UploadFile):
                    return error_response("file is not given; send one file of predictions in the field 'file'")
                given = _gathered((name, value) for name, value in form.multi_items() if name != "file")
                content, name = await file.read(), file.filename or "predictions"
        except ValueError:  # the form parser's own, which an older starlette lets through
            return error_response("the body is no valid form; send one file of predictions in the field 'file'")
        return await _computed(request, pool, upload, content, name, given)

    return respond


async def _computed(request: Request, pool: Pool, function: Callable[..., Any], *arguments: Any) -> Response:
    """Return the answer of a worker; when the client goes away first, the computation ends."""
    response: Response = error_response("the client is gone", 503)  # nobody will read it
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, request, group.cancel_scope)
        response = await _answered(pool, function, *arguments)
        group.cancel_scope.cancel()
    return response


async def _watch(request: Request, computation: anyio.CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        continue
    computation.cancel()


async def _answered(pool: Pool, function: Callable[..., Any], *arguments: Any) -> Response:
    try:
        status, content = await pool.run(function, *arguments)
    except Refused as error:
        return error_response(error)
    return Response(content, status, media_type="application/json")
