"""The last step: hypotheses and scores of every gene, and what the run used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from genint.databases.recipes import RECIPES
from genint.interpret.claims import ScoringModel
from genint.interpret.comparison import compare
from genint.interpret.pipeline import interpret, novel_genes
from genint.interpret.scoring import NO_SERVICE_NOTES, ServiceNotes
from genint.knowledge.confidence import ConfidenceParameters, Setting
from genint.knowledge.overview_tables import load_overview_knowledge
from genint.model.evidence import Evidence
from genint.model.genome import Genome
from genint.model.interpretation import DatabaseUsed, InterpretationSummary, Parameters, ProgramUsed
from genint.model.online import OnlineFindings
from genint.model.overview import MarkerMeaning, MarkerReference, MarkersFound
from genint.overview import describe
from genint.pipeline.evidence import Observations, ServiceEvidence, service_evidence
from genint.pipeline.imported import files_used, observe_imported
from genint.pipeline.resources import Resources, UserProteins
from genint.rna import crispr, rfam, rrna, trna
from genint.sources import annotation
from genint.version import __version__, library_version

if TYPE_CHECKING:
    from genint.databases.installed import Installed
    from genint.knowledge.defence import DefenceDatabase


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
    observed: Observations,
    parameters: Parameters,
    resources: Resources,
    online: OnlineFindings | None = None,
    *,
    confidence: ConfidenceParameters | None = None,
) -> InterpretationSummary:
    """Interpret every gene.

    Args:
        observed: The final genes, and what is known of them.
        parameters: Options.
        resources: What was used.
        online: What services answered; None where none was queried.
        confidence: Another model than the one that ships, for measurements.

    Cost: about 1 ms a gene, with services 1.5 ms.
    """
    knowledge = observed.knowledge
    model = _scoring_model(observed, resources, confidence)
    services = ServiceEvidence() if online is None else service_evidence(observed, online)
    genome, evidence, unknown, spurious = _all_evidence(observed, services, resources)
    results = interpret(
        genome,
        evidence,
        unknown,
        model,
        observed.features,
        services=_with_spurious(services.notes, spurious),
    )
    comparison = None
    if parameters.ignore_annotations and observed.annotated.genes:
        own = annotation.observe(observed.annotated.genes, knowledge.products, knowledge.terms)
        comparison, results = compare(genome, results, observed.annotated, own, model)
    databases = (*databases_used(resources), *services.databases)
    defence = resources.defence_database
    return InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=parameters,
        databases=databases,
        unavailable=(*resources.unavailable, *services.unavailable),
        genint_version=__version__,
        comparison=comparison,
        confidence_mode=model.setting.mode,
        programs=_programs(genome, with_aligner=_compares(resources)),
        online=services.uses,
        overview=describe(
            genome,
            results,
            load_overview_knowledge(knowledge.roles, knowledge.own_families.families, defence),
            _markers_found(observed, resources, defence),
            _profiles_of(databases),
        ),
    )


class _AllEvidence(NamedTuple):
    """Everything that is known of the genes, from genint, services and other programs' files.

    Attributes:
        genome: With what the files say of its genes.
        evidence: Functional claims.
        unknown: Hits of families of unknown function.
        spurious: By gene, models of spurious proteins that other programs found.
    """

    genome: Genome
    evidence: tuple[Evidence, ...]
    unknown: tuple[Evidence, ...]
    spurious: Mapping[str, tuple[Evidence, ...]]


def _all_evidence(
    observed: Observations, services: ServiceEvidence, resources: Resources
) -> _AllEvidence:
    found = (
        *observed.annotations,
        *observed.families,
        *observed.similar,
        *observed.domains,
        *services.evidence,
    )
    imported = observe_imported(observed.genome, resources.imported, observed.knowledge, found)
    unknown = (
        *observed.unknown_domains,
        *services.unknown_domains,
        *imported.unknown_domains,
    )
    evidence = (*found, *imported.evidence)
    return _AllEvidence(imported.genome, evidence, unknown, imported.spurious)


def _with_spurious(
    notes: Mapping[str, ServiceNotes], spurious: Mapping[str, tuple[Evidence, ...]]
) -> Mapping[str, ServiceNotes]:
    """What services report, with the models of spurious proteins that other programs found."""
    added = {
        gene_id: (known := notes.get(gene_id, NO_SERVICE_NOTES))._replace(
            spurious=(*known.spurious, *found)
        )
        for gene_id, found in spurious.items()
    }
    return {**notes, **added}


def _scoring_model(
    observed: Observations, resources: Resources, confidence: ConfidenceParameters | None
) -> ScoringModel:
    """The model, calibrated for what was searched and for what each contig is taken for."""
    knowledge, genome = observed.knowledge, observed.genome
    # What was searched decides, not the mode: local mode without Swiss-Prot knows no more than
    # offline mode, and offline mode with the user's proteins knows as much as local mode.
    mode = "local" if resources.references else "offline"
    return ScoringModel(
        confidence or knowledge.confidence,
        knowledge.roles,
        knowledge.products,
        Setting(mode, genome.kind),
        knowledge.gene_order,
        {contig.id: contig.kind for contig in genome.contigs if contig.kind},
        knowledge.name_lengths,
        knowledge.dark_ranking,
    )


def _programs(genome: Genome, *, with_aligner: bool) -> tuple[ProgramUsed, ...]:
    searched = {search.what for search in genome.searches if search.method is not None}
    names = (
        *_PROGRAMS,
        *([_ALIGNER] if with_aligner else []),
        *(name for what, name in _RNA_PROGRAMS if what in searched),
    )
    return tuple(ProgramUsed(name, library_version(name)) for name in names)


def databases_used(resources: Resources) -> tuple[DatabaseUsed, ...]:
    """What a run used, for the report: what ships, unless an installed database replaces it."""
    from genint.knowledge.catalogue import databases  # noqa: PLC0415 - loads numpy

    replaced = {_REPLACES[name] for name in resources.installed if name in _REPLACES}
    shipped = databases(resources.folders.families)
    own = resources.proteins
    return (
        *(item.used for item in shipped if item.name not in replaced),
        *(_installed(item) for item in resources.installed.values()),
        *([_of_user(own)] if own is not None else []),
        *map(_of_user, resources.markers),
        *files_used(resources.imported),
    )


def _compares(resources: Resources) -> bool:
    """Whether proteins are compared with proteins."""
    return bool(resources.references or resources.marker_databases)


def _markers_found(
    observed: Observations, resources: Resources, defence: DefenceDatabase | None
) -> MarkersFound:
    """What references of markers recognise; profiles of defence have limits for the genome."""
    hits = observed.markers
    if defence is not None:
        hits = defence.judged(hits, len(observed.genome.genes))
    return MarkersFound(hits, _marker_references(resources))


def _marker_references(resources: Resources) -> tuple[MarkerReference, ...]:
    """References of markers as statements name them."""
    own = (MarkerReference(_named(_of_user(one)), one.means) for one in resources.markers)
    amr = resources.installed.get("amr")
    if amr is None:
        return tuple(own)
    return (*own, MarkerReference(_named(_installed(amr)), frozenset({MarkerMeaning.RESISTANCE})))


def _profiles_of(databases: Sequence[DatabaseUsed]) -> tuple[str, ...]:
    """What can recognise a protein, as statements on a genome name it."""
    vocabularies = ("Gene Ontology", "InterPro", "COG", "PADLOC-DB")
    return tuple(
        _named(one)
        for one in databases
        if not one.name.startswith(vocabularies) or "(online)" in one.name
    )


def _named(database: DatabaseUsed) -> str:
    return f"{database.name} ({database.version})"


def _installed(item: Installed) -> DatabaseUsed:
    entries = f"{item.entries:,} entries"
    dated = f" of {item.released}" if item.released else ""
    return DatabaseUsed(RECIPES[item.name].title, f"{item.release}{dated}, {entries}", item.licence)


def _of_user(own: UserProteins) -> DatabaseUsed:
    number = f"{own.proteins:,} protein" + ("s" if own.proteins != 1 else "")
    version = f"{number}, SHA-256 {own.sha256[:16]}"
    return DatabaseUsed(own.reference.name, version, "the user's own file")
