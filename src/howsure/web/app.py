"""The ASGI application: the page, its three files, the JSON API and its document. Needs the extra ``web``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from howsure.errors import HowsureError
from howsure.reports.style import STYLE
from howsure.web import api
from howsure.web.guards import Guard, error_response
from howsure.web.limits import SECONDS, THREADS, Refused
from howsure.web.openapi import document
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


def application(*, host: str = "127.0.0.1") -> Starlette:
    """Return the calculator as an ASGI application that answers to this host's name and to the local ones."""
    limiter = anyio.CapacityLimiter(THREADS)
    routes = [Route(path, _static(*made), methods=["GET"]) for path, made in STATIC.items()]
    routes += [Route(path, _endpoint(answer, limiter), methods=["GET", "POST"]) for path, answer in ANSWERS.items()]
    routes += [
        Route("/api/upload", _upload(limiter), methods=["POST"]),
        Route("/api/catalogue", lambda request: JSONResponse(api.catalogue()), methods=["GET"]),
        Route("/openapi.json", lambda request: JSONResponse(document()), methods=["GET"]),
    ]
    handlers: Any = {HTTPException: _http_error, Exception: _own_fault}
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host)], exception_handlers=handlers)


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = (files("howsure.web") / "static" / name).read_text(encoding="utf-8")
    if name == "style.css":
        content = STYLE + content
    return lambda request: Response(content, media_type=f"{kind}; charset=utf-8")


def _http_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    words = {
        404: "there is no such page; the API is described at /openapi.json",
        405: f"{request.method} is not allowed here",
    }
    return error_response(words.get(status, str(getattr(error, "detail", error))), status)


def _own_fault(request: Request, error: Exception) -> Response:
    return error_response(f"a fault of howsure, not of yours ({type(error).__name__}); please report it", 500)


def _endpoint(answer: Callable[[Mapping[str, Any]], dict[str, Any]], limiter: anyio.CapacityLimiter) -> Any:
    async def respond(request: Request) -> Response:
        try:
            given = dict(request.query_params) if request.method in ("GET", "HEAD") else await _body(request)
        except Refused as error:
            return error_response(error)
        return await _computed(lambda: answer(given), limiter)

    return respond


async def _body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refused("the body must be JSON, with the header content-type: application/json", 415)
    body = await request.body()
    try:
        given = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("the body is not valid JSON; it must be one object of fields") from None
    if not isinstance(given, dict):
        raise Refused('the body must be one JSON object of fields, such as {"tp": 77, "fp": 44, "fn": 10}')
    return given


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _upload(limiter: anyio.CapacityLimiter) -> Any:
    async def respond(request: Request) -> Response:
        if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
            return error_response("the body must be a form with a file: content-type multipart/form-data", 415)
        async with request.form(max_files=1, max_fields=30) as form:
            file = form.get("file")
            if not isinstance(file, UploadFile):
                return error_response("file is not given; send one file of predictions in the field 'file'")
            given = {name: value for name, value in form.multi_items() if name != "file"}
            content, name = await file.read(), file.filename or "predictions"
        return await _computed(lambda: upload(content, name, given), limiter)

    return respond


async def _computed(work: Callable[[], dict[str, Any]], limiter: anyio.CapacityLimiter) -> Response:
    """Return the answer of a computation in a thread, so that one slow request does not hold up the others."""
    try:
        with anyio.fail_after(SECONDS):
            return JSONResponse(await anyio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=True))
    except Refused as error:
        return error_response(error)
    except HowsureError as error:
        return error_response(str(error), 422)
    except TimeoutError:
        return error_response(f"this took longer than {SECONDS:g} seconds; use the library instead", 503)
