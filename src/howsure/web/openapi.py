"""The OpenAPI 3.1 document, from the same fields that the endpoints read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.version import __version__
from howsure.web import fields
from howsure.web.fields import Field
from howsure.web.limits import LEVELS, MOST_CLASSES, MOST_FOLDS, MOST_TEXT

NUMBERS = {"type": "array", "items": {"type": "number"}}
PASTED = {"type": "string", "maxLength": MOST_TEXT}
SCHEMAS: dict[str, dict[str, Any]] = {
    "number": {"type": "number"},
    "level": {"type": "number", "minimum": LEVELS[0], "maximum": LEVELS[1]},
    "whole": {"type": "integer"},
    "text": {"type": "string", "maxLength": 200},
    "flag": {"type": "boolean"},
    "names": {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 60},
    "matrix": {"anyOf": [{"type": "array", "items": NUMBERS, "maxItems": MOST_CLASSES}, PASTED]},
    "folds": {"anyOf": [{"type": "array", "items": NUMBERS, "maxItems": MOST_FOLDS}, PASTED]},
    "cube": {"anyOf": [{**NUMBERS, "minItems": 8, "maxItems": 8}, {"type": "string", "maxLength": 400}]},
}  # fmt: skip
ENDPOINTS: dict[str, tuple[str, tuple[Field, ...]]] = {
    "/api/intervals": ("Every applicable interval of one metric, side by side.", fields.INTERVALS),
    "/api/report": ("Several metrics with intervals.", fields.REPORT),
    "/api/compare": ("The difference of two models on the same rows, from eight counts.", fields.COMPARE),
    "/api/bayes": ("The Bayes test of two models from the counts of cross-validation folds.", fields.BAYES),
    "/api/plan": ("How many rows to label.", fields.PLAN),
}


def _schema(field: Field) -> dict[str, Any]:
    made = SCHEMAS[field.kind] | {"description": field.text}
    if field.choices:
        made = {"type": "string", "enum": list(field.choices), "description": field.text}
    return made | ({} if field.example is None else {"examples": [field.example]})


def _object(listed: Sequence[Field]) -> dict[str, Any]:
    return {
        "type": "object", "properties": {field.name: _schema(field) for field in listed}, "additionalProperties": False,
    }  # fmt: skip


def _parameter(field: Field) -> dict[str, Any]:
    """Return the parameter of a query: a list of names is a key that is repeated, tables are pasted text."""
    plain = ("number", "level", "whole", "text", "flag", "names")
    schema = _schema(field) if field.kind in plain else {"type": "string"}
    made = {"name": field.name, "in": "query", "required": False, "description": field.text, "schema": schema}
    return made | ({"style": "form", "explode": True} if field.kind == "names" else {})


def _responses(schema: str) -> dict[str, Any]:
    def one(text: str, name: str) -> dict[str, Any]:
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
        return {"description": text, "content": content}

    return {
        "200": one("The answer.", schema),
        "400": one("The request cannot be read.", "Error"),
        "413": one("A limit is exceeded.", "Error"),
        "415": one("The content type is not the one asked for.", "Error"),
        "422": one("The library refuses these values, and says why.", "Error"),
        "408": one("The request was sent too slowly.", "Error"),
        "421": one("The host is not this server.", "Error"),
        "503": one("The computation took too long, or too many wait.", "Error"),
    }


def _operations(path: str, text: str, listed: Sequence[Field]) -> dict[str, Any]:
    name = path.rsplit("/", 1)[1]
    body = {"required": True, "content": {"application/json": {"schema": _object(listed)}}}
    return {
        "get": {"summary": text, "operationId": f"get_{name}", "parameters": list(map(_parameter, listed)),
                "responses": _responses("Answer")},
        "post": {"summary": text, "operationId": f"post_{name}", "requestBody": body,
                 "responses": _responses("Answer")},
    }  # fmt: skip


def _upload() -> dict[str, Any]:
    form = _object(fields.UPLOAD)
    form["properties"]["file"] = {"type": "string", "contentMediaType": "application/octet-stream"}
    form["required"] = ["file"]
    body = {"required": True, "content": {"multipart/form-data": {"schema": form}}}
    text = "Count a file of predictions and answer from it; the file is not kept."
    return {"post": {"summary": text, "operationId": "upload", "requestBody": body, "responses": _responses("Answers")}}


def document() -> dict[str, Any]:
    """Return the document.

    >>> sorted(document()["paths"])[:3]
    ['/api/bayes', '/api/catalogue', '/api/compare']
    """
    paths = {path: _operations(path, text, listed) for path, (text, listed) in ENDPOINTS.items()}
    listing = {
        "200": {"description": "The catalogue.", "content": {"application/json": {"schema": {"type": "object"}}}}
    }
    paths["/api/catalogue"] = {
        "get": {"summary": "Metrics, methods and limits.", "operationId": "catalogue", "responses": listing}
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "howsure", "version": __version__,
                 "description": "A sound error bar for every classification metric."},
        "paths": paths | {"/api/upload": _upload()},
        "components": {"schemas": _components()},
    }  # fmt: skip


def _components() -> dict[str, Any]:
    text, listed = {"type": "string"}, {"type": "array"}
    parts = {
        "title": text, "said": text, "table": {"type": "object"}, "figures": listed, "notes": listed, "rows": listed,
        "copies": {"type": "object", "additionalProperties": text}, "version": text,
    }  # fmt: skip
    one = {"$ref": "#/components/schemas/Answer"}
    several = {"answers": {"type": "array", "items": one}, "about": {"type": "object"}, "page": text}
    return {
        "Answer": {"type": "object", "properties": parts, "required": list(parts)},
        "Answers": {"type": "object", "properties": several, "required": ["answers", "about"]},
        "Error": {"type": "object", "properties": {"error": text}, "required": ["error"]},
    }
