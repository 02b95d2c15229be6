"""Products of programmed changes of frame: flagged at known places, not elsewhere."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import (
    NO_KINDS,
    JudgedSlip,
    SlipKind,
    judged_slips,
    product_bases,
    slip_kinds_of,
    with_alternative_products,
)
from genint.knowledge import Knowledge, load_knowledge
from genint.model import (
    CalledBy,
    Contig,
    EvidenceSource,
    Gene,
    Genome,
    Interval,
    Location,
    ReferenceEntry,
    SimilarityHit,
    Strand,
    Topology,
    reverse_complement,
    translate_cds,
)

V, G, T, H = (8954, 9695), (9710, 10133), (10114, 10549), (10541, 13103)
"""Tail genes of lambda, 0-based: major tail protein, G, the frame behind it, tape measure."""
TAIL_SAID = {
    "V": frozenset[SlipKind](),
    "G": frozenset({SlipKind.TAIL}),
    "T": frozenset[SlipKind](),
    "H": frozenset({SlipKind.TAPE}),
}
GT = "GGVRYG"


def gene(name: str, start: int, end: int, strand: Strand = Strand.FORWARD, table: int = 11) -> Gene:
    location = Location.simple(Interval(start, end), strand)
    return Gene(name, "c", location, "M" * ((end - start) // 3), table, CalledBy.PYRODIGAL)


@pytest.fixture(scope="module")
def tail(lambda_phage: Genome) -> Contig:
    """The tail genes of lambda as a gene finder calls them."""
    genes = (gene("V", *V), gene("G", *G), gene("T", *T), gene("H", *H))
    return Contig("c", lambda_phage.contigs[0].bases, genes=genes)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def slips(contig: Contig, said: Mapping[str, frozenset[SlipKind]] = TAIL_SAID) -> list[JudgedSlip]:
    return list(judged_slips(contig, said))


def similar(gene_id: str, name: str) -> SimilarityHit:
    entry = ReferenceEntry("P00001", name)
    figures = (1e-50, 200.0, 0.9, 1, 100, 1, 100, 0.9, 0.9)
    return SimilarityHit(gene_id, EvidenceSource.SWISSPROT, "Swiss-Prot", entry, *figures)


def placed(g: Gene, start: int, strand: Strand) -> Gene:
    return replace(g, location=Location.simple(Interval(start, start + len(g.span)), strand))


def mirrored(contig: Contig) -> Contig:
    """The same molecule written from its other strand."""
    size = len(contig)
    genes = (placed(g, (size - g.span.end) % size, Strand(-g.strand)) for g in contig.genes)
    ordered = tuple(sorted(genes, key=lambda g: g.span))
    return replace(contig, bases=reverse_complement(contig.bases), genes=ordered)


def turned(contig: Contig, turn_bp: int) -> Contig:
    """The same circle written from another base."""
    size = len(contig)
    genes = (placed(g, (g.span.start - turn_bp) % size, g.strand) for g in contig.genes)
    ordered = tuple(sorted(genes, key=lambda g: g.span))
    bases = contig.bases[turn_bp:] + contig.bases[:turn_bp]
    return replace(contig, bases=bases, genes=ordered, topology=Topology.CIRCULAR)


def shuffled(contig: Contig, seed: int) -> Contig:
    """Codons between start and stop of every gene permuted, what they share only once."""
    rng, bases, done = random.Random(seed), list(contig.bases), 0
    for g in contig.genes:
        first = max(g.span.start + 3, done + (g.span.start - done) % 3)
        codons = [contig.bases[at : at + 3] for at in range(first, g.span.end - 3, 3)]
        rng.shuffle(codons)
        bases[first : g.span.end - 3] = "".join(codons)
        done = g.span.end
    return replace(contig, bases="".join(bases))


def test_lambda_makes_gt_by_slipping_at_the_end_of_g(
    lambda_phage: Genome, tail: Contig, knowledge: Knowledge
) -> None:
    genome = replace(lambda_phage, contigs=(tail,))
    hits = (
        similar("G", "Tail assembly protein G"),
        similar("H", "Tape measure protein"),
        similar("V", "Tail tube protein"),
    )
    contig = with_alternative_products(genome, (), hits, knowledge).contigs[0]
    [product] = contig.alternative_products
    assert (product.id, product.gene_id, product.joined_id) == ("G_fs", "G", "T")
    assert (product.heptamer, product.shift) == ("GGGAAAG", -1)
    assert product.site.slice(contig.bases) == "GGGAAAG"
    # gpGT has 279 residues: 136 of G's 140, then the other frame.
    assert len(product.protein) == 279
    assert product.protein.startswith("MFLKTESFEHNGVTVTLSELS")
    assert product.protein.endswith(GT)
    assert "*" not in product.protein
    assert product.probability >= 0.5
    assert "GGGAAAG" in product.reason
    assert contig.genes == tail.genes


def test_the_product_is_the_same_on_the_other_strand(tail: Contig) -> None:
    [here], [there] = slips(tail), slips(mirrored(tail))
    assert here.slip == there.slip
    assert product_bases(tail, here.gene, here.slip) == product_bases(
        mirrored(tail), there.gene, there.slip
    )


@pytest.mark.parametrize("turn_bp", [9000, 9712, 10110, 10112, 10116, 10300, 12000])
def test_the_product_is_the_same_over_the_origin_of_a_circle(tail: Contig, turn_bp: int) -> None:
    [expected] = slips(tail)
    for circle in (turned(tail, turn_bp), mirrored(turned(tail, turn_bp))):
        [found] = slips(circle)
        assert found.slip == expected.slip
        protein = translate_cds(product_bases(circle, found.gene, found.slip), 11)
        assert len(protein) == 279


def test_without_the_tape_measure_gene_behind_it_nothing_is_claimed(tail: Contig) -> None:
    assert slips(tail, TAIL_SAID | {"H": NO_KINDS, "G": NO_KINDS}) == []


def test_place_alone_stays_below_one_half(tail: Contig) -> None:
    [place] = slips(tail, TAIL_SAID | {"G": NO_KINDS})
    [homologous] = slips(tail)
    assert place.probability < 0.5 < homologous.probability
    assert "place alone" in place.reason


def test_another_codon_for_the_same_residue_ends_the_slip(tail: Contig) -> None:
    [found] = slips(tail)
    at = G[0] + found.slip.at
    assert tail.bases[at : at + 7] == "GGGAAAG"
    changed = tail.bases[: at + 3] + "G" + tail.bases[at + 4 :]
    assert slips(replace(tail, bases=changed)) == []


@pytest.mark.parametrize(("before", "after"), [("", "CC"), ("C", "C"), ("CC", "")])
def test_the_bases_slip_only_where_they_lie_in_frame(before: str, after: str) -> None:
    gene_text = "ATGGCTGCTGCTGC" + before + "GGGAAAGTTGCTGC" + after + "TGA"
    open_frame = "CTGCCTCCTCCTCCTCCTCCTCCTCCTCCTCCTCCTCCTAACTAACTAAC"
    tape = "ATG" + "GCT" * 600 + "TAA"
    text = gene_text + open_frame + tape
    genes = (gene("G", 0, len(gene_text)), gene("H", len(text) - len(tape), len(text)))
    assert len(gene_text) % 3 == 0
    assert bool(slips(Contig("c", text, genes=genes))) == (before == "")


def test_a_frame_that_runs_off_the_end_of_a_line_makes_no_product(tail: Contig) -> None:
    cut = replace(tail, bases=tail.bases[: T[1] - 30], genes=tail.genes[:2])
    assert slips(cut, {"G": frozenset({SlipKind.CHAPERONE})}) == []


def test_a_second_gene_that_starts_in_the_stop_of_the_first_needs_no_slip(tail: Contig) -> None:
    coupled = gene("T", G[1] - 4, T[1] - (T[1] - G[1] + 4) % 3)
    assert coupled.span.end == T[1]
    genes = (tail.genes[0], tail.genes[1], coupled, tail.genes[3])
    assert slips(replace(tail, genes=genes)) == []


def test_shuffled_tail_genes_hardly_ever_have_one(tail: Contig) -> None:
    assert sum(len(slips(shuffled(tail, seed))) for seed in range(50)) <= 5


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tail assembly chaperone", {SlipKind.CHAPERONE, SlipKind.TAIL}),
        ("putative tape measure chaperone", {SlipKind.CHAPERONE}),
        ("Tail assembly protein GT", {SlipKind.CHAPERONE, SlipKind.TAIL}),
        ("tail fiber assembly chaperone", set()),
        ("tail length tape measure protein", {SlipKind.TAPE, SlipKind.TAIL}),
        ("major tail protein", set()),
        ("tail tubular protein", set()),
        ("baseplate hub subunit and tail length", {SlipKind.TAIL}),
        ("major capsid protein", {SlipKind.CAPSID}),
        ("IS3 family transposase", {SlipKind.TRANSPOSASE}),
        (
            "IS1634-like element IS1634 family transposase",
            {SlipKind.TRANSPOSASE, SlipKind.UNBROKEN},
        ),
        ("DNA polymerase III subunit gamma/tau", {SlipKind.DNAX}),
        ("peptide chain release factor 2", {SlipKind.RELEASE_FACTOR}),
        ("peptide chain release factor N(5)-glutamine methyltransferase", set()),
        ("tail-specific protease", set()),
        ("hypothetical protein", set()),
    ],
)
def test_names_say_what_matters_here(name: str, said: set[SlipKind]) -> None:
    assert slip_kinds_of(name) == said


# Real genomes


def products_say(contig: Contig) -> dict[str, frozenset[SlipKind]]:
    return {g.id: slip_kinds_of(g.product or "") for g in contig.genes}


def test_the_annotated_slip_of_l5_is_found(shared_data: Path) -> None:
    contig = read_genome(shared_data / "genomes" / "L5_Z18946.gb").contigs[0]
    [joined] = [g for g in contig.genes if len(g.location.parts) > 1]
    short = tuple(g for g in contig.genes if g is not joined)
    seen = replace(contig, genes=short)
    [tape] = [g.id for g in short if len(g.protein) > 800 and g.span.start < 20_000]
    said = products_say(seen) | {tape: frozenset({SlipKind.TAPE})}
    [found] = slips(seen, said)
    assert found.slip.heptamer == "GGGGGAA"
    protein = translate_cds(product_bases(seen, found.gene, found.slip), 11)
    assert len(protein) == len(joined.protein)
    assert protein[-140:] == joined.protein[-140:]


def test_t7_makes_10b_with_low_confidence(shared_data: Path) -> None:
    contig = read_genome(shared_data / "genomes" / "T7_NC_001604.gb").contigs[0]
    called = replace(contig, genes=(gene("10A", 22966, 24004),))
    [found] = slips(called, {"10A": frozenset({SlipKind.CAPSID})})
    assert found.slip.heptamer == "GGTTTTC"
    assert found.probability < 0.5
    [record] = [g for g in contig.genes if g.span == Interval(22966, 24162)]
    protein = translate_cds(product_bases(called, found.gene, found.slip), 11)
    assert protein[-50:] == record.protein[-50:]
    assert len(protein) == len(record.protein)


def test_is1_joins_its_two_frames(shared_data: Path) -> None:
    contig = read_genome(shared_data / "genomes" / "REL606_fragment.gbk").contigs[0]
    said = {
        g.id: frozenset({SlipKind.TRANSPOSASE})
        for g in contig.genes
        if (g.symbol or "")[:3] == "ins"
    }
    found = [j for j in slips(contig, said) if j.slip.heptamer == "AAAAAAC"]
    pairs = [(j.gene.symbol, j.joined and j.joined.symbol) for j in found]
    assert pairs == [("insA-2", "insB-2"), ("insA-3", "insB-3")]
    # The transposase InsAB' has 232 residues.
    assert {len(product_bases(contig, j.gene, j.slip)) // 3 - 1 for j in found} == {232}


@pytest.fixture(scope="module")
def e_coli(shared_data: Path) -> Contig:
    return read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz").contigs[0]


def test_dnax_makes_gamma(e_coli: Contig) -> None:
    [dnax] = [g for g in e_coli.genes if g.symbol == "dnaX"]
    [found] = slips(replace(e_coli, genes=(dnax,)), {dnax.id: frozenset({SlipKind.DNAX})})
    protein = translate_cds(product_bases(e_coli, found.gene, found.slip), 11)
    assert (found.slip.heptamer, len(protein)) == ("AAAAAAG", 431)
    assert protein[:430] == dnax.protein[:430]


def test_release_factor_2_is_read_from_its_leader(e_coli: Contig) -> None:
    [prfb] = [g for g in e_coli.genes if g.symbol == "prfB"]
    [prfa] = [g for g in e_coli.genes if g.symbol == "prfA"]
    called = gene("prfB", 3035183, 3036065, Strand.REVERSE)
    said = {
        "prfB": frozenset({SlipKind.RELEASE_FACTOR}),
        prfa.id: frozenset({SlipKind.RELEASE_FACTOR}),
    }
    [found] = slips(replace(e_coli, genes=(prfa, called)), said)
    assert (found.gene.id, found.slip.shift) == ("prfB", 1)
    assert translate_cds(product_bases(e_coli, found.gene, found.slip), 11) == prfb.protein


def test_in_all_of_e_coli_only_known_places_are_flagged(e_coli: Contig) -> None:
    """Whole genes of the record, by their products."""
    symbols = [j.gene.symbol for j in slips(e_coli, products_say(e_coli))]
    assert set(symbols) == {"insA", "insC1", "insJ", "dnaX"}
    assert len(symbols) == 14
