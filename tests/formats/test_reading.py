"""One genome in many wrappings gives one result; what is not a genome is named."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import zipfile

import pytest

from genint.errors import FormatError
from genint.formats import FastaParser, GenBankParser, read_genome, read_genome_bytes
from genint.model import FileFormat

FASTQ = "@read1\nACGT\n+\nIIII\n"


@pytest.mark.parametrize("name", ["phiX174.gbk", "lambda.fasta"])
@pytest.mark.parametrize(
    "wrap",
    [
        gzip.compress,
        bz2.compress,
        lambda raw: gzip.compress(raw[:900]) + gzip.compress(raw[900:]),
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: raw.replace(b"\n", b"\r"),
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.decode().encode("utf-16"),
        lambda raw: b"\n \n\n" + raw,
        lambda raw: raw + b"\n\n",
    ],
    ids=["gzip", "bzip2", "members", "CRLF", "CR", "BOM", "UTF-16", "blank lines", "blank end"],
)
def test_wrapping_does_not_change_the_genome(examples, name, wrap):
    raw = (examples / name).read_bytes()
    plain = read_genome_bytes(raw, name)
    wrapped = read_genome_bytes(wrap(raw), name)
    assert wrapped.contigs == plain.contigs
    assert wrapped.warnings == plain.warnings


def test_example_has_eleven_genes_with_gene_a_in_one_piece(examples):
    genome = read_genome(examples / "phiX174.gbk")
    assert len(genome.genes) == 11
    [part] = genome.genes[0].location.parts
    assert part.interval.one_based(5386) == (3981, 136)
    assert genome.warnings == ()


def test_source_names_the_file_and_digests_its_bytes_as_given(examples, tmp_path):
    raw = gzip.compress((examples / "lambda.fasta").read_bytes())
    path = tmp_path / "lambda.fasta.gz"
    path.write_bytes(raw)
    source = read_genome(path).source
    assert source.filename == "lambda.fasta.gz"
    assert source.sha256 == hashlib.sha256(raw).hexdigest()
    assert source.format is FileFormat.FASTA


def test_latin_1_names_are_read_with_a_warning(genbank, read):
    text = genbank('CDS 1..30\n/product="prot\u00e9ine"\n/translation="MKRLAEYDL"')
    latin, utf8 = read(text.encode("latin-1")), read(text)
    assert latin.contigs == utf8.contigs
    assert latin.genes[0].product == "prot\u00e9ine"
    assert [(w.code, w.line) for w in latin.warnings] == [("not_utf8", 10)]


def test_format_is_known_by_content_whatever_the_name(examples):
    raw = (examples / "phiX174.gbk").read_bytes()
    assert read_genome_bytes(raw, "genome.fasta").source.format is FileFormat.GENBANK


def test_each_parser_refuses_the_other_format(examples):
    assert len(GenBankParser().parse(examples / "phiX174.gbk").genes) == 11
    assert FastaParser().parse(str(examples / "lambda.fasta")).length_bp == 48502
    with pytest.raises(FormatError, match="this is FASTA, not GenBank"):
        GenBankParser().parse(examples / "lambda.fasta")
    with pytest.raises(FormatError, match="this is GenBank, not FASTA"):
        FastaParser().parse(examples / "phiX174.gbk")


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.fasta", ">a\nACGT\n")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("", "is empty"),
        (" \n\t\n", "nothing but blanks"),
        ("\ufeff\n", "no text"),
        ("ID   X56734; SV 1; linear; mRNA; STD; PLN; 1859 BP.\nXX\n", "EMBL"),
        ("ID   001R_FRG3G   Reviewed;   256 AA.\nAC   Q6GZX4;\n", "UniProt"),
        ("##gff-version 3\nc1\tp\tCDS\t1\t9\t.\t+\t0\tID=a\n", "GFF"),
        ("c1\tp\tCDS\t1\t9\t.\t+\t0\tID=a\n", "GFF"),
        (FASTQ, "FASTQ"),
        ("@HD\tVN:1.6\n@SQ\tSN:c1\tLN:9\n", "SAM"),
        ("##fileformat=VCFv4.2\n", "VCF"),
        ("CLUSTAL W (1.83)\n\na ACGT\n", "Clustal"),
        ("# STOCKHOLM 1.0\n", "Stockholm"),
        ("#NEXUS\n", "NEXUS"),
        (" 2 8\nseq1 ACGTACGT\n", "PHYLIP"),
        ("HMMER3/f [3.3]\n", "HMM"),
        (">Feature gb|X1|\n1\t9\tgene\n", "feature table"),
        ("Seq-entry ::= set {\n", "ASN.1"),
        ("<!DOCTYPE html><html></html>", "web page"),
        ('<?xml version="1.0"?><INSDSet/>', "XML"),
        ('{"a": 1}', "JSON"),
        ("a\tb\n1\t2\n", "a table"),
        ("ACGTACGTACGT\nACGT\n", "without a header"),
        ("FEATURES             Location/Qualifiers\n", "without its LOCUS line"),
        ("once upon a time\n", "neither GenBank, FASTA nor GFF3"),
        (b"%PDF-1.7", "PDF"),
        (zipped(), "zip"),
        (b"ABIF\x00\x65", "ABI"),
        (b"\x09\x00\x00\x00\x14SnapGene", "SnapGene"),
        (gzip.compress(b"BAM\x01\x00", mtime=0), "BAM"),
        (gzip.compress(gzip.compress(b">a\nACGT\n", mtime=0), mtime=0), "gzip file inside"),
        (b">a\nAC\x00GT", "binary"),
        (b"\xff\xfe>\x00a", "UTF-16"),
        (gzip.compress(b">a\nACGT\n" * 99, mtime=0)[:-9], "cut off"),
        (bz2.compress(b">a\nACGT\n" * 99)[:-9], "cut off"),
        (gzip.compress(b">a\nACGT\n" * 99, mtime=0)[:12] + b"garbage garbage", "damaged"),
    ],
)
def test_what_is_no_genome_is_named_with_a_cure(payload, reason):
    raw = payload.encode() if isinstance(payload, str) else payload
    with pytest.raises(FormatError) as caught:
        read_genome_bytes(raw, "/home/user/input.gb")
    assert reason in caught.value.reason
    assert caught.value.source == "input.gb"
    assert caught.value.cure
    assert "\n" not in str(caught.value)


def test_text_over_the_limit_is_refused_while_unpacking():
    payload = gzip.compress(b">a\n" + b"ACGT" * 1000)
    with pytest.raises(FormatError, match="holds more than"):
        read_genome_bytes(payload, "a.fa.gz", max_bytes=1000)
    with pytest.raises(FormatError, match="holds more than"):
        read_genome_bytes(gzip.decompress(payload), "a.fa", max_bytes=1000)


def test_bomb_is_refused_long_before_the_limit():
    with pytest.raises(FormatError, match="200 times"):
        read_genome_bytes(gzip.compress(bytes(80 << 20), 1), "bomb.gz")


def test_file_that_cannot_be_opened_is_a_format_error(tmp_path):
    for path, reason in ((tmp_path / "none.gb", "no such file"), (tmp_path, "folder")):
        with pytest.raises(FormatError, match=reason):
            read_genome(path)


@pytest.mark.parametrize(
    "raw", [b">a\nACGTACGT\n" * 1100, (b">a\n" + b"ACGT" * 20 + b"\n") * 100_100]
)
def test_heap_of_reads_or_primers_is_no_genome(raw):
    with pytest.raises(FormatError, match="records"):
        read_genome_bytes(raw, "heap.fa")
