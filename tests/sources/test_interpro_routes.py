"""InterPro beside the local search, its GO terms, and what came through UniParc."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.model import EvidenceSource, ProfileHit, Specificity
from genint.sources.pfam import observe as observe_domains
from tests.sources.interpro_matches import PROTEIN_AA, claims, entry, gene, go_term, matched


def local_of(pfam, accession, first, last, model=0.95):
    hit = ProfileHit(
        "g", accession, 1e-30, 200.0, 25.0, first, last, (last - first + 1) / PROTEIN_AA, model
    )
    return observe_domains([gene()], [hit], pfam).evidence


@pytest.mark.parametrize(
    ("accession", "kind", "first", "last", "model"),
    [
        ("PF00589", "domain", 120, 290, 0.95),
        ("PF00573", "family", 10, 280, 0.95),
        ("PF00573", "family", 10, 150, 0.95),
        ("PF00573", "family", 10, 280, 0.5),
    ],
)
def test_a_pfam_family_says_what_the_local_search_says(
    seen, pfam, accession, kind, first, last, model
):
    known = pfam[accession]
    of = entry(known.interpro.accession, "E", "Some other wording", kind)
    (item,) = seen(
        matched(accession, "pfam", first, last, of, model=model, score=200.0, evalue=1e-30)
    ).evidence
    (local,) = local_of(pfam, accession, first, last, model)
    same = ("claim", "subject", "specificity", "strength", "origin", "pfam", "cog", "type", "eco")
    for name in same:
        assert getattr(item, name) == getattr(local, name)
    assert item.measured.protein_coverage == pytest.approx(local.measured.protein_coverage)
    assert item.measured.target_coverage == pytest.approx(local.measured.target_coverage)
    assert (item.source, item.accession) == (EvidenceSource.INTERPRO, of.accession)


def test_an_unknown_pfam_family_is_named_by_what_interpro_says(seen):
    family = entry("IPR099999", "NewFam", "Anti-phage defence protein NewF", "family")
    (item,) = seen(
        matched("PF99999", "pfam", 1, 280, family, description="NewF protein", score=300.0)
    ).evidence
    assert item.claim == "anti-phage defence protein NewF"
    assert (item.strength, item.origin) == ("pfam_family", "pfam:PF99999")


def test_another_library_says_more_than_a_fragment_of_a_pfam_family(seen):
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(
        matched("PF99998", "pfam", 1, 90, family, model=0.3),
        matched("MF_1", "hamap", 1, 290, family),
    ).evidence
    assert (item.claim, item.strength) == ("catalase", "interpro_family")
    assert (item.origin, item.pfam) == ("pfam:PF99998", "PF99998")


def test_an_entry_whose_pfam_family_the_local_search_found_has_that_origin(seen, pfam):
    known = pfam["PF00589"]
    domain = entry(known.interpro.accession, "Int", "Integrase, catalytic domain", "domain")
    found = matched("PS51898", "prositeprofiles", 115, 292, domain)
    (alone,) = seen(found).evidence
    assert alone.origin == f"interpro:{domain.accession}"
    (item,) = seen(found, local=local_of(pfam, "PF00589", 120, 290)).evidence
    assert (item.origin, item.pfam) == ("pfam:PF00589", None)


def test_complete_families_and_domains_have_the_terms_of_their_entry_once(seen):
    go = {"IPR018028": (go_term(1), go_term(2), go_term(1))}
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(matched("TIGR1", "ncbifam", 1, 290, family), go=go).evidence
    assert item.go == (go_term(1), go_term(2))
    (item,) = seen(matched("TIGR1", "ncbifam", 1, 290, family, model=0.5), go=go).evidence
    assert item.go == ()


@pytest.mark.parametrize("kind", ["repeat", "active_site"])
def test_repeats_and_sites_have_no_terms(seen, kind):
    some = entry("IPR018028", "Catalase", "Catalase active site", kind)
    (item,) = seen(matched("PS1", "smart", 1, 20, some), go={"IPR018028": (go_term(1),)}).evidence
    assert item.go == ()


def test_terms_of_the_families_above_hold_for_those_below(seen):
    wide = entry("IPR000001", "K", "Sugar kinase", "family", parent="IPR000003")
    narrow = entry("IPR000002", "G", "Glucokinase", "family", parent="IPR000001")
    go = {"IPR000001": (go_term(1),), "IPR000002": (go_term(2),), "IPR000003": (go_term(3),)}
    (item,) = seen(
        matched("TIGR01", "ncbifam", 1, 290, wide),
        matched("PTHR01", "panther", 1, 290, narrow),
        go=go,
    ).evidence
    assert item.go == (go_term(2), go_term(1))


def test_entries_that_are_above_each_other_end_the_search_for_terms(seen):
    one = entry("IPR000001", "K", "Sugar kinase", "family", parent="IPR000002")
    other = entry("IPR000002", "G", "Glucokinase", "family", parent="IPR000001")
    found = seen(
        matched("TIGR01", "ncbifam", 1, 290, one),
        matched("TIGR02", "ncbifam", 1, 290, other),
        go={"IPR000001": (go_term(1),), "IPR000002": (go_term(2),)},
    )
    assert {term.id for term in found.evidence[0].go} == {"GO:0000001", "GO:0000002"}


def test_what_came_through_uniparc_claims_a_part_at_most(seen):
    def bare(accession, library, name, entry_accession="IPR018028"):
        of = entry(entry_accession, name, name, "")
        return matched(accession, library, 1, 290, of, model=None, evalue=None, score=None)

    found = seen(
        bare("PTHR11465", "panther", "Catalase"),
        bare("G3DSA:1", "cathgene3d", "Catalase fold", "IPR000007"),
        bare("PF00589", "pfam", "Integrase, catalytic domain", "IPR002104"),
        go={"IPR018028": (go_term(1),)},
        through_uniparc=True,
        release=None,
    )
    assert claims(found) == ["contains a phage integrase family domain"]
    (item,) = found.evidence
    assert (item.strength, item.specificity) == ("interpro_unscored", Specificity.DOMAIN)
    assert (item.origin, item.database) == ("pfam:PF00589", "InterPro through UniParc")
    assert item.go == ()
    assert found.unknown_domains == ()


def test_an_entry_whose_type_is_not_told_is_a_part_at_most(seen):
    family = entry("IPR018028", "Catalase", "Catalase", "")
    (item,) = seen(matched("TIGR1", "ncbifam", 1, 290, family)).evidence
    assert (item.strength, item.claim) == ("interpro_unscored", "contains a catalase domain")


def test_a_match_without_places_is_a_part_at_most(seen):
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(replace(matched("TIGR1", "ncbifam", 1, 290, family), places=())).evidence
    assert (item.strength, item.specificity) == ("interpro_unscored", Specificity.DOMAIN)
    assert item.measured.protein_from is None


def test_places_behind_the_end_of_the_protein_are_none(seen):
    family = entry("IPR018028", "Catalase", "Catalase", "family")
    (item,) = seen(matched("TIGR1", "ncbifam", 400, 900, family)).evidence
    assert item.measured.protein_from is None
    (item,) = seen(matched("TIGR1", "ncbifam", 1, 900, family)).evidence
    assert item.measured.protein_coverage == 1.0


def test_an_entry_of_two_pfam_families_counts_once_with_the_one_that_was_found_here(seen, pfam):
    both = entry("IPR099998", "Two", "Made-up integrase", "domain")
    matches = [
        matched("PF99997", "pfam", 118, 292, both, score=500.0, evalue=1e-90),
        matched("PF00589", "pfam", 120, 290, both, score=200.0, evalue=1e-30),
    ]
    alone = {item.origin for item in seen(*matches).evidence}
    beside = {
        item.origin for item in seen(*matches, local=local_of(pfam, "PF00589", 120, 290)).evidence
    }
    assert alone == {"pfam:PF99997"}
    assert beside == {"pfam:PF00589"}
