"""Families of genint's own: what the tables say of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from genint.errors import UnavailableError
from genint.knowledge import (
    FamilyPack,
    build_version,
    load_own_families,
    load_products,
    profile_pack,
    read_pack,
)
from genint.model import residues_digest
from tests.builders.made_families import FIBER, GYRASE, TERMINASE, made_up, write_build

CORRECTIONS = Path(__file__).parents[2] / "training" / "families" / "corrections.toml"


@pytest.fixture(scope="module")
def table(family_build):
    return load_own_families(family_build)


def test_a_family_has_what_its_row_says(table):
    family = table[TERMINASE.id]
    assert family.name == "terminase large subunit"
    assert family.product is not None
    assert family.product.id == "terminase_large_subunit"
    assert (family.members, family.named_members, family.records) == (18, 16, 12)
    assert (family.consensus, family.informative) == (0.93, 0.89)
    assert family.origins == (("swissprot", 2), ("submitter", 12), ("seed", 2))
    assert (family.cog, family.cog_purity, family.symbol) == ("X", 0.95, "terL")
    assert not family.vague


def test_go_terms_have_their_names(table):
    (term,) = table[TERMINASE.id].go
    assert term.name == "viral DNA genome packaging"


def test_what_a_row_leaves_out_is_none(table):
    family = table[GYRASE.id]
    assert (family.symbol, family.cog, family.cog_purity) == (None, None, 0.0)
    assert family.go == family.pfam == ()


def test_members_are_known_by_their_sequence_however_it_is_written(table):
    members = table.named_members_of(FIBER.id)
    assert len(members) == 14
    assert residues_digest(FIBER.protein) in members
    assert residues_digest(FIBER.protein.lower() + "*") in members
    assert residues_digest(made_up(9)) not in members
    assert table.named_members_of("GFFFFFFFFF") == frozenset()


def test_the_version_changes_with_a_name_or_a_profile(tmp_path, family_build):
    renamed = write_build(tmp_path / "a", (TERMINASE._replace(name="terminase"), FIBER, GYRASE))
    reshaped = write_build(tmp_path / "b", (TERMINASE._replace(protein=made_up(4)), FIBER, GYRASE))
    same = write_build(tmp_path / "c")
    versions = [build_version(folder) for folder in (renamed, reshaped, same)]
    assert build_version(family_build) == versions[2]
    assert len(set(versions)) == 3


def test_a_folder_without_a_build_says_so(tmp_path):
    with pytest.raises(UnavailableError, match="no build of families"):
        load_own_families(tmp_path)


def test_an_empty_set_is_a_set(tmp_path):
    folder = write_build(tmp_path, ())
    assert len(load_own_families(folder)) == 0
    assert list(profile_pack.decode(read_pack(FamilyPack.PHAGE, folder))) == []


def test_every_family_that_ships_has_its_profile_its_members_and_its_term():
    table = load_own_families()
    terms = load_products().products
    corrections = tomllib.loads(CORRECTIONS.read_text(encoding="utf-8"))
    renamed = {entry["id"] for entry in corrections["family"] if "name" in entry}
    for kind in FamilyPack:
        in_pack = {profile.name: profile for profile in profile_pack.decode(read_pack(kind))}
        rows = {family.id: family for family in table.families.values() if family.pack is kind}
        assert in_pack.keys() == rows.keys()
        for id_, profile in in_pack.items():
            family = rows[id_]
            assert family.length_aa == profile.M
            assert profile.cutoffs.gathering1 == pytest.approx(family.threshold_bits, abs=0.06)
            assert profile.accession == id_
    for family in table.families.values():
        assert family.name
        assert family.members >= 2
        assert family.records >= 2
        # In families of phages half of the names are enough for a term.
        half_is_enough = family.pack is FamilyPack.PHAGE and family.product is not None
        assert (0.5 if half_is_enough else 0.6) <= family.consensus <= 1.0
        assert family.product is None or family.product.id in terms
        # A family that people renamed (training/families/corrections.toml) may have no member
        # that was called so before.
        assert table.named_members_of(family.id) or family.id in renamed
