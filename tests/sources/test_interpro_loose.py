"""Signatures of InterPro's collections that belong to no entry: what they are called."""

from __future__ import annotations

import pytest

from genint.model import Specificity
from tests.sources.interpro_matches import loose


@pytest.mark.parametrize(
    ("library", "accession", "description", "claim"),
    [
        ("ncbifam", "NF001379", "adenylate kinase", "adenylate kinase"),
        ("hamap", "MF_00373", "Ribosomal protein bL28 [rpmB]", "ribosomal protein bL28"),
        ("pirsf", "PIRSF000032", "Cytochrome b6", "cytochrome b6"),
        ("panther", "PTHR43302", "TRANSPORTER ARSB-RELATED", "transporter ArsB family protein"),
        ("panther", "PTHR11206", "MULTIDRUG RESISTANCE PROTEIN",
         "multidrug resistance family protein"),
        ("panther", "PTHR45866", "DNA GYRASE/TOPOISOMERASE SUBUNIT B",
         "DNA gyrase/topoisomerase subunit B family protein"),
        ("panther", "PTHR11941", "ENOYL-COA HYDRATASE-RELATED",
         "enoyl-CoA hydratase family protein"),
        ("panther", "PTHR43436", "ARAC-FAMILY TRANSCRIPTIONAL REGULATOR",
         "AraC-family transcriptional regulator family protein"),
    ],
)  # fmt: skip
def test_a_family_of_no_entry_names_with_less_weight(seen, library, accession, description, claim):
    (item,) = seen(loose(accession, library, 1, 290, description, "family")).evidence
    assert (item.claim, item.strength) == (claim, "interpro_loose_family")
    assert item.specificity is Specificity.FAMILY
    assert (item.accession, item.origin) == (accession, f"{library}:{accession}")


@pytest.mark.parametrize(
    "description",
    [
        "PROTEIN CBG27172",
        "OS08G0208400 PROTEIN",
        "TRANSPOSASE RV3428C-RELATED",
        "EXPORTED PROTEIN-RELATED",
        "UPF0603 PROTEIN YGCG",
        "DUF445 DOMAIN-CONTAINING PROTEIN-RELATED",
        "CHROMOSOME 16, WHOLE GENOME SHOTGUN SEQUENCE",
        "FELS-2 PROPHAGE PROTEIN",
        "MAJOR FACILITATOR SUPERFAMILY",
        "",
    ],
)
def test_names_of_panther_that_say_nothing_are_no_claim(seen, description):
    assert seen(loose("PTHR1", "panther", 1, 290, description, "family")).evidence == ()


@pytest.mark.parametrize(
    ("library", "accession", "description", "claim"),
    [
        ("cdd", "cd01065", "NAD(P) binding domain of Shikimate dehydrogenase",
         "contains an NAD(P) binding domain of Shikimate dehydrogenase"),
        ("cdd", "cd00293", "universal stress protein (USP) and similar proteins",
         "contains a universal stress protein (USP) domain"),
        ("cdd", "cd03216", "First domain of the ATP-binding cassette component of a transporter",
         "contains a domain of the ATP-binding cassette component of a transporter"),
        ("prositeprofiles", "PS50216", "DHHC domain profile", "contains a DHHC domain"),
        ("smart", "SM01134", "DeoR C terminal sensor domain",
         "contains a DeoR C terminal sensor domain"),
    ],
)  # fmt: skip
def test_a_domain_of_no_entry_is_contained_with_less_weight(
    seen, library, accession, description, claim
):
    (item,) = seen(loose(accession, library, 1, 100, description, "domain")).evidence
    assert (item.claim, item.strength) == (claim, "interpro_loose_domain")


@pytest.mark.parametrize(
    ("library", "accession", "description", "kind"),
    [
        ("cdd", "cd00347", "", "domain"),
        ("prints", "PR00173", "", "family"),
        ("sfld", "SFLDS00003", "Haloacid Dehalogenase", "family"),
        ("sfld", "SFLDG01129", "C1.5: HAD, Beta-PGM, Phosphatase Like", "family"),
        ("prositepatterns", "PS01138", "Scorpion short toxins signature", "conserved_site"),
        ("prositeprofiles", "PS51257", "Membrane lipoprotein lipid attachment site profile",
         "domain"),
        ("ncbifam", "NF010215", "hypothetical protein", "family"),
        ("newlib", "N1", "Something new", "region"),
    ],
)  # fmt: skip
def test_what_has_no_telling_name_is_no_claim(seen, library, accession, description, kind):
    found = seen(loose(accession, library, 1, 290, description, kind))
    assert found.evidence == ()
    assert len(found.unknown_domains) == 1
