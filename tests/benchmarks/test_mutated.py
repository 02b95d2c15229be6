"""The second strain of the benchmark of kept results."""

import io
import random

import pytest
from Bio import SeqIO
from Bio.Seq import Seq
from Bio.SeqFeature import SeqFeature, SimpleLocation
from Bio.SeqRecord import SeqRecord

from benchmarks.search.mutated import mutate
from genint.formats import read_genome_bytes

CODONS = 60


def record_with_genes(count: int = 10) -> SeqRecord:
    """Genes on both strands, the first two of them overlapping by 30 bases."""
    chance = random.Random(4)
    bases = []
    record = SeqRecord(Seq(""), id="made", name="made", annotations={"molecule_type": "DNA"})
    at = 0
    for number in range(count):
        inner = chance.choices(("GCT", "AAA", "GAT", "CTG", "ACC"), k=CODONS - 2)
        gene = Seq("ATG" + "".join(inner) + "TAA")
        strand = 1 if number % 3 else -1
        bases.append(str(gene if strand == 1 else gene.reverse_complement()))
        start = at
        at += len(gene)
        record.features.append(
            SeqFeature(
                SimpleLocation(start, at, strand),
                type="CDS",
                qualifiers={
                    "locus_tag": [f"g{number}"],
                    "translation": [str(gene.translate())[:-1]],
                },
            )
        )
    record.seq = Seq("".join(bases))
    return record


def proteins(record: SeqRecord) -> list[str]:
    return [feature.qualifiers["translation"][0] for feature in record.features]


def test_as_many_proteins_change_as_asked_for():
    record = record_with_genes()
    before = proteins(record)
    done = mutate(record, 0.3)
    changed = sum(old != new for old, new in zip(before, proteins(record), strict=True))
    assert (done.genes, done.changed, changed) == (10, 3, 3)


def test_the_same_seed_makes_the_same_strain():
    first, second, other = record_with_genes(), record_with_genes(), record_with_genes()
    mutate(first, 0.5)
    mutate(second, 0.5)
    mutate(other, 0.5, seed=2)
    assert first.seq == second.seq != other.seq


def test_translations_are_those_of_the_mutated_genes():
    record = record_with_genes()
    mutate(record, 1.0)
    text = io.StringIO()
    SeqIO.write([record], text, "genbank")
    genome = read_genome_bytes(text.getvalue().encode(), "made.gbk")
    assert [gene.protein for gene in genome.genes] == proteins(record)
    assert genome.warnings == ()


def test_codons_that_two_genes_share_stay():
    record = record_with_genes(2)
    inside = record.features[0].location
    whole = SimpleLocation(int(inside.start), int(inside.end), -inside.strand)
    record.features.append(SeqFeature(whole, type="CDS", qualifiers={"locus_tag": ["nested"]}))
    before = record.seq[int(inside.start) : int(inside.end)]
    mutate(record, 1.0)
    assert record.seq[int(inside.start) : int(inside.end)] == before


@pytest.mark.parametrize("mark", ["pseudo", "transl_except", "ribosomal_slippage"])
def test_genes_that_are_not_simply_read_off_stay(mark):
    record = record_with_genes()
    before = proteins(record)
    for feature in record.features:
        feature.qualifiers[mark] = [""]
    assert mutate(record, 1.0).changed == 0
    assert proteins(record) == before
