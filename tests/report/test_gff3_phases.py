from pathlib import Path

import pytest
from Bio.Seq import Seq

from genint.formats import read_genome_bytes
from genint.knowledge import load_confidence
from genint.report import build_result, on_both_strands, render_gff3
from tests.builders.results import summarise

from .gff3_reading import Line, parts_of, rows
from .real_genomes import Interpreted, interpreted


def reading_frame(line: Line, before_bp: int, codon_start: int) -> bool:
    """Whether the phase of a part points at a codon's first base."""
    return (before_bp + int(line.phase) - (codon_start - 1)) % 3 == 0


def coding_bases(lines: list[Line], bases: str) -> str:
    """Bases of the rows one after the other, each on its strand."""
    circle = bases + bases
    pieces = (Seq(circle[line.start - 1 : line.end]) for line in lines)
    signs = (line.strand for line in lines)
    return "".join(
        str(piece if sign == "+" else piece.reverse_complement())
        for piece, sign in zip(pieces, signs, strict=True)
    )


def wrong_frames(found: Interpreted) -> list[str]:
    """Genes whose rows do not read as the protein of the result."""
    parts = parts_of(render_gff3(found.result))
    bases = {contig.id: contig.bases for contig in found.genome.contigs}
    wrong = []
    for gene in found.result.genes:
        lines = parts[gene.id]
        if gene.pseudo or not gene.translation:
            continue
        before_bp = 0
        for line in lines:
            if not reading_frame(line, before_bp, gene.codon_start):
                wrong.append(f"{gene.id}: phase")
            before_bp += line.end - line.start + 1
        coding = coding_bases(lines, bases[gene.record])[int(lines[0].phase) :]
        whole = coding[: len(coding) // 3 * 3]
        read = str(Seq(whole).translate(table=gene.translation_table)).removesuffix("*")
        if len(coding) % 3 and not gene.partial:
            wrong.append(f"{gene.id}: length")
        # the first codon reads M, and stops that are read through as selenocysteine
        told = gene.translation.replace("U", "*")
        if (read[1:] if not gene.partial_5 else read) != (told[1:] if not gene.partial_5 else told):
            wrong.append(f"{gene.id}: protein")
    return wrong


@pytest.mark.parametrize(
    "real",
    [
        "lambda_NC_001416.gb",
        "T7_NC_001604.gb",
        "phiX174_NC_001422.gb",
        "phiX174.fasta",
        "odd_chloroplast_NC_000932_transsplice.gb",
        "odd_pDCAF3.gbk",
        "odd_influA_8segments.gbff",
        "M_mycoides_GM12_NZ_CP001668.gbff.gz",
    ],
    indirect=True,
)
def test_the_rows_of_a_gene_translate_to_its_protein(real: Interpreted):
    assert wrong_frames(real) == []


def test_the_rows_of_the_examples_translate_to_their_proteins(examples: Path):
    for name in ("phiX174.gbk", "lambda.fasta"):
        assert wrong_frames(interpreted(examples / name)) == []


SPLICED = """LOCUS       spliced                   60 bp    DNA     linear   PHG 01-JAN-2000
FEATURES             Location/Qualifiers
     CDS             complement(join(<4..14,20..28,40..>50))
                     /locus_tag="minus"
                     /codon_start=3
     CDS             join(<4..14,20..28,40..>50)
                     /locus_tag="plus"
                     /codon_start=2
ORIGIN
        1 gcatgaccga tgcatcgatg gcaacctgca tgcatgccta gcagtcatgc aacgtgcaac
//
"""


def test_rows_of_trans_spliced_genes_come_from_5_to_3_prime(shared_data: Path):
    name = "odd_chloroplast_NC_000932_transsplice.gb"
    found = interpreted(shared_data / "genomes" / name)
    text = render_gff3(found.result)
    parts = parts_of(text)
    assert {
        gene: [(line.start, line.end, line.strand, line.phase) for line in parts[gene]]
        for gene in ("ArthCp001", "ArthCp047")
    } == {
        "ArthCp047": [
            (69611, 69724, "-", "0"), (139856, 140087, "+", "0"), (140625, 140650, "+", "2")
        ],
        "ArthCp001": [
            (69611, 69724, "-", "0"), (98562, 98793, "-", "0"), (97999, 98024, "-", "2")
        ],
    }  # fmt: skip
    excepted = {line.attributes["Name"][0] for line in rows(text) if "exception" in line.attributes}
    assert excepted == {"rps12"}


def test_parts_on_both_strands_are_an_exception_only_where_the_file_says_so(shared_data: Path):
    found = interpreted(shared_data / "genomes" / "odd_pDCAF3.gbk")
    assert any(on_both_strands(gene) for gene in found.result.genes)
    assert "exception=" not in render_gff3(found.result)


def test_parts_against_the_order_of_their_strand_are_numbered(shared_data: Path):
    found = interpreted(shared_data / "genomes" / "odd_shady_nonascii.gbk")
    numbers = {
        gene: [(line.start, line.attributes["part"], line.phase) for line in lines]
        for gene, lines in parts_of(render_gff3(found.result)).items()
        if "part" in lines[0].attributes
    }
    assert numbers == {"CPT_Shady_200528_012": [(7876, ["1"], "0"), (7557, ["2"], "2")]}


def test_phases_follow_the_order_of_transcription_on_both_strands():
    genome = read_genome_bytes(SPLICED.encode(), "spliced.gb")
    result = build_result(summarise(genome), load_confidence())
    parts = parts_of(render_gff3(result))
    # 11, 9 and 11 bases; codon_start 2 skips one base, codon_start 3 two
    assert [(line.start, line.phase) for line in parts["plus"]] == [(4, "1"), (20, "2"), (40, "2")]
    assert [(line.start, line.phase) for line in parts["minus"]] == [(40, "2"), (20, "0"), (4, "0")]
    low, middle, high = parts["plus"]
    assert low.attributes["start_range"] == [".", "4"]
    assert high.attributes["end_range"] == ["50", "."]
    assert not {"start_range", "end_range"} & middle.attributes.keys()
    assert wrong_frames(Interpreted(Path("spliced.gb"), genome, result)) == []
