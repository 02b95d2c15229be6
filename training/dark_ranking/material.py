"""Dark genes of annotated phages, and whether their record knows what they do.

Annotation is taken off and a family speaks of no protein that it was made of, so that many genes
are dark whose function is known: those a ranking must put last. Finding them takes minutes; they
are kept in ``dark_genes.tsv``, so that a test can fit the ranking anew.
"""

from __future__ import annotations

import csv
from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from genint.interpret import ScoringModel, dark_traits, interpret
from genint.knowledge.catalogue import load_knowledge
from genint.knowledge.confidence import Setting
from genint.knowledge.dark_ranking import DarkTraits
from genint.knowledge.products import load_products
from genint.model.evidence import Evidence, by_gene
from genint.model.interpretation import Parameters
from genint.model.vocabulary import GenomeKind
from genint.pipeline.evidence import Observations, observe
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, Resources, load_resources
from genint.pipeline.searches import gather, plan_search, prepare, search
from training.confidence.panel import PanelGenome, read_panel

DARK_GENES = Path(__file__).with_name("dark_genes.tsv")
_HEAD = """\
# Dark genes of annotated phages, and whether their record knows what they do. Found, not written by
# hand: python -m training.dark_ranking
"""


class Regime(StrEnum):
    """What is known of the genomes."""

    HIDDEN = "hidden"
    """Families say nothing of the proteins that they were made of."""
    SHIPPED = "shipped"
    """All that ships: as a user meets these very genomes."""


class DarkGene(NamedTuple):
    """A dark gene and what its record says of it.

    Attributes:
        genome: Name of the genome.
        group: Of genomes that are left out together.
        gene: Id.
        traits: What the ranking sees.
        unknown: The record names no function either.
    """

    genome: str
    group: str
    gene: str
    traits: DarkTraits
    unknown: bool


Material = Mapping[Regime, tuple[DarkGene, ...]]


def read_material(data: Path, cache: Path, only: Container[str] | None = None) -> Material:
    """The dark genes of phages of the panel, in the order of the panel.

    Args:
        data: The data folder.
        cache: Indexed profiles and search results; the same without it, but slower.
        only: Names of the genomes that are looked at, instead of all.

    Cost: 2 min on two cores at first, of which 1,030 proteins are searched.
    """
    resources = load_resources(Parameters(), Folders(cache))
    found: dict[Regime, list[DarkGene]] = {regime: [] for regime in Regime}
    for group in read_panel(data, load_products(), kinds={GenomeKind.PHAGE}):
        for genome in group.genomes:
            if only is None or genome.name in only:
                observed = _observe(genome, resources)
                for regime, genes in found.items():
                    genes.extend(_dark(genome, group.name, observed, regime))
    return {regime: tuple(genes) for regime, genes in found.items()}


def table_of(material: Material) -> str:
    """The text of ``dark_genes.tsv``, to the last digit."""
    rows: list[tuple[object, ...]] = [
        ("regime", "genome", "group", "gene", *DarkTraits._fields, "unknown")
    ]
    rows += [
        (regime, *one[:3], *one.traits, one.unknown)
        for regime, genes in material.items()
        for one in genes
    ]
    return _HEAD + "".join("\t".join(map(str, row)) + "\n" for row in rows)


def read_table(lines: Iterable[str]) -> Material:
    """The dark genes of such a table.

    Raises:
        ValueError: A value is no number.
    """
    found: dict[Regime, list[DarkGene]] = {regime: [] for regime in Regime}
    for row in csv.DictReader((line for line in lines if line[:1] != "#"), delimiter="\t"):
        traits = DarkTraits(
            int(row["length_aa"]), float(row["of_virion"]), row["conserved"] == str(True)
        )
        gene = DarkGene(row["genome"], row["group"], row["gene"], traits, row["unknown"] == "True")
        found[Regime(row["regime"])].append(gene)
    return {regime: tuple(genes) for regime, genes in found.items()}


def _observe(panel: PanelGenome, resources: Resources) -> Observations:
    genome, parameters = panel.genome, Parameters()
    called = Called(genome, None, tuple((gene.id, gene.protein) for gene in genome.genes))
    prepare(genome, resources, parameters)
    plan = plan_search(called, resources, parameters)
    answers = [answer for task in plan.tasks for answer in search(task)]
    return observe(called, gather(called, plan, answers), resources)


def _dark(
    panel: PanelGenome, group: str, observed: Observations, regime: Regime
) -> Iterator[DarkGene]:
    families = [one for one in observed.families if regime is Regime.SHIPPED or not _is_own(one)]
    genome, knowledge = observed.genome, load_knowledge()
    model = ScoringModel(
        knowledge.confidence,
        knowledge.roles,
        knowledge.products,
        Setting("offline", GenomeKind.PHAGE),
        knowledge.gene_order,
        name_lengths=knowledge.name_lengths,
    )
    evidence = (*families, *observed.domains)
    results = interpret(genome, evidence, observed.unknown_domains, model, observed.features)
    by_id = {result.gene_id: result for result in results}
    unknown = by_gene(observed.unknown_domains)
    for contig in genome.contigs:
        of_contig = [by_id[gene.id] for gene in contig.genes]
        for gene, traits in dark_traits(contig, of_contig, unknown):
            yield DarkGene(panel.name, group, gene, traits, not panel.truth[gene].telling)


def _is_own(evidence: Evidence) -> bool:
    """Whether a family was made of this very protein."""
    return evidence.support is not None and evidence.support.is_member
