"""``genint user``: accounts of the service, for its operator."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, TypeVar
from uuid import uuid4

import click

from genint.errors import InputError, UsageError

if TYPE_CHECKING:
    from genint.model.job import Account, UserEntry
    from genint.settings import Settings
    from genint.storage import Storage

_LINK_VALID_S: Final = 24 * 3600
"""How long a link that an operator sends can be used."""
_Result = TypeVar("_Result")
_email = click.argument("email")


@click.group()
def user() -> None:
    """List, create, disable and delete accounts of the service, also while it runs.

    The environment says where its database and files are (docs/operation.md lists it).
    """


@user.command("list")
def list_users() -> None:
    """List all accounts, newest first: e-mail, state, day of signup, jobs, name."""

    async def work(storage: Storage, _: Settings) -> list[UserEntry]:
        page = await storage.accounts.users()
        entries = list(page.users)
        while page.next_cursor is not None:
            page = await storage.accounts.users(cursor=page.next_cursor)
            entries += page.users
        return entries

    for entry in _run(work):
        state = "disabled" if entry.disabled_at else "active"
        name = f"{entry.user.first_name} {entry.user.last_name}".strip()
        cells = (entry.user.email, state, f"{entry.created_at:%Y-%m-%d}", entry.jobs, name)
        click.echo("\t".join(map(str, cells)))


@user.command()
@_email
@click.option("--first-name", default="", help="First name.")
@click.option("--last-name", default="", help="Last name.")
def create(email: str, first_name: str, last_name: str) -> None:
    """Open an account and print the link by which its user sets the password."""
    from genint.auth.passwords import PasswordHasher  # noqa: PLC0415 - takes as long as a hash
    from genint.model.job import User  # noqa: PLC0415 - lazy
    from genint.service.schemas import SignupBody  # noqa: PLC0415 - loads pydantic

    unknown = secrets.token_urlsafe(32)  # nobody ever learns it
    try:
        body = SignupBody(email=email, password=unknown, first_name=first_name, last_name=last_name)
    except ValueError:
        raise UsageError(f"not an e-mail address, or not a name: {email}") from None
    new = User(str(uuid4()), body.email, body.first_name, body.last_name)

    async def work(storage: Storage, settings: Settings) -> str:
        hasher = PasswordHasher(threads=1)
        hashed = await hasher.hash(unknown)
        hasher.close()
        if not await storage.accounts.add_user(new, hashed):
            raise InputError(f"there is an account with the address {email} already")
        return await _new_link(storage, settings, new.id)

    click.echo(_run(work))


@user.command("reset-password")
@_email
def reset_password(email: str) -> None:
    """Print a link by which a user sets a new password: valid for a day, and once.

    The present password works until then.
    """

    async def work(storage: Storage, settings: Settings) -> str:
        account = await _account(storage, email)
        if account.is_disabled:
            raise InputError(f"the account of {email} is disabled; `genint user enable` opens it")
        return await _new_link(storage, settings, account.user.id)

    click.echo(_run(work))


@user.command()
@_email
def disable(email: str) -> None:
    """Close an account: its password, tokens and keys are refused, its jobs stay."""
    _set_disabled(email, is_disabled=True)
    click.echo(f"{email}: disabled")


@user.command()
@_email
def enable(email: str) -> None:
    """Open an account that was disabled; its users log in again."""
    _set_disabled(email, is_disabled=False)
    click.echo(f"{email}: enabled")


@user.command()
@_email
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(email: str, yes: bool) -> None:
    """Delete an account with all its jobs, uploads, results, reports and keys, for good."""
    if not yes:
        click.confirm(f"Delete {email} with all jobs, files and keys?", abort=True, err=True)

    async def work(storage: Storage, _: Settings) -> None:
        await storage.delete_account((await _account(storage, email)).user.id)

    _run(work)
    click.echo(f"{email}: deleted")


def _set_disabled(email: str, *, is_disabled: bool) -> None:
    async def work(storage: Storage, _: Settings) -> None:
        account = await _account(storage, email)
        await storage.accounts.set_disabled(account.user.id, is_disabled=is_disabled)

    _run(work)


async def _account(storage: Storage, email: str) -> Account:
    account = await storage.accounts.account_by_email(email)
    if account is None:
        raise InputError(f"there is no account with the address {email}")
    return account


async def _new_link(storage: Storage, settings: Settings, user_id: str) -> str:
    """A link; only its end, with a remark, where no setting names the service's address."""
    from genint.auth.keys import new_secret  # noqa: PLC0415 - lazy
    from genint.service.mail import reset_link  # noqa: PLC0415 - lazy

    secret = new_secret()
    await storage.accounts.add_reset(user_id, secret.digest, valid_s=_LINK_VALID_S)
    if settings.public_url is None:
        click.echo(
            "genint: GENINT_PUBLIC_URL is not set: put the service's address before", err=True
        )
    return reset_link(settings.public_url or "", secret.raw)


def _run(work: Callable[[Storage, Settings], Awaitable[_Result]]) -> _Result:
    async def run() -> _Result:
        async with _opened() as (storage, settings):
            return await work(storage, settings)

    return asyncio.run(run())


@asynccontextmanager
async def _opened() -> AsyncIterator[tuple[Storage, Settings]]:
    from genint.service.app import storage_address  # noqa: PLC0415 - lazy
    from genint.settings import Settings  # noqa: PLC0415 - loads pydantic
    from genint.storage import open_storage_beside  # noqa: PLC0415 - lazy

    settings = Settings.from_environment()
    async with open_storage_beside(storage_address(settings)) as storage:
        yield storage, settings
