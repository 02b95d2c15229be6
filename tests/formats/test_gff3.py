"""GFF3 with its bases: the same genes as from GenBank, whatever program wrote it."""

from __future__ import annotations

import gzip
import io
import re

import pytest
from Bio import SeqIO
from Bio.SeqFeature import AfterPosition, BeforePosition

from genint.errors import FormatError
from genint.formats import read_genome_bytes, read_original, with_genes
from genint.model.genome import FileFormat, Topology

BASES = "ATGAAACCCGGGTTTTAACCATGACATCATCATTAACC" + "ACGT" * 20
HEAD = "##gff-version 3\n"


def row(kind, start, end, strand="+", phase="0", attributes="ID=a", record="one"):
    return "\t".join((record, "test", kind, str(start), str(end), ".", strand, phase, attributes))


def read(*rows, bases=BASES, header="one", more=""):
    text = HEAD + more + "\n".join(rows) + f"\n##FASTA\n>{header}\n{bases}\n"
    return read_genome_bytes(text.encode(), "x.gff3")


def gff3_of(record) -> str:
    """A record of GenBank as NCBI writes it: rows of genes and of their products."""
    lines = [
        HEAD
        + f"{record.id}\tRefSeq\tregion\t1\t{len(record)}\t.\t+\t.\tID=r"
        + (";Is_circular=true" if record.annotations.get("topology") == "circular" else "")
    ]
    for number, feature in enumerate(record.features):
        if feature.type not in {"gene", "CDS", "tRNA", "rRNA", "tmRNA", "ncRNA"}:
            continue
        values = {"ID": [f"{feature.type}-{number}"]} | {
            {"note": "Note", "db_xref": "Dbxref"}.get(name, name): found
            for name, found in feature.qualifiers.items()
            if name not in {"codon_start"}
        }
        if "pseudo" in feature.qualifiers:
            values["pseudo"] = ["true"]
        escaped = {
            name: ",".join(
                re.sub("[%;=,&\t]", lambda one: f"%{ord(one[0]):02X}", text) for text in found
            )
            for name, found in values.items()
        }
        told = ";".join(f"{name}={text}" for name, text in escaped.items())
        phase = int(feature.qualifiers.get("codon_start", ["1"])[0]) - 1
        for part in feature.location.parts:
            open_ends = ";start_range=.,1" if type(part.start) is BeforePosition else ""
            open_ends += ";end_range=1,." if type(part.end) is AfterPosition else ""
            strand = "-" if part.strand == -1 else "+"
            place = str(int(part.start) + 1), str(int(part.end))
            lines.append(
                "\t".join(
                    (
                        record.id,
                        "RefSeq",
                        feature.type,
                        *place,
                        ".",
                        strand,
                        str(phase),
                        told + open_ends,
                    )
                )
            )
            phase = 0
    return "\n".join(lines) + "\n"


def _tag(gene):
    """Of the file; of GFF3 rows without one it is the ID, which GenBank has not."""
    return None if (gene.locus_tag or "").startswith("CDS-") else gene.locus_tag


def genes_of(genome):
    return [
        (gene.location, gene.protein, _tag(gene), gene.symbol, gene.product, gene.pseudo,
         gene.codon_start, gene.translation_table, gene.protein_id)
        for gene in genome.genes
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["lambda_NC_001416.gb", "phiX174_NC_001422.gb", "VT2Sakai_NC_000902.gbk",
     "M_mycoides_GM12_NZ_CP001668.gbff.gz"],
)  # fmt: skip
def test_genes_are_those_of_the_same_record_in_genbank(shared_data, name):
    content = (shared_data / "genomes" / name).read_bytes()
    plain = gzip.decompress(content) if name.endswith(".gz") else content
    record = SeqIO.read(io.StringIO(plain.decode()), "genbank")
    table = gff3_of(record).encode()
    fasta = f">{record.id}\n{record.seq}\n".encode()
    there = read_genome_bytes(with_genes((fasta, "x.fna"), (table, "x.gff3")), "x.gff3")
    here = read_genome_bytes(content, name)
    assert there.source.format is FileFormat.GFF3
    assert there.contigs[0].topology is here.contigs[0].topology
    assert genes_of(there) == genes_of(here)
    assert [rna.location for rna in there.contigs[0].rna_genes] == [
        rna.location for rna in here.contigs[0].rna_genes
    ]


def test_names_of_all_dialects_are_read():
    genome = read(
        row("gene", 1, 18, attributes="ID=gene-T1;locus_tag=T1;gene=abcA"),
        row("CDS", 1, 18, attributes="ID=cds-P1;Parent=gene-T1;Name=P1;product=a%3B b, c"),
        row("CDS", 21, 38, attributes="ID=B_2;Name=phage tail protein;locus_tag=B_2"),
        bases=BASES,
    )
    first, second = genome.genes
    assert (first.locus_tag, first.symbol, first.product) == ("T1", "abcA", "a; b, c")
    assert (second.locus_tag, second.product) == ("B_2", "phage tail protein")
    assert first.protein == "MKPGF"


def test_what_genint_wrote_on_an_earlier_run_is_left_out():
    told = "ID=a;product=x;confidence=HIGH;confidence_score=0.9;genint_basis=file;Note=genint: dark"
    [gene] = read(row("CDS", 1, 18, attributes=told)).genes
    assert (gene.product, gene.values("note")) == ("x", ())


def test_a_product_that_genint_gave_is_none_of_the_file():
    told = "ID=a;locus_tag=a;product=x;genint_added=product;genint_basis=evidence"
    [gene] = read(row("CDS", 1, 18, attributes=told)).genes
    assert gene.product is None


def test_a_gene_without_a_tag_is_called_by_its_id_and_a_name_that_is_an_id_is_no_product():
    genome = read(row("CDS", 1, 18, attributes="ID=1_1;Name=1_1;partial=00;score=9"))
    [gene] = genome.genes
    assert (gene.id, gene.product) == ("1_1", None)
    assert gene.values("note") == ("score: 9",)


def test_parts_phases_and_the_reverse_strand_are_put_together():
    genome = read(
        row("CDS", 11, 18, attributes="ID=c"),
        row("CDS", 1, 9, attributes="ID=c"),
        row("CDS", 21, 38, "-", attributes="ID=d"),
        row("CDS", 2, 18, phase="2", attributes="ID=e;start_range=.,2"),
    )
    joined, back, partial = genome.genes
    assert [len(part.interval) for part in joined.location.parts] == [9, 8]
    assert back.strand.value in {-1, "-"}
    assert partial.codon_start == 3


@pytest.mark.parametrize(
    "rows",
    [
        [row("CDS", 110, 118 + 9, attributes="ID=o")],
        [row("CDS", 1, 9, attributes="ID=o"), row("CDS", 110, 118, attributes="ID=o")],
    ],
)
def test_a_gene_over_the_origin_of_a_circle_is_one(rows):
    circle = row("region", 1, 118, attributes="ID=r;Is_circular=true")
    genome = read(circle, *rows)
    assert genome.contigs[0].topology is Topology.CIRCULAR
    [gene] = genome.genes
    assert gene.span.end - gene.span.start == 18
    assert len(genome.contigs[0].coding_bases(gene)) == 18


def test_text_to_write_into_is_genbank_with_the_files_own_words():
    text = HEAD + row("CDS", 1, 18, attributes="ID=a;locus_tag=T1;product=x;mine=5")
    found = read_original(f"{text}\n>one a phage\n{BASES}\n".encode(), "x.gff3")
    assert found.text.startswith("LOCUS       one 118 bp")
    assert '/note="mine: 5"' in found.text
    assert found.text.splitlines()[found.genome.genes[0].line - 1].startswith("     CDS")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (HEAD, None, "holds no bases"),
        (HEAD + row("CDS", 1, 9), None, "holds no bases"),
        (HEAD + "one\ttest\tCDS\n##FASTA\n>one\nACGT\n", 2, "a row has 3 columns"),
        (HEAD + row("CDS", 9, 1) + "\n>one\nACGT\n", 2, "9 to 1 is no place"),
        (HEAD + row("CDS", 1, 9, "x") + "\n>one\nACGTACGTACGT\n", 2, "no strand"),
        (HEAD + row("CDS", 1, 9) + "\n>one\nACGT\n", 2, "ends at 9, but one has 4 bases"),
        (HEAD + row("CDS", 1, 3, record="two") + "\n>one\nACGT\n", 2, "features lie on two"),
        (HEAD + row("CDS", 1, 3, attributes='gene_id "a"') + "\n>one\nACGT\n", 2, "of GTF"),
        (HEAD + row("CDS", 1, 3) + "\n##FASTA\n>one\nAC!T\n", 5, "character '!'"),
        ("##gff-version 2\n", 1, "a GFF file of an older version"),
        (row("CDS", 1, 9), 1, "without a first line ##gff-version 3"),
    ],
)
def test_what_cannot_be_read_is_one_line(text, line, reason):
    with pytest.raises(FormatError, match=re.escape(reason)) as raised:
        read_genome_bytes(text.encode(), "x.gff3")
    assert raised.value.line == line


def test_features_of_records_without_bases_are_a_warning():
    genome = read(row("CDS", 1, 18), row("CDS", 1, 18, record="two", attributes="ID=b"))
    assert len(genome.genes) == 1
    assert "1 features lie on records without bases (the first: two)" in genome.warnings[0].text


def test_bases_and_genes_that_are_exchanged_are_told():
    fasta, table = (b">one\nACGT\n", "x.fna"), (HEAD.encode(), "x.gff3")
    with pytest.raises(FormatError, match="this is GFF3, not FASTA"):
        with_genes(table, fasta)
