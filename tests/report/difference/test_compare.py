"""Which genes are the same gene, and what of them differs: sides made by hand."""

from __future__ import annotations

import pytest

from genint.knowledge import load_products
from genint.model import ConfidenceLevel, NameBasis
from genint.report.difference.compare import ChangeKind, compare_sides, name_change
from genint.report.difference.sides import Observation, Side, SideGene, SideRecord

K = ChangeKind
VOCABULARY = load_products()
DOMAIN = Observation("pfam", "PF1", "contains a portal domain")


def gene(start=100, end=399, strand="+", name="portal protein", **changes) -> SideGene:
    values = {
        "id": f"g{start}",
        "locus": f"X:{start}-{end}({strand})",
        "record": "X",
        "start": start,
        "end": end,
        "strand": strand,
        "length_aa": 99,
        "name": name,
        "level": ConfidenceLevel.MODERATE,
        "score": 0.79,
        "basis": NameBasis.EVIDENCE,
        "observations": (DOMAIN,),
    }
    return SideGene(**(values | changes))


RECORDS = (SideRecord("X", 5_000, "digest"),)


def side(*genes, records=RECORDS, is_result=True, settings=()) -> Side:
    return Side("x.json", "genint 1", settings, records, genes, is_result)


def kinds(a, b, **changes):
    found = compare_sides(side(*a), side(*b, **changes), VOCABULARY)
    return [change.kinds for change in found.changes]


def test_the_same_genes_have_no_difference():
    found = compare_sides(side(gene(), gene(500, 800)), side(gene(), gene(500, 800)), VOCABULARY)
    assert (found.changes, found.matched, found.unchanged) == ((), 2, 2)


@pytest.mark.parametrize(("strand", "moved"), [("+", {"start": 160}), ("-", {"end": 339})])
def test_a_gene_keeps_its_identity_when_its_start_moves(strand, moved):
    assert kinds([gene(strand=strand)], [gene(strand=strand, **moved)]) == [(K.START,)]


@pytest.mark.parametrize("other", [{"end": 402}, {"strand": "-"}, {"record": "Y"}])
def test_another_stop_strand_or_record_is_another_gene(other):
    records = (SideRecord("X", 5_000, "digest"), SideRecord("Y", 5_000, "digest 2"))
    a, b = side(gene(), records=records), side(gene(**other), records=records)
    found = compare_sides(a, b, VOCABULARY)
    assert [change.kinds for change in found.changes] == [(K.ONLY_A,), (K.ONLY_B,)]


def test_a_gene_over_the_origin_is_matched_by_its_stop():
    assert kinds([gene(4_900, 199)], [gene(4_960, 199)]) == [(K.START,)]


def test_of_two_genes_with_one_stop_each_meets_the_one_with_its_start():
    long, short = gene(100, name="holin"), gene(160, name="antiholin")
    assert kinds([long, short], [short, long]) == []


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("portal protein", "portal protein", None),
        ("Portal protein", "portal protein", None),
        (None, None, None),
        (None, "holin", K.NAMED),
        ("holin", None, K.UNNAMED),
        ("major head protein", "major capsid protein", K.REWORDED),
        ("tail fiber protein", "tail protein", K.LESS_SPECIFIC),
        ("tail protein", "tail fiber protein", K.MORE_SPECIFIC),
        ("holin", "antiholin", K.RENAMED),
        ("portal protein", "DNA polymerase", K.RENAMED),
    ],
)
def test_names_are_told_apart_by_what_they_say(before, after, change):
    assert name_change(before, after, VOCABULARY) is change


def test_levels_move_up_and_down_and_dark_is_the_lowest():
    dark = {"name": None, "level": ConfidenceLevel.NONE, "score": 0.0, "basis": None}
    high = {"level": ConfidenceLevel.HIGH, "score": 0.98}
    assert kinds([gene()], [gene(**high)]) == [(K.LEVEL_UP,)]
    assert kinds([gene()], [gene(**dark)]) == [(K.UNNAMED, K.LEVEL_DOWN)]
    assert kinds([gene(**dark)], [gene()]) == [(K.NAMED, K.LEVEL_UP)]


def test_a_score_that_moves_within_its_level_is_counted_and_no_change():
    found = compare_sides(side(gene(score=0.70)), side(gene(score=0.75)), VOCABULARY)
    assert (found.changes, found.scores) == ((), 1)


def test_the_evidence_that_changed_is_told():
    family = Observation("genint_family", "GF1", "portal protein")
    now = Observation("pfam", "PF1", "contains a head domain")
    a, b = gene(), gene(level=ConfidenceLevel.HIGH, observations=(family, now))
    (change,) = compare_sides(side(a), side(b), VOCABULARY).changes
    assert change.gained == (family,)
    assert change.lost == ()
    assert change.restated == ((DOMAIN, now),)


def test_against_a_file_only_genes_starts_and_names_are_compared():
    of_file = gene(level=None, score=None, basis=None, observations=())
    found = compare_sides(side(gene()), side(of_file, is_result=False), VOCABULARY)
    assert found.changes == ()
    assert found.settings == ((), ())


def test_records_are_one_by_their_bases_whatever_they_are_called():
    renamed = (SideRecord("contig_1", 5_000, "digest"),)
    a, b = side(gene()), side(gene(record="contig_1"), records=renamed)
    assert compare_sides(a, b, VOCABULARY).matched == 1


@pytest.mark.parametrize(
    ("record", "matched"),
    [
        (SideRecord("X.2", 5_000, None), 1),
        (SideRecord("X", 5_001, None), 0),
        (SideRecord("Y", 5_000, None), 0),
        (SideRecord("X", 5_000, "other bases"), 0),
    ],
)
def test_without_bases_records_are_one_by_id_and_length(record, matched):
    b = side(gene(record=record.id), records=(record,))
    found = compare_sides(side(gene()), b, VOCABULARY)
    assert found.matched == matched
    assert len(found.remarks) == (0 if matched else 2)


def test_settings_and_databases_of_one_side_are_told():
    a, b = side(settings=("mode offline", "Pfam 1")), side(settings=("mode offline", "Pfam 2"))
    assert compare_sides(a, b, VOCABULARY).settings == (("Pfam 1",), ("Pfam 2",))
