"""The services of the benchmark run beside it and do what they are told."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest

from benchmarks.online.servers import Remote, Ways, servers

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.fixture(scope="module")
def remote() -> Iterator[Remote]:
    with servers() as running:
        yield running


def test_they_know_a_genome_under_the_taxon_that_they_are_told(remote: Remote, examples: Path):
    url = remote.environment()["GENINT_UNIPROT_URL"]
    search = f"{url}/uniprotkb/search?query=organism_id:%s&size=0"
    for told, taxon in ((None, 10847), (83333, 83333)):
        remote.behave(examples / "phiX174.gbk", Ways(told))
        with DIRECT.open(search % taxon) as answer:
            assert int(answer.headers["X-Total-Results"]) > 0
    (visit,) = remote.seen()
    assert visit.route == "GET uniprot/uniprotkb/search"
    assert visit.ended_s >= visit.started_s
    assert remote.seen() == ()


def test_they_refuse_connections_and_come_back(remote: Remote, examples: Path):
    url = f"{remote.environment()['GENINT_INTERPRO_URL']}/health"
    remote.behave(examples / "phiX174.gbk", Ways(state="refusing"))
    with pytest.raises(URLError, match="refused"):
        DIRECT.open(url)
    remote.behave(examples / "phiX174.gbk", Ways())
    with DIRECT.open(url) as answer:
        assert answer.status == 200


def test_they_can_be_silent(remote: Remote, examples: Path):
    remote.behave(examples / "phiX174.gbk", Ways(state="silent"))
    with pytest.raises((TimeoutError, URLError)):
        DIRECT.open(f"{remote.environment()['GENINT_INTERPRO_URL']}/health", timeout=0.1)
    assert len(remote.seen()) == 1


def test_a_mistake_of_theirs_is_told_to_the_one_who_measures(remote: Remote, tmp_path: Path):
    with pytest.raises(Exception, match="no such file"):
        remote.behave(tmp_path / "missing.gbk", Ways())
