"""The reference pages of the command line, of the JSON report and of the calculator's API."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click
import schemas

from howsure.cli import EXIT_CODES
from howsure.cli.app import VERBS, howsure
from howsure.web import limits
from howsure.web.app import document


def cell(text: str) -> str:
    """Return text that stays one table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


# --- the command line ---------------------------------------------------------------------------------------------


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    kind = option.type.name if not option.is_flag else ""
    choices = getattr(option.type, "choices", ())
    if choices:
        kind = " ".join(f"`{choice}`" for choice in choices)
    default = option.get_default(context) if option.show_default and not option.is_flag else None
    said = [*(["required"] if option.required else []), *(["repeat"] if option.multiple else [])]
    said += [] if default is None else [f"`{default}`"]
    return f"| {names} | {cell(kind)} | {cell(option.help or '')} | {', '.join(said)} |"


def _verb(name: str, context: click.Context) -> list[str]:
    command = howsure.get_command(context, name)
    assert command is not None
    inner = click.Context(command, info_name=f"howsure {name}")
    options = [one for one in command.get_params(inner) if isinstance(one, click.Option) and one.name != "help"]
    rows = ["| option | takes | | default |", "|---|---|---|---|", *(_option(one, inner) for one in options), ""]
    usage = " ".join(["howsure", name, *command.collect_usage_pieces(inner)])
    text = inspect.cleandoc((command.help or "").replace("\b", ""))
    ending = [command.epilog.strip(), ""] if command.epilog else []
    return [f"## howsure {name}", "", "```text", usage, "```", "", text, "", *(rows if options else []), *ending]


def command_line() -> str:
    """Return the page of all verbs and options."""
    context = click.Context(howsure, info_name="howsure")
    table = [f"| [`howsure {name}`](#howsure-{name}) | {text} |" for name, (_, text) in VERBS.items()]
    return "\n".join([
        "# The command line", "", "Made from the command line itself.", "",
        "| verb | what it does |", "|---|---|", *table, "",
        "`howsure --version` prints the version, Python's and the platform; `-h` or `--help` after any verb its "
        "options. `python -m howsure` is the same command.", "",
        "## Exit codes", "", "| code | meaning |", "|---|---|",
        *(f"| {code.split(' ', 1)[0]} | {code.split(' ', 1)[1]} |" for code in _codes()),
        "| 130 | stopped with Ctrl-C |", "",
        *(line for name in VERBS for line in _verb(name, context)),
    ])  # fmt: skip


def _codes() -> list[str]:
    return EXIT_CODES.removeprefix("exit codes: ").split(" · ")


# --- the JSON report ----------------------------------------------------------------------------------------------


def _kind(part: dict[str, Any], definitions: dict[str, Any]) -> str:
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    if "const" in part:
        return f"`{json.dumps(part['const'])}`"
    if "enum" in part:
        return " or ".join(f"`{json.dumps(value)}`" for value in part["enum"])
    kind = part.get("type", "")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    return f"array of {_kind(part['items'], definitions)}" if kind == "array" else kind


def _properties(schema: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    rows = ["| field | type | |", "|---|---|---|"]
    for name, part in schema["properties"].items():
        rows.append(f"| `{name}` | {_kind(part, definitions)} | {cell(part.get('description', ''))} |")
    return rows


def json_report() -> str:
    """Return the page of the report's JSON schema."""
    schema = schemas.report()
    definitions = schema["$defs"]
    return "\n".join([
        "# JSON", "",
        "Every JSON document that the library writes, `to_json()` of a result or `--format json`, has a `schema` field "
        "such as `howsure/report/1`. The number after the last slash goes up when a field changes its meaning or "
        "disappears; new fields may come at any time. The schemas (JSON Schema 2020-12) are files of the package: that "
        "of `howsure/report/1` is `howsure/reports/schemas/report.schema.json`. Numbers have full precision; undefined "
        "is null.", "",
        "| document | holds | fields |", "|---|---|---|",
        *(f"| `{name}` | {cell(title)} | {', '.join(f'`{field}`' for field in fields if field != 'schema')} |"
          for name, title, fields in sorted(schemas.listed())), "",
        "The report is the one that most programs read:", "",
        "## report", "",
        *_properties(schema, definitions), "",
        "## estimate", "", *_properties(definitions["estimate"], definitions), "",
        "## judge", "", *_properties(definitions["judge"], definitions), "",
        "## class", "", *_properties(definitions["class"], definitions), "",
        "## number", "", f"A number; {definitions['number']['description']}.", "",
        "## Read it", "", "```python", "import json", "from importlib.resources import files", "",
        "import howsure as hs", "", 'folder = files("howsure") / "reports" / "schemas"',
        'schema = json.loads((folder / "report.schema.json").read_text(encoding="utf-8"))',
        'made = json.loads(hs.report(hs.counts(tp=77, fp=44, fn=10, tn=702), ["f1"]).to_json())',
        'print(made["schema"] == schema["$id"], made["rows"][0]["low"] < made["rows"][0]["value"])', "```", "",
        "```text", "True True", "```", "",
    ])  # fmt: skip


# --- the calculator's API -----------------------------------------------------------------------------------------


def _schema_kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " ".join(f"`{value}`" for value in schema["enum"])
    return " or ".join(one.get("type", "") for one in schema.get("anyOf", [schema]))


def _endpoint(path: str, operations: dict[str, Any]) -> list[str]:
    made = operations.get("post", operations.get("get"))
    kinds = " and ".join(name.upper() for name in operations)
    lines = [f"## {path}", "", f"{kinds}. {made['summary']}", ""]
    if "requestBody" in made:
        ((media, body),) = made["requestBody"]["content"].items()
        lines += [f"Body: `{media}`.", "", "| field | type | |", "|---|---|---|"]
        for name, schema in body["schema"]["properties"].items():
            lines.append(f"| `{name}` | {_schema_kind(schema)} | {cell(schema.get('description', 'the file'))} |")
        lines.append("")
    return lines


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def calculator() -> str:
    """Return the page of the calculator's endpoints."""
    made = document()
    answers = made["paths"]["/api/intervals"]["post"]["responses"]
    return "\n".join([
        "# The calculator's API", "",
        "`howsure serve` opens the calculator on this machine only. The page asks the endpoints below, and so may you; "
        "the running server describes them at `/openapi.json` (OpenAPI 3.1), from which this page is made. Fields go "
        "into the query of a GET or into the JSON body of a POST. Nothing that is sent is kept.", "",
        "| status | meaning |", "|---|---|",
        *(f"| {code} | {one['description']} |" for code, one in answers.items()), "",
        f"At most {_grouped(limits.MOST_BODY)} bytes a request and {_grouped(limits.MOST_UPLOAD)} bytes a file; "
        f"{limits.MOST_CLASSES} classes, {limits.MOST_MODELS} models, {limits.MOST_METRICS} metrics, "
        f"{limits.MOST_FOLDS} folds; {limits.SECONDS:g} seconds an answer.", "",
        "The answers are functions of plain dictionaries, so that they can be asked without a server; they too need "
        "the extra `web`:", "",
        "```python", "from howsure.web.api import intervals", "",
        'answer = intervals({"tp": 77, "fp": 44, "fn": 10, "metric": "f1"})',
        'print(answer["said"])', "print(sorted(answer))", "```", "",
        *(line for path, operations in made["paths"].items() for line in _endpoint(path, operations)),
    ])  # fmt: skip


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    return {"command-line.md": command_line(), "json-report.md": json_report(), "calculator-api.md": calculator()}
