"""Known overlaps of genes in phage modules."""

from __future__ import annotations

import pytest

from genint.genes import PATTERNS, pattern_of, pattern_term
from genint.knowledge import load_rescue
from genint.model import RescueKind, StartPlace

LIPOPROTEIN = "MRKLLIAALLLLALAGCTSTPPARTEVVTVEKPVYQRVPPELTAPCPLPEWP"


def test_a_lipoprotein_inside_a_spanin_is_an_outer_spanin() -> None:
    found = pattern_of(RescueKind.NESTED, LIPOPROTEIN, ["endopeptidase Rz"])
    assert found is not None
    assert found.key == "outer_spanin_in_inner_spanin"


@pytest.mark.parametrize(
    ("kind", "protein", "host"),
    [
        (RescueKind.NESTED, LIPOPROTEIN.replace("C", "S"), "endopeptidase Rz"),
        (RescueKind.NESTED, LIPOPROTEIN[:30], "endopeptidase Rz"),
        (RescueKind.NESTED, LIPOPROTEIN, "terminase large subunit"),
        (RescueKind.OVERLAPPING, LIPOPROTEIN, "endopeptidase Rz"),
        (RescueKind.INTERNAL_START, LIPOPROTEIN, "phage tail protein"),
    ],
)
def test_what_does_not_fit_adds_nothing(kind: RescueKind, protein: str, host: str) -> None:
    assert pattern_term(kind, protein, [host], load_rescue().patterns) is None


def test_every_pattern_has_its_addend_and_its_source() -> None:
    stated = load_rescue().patterns
    assert {one.key for one in PATTERNS} == set(stated)
    for one in PATTERNS:
        assert stated[one.key] > 0
        assert "doi:" in one.words or "Mol Microbiol" in one.words


def test_places_inside_a_gene_are_asked_for_where_a_pattern_names_one() -> None:
    scaffold = "M" + "K" * 200
    protease = ["head maturation protease"]
    kind = RescueKind.INTERNAL_START
    late = pattern_of(kind, scaffold, protease, place=StartPlace.LATE)
    assert late is not None
    assert late.key == "scaffold_in_head_protease"
    for place in (StartPlace.DUAL, StartPlace.ELSEWHERE):
        assert pattern_of(kind, scaffold, protease, place=place) is None
    assert pattern_of(kind, scaffold, ["holin"], place=StartPlace.LATE) is None
    dual = pattern_of(kind, scaffold, ["holin"], place=StartPlace.DUAL)
    assert dual is not None
    assert dual.key == "dual_start_of_holin"
