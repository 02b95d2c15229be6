"""Answers of UniProt with more in them than any real one cost neither time nor memory."""

from __future__ import annotations

import asyncio
import json
import time
import tracemalloc

import pytest

from genint.model import AnswerState
from tests.online.asking_uniprot import Asker
from tests.online_services import body
from tests.online_services.samples import EXPERIMENTAL, TAXON


@pytest.fixture
def ask(services, tmp_path):
    return Asker(services, tmp_path)


def _records(number, record="{}"):
    return '{"results":[' + ",".join([record] * number) + "]}"


@pytest.mark.parametrize(
    "text",
    [
        _records(5_000_000),
        _records(300_000),
        _records(501),
        _records(1, '{"sequenceFeatures":[' + ",".join(["{}"] * 300_000) + "]}"),
    ],
    ids=["five_million_records", "as_many_as_are_read", "one_too_many", "within_a_record"],
)
@pytest.mark.parametrize("taxon_id", [None, TAXON])
async def test_endless_lists_are_refused_at_once(ask, services, text, taxon_id):
    services.misbehave("uniprot", body(text))
    longest_s, done = 0.0, asyncio.Event()

    async def watch():
        nonlocal longest_s
        while not done.is_set():
            began_s = time.monotonic()
            await asyncio.sleep(0)
            longest_s = max(longest_s, time.monotonic() - began_s)

    watching = asyncio.create_task(watch())
    began_s = time.monotonic()
    found = await ask([EXPERIMENTAL], taxon_id)
    done.set()
    await watching
    assert found.answers[EXPERIMENTAL.md5].state is AnswerState.ERROR
    assert time.monotonic() - began_s < 10
    assert longest_s < 3


async def test_a_long_list_of_wrong_parts_is_not_told_of_one_by_one(ask, services):
    wrong = {"entryType": "x", "primaryAccession": "P1", "genes": [7] * 300_000}
    text = json.dumps({"results": [wrong]})
    services.misbehave("uniprot", body(text))
    tracemalloc.start()
    try:
        found = await ask([EXPERIMENTAL], TAXON)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.answers[EXPERIMENTAL.md5].state is AnswerState.ERROR
    assert peak_bytes < 100_000_000
