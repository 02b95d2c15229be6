"""Knowledge as one value."""

from __future__ import annotations

from made_families import TERMINASE

from genint.knowledge.catalogue import load_knowledge
from genint.knowledge.products import load_products


def test_the_vocabulary_is_the_one_that_is_read_alone():
    loaded, alone = load_knowledge().products, load_products()
    assert loaded.version == alone.version
    assert loaded.products == alone.products
    assert dict(loaded.keys) == dict(alone.keys)
    found = loaded.find("large terminase subunit")
    assert found is not None
    assert found.id == "terminase_large_subunit"
    assert loaded.find("no such thing at all") is None


def test_families_of_another_folder_take_the_place_of_those_that_ship(family_build):
    assert TERMINASE.id in load_knowledge(family_build).own_families
    assert TERMINASE.id not in load_knowledge().own_families
