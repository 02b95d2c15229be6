from genint.report.places import on_both_strands, parts_text


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
