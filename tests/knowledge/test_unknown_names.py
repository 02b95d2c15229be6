"""Names that have codes, places or relatives' symbols and no word that states a function."""

from __future__ import annotations

import re

import pytest

from genint.knowledge import load_products
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.unknown_names import without_codes

_NO_FUNCTION = frozenset({NameKind.PLACEHOLDER, NameKind.SYMBOL})


@pytest.mark.parametrize(
    "product",
    [
        "UPF0102 family protein",
        "E16-related protein",
        "YecA-like protein",
        "hypothetical mga-associated protein",
        "YcfL protein: an outer membrane lipoprotein that is part of a salvage cluster",
        "YiaAB family inner membrane protein, tandem domains",
        "protein HALG_00049",
        "protein AFV9_gp23",
        "Lp1 protein 19",
        "Mu-like prophage FluMu protein gp27",
        "CDL73997.1 Lactococcus phage M3 protein",
        "conserved hypothetical protein; phage SPbeta",
        "/ belonging to T4-LIKE GC: 999",
        "membrane protein, related to Actinobacillus protein (1944168)",
        "stationary phase-induced protein",
        "blue light, low temperature and stress induced protein",
        "large Ala/Glu-rich protein",
        "UPF0153 cysteine cluster protein",
        "putative periplasmic component",
        "putative outer membrane or secreted lipoprotein",
        "small hydrophilic protein",
        "made using GeneMarkS EV",
        "CxxC motif protein",
        "CXXC motif-containing protein",
        "one transmembrane helix protein",
    ],
)
def test_codes_places_and_symbols_of_unknown_genes_are_no_function(product):
    assert classify_product(product) is NameKind.PLACEHOLDER


@pytest.mark.parametrize(
    "product",
    [
        "TACO1-like",
        "MafB-related protein",
        "Mga-associated protein",
        "NasA_2 protein",
        "FrpC operon protein",
        "cyaR sRNA-regulated protein",
        "competence-induced protein Ccs4",
        "MOLPALP family lipoprotein",
        "STREFT protein",
    ],
)
def test_a_gene_or_family_known_by_its_symbol_alone_is_a_symbol(product):
    assert classify_product(product) is NameKind.SYMBOL


@pytest.mark.parametrize(
    "product",
    [
        "RecA-like protein",
        "Cro-like protein",
        "HU-like",
        "Arc-like repressor",
        "DnaC-like protein",
        "MutT-like protein",
        "BirA-related protein",
        "SNF2-related protein",
        "CRISPR-associated protein",
        "NADAR family protein",
        "T6SS outer membrane component TssL (ImpK/VasF)",
        "cold shock protein",
        "glycine-rich RNA-binding protein",
        "Mu phage peptidase",
        "ST37ORF036_dUTPase",
        "major_capsid_protein",
        "tail_fiber_2",
        "HOLIN PROTEIN",
    ],
)
def test_known_relatives_and_words_of_function_stay_names(product):
    assert classify_product(product) not in _NO_FUNCTION


def test_only_codes_go():
    assert without_codes("major_capsid_protein gp12_terminase") == (
        "major_capsid_protein gp12_terminase"
    )
    assert without_codes("CBW39006.1_Putative phage NTPase") == "Putative phage NTPase"
    assert without_codes("heat shock protein 70") == "heat shock protein 70"


@pytest.mark.slow
def test_of_all_names_at_hand_no_frame_of_a_virus_and_no_relative_of_a_y_gene_is_a_function(
    names_at_hand,
):
    frame = re.compile(r"^(?:protein )?[A-Z][A-Za-z]*\d*V?\d*_?gp\d+$|^protein [A-Z\d]+_[A-Z]?\d+$")
    relative = re.compile(r"^(?:putative )?[Yy][a-z]{2}[A-Z]-(?:like|related)(?: protein)?$")
    found = [name for name in names_at_hand if frame.match(name) or relative.match(name)]
    assert len(found) > 300
    assert [name for name in found if classify_product(name) is not NameKind.PLACEHOLDER] == []


@pytest.mark.slow
def test_of_all_names_at_hand_none_that_the_vocabulary_has_is_lost(names_at_hand):
    """But for those that it has by their symbol (outer membrane lipoprotein LolB)."""
    vocabulary = load_products()
    words = re.compile(
        r"\b(?:terminase|portal|capsid|tail|holin|polymerase|helicase|ribosomal|permease|kinase)\b"
    )
    lost = [
        name
        for name in names_at_hand
        if words.search(name)
        and vocabulary.find(name) is not None
        and not re.search(r"gp[\d.]+-like", name)
        and classify_product(name) is NameKind.PLACEHOLDER
    ]
    assert lost == []


@pytest.mark.parametrize(
    "name",
    [
        "uncharacterized 9.3 kDa protein in nrdC-mobD intergenic region",
        "Uncharacterized 7.2 kDa protein in Gp46-Gp47 intergenic region",
        "25.3 kDa protein in rpsB 5'region",
        "nrdC.5 hyp. prot.",
    ],
)
def test_where_a_gene_lies_is_no_function(name):
    assert classify_product(name) is NameKind.PLACEHOLDER


def test_a_function_beside_the_place_of_the_gene_stays():
    assert classify_product("protein kinase in rpsB 5'region") is NameKind.NAME


@pytest.mark.parametrize(
    "product",
    [
        "no significant hits",
        "No BLAST hit",
        "no similarity to known proteins",
        "without known function",
        "not annotated",
        "unannotated protein",
        "product not determined",
        "to be determined",
        "TBD",
        "none",
        "NULL",
        "N/A",
        "?",
        "CDS",
        "see note",
        "proteína hipotética conservada",
        "hypothetisches Protein",
        "protéine hypothétique",
    ],
)
def test_words_in_place_of_a_name_are_no_name(product):
    assert classify_product(product) is NameKind.PLACEHOLDER


@pytest.mark.parametrize(
    "product",
    ["NADH dehydrogenase", "notched ends Nul1", "none-like kinase", "CDS1 ligase", "末端酶大亚基"],
)
def test_names_that_begin_like_such_words_are_names(product):
    assert classify_product(product) is not NameKind.PLACEHOLDER
