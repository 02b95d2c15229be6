"""Names that read as those of eukaryotes, and names of bacteria that only sound so."""

from __future__ import annotations

import pytest

from genint.knowledge import foreign_function, foreign_word, load_own_families, load_products
from genint.sources.families import says_nothing


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Interleukin-1 receptor-associated kinase 1-binding protein 1/DUF541", "Interleukin"),
        ("nuclear pore complex protein Nup98", "nuclear pore"),
        ("histone acetyltransferase Gcn5", "histone acetyltransferase"),
        ("inhibitor of apoptosis-promoting Bax1", "apoptosis-promoting"),
        ("SNARE associated Golgi protein", "Golgi"),
        ("gamma interferon inducible lysosomal thiol reductase", "interferon"),
        ("brain acid soluble protein 1", "brain"),
        ("myosin light chain kinase, smooth muscle", "myosin"),
        ("thyroid peroxidase", "thyroid"),
        ("keratin, type II cytoskeletal", "keratin"),
    ],
)
def test_names_of_organs_organelles_and_signals_are_foreign(name, word):
    assert foreign_word(name) == foreign_function(name) == word


@pytest.mark.parametrize(
    "name",
    [
        "keratinase",
        "spermidine synthase",
        "insulin-degrading enzyme",
        "insulin-cleaving metalloproteinase outer membrane protein",
        "myosin-cross-reactive antigen",
        "mammalian cell entry protein",
        "mitochondrial-type thioredoxin",
        "actin-like protein ParM",
        "fibronectin-binding protein",
        "macrophage infectivity potentiator",
        "non-lysosomal glucosylceramidase",
        "tubulin PhuZ",
        "epidermin decarboxylase",
        "skin element; site-specific DNA recombinase",
        "hemolysin",
        "collagenase",
        "retinal dehydrogenase",
        "interleukin-like protein",
        "integrin-binding adhesin",
        "insecticidal toxin",
        "proteasome subunit beta",
    ],
)
def test_names_of_bacteria_that_only_sound_so_are_sober(name):
    assert foreign_word(name) is None


def test_a_place_behind_the_function_makes_the_function_no_foreign_one():
    name = "isovaleryl-CoA dehydrogenase, mitochondrial"
    assert foreign_word(name) == "mitochondrial"
    assert foreign_function(name) is None


def test_no_term_of_the_vocabulary_and_no_family_that_makes_claims_is_foreign():
    terms = [name for term in load_products().products.values() for name in term.names]
    shipped = load_own_families().families.values()
    families = [family.name for family in shipped if not says_nothing(family)]
    assert [name for name in (*terms, *families) if foreign_word(name)] == []
