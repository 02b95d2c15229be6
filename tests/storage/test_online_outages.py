"""Online services that are down, told from worker to worker through either database."""

from __future__ import annotations

import pytest

from genint.model.online import Outage
from genint.storage import OutageStore

UNIPROT, INTERPRO = "https://uniprot.example.org", "https://interpro.example.org"


async def test_an_outage_is_known_to_all_until_its_finder_ends_it_or_its_time_is_over(storage):
    finder, other = storage.outages, OutageStore(storage.database)
    await finder.exchange({UNIPROT: Outage("no answer", 60), INTERPRO: Outage("503", -1)})
    known = await other.exchange({})
    assert known == {UNIPROT: Outage("no answer", pytest.approx(60, abs=30))}
    await finder.exchange({})
    assert await other.exchange({}) == {}
