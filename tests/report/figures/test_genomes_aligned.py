"""Genomes under one another: turned to fit, and every place still that of the file."""

import pytest

from genint.report.figures.content import genome_map
from genint.report.figures.genomes_aligned import GeneLink, Orientation, arranged, row_of


def turned(result, by: int, *, is_reversed: bool = False):
    """The same circular genome as a file that begins elsewhere, or has the other strand."""
    (record,) = result.records
    length = record.length

    def moved(item):
        start = (item.start - 1 - by) % length + 1
        end = (item.end - 1 - by) % length + 1
        strand = item.strand
        if is_reversed:
            start, end = length + 1 - end, length + 1 - start
            strand = "-" if strand == "+" else "+"
        return item.model_copy(update={"start": start, "end": end, "strand": strand})

    genes = tuple(
        moved(gene).model_copy(update={"parts": tuple(moved(part) for part in gene.parts)})
        for gene in result.genes
    )
    return result.model_copy(update={"genes": genes})


def links_to_itself(result):
    return [GeneLink(gene.id, gene.id, 1.0) for gene in result.genes]


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("by", [0, 700, 2500, 5385])
def test_a_turned_copy_of_a_circle_comes_to_lie_under_its_original(phix, by, is_reversed):
    genomes = [genome_map(phix), genome_map(turned(phix, by, is_reversed=is_reversed))]
    upper, lower = arranged(genomes, [links_to_itself(phix)])
    assert lower.segments[0].orientation.is_reversed is is_reversed
    above = {one.id: one for one in upper.segments[0].features}
    shifts = {
        (one.start - above[one.id].start) % phix.records[0].length
        for one in lower.segments[0].features
    }
    assert len(shifts) == 1  # all genes lie alike
    (shift,) = shifts
    length = phix.records[0].length
    assert min(shift, length - shift) <= 1500  # cut open at a gene near the origin
    assert all(one.strand == above[one.id].strand for one in lower.segments[0].features)


def test_places_on_rulers_are_those_of_the_file(phix):
    genome = genome_map(phix)
    length = genome.length
    forward = row_of(genome, Orientation(1000, is_reversed=False)).segments[0]
    assert [forward.drawn(at) for at in (1000, 1500, length, 500)] == [
        0, 500, length - 1000, length - 500,
    ]  # fmt: skip
    backward = row_of(genome, Orientation(1000, is_reversed=True)).segments[0]
    assert [backward.drawn(at) for at in (1000, 500, 0, 1500)] == [0, 500, 1000, length - 500]


def test_a_linear_genome_is_reversed_but_not_cut_open(result_of):
    result = result_of("lambda_NC_001416.gb")
    genomes = [genome_map(result), genome_map(turned(result, 0, is_reversed=True))]
    _, lower = arranged(genomes, [links_to_itself(result)])
    assert lower.segments[0].orientation == Orientation(48502, is_reversed=True)
    assert lower.words == "reverse complement"


def test_a_linear_genome_is_cut_open_where_that_is_wished(result_of):
    result = result_of("lambda_NC_001416.gb")
    genomes = [genome_map(result), genome_map(turned(result, 20_000))]
    _, as_it_is = arranged(genomes, [links_to_itself(result)])
    assert as_it_is.words == ""
    _, cut = arranged(genomes, [links_to_itself(result)], rotate_linear=True)
    assert cut.words.startswith("from base 2")


def test_a_linear_genome_stays_and_circles_turn_to_it(phix, result_of):
    line = phix.model_copy(
        update={"records": (phix.records[0].model_copy(update={"topology": "linear"}),)}
    )
    genomes = [genome_map(turned(phix, 2500)), genome_map(line)]
    upper, lower = arranged(genomes, [links_to_itself(phix)])
    assert lower.words == ""
    assert upper.words.startswith("from base")


def test_without_links_nothing_is_turned(phix):
    rows = arranged([genome_map(phix)] * 3, [[], []])
    assert {row.words for row in rows} == {""}
