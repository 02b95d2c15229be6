"""Pages that are made from the code: commands, settings, library, HTTP API, the result file."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import click
from pydantic import BaseModel

from genint import settings
from genint.cli.main import cli
from genint.errors import UsageError
from genint.report.result import GenintResult
from genint.service.openapi import openapi_document
from genint.service.routes import ENDPOINTS

_MADE: Final = "<!-- Made from the code by `python -m documentation`. -->\n\n"
_METHODS: Final = ("get", "post", "put", "patch", "delete")

_RESULT: Final = GenintResult.__name__

Schema = Mapping[str, Any]


def command_line() -> str:
    """Every command with all of its options, as ``--help`` has them."""
    blocks = [
        "# Commands and options",
        "What `--help` shows, for all commands. What they are for, with examples: "
        "[command line](../command-line.md).",
    ]
    for names, command in commands(cli):
        context = click.Context(command, info_name=" ".join(names))
        blocks += [f"## {' '.join(names)}", _plain(command.help or "")]
        blocks.append(f"```console\n$ {command.get_usage(context).removeprefix('Usage: ')}\n```")
        rows = [row for row in map(_option, command.get_params(context)) if row]
        blocks.append(_table(("option", "meaning"), rows))
    return _page(blocks)


def commands(
    command: click.Command, names: tuple[str, ...] = ("genint",)
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below a group, with its words."""
    if not isinstance(command, click.Group):
        yield names, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        if found is not None and not found.hidden:
            yield from commands(found, (*names, name))


def _option(parameter: click.Parameter) -> tuple[str, str] | None:
    is_help = "--help" in parameter.opts  # every command has it
    if not isinstance(parameter, click.Option) or parameter.hidden or is_help:
        return None
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    context = click.Context(click.Command("any"))
    kind = "" if parameter.is_flag else parameter.make_metavar(context).strip("[]")
    record = parameter.get_help_record(context)
    meaning = _plain(record[1] if record else "")
    if "|" in kind:  # a cell breaks between words only
        return f"`{names}`", f"{meaning} One of {_listed(kind.split('|'))}."
    return f"`{names} {kind}`".replace(" `", "`"), meaning


def _listed(values: Iterable[object]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def settings_page() -> str:
    """Every variable of the environment that is read: allowed values, default, meaning."""
    blocks = [
        "# Settings",
        "genint reads these variables of the environment and no others. Variables marked *secret* "
        "may be given as a file too: `<name>_FILE` names it. How a service is set up: "
        "[operation](../operation.md).",
    ]
    for name, about, meanings in setting_groups():
        rows = [_setting(setting, text) for setting, text in meanings.items()]
        columns = ("variable", "allowed", "default", "meaning")
        blocks += [f"## {name}", _plain(about), _table(columns, rows)]
    return _page(blocks)


def setting_groups() -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Groups of settings: name, what they are about, and what each setting means."""
    for _, group in inspect.getmembers(settings, inspect.isclass):
        if not issubclass(group, BaseModel) or group.__module__ != settings.__name__:
            continue
        about = inspect.getdoc(group) or ""
        meanings = _attributes(about)
        own = group.__annotations__  # what it inherits is in the group that it is from
        described = {name: meanings.get(name, "") for name in own if name in settings.VARIABLES}
        if described:
            yield _spaced(group.__name__), about.partition("\n")[0], described


def _setting(name: str, about: str) -> Sequence[str]:
    variable = settings.VARIABLES[name]
    secret = " (secret)" if variable in settings.SECRETS else ""
    allowed = _allowed(name)
    meaning, _, otherwise = about.partition("; None: ")
    found = re.search(rf" ?``{variable}``, else (.+?)\.$", meaning)
    if found:
        meaning, otherwise = meaning[: found.start()], found[1]
    default = _default(name, allowed) or _plain(otherwise.rstrip(".")) or "not set"
    if default == "`0`" and otherwise:
        meaning = f"{meaning}; 0: {otherwise}"
    for field, other in settings.VARIABLES.items():
        meaning = meaning.replace(f"``{field}``", f"``{other}``")
    return f"`{variable}`{secret}", _plain(allowed), default, f"{_plain(meaning).rstrip('.')}."


def _group(name: str) -> type[settings.Settings | settings.SystemdSettings]:
    """A group that has the setting."""
    of_systemd = name in settings.SystemdSettings.model_fields
    return settings.SystemdSettings if of_systemd else settings.Settings


def _allowed(name: str) -> str:
    """What the error about an impossible value says of those that are possible."""
    try:
        _group(name).from_environment({settings.VARIABLES[name]: "\0"})
    except UsageError as error:
        return str(error).partition(": must be ")[2]
    return "any"


def _default(name: str, allowed: str) -> str:
    """The default as it would be written in the variable, empty where nothing is set."""
    value = _group(name).model_fields[name].default
    number = re.fullmatch(r"a whole number from \d+ to ([\d,]+)", allowed)
    if number and value is None:
        return "`0`"
    if number:  # in the unit of the variable, which may be MB, minutes or days
        most = number[1].replace(",", "")
        read = _group(name).from_environment({settings.VARIABLES[name]: most})
        return f"`{value * int(most) // getattr(read, name)}`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        value = ",".join(map(str, value))
    return f"`{value}`" if isinstance(value, str) and value else ""


def _spaced(name: str) -> str:
    words = re.findall(r"[A-Z][a-z0-9]*", name.removesuffix("Settings"))
    return " ".join((words[0], *map(str.lower, words[1:]))) if words else "Service"


def _attributes(about: str) -> dict[str, str]:
    """What a docstring says of each attribute."""
    _, _, listed = about.partition("Attributes:\n")
    found: dict[str, str] = {}
    name = ""
    for line in listed.splitlines():
        begins = re.match(r"    (\w+): (.*)", line)
        if begins:
            name = begins[1]
            found[name] = begins[2]
        elif name and line.startswith("        "):
            found[name] += f" {line.strip()}"
    return found


def library() -> str:
    """What `import genint` offers; the documentation of each is read from the sources."""
    import genint  # noqa: PLC0415 - its names are looked up when they are used

    offered = sorted(vars(genint)["__all__"])
    functions = [name for name in offered if inspect.isroutine(getattr(genint, name))]
    classes = [name for name in offered if name not in functions]
    blocks = [
        "# Library reference",
        "All that `import genint` offers. Examples: [library](../library.md).",
    ]
    for name in (*functions, *classes):
        if f"{name}_async" in offered:
            blocks += [
                f"## {name}",
                f"As `{name}_async`, with the same arguments, for code without asyncio; also "
                "inside a running event loop.",
            ]
        else:
            blocks.append(f"::: genint.{name}")
    return _page(blocks)


def http_api() -> str:
    """Every route with parameters, bodies and answers."""
    document = json.loads(openapi_document(ENDPOINTS))
    blocks = [
        "# HTTP API reference",
        "Made from the OpenAPI document that a service serves at `/openapi.json`. How accounts, "
        "jobs and reports work: [service](../service.md).",
    ]
    for tag in document["tags"]:
        blocks.append(f"## {tag['name'].capitalize()}\n\n{_plain(tag['description'])}")
        for path, operations in document["paths"].items():
            for method in _METHODS:
                operation = operations.get(method)
                if operation is not None and tag["name"] in operation["tags"]:
                    blocks += _operation(method, path, operation, document)
    schemas = document["components"]["schemas"]
    of_results = {_RESULT, *GenintResult.model_json_schema(mode="serialization")["$defs"]}
    blocks.append(
        "## Bodies and answers\n\nWhat the routes above take and give. Parts of results are in the "
        "[reference of the result file](result-file.md)."
    )
    for name in sorted(schemas.keys() - of_results):
        blocks += _model(name, schemas[name], document, level=3)
    # A name that the result file describes too leads there; all others are on this page.
    return re.sub(
        r"\(#schema-(\w+)\)",
        lambda link: (
            link[0] if link[1] in schemas.keys() - of_results else f"(result-file.md{link[0][1:]}"
        ),
        _page(blocks),
    )


def _model(name: str, model: Schema, document: Mapping[str, Any], *, level: int) -> Iterator[str]:
    """A part of a body, an answer or a result: its fields, or the values that it may have."""
    yield f"{'#' * level} {name} {{#schema-{name}}}"
    about = _plain(model.get("description", ""))
    if "enum" in model:
        yield f"{about} One of {_listed(model['enum'])}."
    else:
        yield about
        yield _fields(model, document)


def _operation(
    method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any]
) -> Iterator[str]:
    yield f"### {method.upper()} `{path}`\n\n{operation['summary']}"
    if operation["description"]:
        yield _plain(operation["description"])
    parameters = [_resolved(one, document) for one in operation.get("parameters", ())]
    if parameters:
        rows = [
            (f"`{one['name']}`", one["in"], _type(one["schema"]), _described(one))
            for one in parameters
        ]
        yield _table(("parameter", "in", "type", "meaning"), rows)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"Body, `{kind}`:"
        yield _fields(content["schema"], document)
    yield _table(
        ("status", "answer"),
        [(status, _answer(answer)) for status, answer in operation["responses"].items()],
    )


def _described(item: Mapping[str, Any]) -> str:
    return _plain(item.get("description", ""))


def _resolved(item: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = item.get("$ref")
    if reference is None:
        return item
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found  # type: ignore[no-any-return]


def _answer(answer: Mapping[str, Any]) -> str:
    schemas = [_type(content.get("schema", {})) for content in answer.get("content", {}).values()]
    named = f" ({', '.join(dict.fromkeys(filter(None, schemas)))})" if any(schemas) else ""
    return f"{_plain(answer.get('description', ''))}{named}"


def _fields(schema: Schema, document: Mapping[str, Any]) -> str:
    whole = _resolved(schema, document)
    required = set(whole.get("required", ()))
    rows = [
        (
            f"`{name}`{'' if name in required else ' (optional)'}",
            _type(field),
            _plain(field.get("description", "")),
        )
        for name, field in whole.get("properties", {}).items()
    ]
    return _table(("field", "type", "meaning"), rows)


def _type(schema: Schema) -> str:
    """The type of a value in a few words."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"[{name}](#schema-{name})"
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[word])))
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = str(schema.get("type", schema.get("const", "any")))
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return f"{kind} ({schema['format']})" if "format" in schema else kind


def result_file() -> str:
    """Every field of the JSON result."""
    schema = GenintResult.model_json_schema(mode="serialization")
    blocks = [
        "# Result file reference",
        "Every field of the JSON result (`--format json`). `genint/report/result.schema.json` is "
        "the same as a JSON Schema. How it is used: [formats](../formats.md#json).",
        f"## The file {{#schema-{_RESULT}}}",
        _fields(schema, schema),
    ]
    for name, model in sorted(schema["$defs"].items()):
        blocks += _model(name, model, schema, level=2)
    return _page(blocks)


def _plain(text: str) -> str:
    """Text for a paragraph or a cell: one line, without marks of Sphinx or click."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text.replace("``", "`").replace("\b", ""))
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [" | ".join(row) for row in (header, ["---"] * len(header), *rows)]
    return "\n".join(f"| {line} |" for line in lines) if len(lines) > 2 else ""  # noqa: PLR2004


def _page(blocks: Iterable[str]) -> str:
    return _MADE + "\n\n".join(block for block in blocks if block) + "\n"


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "command-line.md": command_line,
    "settings.md": settings_page,
    "library.md": library,
    "http-api.md": http_api,
    "result-file.md": result_file,
}
"""Name of each page and what makes it."""
