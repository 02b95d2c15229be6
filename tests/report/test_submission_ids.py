"""Ids that a file may have and a database refuses are mended alike in fna, tbl and EMBL."""

from __future__ import annotations

import io
import re

import pytest
from Bio import SeqIO

from genint import interpret_genome
from genint.formats import read_original
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.report import render_embl, render_fna, render_genbank, render_tbl
from genint.report.genbank_header import with_division

IDS = ("a|b;c=d,e", "a|b,c=d,e", "x" * 60 + "[1]", "x" * 60 + "[2]", "plain-1:3*#")


@pytest.fixture(scope="module")
def odd(examples):
    bases = "".join((examples / "lambda.fasta").read_text().split("\n")[1:])
    texts = (f">{name}\n{bases[at * 900 : at * 900 + 900]}\n" for at, name in enumerate(IDS))
    payload = Payload("".join(texts).encode(), "odd.fasta")
    return as_result(interpret_genome(payload)), read_original(payload.content, payload.filename)


def test_feature_table_and_fasta_have_the_same_ids_by_the_rules_of_the_ncbi(odd):
    result, _ = odd
    assert [record.id for record in result.records] == list(IDS)
    heads = [line[1:] for line in render_fna(result).splitlines() if line.startswith(">")]
    ids = [head.split()[0] for head in heads]
    assert ids == re.findall(r"^>Feature (.*)$", render_tbl(result), re.MULTILINE)
    assert len(set(ids)) == len(IDS)
    assert all(re.fullmatch(r"[A-Za-z0-9\-_.:*#]{1,50}", one) for one in ids)
    assert ids[0] == "a_b_c_d_e"
    assert "[note=id in the source file: a|b;c=d,e]" in heads[0]
    assert ids[-1] == IDS[-1]
    assert "note=" not in heads[-1]


def test_embl_takes_the_same_ids_and_keeps_those_of_the_file_in_a_note(odd):
    result, original = odd
    records = list(SeqIO.parse(io.StringIO(render_embl(result, original)), "embl"))
    heads = [line for line in render_fna(result).splitlines() if line.startswith(">")]
    assert [one.id for one in records] == [f"{head.split()[0][1:]}.1" for head in heads]
    notes = [one.features[0].qualifiers.get("note") for one in records]
    assert notes[0] == ["id in the source file: a|b;c=d,e"]
    assert notes[-1] is None
    assert [str(one.seq) for one in records] == [one.sequence for one in result.records]


def test_what_only_the_length_of_a_file_suggests_is_no_division(odd):
    result, original = odd
    assert set(re.findall(r"^LOCUS .* (\w{3}) \S+$", render_genbank(result, original), re.M)) == {
        "UNK"
    }
    first = render_embl(result, original).partition("\n")[0]
    assert first == "ID   a_b_c_d_e; SV 1; linear; genomic DNA; STD; UNC; 900 BP."


def test_the_words_of_a_file_decide_its_division(examples):
    bases = "".join((examples / "lambda.fasta").read_text().split("\n")[1:])[:900]
    said = {"Vibrio phage X": ("PHG", "PHG"), "Vibrio sp. chromosome 2": ("BCT", "PRO")}
    for words, (genbank, embl) in said.items():
        payload = Payload(f">a.2 {words}\n{bases}\n".encode(), "a.fasta")
        result = as_result(interpret_genome(payload))
        original = read_original(payload.content, payload.filename)
        assert f" {genbank} " in render_genbank(result, original).partition("\n")[0]
        first = render_embl(result, original).partition("\n")[0]
        assert first == f"ID   a; SV 2; linear; genomic DNA; STD; {embl}; 900 BP."


def test_genes_of_the_virion_decide_the_division_where_no_word_does(examples):
    bases = "".join((examples / "lambda.fasta").read_text().split("\n")[1:])
    divisions = []
    for part in (bases[:9_000], bases[28_500:37_500]):  # from terminase to tail; the rest
        payload = Payload(f">a\n{part}\n".encode(), "a.fasta")
        result = as_result(interpret_genome(payload))
        original = read_original(payload.content, payload.filename)
        divisions.append(render_genbank(result, original).split("\n")[0].split()[-2])
    assert divisions == ["PHG", "UNK"]


@pytest.mark.parametrize(
    ("division", "written"),
    [
        ("UNK", "PHG"),
        ("UNC", "PHG"),
        ("CON", "PHG"),
        ("   ", "PHG"),
        ("BCT", "BCT"),
        ("ENV", "ENV"),
    ],
)
def test_a_record_of_the_file_keeps_a_division_that_says_something(division, written, phix_result):
    line = "LOCUS       NC_001422               5386 bp    DNA     circular {} 12-APR-2018"
    (record,) = phix_result.records
    assert with_division(line.format(division), phix_result, record) == line.format(written)
