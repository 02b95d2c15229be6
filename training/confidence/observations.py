"""What genint observes of the panel's genes when it knows nothing of them.

It takes long, so it is kept: conclusions are drawn from it again and again while the model is
fitted.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from genint.knowledge.named_domains import DomainNames
from genint.knowledge.own_families import load_own_families
from genint.knowledge.pfam import load_families
from genint.knowledge.products import ProductVocabulary
from genint.model.evidence import Evidence
from genint.model.interpretation import Parameters
from genint.model.vocabulary import GenomeKind
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, UserProteins, load_resources
from genint.pipeline.searches import gather, plan_search, prepare, search
from genint.sources import families, homology, pfam
from genint.sources.similarity.search import ReferenceDatabase
from training.confidence.panel import Group, PanelGenome

NOVEL_IDENTITY = 0.9
_CACHE_BYTES = 4_000_000_000


class Against(NamedTuple):
    """What a group is held against.

    Attributes:
        families: Folder of a build; None for the one that ships.
        reference: Named proteins.
        max_identity: From which entries of it are left out; None to leave none out.
    """

    families: Path | None
    reference: ReferenceDatabase
    max_identity: float | None


@dataclass(frozen=True, slots=True)
class Observed:
    """A genome of the panel and all that was observed of its genes, by gene id.

    Attributes:
        panel: The genome, with its truth.
        group: Of genomes that are left out together.
        evidence: Of families, domains and similar proteins; none of the file.
    """

    panel: PanelGenome
    group: str
    evidence: Mapping[str, tuple[Evidence, ...]]


def observe_group(
    group: Group, against: Against, vocabulary: ProductVocabulary, cache: Path
) -> Iterator[Observed]:
    """Search the proteins of a group and read what was found.

    Cost: 50 ms a protein and search at the first time.
    """
    folders = Folders(cache, families=against.families, cache_limit_bytes=_CACHE_BYTES)
    parameters = Parameters(mode="local", max_identity=against.max_identity)
    user = UserProteins(against.reference, proteins=0, sha256="", is_temporary=False)
    equipment = replace(load_resources(Parameters(), folders), proteins=user)
    own = load_own_families(against.families, vocabulary)
    domains = load_families()
    for panel in group.genomes:
        genome = panel.genome
        called = Called(genome, None, tuple((gene.id, gene.protein) for gene in genome.genes))
        prepare(genome, equipment, parameters)
        plan = plan_search(called, equipment, parameters)
        answers = [answer for task in plan.tasks for answer in search(task)]
        found = gather(called, plan, answers)
        phages = [contig.id for contig in genome.contigs if panel.kind is GenomeKind.PHAGE]
        of_families = families.observe(genome.genes, found.profiles, own, vocabulary, phages)
        names = DomainNames(own, vocabulary)
        of_domains = pfam.observe(
            genome.genes, found.profiles, domains, names, of_families, phages=phages
        ).evidence
        similar = homology.observe(
            genome.genes, found.similar, own, vocabulary, families=of_families
        )
        by_gene: dict[str, tuple[Evidence, ...]] = {}
        for item in (*of_families, *similar, *of_domains):
            by_gene[item.gene_id] = (*by_gene.get(item.gene_id, ()), item)
        yield Observed(panel, group.name, by_gene)


def remembered(path: Path, key: str) -> tuple[Observed, ...] | None:
    """What was kept under a key; None where it is not there."""
    file = _file(path, key)
    return pickle.loads(file.read_bytes()) if file.is_file() else None  # noqa: S301 - our own


def remember(path: Path, key: str, observed: tuple[Observed, ...]) -> None:
    """Keep observations."""
    path.mkdir(parents=True, exist_ok=True)
    file = _file(path, key)
    part = file.with_suffix(".part")
    part.write_bytes(pickle.dumps(observed))
    part.replace(file)


def _file(path: Path, key: str) -> Path:
    return path / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.pickle"
