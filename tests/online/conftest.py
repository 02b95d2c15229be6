"""What the tests of online services share; ``tests/online_services`` says how it is used."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.online_services import SAMPLE_WORLD, Services


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of tests are asked directly, wherever the tests run."""
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "127.0.0.1,localhost")


@pytest.fixture
async def services() -> AsyncIterator[Services]:
    """Fake UniProt and InterPro that know the small world of ``samples``, without faults."""
    async with Services(SAMPLE_WORLD) as running:
        yield running
