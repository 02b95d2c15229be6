"""The steps of an interpretation, each a plain function that a worker can run.

They stand apart from :mod:`genint.api` because worker processes import this module
and nothing of the event loop. What goes in and out can be pickled and is frozen;
what is costly to import is imported inside.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.errors import InputError, UsageError
from genint.model.evidence import ProfileHit
from genint.model.genome import CalledBy, Contig, GeneCalling, Genome
from genint.model.interpretation import (
    DatabaseUsed,
    InterpretationSummary,
    Parameters,
    ProgramUsed,
)
from genint.version import __version__

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.genes import GeneCalls
    from genint.report.result import GenintResult
    from genint.sources.profile_search import ProfileDatabase
    from genint.sources.search_order import SearchOrder

CHUNK_RESIDUES = 40_000
"""Residues a worker searches at a time: small enough for a smooth progress bar and
quick cancelling (about a second), large enough that loading profiles costs little."""
_STANDARD_CODE = 11
"""NCBI genetic code of bacteria and phages where nothing else is said."""
_NOT_INSTALLED = (
    "full Pfam-A: not installed, the embedded profile pack was searched instead",
    "Swiss-Prot: not installed, no similarity search was made",
)
"""What local mode would use if it were installed."""


_PROGRAMS = ("pyrodigal", "pyrodigal-gv", "pyhmmer")
"""Libraries whose version can change a result."""


class Payload(NamedTuple):
    """Bytes of a genome file and the name it goes by."""

    content: bytes
    filename: str


@dataclass(frozen=True, slots=True)
class Called:
    """A genome, the genes found in it, and the proteins to be searched.

    Attributes:
        annotated: The genome as the file has it.
        calls: What the gene finder proposes; None where the file's genes stand.
        proteins: Id and residues of every gene and candidate.
    """

    annotated: Genome
    calls: GeneCalls | None
    proteins: tuple[tuple[str, str], ...]


def read(source: Payload | Path, *, max_text_bytes: int | None = None) -> Genome:
    """Read a genome file; raises FormatError, or InputError where it cannot be opened.

    Args:
        source: Path of the file, or its bytes.
        max_text_bytes: Largest size of its text; None: what the readers take.
    """
    from genint.formats import read_genome, read_genome_bytes  # noqa: PLC0415 - lazy
    from genint.formats.compression import MAX_BYTES  # noqa: PLC0415

    limit = MAX_BYTES if max_text_bytes is None else max_text_bytes
    if isinstance(source, Path):
        return read_genome(source, max_bytes=limit)
    return read_genome_bytes(source.content, source.filename, max_bytes=limit)


def needs_finder(genome: Genome, parameters: Parameters) -> bool:
    """Whether genes have to be predicted: the file has none, or they are to be ignored."""
    from genint.genes import needs_calling  # noqa: PLC0415 - lazy

    return parameters.ignore_annotations or needs_calling(genome)


def call(annotated: Genome, parameters: Parameters) -> Called:
    """Find genes where the file has none, or where its annotation is to be ignored."""
    if not needs_finder(annotated, parameters):
        kept = replace(annotated, contigs=tuple(map(_as_annotated, annotated.contigs)))
        return Called(kept, None, tuple((gene.id, gene.protein) for gene in kept.genes))
    from genint.genes import call_genes  # noqa: PLC0415 - lazy

    calls = call_genes(
        annotated, phage=parameters.phage, locus_tag_prefix=parameters.locus_tag_prefix
    )
    return Called(annotated, calls, calls.proteins)


def _as_annotated(contig: Contig) -> Contig:
    """A contig whose genes are those of the file, with the note that says so."""
    calling = GeneCalling(
        method=CalledBy.GENBANK.value,
        translation_table=contig.translation_table or _STANDARD_CODE,
        code_reason="as the file says" if contig.translation_table else "the file does not say",
        topology_reason="as the file says" if contig.topology_stated else "the file does not say",
    )
    return replace(contig, calling=calling)


@dataclass(frozen=True, slots=True)
class Profiles:
    """What proteins are to be searched with, and where pressed profiles are kept."""

    order: SearchOrder
    cache_folder: Path


def prepare_profiles(
    cache_folder: Path, families_folder: Path | None = None, *, length_bp: int = 0
) -> Profiles:
    """Profiles pressed into the cache folder, or to be rebuilt where it is closed to us.

    Args:
        cache_folder: Where they are kept.
        families_folder: A build of families other than the one that ships.
        length_bp: Total length of the genome; says which families come first.

    Raises:
        UnavailableError: a pack is not there or damaged.

    Cost: 0.02 s; 3 s for the first time with a cache folder.
    """
    from genint.sources.search_order import SearchOrder  # noqa: PLC0415 - lazy

    order = SearchOrder.of(length_bp, families_folder)
    pressed = replace(
        order,
        pfam=_pressed(order.pfam, cache_folder),
        fitting=_pressed(order.fitting, cache_folder),
    )
    return Profiles(pressed, cache_folder)


def _pressed(database: ProfileDatabase, cache_folder: Path) -> ProfileDatabase:
    from genint.cache.profiles import pressed_profiles  # noqa: PLC0415 - lazy

    if not database.profiles:
        return database
    stem = pressed_profiles(cache_folder, digest=database.digest, rebuild=database.rebuild)
    return replace(database, pressed=stem)


def search(
    proteins: tuple[tuple[str, str], ...],
    profiles: Profiles,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[ProfileHit, ...]:
    """Search one chunk of proteins; see :func:`genint.sources.search_order.search_in_order`."""
    from genint.sources.search_order import search_in_order  # noqa: PLC0415 - lazy

    return search_in_order(
        proteins,
        profiles.order,
        lambda database: _pressed(database, profiles.cache_folder),
        is_cancelled=is_cancelled,
    )


def conclude(
    called: Called,
    hits: Sequence[ProfileHit],
    parameters: Parameters,
    families_folder: Path | None = None,
) -> InterpretationSummary:
    """Fix the gene set, collect the evidence, interpret every gene.

    Args:
        called: Genes and candidates.
        hits: Of their proteins.
        parameters: Options.
        families_folder: The build of families that was searched; None for what ships.

    Cost: about 0.5 ms a gene.
    """
    from genint.interpret.compare import compare  # noqa: PLC0415 - lazy
    from genint.interpret.judgement import Judgement  # noqa: PLC0415
    from genint.interpret.pipeline import interpret, novel_genes  # noqa: PLC0415
    from genint.knowledge.loading import load_knowledge  # noqa: PLC0415
    from genint.sources import annotation, domains, families  # noqa: PLC0415

    knowledge = load_knowledge(families_folder)
    products = knowledge.products
    judgement = Judgement(knowledge.confidence, knowledge.roles, products)
    genome = _decided(called, hits)
    seen = domains.observe(genome.genes, hits, knowledge.families)
    evidence = (
        *annotation.observe(genome.genes, products),
        *families.observe(genome.genes, hits, knowledge.own_families, products),
        *seen.evidence,
    )
    results = interpret(genome, evidence, seen.unknown_domains, judgement)
    comparison = None
    if parameters.ignore_annotations and called.annotated.genes:
        own = annotation.observe(called.annotated.genes, products)
        comparison, results = compare(genome, results, called.annotated, own, judgement)
    return InterpretationSummary(
        genome=genome,
        results=results,
        novel_gene_report=novel_genes(results),
        parameters=parameters,
        databases=_databases(families_folder),
        unavailable=_NOT_INSTALLED if parameters.mode == "local" else (),
        genint_version=__version__,
        comparison=comparison,
        programs=_programs(),
    )


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
            (:func:`genint.report.reading.parse_result`).
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

    match source:
        case Original():
            return source
        case Payload(content, filename):
            return read_original(content, filename)
    path = Path(source)
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as cause:
        reason = getattr(cause, "strerror", None) or "the path cannot be used"
        raise InputError(f"{path.name or path}: cannot be read: {reason}") from cause
    return read_original(content, path.name)


def _decided(called: Called, hits: Sequence[ProfileHit]) -> Genome:
    if called.calls is None:
        return called.annotated
    from genint.genes import decide  # noqa: PLC0415 - lazy

    return decide(called.calls, hits).genome


def _programs() -> tuple[ProgramUsed, ...]:
    from importlib.metadata import version  # noqa: PLC0415 - lazy

    return tuple(ProgramUsed(name, version(name)) for name in _PROGRAMS)


def _databases(families_folder: Path | None) -> tuple[DatabaseUsed, ...]:
    from genint.knowledge.catalogue import databases  # noqa: PLC0415 - lazy

    return tuple(item.used for item in databases(families_folder))
