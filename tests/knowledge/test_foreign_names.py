"""Names that read as those of eukaryotes, and names of bacteria that only sound so."""

from __future__ import annotations

import gzip

import pytest

from genint.knowledge import foreign_function, foreign_word, load_own_families, load_products
from genint.knowledge.foreign_names import no_phage_word
from genint.sources.family_reliability import says_nothing


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


@pytest.mark.parametrize(
    ("name", "machine"),
    [
        ("ribulose-1,5-bisphosphate carboxylase/oxygenase small subunit", "carboxylase"),
        ("ribulose bisphosphate carboxylase small chain", "carboxylase"),
        ("RuBisCO", "carboxylase"),
        ("ribulose-1", "carboxylase"),
        ("F0F1 ATP synthase subunit beta", "ATP synthase"),
        ("NADH-quinone oxidoreductase subunit K", "NADH"),
        ("nitrogenase", "nitrogenase"),
    ],
)
def test_machines_of_autotrophs_and_of_respiration_are_known_as_those_of_no_phage(name, machine):
    assert machine in (no_phage_word(name) or "")


@pytest.mark.parametrize(
    "name",
    [
        "photosystem II protein D1 (PsbA)",
        "plastocyanin",
        "ferredoxin",
        "heme oxygenase",
        "ribulose-phosphate 3-epimerase",
        "L-ribulose-5-phosphate 4-epimerase",
        "DNA polymerase",
        "PhoH family protein",
    ],
)
def test_what_cyanophages_and_others_carry_is_not(name):
    assert no_phage_word(name) is None


def test_of_all_phage_proteins_at_hand_hardly_any_is_called_so(shared_data):
    """Photosystems, nucleotide metabolism and all else that phages carry keep their names."""
    called, seen = [], 0
    for file in ("phage_proteins_more", "phage_proteins_139", "phage_proteins"):
        with gzip.open(shared_data / "train" / f"{file}.faa.gz", "rt") as lines:
            for line in lines:
                if line.startswith(">"):
                    seen += 1
                    called += [line] if no_phage_word(line) else []
    assert seen > 100_000
    assert sum("Staphylococcus phages" in line for line in called) == 3
    assert len(called) == 4
