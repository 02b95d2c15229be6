"""The manual page ``genint(1)``, made from the commands and settings.

    python -m documentation.manual [FILE]

Format: man(7), as groff and mandoc read it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import click

from documentation.references import commands, setting_groups
from genint.cli.main import cli
from genint.settings import VARIABLES
from genint.version import __version__

PAGE = Path(__file__).resolve().parent.parent / "man" / "genint.1"
_EXITS = (
    ("0", "done"),
    ("1", "failed while running"),
    ("2", "wrong usage or bad input, with one line that says what is wrong and what to do"),
    ("130", "interrupted"),
)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", default=PAGE)
    file: Path = parser.parse_args().file
    file.parent.mkdir(exist_ok=True)
    file.write_text(manual(), encoding="utf-8")


def manual() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.\\" Made from the code by `make man`.'
    yield f'.TH GENINT 1 "" "genint {__version__}" "User commands"'
    yield ".SH NAME"
    yield "genint \\- interprets phage and bacterial genes"
    yield ".SH SYNOPSIS"
    yield ".B genint"
    yield "[\\fB\\-\\-version\\fR] [\\fB\\-\\-debug\\fR] \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ..."
    yield ".SH DESCRIPTION"
    yield _text(cli.help or "")
    yield ".SH COMMANDS"
    for names, command in commands(cli):
        yield from _command(names, command)
    yield ".SH ENVIRONMENT"
    for _, _, meanings in setting_groups():
        for name, meaning in meanings.items():
            if meaning:
                yield from (".TP", f".B {VARIABLES[name]}", _text(meaning))
    yield ".SH EXIT STATUS"
    for status, meaning in _EXITS:
        yield from (".TP", f".B {status}", _text(meaning))


def _command(names: tuple[str, ...], command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=" ".join(names))
    yield f".SS {_text(command.get_usage(context).removeprefix('Usage: '))}"
    for paragraph in re.split(r"\n\s*\n", (command.help or "").partition("\f")[0]):
        if paragraph.strip().startswith("\b"):
            lines = paragraph.strip().strip("\b").strip("\n").splitlines()
            yield from (".nf", *map(_text, lines), ".fi")
        elif paragraph.strip():
            yield _text(paragraph)
        yield ".PP"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        is_help = "--help" in parameter.opts
        if isinstance(parameter, click.Option) and record is not None and not is_help:
            yield from (".TP", f".B {_text(record[0])}", _text(record[1]))


def _text(text: str) -> str:
    """One line that man takes as text: no request at its start, no escape within."""
    line = re.sub(r"\s+", " ", text.replace("``", "")).strip()
    line = line.replace("\\", "\\(rs").replace("-", "\\-")
    return f"\\&{line}" if line[:1] in (".", "'") else line


if __name__ == "__main__":
    main()
