"""The benchmark of large tables, on small ones."""

from __future__ import annotations

import asyncpg

from benchmarks.service.tables import Work, fill, measure
from genint.storage import StorageAddress, open_storage


async def test_rows_are_as_the_service_stores_them_and_every_call_is_measured(
    postgresql_url, tmp_path, monkeypatch
):
    monkeypatch.setattr("benchmarks.service.tables._CALLS", 2)
    address = StorageAddress(tmp_path, tmp_path / "unused", postgresql_url)
    async with open_storage(address) as storage:
        rows = await fill(postgresql_url, 400, 25)
        connection = await asyncpg.connect(postgresql_url)
        stated = await connection.fetchval("SELECT sum(dark) FROM jobs")
        await connection.close()
        assert (rows["jobs"], rows["dark_genes"]) == (400, stated)
        figures = await measure(postgresql_url, tmp_path)
        names = set(Work(storage, ["user"], ["job"]).calls())
    assert set(figures["times"]) == names
    assert figures["bytes"]["dark_genes"] > 0
