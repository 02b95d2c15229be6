"""Each record of a file is judged a bacterium's or a phage's for itself."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from genint.formats import read_genome
from genint.genes import call_genes
from genint.interpret import ScoringModel
from genint.knowledge import load_confidence, load_products, load_roles
from genint.model import Contig, FileFormat, Genome, GenomeKind, GenomeSource, Parameters
from genint.model.kinds import kinds_of, with_kinds
from genint.pipeline.gene_calling import call
from genint.report import build_result, level_sentences
from tests.builders.results import summarise

PHAGE, BACTERIUM = GenomeKind.PHAGE, GenomeKind.BACTERIUM


def genome(contigs: Iterable[Contig]) -> Genome:
    return Genome(tuple(contigs), GenomeSource("mixed.fasta", "0" * 64, FileFormat.FASTA))


def random_bases(length_bp: int, *, gc: float, seed: int = 1) -> str:
    weights = ((1 - gc) / 2, gc / 2, gc / 2, (1 - gc) / 2)
    return "".join(random.Random(seed).choices("ACGT", weights, k=length_bp))


def of_kind(found: Genome, kind: GenomeKind) -> list[str]:
    kinds = kinds_of(found)
    return [contig.id for contig in found.contigs if kinds[contig.id] is kind]


def test_below_half_a_million_bases_every_record_is_a_phages():
    contigs = [Contig(f"c{at}", random_bases(40_000, gc=0.5, seed=at)) for at in range(5)]
    assert of_kind(genome(contigs), BACTERIUM) == []


def test_one_long_record_is_a_bacteriums_unless_the_file_says_that_it_is_a_viruses():
    bases = random_bases(500_000, gc=0.5)
    assert of_kind(genome([Contig("c", bases)]), BACTERIUM) == ["c"]
    jumbo = Contig("c", bases, lineage=("Viruses", "Duplodnaviria"))
    assert of_kind(genome([jumbo]), BACTERIUM) == []


@pytest.mark.parametrize(
    "told",
    [
        {"lineage": ("Viruses",)},
        {"description": "Escherichia phage T4, complete genome"},
        {"organism": "Bacteriophage sp."},
    ],
)
def test_what_the_file_calls_a_phage_is_one_beside_a_bacterium(told):
    host = Contig("host", random_bases(600_000, gc=0.5))
    phage = Contig("phage", random_bases(40_000, gc=0.5, seed=2), **told)
    assert of_kind(genome([host, phage]), PHAGE) == ["phage"]


@pytest.mark.parametrize(
    "told", [{"lineage": ("Bacteria",)}, {"description": "E. coli plasmid pX, complete sequence"}]
)
def test_what_the_file_calls_part_of_a_cell_is_one_whatever_its_composition(told):
    host = Contig("host", random_bases(600_000, gc=0.5))
    part = Contig("part", random_bases(40_000, gc=0.3, seed=2), **told)
    assert of_kind(genome([host, part]), PHAGE) == []


def test_pieces_of_one_composition_are_a_bacterium_together_and_others_are_phages():
    pieces = [Contig(f"b{at}", random_bases(60_000, gc=0.5, seed=at)) for at in range(10)]
    phages = [
        Contig(f"p{at}", random_bases(40_000, gc=0.3 + 0.02 * (at % 3), seed=90 + at))
        for at in range(5)
    ]
    found = genome([*pieces, *phages])
    assert of_kind(found, BACTERIUM) == [contig.id for contig in pieces]
    assert with_kinds(found).kind is BACTERIUM
    assert with_kinds(found).kinds == (BACTERIUM, PHAGE)


def test_a_bacterium_in_pieces_stays_one_and_phages_of_other_composition_beside_it_are_found(
    shared_data: Path,
):
    folder = shared_data / "genomes"
    [chromosome] = read_genome(folder / "S_pyogenes_M1_NC_002737.gb.gz").contigs
    cuts = range(0, len(chromosome), 30_000)
    pieces = [Contig(f"b{at}", chromosome.bases[at : at + 30_000]) for at in cuts]
    names = ["L5_Z18946.gb", "T7_NC_001604.gb", "phageK_NC_005880.gbk", "B3_NC_006548.gbk"]
    phages = [Contig(name, read_genome(folder / name).contigs[0].bases) for name in names]
    assert of_kind(genome([*pieces, *phages]), PHAGE) == names


def test_a_collection_of_phages_is_no_bacterium_however_long(shared_data: Path):
    collected = read_genome(shared_data / "genomes" / "microviruses100_pharokka.gbk")
    assert collected.length_bp > 500_000
    assert of_kind(collected, BACTERIUM) == []


def test_a_draft_of_a_bacterium_is_one_in_all_its_records(shared_data: Path):
    draft = read_genome(shared_data / "genomes" / "M_mycoides_LAEX01_multi.gbff.gz")
    assert of_kind(draft, PHAGE) == []


@pytest.fixture(scope="module")
def mixed(examples: Path) -> Genome:
    """A bacterium without genes, and phiX174 with its own."""
    [phage] = read_genome(examples / "phiX174.gbk").contigs
    host = Contig("host", random_bases(600_000, gc=0.4), lineage=("Bacteria",))
    found = genome([host, phage])
    return call(found, Parameters()).annotated


def test_the_report_says_which_records_were_taken_for_what(mixed: Genome):
    result = build_result(summarise(mixed), load_confidence())
    used = result.parameters
    assert used.genome_kind is BACTERIUM
    assert [record.genome_kind for record in result.records] == [BACTERIUM, PHAGE]
    phage = mixed.contigs[1].id
    assert [(one.genome_kind, one.records) for one in used.record_kinds] == [
        (BACTERIUM, ("host",)),
        (PHAGE, (phage,)),
    ]
    told = level_sentences(used)
    assert f"1 of 2 records was taken for phages or pieces of them: {phage}." in told
    assert any("tested for phages" in one for one in told)
    assert any("tested for bacteria" in one for one in told)


def test_a_file_of_one_kind_has_no_list_of_kinds(examples: Path):
    result = build_result(
        summarise(with_kinds(read_genome(examples / "phiX174.gbk"))), load_confidence()
    )
    assert result.parameters.record_kinds == ()
    assert result.parameters.genome_kind is PHAGE


def test_genes_of_each_record_are_searched_and_scored_as_its_kind(mixed: Genome):
    called = call(mixed, Parameters())
    assert {called.kind_of(gene.id) for gene in mixed.contigs[1].genes} == {PHAGE}
    assert called.kind_of("any gene of the host") is BACTERIUM
    model = ScoringModel(
        load_confidence(),
        load_roles(),
        load_products(),
        kinds={contig.id: contig.kind for contig in mixed.contigs if contig.kind},
    )
    assert model.for_contig("host").setting.kind is BACTERIUM
    assert model.for_contig(mixed.contigs[1].id).setting.kind is PHAGE


@pytest.mark.slow
def test_phages_beside_a_bacterium_are_not_searched_with_its_model(shared_data: Path):
    folder = shared_data / "genomes"
    [chromosome] = read_genome(folder / "S_pyogenes_M1_NC_002737.gb.gz").contigs
    host = Contig("host", chromosome.bases[:700_000])
    phage = Contig("T7", read_genome(folder / "T7_NC_001604.gb").contigs[0].bases)
    calls = call_genes(genome([host, phage])).contigs
    methods = [one.contig.calling.method for one in calls if one.contig.calling]
    assert "trained on this genome" in methods[0]
    assert "meta" in methods[1]
    alone = call_genes(genome([phage])).contigs[0].contig.genes
    assert [g.location for g in calls[1].contig.genes] == [g.location for g in alone]
