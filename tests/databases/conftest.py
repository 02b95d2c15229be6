"""What the tests of databases share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from genint.databases.download.retry import RetryPolicy
from tests.databases.faulty_server import FaultyServer, content_of
from tests.databases.repeated_download import SIZE, Fetching


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of tests are asked directly, wherever the tests run."""
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1,localhost")


@pytest.fixture
async def server() -> AsyncIterator[FaultyServer]:
    """A server in this process; good until it is told otherwise."""
    async with FaultyServer() as running:
        yield running


@pytest.fixture
def hasty() -> RetryPolicy:
    """Limits with which nothing is waited for long."""
    return RetryPolicy(
        attempts=3,
        most_attempts=40,
        first_wait_s=0.001,
        longest_wait_s=0.002,
        longest_retry_after_s=0.005,
        connect_timeout_s=2.0,
        stall_timeout_s=0.4,
    )


@pytest.fixture
def content(server: FaultyServer) -> bytes:
    """The file that the server has."""
    return server.put(content_of(SIZE))


@pytest.fixture
def fetching(tmp_path: Path, hasty: RetryPolicy, server: FaultyServer) -> Fetching:
    """Fetches that file from the server."""
    return Fetching(tmp_path / "work", hasty, server.mirror)
