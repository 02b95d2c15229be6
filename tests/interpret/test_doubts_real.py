"""Doubts about all products of the annotated genomes at hand: few, and of genes that earn them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import pytest

from genint.formats import read_genome
from genint.interpret import ScoringModel, doubts_of
from genint.knowledge import load_confidence, load_name_lengths, load_products, load_roles
from genint.knowledge.confidence import Setting
from genint.model.vocabulary import GenomeKind
from genint.sources import annotation
from tests.report.real_genomes import E_COLI, REGULAR

S_PYOGENES = "S_pyogenes_M1_NC_002737.gb.gz"
BACTERIA = frozenset(
    {
        E_COLI,
        S_PYOGENES,
        "M_mycoides_GM12_NZ_CP001668.gbff.gz",
        "M_mycoides_LAEX01_multi.gbff.gz",
        "syn3A_CP016816.gb",
        "REL606_fragment.gbk",
    }
)
TEXTBOOK = (
    "lambda_NC_001416.gb T7_NC_001604.gb L5_Z18946.gb DE3_EU078592.gbk B3_NC_006548.gbk "
    "SodalisSO1_NC_013600.gbk VT2Sakai_NC_000902.gbk phiX174_NC_001422.gb"
).split()
"""Phages that were annotated by hand, gene by gene."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def doubted(shared_data) -> Mapping[str, Mapping[str, list[str]]]:
    """By genome and gene, the doubts about the file's own name.

    Without those that only hold where no evidence bears the name out: none is looked for here.
    """
    shipped = ScoringModel(
        load_confidence(), load_roles(), load_products(), name_lengths=load_name_lengths()
    )
    found: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for name in REGULAR:
        genome = read_genome(shared_data / "genomes" / name)
        genes = {gene.id: gene for gene in genome.genes}
        kind = GenomeKind.BACTERIUM if name in BACTERIA else GenomeKind.PHAGE
        model = replace(shipped, setting=Setting("offline", kind))
        for item in annotation.observe(genome.genes, model.products):
            doubts = doubts_of([item], genes[item.gene_id], model)
            found[name][item.gene_id] = [
                doubt.said for doubt in doubts if not doubt.said.endswith("supports it")
            ]
    return found


def doubtful(of_gene: Mapping[str, list[str]]) -> list[str]:
    return [gene for gene, doubts in of_gene.items() if doubts]


def test_hardly_any_name_of_the_genomes_at_hand_is_doubted(doubted):
    for name, of_gene in doubted.items():
        # S. pyogenes and the contigs of M. mycoides have many remnants of genes that bear the names
        # of whole ones, and a machine named SAOMS1 (a recombinase of 45 residues).
        assert len(doubtful(of_gene)) <= max(6, 0.0185 * len(of_gene)), name


def test_of_phages_annotated_by_hand_only_a_ligase_without_the_room_of_one_is_doubted(doubted):
    # 154 residues without the KxDG motif to which ligases bind the nucleotide; the smallest known
    # ligases have about 270.
    assert [gene for name in TEXTBOOK for gene in doubtful(doubted[name])] == ["SoPhSO1_gp30"]


def test_no_phage_has_the_carboxylase_of_autotrophs_and_bacteria_keep_their_atp_synthase(doubted):
    said = {
        (name, gene)
        for name, of_gene in doubted.items()
        for gene, doubts in of_gene.items()
        if any(text.startswith("no phage") for text in doubts)
    }
    assert said == {("SAOMS1_MW460250_pharokka.gbk", "DQEPQRKE_CDS_0109")}


def test_of_k12_only_the_name_that_ubix_shares_with_ubid_is_doubted(doubted):
    # UbiX makes the flavin that the decarboxylase UbiD needs; it is no decarboxylase itself
    # (White et al. 2015, doi:10.1038/nature14559).
    assert doubtful(doubted[E_COLI]) == ["b2311"]


def test_truncated_genes_that_bear_the_name_of_the_whole_are_doubted(doubted):
    said = " ".join(text for doubts in doubted[S_PYOGENES].values() for text in doubts)
    for length_aa, name in [
        (41, "transcriptional regulator, LysR family"),
        (48, "nucleoside diphosphate kinase"),
        (46, "SSU rRNA pseudouridine(516) synthase"),
        (120, "phage portal protein"),
    ]:
        assert f"{length_aa} residues; proteins named “{name}” have" in said


def test_one_name_of_the_genomes_at_hand_reads_as_one_of_eukaryotes(doubted):
    said = [text for of_gene in doubted.values() for doubts in of_gene.values() for text in doubts]
    foreign = [text for text in said if text.startswith("taxon:")]
    word, name = "histone acetyltransferase", "histone acetyltransferase Gcn5"
    assert foreign == [f"taxon: “{word}” in “{name}” is of eukaryotes"]


SMALL = re.compile(
    r"ribosomal (?:subunit )?protein [LS]|leader|tox|holin|cold shock|ferredoxin|inhibitor"
    r"|lantibiotic|bacteriocin|peptide|membrane protein|antitoxin|streptolysin",
    re.IGNORECASE,
)


def test_small_proteins_of_the_genomes_at_hand_keep_their_names(doubted, shared_data):
    """Of all names on up to 60 residues: what small proteins have is not doubted."""
    seen = 0
    for name, of_gene in doubted.items():
        genome = read_genome(shared_data / "genomes" / name)
        small = [gene for gene in genome.genes if 0 < len(gene.protein) <= 60 and gene.product]
        seen += len(small)
        wrong = [
            gene.product
            for gene in small
            if SMALL.search(gene.product or "")
            and any("too short" in x for x in of_gene.get(gene.id, ()))
        ]
        assert wrong == [], name
    assert seen > 150


def test_enzymes_and_carriers_of_up_to_sixty_residues_are_doubted(doubted, shared_data):
    genome = read_genome(shared_data / "genomes" / S_PYOGENES)
    named = re.compile(
        r"\b(?:dikinase|integrase|(?:acetyl)?transferase|dehydrogenase|synthase|polymerase)\b", re.I
    )
    tiny = [
        gene
        for gene in genome.genes
        if 0 < len(gene.protein) < 44 and named.search(gene.product or "")
    ]
    assert tiny
    for gene in tiny:
        assert doubted[S_PYOGENES][gene.id], gene.product
