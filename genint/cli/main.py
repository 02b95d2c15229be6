"""Entry point of the command line: what subcommands exist, and exit codes.

Exit 0: done. 1: failed while running. 2: wrong usage or bad input, with one line
that says what is wrong and what to do. A traceback appears only with ``--debug``.
Subcommands are imported when they are called, so that ``--version`` stays quick.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
import threading
from collections.abc import Sequence
from io import TextIOWrapper

import click

from genint.errors import GenintError
from genint.version import __version__

_COMMANDS = {
    "interpret": ("genint.cli.interpret", "interpret"),
    "report": ("genint.cli.report", "report"),
    "plot": ("genint.cli.plot", "plot"),
    "diff": ("genint.cli.diff", "diff"),
    "summary": ("genint.cli.summary", "summary"),
    "db": ("genint.cli.db", "db"),
    "cache": ("genint.cli.cache", "cache"),
    "selftest": ("genint.cli.selftest", "selftest"),
    "serve": ("genint.cli.serve", "serve"),
    "worker": ("genint.cli.serve", "worker"),
    "migrate": ("genint.cli.serve", "migrate"),
    "user": ("genint.cli.user", "user"),
    "backup": ("genint.cli.backup", "backup"),
    "restore": ("genint.cli.backup", "restore"),
    "completion": ("genint.cli.completion", "completion"),
}
_COLLECT_EVERY = (100_000, 50, 50)
"""How many new objects, and collections of the younger ones, make the garbage collector look
for cycles. Genes and evidence have none: looking as often as usual takes a tenth of the time
of a run and finds nothing. A profile search has some, and ends by looking for them."""
_EXIT_FAILED = 1
_EXIT_INTERRUPTED = 130
_MOMENT_S = 0.2
_EXPECTED = (click.exceptions.Abort, click.ClickException, BrokenPipeError)
"""Ends of a run for which ``--debug`` shows no traceback."""


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
    del debug  # run() takes it out of the arguments, wherever it is


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    gc.set_threshold(*_COLLECT_EVERY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name that the terminal's encoding lacks is shown by its code.
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:] if arguments is None else list(arguments))
    if _is_work_left():
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    gc.disable()
    gc.freeze()  # the process ends: to look for cycles among all objects first takes 0.1 s
    sys.exit(code)


def _is_work_left() -> bool:
    """Whether a thread runs on that the end of the program does not wait for.

    Compiled code in it may crash an interpreter that is being taken down under it.
    """
    left = [thread for thread in threading.enumerate() if thread.daemon]
    for thread in left:
        thread.join(_MOMENT_S)
    return any(thread.is_alive() for thread in left)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; errors are printed as one line."""
    rest = [argument for argument in arguments if argument != "--debug"]
    try:
        outcome = cli.main(args=rest, prog_name="genint", standalone_mode=False)
    except Exception as problem:
        if len(rest) < len(arguments) and not isinstance(problem, _EXPECTED):
            raise
        return _answer(problem)
    return outcome if isinstance(outcome, int) else 0


def _answer(problem: Exception) -> int:
    """Say in one line what went wrong; the exit code for it."""
    if isinstance(problem, click.exceptions.Abort):
        _say("genint: interrupted")
        return _EXIT_INTERRUPTED
    if isinstance(problem, click.ClickException):
        _say_usage(problem)
        return problem.exit_code
    if isinstance(problem, GenintError):
        _say(f"genint: {problem}")
        return problem.exit_status
    if isinstance(problem, BrokenPipeError):
        return _reader_left()
    if isinstance(problem, OSError):
        _say(f"genint: cannot read or write: {problem.strerror or problem}")
        return _EXIT_FAILED
    _say(f"genint: internal error: {type(problem).__name__}: {problem}")
    _say("genint: run again with --debug to see where; please report it")
    return _EXIT_FAILED


def _say_usage(problem: click.ClickException) -> None:
    """What is wrong and where to read more, in one line; help where no command was given."""
    if isinstance(problem, click.exceptions.NoArgsIsHelpError):
        click.echo(problem.format_message(), err=True)
        return
    text = " ".join(problem.format_message().split())
    if isinstance(problem, click.UsageError) and problem.ctx is not None:
        text = text.removesuffix(".") + f" (see {problem.ctx.command_path} --help)"
    click.echo(f"genint: {text}", err=True)


def _say(line: str) -> None:
    """A line on standard error, where that can still be written."""
    with contextlib.suppress(OSError):
        click.echo(line, err=True)


def _reader_left() -> int:
    """The reader of our output has gone (``| head``): nothing is wrong.

    The interpreter would complain when it flushes at exit, so it gets a place to
    flush to.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
