"""Links between genomes: which proteins are each other's best match, and how identical."""

import random

import pytest

from genint.formats import read_genome
from genint.knowledge import load_confidence
from genint.model.evidence import ReferenceEntry, SimilarityHit
from genint.model.vocabulary import EvidenceSource
from genint.pipeline.related_genes import reciprocal_best, related_genes
from genint.report import build_result
from tests.builders.results import summarise

RESIDUES = "ACDEFGHIKLMNPQRSTVWY"


@pytest.fixture(scope="module")
def phix(examples):
    return build_result(summarise(read_genome(examples / "phiX174.gbk")), load_confidence())


def changed(result, share: float):
    """The same genes with other ids, so many residues of each replaced."""
    generator = random.Random(3)

    def mutated(protein: str) -> str:
        places = generator.sample(range(1, len(protein) - 1), int(share * len(protein)))
        letters = list(protein)
        for at in places:
            letters[at] = generator.choice(RESIDUES.replace(letters[at], ""))
        return "".join(letters)

    genes = tuple(
        gene.model_copy(update={"id": f"{gene.id}_copy", "translation": mutated(gene.translation)})
        for gene in result.genes
    )
    return result.model_copy(update={"genes": genes})


async def test_every_gene_of_a_copy_is_linked_to_its_original(phix):
    (links,) = await related_genes([phix, changed(phix, 0)])
    found = {link.first: link for link in links}
    long = [gene for gene in phix.genes if gene.length_aa > 60]
    assert len(long) >= 8  # A and A*, which is its end, among them
    for gene in long:
        assert found[gene.id].second == f"{gene.id}_copy"
        assert found[gene.id].identity == 1


async def test_identity_is_the_share_of_residues_that_stayed(phix):
    (links,) = await related_genes([phix, changed(phix, 0.2)])
    lengths = {gene.id: gene.length_aa for gene in phix.genes}
    long = [link for link in links if lengths[link.first] > 150]
    assert len(long) >= 4
    for link in long:
        assert link.identity == pytest.approx(0.8, abs=0.03)


async def test_links_do_not_depend_on_the_number_of_processes(phix):
    pair = [phix, changed(phix, 0.3)]
    assert await related_genes(pair) == await related_genes(pair, workers=2)


async def test_a_genome_without_proteins_has_no_links(phix):
    assert await related_genes([phix, phix.model_copy(update={"genes": ()}), phix]) == ((), ())


def hit(first: str, second: str, bits: float, evalue: float = 1e-9, coverage: float = 0.9):
    entry = ReferenceEntry(second, "")
    return SimilarityHit(
        first, EvidenceSource.USER_PROTEINS, "", entry, evalue, bits, 0.5,
        1, 90, 1, 90, coverage, coverage,
    )  # fmt: skip


def test_only_best_matches_of_both_are_linked():
    hits = [hit("a", "x", 90), hit("b", "x", 100), hit("b", "y", 50), hit("c", "z", 40)]
    assert [(one.first, one.second) for one in reciprocal_best(hits)] == [("b", "x"), ("c", "z")]


@pytest.mark.parametrize("fault", [{"evalue": 0.01}, {"coverage": 0.4}])
def test_weak_and_partial_matches_are_no_links(fault):
    assert reciprocal_best([hit("a", "x", 30, **fault)]) == ()
