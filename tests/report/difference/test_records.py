"""Records that the second side begins at another base, or has from the other strand."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from genint.formats import read_genome
from genint.knowledge import load_products
from genint.model.sequence import reverse_complement
from genint.report.difference.compare import ChangeKind, compare_sides
from genint.report.difference.records import match_records
from genint.report.difference.render import RENDERERS
from genint.report.difference.sides import Side, SideGene, SideRecord, side_of_genome

BASES = "".join(random.Random(3).choices("ACGT", k=600))
VOCABULARY = load_products()


def record(id: str, bases: str) -> SideRecord:
    return SideRecord(id, len(bases), bases, bases)


def turned(bases: str, first_base: int, *, is_reverse: bool) -> str:
    rotated = bases[first_base - 1 :] + bases[: first_base - 1]
    return reverse_complement(rotated) if is_reverse else rotated


@pytest.fixture(scope="module")
def phix(examples) -> Side:
    return side_of_genome(read_genome(examples / "phiX174.gbk"), "a.gbk")


def elsewhere(side: Side, first_base: int, *, is_reverse: bool) -> Side:
    """The same genome as another program would begin it, its genes without tags."""
    (one,) = side.records
    length = one.length_bp

    def base(position: int) -> int:
        moved = (position - first_base) % length + 1
        return length + 1 - moved if is_reverse else moved

    def gene(gene: SideGene) -> SideGene:
        start, end = base(gene.start), base(gene.end)
        if is_reverse:
            start, end = end, start
        strand = {"+": "-", "-": "+"}[gene.strand] if is_reverse else gene.strand
        other = replace(gene, record="other", start=start, end=end, strand=strand)
        return replace(other, locus=other.place)

    bases = turned(one.bases or "", first_base, is_reverse=is_reverse)
    genes = tuple(map(gene, side.genes))
    return replace(side, label="b.gbk", records=(record("other", bases),), genes=genes)


@pytest.mark.parametrize(
    ("first_base", "is_reverse"),
    [(2, False), (2_000, False), (5_386, False), (1, True), (2_000, True), (5_386, True)],
)
def test_a_genome_does_not_differ_from_itself_begun_elsewhere(phix, first_base, is_reverse):
    other = elsewhere(phix, first_base, is_reverse=is_reverse)
    for a, b in ((phix, other), (other, phix)):
        found = compare_sides(a, b, VOCABULARY)
        assert (found.changes, found.remarks, found.matched) == ((), (), 11)
        assert len(found.turns) == 1


@pytest.mark.parametrize("is_reverse", [False, True])
def test_bases_and_genes_of_a_turn_are_those_of_the_first_side(is_reverse):
    bases = turned(BASES, 101, is_reverse=is_reverse)
    (turn,) = match_records([record("a", BASES)], [record("b", bases)]).turns.values()
    assert turn.is_reverse is is_reverse
    there = [BASES[turn.base(position) - 1] for position in range(1, 601)]
    assert "".join(there) == (
        bases.translate(str.maketrans("ACGT", "TGCA")) if is_reverse else bases
    )


def test_all_formats_say_what_was_turned_and_have_both_places(phix):
    other = elsewhere(phix, 2_000, is_reverse=True)
    first, *others = other.genes
    renamed = replace(other, genes=(replace(first, name="tail fiber protein"), *others))
    found = compare_sides(phix, renamed, VOCABULARY)
    (change,) = found.changes
    assert change.kinds == (ChangeKind.RENAMED,)
    assert (change.b.start, change.b.end) == (change.a.start, change.a.end)
    sentence = "record other of B is the reverse complement of"
    for name, render in RENDERERS.items():
        shown = render(found)
        assert first.place in shown
        assert (sentence in shown) == (name in {"text", "html"})
    content = json.loads(RENDERERS["json"](found))
    assert content["turned_records"][0]["is_reverse"] is True
    assert content["changes"][0]["b"]["own_place"] == first.place


def test_each_record_is_matched_once_and_other_bases_never():
    other = "".join(random.Random(4).choices("ACGT", k=600))
    ours = [record("a1", BASES), record("a2", other)]
    theirs = [
        record("b1", turned(other, 7, is_reverse=True)),
        record("b2", turned(BASES, 9, is_reverse=False)),
        record("b3", turned(BASES, 11, is_reverse=False)),
    ]
    found = match_records(ours, theirs)
    assert found.ids == {"b1": "a2", "b2": "a1"}
    assert found.remarks == ("record b3 (600 bp) is only in the second",)
