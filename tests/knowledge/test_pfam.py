"""The table of families and the COG letters learned for them."""

from __future__ import annotations

import pytest

from genint.knowledge import profile_pack, table_files
from genint.knowledge.catalogue import load_knowledge
from genint.knowledge.pfam import (
    CogCall,
    EntryType,
    is_reliable,
    load_cog_calls,
    load_counts,
    load_families,
)
from genint.model.evidence import GoTerm
from genint.model.vocabulary import COG_NAMES, GoAspect


@pytest.fixture(scope="module")
def families():
    return load_families()


def test_a_family_brings_its_interpro_entry_go_terms_and_cog(families):
    integrase = families["PF00589"]
    assert integrase.name == "Phage_integrase"
    assert integrase.interpro is not None
    assert (integrase.interpro.accession, integrase.interpro.type) == (
        "IPR002104",
        EntryType.DOMAIN,
    )
    assert GoTerm("GO:0015074", "DNA integration", GoAspect.PROCESS) in integrase.go
    assert integrase.cog is not None
    assert integrase.cog.letter == "L"
    assert not integrase.covers_protein


def test_the_table_lists_exactly_the_profiles_of_the_pack(families):
    profiles = tuple(profile_pack.decode(table_files.read_shipped(table_files.PFAM_PACK)))
    assert len(families) == len(profiles)
    for profile in profiles:
        accession, _, version = profile.accession.partition(".")
        family = families[accession]
        assert (family.version, family.name) == (int(version), profile.name)
        assert family.length_aa == profile.M
        assert family.gathering_bits == pytest.approx(profile.cutoffs.gathering1, abs=0.005)
        assert family.description == profile.description


def test_families_are_found_by_their_short_name_too(families):
    assert families.by_name["Phage_integrase"] is families["PF00589"]


def test_every_go_id_has_a_name(families):
    terms = {term for family in families.families.values() for term in family.go}
    assert all(term.id.startswith("GO:") and term.name for term in terms)
    assert len({term.id for term in terms}) == len(terms) > 600


def test_cog_letters_are_of_the_vocabulary_and_never_function_unknown():
    calls = load_cog_calls()
    assert {call.letter for call in calls.values()} <= set(COG_NAMES) - {"S"}
    assert all(call.purity >= 0.8 and call.proteins >= 2 for call in calls.values())


def test_counts_that_are_impure_or_lone_give_no_letter():
    assert not is_reliable(CogCall("L", 0.79, 100))
    assert not is_reliable(CogCall("L", 1.0, 1))
    assert not is_reliable(CogCall("S", 1.0, 50))
    assert is_reliable(CogCall("L", 0.8, 5))


def test_a_family_of_many_functions_was_counted_but_has_no_letter(families):
    assert load_counts()["PF00005"].proteins > 100
    assert families["PF00005"].cog is None


def test_knowledge_bundles_the_families():
    assert "PF00589" in load_knowledge().families
    assert "PF99999" not in load_knowledge().families
