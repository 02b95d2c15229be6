"""Which gene lies next to another one, on lines, circles and both strands."""

from __future__ import annotations

import pytest

from genint.report import GenintResult, Neighbour, RnaGeneItem, neighbours_of


def placed(result, *places: tuple[int, int, str], topology="linear", length=1000) -> GenintResult:
    """A result with genes ``g0``, ``g1`` and so on at these places of one record."""
    record = result.records[0].model_copy(update={"topology": topology, "length": length})
    genes = tuple(
        result.genes[0].model_copy(
            update={"id": f"g{at}", "start": start, "end": end, "strand": strand, "parts": ()}
        )
        for at, (start, end, strand) in enumerate(places)
    )
    update = {"records": (record,), "genes": genes, "rna_genes": ()}
    return result.model_copy(update=update)


def told(found: Neighbour | None) -> tuple[str, int, bool] | None:
    return None if found is None else (found.gene.id, found.gap_bp, found.holds)


def test_gaps_and_overlaps_are_those_between_the_bases(phix_result):
    result = placed(phix_result, (1, 90, "+"), (100, 189, "+"), (186, 300, "+"), (301, 390, "+"))
    found = neighbours_of(result)
    assert [told(found[f"g{at}"].upstream) for at in range(4)] == [
        None,
        ("g0", 9, False),
        ("g1", -4, False),
        ("g2", 0, False),
    ]
    assert [told(found[f"g{at}"].downstream) for at in range(4)] == [
        ("g1", 9, False),
        ("g2", -4, False),
        ("g3", 0, False),
        None,
    ]


def test_upstream_is_the_side_of_the_start_codon(phix_result):
    found = neighbours_of(placed(phix_result, (1, 90, "-"), (100, 189, "-"), (200, 300, "+")))
    assert told(found["g1"].upstream) == ("g2", 10, False)
    assert told(found["g1"].downstream) == ("g0", 9, False)
    assert told(found["g2"].upstream) == ("g1", 10, False)


def test_a_nested_gene_lies_in_its_host_and_does_not_hide_it_from_the_next(phix_result):
    result = placed(phix_result, (1, 300, "+"), (50, 120, "+"), (290, 400, "+"))
    found = neighbours_of(result)
    host, _, holds = told(found["g1"].upstream)
    assert (host, holds) == ("g0", True)
    assert told(found["g2"].upstream) == ("g0", -11, False)
    assert told(found["g0"].downstream) == ("g2", -11, False)


def test_genes_that_share_a_stop_codon_lie_in_one_another(phix_result):
    found = neighbours_of(placed(phix_result, (1, 300, "+"), (100, 300, "+")))
    assert told(found["g1"].upstream)[::2] == ("g0", True)
    assert found["g0"].upstream is None


def test_on_a_circle_the_first_gene_follows_the_last(phix_result):
    places = ((11, 90, "+"), (100, 189, "+"), (900, 990, "+"))
    found = neighbours_of(placed(phix_result, *places, topology="circular"))
    assert told(found["g0"].upstream) == ("g2", 20, False)
    assert told(found["g2"].downstream) == ("g0", 20, False)


def test_on_a_circle_a_gene_over_the_origin_is_a_neighbour_on_both_sides(phix_result):
    places = ((950, 14, "+"), (11, 90, "+"), (800, 940, "-"))
    found = neighbours_of(placed(phix_result, *places, topology="circular"))
    assert told(found["g1"].upstream) == ("g0", -4, False)
    assert told(found["g0"].downstream) == ("g1", -4, False)
    assert told(found["g0"].upstream) == ("g2", 9, False)
    assert told(found["g2"].upstream) == ("g0", 9, False)


@pytest.mark.parametrize("topology", ["linear", "circular"])
def test_a_lonely_gene_has_no_neighbours(phix_result, topology):
    found = neighbours_of(placed(phix_result, (11, 90, "+"), topology=topology))
    assert found == {"g0": (None, None)}


def test_rna_genes_are_neighbours(phix_result):
    result = placed(phix_result, (100, 189, "+"))
    rna = RnaGeneItem(
        id="t1", record=result.records[0].id, start=20, end=95, strand="+", kind="tRNA",
        product="tRNA-Met", name=None, locus_tag=None, pseudo=False,
    )  # fmt: skip
    found = neighbours_of(result.model_copy(update={"rna_genes": (rna,)}))
    assert told(found["g0"].upstream) == ("t1", 4, False)


def test_genes_of_other_records_are_no_neighbours(phix_result):
    result = placed(phix_result, (1, 90, "+"), (100, 189, "+"))
    other = result.records[0].model_copy(update={"id": "other"})
    genes = (result.genes[0], result.genes[1].model_copy(update={"record": "other"}))
    moved = result.model_copy(update={"records": (*result.records, other), "genes": genes})
    assert all(one == (None, None) for one in neighbours_of(moved).values())


def test_every_gene_of_phix_has_neighbours_on_both_sides(phix_result):
    found = neighbours_of(phix_result)
    assert found.keys() == {gene.id for gene in phix_result.genes}
    assert all(one.upstream and one.downstream for one in found.values())
