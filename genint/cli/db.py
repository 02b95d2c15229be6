"""``genint db``: what genint knows, and where it comes from."""

from __future__ import annotations

import click

_KIBIBYTE = 1024


@click.group()
def db() -> None:
    """Show the databases that genint uses."""


@db.command("list")
@click.option("--verbose", "-v", is_flag=True, help="Show file and checksum too.")
def list_databases(*, verbose: bool) -> None:
    """List every database with release, entries, size, licence and source."""
    from genint.knowledge.catalogue import shipped_databases  # noqa: PLC0415 - loads numpy

    for item in shipped_databases():
        click.echo(f"{item.name} {item.version}")
        click.echo(
            f"  {item.entries:,} entries, {item.size_bytes / _KIBIBYTE:,.0f} kB, "
            f"ships with genint, licence {item.licence}"
        )
        click.echo(f"  source: {item.source}")
        if verbose:
            click.echo(f"  file: {item.file}, sha256 {item.sha256}, made by {item.made_by}")
