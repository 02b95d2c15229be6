"""What is observed of a genome whose annotation was taken off."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from genint.interpret import ScoringModel
from genint.knowledge import load_confidence, load_products, load_roles, open_index
from genint.knowledge.protein_index_build import build_index
from genint.model import (
    EvidenceSource,
    EvidenceType,
    GenomeKind,
    ReferenceEntry,
    ReferenceProtein,
    Specificity,
)
from genint.model.evidence import residues_digest
from genint.sources.similarity.search import ReferenceDatabase
from training.confidence.examples import examples, prior
from training.confidence.observations import Against, observe_group
from training.confidence.panel import read_panel

EXAMPLE = Path(__file__).parents[2] / "examples" / "phiX174.gbk"
PANEL = """\
[[group]]
name = "small"
kind = "phage"
genomes = { phiX174 = "phiX174.gbk" }
"""


@pytest.fixture
def group(tmp_path):
    (tmp_path / "genomes").mkdir()
    shutil.copy(EXAMPLE, tmp_path / "genomes" / "phiX174.gbk")
    table = tmp_path / "panel.toml"
    table.write_text(PANEL, encoding="utf-8")
    [group] = read_panel(tmp_path, load_products(), table)
    return group


def reference(group, folder):
    """The capsid protein alone, under another name."""
    genome = group.genomes[0]
    [capsid] = [
        gene for gene in genome.genome.genes if "coat" in genome.truth[gene.id].product.lower()
    ]
    entry = ReferenceEntry(
        "KNOWN_1", "major coat protein", "", length_aa=len(capsid.protein),
        digest=residues_digest(capsid.protein),
    )  # fmt: skip
    folder.mkdir()
    build_index([ReferenceProtein(entry, capsid.protein)], folder)
    digest = open_index(folder).info.digest
    return capsid, ReferenceDatabase(EvidenceSource.SWISSPROT, "reference", folder, digest)


def test_families_and_similar_proteins_speak_for_genes_without_their_annotation(group, tmp_path):
    capsid, known = reference(group, tmp_path / "index")
    vocabulary = load_products()
    [seen] = observe_group(group, Against(None, known, None), vocabulary, tmp_path / "cache")
    types = {item.type for found in seen.evidence.values() for item in found}
    assert {EvidenceType.FAMILY, EvidenceType.HOMOLOGY} <= types
    assert "KNOWN_1" in {item.accession for item in seen.evidence[capsid.id]}
    assert all(gene.product is None for gene in seen.panel.genome.genes)
    # Proteins as similar as those of the genome itself are hidden where this is asked for.
    [novel] = observe_group(group, Against(None, known, 0.9), vocabulary, tmp_path / "cache")
    assert "KNOWN_1" not in {item.accession for item in novel.evidence[capsid.id]}


def test_a_lone_name_of_a_phage_is_an_example_of_a_region_in_a_bacterium(group, tmp_path):
    capsid, known = reference(group, tmp_path / "index")
    model = ScoringModel(load_confidence(), load_roles(), load_products())
    [seen] = observe_group(group, Against(None, known, None), model.products, tmp_path / "cache")
    alone = replace(seen, evidence={capsid.id: seen.evidence[capsid.id]})
    genome = replace(
        seen.panel.genome,
        contigs=tuple(
            replace(one, description="", organism=None) for one in seen.panel.genome.contigs
        ),
    )
    bacterium = replace(alone, panel=replace(seen.panel, kind=GenomeKind.BACTERIUM, genome=genome))
    whole, region = prior(Specificity.PROTEIN), prior(Specificity.DOMAIN)
    found = [
        {name for example in examples(one, "offline", model) for name in example.terms}
        for one in (alone, bacterium)
    ]
    assert whole in found[0]
    assert whole not in found[1]
    assert region in found[1]
