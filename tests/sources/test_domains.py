"""Domain source: from profile hits to claims."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge import load_families, load_products
from genint.knowledge.named_domains import DomainNames
from genint.knowledge.own_families import load_own_families
from genint.model import (
    CalledBy,
    EvidenceSource,
    EvidenceType,
    Gene,
    Interval,
    Location,
    ProfileHit,
    Specificity,
    Strand,
)
from genint.sources.pfam import observe


@pytest.fixture(scope="module")
def families():
    return load_families()


def gene(id_="g", length_aa=300):
    return Gene(
        id=id_,
        contig="c",
        location=Location.simple(Interval(0, 3 * length_aa + 3), Strand.FORWARD),
        protein="M" * length_aa,
        translation_table=11,
        called_by=CalledBy.PYRODIGAL,
    )


def hit(accession, first, last, *, bits=100.0, profile=0.95, gene_id="g", length_aa=300, dense=1.0):
    return ProfileHit(
        gene_id=gene_id,
        accession=accession,
        evalue=1e-30,
        score_bits=bits,
        threshold_bits=25.0,
        protein_from=first,
        protein_to=last,
        protein_coverage=dense * (last - first + 1) / length_aa,
        profile_coverage=profile,
    )


def test_a_domain_is_evidence_that_it_is_contained(families):
    (item,) = observe([gene()], [hit("PF00589", 120, 290)], families).evidence
    assert item.claim == "contains a phage integrase family domain"
    assert item.subject == "phage integrase"
    assert (item.source, item.type) == (EvidenceSource.PFAM, EvidenceType.DOMAIN)
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, "pfam_domain")
    assert (item.database, item.accession, item.pfam) == ("Pfam 35.0", "PF00589", "PF00589")
    assert (item.origin, item.eco, item.cog) == ("pfam:PF00589", "ECO:0000256", "L")
    assert "GO:0015074" in {term.id for term in item.go}
    assert item.measured.target_coverage == 0.95
    assert (item.measured.protein_from, item.measured.protein_to) == (120, 290)
    assert item.label == (
        "PF00589 Phage_integrase: Phage integrase family "
        "(E 1.0e-30, 95% of the profile, 57% of the protein)"
    )


@pytest.mark.parametrize(("bits", "strength"), [(181.0, "pfam_family"), (179.0, "pfam_family_far")])
def test_a_family_that_covers_the_protein_names_it_by_how_near_it_is(families, bits, strength):
    (item,) = observe([gene()], [hit("PF00573", 10, 280, bits=bits)], families).evidence
    assert item.claim == "ribosomal protein L4/L1e"
    assert (item.specificity, item.strength) == (Specificity.FAMILY, strength)


@pytest.mark.parametrize(
    ("last", "profile", "strength"), [(150, 0.95, "pfam_domain"), (280, 0.5, "pfam_partial")]
)
def test_a_family_that_covers_less_is_only_a_part(families, last, profile, strength):
    (item,) = observe([gene()], [hit("PF00573", 10, last, profile=profile)], families).evidence
    assert item.claim == "contains a ribosomal protein L4/L1e domain"
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, strength)


def test_a_fragment_of_a_domain_gives_neither_go_terms_nor_a_cog_letter(families):
    (whole,) = observe([gene()], [hit("PF00589", 120, 290)], families).evidence
    (part,) = observe([gene()], [hit("PF00589", 120, 190, profile=0.4)], families).evidence
    assert whole.go
    assert whole.cog
    assert (part.go, part.cog) == ((), None)


SECE = 110
"""Residues of a protein with the domain of SecE, as most are."""


@pytest.fixture(scope="module")
def names() -> DomainNames:
    return DomainNames(load_own_families(), load_products())


def test_a_domain_that_only_proteins_of_one_name_have_names_one_of_their_length(families, names):
    sece = [hit("PF00584", 5, 60, length_aa=SECE)]
    (item,) = observe([gene(length_aa=SECE)], sece, families, names).evidence
    assert item.claim == item.subject == "preprotein translocase subunit SecE"
    assert (item.specificity, item.strength) == (Specificity.FAMILY, "pfam_named")
    assert item.product == "preprotein_translocase_subunit_sece"
    assert item.label.endswith("are called “preprotein translocase subunit SecE”")
    assert (item.pfam, item.origin) == ("PF00584", "pfam:PF00584")


@pytest.mark.parametrize(
    ("name", "specificity"),
    [("tail sheath protein", "domain"), ("protein translocase subunit SecE", "family")],
)
def test_it_names_no_protein_that_a_family_calls_something_else(families, names, name, specificity):
    sece, genes = [hit("PF00584", 5, 60, length_aa=SECE)], [gene(length_aa=SECE)]
    (domain,) = observe(genes, sece, families).evidence
    of_family = replace(domain, specificity=Specificity.PROTEIN, subject=name)
    (item,) = observe(genes, sece, families, names, [of_family]).evidence
    assert item.specificity.value == specificity


@pytest.mark.parametrize(
    ("length_aa", "last", "profile"),
    [(SECE * 3, 60, 0.95), (SECE, 20, 0.95), (SECE, 60, 0.6)],
)
def test_it_names_no_longer_protein_nor_by_a_small_part_or_a_fragment(
    families, names, length_aa, last, profile
):
    part = [hit("PF00584", 5, last, length_aa=length_aa, profile=profile)]
    (item,) = observe([gene(length_aa=length_aa)], part, families, names).evidence
    assert item.specificity is Specificity.DOMAIN
    assert item.strength in {"pfam_domain", "pfam_partial"}


def test_families_of_phages_name_a_phages_protein_by_a_domain_with_another_name(families, names):
    deaminase = [hit("PF00383", 5, 150, length_aa=183)]
    genes = [gene(length_aa=183)]
    (elsewhere,) = observe(genes, deaminase, families, names).evidence
    assert elsewhere.specificity is Specificity.DOMAIN
    (item,) = observe(genes, deaminase, families, names, phages={genes[0].contig}).evidence
    assert item.claim == item.subject == "dCMP deaminase"
    assert (item.specificity, item.strength) == (Specificity.FAMILY, "pfam_named")
    assert "named members of families of phages with this domain" in item.label


def test_a_domain_of_many_functions_names_none_of_them(families, names):
    (item,) = observe([gene()], [hit("PF00005", 30, 170)], families, names).evidence
    assert (item.specificity, item.strength) == (Specificity.DOMAIN, "pfam_domain")


def test_unknown_function_is_no_claim_but_is_told_apart(families):
    found = observe([gene()], [hit("PF01882", 10, 90)], families)
    assert found.evidence == ()
    (item,) = found.unknown_domains
    assert item.pfam == "PF01882"
    assert item.label.startswith("PF01882 DUF58: Protein of unknown function DUF58 (E 1.0e-30")


def test_a_superfamily_names_no_protein(families):
    """With GO terms of its own it says a category, without any it says nothing."""
    transporter = observe([gene()], [hit("PF07690", 10, 290)], families)
    assert [item.specificity for item in transporter.evidence] == [Specificity.CATEGORY]
    esterases = observe([gene()], [hit("PF03061", 10, 90)], families)
    assert esterases.evidence == ()
    assert [item.pfam for item in esterases.unknown_domains] == ["PF03061"]


def test_of_families_on_one_stretch_only_the_best_speaks(families):
    hits = [hit("PF13304", 40, 180, bits=50), hit("PF00005", 30, 170, bits=150)]
    assert [item.pfam for item in observe([gene()], hits, families).evidence] == ["PF00005"]


def test_domains_side_by_side_both_speak_best_first(families):
    hits = [hit("PF02899", 10, 90, bits=60), hit("PF00589", 85, 280, bits=150)]
    found = observe([gene()], hits, families).evidence
    assert [item.pfam for item in found] == ["PF00589", "PF02899"]


def test_scattered_repeats_leave_room_for_what_lies_between(families):
    hits = [hit("PF08238", 1, 290, bits=150, dense=0.3), hit("PF00589", 85, 250, bits=90)]
    found = observe([gene()], hits, families).evidence
    assert [item.pfam for item in found] == ["PF08238", "PF00589"]


def test_the_order_is_that_of_the_genes_whatever_that_of_the_hits(families):
    genes = [gene("b"), gene("a")]
    hits = [hit("PF00589", 9, 99, gene_id=name) for name in ("a", "b", "elsewhere")]
    for order in (hits, hits[::-1]):
        found = observe(genes, order, families).evidence
        assert [item.gene_id for item in found] == ["b", "a"]


def test_a_family_that_is_not_in_the_table_is_left_out(families):
    assert observe([gene()], [hit("PF99999", 10, 90)], families).evidence == ()


@pytest.fixture
def gntr(families, names):
    """What a short GntR domain says of a protein that a family calls something."""
    genes, hits = [gene(length_aa=240)], [hit("PF00392", 5, 68, length_aa=240)]
    (domain,) = observe(genes, hits, families).evidence

    def said(*products):
        of_families = [
            replace(domain, specificity=Specificity.PROTEIN, subject=one, product=one)
            for one in products
        ]
        (item,) = observe(genes, hits, families, names, of_families).evidence
        return item

    return said


def test_a_short_domain_tells_the_family_of_a_protein_that_is_a_regulator_or_has_no_name(gntr):
    for item in (gntr(), gntr("transcriptional_regulator")):
        assert item.claim == item.subject == "GntR family transcriptional regulator"
        assert (item.specificity, item.strength) == (Specificity.FAMILY, "pfam_named")
        assert item.label.endswith(
            "regulate transcription, and a family of them is called after it"
        )


def test_it_is_left_to_a_family_that_says_more_than_that_it_is_a_regulator(gntr):
    for named in ("transcriptional_regulator_cody", "thymidylate_synthase"):
        assert gntr("transcriptional_regulator", named).specificity is Specificity.DOMAIN
