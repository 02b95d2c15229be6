"""Categories that names of products stand for, over all names at hand."""

from __future__ import annotations

import re

import pytest

from genint.knowledge import load_products, load_roles
from genint.model import Category

OF_PHAGES = frozenset({Category.LYSOGENY, Category.HOST_TAKEOVER})
PHAGE_NAME = re.compile(
    r"phage|lambda|\bc(?:i|ii|iii|ro)\b|^repressor|anti-?repressor|anti-?restriction|host-nuclease"
    r"|\bner\b|\bner-",
    re.IGNORECASE,
)
_PRODUCTS, _ROLES = load_products(), load_roles()


def category_of(name: str) -> Category | None:
    """Of the term that a name is, else of the role that it denotes."""
    product, role = _PRODUCTS.find(name), _ROLES.role_of(name)
    if product is not None:
        return product.category
    return role.category if role else None


@pytest.mark.parametrize(
    "name",
    [
        "transcriptional regulator",
        "HTH-type transcriptional repressor",
        "XRE family transcriptional regulator",
        "DNA-binding transcriptional activator",
        "helix-turn-helix transcriptional regulator",
    ],
)
def test_a_regulator_without_a_phage_word_is_no_lysogeny_control(name):
    assert category_of(name) is Category.TRANSCRIPTION


@pytest.mark.parametrize(
    "name",
    [
        "serine/threonine protein kinase",
        "serine/threonine protein phosphatase",
        "cell division inhibitor",
        "ribonuclease inhibitor barstar",
        "conjugal transfer surface exclusion protein TraT",
        "anti-repressor for DgsA(Mlc)",
        "high frequency lysogenization protein HflD",
    ],
)
def test_what_bacteria_have_of_their_own_is_in_no_category_of_phages(name):
    assert category_of(name) not in OF_PHAGES


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("CI repressor", Category.LYSOGENY),
        ("Cro repressor", Category.LYSOGENY),
        ("antirepressor", Category.LYSOGENY),
        ("phage repressor", Category.LYSOGENY),
        ("host RNA polymerase inhibitor", Category.HOST_TAKEOVER),
        ("anti-CRISPR protein", Category.HOST_TAKEOVER),
        ("superinfection exclusion protein", Category.HOST_TAKEOVER),
    ],
)
def test_names_that_only_phages_have_keep_their_category(name, category):
    assert category_of(name) is category


@pytest.mark.slow
def test_of_all_bacterial_names_only_those_of_phages_are_in_their_categories(bacterial_names):
    wrong = [
        name
        for name in sorted(bacterial_names)
        if category_of(name) in OF_PHAGES and not PHAGE_NAME.search(name)
    ]
    assert wrong == []
