"""RNA genes and CRISPR arrays become part of the genome."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.cache.search_results import ResultCache, protein_key
from genint.errors import UnavailableError, WorkCancelled
from genint.genes.calls import locus_tag_stem
from genint.genes.genetic_code import recoded_warnings, with_suppressors
from genint.genes.overlaps import with_doubts, without_genes_in_rna
from genint.model.genome import Contig, FeatureSearch, Genome, RnaGene, Topology
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Resources
from genint.rna import (
    CrisprHit,
    ResolvedRna,
    RnaHit,
    SearchedContig,
    crispr,
    resolve_overlaps,
    rfam,
    rrna,
    trna,
)
from genint.rna.merge import arrays_of_text, as_text, rna_of_text
from genint.version import __version__

if TYPE_CHECKING:
    from genint.databases.installed import Installed


_LONG_BP = 500_000
"""Bases from which each search is a task of its own."""
KINDS = (trna.WHAT, rrna.WHAT, rfam.WHAT, crispr.WHAT)
FILE_STANDS = "not searched: the features of the file stand (--ignore-annotations searches)"


class RnaPart(NamedTuple):
    """One search of all contigs: what for, and the profile or block of families."""

    what: str
    detail: str = ""


class RnaTask(NamedTuple):
    """Searches that a worker is to make one after the other."""

    parts: tuple[RnaPart, ...]


class RnaAnswer(NamedTuple):
    """What a search found, contig by contig."""

    part: RnaPart
    rna: tuple[tuple[RnaHit, ...], ...] = ()
    arrays: tuple[tuple[CrisprHit, ...], ...] = ()


class Searched(NamedTuple):
    """What was searched for with what, or why it was not (``method`` is None)."""

    what: str
    method: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RnaKit:
    """All that a worker needs to know.

    Attributes:
        contigs: To be searched.
        cache_folder: Where answers are kept.
        cache_limit_bytes: How large the cache may grow; 0 for none.
        rfam_folder: Of the installed Rfam; None to leave it out.
        rfam_release: Its release.
        rfam_digest: Of its content.
    """

    contigs: tuple[SearchedContig, ...] = ()
    cache_folder: Path = Path()
    cache_limit_bytes: int = 0
    rfam_folder: Path | None = None
    rfam_release: str = ""
    rfam_digest: str = ""

    def method(self, what: str) -> str:
        """Program and version of a kind of search."""
        if what == rfam.WHAT:
            return rfam.method(self.rfam_release)
        named = {trna.WHAT: trna.method, rrna.WHAT: rrna.method, crispr.WHAT: crispr.method}
        return named[what]()


@dataclass(frozen=True, slots=True)
class RnaPlan:
    """What is to be searched; ``searched`` is what the report says of it."""

    kit: RnaKit = field(default_factory=RnaKit)
    tasks: tuple[RnaTask, ...] = ()
    searched: tuple[Searched, ...] = ()


class RnaFindings(NamedTuple):
    """All that was found.

    Attributes:
        rna: Contig by contig, in the genome's order; several of one place are all there.
        arrays: CRISPR arrays, likewise.
        searched: What was searched for, or why not.
    """

    rna: tuple[tuple[RnaHit, ...], ...] = ()
    arrays: tuple[tuple[CrisprHit, ...], ...] = ()
    searched: tuple[Searched, ...] = ()


def plan_rna(called: Called, equipment: Resources) -> RnaPlan:
    """What is to be searched for on the contigs of a genome.

    Args:
        called: Contigs with the topology and genetic code that were decided on.
        equipment: Whether an Rfam is there.

    Cost: 0.1 s a megabase for circles (where to open them).
    """
    if called.calls is None:
        return RnaPlan(searched=tuple(Searched(what, None, FILE_STANDS) for what in KINDS))
    contigs = tuple(
        _searched_contig(calls.contig.bases, calls.contig.topology, calls.contig.calling)
        for calls in called.calls.contigs
    )
    folders, installed = equipment.folders, equipment.installed.get("rfam")
    kit = RnaKit(contigs, folders.cache, folders.cache_limit_bytes)
    without = _without_rfam(installed, equipment)
    if installed is not None and not without:
        identity = f"{installed.digest} {installed.installed_at}"
        kit = replace(
            kit,
            rfam_folder=installed.folder,
            rfam_release=installed.release,
            rfam_digest=identity,
        )
    searched = tuple(
        Searched(what, None, without) if what == rfam.WHAT and without
        else Searched(what, kit.method(what))
        for what in KINDS
    )  # fmt: skip
    total_bp = sum(len(contig.bases) for contig in contigs)
    return RnaPlan(kit, tuple(_tasks(kit, total_bp)), searched)


def _searched_contig(bases: str, topology: Topology, calling: object) -> SearchedContig:
    from genint.genes.topology import canonical_rotation  # noqa: PLC0415 - lazy
    from genint.model.genome import GeneCalling  # noqa: PLC0415

    is_circle = topology is Topology.CIRCULAR
    code = calling.translation_table if isinstance(calling, GeneCalling) else 11
    return SearchedContig(bases, is_circle, code, canonical_rotation(bases) if is_circle else 0)


def _without_rfam(installed: Installed | None, equipment: Resources) -> str:
    """Why Rfam is not searched; empty where it is."""
    if not rfam.is_available():
        return "not searched: the library pyinfernal is not installed (pip install pyinfernal)"
    if installed is not None:
        return ""
    if equipment.is_offline:
        return "not searched: this needs Rfam and --mode local (genint db install rfam)"
    told = next((text for text in equipment.unavailable if text.startswith("Rfam")), "")
    return told or "not searched: Rfam is not installed (genint db install rfam)"


def _tasks(kit: RnaKit, total_bp: int) -> Iterable[RnaTask]:
    """The costliest first; small genomes in one task, for it costs more to hand over."""
    parts = (
        *(RnaPart(rrna.WHAT, profile) for profile in rrna.PRODUCTS),
        RnaPart(trna.WHAT),
        RnaPart(crispr.WHAT),
    )
    if total_bp >= _LONG_BP:
        yield from (RnaTask((part,)) for part in parts)
    else:
        yield RnaTask(parts)
    if kit.rfam_folder is not None:
        blocks = sorted(file.name for file in (kit.rfam_folder / "blocks").iterdir())
        yield from (RnaTask((RnaPart(rfam.WHAT, name),)) for name in blocks)


def search_rna(
    task: RnaTask, kit: RnaKit, *, is_cancelled: Callable[[], bool] | None = None
) -> tuple[RnaAnswer, ...]:
    """Make the searches of a task, and keep what they find.

    Raises:
        WorkCancelled: ``is_cancelled`` said so.
        UnavailableError: the installed Rfam is gone or damaged.
    """
    kept = kit.cache_folder if kit.cache_limit_bytes else None
    answers = []
    with ResultCache(kept, limit_bytes=kit.cache_limit_bytes) as results:
        for part in task.parts:
            if is_cancelled is not None and is_cancelled():
                raise WorkCancelled("the search for RNA was stopped")
            answers.append(_answer(part, kit, results, is_cancelled))
    return tuple(answers)


def _answer(
    part: RnaPart,
    kit: RnaKit,
    results: ResultCache,
    is_cancelled: Callable[[], bool] | None,
) -> RnaAnswer:
    """From earlier runs as far as known; the rest is searched."""
    keys = [protein_key(contig.bases) for contig in kit.contigs]
    sources = [_source(part, kit, contig) for contig in kit.contigs]
    told = {source: results.known(source, keys) for source in set(sources)}
    texts = [told[source].get(key) for source, key in zip(sources, keys, strict=True)]
    missing = [at for at, text in enumerate(texts) if text is None]
    new: defaultdict[str, dict[bytes, str]] = defaultdict(dict)
    for at, text in zip(missing, _texts(part, kit, missing, is_cancelled), strict=True):
        new[sources[at]][keys[at]] = texts[at] = text
    for source, found in new.items():
        results.keep(source, found)
    whole = [text or "[]" for text in texts]
    if part.what == crispr.WHAT:
        return RnaAnswer(part, arrays=tuple(map(arrays_of_text, whole)))
    return RnaAnswer(part, rna=tuple(map(rna_of_text, whole)))


def _source(part: RnaPart, kit: RnaKit, contig: SearchedContig) -> str:
    what = f"{part.what} {part.detail}|{kit.method(part.what)}"
    shape = f"circle {contig.is_circle}, code {contig.code}"
    release = kit.rfam_digest if part.what == rfam.WHAT else ""
    return f"rna|{what}|{release}|{shape}|genint {__version__}"


def _texts(
    part: RnaPart,
    kit: RnaKit,
    places: Sequence[int],
    is_cancelled: Callable[[], bool] | None,
) -> list[str]:
    """What is found on some contigs, as text."""
    contigs = [kit.contigs[at] for at in places]
    if part.what == rfam.WHAT:
        return [as_text(found) for found in _of_rfam(part, kit, contigs, is_cancelled)]
    texts = []
    for contig in contigs:
        if is_cancelled is not None and is_cancelled():
            raise WorkCancelled("the search for RNA was stopped")
        if part.what == crispr.WHAT:
            texts.append(as_text(crispr.find_arrays(contig)))
        elif part.what == rrna.WHAT:
            texts.append(as_text(rrna.find_rrna(contig, part.detail)))
        else:
            texts.append(as_text(trna.find_trna(contig)))
    return texts


def _of_rfam(
    part: RnaPart,
    kit: RnaKit,
    contigs: Sequence[SearchedContig],
    is_cancelled: Callable[[], bool] | None,
) -> tuple[tuple[RnaHit, ...], ...]:
    if not contigs or kit.rfam_folder is None:
        return ()
    try:
        return rfam.find_rfam(
            contigs,
            kit.rfam_folder / "blocks" / part.detail,
            rfam.read_families(kit.rfam_folder / "families.tsv"),
            kit.method(rfam.WHAT),
            is_cancelled=is_cancelled,
        )
    except (WorkCancelled, MemoryError):
        raise
    except Exception as problem:
        raise UnavailableError(
            "the installed Rfam cannot be read: run `genint db verify rfam`"
        ) from problem


def gather_rna(plan: RnaPlan, answers: Iterable[RnaAnswer]) -> RnaFindings:
    """Put together what all tasks found; their order does not matter.

    (Each place is settled by rank and score afterwards.)
    """
    rna: list[list[RnaHit]] = [[] for _ in plan.kit.contigs]
    arrays: list[list[CrisprHit]] = [[] for _ in plan.kit.contigs]
    for answer in sorted(answers, key=lambda answer: answer.part):
        for at, found in enumerate(answer.rna):
            rna[at].extend(found)
        for at, found_arrays in enumerate(answer.arrays):
            arrays[at].extend(found_arrays)
    return RnaFindings(tuple(map(tuple, rna)), tuple(map(tuple, arrays)), plan.searched)


_SAME_PLACE = 0.5
_KINDS_OF = {
    trna.WHAT: frozenset({"tRNA", "tmRNA"}),
    rrna.WHAT: frozenset({"rRNA"}),
}


def stems_of(called: Called) -> Mapping[str, str]:
    """Contig -> what the ids of its features begin with."""
    genome = called.annotated
    return {
        contig.id: locus_tag_stem(contig, genome, called.locus_tag_prefix)
        for contig in genome.contigs
    }


def found_by(
    findings: RnaFindings, settled: Sequence[ResolvedRna] = ()
) -> tuple[FeatureSearch, ...]:
    """What was searched for, and how many were found."""
    return tuple(
        FeatureSearch(
            searched.what,
            searched.method,
            None if searched.method is None else _number(searched.what, settled),
            searched.reason,
        )
        for searched in findings.searched
    )


def _number(what: str, settled: Sequence[ResolvedRna]) -> int:
    if what == crispr.WHAT:
        return sum(len(each.crispr_arrays) for each in settled)
    genes = [gene for each in settled for gene in each.rna_genes]
    if what == rfam.WHAT:
        return sum(gene.method is not None and "Rfam" in gene.method for gene in genes)
    kinds = _KINDS_OF[what]
    return sum(
        gene.kind in kinds and not (gene.method is not None and "Rfam" in gene.method)
        for gene in genes
    )


def with_rna(
    genome: Genome,
    findings: RnaFindings,
    stems: Mapping[str, str],
    evidenced: Collection[str],
) -> Genome:
    """A genome of predicted genes with its RNA genes and CRISPR arrays.

    Predicted genes that lie in them are left out; RNA genes that the file has stay, and
    what is found in the same place is not added again.

    Args:
        genome: With predicted genes.
        findings: Of all its contigs, or of none.
        stems: Contig -> what ids begin with.
        evidenced: Genes whose protein a family recognises.

    Cost: O(genes * RNA genes) a contig.
    """
    settled: list[ResolvedRna] = []
    if findings.searched:
        settled = [
            resolve_overlaps(contig.id, len(contig), stems[contig.id], rna, arrays)
            for contig, rna, arrays in zip(
                genome.contigs, findings.rna, findings.arrays, strict=True
            )
        ]
    contigs = tuple(
        _with_rna(contig, each, evidenced)
        for contig, each in zip(genome.contigs, settled, strict=True)
    ) if settled else genome.contigs  # fmt: skip
    return replace(
        genome,
        contigs=contigs,
        searches=found_by(findings, settled),
        warnings=(*genome.warnings, *recoded_warnings(contigs)),
    )


def _with_rna(contig: Contig, found: ResolvedRna, evidenced: Collection[str]) -> Contig:
    kept = without_genes_in_rna(contig, found.rna_genes, found.crispr_arrays, evidenced)
    new = [gene for gene in found.rna_genes if not _is_known(gene, contig)]
    genes = (*contig.rna_genes, *with_doubts(new, kept, evidenced))
    placed = tuple(sorted(genes, key=lambda gene: (gene.location.span, gene.id)))
    return with_suppressors(
        replace(kept, rna_genes=placed, crispr_arrays=found.crispr_arrays), found.rna_genes
    )


def _is_known(gene: RnaGene, contig: Contig) -> bool:
    """Whether the file has an RNA gene of that kind in that place."""
    span = gene.location.span
    return any(
        known.kind == gene.kind
        and known.location.strand is gene.location.strand
        and known.location.span.overlap_on_circle_bp(span, len(contig))
        >= _SAME_PLACE * min(len(span), len(known.location.span))
        for known in contig.rna_genes
    )
