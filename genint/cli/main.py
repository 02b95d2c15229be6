"""Entry point of the command line: what subcommands exist, and exit codes.

Exit 0: done. 1: failed while running. 2: wrong usage or bad input, with one line
that says what is wrong and what to do. A traceback appears only with ``--debug``.
Subcommands are imported when they are called, so that ``--version`` stays quick.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from genint.errors import GenintError
from genint.version import __version__

_COMMANDS = {
    "interpret": ("genint.cli.interpret", "interpret"),
    "db": ("genint.cli.db", "db"),
}
_EXIT_FAILED = 1
_EXIT_INTERRUPTED = 130


class _LazyGroup(click.Group):
    """A group that imports a subcommand's module only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)  # noqa: S101 - guards the table above
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="genint", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Interpret phage and bacterial genes: what each one does, how sure that is, and why."""
    del debug  # run() takes it out of the arguments, wherever it stands


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; errors are printed as one line."""
    debug = "--debug" in arguments
    try:
        rest = [argument for argument in arguments if argument != "--debug"]
        outcome = cli.main(args=rest, prog_name="genint", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("genint: interrupted", err=True)
        return _EXIT_INTERRUPTED
    except click.ClickException as problem:
        _say_usage(problem)
        return problem.exit_code
    except GenintError as problem:
        if debug:
            raise
        click.echo(f"genint: {problem}", err=True)
        return problem.exit_status
    except BrokenPipeError:
        return _reader_left()
    except Exception as problem:  # the last resort: one line instead of a traceback
        if debug:
            raise
        click.echo(f"genint: internal error: {type(problem).__name__}: {problem}", err=True)
        click.echo("genint: run again with --debug to see where; please report it", err=True)
        return _EXIT_FAILED
    return outcome if isinstance(outcome, int) else 0


def _say_usage(problem: click.ClickException) -> None:
    """One line for what is wrong, one for where to read more."""
    click.echo(f"genint: {problem.format_message()}", err=True)
    if isinstance(problem, click.UsageError) and problem.ctx is not None:
        click.echo(f"Try '{problem.ctx.command_path} --help'.", err=True)


def _reader_left() -> int:
    """Whoever read our output has gone (``| head``): nothing is wrong.

    The interpreter would complain when it flushes at exit, so it gets a place to
    flush to.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
