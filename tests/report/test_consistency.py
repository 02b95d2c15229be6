import json

import pytest

from genint.errors import FormatError
from genint.report import contradictions, parse_result, render_json


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


def sequence_of_another_length(content):
    content["records"][0]["sequence"] += "A"


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


def first_dark(content) -> dict:
    return next(gene for gene in content["genes"] if gene["is_dark"])


def one_gene_less(content):
    content["genes"].remove(first_with_a_hypothesis(content))


def edited_total(content):
    content["summary"]["total_genes"] += 1


def edited_interpreted(content):
    content["summary"]["interpreted_genes"] -= 1


def edited_level(content):
    content["summary"]["high"] += 1


def edited_dark(content):
    content["summary"]["dark"] = 0


def edited_confidence(content):
    first_with_a_hypothesis(content)["confidence"] = "SPECULATIVE"


def a_function_without_a_level(content):
    first_with_a_hypothesis(content)["confidence"] = "NONE"


def a_level_without_a_function(content):
    first_with_a_hypothesis(content)["function"] = None


def dark_with_a_function(content):
    first_dark(content)["function"] = "lysis"


def dark_with_a_score(content):
    first_dark(content)["score"] = 0.5


def not_dark_without_a_function(content):
    first_dark(content)["is_dark"] = False


def repeated_rank(content):
    first_with_a_hypothesis(content)["novelty"] = first_dark(content)["novelty"]


def ranks_from_zero(content):
    for gene in content["genes"]:
        if gene["novelty"]:
            gene["novelty"]["rank"] -= 1


def part_twice_in_order(content):
    content["genes"][0] |= {"parts": content["genes"][0]["parts"][:1] * 2, "part_order": [1, 1]}


def part_missing_in_order(content):
    content["genes"][0] |= {"parts": content["genes"][0]["parts"][:1] * 2, "part_order": [0]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (no_such_evidence, "evidence that is not there"),
        (negative_evidence, "evidence that is not there"),
        (unknown_record, "not among the records"),
        (no_records, "not among the records"),
        (repeated_gene, "is there 2 times"),
        (repeated_record, "is there 2 times"),
        (sequence_of_another_length, "does not have the record.s length"),
        (start_before_the_record, "does not lie on"),
        (end_behind_the_record, "does not lie on"),
        (part_behind_the_record, "does not lie on"),
        (stray_feature, "x lies on y"),
        (one_gene_less, "summary.total_genes is 11, but by its genes it is 10"),
        (edited_total, "summary.total_genes is 12"),
        (edited_interpreted, "summary.interpreted_genes is"),
        (edited_level, "summary.high is"),
        (edited_dark, "summary.dark is 0"),
        (edited_confidence, "summary.moderate is"),
        (a_function_without_a_level, "do not say the same"),
        (a_level_without_a_function, "do not say the same"),
        (dark_with_a_function, "do not say the same"),
        (dark_with_a_score, "it has a score"),
        (not_dark_without_a_function, "do not say the same"),
        (repeated_rank, "are not 1 to"),
        (ranks_from_zero, "are not 1 to"),
        (part_twice_in_order, "no order of its parts"),
        (part_missing_in_order, "no order of its parts"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused_in_one_line(content, change, words):
    change(content)
    with pytest.raises(FormatError, match=words) as caught:
        parse_result(json.dumps(content).encode(), source="x.json")
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith("x.json: no result of genint: ")


@pytest.mark.parametrize("order", [[], [1, 0], [0, 1]])
def test_parts_are_told_in_any_order_of_transcription(content, order):
    gene = content["genes"][0]
    gene |= {"parts": gene["parts"][:1] * 2, "part_order": order}
    assert parse_result(json.dumps(content).encode()).genes[0].part_order == tuple(order)


def test_our_own_results_do_not_contradict_themselves(phix_result, nasty_result):
    assert not list(contradictions(phix_result))
    assert not list(contradictions(nasty_result))
