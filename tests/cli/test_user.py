"""`genint user`, alone and beside a service that runs."""

from __future__ import annotations

import asyncio
import re

import pytest

from genint.auth import digest
from genint.cli.main import run
from genint.storage import StorageAddress, exclusive, open_storage


@pytest.fixture
def address(tmp_path, monkeypatch) -> StorageAddress:
    """Where the commands find the accounts: SQLite in a new folder."""
    monkeypatch.setenv("GENINT_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return StorageAddress(tmp_path, tmp_path / "genint.sqlite3")


@pytest.fixture
def said(capsys):
    """Runs a command; its exit code and what it printed."""

    def call(*words: str) -> tuple[int, str]:
        code = run(["user", *words])
        printed = capsys.readouterr()
        return code, printed.out or printed.err

    return call


def test_an_account_is_created_listed_disabled_and_deleted(address, said, monkeypatch):
    monkeypatch.setenv("GENINT_PUBLIC_URL", "https://genint.example.org/")
    code, link = said("create", "Ada@example.org", "--first-name", "Ada")
    assert code == 0
    assert re.fullmatch(r"https://genint\.example\.org/reset-password#\S{43}\n", link)
    assert said("list")[1].split("\t")[:2] == ["Ada@example.org", "active"]
    assert said("disable", "ADA@example.org") == (0, "ADA@example.org: disabled\n")
    assert said("list")[1].split("\t")[1] == "disabled"
    assert said("reset-password", "ada@example.org")[0] == 2
    assert said("enable", "ada@example.org")[0] == 0
    assert said("reset-password", "ada@example.org")[0] == 0
    assert said("create", "ada@EXAMPLE.org")[0] == 2
    assert said("delete", "ada@example.org", "--yes") == (0, "ada@example.org: deleted\n")
    assert said("list") == (0, "")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("create", "no address"), "not an e-mail address"),
        (("disable", "nobody@example.org"), "there is no account"),
        (("delete", "nobody@example.org", "--yes"), "there is no account"),
    ],
)
def test_what_is_wrong_is_one_line(address, said, words, text):
    code, line = said(*words)
    assert code == 2
    assert text in line
    assert line.count("\n") == 1


def test_accounts_are_managed_while_a_service_runs(address, said):
    async def served() -> None:
        async with open_storage(address) as storage:
            code, link = await asyncio.to_thread(said, "create", "ada@example.org")
            assert code == 0
            assert await storage.accounts.has_reset(digest(link.strip().partition("#")[2]))
            account = await storage.accounts.account_by_email("ada@example.org")
            assert (await asyncio.to_thread(said, "disable", "ada@example.org"))[0] == 0
            assert await storage.accounts.user(account.user.id) is None

    asyncio.run(served())


def test_the_database_of_an_older_service_is_left_alone(address, said):
    with exclusive(address.sqlite_file.with_name("genint.sqlite3.lock"), of=address.sqlite_file):
        code, line = said("list")
    assert code == 2
    assert "older version" in line
