"""The record of the fake services proves what was asked, when, and in what company."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.online_services import SAMPLE_WORLD, Services, serving
from tests.online_services.__main__ import seconds
from tests.online_services.asking import Asking
from tests.online_services.demo import surroundings
from tests.online_services.record import covered_s
from tests.online_services.samples import EXPERIMENTAL, SIMILAR

ROOT = Path(__file__).resolve().parents[2]


async def test_requests_are_counted_by_route(services: Services, ask: Asking):
    await ask.mapped("RefSeq_Protein", ["NP_900001.1"])
    await ask.get("interpro/info")
    assert services.record.routes() == {
        "POST uniprot/idmapping/run": 1,
        "GET uniprot/idmapping/status/*": 3,
        "GET uniprot/idmapping/uniprotkb/results/*": 1,
        "GET interpro/info": 1,
    }
    assert services.record.count("uniprot/idmapping/status") == 3


async def test_what_was_sent_is_found_wherever_it_stood(services: Services, ask: Asking):
    md5 = EXPERIMENTAL.md5
    await ask.post("interpro/matches", json={"md5": [md5]})
    await ask.send("GET", ask.url("interpro/info"), headers={"User-Agent": f"x/{md5.lower()}"})
    await ask.get("uniprot/uniprotkb/search", query=f"checksum:{md5}")
    await ask.post("uniprot/idmapping/run", form={"ids": f"a b,{md5}"})
    await ask.get("interpro/info")
    assert len(services.record.spoken_of(md5)) == 4
    assert len(services.record.spoken_of("A B,")) == 1
    assert services.record.spoken_of(EXPERIMENTAL.residues[:20]) == []


async def test_headers_bodies_and_answers_are_kept(services: Services, ask: Asking):
    await ask.post("interpro/matches", json={"md5": [SIMILAR.md5]})
    (visit,) = services.record.of("interpro/matches")
    assert visit.json == {"md5": [SIMILAR.md5]}
    assert visit.headers["user-agent"].startswith("Python/")
    assert (visit.status, SIMILAR.md5.encode() in visit.answer) == (200, True)


async def test_requests_in_flight_are_counted_by_service(services: Services, ask: Asking):
    services.slow("", 0.05)
    await asyncio.gather(
        *(ask.get("interpro/info") for _ in range(4)),
        *(ask.get("uniprot/uniprotkb/search") for _ in range(2)),
    )
    await ask.get("interpro/info")
    assert services.record.most_in_flight("interpro") == 4
    assert services.record.most_in_flight("uniprot") == 2
    assert services.record.most_in("interpro", 60) == 5


def test_what_intervals_cover_is_counted_once():
    assert covered_s([(0, 2), (1, 3), (5, 6), (5.5, 5.75)]) == 4


def test_code_without_a_loop_is_served_from_a_thread():
    opener = build_opener(ProxyHandler({}))
    with serving(SAMPLE_WORLD) as services:
        with opener.open(f"{services.url('interpro')}/health") as answer:
            assert answer.read() == b'{"status":"ok"}'
        assert services.environment["GENINT_UNIPROT_URL"] == services.url("uniprot")


@pytest.mark.parametrize(("written", "meant"), [("0.3-3", (0.3, 3.0)), ("1", (1.0, 1.0))])
def test_latencies_are_written_as_a_range_or_a_number(written: str, meant: tuple[float, float]):
    assert seconds(written) == meant


def test_the_demo_keeps_its_answers_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GENINT_CACHE_DIR", "the user's own")
    with serving(SAMPLE_WORLD) as services:
        variables = surroundings(services, str(tmp_path))
        assert variables["GENINT_CACHE_DIR"] == str(tmp_path)
        assert variables["GENINT_INTERPRO_URL"] == services.url("interpro")


def test_the_program_serves_a_genome_and_says_where(examples: Path):
    command = [sys.executable, "-m", "tests.online_services", examples / "phiX174.gbk", "--port=0"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as program:
        assert program.stdout
        lines = []
        for line in program.stdout:
            lines.append(line.strip())
            if line.startswith("# ready"):
                break
        program.terminate()
    assert lines[0] == "# Made-up UniProt and InterPro: nothing that they answer is real."
    named = [line.split("=")[0] for line in lines if line.startswith("export ")]
    assert named[:3] == [
        "export GENINT_UNIPROT_URL",
        "export GENINT_INTERPRO_URL",
        "export GENINT_INTERPRO_GO_URL",
    ]
