"""A stored result must not contradict itself in what services answered."""

from __future__ import annotations

import json

import pytest

from genint.errors import FormatError
from genint.report import parse_result, render_json
from tests.builders.hostile_results import with_everything


@pytest.fixture
def content(phix_result) -> dict:
    """Of its genes the first is known, the second without entry, the third not, others silent."""
    return json.loads(render_json(with_everything(phix_result)))


def hit_without_accession(content):
    content["genes"][0]["online"][0]["accessions"] = []


def accession_without_hit(content):
    content["genes"][1]["online"][0]["accessions"] = ["P03631"]


def silence_without_reason(content):
    content["genes"][-1]["online"][0]["reason"] = ""


def more_answers_than_proteins(content):
    content["online"][0] |= {"answered": 12, "proteins": 11}


def fewer_answers_than_genes_have(content):
    content["online"][0]["answered"] = 2


def answered_although_there_was_an_error(content):
    content["online"][0]["answered"] = content["online"][0]["proteins"]


def another_service(content):
    content["parameters"]["online_services"] = ["uniprot"]


def one_service_twice(content):
    content["online"][1]["service"] = "uniprot"


def nothing_of_a_service(content):
    del content["online"][1]


def gene_without_answer(content):
    del content["genes"][2]["online"][1]


def gene_with_an_answer_twice(content):
    content["genes"][2]["online"] *= 2


def asked_in_offline_mode(content):
    content["parameters"]["mode"] = "offline"


def two_answers_for_one_sequence(content):
    first, second = content["genes"][:2]
    second["translation"] = first["translation"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (hit_without_accession, "without accessions"),
        (accession_without_hit, "without accessions"),
        (silence_without_reason, "no reason for that"),
        (more_answers_than_proteins, "more answers than proteins"),
        (fewer_answers_than_genes_have, "more proteins, or fewer, than by the genes"),
        (answered_although_there_was_an_error, "more proteins, or fewer, than by the genes"),
        (another_service, "other services than the parameters"),
        (one_service_twice, "other services than the parameters"),
        (nothing_of_a_service, "other services than the parameters"),
        (gene_without_answer, "one answer for each service"),
        (gene_with_an_answer_twice, "one answer for each service"),
        (asked_in_offline_mode, "in online mode only"),
        (two_answers_for_one_sequence, "did not say the same"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(content, change, words):
    change(content)
    with pytest.raises(FormatError, match=words) as caught:
        parse_result(json.dumps(content).encode(), source="x.json")
    assert str(caught.value).isprintable()


def test_candidates_that_became_no_gene_were_asked_about_too(content):
    content["online"][0] |= {"answered": 9, "proteins": 30}
    assert parse_result(json.dumps(content).encode()).online[0].answered == 9


def test_answers_may_be_of_the_release_of_another_service(content):
    content["genes"][0]["online"][1]["release"] = "2026_03"
    assert parse_result(json.dumps(content).encode()).genes[0].online[1].release == "2026_03"
