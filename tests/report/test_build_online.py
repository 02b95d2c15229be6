"""What services answered becomes part of a result; what asking cost does not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from genint.formats import read_genome
from genint.knowledge import load_confidence
from genint.model import Genome, OnlineService
from genint.report import build_result, parse_result, render_json
from tests.builders.online_results import (
    BOTH,
    OUTAGE,
    error,
    hit,
    known_without,
    not_asked,
    online_result,
    online_summary,
    unknown,
)
from tests.builders.results import summarise

UNIPROT, INTERPRO = BOTH


@pytest.fixture(scope="module")
def genome(examples) -> Genome:
    return read_genome(examples / "phiX174.gbk")


def test_every_answer_stands_at_its_gene(genome):
    answers = [
        (hit(UNIPROT, "P03631"), hit(INTERPRO, "IPR008766", "PTHR30629", stale=True)),
        (known_without(UNIPROT), unknown(INTERPRO)),
        (error(UNIPROT), not_asked(INTERPRO)),
    ]
    written = json.loads(render_json(online_result(genome, answers)))
    assert written["genes"][0]["online"] == [
        {
            "service": "uniprot",
            "state": "hit",
            "release": "2026_03",
            "reason": "",
            "is_stale": False,
            "accessions": ["P03631"],
        },
        {
            "service": "interpro",
            "state": "hit",
            "release": "109.0",
            "reason": "",
            "is_stale": True,
            "accessions": ["IPR008766", "PTHR30629"],
        },
    ]
    assert [one["state"] for one in written["genes"][1]["online"]] == [
        "no_match",
        "not_in_database",
    ]
    assert [one["reason"] for one in written["genes"][2]["online"]] == [OUTAGE, "the time was over"]


def test_a_result_tells_what_was_to_be_asked_and_how_that_went(genome):
    problem = f"could not be queried: {OUTAGE}"
    answers = [(hit(UNIPROT, "P03631"),), (error(UNIPROT),)]
    result = online_result(genome, answers, services=[UNIPROT], problems=[problem], timeout_s=90.0)
    written = json.loads(render_json(result))
    assert written["schema_version"] == "1.10"
    assert written["parameters"]["mode"] == "online"
    assert written["parameters"]["online_services"] == ["uniprot"]
    assert written["parameters"]["online_timeout_s"] == 90.0
    assert written["online"] == [
        {
            "service": "uniprot",
            "releases": ["2026_03"],
            "problem": problem,
            "proteins": 11,
            "answered": 1,
        }
    ]


def test_what_asking_cost_changes_no_byte(genome):
    summary = online_summary(genome, [(hit(UNIPROT, "P03631"), unknown(INTERPRO))])
    dear = tuple(
        use._replace(requests=99, retries=9, from_cache=0, seconds=88.0) for use in summary.online
    )
    texts = [
        render_json(build_result(one, load_confidence()))
        for one in (summary, replace(summary, online=dear))
    ]
    assert texts[0] == texts[1]


def test_a_result_of_online_mode_is_read_again(genome):
    answers = [
        (hit(UNIPROT, "P03631"), known_without(INTERPRO)),
        (error(UNIPROT), unknown(INTERPRO)),
    ]
    result = online_result(genome, answers, problems=[f"could not be queried: {OUTAGE}", ""])
    assert parse_result(render_json(result).encode()) == result


def test_offline_nothing_but_empty_keys_is_added(genome):
    written = json.loads(render_json(build_result(summarise(genome), load_confidence())))
    assert written["online"] == []
    assert written["parameters"]["online_services"] == []
    assert written["parameters"]["online_timeout_s"] is None
    assert all(gene["online"] == [] for gene in written["genes"])


def test_services_are_called_as_the_model_calls_them(genome):
    result = online_result(genome, [tuple(hit(service, "X1") for service in OnlineService)])
    assert [use.service for use in result.online] == list(OnlineService)
