"""What the OpenAPI document says of the answers, and how it spells out what is asked."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class Answer(BaseModel):
    """A result in the one shape that the page shows."""

    title: str
    headline: list[str]
    said: str
    table: dict[str, Any]
    figures: list[dict[str, str]]
    notes: list[str]
    rows: list[dict[str, Any]]
    copies: dict[str, str]
    version: str
    axis: list[str] = []


class Answers(BaseModel):
    """The results of a file."""

    answers: list[Answer]
    about: dict[str, Any]
    page: str = ""


class Error(BaseModel):
    """Why a request is not answered."""

    error: str


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, "model": Error}
    for status, text in {
        400: "The request cannot be read.",
        413: "A limit is exceeded.",
        415: "The content type is not the one asked for.",
        422: "The library refuses these values, and says why.",
        408: "The request was sent too slowly.",
        421: "The host is not this server.",
        503: "The computation took too long, or too many wait.",
    }.items()
}


def spelt_out(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the fields of a body where they are asked, and with how a query gives a list."""
    schemas = document["components"]["schemas"]
    for operation in (one for operations in document["paths"].values() for one in operations.values()):
        for parameter in operation.get("parameters", ()):
            _as_in_a_query(parameter)
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if "$ref" in content["schema"]:
                content["schema"] = schemas.pop(content["schema"]["$ref"].rsplit("/", 1)[1])
    return document


def _as_in_a_query(parameter: dict[str, Any]) -> None:
    """Say that a list is a key that is repeated, and a table pasted text."""
    schema = parameter["schema"]
    if schema.get("type") == "array":
        parameter |= {"style": "form", "explode": True}
    elif "anyOf" in schema:
        parameter["schema"] = {"type": "string"}  # the length of an address has limits of its own
