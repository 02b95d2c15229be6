import random

import pytest

from genint.genes import call_genes, mask_endless_repeats
from genint.model import Gene, Strand


def stop_of(gene: Gene) -> tuple[int, Strand]:
    forward = gene.strand is Strand.FORWARD
    return (gene.span.end if forward else gene.span.start), gene.strand


@pytest.mark.parametrize("unit_bp", [1, 3, 16, 100, 400])
def test_an_endless_repeat_is_masked_and_its_length_stays(unit_bp):
    unit = "".join(random.Random(unit_bp).choices("ACGT", k=unit_bp))
    bases = (unit * 30_000)[:30_000]
    assert mask_endless_repeats(bases) == "N" * 30_000


def test_only_the_windows_that_repeat_are_masked(examples):
    lines = (examples / "lambda.fasta").read_text().splitlines()
    phage = "".join(lines[1:])[:40_000]
    masked = mask_endless_repeats(phage + "ACGTTGCA" * 5_000 + phage)
    assert masked == phage + "N" * 40_000 + phage


def test_a_phage_is_left_as_it_is(examples):
    lines = (examples / "lambda.fasta").read_text().splitlines()
    phage = "".join(lines[1:])
    assert mask_endless_repeats(phage) is phage


def test_genes_beside_an_endless_repeat_are_found_and_the_note_says_what_was_left_out(
    make_genome, examples
):
    phage = "".join((examples / "lambda.fasta").read_text().splitlines()[1:])[:40_000]
    repeat = "ACGTTGCAATGGCC" * 30_000
    alone = call_genes(make_genome(phage)).contigs[0].contig
    beside = call_genes(make_genome(phage + repeat[:20_000])).contigs[0].contig
    assert beside.bases == phage + repeat[:20_000]
    assert beside.calling.method.endswith("endless repeats were not searched")
    # The finder picks one of its models by the whole text, so starts and weak genes differ.
    found = {stop_of(gene) for gene in beside.genes}
    assert sum(stop_of(gene) in found for gene in alone.genes) >= 0.9 * len(alone.genes)
    assert all(gene.span.end <= 40_100 for gene in beside.genes)
