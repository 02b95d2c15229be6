"""InterPro as a source: which families name a protein, and which parts it contains."""

from __future__ import annotations

import pytest

from genint.model import EvidenceSource, EvidenceType, Specificity
from tests.sources.interpro_matches import PROTEIN_AA, claims, entry, loose, matched


def test_a_family_that_covers_the_protein_names_it(seen):
    family = entry("IPR005823", "Ribosomal_uL13_bact", "Ribosomal protein uL13, bacteria", "family")
    (item,) = seen(matched("TIGR01066", "ncbifam", 5, 290, family)).evidence
    assert item.claim == "ribosomal protein uL13, bacteria"
    assert (item.specificity, item.strength) == (Specificity.FAMILY, "interpro_family")
    assert (item.source, item.type) == (EvidenceSource.INTERPRO, EvidenceType.DOMAIN)
    assert (item.database, item.accession) == ("InterPro 109.0", "IPR005823")
    assert (item.origin, item.pfam, item.eco) == ("interpro:IPR005823", None, "ECO:0000256")
    assert item.aliases == ("Ribosomal uL13 bact",)
    assert item.label == (
        "IPR005823 Ribosomal_uL13_bact: Ribosomal protein uL13, bacteria "
        "(NCBIFAM TIGR01066; E 1.0e-50, 95% of the model, 95% of the protein)"
    )
    assert item.measured.evalue == 1e-50
    assert (item.measured.protein_from, item.measured.protein_to) == (5, 290)
    assert item.measured.protein_coverage == pytest.approx(286 / PROTEIN_AA)
    assert item.measured.target_coverage == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("last", "model", "strength", "claim"),
    [
        (180, 0.7, "interpro_family", "catalase"),
        (179, 0.7, "interpro_domain", "contains a catalase domain"),
        (300, 0.69, "interpro_loose_domain", "contains a catalase domain"),
        (300, None, "interpro_family", "catalase"),
    ],
)
def test_a_family_names_by_how_much_of_protein_and_model_it_covers(
    seen, last, model, strength, claim
):
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(matched("PTHR11465", "panther", 1, last, family, model=model)).evidence
    assert (item.claim, item.strength) == (claim, strength)


def test_no_signature_claims_an_exact_protein(seen):
    family = entry("IPR023025", "SstT", "Serine/threonine transporter SstT", "family")
    for library in ("hamap", "ncbifam", "pirsf", "panther"):
        (item,) = seen(matched("S1", library, 1, 300, family)).evidence
        assert item.specificity is Specificity.FAMILY


def test_a_fingerprint_alone_names_nothing(seen):
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(matched("PR00067", "prints", 1, 300, family, model=None)).evidence
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, "interpro_loose_domain")


def test_signatures_of_one_entry_are_one_observation(seen):
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(
        matched("PTHR11465", "panther", 1, 290, family),
        matched("TIGR01", "ncbifam", 1, 290, family),
        matched("cd08157", "cdd", 1, 290, family),
    ).evidence
    assert "(NCBIFAM TIGR01, CDD cd08157, PANTHER PTHR11465; " in item.label


def test_of_a_family_and_one_above_it_the_narrower_one_names(seen):
    wide = entry("IPR000001", "Kinase", "Sugar kinase", "family")
    narrow = entry("IPR000002", "Glk", "Glucokinase", "family", parent="IPR000001")
    found = seen(
        matched("TIGR01", "ncbifam", 1, 290, wide, evalue=0.0),
        matched("PTHR01", "panther", 1, 290, narrow),
    )
    assert claims(found) == ["glucokinase"]


def test_of_families_of_one_stretch_that_made_for_naming_is_told(seen):
    wide = entry("IPR050001", "Sugar_Kinase", "Sugar Kinase and Related Proteins", "family")
    own = entry("IPR023001", "Glk", "Glucokinase", "family")
    found = seen(
        matched("PTHR01", "panther", 1, 300, wide, evalue=0.0),
        matched("MF_00524", "hamap", 5, 280, own, evalue=None),
    )
    assert claims(found) == ["glucokinase"]


def test_two_halves_of_a_protein_have_two_families(seen):
    one = entry("IPR000001", "A", "Glucokinase", "family")
    other = entry("IPR000002", "B", "Catalase", "family")
    found = seen(
        matched("TIGR01", "ncbifam", 1, 190, one), matched("TIGR02", "ncbifam", 110, 300, other)
    )
    assert set(claims(found)) == {"catalase", "glucokinase"}


def test_titles_lose_the_capitals_of_titles(seen):
    family = entry("IPR050638", "AA", "Amino Acid and Vitamin Transporters", "family")
    assert claims(seen(matched("PTHR1", "panther", 1, 290, family))) == [
        "amino acid and vitamin transporter"
    ]


def test_a_domain_is_contained(seen):
    domain = entry("IPR001387", "Cro/C1-type_HTH", "Cro/C1-type, helix-turn-helix domain", "domain")
    (item,) = seen(matched("cd00093", "cdd", 1, 290, domain, model=None)).evidence
    assert item.claim == "contains a Cro/C1-type, helix-turn-helix domain"
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, "interpro_domain")


def test_a_repeat_is_contained(seen):
    repeat = entry("IPR002110", "Ankyrin_rpt", "Ankyrin repeat", "repeat")
    (item,) = seen(matched("SM00248", "smart", 10, 40, repeat)).evidence
    assert item.claim == "contains an ankyrin repeat"
    assert item.specificity is Specificity.DOMAIN


@pytest.mark.parametrize(
    ("kind", "heading", "claim", "subject"),
    [
        ("active_site", "Catalase active site", "contains the catalase active site", "catalase"),
        (
            "binding_site",
            "Aminotransferases, class-I, pyridoxal-phosphate-binding site",
            "contains the aminotransferase, class-I pyridoxal-phosphate-binding site",
            "aminotransferase, class-I",
        ),
        (
            "conserved_site",
            "TonB-dependent receptor, conserved site",
            "contains the TonB-dependent receptor conserved site",
            "TonB-dependent receptor",
        ),
        (
            "ptm",
            "P-type ATPase, phosphorylation site",
            "contains the P-type ATPase phosphorylation site",
            "P-type ATPase",
        ),
        (
            "binding_site",
            "PPM-type phosphatase, divalent cation binding",
            "contains the PPM-type phosphatase divalent cation binding site",
            "PPM-type phosphatase",
        ),
    ],
)
def test_a_site_is_contained(seen, kind, heading, claim, subject):
    site = entry("IPR024708", "Some_AS", heading, kind)
    (item,) = seen(matched("PS00438", "prositepatterns", 60, 76, site, evalue=None)).evidence
    assert (item.claim, item.subject) == (claim, subject)
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, "interpro_site")


def test_parts_of_one_stretch_are_told_once_and_integrated_ones_first(seen):
    domain = entry("IPR001387", "HTH", "Cro/C1-type, helix-turn-helix domain", "domain")
    found = seen(
        loose("cd00093", "cdd", 10, 60, "helix-turn-helix DNA binding domain of XRE", "domain"),
        matched("PS50943", "prositeprofiles", 12, 66, domain),
    )
    assert claims(found) == ["contains a Cro/C1-type, helix-turn-helix domain"]


def test_a_family_and_its_domains_are_both_told_names_first(seen):
    family = entry("IPR011010", "Rec", "Tyrosine recombinase XerC", "family")
    domain = entry("IPR010998", "Int_N", "Integrase, SAM-like, N-terminal", "domain")
    site = entry("IPR000001", "S", "Catalase active site", "active_site")
    found = seen(
        matched("PS1", "prositepatterns", 60, 76, site),
        matched("cd1", "cdd", 1, 90, domain),
        matched("MF_01808", "hamap", 1, 298, family),
    )
    assert claims(found) == [
        "tyrosine recombinase XerC",
        "contains an integrase, SAM-like N-terminal domain",
        "contains the catalase active site",
    ]
