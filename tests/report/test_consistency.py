import json

import pytest

from genint.errors import FormatError
from genint.report.consistency import contradictions
from genint.report.json_format import render_json
from genint.report.reading import parse_result


@pytest.fixture
def content(phix_result) -> dict:
    return json.loads(render_json(phix_result))


def first_with_a_hypothesis(content) -> dict:
    return next(gene for gene in content["genes"] if gene["hypotheses"])


def no_such_evidence(content):
    first_with_a_hypothesis(content)["hypotheses"][0]["evidence"] = [99]


def negative_evidence(content):
    first_with_a_hypothesis(content)["hypotheses"][0]["evidence"] = [-1]


def unknown_record(content):
    content["genes"][0]["record"] = "elsewhere\x1b[2J"


def no_records(content):
    content["records"] = []


def repeated_gene(content):
    content["genes"].append(content["genes"][0])


def repeated_record(content):
    content["records"] *= 2


def start_before_the_record(content):
    content["genes"][0]["start"] = 0


def end_behind_the_record(content):
    content["genes"][0]["end"] = 10**9


def part_behind_the_record(content):
    content["genes"][0]["parts"][0]["end"] = 10**9


def stray_feature(content):
    content["other_features"] = [
        {"id": "x", "record": "y", "start": 1, "end": 2, "strand": "+", "kind": "gene"}
        | {"name": None, "reason": "r"}
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (no_such_evidence, "evidence that is not there"),
        (negative_evidence, "evidence that is not there"),
        (unknown_record, "not among the records"),
        (no_records, "not among the records"),
        (repeated_gene, "is there 2 times"),
        (repeated_record, "is there 2 times"),
        (start_before_the_record, "does not lie on"),
        (end_behind_the_record, "does not lie on"),
        (part_behind_the_record, "does not lie on"),
        (stray_feature, "x lies on y"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused_in_one_line(content, change, words):
    change(content)
    with pytest.raises(FormatError, match=words) as caught:
        parse_result(json.dumps(content).encode(), source="x.json")
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith("x.json: no result of genint: ")


def test_our_own_results_do_not_contradict_themselves(phix_result, nasty_result):
    assert not list(contradictions(phix_result))
    assert not list(contradictions(nasty_result))
