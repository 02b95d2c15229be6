"""A stored result must not contradict itself in what was found besides ordinary gene calls."""

from __future__ import annotations

import json

import pytest

from genint.errors import FormatError
from genint.report import parse_result, render_json
from tests.builders.hostile_results import with_everything


@pytest.fixture
def content(phix_result) -> dict:
    return json.loads(render_json(with_everything(phix_result)))


def rescued(content) -> dict:
    return next(gene["rescue"] for gene in content["genes"] if gene["rescue"])


def edited_probability(content):
    rescued(content)["probability"] = 0.97


def edited_addend(content):
    rescued(content)["terms"][1]["log_odds"] += 0.5


def no_such_host(content):
    rescued(content)["host"] = "elsewhere"


def start_with_another_stop(content):
    start = content["alternative_starts"][0]
    start["end" if start["strand"] == "+" else "start"] -= 3


def start_of_no_gene(content):
    content["alternative_starts"][0]["gene"] = "elsewhere"


def start_behind_the_record(content):
    content["alternative_starts"][0]["start"] = 10**9


def start_longer_than_its_gene(content):
    content["alternative_starts"][0]["length_aa"] = 10**6


def product_of_no_gene(content):
    content["alternative_products"][0]["joined"] = "elsewhere"


def product_behind_the_record(content):
    content["alternative_products"][0]["parts"][1]["end"] = 10**9


def site_behind_the_record(content):
    content["alternative_products"][0]["site_end"] = 10**9


def product_of_another_length(content):
    content["alternative_products"][0]["length_aa"] += 1


def array_behind_the_record(content):
    content["crispr_arrays"][0]["end"] = 10**9


def repeated_array(content):
    content["crispr_arrays"] *= 2


def near_miss_on_no_record(content):
    content["rejected"][0]["record"] = "elsewhere"


def one_rna_gene_less(content):
    content["rna_genes"] = []


def one_rna_gene_more(content):
    content["rna_genes"].append(content["rna_genes"][-1])


def one_array_less(content):
    content["crispr_arrays"] = []


def searched_and_not(content):
    content["searches"][1]["found"] = 3


def all_of_it_repeated(content):
    content["records"][0]["terminal_repeat_bp"] = content["records"][0]["length"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edited_probability, "do not give it"),
        (edited_addend, "do not give it"),
        (no_such_host, "a gene that is not there"),
        (start_with_another_stop, "does not lead to the stop"),
        (start_of_no_gene, "of a gene that is not there"),
        (start_behind_the_record, "does not lie on"),
        (start_longer_than_its_gene, "more than the whole gene"),
        (product_of_no_gene, "genes that are not there"),
        (product_behind_the_record, "does not lie on"),
        (site_behind_the_record, "does not lie on"),
        (product_of_another_length, "not that of its translation"),
        (array_behind_the_record, "does not lie on"),
        (repeated_array, "is there 2 times"),
        (near_miss_on_no_record, "not among the records"),
        (one_rna_gene_less, "found 1 RNA genes, 0 are listed"),
        (one_rna_gene_more, "found 1 RNA genes, 2 are listed"),
        (one_array_less, "found 1 CRISPR arrays, 0 are listed"),
        (searched_and_not, "was searched and was not searched"),
        (all_of_it_repeated, "not shorter than its record"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(content, change, words):
    change(content)
    with pytest.raises(FormatError, match=words) as caught:
        parse_result(json.dumps(content).encode(), source="x.json")
    assert str(caught.value).isprintable()


def test_a_result_says_what_it_is_made_of_and_is_read_again(content):
    read = parse_result(json.dumps(content).encode())
    assert json.loads(render_json(read)) == content


def test_what_the_file_has_in_the_same_place_is_not_listed_again(content):
    del content["rna_genes"][-1]
    assert len(parse_result(json.dumps(content).encode()).rna_genes) == 1


def test_results_without_searches_need_none(content):
    content["searches"] = []
    assert parse_result(json.dumps(content).encode()).searches == ()
