import pytest

from genint.report import first_base, on_both_strands, parts_text, transcribed


def with_parts(gene, *places):
    parts = tuple(
        gene.parts[0].model_copy(update={"start": start, "end": end, "strand": strand})
        for start, end, strand in places
    )
    return gene.model_copy(update={"parts": parts})


def test_parts_stand_in_the_order_of_the_forward_strand(phix_result):
    gene = with_parts(phix_result.genes[0], (12, 78, "-"), (134, 202, "-"))
    assert parts_text(gene) == "12-78,134-202"
    assert not on_both_strands(gene)


def test_a_part_over_the_origin_ends_before_it_starts(phix_result):
    assert parts_text(with_parts(phix_result.genes[0], (5000, 12, "+"))) == "5000-12"


def test_parts_on_both_strands_say_which(phix_result):
    gene = with_parts(phix_result.genes[0], (3, 9, "-"), (20, 30, "+"))
    assert parts_text(gene) == "3-9(-),20-30(+)"
    assert on_both_strands(gene)


def starts(gene):
    return [part.start for part in transcribed(gene)]


@pytest.mark.parametrize(("strand", "order"), [("+", [3, 20, 40]), ("-", [40, 20, 3])])
def test_parts_are_transcribed_along_their_strand(phix_result, strand, order):
    places = ((3, 9, strand), (20, 30, strand), (40, 50, strand))
    gene = with_parts(phix_result.genes[0], *places).model_copy(update={"strand": strand})
    assert starts(gene) == order


def test_the_order_of_a_trans_spliced_gene_is_that_of_the_result(phix_result):
    gene = with_parts(phix_result.genes[0], (3, 9, "-"), (20, 30, "+"), (40, 50, "+"))
    gene = gene.model_copy(update={"strand": "-", "part_order": (0, 2, 1)})
    assert starts(gene) == [3, 40, 20]


@pytest.mark.parametrize("order", [(), (0, 1), (0, 0, 1), (1, 2, 3), (-1, 0, 1), (0, 1, 2, 2)])
def test_an_order_that_is_none_loses_no_part(phix_result, order):
    gene = with_parts(phix_result.genes[0], (3, 9, "-"), (20, 30, "+"), (40, 50, "-"))
    gene = gene.model_copy(update={"strand": "-", "part_order": order})
    assert starts(gene) == [40, 3, 20]


@pytest.mark.parametrize(
    ("strand", "cut", "text"),
    [("+", False, "3"), ("-", False, "9"), ("+", True, "<3"), ("-", True, ">9")],
)
def test_the_first_base_is_that_of_the_5_prime_end(phix_result, strand, cut, text):
    gene = with_parts(phix_result.genes[0], (3, 9, strand))
    gene = gene.model_copy(update={"strand": strand, "partial_5": cut})
    assert first_base(gene) == text
