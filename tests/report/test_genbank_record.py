"""GenBank records for FASTA files: whatever the name, wherever the gene."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import gb_io
import pytest
from Bio import SeqIO

from genint.formats import Original, read_original
from genint.genes import call_genes, decide
from genint.knowledge import load_confidence
from genint.model import CalledBy
from genint.report import (
    GeneItem,
    GenintResult,
    RnaGeneItem,
    Span,
    build_result,
    level_sentences,
    render_genbank,
)
from tests.builders.results import summarise

from .genbank_texts import BASES, annotated, biopython, cds_of, record


@pytest.fixture
def phix_bases(examples: Path) -> str:
    return str(SeqIO.read(examples / "phiX174.gbk", "genbank").seq)


def fasta(name: str, bases: str) -> tuple[GenintResult, Original]:
    original = read_original(f">{name}\n{bases}\n".encode(), "x.fasta")
    genome = decide(call_genes(original.genome))
    return build_result(summarise(genome), load_confidence()), original


@pytest.mark.parametrize(
    "name",
    [
        "gi|9626372|ref|NC_001422.1| Coliphage phiX174",
        "NODE_1_length_5386_cov_33.123456;left",
        "contig/1,2(3)",
        "a=b;c:d",
        "\"quo'te<b>",
        "x" * 90,
        "12345",
        "bp DNA linear",
        "LOCUS",
        "//",
        "phage [topology=circular]",
    ],
)
def test_whatever_the_name_both_libraries_read_the_record(name: str, phix_bases: str) -> None:
    result, original = fasta(name, phix_bases)
    [contig] = original.genome.contigs
    text = render_genbank(result, original)
    found = biopython(text)
    [rust] = gb_io.load(io.BytesIO(text.encode()))
    assert found.id == rust.accession == contig.id
    assert str(found.seq) == bytes(rust.sequence).decode().upper() == contig.bases
    assert len(found.features) == len(rust.features) == 2 * len(result.genes) + 1
    assert found.annotations["topology"] == result.records[0].topology
    again = read_original(text.encode(), "x.gbk").genome
    assert [contig.id for contig in again.contigs] == [contig.id]
    assert [(one.id, one.protein) for one in again.genes] == [
        (one.id, one.translation) for one in result.genes
    ]


def test_names_that_become_alike_are_told_apart(phix_bases: str) -> None:
    names = ("ph\u0434ge", "ph\u0436ge", "ph?ge_2", "\u0301", "x" * 20, "record_5")
    text = "".join(f">{name}\n{phix_bases}\n" for name in names)
    original = read_original(text.encode(), "x.fasta")
    result = build_result(summarise(decide(call_genes(original.genome))), load_confidence())
    rendered = render_genbank(result, original)
    found = list(SeqIO.parse(io.StringIO(rendered), "genbank"))
    accessions = ["ph?ge", "ph?ge_3", "ph?ge_2", "record_4", "x" * 20, "record_5"]
    assert [one.annotations["accessions"] for one in found] == [[name] for name in accessions]
    assert len({one.name for one in found}) == len(names)
    tags = [
        tag
        for one in found
        for feature in one.features
        if feature.type == "CDS"
        for tag in feature.qualifiers["locus_tag"]
    ]
    assert len(set(tags)) == len(tags) == len(result.genes)
    again = read_original(rendered.encode(), "x.gbk").genome
    assert [contig.id for contig in again.contigs] == accessions
    assert [gene.id for gene in again.genes] == tags


def test_record_says_by_what_it_was_made(phix_bases: str) -> None:
    result, original = fasta("x1", phix_bases)
    comment = biopython(render_genbank(result, original)).annotations["comment"]
    told = " ".join(comment.split())
    assert told.startswith(f"Annotated by genint {result.genint_version} from x.fasta (sha256")
    assert "Databases: Pfam 35.0 (CC0)." in told
    assert result.parameters.confidence_basis in told
    assert " ".join(level_sentences(result.parameters)) in told


def located(parts: tuple[Span, ...], **fields: Any) -> str:
    """Location and reading frame of a predicted gene that lies at these places."""
    result, original = fasta("x1", BASES * 20)
    record_item = result.records[0].model_copy(update={"topology": "circular"})
    item = gene_at(parts, **fields)
    result = result.model_copy(update={"genes": (item,), "records": (record_item,)})
    text = render_genbank(result, original)
    [_, gene, cds] = biopython(text).features
    assert gene.location == cds.location
    assert cds.qualifiers["codon_start"] == [str(item.codon_start)]
    return next(line.split()[1] for line in text.split("\n") if line.startswith("     CDS"))


def gene_at(parts: tuple[Span, ...], **fields: Any) -> GeneItem:
    result, _ = annotated(record(("CDS 1..30", ['/locus_tag="T_01"'])))
    place = {"record": "x1", "parts": parts, "start": parts[0].start, "end": parts[-1].end}
    update = {"called_by": CalledBy.PYRODIGAL, **place, **fields}
    return result.genes[0].model_copy(update=update)


def test_cut_genes_are_marked_at_the_cut_end_and_keep_their_frame() -> None:
    forward = (Span(start=1, end=30, strand="+"),)
    assert located(forward, partial_5=True, codon_start=2) == "<1..30"
    reverse = (Span(start=1, end=30, strand="-"),)
    assert located(reverse, partial_3=True) == "complement(<1..30)"


def test_genes_over_the_origin_are_cut_there() -> None:
    assert located((Span(start=1171, end=30, strand="+"),)) == "join(1171..1200,1..30)"
    reverse = (Span(start=1171, end=30, strand="-"),)
    assert located(reverse) == "complement(join(1171..1200,1..30))"


def test_a_predicted_pseudogene_has_no_translation() -> None:
    result, original = fasta("x1", BASES * 20)
    item = gene_at((Span(start=1, end=30, strand="+"),), pseudo=True)
    text = render_genbank(result.model_copy(update={"genes": (item,)}), original)
    assert "translation" not in cds_of(text).qualifiers
    assert "pseudo" in cds_of(text).qualifiers


def test_rna_genes_of_a_result_are_written() -> None:
    result, original = fasta("x1", BASES * 20)
    rna = RnaGeneItem(
        id="r1", record="x1", start=40, end=50, strand="-", kind="tRNA", product="tRNA-Met",
        name=None, locus_tag="r1", pseudo=True,
    )  # fmt: skip
    told = result.model_copy(update={"genes": (), "rna_genes": (rna,)})
    [_, feature] = biopython(render_genbank(told, original)).features
    assert (feature.type, int(feature.location.strand)) == ("tRNA", -1)
    assert feature.qualifiers["product"] == ["tRNA-Met"]
