"""The order of packs: Pfam and fitting families for all, the others for what is left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_families import FIBER, GYRASE, TERMINASE, made_up, write_build

from genint.errors import UnavailableError
from genint.sources.search_order import SearchOrder, search_in_order
from genint.steps import prepare_profiles, search

PROTEINS = (
    ("terL", TERMINASE.protein),
    ("gyrA", GYRASE.protein),
    ("both", TERMINASE.protein + GYRASE.protein),
    ("none", made_up(77)),
    ("fiber", FIBER.protein),
)


def found(order, proteins=PROTEINS, press=lambda database: database):
    hits = search_in_order(proteins, order, press)
    return {(hit.gene_id, hit.accession) for hit in hits if hit.accession.startswith("GF")}


def test_families_of_bacteria_are_asked_for_what_those_of_phages_left_open(family_build):
    assert found(SearchOrder.of(48_502, family_build)) == {
        ("terL", TERMINASE.id),
        ("gyrA", GYRASE.id),
        ("both", TERMINASE.id),
        ("fiber", FIBER.id),
    }


def test_in_a_genome_of_half_a_million_bases_families_of_bacteria_come_first(family_build):
    assert found(SearchOrder.of(500_000, family_build)) == {
        ("terL", TERMINASE.id),
        ("gyrA", GYRASE.id),
        ("both", GYRASE.id),
        ("fiber", FIBER.id),
    }


def test_the_last_pack_is_pressed_only_when_a_protein_needs_it(family_build):
    order, asked = SearchOrder.of(0, family_build), []

    def press(database):
        asked.append(database.file)
        return database

    found(order, PROTEINS[:1], press)
    assert asked == []
    found(order, PROTEINS[:2], press)
    assert asked == ["bacterial_families.bin"]


def test_evalues_refer_to_the_number_of_profiles_of_the_pack(family_build):
    order = SearchOrder.of(0, family_build)
    assert (order.fitting.profiles, order.other.profiles) == (2, 1)
    (hit,) = search_in_order(PROTEINS[:1], order, lambda database: database)
    more = replace(order, fitting=replace(order.fitting, profiles=20))
    (with_more,) = search_in_order(PROTEINS[:1], more, lambda database: database)
    assert with_more.evalue == pytest.approx(10 * hit.evalue)


def test_the_result_is_the_same_whatever_the_chunks_and_in_the_order_of_the_proteins(family_build):
    order = SearchOrder.of(0, family_build)
    whole = search_in_order(PROTEINS, order, lambda database: database)
    single = [search_in_order([one], order, lambda database: database) for one in PROTEINS]
    assert whole == tuple(hit for hits in single for hit in hits)
    assert [hit.gene_id for hit in whole] == ["terL", "gyrA", "both", "fiber"]


def test_an_empty_set_finds_what_pfam_finds(tmp_path):
    order = SearchOrder.of(0, write_build(tmp_path, ()))
    assert found(order) == set()


def test_pressed_and_rebuilt_profiles_find_the_same(tmp_path, family_build):
    kept = prepare_profiles(tmp_path / "cache", family_build)
    assert kept.order.fitting.pressed is not None
    not_kept = prepare_profiles(tmp_path / "cache", family_build)
    not_kept = replace(not_kept, order=SearchOrder.of(0, family_build))
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    assert search(PROTEINS, kept) == search(PROTEINS, replace(not_kept, cache_folder=blocked))


def test_a_folder_without_a_build_is_refused(tmp_path):
    with pytest.raises(UnavailableError, match="no build of families"):
        prepare_profiles(tmp_path, tmp_path / "nothing")
