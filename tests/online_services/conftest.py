"""What the tests of the fake services share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.online_services import SAMPLE_WORLD, Services
from tests.online_services.asking import Asking


@pytest.fixture
async def services() -> AsyncIterator[Services]:
    """Running, without faults."""
    async with Services(SAMPLE_WORLD) as running:
        yield running


@pytest.fixture
async def ask(services: Services) -> AsyncIterator[Asking]:
    """Asks them."""
    async with aiohttp.ClientSession() as session:
        yield Asking(services, session)
