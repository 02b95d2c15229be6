"""Misspelt product names are understood, and shown as they are."""

from __future__ import annotations

import re

import pytest

from genint.knowledge import load_products, load_roles
from genint.knowledge.own_families import load_own_families
from genint.knowledge.product_names import NameKind, classify_product, clean_product, words_of
from genint.knowledge.products import ProductVocabulary, name_key
from genint.knowledge.roles import RoleTable
from genint.knowledge.spelling import SPELLINGS, mended, plain_wording
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
        ("PAAR motif of membran proteins", "PAAR motif of membrane proteins"),
        (
            "DUF463 family protein, puatative P-loop NTPase",
            "DUF463 family protein, putative P-loop NTPase",
        ),
        ("4-hydroxybenzoate octaprenyltranferase", "4-hydroxybenzoate octaprenyltransferase"),
        ("Strepotococcal cysteine protease", "streptococcal cysteine protease"),
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


@pytest.mark.parametrize(
    "nothing",
    [
        "protein of unkown function",
        "hypotetical protein",
        "Hypothetcial protien",
        "conserved hypothetical portein",
        "conserverd hypotheical protein",
        "uncharaterized protien",
        "unknow",
    ],
)
def test_a_name_that_names_nothing_does_so_misspelt_too(nothing):
    assert classify_product(nothing) is NameKind.PLACEHOLDER


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
        "carboxylyase",
        "hydroxyethyl",
        "transferrin",
        "dehydrogenases",
        "proprotein",
        "secretin",
    ],
)
def test_words_that_only_resemble_others_stay(right):
    assert plain_wording(right) == right


def test_no_name_of_the_vocabulary_has_lost_its_key(vocabulary):
    for product in vocabulary.products.values():
        for name in product.names:
            assert vocabulary.keys.get(name_key(name)) == product.id, name


def test_genint_words_no_family_with_a_slip_of_the_pen():
    families = load_own_families().families.values()
    assert [one.name for one in families if mended(one.name) != one.name] == []
    assert "putative liprotein" not in {one.name for one in families}


LONG_MISSPELT = {
    "acetylnuraminic": "acetylneuraminic",
    "acetylmuramoy": "acetylmuramoyl",
    "anhydromuranmyl": "anhydromuramyl",
    "biphosphoglycerate": "bisphosphoglycerate",
    "cendodeoxyribonuclease": "endodeoxyribonuclease",
    "decarboxylse": "decarboxylase",
    "dehydrogenasei": "dehydrogenase",
    "dioxygenasee": "dioxygenase",
    "ediphosphokinase": "diphosphokinase",
    "enolpyruvoylshikimate": "enolpyruvylshikimate",
    "epyrophosphokinase": "pyrophosphokinase",
    "exopolysacchride": "exopolysaccharide",
    "expolysaccharide": "exopolysaccharide",
    "folypolyglutamate": "folylpolyglutamate",
    "gluconolaconase": "gluconolactonase",
    "hydoxyethylthiazole": "hydroxyethylthiazole",
    "hydoxymethyldihydropteridine": "hydroxymethyldihydropteridine",
    "hydroxymethyldihydopteridine": "hydroxymethyldihydropteridine",
    "hydroxymethyldihydropteridin": "hydroxymethyldihydropteridine",
    "imethylallyltransferase": "dimethylallyltransferase",
    "lysophospholipasel": "lysophospholipase",
    "molydopterin": "molybdopterin",
    "carbamylputrescine": "carbamoylputrescine",
    "carboxylmuconate": "carboxymuconate",
    "formimionoglutamate": "formiminoglutamate",
    "octaprenyltranferase": "octaprenyltransferase",
    "phosphogylcerate": "phosphoglycerate",
    "phosphoribosylaminoimidazol": "phosphoribosylaminoimidazole",
    "pleiotrophic": "pleiotropic",
    "stransferase": "transferase",
    "strepotococcal": "streptococcal",
}
"""What the rule for long words mends in all names at hand, each looked at."""


@pytest.mark.slow
def test_of_all_names_at_hand_only_what_is_misspelt_is_mended(names_at_hand):
    words = {word.lower() for name in names_at_hand for word in re.findall(r"[A-Za-z]{5,}", name)}
    assert len(words) > 6_000
    found = {word: mended(word) for word in words if mended(word) != word}
    by_rule = {word: meant for word, meant in found.items() if word not in SPELLINGS}
    assert by_rule == LONG_MISSPELT
