"""Misspelt product names are understood, and shown as they are."""

from __future__ import annotations

import pytest

from genint.knowledge import load_products, load_roles
from genint.knowledge.product_names import NameKind, classify_product, clean_product, words_of
from genint.knowledge.products import ProductVocabulary, name_key
from genint.knowledge.roles import RoleTable
from genint.knowledge.spelling import SPELLINGS, plain_wording
from genint.model import Category


@pytest.fixture(scope="module")
def vocabulary() -> ProductVocabulary:
    return load_products()


@pytest.fixture(scope="module")
def roles() -> RoleTable:
    return load_roles()


@pytest.mark.parametrize(
    ("misspelt", "right"),
    [
        ("Lyzozyme", "Lysozyme"),
        ("putative Uracyl-DNA glycosylase", "putative Uracil-DNA glycosylase"),
        ("tape meausure protein", "tape measure protein"),
        ("chelicase", "helicase"),
        ("major_capside_protein", "major capsid protein"),
    ],
)
def test_a_misspelt_name_is_what_it_means(misspelt, right, vocabulary):
    assert words_of(misspelt) == words_of(right)
    assert name_key(misspelt) == name_key(right)
    assert classify_product(misspelt) is classify_product(right)
    assert vocabulary.find(misspelt) == vocabulary.find(right)


@pytest.mark.parametrize(
    ("misspelt", "category"),
    [
        ("Lyzozyme", Category.LYSIS),
        ("Uracyl-DNA glycosylase", Category.REPLICATION),
        ("phage capside protein", Category.HEAD),
    ],
)
def test_a_misspelt_name_is_not_filed_as_other(misspelt, category, vocabulary, roles):
    product = vocabulary.find(misspelt)
    role = roles.role_of(misspelt)
    assert category in {product.category if product else None, role.category if role else None}


def test_a_misspelt_name_is_shown_as_the_file_has_it():
    assert clean_product("putative Lyzozyme") == "putative Lyzozyme"


def test_unkown_function_is_unknown():
    assert classify_product("protein of unkown function") is NameKind.PLACEHOLDER


def test_no_word_is_mended_twice():
    assert not SPELLINGS.keys() & set(SPELLINGS.values())
    assert all(plain_wording(right) == right for right in SPELLINGS.values())


@pytest.mark.parametrize(
    "right",
    [
        "glutarate",
        "ATPase",
        "GTPase",
        "lipase",
        "sulfite",
        "transamidase",
        "hydro-lyase",
        "secretin",
    ],
)
def test_words_that_only_resemble_others_stay(right):
    assert plain_wording(right) == right


def test_no_name_of_the_vocabulary_has_lost_its_key(vocabulary):
    for product in vocabulary.products.values():
        for name in product.names:
            assert vocabulary.keys.get(name_key(name)) == product.id, name
