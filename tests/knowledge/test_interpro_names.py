"""What signatures and sites are called in a sentence."""

from __future__ import annotations

import pytest

from genint.knowledge import heading_of, site_claim, untitled
from genint.model import InterProMatch


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Amino Acid and Vitamin Transporters", "amino acid and vitamin transporters"),
        ("HipA Serine/Threonine-Protein Kinase", "HipA serine/threonine-protein kinase"),
        ("ABC Transporter, Amino Acid and LPS Transport", None),
        ("Golgi Apparatus Membrane Protein", "Golgi apparatus membrane protein"),
    ],
)
def test_the_capitals_of_titles_go(title, text):
    assert untitled(title) == (text or "ABC transporter, amino acid and LPS transport")


@pytest.mark.parametrize(
    "heading",
    [
        "Picornavirus coat protein VP4",
        "Ryanodine/Inositol 1,4,5-trisphosphate receptor",
        "DedA-like",
        "NodU/CmcH",
        "Post-SET domain",
        "Rab1/Ypt1",
        "",
    ],
)
def test_capitals_that_have_a_meaning_stay(heading):
    assert untitled(heading) == heading


@pytest.mark.parametrize(
    ("library", "description", "heading"),
    [
        ("panther", "TRNA 5-METHYLAMINOMETHYL -METHYLTRANSFERASE",
         "tRNA 5-methylaminomethyl-methyltransferase family"),
        ("panther", "GLUTATHIONE S-TRANSFERASE KAPPA", "glutathione S-transferase kappa family"),
        ("panther", "SNF2/RAD54 HELICASE FAMILY", "SNF2/RAD54 helicase family"),
        ("panther", "DEHYDROGENASE/REDUCTASE SDR FAMILY MEMBER 11",
         "dehydrogenase/reductase SDR family"),
        ("panther", "THREONINE SYNTHASE-LIKE 1", "threonine synthase family"),
        ("panther", "IRON-SULFUR CLUSTER SCAFFOLD PROTEIN NFU-RELATED",
         "iron-sulfur cluster scaffold protein Nfu family"),
        ("sfld", "C1.7: P-type atpase like", "P-type atpase like"),
        ("cdd", "Long " * 40, ""),
        ("cdd", "A new structural DNA glycosylase", "structural DNA glycosylase"),
        ("cdd", "PDZ domain of PDZ-LIM family proteins, and related domains",
         "PDZ domain of PDZ-LIM family proteins"),
        ("smart", "ARF-like small GTPases; ARF, ADP-ribosylation factor",
         "ARF-like small GTPases"),
        ("prositeprofiles", "Ankyrin repeat region circular profile", "Ankyrin repeat region"),
        ("ncbifam", "adenylate kinase", "adenylate kinase"),
    ],
)  # fmt: skip
def test_habits_of_collections_go(library, description, heading):
    match = InterProMatch("X1", library, library, description=description)
    assert heading_of(match) == heading


@pytest.mark.parametrize(
    ("heading", "kind", "claim"),
    [
        ("Helix-turn-helix motif", "conserved_site", "contains the helix-turn-helix motif"),
        ("Copper centre Cu(A)", "binding_site", "contains the copper centre Cu(A)"),
        ("Kinesin motor domain, conserved site", "",
         "contains the kinesin motor domain conserved site"),
        ("Zinc carboxypeptidases, zinc-binding region 2", "binding_site",
         "contains the zinc carboxypeptidase zinc-binding region 2"),
        ("Thiolase, acyl-enzyme intermediate active site", "active_site",
         "contains the thiolase acyl-enzyme intermediate active site"),
        ("Extradiol ring-cleavage dioxygenase, class I", "conserved_site",
         "contains the extradiol ring-cleavage dioxygenase, class I conserved site"),
    ],
)  # fmt: skip
def test_a_site_says_whose_it_is(heading, kind, claim):
    told = site_claim(heading, kind)
    assert told is not None
    assert told.claim == claim


@pytest.mark.parametrize("heading", ["DUF1234, conserved site", "Uncharacterised protein, site"])
def test_a_site_of_an_unknown_function_says_nothing(heading):
    assert site_claim(heading, "conserved_site") is None
