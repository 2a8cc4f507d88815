"""The ASGI application: the page, its three files, the JSON API and its document. Needs the extra ``web``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Annotated, Any

import anyio
from fastapi import Body, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from howsure.version import __version__
from howsure.web import api, fields
from howsure.web.fields import refusal_in
from howsure.web.guards import Guard, error_response
from howsure.web.limits import SECONDS, Refused
from howsure.web.openapi import ERRORS, Answer, Answers, spelt_out
from howsure.web.pool import Pool
from howsure.web.questions import comparing
from howsure.web.questions.uploads import upload
from howsure.web.reading import GivenRoute, read_form

STATIC = {
    "/": ("index.html", "text/html"),
    "/style.css": ("style.css", "text/css"),
    "/app.js": ("app.js", "text/javascript"),
}
ANSWERS: dict[str, tuple[Callable[[Any], dict[str, Any]], type[fields.Asked], str]] = {
    "estimate": (api.estimate_of, fields.Estimate, "One metric by its default method; with more rows, elsewhere."),
    "intervals": (api.intervals, fields.Intervals, "Every applicable interval of one metric, side by side."),
    "report": (api.report_of, fields.Report, "Several metrics with intervals."),
    "compare": (comparing.compare, fields.Compare, "The difference of two models on the same rows, from eight counts."),
    "totals": (comparing.totals, fields.Totals, "How often two models were right: 85 of 100 against 91 of 100."),
    "bayes": (comparing.bayes, fields.Bayes, "The Bayes test of two models from the counts of cross-validation folds."),
    "plan": (api.plan, fields.Plan, "How many rows to label."),
    "paper": (api.paper, fields.Paper, "The counts behind a paper's rounded figures, and their intervals."),
}


def application(*, host: str = "127.0.0.1", names: Sequence[str] = (), seconds: float = SECONDS) -> FastAPI:
    """Return the calculator as an ASGI application that answers to this host, to these names and to the local ones.

    A computation that takes longer than ``seconds``, or whose asker went away, is ended.
    """
    pool = Pool(seconds=seconds)
    handlers: Any = {HTTPException: _http_error, RequestValidationError: _refused, Exception: _own_fault}
    made = FastAPI(
        title="howsure", version=__version__, description="A sound error bar for every classification metric.",
        docs_url=None, redoc_url=None, lifespan=_lifespan(pool), middleware=[Middleware(Guard, hosts=[host, *names])],
        exception_handlers=handlers,
    )  # fmt: skip
    for path, (name, kind) in STATIC.items():
        made.add_route(path, _static(name, kind))
    _add_answers(made, pool)
    _add_upload(made, pool)
    made.openapi_schema = spelt_out(made.openapi())
    return made


def _add_answers(made: FastAPI, pool: Pool) -> None:
    for name, (answer, model, text) in ANSWERS.items():
        for verb, place in {"GET": Query(), "HEAD": Query(), "POST": Body()}.items():
            made.router.add_api_route(
                f"/api/{name}", _endpoint(answer, Annotated[model, place], pool), methods=[verb], summary=text,
                operation_id=f"{verb.lower()}_{name}", response_model=Answer, response_description="The answer.",
                responses=ERRORS, include_in_schema=verb != "HEAD", route_class_override=GivenRoute,
            )  # fmt: skip
    for verb in ("GET", "HEAD"):
        made.add_api_route(
            "/api/catalogue", api.catalogue, methods=[verb], summary="Metrics, methods and limits.",
            operation_id="catalogue", response_description="The catalogue.", include_in_schema=verb != "HEAD",
        )  # fmt: skip


def _endpoint(answer: Callable[[Any], dict[str, Any]], asked_as: Any, pool: Pool) -> Callable[..., Any]:
    async def respond(request: Request, asked: Any) -> Response:
        return await _computed(request, pool, answer, asked)

    respond.__annotations__["asked"] = asked_as  # from which FastAPI reads and describes the fields
    return respond


def _add_upload(made: FastAPI, pool: Pool) -> None:
    form = fields.Upload.model_json_schema()
    form["properties"]["file"] = {"type": "string", "contentMediaType": "application/octet-stream"}
    body = {"required": True, "content": {"multipart/form-data": {"schema": form | {"required": ["file"]}}}}

    async def respond(request: Request) -> Response:
        return await _computed(request, pool, upload, *await read_form(request))

    made.add_api_route(
        "/api/upload", respond, methods=["POST"], operation_id="upload", response_model=Answers,
        summary="Count a file of predictions and answer from it; the file is not kept.",
        response_description="The answer.", responses=ERRORS, openapi_extra={"requestBody": body},
    )  # fmt: skip


def _lifespan(pool: Pool) -> Any:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(pool.start)
            yield
            group.cancel_scope.cancel()
        pool.close()

    return lifespan


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = (files("howsure.web") / "static" / name).read_text(encoding="utf-8")
    if name == "style.css":  # on top of the report page's
        content = (files("howsure.reports.page") / "templates" / name).read_text(encoding="utf-8") + content
    return lambda request: Response(content, media_type=f"{kind}; charset=utf-8")


# --- errors ---------------------------------------------------------------------------------------------------------


def _refused(request: Request, error: Any) -> Response:
    return error_response(refusal_in(error))


def _http_error(request: Request, error: Any) -> Response:
    words = {
        404: "there is no such page; the API is described at /openapi.json",
        405: f"{request.method} is not allowed here",
    }
    response = error_response(words.get(error.status_code, str(error.detail)), error.status_code)
    if error.status_code == 405:
        routes = [route for route in request.app.routes if getattr(route, "path", None) == request.url.path]
        response.headers["allow"] = ", ".join(sorted({verb for route in routes for verb in route.methods}))
    return response


def _own_fault(request: Request, error: Exception) -> Response:
    return error_response(f"a fault of howsure, not of yours ({type(error).__name__}); please report it", 500)


# --- computations ---------------------------------------------------------------------------------------------------


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


def document() -> dict[str, Any]:
    """Return the OpenAPI document of the calculator, as FastAPI writes it from the routes.

    >>> sorted(document()["paths"])[:3]
    ['/api/bayes', '/api/catalogue', '/api/compare']
    """
    return application().openapi()
