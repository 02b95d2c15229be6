"""RNA genes from file to summary: beside the proteins, kept, and said where not searched."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from genint import interpret_genome
from genint.databases.download.http import Mirror
from genint.databases.install import install
from genint.errors import WorkCancelled
from genint.model import FileFormat, Genome, GenomeSource, Parameters
from genint.pipeline.gene_calling import Payload, call, read
from genint.pipeline.resources import Folders, load_resources
from genint.pipeline.rna import FEATURES_OF_FILE, KINDS, gather_rna, plan_rna, search_rna
from tests.builders.rna import crispr, random_bases, trna
from tests.databases.published_content import write_mirror
from tests.databases.published_rfam import plasmid


def fasta(bases: str, *more: str, header: str = "piece") -> Payload:
    entries = [f">{header}\n{bases}\n"]
    entries += [f">{header}{at}\n{others}\n" for at, others in enumerate(more, start=2)]
    return Payload("".join(entries).encode(), "piece.fasta")


@pytest.fixture(scope="module")
def made() -> str:
    """Lambda's head genes, a tRNA and a CRISPR array, in random bases."""
    return random_bases(400, seed=11) + trna() + random_bases(900, seed=12) + crispr()


@pytest.fixture
def interpret(family_build, cache_of_its_own):
    def run(source, **options):
        return interpret_genome(
            source, families_folder=family_build, cache_folder=cache_of_its_own, **options
        )

    return run


def test_rna_genes_of_a_fasta_file_are_in_the_genome_and_said_to_be_searched(interpret, made):
    genome = interpret(fasta(made)).genome
    (contig,) = genome.contigs
    (gene,) = contig.rna_genes
    assert (gene.id, gene.product, gene.anticodon) == ("piece_RNA00010", "tRNA-Phe", "GAA")
    (array,) = contig.crispr_arrays
    assert (array.id, array.repeats) == ("piece_CRISPR1", 6)
    told = {search.what: search for search in genome.searches}
    assert list(told) == list(KINDS)
    assert told["tRNA and tmRNA"].found == 1
    assert told["tRNA and tmRNA"].method.startswith("ARAGORN")
    assert (told["rRNA"].found, told["CRISPR arrays"].found) == (0, 1)
    assert (told["other RNA"].method, told["other RNA"].found) == (None, None)
    assert "genint db install rfam" in told["other RNA"].reason


def test_programs_that_searched_are_named_with_their_version(interpret, made):
    programs = {program.name for program in interpret(fasta(made)).programs}
    assert {"pyaragorn", "pybarrnap", "diced"} <= programs
    assert "pyinfernal" not in programs


def test_rna_genes_are_not_counted_as_genes(interpret, made):
    summary = interpret(fasta(made))
    assert summary.total_genes == len(summary.genome.genes)
    assert not any(result.gene_id.startswith("piece_RNA") for result in summary.results)


def test_ids_begin_with_the_users_prefix(interpret, made):
    genome = interpret(fasta(made), locus_tag_prefix="ABC").genome
    assert genome.contigs[0].rna_genes[0].id == "ABC_RNA00010"
    assert genome.contigs[0].crispr_arrays[0].id == "ABC_CRISPR1"


def test_numbers_behind_the_users_prefix_run_over_all_records(interpret, made):
    genome = interpret(fasta(made, made, made), locus_tag_prefix="ABC").genome
    found = [gene.id for contig in genome.contigs for gene in contig.rna_genes]
    each = len(genome.contigs[0].rna_genes)
    assert each
    assert found == [f"ABC_RNA{number * 10:05d}" for number in range(1, 3 * each + 1)]
    arrays = [array.id for contig in genome.contigs for array in contig.crispr_arrays]
    assert arrays == ["ABC_CRISPR1", "ABC_CRISPR2", "ABC_CRISPR3"]
    own = interpret(fasta(made, made)).genome
    assert len({contig.rna_genes[0].id for contig in own.contigs}) == len(own.contigs)


def test_the_result_does_not_depend_on_the_number_of_workers(interpret, made):
    genomes = [interpret(fasta(made), workers=workers).genome for workers in (1, 2)]
    assert genomes[0] == genomes[1]


def test_a_second_run_knows_what_the_first_one_found(interpret, made, monkeypatch):
    monkeypatch.setenv("GENINT_CACHE_MB", "50")
    first, second = (interpret(fasta(made)).genome for _ in range(2))
    assert first == second


def test_features_of_a_file_stand_and_nothing_is_searched(interpret, examples):
    genome = interpret(examples / "phiX174.gbk").genome
    assert [(search.method, search.reason) for search in genome.searches] == [
        (None, FEATURES_OF_FILE)
    ] * len(KINDS)
    assert all(not contig.rna_genes for contig in genome.contigs)


def test_a_genome_without_any_breaks_nothing(interpret):
    genome = interpret(fasta("ACGTRYN" * 10)).genome
    assert [search.found for search in genome.searches] == [0, 0, None, 0]


@pytest.mark.parametrize("start", [0, 30, 500, 1_000])
def test_circles_have_the_same_rna_genes_from_every_base(interpret, start):
    circle = trna() + random_bases(6_000, seed=4) + crispr()
    turned = circle[start:] + circle[:start]
    (contig,) = interpret(fasta(turned, header="piece [topology=circular]")).genome.contigs
    (gene,) = contig.rna_genes
    assert gene.location.span.slice(turned) == trna()
    assert [array.repeats for array in contig.crispr_arrays] == [6]


def test_rna_genes_of_a_file_stay_and_are_not_told_twice(interpret, made):
    found = interpret(fasta(made)).genome
    contig = found.contigs[0]
    known = replace(contig.rna_genes[0], id="mine", method=None, product="tRNA-F")
    bare = replace(contig, genes=(), rna_genes=(known,), crispr_arrays=(), calling=None)
    source = GenomeSource("mine.gbk", "0" * 64, FileFormat.GENBANK)
    again = interpret(Genome((bare,), source)).genome
    assert again.contigs[0].rna_genes == (known,)
    assert again.searches[0].found == 1


def test_a_search_in_a_thread_can_be_stopped(family_build, tmp_path, made):
    parameters = Parameters()
    resources = load_resources(parameters, Folders(cache=tmp_path, families=family_build))
    plan = plan_rna(call(read(fasta(made)), parameters), resources)
    with pytest.raises(WorkCancelled):
        search_rna(plan.tasks[0], is_cancelled=lambda: True)


def test_answers_may_come_in_any_order(family_build, tmp_path, made):
    parameters = Parameters()
    resources = load_resources(parameters, Folders(cache=tmp_path, families=family_build))
    plan = plan_rna(call(read(fasta(made)), parameters), resources)
    answers = [answer for task in plan.tasks for answer in search_rna(task)]
    shuffled = random.Random(1).sample(answers, k=len(answers))
    assert gather_rna(plan, shuffled) == gather_rna(plan, answers)


def test_an_installed_rfam_is_searched_in_local_mode(interpret, tmp_path):
    pytest.importorskip("pyinfernal", reason="has no wheel for every platform")
    databases = tmp_path / "databases"
    mirror = write_mirror(tmp_path / "mirror", databases=["rfam"])
    asyncio.run(install(databases, ["rfam"], mirrors=(Mirror.parse(str(mirror)),)))
    source = fasta(plasmid()[10_000:20_000])
    summary = interpret(source, mode="local", databases_folder=databases)
    other = [rna for rna in summary.genome.contigs[0].rna_genes if rna.accession]
    assert {(rna.accession, rna.kind) for rna in other} == {
        ("RF00107", "ncRNA"),
        ("RF00243", "regulatory"),
    }
    (told,) = (search for search in summary.genome.searches if search.what == "other RNA")
    assert told.method.endswith("Rfam 15.1")
    assert told.found == 2
    assert "pyinfernal" in {program.name for program in summary.programs}
    assert any("Rfam" in used.name for used in summary.databases)


def test_local_mode_without_rfam_says_so(interpret, made, tmp_path):
    pytest.importorskip("pyinfernal", reason="has no wheel for every platform")
    summary = interpret(fasta(made), mode="local", databases_folder=tmp_path / "none")
    (told,) = (search for search in summary.genome.searches if search.what == "other RNA")
    assert "not installed (`genint db install rfam`)" in told.reason
    assert any(text.startswith("Rfam") for text in summary.unavailable)


def test_a_recoded_phage_is_remarked_on_with_its_trna(interpret, shared_data):
    genome = interpret(shared_data / "genomes" / "crAss_BK025033.fa").genome
    (warning,) = (warning for warning in genome.warnings if warning.code == "recoded")
    assert "2 tRNA with the anticodon CTA, which reads TAG" in warning.text
    products = {rna.anticodon: rna.product for rna in genome.contigs[0].rna_genes}
    assert products["CTA"] == "tRNA-Gln"


def test_a_piece_of_a_bacterium_has_its_rrna_and_no_genes_in_it(interpret, shared_data):
    whole = read(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz").contigs[0]
    piece = whole.bases[220_000:235_000]
    (contig,) = interpret(fasta(piece)).genome.contigs
    found = [(rna.kind, rna.location.span.start + 220_000) for rna in contig.rna_genes]
    annotated = [
        (rna.kind, rna.location.span.start)
        for rna in whole.rna_genes
        if 220_000 <= rna.location.span.start < 235_000 and rna.kind != "ncRNA"
    ]
    assert [kind for kind, _ in found] == [kind for kind, _ in annotated]
    assert all(abs(a[1] - b[1]) <= 3 for a, b in zip(found, annotated, strict=True))
    inside = [frame for frame in contig.rejected if "where no protein is coded" in frame.reason]
    assert inside
    stops = {gene.location.span.end for gene in contig.genes}
    assert stops.isdisjoint(frame.interval.end for frame in inside)
