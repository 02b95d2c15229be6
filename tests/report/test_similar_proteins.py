"""A similar protein in every report: which one, whose, and how similar."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
from dataclasses import replace

import pytest

from genint.interpret import ScoringModel, interpret, novel_genes
from genint.knowledge import load_confidence, load_own_families, load_products, load_roles
from genint.model import EvidenceSource, InterpretationSummary, ReferenceEntry, SimilarityHit
from genint.report import (
    GeneItem,
    GenintResult,
    build_result,
    cross_references,
    data_blocks,
    inferences,
    note,
    render_gff3,
    render_json,
    render_markdown,
    render_tsv,
)
from genint.sources import homology

ENTRY = ReferenceEntry(
    "P12345", "Threonine synthase", organism="Escherichia coli", length_aa=432, existence=1
)


def hit(gene_id: str, *, identity: float = 0.63, coverage: float = 0.98) -> SimilarityHit:
    return SimilarityHit(
        gene_id=gene_id,
        source=EvidenceSource.SWISSPROT,
        database="Swiss-Prot 2026_03",
        entry=ENTRY,
        evalue=1e-100,
        score_bits=700.0,
        identity=identity,
        protein_from=1,
        protein_to=180,
        target_from=3,
        target_to=430,
        protein_coverage=coverage,
        target_coverage=coverage,
    )


def result_of(summary: InterpretationSummary, **changes: float) -> GenintResult:
    """A genome of which nothing is known but one similar protein."""
    judgement = ScoringModel(load_confidence(), load_roles(), load_products())
    [contig] = summary.genome.contigs
    bare = replace(contig, genes=(replace(contig.genes[0], product=None, qualifiers=()),))
    genome = replace(summary.genome, contigs=(bare,))
    seen = homology.observe(
        genome.genes,
        [hit(genome.genes[0].id, **changes)],
        load_own_families(),
        judgement.products,
    )
    results = interpret(genome, seen, (), judgement)
    told = replace(summary, genome=genome, results=results, novel_gene_report=novel_genes(results))
    return build_result(told, load_confidence())


@pytest.fixture(scope="module")
def result(phix_summary: InterpretationSummary) -> GenintResult:
    return result_of(phix_summary)


@pytest.fixture(scope="module")
def gene(result: GenintResult) -> GeneItem:
    [only] = result.genes
    return only


def test_the_result_holds_the_similar_protein(result: GenintResult) -> None:
    [told] = json.loads(render_json(result))["genes"][0]["evidence"]
    assert told["similar"] == {
        "name": "Threonine synthase",
        "organism": "Escherichia coli",
        "length_aa": 432,
        "identity": 0.63,
        "start": 3,
        "end": 430,
        "existence": 1,
    }
    assert (told["accession"], told["eco"]) == ("P12345", "ECO:0000249")
    assert (told["type"], told["source"]) == ("homology", "swissprot")


def test_other_observations_have_no_similar_protein(phix_result: GenintResult) -> None:
    assert all(item.similar is None for gene in phix_result.genes for item in gene.evidence)


def test_an_inference_names_it(gene: GeneItem, result: GenintResult) -> None:
    assert "similar to AA sequence:UniProtKB/Swiss-Prot:P12345" in inferences(gene, result)


def test_only_the_very_protein_is_a_cross_reference(
    gene: GeneItem, phix_summary: InterpretationSummary
) -> None:
    assert cross_references(gene) == ()
    [same] = result_of(phix_summary, identity=1.0, coverage=1.0).genes
    assert cross_references(same) == ("UniProtKB/Swiss-Prot:P12345",)
    [part] = result_of(phix_summary, identity=1.0, coverage=0.9).genes
    assert cross_references(part) == ()


def test_the_note_of_flat_files_tells_name_organism_and_identity(gene: GeneItem) -> None:
    told = "Swiss-Prot 2026_03 P12345 [Threonine synthase, Escherichia coli, 63% identical]"
    assert told in note(gene)


def test_gff3_tells_it_too(result: GenintResult) -> None:
    written = render_gff3(result)
    assert "P12345" in written
    assert "63%25 identical" in written


def test_a_table_has_it_in_columns_of_its_own(
    result: GenintResult, phix_result: GenintResult
) -> None:
    [row] = csv.DictReader(io.StringIO(render_tsv(result)), delimiter="\t")
    assert row["similar_to"] == "P12345 Threonine synthase [Escherichia coli]"
    assert row["similar_identity"] == "0.63"
    others = csv.DictReader(io.StringIO(render_tsv(phix_result)), delimiter="\t")
    assert {(row["similar_to"], row["similar_identity"]) for row in others} == {("", "")}


def test_markdown_tells_it_in_evidence_and_reasoning(result: GenintResult) -> None:
    written = render_markdown(result)
    assert "Threonine synthase, Escherichia coli" in written
    assert "63% identical over residues 1-180" in written


def test_the_page_links_the_entry(result: GenintResult) -> None:
    [island] = [island for island in data_blocks(result).packed if island.kind == "details"]
    told = json.loads(gzip.decompress(base64.b64decode(island.content)))
    assert dict(told["links"])["P12345"] == "https://www.uniprot.org/uniprotkb/P12345/entry"
    assert told["genes"][0]["evidence"][0]["similar"]["organism"] == "Escherichia coli"
