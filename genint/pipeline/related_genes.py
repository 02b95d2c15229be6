"""Which genes of two genomes correspond: reciprocal best matches of their proteins.

The search is that for similar proteins (:mod:`genint.sources.similarity.search`): the proteins of
one genome become its reference for the time of the comparison.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from genint.compute import balanced_chunks, open_backend, run_with_retry
from genint.model.evidence import (
    ReferenceEntry,
    ReferenceProtein,
    SimilarityHit,
    residues_digest,
)
from genint.model.vocabulary import EvidenceSource
from genint.report.figures.genomes_aligned import GeneLink
from genint.report.result import GenintResult

if TYPE_CHECKING:
    from genint.compute.backend import Backend
    from genint.sources.similarity.search import ReferenceDatabase

MOST_EVALUE: Final = 1e-3
LEAST_COVERAGE: Final = 0.5
"""Of both proteins, between the ends of the alignment."""
_CHUNK_RESIDUES: Final = 20_000
"""About a second of searching a bacterium."""
_Protein = tuple[str, str]


async def related_genes(
    results: Sequence[GenintResult], *, workers: int = 1
) -> tuple[tuple[GeneLink, ...], ...]:
    """Links between the genes of each genome and of the next.

    Two genes are linked where each is the best match of the other: E-value at most 1e-3, and an
    alignment over at least half of both proteins. The best match is the one with the highest
    score times the share of both proteins that is aligned (an internal start of the same frame
    matches its like, not the whole gene); of equally good ones the first by id.

    Args:
        results: Two or more. Genes without a protein (results before schema 1.1) have no links.
        workers: 1 computes in a thread of this process, 2 to 4 start that many processes; the
            links do not depend on it.

    Raises:
        WorkerDied: a worker process died three times over the same work.

    Cost: 1 s for two phages of 70 genes, a minute of CPU for two bacteria.
    """
    async with open_backend(workers=workers) as backend:
        return tuple([await _links(backend, one, other) for one, other in pairwise(results)])


async def _links(backend: Backend, one: GenintResult, other: GenintResult) -> tuple[GeneLink, ...]:
    proteins, references = _proteins(one), _proteins(other)
    if not proteins or not references:
        return ()
    with tempfile.TemporaryDirectory(prefix="genint-related-") as folder:
        database = await run_with_retry(backend, _indexed, references, Path(folder))
        chunks = balanced_chunks([len(residues) for _, residues in proteins], _CHUNK_RESIDUES)
        searches = (
            run_with_retry(backend, _search, [proteins[at] for at in chunk], database)
            for chunk in chunks
        )
        found = chain.from_iterable(await asyncio.gather(*searches))
        return reciprocal_best(found)


def reciprocal_best(hits: Iterable[SimilarityHit]) -> tuple[GeneLink, ...]:
    """Links of genes that are each other's best match, by the id of the first."""
    forward: dict[str, SimilarityHit] = {}
    backward: dict[str, SimilarityHit] = {}
    good = [hit for hit in hits if hit.evalue <= MOST_EVALUE and _shared(hit) >= LEAST_COVERAGE]
    for hit in sorted(good, key=lambda hit: (-_worth(hit), hit.gene_id, hit.entry.accession)):
        forward.setdefault(hit.gene_id, hit)
        backward.setdefault(hit.entry.accession, hit)
    return tuple(
        GeneLink(hit.gene_id, hit.entry.accession, hit.identity)
        for hit in sorted(forward.values(), key=lambda hit: hit.gene_id)
        if backward[hit.entry.accession] is hit
    )


def _shared(hit: SimilarityHit) -> float:
    """The smaller of the shares of both proteins that are aligned."""
    return min(hit.protein_coverage, hit.target_coverage)


def _worth(hit: SimilarityHit) -> float:
    """A protein is matched with the whole of another rather than with a part of a longer one."""
    return hit.score_bits * _shared(hit)


def _proteins(result: GenintResult) -> list[_Protein]:
    return [(gene.id, gene.translation) for gene in result.genes if gene.translation]


def _indexed(proteins: Sequence[_Protein], folder: Path) -> ReferenceDatabase:
    """The proteins of a genome as a reference, in an empty folder."""
    from genint.knowledge.protein_index_build import build_index  # noqa: PLC0415 - loads numpy
    from genint.sources.similarity.search import ReferenceDatabase  # noqa: PLC0415

    references = (
        ReferenceProtein(
            ReferenceEntry(gene_id, "", length_aa=len(residues), digest=residues_digest(residues)),
            residues,
        )
        for gene_id, residues in proteins
    )
    for left in folder.iterdir():  # of a worker that died over it
        left.unlink()
    digest = build_index(references, folder).digest
    return ReferenceDatabase(EvidenceSource.USER_PROTEINS, "compared genome", folder, digest)


def _search(proteins: Sequence[_Protein], database: ReferenceDatabase) -> tuple[SimilarityHit, ...]:
    from genint.sources.similarity.search import search_similar  # noqa: PLC0415 - loads numpy

    return search_similar(proteins, database)
