"""Base calls: which genes, where, with which ids, on which input."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import call_genes, decide, is_bacterium, needs_calling
from genint.model import CalledBy, Contig, Gene, Genome, Strand, Topology, reverse_complement
from genint.model.locus_tags import prefix_of


def genes_of(genome: Genome, *, phage: bool = False) -> tuple[Gene, ...]:
    return decide(call_genes(genome, phage=phage)).genes


def stop(gene: Gene, contig: Contig) -> tuple[int, Strand]:
    """3' end and strand; on a circle without turns."""
    last = gene.location.parts[-1]
    end = last.interval.end if last.strand is Strand.FORWARD else last.interval.start
    return (end % len(contig) if contig.topology is Topology.CIRCULAR else end), last.strand


def stops_found(annotated: Genome, *, phage: bool = False) -> tuple[int, int, int, int]:
    """Annotated genes, those whose stop is called, calls, calls with an annotated stop.

    Calls on pseudogenes count neither way.
    """
    bare = replace(
        annotated,
        contigs=tuple(replace(c, genes=(), translation_table=None) for c in annotated.contigs),
    )
    called = decide(call_genes(bare, phage=phage))
    counts = [0, 0, 0, 0]
    for known, found in zip(annotated.contigs, called.contigs, strict=True):
        broken = [g.span for g in known.genes if g.pseudo]
        truth = [stop(g, known) for g in known.genes if not g.pseudo]
        calls = [
            stop(g, known)
            for g in found.genes
            if not any(g.span.overlap_bp(span) for span in broken)
        ]
        ends = {stop(g, found) for g in found.genes}
        counts[0] += len(truth)
        counts[1] += sum(end in ends for end in truth)
        counts[2] += len(calls)
        counts[3] += sum(end in truth for end in calls)
    return counts[0], counts[1], counts[2], counts[3]


# Examples of the project


def test_lambda_has_62_base_calls_with_terminase_lysozyme_and_integrase(
    lambda_phage: Genome,
) -> None:
    genes = call_genes(lambda_phage).contigs[0].contig.genes
    spans = {(g.span.start + 1, g.span.end, g.strand.symbol) for g in genes}
    assert len(genes) == 62
    assert {(711, 2636, "+"), (45493, 45969, "+"), (27812, 28882, "-")} <= spans
    assert lambda_phage.contigs[0].calling is None
    assert genes[0].protein.startswith("M")


def test_every_call_is_open_from_start_to_stop(lambda_phage: Genome) -> None:
    called = call_genes(lambda_phage).contigs[0].contig
    for gene in called.genes:
        coding = called.coding_bases(gene)
        assert len(coding) % 3 == 0
        assert coding[-3:] in {"TAA", "TAG", "TGA"}
        assert gene.protein.startswith("M")
        assert "*" not in gene.protein
        assert len(gene.protein) == len(coding) // 3 - 1
        assert gene.called_by is CalledBy.PYRODIGAL
        assert gene.scores is not None
        assert 0.5 <= gene.scores.confidence <= 1


def test_phix174_closed_gives_9_of_11_genes_without_a_false_one(phix174: Genome) -> None:
    assert stops_found(phix174) == (11, 9, 8, 8)


def test_phix174_with_nested_genes_gives_all_11(phix174: Genome) -> None:
    assert stops_found(phix174, phage=True) == (11, 11, 10, 10)


@pytest.mark.parametrize("turn_bp", [0, 1, 137, 1000, 2000, 2296, 3000, 4500, 5300, 5385])
def test_a_circle_has_the_same_genes_whatever_base_the_file_starts_at(
    phix174: Genome, turn_bp: int
) -> None:
    contig = phix174.contigs[0]
    turned = replace(contig, bases=contig.bases[turn_bp:] + contig.bases[:turn_bp], genes=())
    rotated = replace(phix174, contigs=(turned,))

    def proteins(genome: Genome) -> list[tuple[str, float]]:
        genes = genes_of(genome, phage=True)
        return sorted((g.protein, g.scores.total) for g in genes if g.scores)

    assert proteins(rotated) == proteins(phix174)
    assert any(g.span.wraps(5386) for g in genes_of(phix174))


def test_a_circle_read_from_the_other_strand_has_the_same_proteins(phix174: Genome) -> None:
    contig = phix174.contigs[0]
    other = replace(contig, bases=reverse_complement(contig.bases))
    flipped = {g.protein for g in genes_of(replace(phix174, contigs=(other,)))}
    assert flipped == {g.protein for g in genes_of(phix174)}


def test_genes_over_the_origin_are_one_interval_with_its_own_protein(phix174: Genome) -> None:
    annotated = {g.protein for g in phix174.genes}
    (gene,) = (g for g in genes_of(phix174) if g.span.wraps(5386))
    assert gene.span.one_based(5386) == (3981, 136)
    assert gene.protein in annotated


# Ids


def test_ids_count_in_tens_and_rescued_genes_take_the_gap(lambda_phage: Genome) -> None:
    plain = genes_of(lambda_phage)
    rescued = [
        g for g in genes_of(lambda_phage, phage=True) if g.called_by is CalledBy.GENINT_NESTED
    ]
    assert [g.id for g in plain[:2]] == ["NC_001416.1_00010", "NC_001416.1_00020"]
    assert plain[-1].id == "NC_001416.1_00620"
    assert [g.id for g in rescued] == ["NC_001416.1_00591"]
    for gene in plain:
        assert gene.id.endswith("0") is (gene.rescue is None)


def test_base_calls_are_the_same_with_and_without_phage(phix174: Genome) -> None:
    with_phage = {g.id: g for g in genes_of(phix174, phage=True)}
    for gene in genes_of(phix174):
        assert with_phage[gene.id] == gene


def test_numbers_behind_a_prefix_run_over_all_records(
    lambda_phage: Genome, phix174: Genome
) -> None:
    both = replace(lambda_phage, contigs=(*lambda_phage.contigs, *phix174.contigs))
    for phage in (False, True):
        first, second = call_genes(both, phage=phage, locus_tag_prefix="LAB").contigs
        assert [g.id for g in first.contig.genes[:2]] == ["LAB_00010", "LAB_00020"]
        last = int(first.contig.genes[-1].id.removeprefix("LAB_"))
        # the numbers from last + 1 to last + 9 are those of the gap behind the last gene
        assert second.contig.genes[0].id == f"LAB_{last + 20:05d}"
        assert second.contig.genes[1].id == f"LAB_{last + 30:05d}"
        ids = [
            gene.id
            for calls in (first, second)
            for gene in (*calls.contig.genes, *(one.gene for one in calls.candidates))
        ]
        assert len(ids) == len(set(ids))
        assert all(prefix_of(gene_id) == "LAB" for gene_id in ids)
    alone = call_genes(phix174, locus_tag_prefix="LAB").contigs[0].contig
    assert alone.genes[0].id == "LAB_00010"


def test_without_a_prefix_every_record_counts_its_own(
    lambda_phage: Genome, phix174: Genome
) -> None:
    both = replace(lambda_phage, contigs=(*lambda_phage.contigs, *phix174.contigs))
    for calls in call_genes(both).contigs:
        assert calls.contig.genes[0].id == f"{calls.contig.id}_00010"


def test_calls_are_the_same_every_time_and_cross_processes(lambda_phage: Genome) -> None:
    calls = call_genes(lambda_phage, phage=True)
    assert call_genes(lambda_phage, phage=True) == calls
    assert pickle.loads(pickle.dumps(calls)) == calls  # noqa: S301 - our own bytes


def test_proteins_to_search_are_those_of_calls_and_candidates(phix174: Genome) -> None:
    calls = call_genes(phix174, phage=True)
    ids = [gene_id for gene_id, _ in calls.proteins]
    assert len(ids) == len(set(ids)) == 7 + len(calls.contigs[0].candidates)
    assert all(residues for _, residues in calls.proteins)


# Ends, gaps and odd letters


def test_genes_cut_by_the_ends_of_a_line_are_marked_and_read_in_frame(
    lambda_phage: Genome, make_genome
) -> None:
    whole = {g.span.end: g.protein for g in genes_of(lambda_phage)}
    # A (711..2636) and B (2836..4437) lose their first and last bases.
    for cut_bp in (0, 1, 2):
        genes = genes_of(make_genome(lambda_phage.contigs[0].bases[1000 + cut_bp : 4000]))
        first, last = genes[0], genes[-1]
        assert (first.location.partial_5, first.location.partial_3) == (True, False)
        assert whole[2636].endswith(first.protein)
        assert len(first.location) % 3 == 0
        assert (last.location.partial_5, last.location.partial_3) == (False, True)
        assert last.protein in whole[4437]


def test_genes_cut_on_the_reverse_strand_are_marked_at_the_right_end(
    lambda_phage: Genome, make_genome
) -> None:
    bases = reverse_complement(lambda_phage.contigs[0].bases[1000:4000])
    last = genes_of(make_genome(bases))[-1]
    assert last.strand is Strand.REVERSE
    assert (last.location.partial_5, last.location.partial_3) == (True, False)


def test_a_closed_circle_has_no_cut_genes(lambda_phage: Genome, make_genome) -> None:
    piece = lambda_phage.contigs[0].bases[1000:7000]
    for gene in genes_of(make_genome(piece, circle=True)):
        assert not gene.location.partial_5
        assert not gene.location.partial_3


def test_no_gene_crosses_a_long_run_of_unknown_bases(lambda_phage: Genome, make_genome) -> None:
    bases = lambda_phage.contigs[0].bases
    masked = bases[:1500] + "N" * 60 + bases[1560:6000]
    assert all("X" * 10 not in g.protein for g in genes_of(make_genome(masked)))


def test_ambiguous_letters_become_x_and_break_nothing(lambda_phage: Genome, make_genome) -> None:
    bases = lambda_phage.contigs[0].bases
    genes = genes_of(make_genome(bases[:1000] + "R" + bases[1001:6000]))
    (terminase,) = (g for g in genes if g.span.start == 710)
    assert terminase.span.end == 2636
    assert terminase.protein.count("X") == 1


@pytest.mark.parametrize("bases", ["", "A", "ATG", "ACGTACGTACGTACGTACGT", "N" * 5000])
@pytest.mark.parametrize("circle", [None, False, True])
def test_empty_short_and_featureless_contigs_have_no_genes(
    make_genome, bases: str, circle: bool | None
) -> None:
    called = call_genes(make_genome(bases, circle=circle), phage=True).contigs[0]
    assert called.contig.genes == ()
    assert called.candidates == ()
    assert called.contig.calling is not None


def test_an_open_frame_of_59_bases_is_no_gene(make_genome) -> None:
    frame = "ATG" + "GCT" * 17 + "TAATA"
    assert len(frame) == 59
    assert genes_of(make_genome(frame), phage=True) == ()


def test_a_genome_without_records_gives_no_calls(make_genome) -> None:
    assert call_genes(make_genome()).contigs == ()


def test_only_a_genome_without_genes_needs_calling(lambda_phage: Genome, phix174: Genome) -> None:
    assert needs_calling(lambda_phage)
    assert not needs_calling(phix174)


# Which way of searching


def test_many_small_phages_are_no_bacterium(make_genome) -> None:
    assert not is_bacterium(make_genome(*["ACGT" * 1500] * 100))
    assert is_bacterium(make_genome("ACGT" * 125_000))
    assert not is_bacterium(make_genome("ACGT" * 124_999))


def test_a_draft_of_one_genome_is_a_bacterium_and_a_collection_is_not(make_genome) -> None:
    draft = ["ACGT" * 5_000 + "AT" * (at * 100) for at in range(25)]
    collection = ["ACGT" * 5_000 + "AT" * (at * 2_000) for at in range(15)]
    assert is_bacterium(make_genome(*draft))
    assert not is_bacterium(make_genome(*collection))


def test_a_long_genome_of_unknown_bases_is_not_learned_from(make_genome) -> None:
    calling = call_genes(make_genome("N" * 500_000)).contigs[0].contig.calling
    assert calling is not None
    assert "too few known bases to learn from" in calling.method


# Annotated genomes


@pytest.mark.parametrize(
    ("file", "genes", "least_found", "most_wrong"),
    [
        ("lambda_NC_001416.gb", 73, 67, 1),
        ("T7_NC_001604.gb", 60, 53, 0),
        ("phiX174_NC_001422.gb", 11, 9, 0),
        ("phageK_NC_005880.gbk", 233, 233, 5),
        ("L5_Z18946.gb", 90, 88, 6),
        ("B3_NC_006548.gbk", 59, 50, 3),
        ("AcinetobacterApostate_NC_049491.gbk", 244, 235, 2),
    ],
)
def test_annotated_genes_are_found(
    shared_data: Path, file: str, genes: int, least_found: int, most_wrong: int
) -> None:
    known, found, calls, right = stops_found(read_genome(shared_data / "genomes" / file))
    assert known == genes
    assert found >= least_found
    assert calls - right <= most_wrong


def test_phix174_without_a_word_on_its_topology_gives_9_of_11(
    shared_data: Path, phix174: Genome
) -> None:
    called = genes_of(read_genome(shared_data / "genomes" / "phiX174.fasta"))
    ends = {g.protein[-20:] for g in called}
    assert sum(g.protein[-20:] in ends for g in phix174.genes) == 9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "table", "least_recall"),
    [
        ("syn3A_CP016816.gb", 4, 0.98),
        ("M_mycoides_LAEX01_multi.gbff.gz", 4, 0.97),
        ("S_pyogenes_M1_NC_002737.gb.gz", 11, 0.95),
    ],
)
def test_bacteria_are_learned_from_under_their_own_code(
    shared_data: Path, file: str, table: int, least_recall: float
) -> None:
    annotated = read_genome(shared_data / "genomes" / file)
    known, found, calls, right = stops_found(annotated)
    bare = replace(
        annotated,
        contigs=tuple(replace(c, translation_table=None) for c in annotated.contigs),
    )
    notes = [c.contig.calling for c in call_genes(bare).contigs]
    assert {note.translation_table for note in notes if note} == {table}
    assert all("trained on this genome" in note.method for note in notes if note)
    assert found / known >= least_recall
    assert right / calls >= 0.95
