"""Fifth step: evidence, hypotheses, scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from genint.model.evidence import Evidence
from genint.model.genome import Genome
from genint.model.interpretation import (
    DatabaseUsed,
    InterpretationSummary,
    Parameters,
    ProgramUsed,
)
from genint.model.vocabulary import GenomeKind
from genint.rna import crispr, rfam, rrna, trna
from genint.steps.calling import Called
from genint.steps.deciding import decided
from genint.steps.equipment import Equipment, UserProteins
from genint.steps.gathering import Findings
from genint.steps.services import (
    NO_SERVICE_EVIDENCE,
    Observed,
    ServiceEvidence,
    service_evidence,
)
from genint.version import __version__

if TYPE_CHECKING:
    from genint.databases.installed import Installed
    from genint.knowledge.confidence import ConfidenceParameters
    from genint.knowledge.loading import Knowledge

_PROGRAMS = ("pyrodigal", "pyrodigal-gv", "pyhmmer")
"""Libraries whose version can change a result."""
_ALIGNER = "pyopal"
_RNA_PROGRAMS = (
    (trna.WHAT, "pyaragorn"),
    (rrna.WHAT, "pybarrnap"),
    (rfam.WHAT, "pyinfernal"),
    (crispr.WHAT, "diced"),
)
"""What is searched for -> library; listed where it was searched."""
_REPLACES = {"pfam": "Pfam", "go": "Gene Ontology"}
"""Name of an installed database -> what ships and is not used beside it."""


def conclude(
    called: Called,
    findings: Findings,
    parameters: Parameters,
    equipment: Equipment,
    confidence: ConfidenceParameters | None = None,
) -> InterpretationSummary:
    """Fix the gene set, collect the evidence, interpret every gene.

    Args:
        called: Genes and candidates.
        findings: What their proteins are like.
        parameters: Options.
        equipment: What was used.
        confidence: Another model than the one that ships, for measurements.

    Raises:
        UnavailableError: an installed database is gone.

    Cost: about 0.5 ms a gene.
    """
    from genint.interpret.compare import compare  # noqa: PLC0415 - lazy
    from genint.interpret.judgement import Judgement  # noqa: PLC0415
    from genint.interpret.pipeline import interpret, novel_genes  # noqa: PLC0415
    from genint.knowledge.confidence import Setting  # noqa: PLC0415
    from genint.knowledge.loading import load_knowledge  # noqa: PLC0415
    from genint.sources import annotation, domains, families  # noqa: PLC0415
    from genint.sources.sequence_features import observe_features  # noqa: PLC0415

    knowledge = load_knowledge(equipment.folders.families, equipment.installed_tables)
    products = knowledge.products
    # What was searched decides, not what was asked for: local mode without Swiss-Prot knows no
    # more than offline mode, and offline mode with the user's proteins knows as much as local.
    mode = "local" if equipment.references else "offline"
    setting = Setting(mode, GenomeKind.of(called.annotated.length_bp))
    judgement = Judgement(
        confidence or knowledge.confidence,
        knowledge.roles,
        products,
        setting,
        knowledge.gene_order,
    )
    genome = decided(called, findings, knowledge)
    seen = domains.observe(genome.genes, findings.profiles, knowledge.families)
    of_families = families.observe(
        genome.genes, findings.profiles, knowledge.own_families, products
    )
    annotated = annotation.observe(genome.genes, products, knowledge.terms)
    asked = _asked(genome, findings, knowledge, Observed(annotated, of_families, seen.evidence))
    evidence = (
        *annotated,
        *of_families,
        *_similar(genome, findings, knowledge, of_families),
        *seen.evidence,
        *asked.evidence,
    )
    features = observe_features(genome.genes)
    unknown = (*seen.unknown_domains, *asked.unknown_domains)
    results = interpret(genome, evidence, unknown, judgement, features, services=asked.notes)
    comparison = None
    if parameters.ignore_annotations and called.annotated.genes:
        own = annotation.observe(called.annotated.genes, products, knowledge.terms)
        comparison, results = compare(genome, results, called.annotated, own, judgement)
    return InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=parameters,
        databases=(*databases_used(equipment), *asked.databases),
        unavailable=(*equipment.unavailable, *asked.unavailable),
        genint_version=__version__,
        comparison=comparison,
        confidence_mode=mode,
        programs=_programs(genome, with_aligner=bool(equipment.references)),
        online=asked.uses,
    )


def _asked(
    genome: Genome, findings: Findings, knowledge: Knowledge, observed: Observed
) -> ServiceEvidence:
    """What services say; most runs ask none."""
    if findings.online is None:
        return NO_SERVICE_EVIDENCE
    return service_evidence(genome, findings.online, knowledge, observed)


def _similar(
    genome: Genome, findings: Findings, knowledge: Knowledge, of_families: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """What similar proteins say; most runs have no reference to search."""
    if not findings.similar:
        return ()
    from genint.sources import homology  # noqa: PLC0415 - lazy

    return homology.observe(
        genome.genes,
        findings.similar,
        knowledge.own_families,
        knowledge.products,
        knowledge.terms,
        families=of_families,
    )


def _programs(genome: Genome, *, with_aligner: bool) -> tuple[ProgramUsed, ...]:
    from importlib.metadata import version  # noqa: PLC0415 - lazy

    searched = {search.what for search in genome.searches if search.method is not None}
    names = (
        *_PROGRAMS,
        *([_ALIGNER] if with_aligner else []),
        *(name for what, name in _RNA_PROGRAMS if what in searched),
    )
    return tuple(ProgramUsed(name, version(name)) for name in names)


def databases_used(equipment: Equipment) -> tuple[DatabaseUsed, ...]:
    """What a run rests on, for the report: what ships, but for what installed ones replace."""
    from genint.knowledge.catalogue import databases  # noqa: PLC0415 - lazy

    replaced = {_REPLACES[name] for name in equipment.installed if name in _REPLACES}
    shipped = databases(equipment.folders.families)
    own = equipment.proteins
    return (
        *(item.used for item in shipped if item.name not in replaced),
        *(_installed(item) for item in equipment.installed.values()),
        *([_of_user(own)] if own is not None else []),
    )


def _installed(item: Installed) -> DatabaseUsed:
    entries = f"{item.entries:,} entries"
    dated = f" of {item.released}" if item.released else ""
    from genint.databases.recipes import RECIPES  # noqa: PLC0415 - lazy

    return DatabaseUsed(RECIPES[item.name].title, f"{item.release}{dated}, {entries}", item.licence)


def _of_user(own: UserProteins) -> DatabaseUsed:
    number = f"{own.proteins:,} protein" + ("s" if own.proteins != 1 else "")
    version = f"{number}, SHA-256 {own.sha256[:16]}"
    return DatabaseUsed(own.reference.name, version, "the user's own file")
