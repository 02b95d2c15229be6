"""RNA genes and CRISPR arrays: planned and searched in parts, then added to the genome."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from genint.cache.search_results import ResultCache, protein_key
from genint.databases.installed import Installed
from genint.errors import UnavailableError, WorkCancelled
from genint.model.genome import Contig, FeatureSearch, GeneCalling, Genome, RnaGene, Topology
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, Resources, identity_of
from genint.rna import (
    CrisprHit,
    IdSeries,
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

_LONG_BP = 500_000
"""Bases from which each search is a task of its own."""
KINDS = (trna.WHAT, rrna.WHAT, rfam.WHAT, crispr.WHAT)
FEATURES_OF_FILE = "not searched: the features of the file are kept (--ignore-annotations searches)"


class RnaPart(NamedTuple):
    """One search of all contigs: what for, and the profile or block of families."""

    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RnaTask:
    """Searches of contigs, to be made one after the other: all that a worker needs.

    Attributes:
        contigs: To be searched.
        folders: Where answers are kept.
        rfam: The installed Rfam; None to leave it out.
        parts: The searches.
    """

    contigs: tuple[SearchedContig, ...]
    folders: Folders
    rfam: Installed | None = None
    parts: tuple[RnaPart, ...] = ()

    def method(self, what: str) -> str:
        """Program and version of a kind of search."""
        if what == rfam.WHAT:
            return rfam.method(self.rfam.release if self.rfam else "")
        named = {trna.WHAT: trna.method, rrna.WHAT: rrna.method, crispr.WHAT: crispr.method}
        return named[what]()


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
class RnaPlan:
    """What is to be searched on how many contigs; ``searched`` is what the report says of it."""

    contigs: int = 0
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


def plan_rna(called: Called, resources: Resources) -> RnaPlan:
    """What is to be searched for on the contigs of a genome.

    Args:
        called: Contigs with the topology and genetic code that were decided on.
        resources: Whether an Rfam is there.

    Cost: 0.1 s a megabase for circles (where to open them).
    """
    if called.calls is None:
        return RnaPlan(searched=tuple(Searched(what, None, FEATURES_OF_FILE) for what in KINDS))
    contigs = tuple(
        _searched_contig(calls.contig.bases, calls.contig.topology, calls.contig.calling)
        for calls in called.calls.contigs
    )
    installed = resources.installed.get("rfam")
    without = _without_rfam(installed, resources)
    every = RnaTask(contigs, resources.folders, None if without else installed)
    searched = tuple(
        Searched(what, None, without) if what == rfam.WHAT and without
        else Searched(what, every.method(what))
        for what in KINDS
    )  # fmt: skip
    return RnaPlan(len(contigs), tuple(_tasks(every)), searched)


def _searched_contig(bases: str, topology: Topology, calling: object) -> SearchedContig:
    from genint.genes.topology import canonical_rotation  # noqa: PLC0415 - loads numpy

    is_circle = topology is Topology.CIRCULAR
    code = calling.translation_table if isinstance(calling, GeneCalling) else 11
    return SearchedContig(bases, is_circle, code, canonical_rotation(bases) if is_circle else 0)


def _without_rfam(installed: Installed | None, resources: Resources) -> str:
    """Why Rfam is not searched; empty where it is."""
    if not rfam.is_available():
        return "not searched: the library pyinfernal is not installed (pip install pyinfernal)"
    if installed is not None:
        return ""
    if resources.is_offline:
        return "not searched: this needs Rfam and --mode local (genint db install rfam)"
    reason = next((text for text in resources.unavailable if text.startswith("Rfam")), "")
    return reason or "not searched: Rfam is not installed (genint db install rfam)"


def _tasks(every: RnaTask) -> Iterable[RnaTask]:
    """The costliest first; small genomes in one task, for it costs more to send."""
    parts = (
        *(RnaPart(rrna.WHAT, profile) for profile in rrna.PRODUCTS),
        RnaPart(trna.WHAT),
        RnaPart(crispr.WHAT),
    )
    if sum(len(contig.bases) for contig in every.contigs) >= _LONG_BP:
        yield from (replace(every, parts=(part,)) for part in parts)
    else:
        yield replace(every, parts=parts)
    if every.rfam is not None:
        blocks = sorted(file.name for file in (every.rfam.folder / "blocks").iterdir())
        yield from (replace(every, parts=(RnaPart(rfam.WHAT, name),)) for name in blocks)


def search_rna(
    task: RnaTask, *, is_cancelled: Callable[[], bool] | None = None
) -> tuple[RnaAnswer, ...]:
    """Make the searches of a task, and keep what they find.

    Raises:
        WorkCancelled: ``is_cancelled`` returned True.
        UnavailableError: the installed Rfam is gone or damaged.
    """
    results = task.folders.results()
    return tuple(_answer(part, task, results, is_cancelled) for part in task.parts)


def _answer(
    part: RnaPart,
    task: RnaTask,
    results: ResultCache,
    is_cancelled: Callable[[], bool] | None,
) -> RnaAnswer:
    """From earlier runs as far as known; the rest is searched."""
    _check_cancelled(is_cancelled)
    keys = [protein_key(contig.bases) for contig in task.contigs]
    sources = [_source(part, task, contig) for contig in task.contigs]
    known = {source: results.known(source, keys) for source in set(sources)}
    texts = [known[source].get(key) for source, key in zip(sources, keys, strict=True)]
    missing = [at for at, text in enumerate(texts) if text is None]
    new: defaultdict[str, dict[bytes, str]] = defaultdict(dict)
    contigs = [task.contigs[at] for at in missing]
    for at, text in zip(missing, _texts(part, task, contigs, is_cancelled), strict=True):
        new[sources[at]][keys[at]] = texts[at] = text
    for source, found in new.items():
        results.keep(source, found)
    whole = [text or "[]" for text in texts]
    if part.what == crispr.WHAT:
        return RnaAnswer(part, arrays=tuple(map(arrays_of_text, whole)))
    return RnaAnswer(part, rna=tuple(map(rna_of_text, whole)))


def _check_cancelled(is_cancelled: Callable[[], bool] | None) -> None:
    if is_cancelled is not None and is_cancelled():
        raise WorkCancelled("the search for RNA was stopped")


def _source(part: RnaPart, task: RnaTask, contig: SearchedContig) -> str:
    what = f"{part.what} {part.detail}|{task.method(part.what)}"
    shape = f"circle {contig.is_circle}, code {contig.code}"
    release = identity_of(task.rfam) if part.what == rfam.WHAT and task.rfam else ""
    return f"rna 2|{what}|{release}|{shape}|genint {__version__}"


def _texts(
    part: RnaPart,
    task: RnaTask,
    contigs: Sequence[SearchedContig],
    is_cancelled: Callable[[], bool] | None,
) -> Iterator[str]:
    """What is found on each contig, as text."""
    if part.what == rfam.WHAT:
        if contigs and task.rfam is not None:
            yield from map(as_text, _of_rfam(part, task.rfam, contigs, is_cancelled))
        return
    for contig in contigs:
        _check_cancelled(is_cancelled)
        if part.what == crispr.WHAT:
            yield as_text(crispr.find_arrays(contig))
        elif part.what == rrna.WHAT:
            yield as_text(rrna.find_rrna(contig, part.detail))
        else:
            yield as_text(trna.find_trna(contig))


def _of_rfam(
    part: RnaPart,
    installed: Installed,
    contigs: Sequence[SearchedContig],
    is_cancelled: Callable[[], bool] | None,
) -> tuple[tuple[RnaHit, ...], ...]:
    try:
        return rfam.find_rfam(
            contigs,
            installed.folder / "blocks" / part.detail,
            rfam.read_families(installed.folder / "families.tsv"),
            rfam.method(installed.release),
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

    Several of one place are resolved by rank and score afterwards.
    """
    rna: list[list[RnaHit]] = [[] for _ in range(plan.contigs)]
    arrays: list[list[CrisprHit]] = [[] for _ in range(plan.contigs)]
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


def first_ids(called: Called) -> Mapping[str, IdSeries]:
    """Contig -> the series that the ids of its features are of, at its beginning."""
    prefix, before = called.locus_tag_prefix, called.locus_tags_before
    return {
        contig.id: IdSeries(prefix, before, before) if prefix else IdSeries(contig.id)
        for contig in called.annotated.contigs
    }


def found_by(
    findings: RnaFindings, resolved: Sequence[ResolvedRna] = ()
) -> tuple[FeatureSearch, ...]:
    """What was searched for, and how many were found."""
    return tuple(
        FeatureSearch(
            searched.what,
            searched.method,
            None if searched.method is None else _number(searched.what, resolved),
            searched.reason,
        )
        for searched in findings.searched
    )


def _number(what: str, resolved: Sequence[ResolvedRna]) -> int:
    if what == crispr.WHAT:
        return sum(len(each.crispr_arrays) for each in resolved)
    genes = [gene for each in resolved for gene in each.rna_genes]
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
    first: Mapping[str, IdSeries],
    evidenced: Collection[str],
) -> Genome:
    """A genome of predicted genes with its RNA genes and CRISPR arrays.

    Predicted genes that lie in them are left out; RNA genes that the file has stay, and
    what is found in the same place is not added again.

    Args:
        genome: With predicted genes.
        findings: Of all its contigs, or of none.
        first: Of :func:`first_ids`.
        evidenced: Genes whose protein a family recognises.

    Cost: O(genes * RNA genes) a contig.
    """
    from genint.genes.genetic_code import recoded_warnings  # noqa: PLC0415 - loads numpy

    resolved = list(_resolved(genome, findings, first)) if findings.searched else []
    contigs = tuple(
        _with_rna(contig, each, evidenced)
        for contig, each in zip(genome.contigs, resolved, strict=True)
    ) if resolved else genome.contigs  # fmt: skip
    return replace(
        genome,
        contigs=contigs,
        searches=found_by(findings, resolved),
        warnings=(*genome.warnings, *recoded_warnings(contigs)),
    )


def _resolved(
    genome: Genome, findings: RnaFindings, first: Mapping[str, IdSeries]
) -> Iterator[ResolvedRna]:
    """What was found, by contig; numbers run on over the contigs that share a stem."""
    series: dict[str, IdSeries] = {}
    for contig, rna, arrays in zip(genome.contigs, findings.rna, findings.arrays, strict=True):
        stem = first[contig.id].stem
        ids = series.get(stem, first[contig.id])
        found = resolve_overlaps(contig.id, len(contig), ids, rna, arrays)
        series[stem] = ids.behind(found)
        yield found


def _with_rna(contig: Contig, found: ResolvedRna, evidenced: Collection[str]) -> Contig:
    from genint.genes.genetic_code import with_suppressors  # noqa: PLC0415 - loads numpy
    from genint.genes.overlaps import with_doubts, without_genes_in_rna  # noqa: PLC0415

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
