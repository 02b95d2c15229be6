"""`genint backup`, `genint restore`: everything that a service keeps, in one archive."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from genint.version import __version__

if TYPE_CHECKING:
    from genint.storage import BackupSummary, StorageAddress

_archive = click.argument("archive", type=click.Path(dir_okay=False, path_type=Path))


@click.command()
@_archive
def backup(archive: Path) -> None:
    """Write database, uploads and results into ARCHIVE (.tar.zst); the service may run meanwhile.

    Readable for its owner alone: it holds addresses, digests of passwords, and genomes.
    """
    from genint.storage import back_up  # noqa: PLC0415 - lazy

    summary = asyncio.run(back_up(_address(), archive, version=__version__))
    size_mb = archive.stat().st_size / 1e6
    click.echo(f"Backed up {_described(summary)} in {size_mb:,.1f} MB. Archive: {archive}")
    _warn(summary)


@click.command()
@_archive
@click.option("--replace", is_flag=True, help="Delete what is there: all jobs, accounts and files.")
@click.option(
    "--revoke-links-and-keys",
    "revoke",
    is_flag=True,
    help="Revoke all API keys and links to reports.",
)
@click.option("--check", is_flag=True, help="Only read the archive and compare all digests.")
def restore(archive: Path, replace: bool, revoke: bool, check: bool) -> None:
    """Put ARCHIVE in place, in SQLite or PostgreSQL; stop the service before.

    Refused where there is something already, without --replace. Nothing is changed before the
    archive was read to its end and found whole. Keys and links that were revoked after the backup
    are valid again, unless all of them are revoked.
    """
    from genint.storage import check_backup  # noqa: PLC0415 - lazy
    from genint.storage import restore as put_in_place  # noqa: PLC0415

    if check:
        summary = asyncio.run(check_backup(archive))
        click.echo(f"Whole: {_described(summary)}, {_origin(summary)}.")
    else:
        summary = asyncio.run(put_in_place(_address(), archive, replace=replace, revoke=revoke))
        click.echo(f"Restored {_described(summary)}, {_origin(summary)}.")
    _warn(summary)


def _address() -> StorageAddress:
    from genint.service.app import storage_address  # noqa: PLC0415 - lazy
    from genint.settings import Settings  # noqa: PLC0415 - loads pydantic

    return storage_address(Settings.from_environment())


def _described(summary: BackupSummary) -> str:
    users, jobs, files = summary.users, summary.jobs, summary.files
    return f"{_counted(users, 'account')}, {_counted(jobs, 'job')} and {_counted(files, 'file')}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _origin(summary: BackupSummary) -> str:
    return f"made by genint {summary.made_by} on {summary.made_at}"


def _warn(summary: BackupSummary) -> None:
    if summary.missing:
        click.echo(
            f"genint: missing when it was made, though jobs name them: "
            f"{_counted(len(summary.missing), 'file')}, such as {summary.missing[0]}",
            err=True,
        )
