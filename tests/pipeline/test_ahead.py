"""Results of many files computed ahead, in their order; small ones by one worker together."""

from __future__ import annotations

import gzip

import pytest

from genint import interpret_genome
from genint.compute import ThreadBackend
from genint.errors import FormatError, WorkerDied
from genint.model import Parameters
from genint.pipeline.ahead import Ahead, computed_together
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.pipeline.many import ForAll, results_in_one_piece
from genint.report import render_json
from tests.pipeline.test_many import phages  # noqa: F401 - a fixture


@pytest.fixture(scope="module")
def payloads(phages, examples):  # noqa: F811
    """Two of phiX174, one compressed, a part of lambda, and a file that is none."""
    lambda_ = (examples / "lambda.fasta").read_text()[:8_000]
    return [
        Payload(phages[0].read_bytes(), "phage0.gbk"),
        Payload(b"LOCUS torn\n", "torn.gbk"),
        Payload(gzip.compress(phages[1].read_bytes()), "phage1.gbk.gz"),
        Payload(lambda_.encode(), "lambda.fasta"),
    ]


@pytest.fixture(scope="module")
def one_by_one(payloads, pressed):
    return [
        None
        if payload.filename == "torn.gbk"
        else render_json(as_result(interpret_genome(payload, cache_folder=pressed)))
        for payload in payloads
    ]


def as_json(outcome):
    return None if isinstance(outcome, FormatError) else render_json(outcome)


def test_genomes_that_are_searched_together_have_the_results_of_each_alone(
    payloads, one_by_one, pressed
):
    found = results_in_one_piece(payloads, ForAll(Parameters(), cache=pressed))
    assert [as_json(one) for one in found] == one_by_one


@pytest.mark.parametrize(("most", "most_bytes"), [(1, 500_000), (8, 9_000), (2, 500_000)])
def test_groups_of_any_size_give_the_same_results_in_the_same_order(
    payloads, one_by_one, pressed, monkeypatch, most, most_bytes
):
    monkeypatch.setattr("genint.pipeline.ahead._TOGETHER", most)
    monkeypatch.setattr("genint.pipeline.ahead._TOGETHER_BYTES", most_bytes)
    sources = [lambda payload=payload: payload for payload in [*payloads, None, *payloads]]
    found = []
    with Ahead(ForAll(Parameters(), cache=pressed), sources, concurrency=2, cluster=None) as ahead:
        for number in range(len(sources)):
            try:
                found.append(ahead.result(number).result)
            except FormatError:
                found.append(None)
    assert [one and render_json(one) for one in found] == [*one_by_one, None, *one_by_one]


def test_only_what_has_a_result_is_said_to_be_computed(payloads, pressed):
    phage, torn, *_ = payloads
    sources = [lambda: phage, lambda: torn, lambda: None]
    with Ahead(ForAll(Parameters(), cache=pressed), sources, concurrency=1, cluster=None) as ahead:
        ahead.result(0)
        with pytest.raises(FormatError):
            ahead.result(1)
        assert ahead.result(2).result is None
        assert [ahead.is_computed(number) for number in range(3)] == [True, False, False]


class DiesOverGroups(ThreadBackend):
    """A worker that ends without an answer whenever it gets more than one file."""

    def __init__(self):
        super().__init__()
        self.groups = []

    async def run(self, work, /, *arguments):
        payloads, _ = arguments
        self.groups.append(len(payloads))
        if len(payloads) > 1:
            raise WorkerDied("out of memory")
        return await super().run(work, *arguments)


async def test_each_file_is_done_alone_where_a_worker_dies_over_a_group(
    payloads, one_by_one, pressed
):
    backend = DiesOverGroups()
    for_all = ForAll(Parameters(), cache=pressed)
    found = await computed_together(tuple(payloads), backend, for_all)
    await backend.close()
    assert [as_json(one) for one in found] == one_by_one
    assert backend.groups == [4, 1, 1, 1, 1]
