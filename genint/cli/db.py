"""``genint db``: what genint knows, where it comes from, and what can be installed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import click

from genint.databases.installed import Installed, is_unfinished, look_up
from genint.databases.installed import verify as verify_database
from genint.databases.layout import is_changing
from genint.databases.layout import remove as remove_database
from genint.databases.recipes import RECIPES
from genint.errors import InstallError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


_KIBIBYTE = 1024
_ALL: Final = "all"
_UNITS: Final = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))
_Names = click.Choice([*RECIPES, _ALL])


@click.group()
def db() -> None:
    """Show, install, check and remove the databases that genint uses."""


@db.command("list")
@click.option("--verbose", "-v", is_flag=True, help="Show file or folder and checksum too.")
def list_databases(*, verbose: bool) -> None:
    """List every database with release, entries, size, licence and source."""
    from genint.knowledge.catalogue import databases  # noqa: PLC0415 - loads numpy

    folder = _folder()
    for item in databases():
        click.echo(f"{item.name} {item.version}")
        click.echo(
            f"  {item.entries:,} entries, {item.size_bytes / _KIBIBYTE:,.0f} kB, "
            f"ships with genint, licence {item.licence}"
        )
        click.echo(f"  source: {item.source}")
        if verbose:
            click.echo(f"  file: {item.file}, sha256 {item.sha256}, made by {item.made_by}")
    for name in RECIPES:
        for line in _installable(folder, name, verbose=verbose):
            click.echo(line)


@db.command()
@click.argument("names", nargs=-1, required=True, type=_Names, metavar="NAME...|all")
@click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="URL|FOLDER",
    help="Fetch from here instead, where files lie as <host>/<path> as their publishers "
    "have them; may be given several times.",
)
@click.option("--force", is_flag=True, help="Install again what is installed and intact.")
def install(*, names: tuple[str, ...], mirrors: tuple[str, ...], force: bool) -> int:
    """Download, check and index databases, by the names that `genint db list` shows, or all.

    An interrupted download continues with the next install. The database in use stays until
    the new one is complete. Where one of several fails, the others are installed.
    """
    from genint.cli.progress import shown_progress  # noqa: PLC0415 - loads rich
    from genint.databases.download.http import Mirror  # noqa: PLC0415 - loads aiohttp
    from genint.databases.install import install as install_databases  # noqa: PLC0415 - aiohttp

    places = tuple(Mirror.parse(mirror) for mirror in mirrors)
    folder = _folder()
    failed = False
    for name in _chosen(names):
        try:
            with shown_progress() as progress:
                work = install_databases(
                    folder, [name], mirrors=places, force=force, progress=progress
                )
                (installed,) = asyncio.run(work)
        except InstallError as problem:
            click.echo(f"genint: {problem}", err=True)
            failed = True
            continue
        click.echo(_summary(installed))
        click.echo(f"  licence: {installed.licence}")
        click.echo(f"  cite: {installed.citation}")
    return int(failed)


@db.command()
@click.argument("names", nargs=-1, type=_Names, metavar="[NAME...]")
def verify(*, names: tuple[str, ...]) -> int:
    """Check every byte of what is installed, or of the databases named."""
    from genint.cli.progress import shown_check  # noqa: PLC0415 - loads rich

    folder = _folder()
    chosen = _chosen(names) or [name for name in RECIPES if look_up(folder, name) is not None]
    if not chosen:
        click.echo("no database is installed")
    is_damaged = False
    for name in chosen:
        with shown_check(name) as progress:
            problems = verify_database(folder, name, progress)
        for problem in problems:
            click.echo(str(problem))
        is_damaged |= bool(problems)
        if not problems:
            click.echo(f"{name}: sound, every byte checked")
    return int(is_damaged)


@db.command()
@click.argument("names", nargs=-1, required=True, type=_Names, metavar="NAME...|all")
def remove(*, names: tuple[str, ...]) -> int:
    """Remove databases, unless they are in use; where one cannot be, the others are."""
    folder = _folder()
    failed = False
    for name in _chosen(names):
        try:
            freed = remove_database(folder, name)
        except InstallError as problem:
            click.echo(f"genint: {problem}", err=True)
            failed = True
            continue
        click.echo(f"{name}: removed, {_size(freed)} freed" if freed else f"{name}: not installed")
    return int(failed)


@db.command()
def path() -> None:
    """Print the folder in which databases are installed."""
    from genint.settings import databases_folder  # noqa: PLC0415 - loads pydantic

    click.echo(str(databases_folder()))


def _folder() -> Path:
    """The folder of databases, there or not.

    Raises:
        InstallError: something else is in its place.
    """
    from genint.settings import databases_folder  # noqa: PLC0415 - loads pydantic

    folder = databases_folder()
    try:
        is_other = not folder.is_dir() and folder.exists()
        is_other |= any(parent.is_file() for parent in folder.parents)
    except OSError as problem:
        raise InstallError(
            f"{folder}: {problem.strerror}; let GENINT_DATABASES_DIR name a folder that can be read"
        ) from problem
    if is_other:
        raise InstallError(f"{folder} is no folder; let GENINT_DATABASES_DIR name one")
    return folder


def _chosen(names: Iterable[str]) -> list[str]:
    """Each name once; ``all`` stands for all."""
    given = list(dict.fromkeys(names))
    return list(RECIPES) if _ALL in given else given


def _installable(folder: Path, name: str, *, verbose: bool) -> list[str]:
    """Lines about a database that can be installed."""
    match look_up(folder, name):
        case Installed() as installed:
            lines = _ready(installed, verbose=verbose)
        case None:
            title = f"{name}: {RECIPES[name].title}"
            command = f"`genint db install {name}` ({RECIPES[name].download} to download)"
            lines = [title, f"  not installed; {command}"]
        case problem:
            state = "not used" if problem.is_suspicion else "damaged, not used"
            lines = [
                f"{name}: {RECIPES[name].title}",
                f"  {state}: {problem.reason}; {problem.cure}",
            ]
    if is_unfinished(folder, name):
        lines.append(
            f"  an installation was interrupted; `genint db install {name}` goes on with it"
        )
    elif is_changing(folder, name):
        lines.append("  is being installed or removed now")
    return lines


def _ready(installed: Installed, *, verbose: bool) -> list[str]:
    when = f" of {installed.released}" if installed.released else ""
    title = RECIPES[installed.name].title.removesuffix(f" {installed.release}")
    lines = [
        f"{installed.name}: {title} {installed.release}{when}",
        f"  {_amount(installed)}, installed and ready, licence {installed.licence}",
        f"  source: {installed.citation}",
    ]
    if verbose:
        lines.append(f"  folder: {installed.folder}, digest {installed.digest}")
    return lines


def _summary(installed: Installed) -> str:
    return f"{installed.name}: {installed.release} is installed, {_amount(installed)}"


def _amount(installed: Installed) -> str:
    return f"{installed.entries:,} {RECIPES[installed.name].entries}, {_size(installed.size_bytes)}"


def _size(size_bytes: int) -> str:
    """A size in the unit that leaves one to three digits before the point."""
    for unit, name in _UNITS:
        if size_bytes >= unit:
            return f"{size_bytes / unit:.1f} {name}"
    return f"{size_bytes} bytes"
