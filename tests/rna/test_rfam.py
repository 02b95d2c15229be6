"""Families of an installed Rfam on bases."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyinfernal", reason="has no wheel for every platform")

from genint.databases.build.rfam import build
from genint.errors import WorkCancelled
from genint.rna import SearchedContig, find_rfam, kind_of, read_families
from tests.databases.published_rfam import plasmid, rfam_files


@pytest.fixture(scope="module")
def rfam(tmp_path_factory) -> Path:
    """A built Rfam of four families."""
    folder = tmp_path_factory.mktemp("rfam")
    sources = {}
    for name, content in rfam_files().items():
        sources[name] = folder / name
        sources[name].write_bytes(content)
    build(sources, folder, lambda _: None)
    return folder


@pytest.fixture(scope="module")
def search(rfam):
    def run(*contigs: SearchedContig, **options):
        families = read_families(rfam / "families.tsv")
        return find_rfam(contigs, rfam / "blocks" / "000.cm", families, "Infernal", **options)

    return run


def found_in(genes) -> set[tuple[str, int, int, int]]:
    return {(g.accession, int(g.strand), g.interval.start, g.interval.end) for g in genes}


EXPECTED = {
    ("RF00029", 1, 68550, 68637),
    ("RF00042", -1, 48664, 48755),
    ("RF00107", -1, 14287, 14366),
    ("RF00243", 1, 14254, 14365),
}
"""Hits above the thresholds, as the reference program gives them."""


def test_genes_of_a_plasmid_are_found_as_by_the_reference_program(search):
    (found,) = search(SearchedContig(plasmid()))
    assert found_in(found) >= EXPECTED
    assert {gene.accession for gene in found} == {each[0] for each in EXPECTED}
    by_accession = {gene.accession: gene for gene in found}
    assert by_accession["RF00107"].insdc_class == "antisense_RNA"
    assert by_accession["RF00107"].clan == "CL00102"
    assert by_accession["RF00243"].kind == "regulatory"
    assert "threshold" in by_accession["RF00042"].note


def test_what_is_found_does_not_depend_on_contigs_beside(search):
    bases = plasmid()
    (alone,) = search(SearchedContig(bases[40_000:60_000]))
    beside = search(
        SearchedContig("ACGT"), SearchedContig(bases[40_000:60_000]), SearchedContig("")
    )
    assert beside == ((), alone, ())
    assert len(alone) == 1


def test_a_gene_over_the_origin_is_found(search):
    circle = plasmid()[10_000:20_000]
    at = 14_300 - 10_000
    turned = circle[at:] + circle[:at]
    (found,) = search(SearchedContig(turned, is_circle=True, opening=len(circle) - at))
    assert {gene.accession for gene in found} == {"RF00107", "RF00243"}
    assert all(gene.interval.end > len(turned) for gene in found)


def test_a_search_can_be_stopped(search):
    with pytest.raises(WorkCancelled):
        search(SearchedContig(plasmid()), is_cancelled=lambda: True)


@pytest.mark.parametrize(
    ("type_", "name", "key", "insdc_class"),
    [
        ("Gene; ribozyme;", "RNaseP_bact_a", "ncRNA", "RNase_P_RNA"),
        ("Gene;", "Bacteria_small_SRP", "ncRNA", "SRP_RNA"),
        ("Gene;", "6S", "ncRNA", "other"),
        ("Gene;", "alpha_tmRNA", "tmRNA", None),
        ("Gene; antisense;", "CopA", "ncRNA", "antisense_RNA"),
        ("Gene; ribozyme;", "HEARO", "ncRNA", "ribozyme"),
        ("Cis-reg; riboswitch;", "TPP", "regulatory", "riboswitch"),
        ("Cis-reg; leader;", "His_leader", "regulatory", "other"),
        ("Intron;", "Intron_gpI", "misc_feature", None),
    ],
)
def test_types_have_a_place_in_the_vocabularies_of_insdc(type_, name, key, insdc_class):
    assert kind_of(type_, name)[:2] == (key, insdc_class)
