"""Locus tags by the rules of the INSDC."""

from __future__ import annotations

import pytest

from genint.errors import UsageError
from genint.model.interpretation import Parameters
from genint.model.locus_tags import PREFIX_RULE, checked_prefix, last_number, prefix_of


@pytest.mark.parametrize("prefix", ["ABC", "A1C", "abc", "EcoliK12MG16"])
def test_three_to_twelve_letters_and_digits_are_a_prefix(prefix):
    assert prefix_of(f"{prefix}_00010") == prefix
    assert checked_prefix(prefix).casefold() == prefix.casefold()


def test_a_prefix_is_in_upper_case_as_the_insdc_registers_it():
    assert checked_prefix("EcoliK12") == "ECOLIK12"
    assert Parameters(locus_tag_prefix="abc").locus_tag_prefix == "ABC"


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "AB",
        "ABCDEFGHIJKLM",
        "1AB",
        "_AB",
        "AB_C",
        "AB-C",
        "AB.C",
        "A B",
        "ABC\n",
        "ÄBC",
        "AB\u0661",
    ],
)
def test_what_is_no_prefix_is_refused_with_the_rule_in_one_line(prefix):
    for check in (checked_prefix, lambda text: Parameters(locus_tag_prefix=text)):
        with pytest.raises(UsageError) as refused:
            check(prefix)
        assert PREFIX_RULE in str(refused.value)
        assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("tag", "prefix"),
    [
        ("ABC_00010", "ABC"),
        ("ABC_RNA00010", "ABC"),
        ("ABC_1_00010", None),
        ("NC_001416.1_00010", None),
        ("b0001", None),
        ("ABC_", None),
        ("ABC_0001\n", None),
    ],
)
def test_a_locus_tag_has_exactly_one_underscore(tag, prefix):
    assert prefix_of(tag) == prefix


def test_the_highest_number_is_that_of_any_kind_of_feature_with_the_prefix():
    tags = ["ABC_00010", "ABC_RNA00030", "ABC_CRISPR7", "ABCD_00990", "ABC_x", "XABC_00500"]
    assert last_number(tags, "ABC") == 30
    assert last_number(tags, "ABD") == 0


@pytest.mark.parametrize("before", [-1, 1.0, True, None])
def test_numbers_that_are_taken_are_a_count(before):
    with pytest.raises(UsageError, match="locus_tags_before"):
        Parameters(locus_tag_prefix="ABC", locus_tags_before=before)
