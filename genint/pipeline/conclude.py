"""Sixth step: hypotheses, scores."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from genint.errors import UsageError
from genint.model.genome import Genome
from genint.model.interpretation import DatabaseUsed, InterpretationSummary, Parameters, ProgramUsed
from genint.model.online import OnlineFindings
from genint.model.vocabulary import GenomeKind
from genint.pipeline.gene_calling import Payload, as_payload
from genint.pipeline.observe import Observations
from genint.pipeline.online_evidence import NO_SERVICE_EVIDENCE, service_evidence
from genint.pipeline.resources import Resources, UserProteins
from genint.rna import crispr, rfam, rrna, trna
from genint.version import __version__

if TYPE_CHECKING:
    from genint.databases.installed import Installed
    from genint.formats import Original
    from genint.knowledge.confidence import ConfidenceParameters
    from genint.report.result import GenintResult


def as_result(summary: InterpretationSummary) -> GenintResult:
    """The result file of a summary; see :func:`genint.report.build.build_result`."""
    from genint.knowledge.confidence import load_confidence  # noqa: PLC0415 - lazy
    from genint.report.build import build_result  # noqa: PLC0415

    return build_result(summary, load_confidence())


def render_report(
    found: InterpretationSummary | GenintResult,
    format: str = "md",
    original: Original | Payload | str | os.PathLike[str] | None = None,
) -> str:
    """Write what was found in a format, as ``genint report`` does; computes nothing new.

    Args:
        found: What interpreting returned, or a result that was stored
            (:func:`genint.report.validation.parse_result`).
        format: ``md``, ``html``, ``json``, ``tsv``, ``gff3``, ``gbk`` or ``dark-fasta``; see
            :data:`genint.report.formats.FORMATS`.
        original: The file that was interpreted, for ``gbk``, which is written into it: its
            path, its bytes with a name, or what :func:`genint.formats.read_original` made.

    Raises:
        UsageError: there is no such format, or it needs the original.
        InputError: the original cannot be read or is another file than the one that was
            interpreted, or a stored result lacks what the format needs.

    Cost: 1 to 3 s for a bacterium, whatever the format.
    """
    from genint.report.formats import FORMATS, render  # noqa: PLC0415 - lazy

    if format not in FORMATS:
        raise UsageError(f"no format {format!r}; choose from {', '.join(FORMATS)}")
    if FORMATS[format].needs_original and original is None:
        raise UsageError(f"format {format} is written into the file that was interpreted: give it")
    result = as_result(found) if isinstance(found, InterpretationSummary) else found
    return render(result, format, _as_original(original) if original is not None else None)


def _as_original(source: Original | Payload | str | os.PathLike[str]) -> Original:
    from genint.formats import Original, read_original  # noqa: PLC0415 - lazy

    if isinstance(source, Original):
        return source
    payload = as_payload(source if isinstance(source, Payload) else Path(source))
    return read_original(payload.content, payload.filename)


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
    equipment: Resources,
    *,
    online: OnlineFindings | None = None,
    confidence: ConfidenceParameters | None = None,
) -> InterpretationSummary:
    """Interpret every gene.

    Args:
        observed: The final genes, and what is known of them.
        parameters: Options.
        equipment: What was used.
        online: What services answered; None where none was asked.
        confidence: Another model than the one that ships, for measurements.

    Cost: about 1 ms a gene, with services 1.5 ms.
    """
    from genint.interpret.audit import compare  # noqa: PLC0415 - lazy
    from genint.interpret.claims import ScoringModel  # noqa: PLC0415
    from genint.interpret.pipeline import interpret, novel_genes  # noqa: PLC0415
    from genint.knowledge.confidence import Setting  # noqa: PLC0415
    from genint.sources import annotation  # noqa: PLC0415

    knowledge, genome = observed.knowledge, observed.genome
    products = knowledge.products
    # What was searched decides, not what was asked for: local mode without Swiss-Prot knows no
    # more than offline mode, and offline mode with the user's proteins knows as much as local.
    mode = "local" if equipment.references else "offline"
    judgement = ScoringModel(
        confidence or knowledge.confidence,
        knowledge.roles,
        products,
        Setting(mode, GenomeKind.of(observed.annotated.length_bp)),
        knowledge.gene_order,
    )
    asked = NO_SERVICE_EVIDENCE if online is None else service_evidence(observed, online)
    evidence = (
        *observed.annotations,
        *observed.families,
        *observed.similar,
        *observed.domains,
        *asked.evidence,
    )
    unknown = (*observed.unknown_domains, *asked.unknown_domains)
    results = interpret(
        genome, evidence, unknown, judgement, observed.features, services=asked.notes
    )
    comparison = None
    if parameters.ignore_annotations and observed.annotated.genes:
        own = annotation.observe(observed.annotated.genes, products, knowledge.terms)
        comparison, results = compare(genome, results, observed.annotated, own, judgement)
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


def _programs(genome: Genome, *, with_aligner: bool) -> tuple[ProgramUsed, ...]:
    from importlib.metadata import version  # noqa: PLC0415 - lazy

    searched = {search.what for search in genome.searches if search.method is not None}
    names = (
        *_PROGRAMS,
        *([_ALIGNER] if with_aligner else []),
        *(name for what, name in _RNA_PROGRAMS if what in searched),
    )
    return tuple(ProgramUsed(name, version(name)) for name in names)


def databases_used(equipment: Resources) -> tuple[DatabaseUsed, ...]:
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
