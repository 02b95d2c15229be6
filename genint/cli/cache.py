"""``genint cache``: what is kept from run to run, and removing it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

import click

from genint.cache.info import (
    Cleared,
    FolderUsage,
    OnlineKept,
    ResultsKept,
    cache_info,
    clear_cache,
    sweep,
)
from genint.cache.online import DEFAULT_LIMIT_BYTES, ServiceKept

_THOUSAND: Final = 1000
_FAILED: Final = 1
_LABELS: Final = {"uniprot": "UniProt", "uniparc": "UniParc", "interpro": "InterPro"}


@click.group()
def cache() -> None:
    """Show or clear what is kept from run to run; it may be deleted at any time."""


@cache.command()
def info() -> None:
    """Show where the cache is, what it holds and how large it is."""
    from genint.settings import cache_folder, cache_limit_bytes  # noqa: PLC0415 - loads pydantic

    limit_bytes = cache_limit_bytes()
    found = cache_info(cache_folder())
    lines = {
        "folder": str(found.folder),
        "profiles": _folders(found.pressed),
        "protein indexes": _folders(found.indexes),
        "results": _results(found.results, limit_bytes),
        "online answers": _online(found.online, DEFAULT_LIMIT_BYTES),
        "unfinished": _folders(found.unfinished),
        "in all": _size(found.size_bytes),
    }
    for heading, text in lines.items():
        click.echo(f"{heading:<18}{text}")


@cache.command()
@click.option("--results", is_flag=True, help="What was found for proteins.")
@click.option("--profiles", is_flag=True, help="Indexes of profiles and of your proteins.")
@click.option("--online", is_flag=True, help="Answers of UniProt and InterPro.")
@click.option("--old", is_flag=True, help="Folders not used for 30 days, and what was left behind.")
def clear(*, results: bool, profiles: bool, online: bool, old: bool) -> int:
    """Remove what is kept; all of it, unless an option says what.

    Nothing is lost but time: services are queried again. Runs that are
    under way go on and make again what they miss. Other files in the folder stay.
    """
    from genint.settings import cache_folder  # noqa: PLC0415 - loads pydantic

    folder = cache_folder()
    everything = not (results or profiles or online or old)
    cleared = clear_cache(
        folder,
        results=everything or results,
        folders=everything or profiles,
        online=everything or online,
    )
    if old:
        cleared += sweep(folder)
    return _report(cleared)


def _report(cleared: Cleared) -> int:
    """Print what was freed and what stays; the exit code."""
    what = [_counted(cleared.folders, "folder")] if cleared.folders else []
    what += ["the results"] if cleared.results else []
    what += ["the online answers"] if cleared.online else []
    if what or cleared.freed_bytes:
        click.echo(f"Freed {_size(cleared.freed_bytes)}: {_listed(what) or 'old files'}.")
    elif not cleared.remaining:
        click.echo("Nothing to clear.")
    if not cleared.remaining:
        return 0
    names = ", ".join(cleared.remaining)
    click.echo(f"genint: not removed: {names} (in use or not yours; try again later)", err=True)
    return _FAILED


def _folders(kept: FolderUsage) -> str:
    if not kept.folders:
        return "none"
    return f"{_counted(kept.folders, 'folder')}, {_size(kept.size_bytes)}{_since(kept.oldest_use)}"


def _results(kept: ResultsKept, limit_bytes: int) -> str:
    bound = f"limit {_size(limit_bytes)}" if limit_bytes else "switched off: GENINT_CACHE_MB is 0"
    size = f"{_size(kept.size_bytes)} ({bound})"
    if not kept.readable:
        return f"{size}, cannot be read now"
    if not kept.answers:
        return f"none, {size}"
    held = f"{_counted(kept.answers, 'answer')} for {_counted(kept.proteins, 'protein')}"
    return f"{held} from {_counted(kept.sources, 'source')}, {size}{_since(kept.oldest_use)}"


def _online(kept: OnlineKept, limit_bytes: int) -> str:
    size = f"{_size(kept.size_bytes)} (limit {_size(limit_bytes)})"
    if not kept.readable:
        return f"{size}, cannot be read now"
    if not kept.services:
        return f"none, {size}"
    return f"{'; '.join(map(_service, kept.services))}; {size}{_since(kept.oldest_use)}"


def _service(kept: ServiceKept) -> str:
    """How much is kept of a service: proteins, or where it names none, answers of other kinds."""
    held = _counted(kept.proteins, "protein") if kept.proteins else _counted(kept.answers, "answer")
    releases = ", ".join(release or "unknown" for release in kept.releases)
    word = "release" if len(kept.releases) == 1 else "releases"
    return f"{_LABELS.get(kept.service, kept.service)} {held} ({word} {releases})"


def _listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _since(oldest_use: date | None) -> str:
    return "" if oldest_use is None else f", oldest use {oldest_use}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _size(size_bytes: int) -> str:
    """In kB below a megabyte, in MB from there, rounded up: something is never 0."""
    kilobytes = -(-size_bytes // _THOUSAND)
    if kilobytes < _THOUSAND:
        return f"{kilobytes} kB"
    return f"{-(-kilobytes // _THOUSAND):,} MB"
