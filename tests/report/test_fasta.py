"""FASTA of proteins, genes and records: read back by Biopython, consistent with one another."""

from __future__ import annotations

import io
import json

import pytest
from Bio import SeqIO

from genint.errors import InputError
from genint.model.sequence import translate
from genint.report import (
    FORMATS,
    parse_result,
    render,
    render_faa,
    render_ffn,
    render_fna,
    render_gff3_fasta,
    render_json,
)

WITH_BASES = ("ffn", "fna", "gff3-fasta")


def read(text):
    return {entry.id: entry for entry in SeqIO.parse(io.StringIO(text), "fasta")}


def test_every_gene_translates_to_its_protein(real):
    result = real.result
    genes, proteins = read(render_ffn(result)), read(render_faa(result))
    assert len(genes) == len(result.genes) + len(result.rna_genes)
    checked = 0
    for gene in result.genes:
        if gene.pseudo or not gene.translation or gene.called_by == "genbank":
            continue
        coding = str(genes[gene.id].seq)[gene.codon_start - 1 :]
        made = translate(coding, gene.translation_table)
        protein = str(proteins[gene.id].seq)
        assert made.rstrip("*")[1:] == protein[1:], gene.id
        assert protein == gene.translation
        checked += 1
    predicted = [gene for gene in result.genes if gene.called_by != "genbank" and not gene.pseudo]
    assert checked == sum(bool(gene.translation) for gene in predicted)


def test_proteins_are_those_of_all_genes_but_pseudogenes(phix_result):
    proteins = read(render_faa(phix_result))
    assert {name: str(one.seq) for name, one in proteins.items()} == {
        gene.id: gene.translation for gene in phix_result.genes if not gene.pseudo
    }


def test_genes_over_the_origin_and_joined_ones_are_whole(phix_result):
    over = [gene for gene in phix_result.genes if gene.end < gene.start]
    assert over
    genes = read(render_ffn(phix_result))
    for gene in over:
        assert translate(str(genes[gene.id].seq), 11) == gene.translation + "*"


def test_headers_are_an_id_and_the_product_of_the_file(phix_result):
    for text in (render_faa(phix_result), render_ffn(phix_result)):
        headers = [line[1:] for line in text.splitlines() if line.startswith(">")]
        expected = [f"{gene.id} {gene.product}" for gene in phix_result.genes]
        assert sorted(headers) == sorted(expected)


def test_records_are_those_of_the_file(phix_result, examples):
    record = SeqIO.read(str(examples / "phiX174.gbk"), "genbank")
    (written,) = read(render_fna(phix_result)).values()
    assert written.seq == record.seq
    assert written.description.endswith("[gcode=11] [topology=circular]")


def test_gff3_and_its_sequences_name_records_alike(nasty_result):
    rows, _, fasta = render_gff3_fasta(nasty_result).partition("##FASTA\n")
    assert rows == render(nasty_result, "gff3")
    seqids = {line.split("\t")[0] for line in rows.splitlines() if not line.startswith("#")}
    assert seqids == {line[1:] for line in fasta.splitlines() if line.startswith(">")}


@pytest.mark.parametrize("name", WITH_BASES)
def test_a_result_without_sequences_says_what_to_do(phix_result, name):
    value = json.loads(render_json(phix_result)) | {"schema_version": "1.8"}
    for record in value["records"]:
        del record["sequence"]
    assert FORMATS[name].needs_original is False
    with pytest.raises(InputError, match="older genint; interpret the genome again"):
        render(parse_result(json.dumps(value).encode()), name)
