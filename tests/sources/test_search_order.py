"""The order of packs: fitting families for all, the others for what is left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.errors import UnavailableError
from genint.knowledge import FamilyPack
from genint.model import GenomeKind
from genint.sources import FamilyOrder, search_families
from tests.builders.made_families import FIBER, GYRASE, TERMINASE, MadeFamily, made_up, write_build

PROTEINS = (
    ("terL", TERMINASE.protein),
    ("gyrA", GYRASE.protein),
    ("both", TERMINASE.protein + GYRASE.protein),
    ("none", made_up(77)),
    ("fiber", FIBER.protein),
)


def found(order, proteins=PROTEINS):
    hits = search_families(proteins, order)
    return {(hit.gene_id, hit.accession) for hit in hits}


def test_families_of_bacteria_are_asked_for_what_those_of_phages_left_open(family_build):
    assert found(FamilyOrder.of(GenomeKind.PHAGE, family_build)) == {
        ("terL", TERMINASE.id),
        ("gyrA", GYRASE.id),
        ("both", TERMINASE.id),
        ("both", GYRASE.id),  # a fusion: half of it is open
        ("fiber", FIBER.id),
    }


def test_in_a_bacterium_families_of_bacteria_come_first(family_build):
    assert found(FamilyOrder.of(GenomeKind.BACTERIUM, family_build)) == {
        ("terL", TERMINASE.id),
        ("gyrA", GYRASE.id),
        ("both", GYRASE.id),
        ("both", TERMINASE.id),
        ("fiber", FIBER.id),
    }


def test_a_hit_just_above_its_threshold_leaves_the_other_pack_to_be_asked(tmp_path):
    gyrase = GYRASE._replace(pack=FamilyPack.PHAGE)
    relative = "".join("A" if at % 4 == 3 else one for at, one in enumerate(GYRASE.protein))
    topoisomerase = MadeFamily(
        "GF0000000D", FamilyPack.BACTERIA, "topoisomerase IV", "topoisomerase_iv", relative
    )
    proteins = [("gyrA", GYRASE.protein)]

    def searched(folder, threshold_bits):
        made = topoisomerase._replace(threshold_bits=threshold_bits)
        order = FamilyOrder.of(GenomeKind.BACTERIUM, write_build(folder, (gyrase, made)))
        return search_families(proteins, order)

    (clear,) = searched(tmp_path / "clear", 25.0)
    assert clear.accession == topoisomerase.id
    near = searched(tmp_path / "near", clear.score_bits - 2)
    assert [hit.accession for hit in near] == [gyrase.id, topoisomerase.id]


def test_a_far_relative_leaves_the_other_pack_to_be_asked_however_clear_it_is(tmp_path):
    """CysK of E. coli was named after SbnA, far above the threshold of that small family."""
    gyrase = GYRASE._replace(pack=FamilyPack.PHAGE)
    far = "".join(one if at % 5 < 2 else "A" for at, one in enumerate(GYRASE.protein))
    relative = MadeFamily("GF0000000D", FamilyPack.BACTERIA, "far", "far", far)
    order = FamilyOrder.of(GenomeKind.BACTERIUM, write_build(tmp_path, (gyrase, relative)))
    hits = search_families([("gyrA", GYRASE.protein)], order)
    assert [hit.accession for hit in hits] == [gyrase.id, relative.id]
    assert all(hit.is_clear for hit in hits)


def test_beside_the_family_of_the_whole_protein_one_of_less_than_half_its_score_is_no_hit(tmp_path):
    far = "".join(one if at % 5 < 2 else "A" for at, one in enumerate(GYRASE.protein))
    near = "".join("A" if at % 10 == 9 else one for at, one in enumerate(GYRASE.protein))
    families = (
        MadeFamily("GF0000000D", GYRASE.pack, "far", "far", far),
        MadeFamily("GF0000000E", GYRASE.pack, "near", "near", near),
    )
    order = FamilyOrder.of(GenomeKind.BACTERIUM, write_build(tmp_path, (GYRASE, *families)))
    proteins = [("alone", GYRASE.protein), ("fused", GYRASE.protein + made_up(9, 60))]
    hits = search_families(proteins, order)
    best, *others = [hit for hit in hits if hit.gene_id == "fused"]
    assert [hit.accession for hit in (best, *others)] == [GYRASE.id, "GF0000000E", "GF0000000D"]
    assert others[1].score_bits < 0.5 * best.score_bits < others[0].score_bits
    assert [hit.accession for hit in hits if hit.gene_id == "alone"] == [GYRASE.id, "GF0000000E"]
    every = replace(order.fitting, is_prefiltered=False)
    assert set(search_families(proteins, replace(order, fitting=every))) == set(hits)


def test_evalues_refer_to_the_number_of_profiles_of_the_pack(family_build):
    order = FamilyOrder.of(GenomeKind.PHAGE, family_build)
    assert (order.fitting.profiles, order.other.profiles) == (2, 1)
    (hit,) = search_families(PROTEINS[:1], order)
    more = replace(order, fitting=replace(order.fitting, profiles=20))
    (with_more,) = search_families(PROTEINS[:1], more)
    assert with_more.evalue == pytest.approx(10 * hit.evalue)


def test_the_result_is_the_same_whatever_the_chunks_and_in_the_order_of_the_proteins(family_build):
    order = FamilyOrder.of(GenomeKind.PHAGE, family_build)
    whole = search_families(PROTEINS, order)
    single = [search_families([one], order) for one in PROTEINS]
    assert whole == tuple(hit for hits in single for hit in hits)
    assert [hit.gene_id for hit in whole] == ["terL", "gyrA", "both", "both", "fiber"]


def test_an_empty_set_finds_nothing(tmp_path):
    assert found(FamilyOrder.of(GenomeKind.PHAGE, write_build(tmp_path, ()))) == set()


def test_a_folder_without_a_build_is_refused(tmp_path):
    with pytest.raises(UnavailableError, match="no build of families"):
        FamilyOrder.of(GenomeKind.PHAGE, tmp_path / "nothing")
