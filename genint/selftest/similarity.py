"""Whether the search for similar proteins finds the nearest, and how near it is."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from genint.compute import Backend
from genint.model.vocabulary import EvidenceSource
from genint.selftest.answers import (
    REFERENCES,
    KnownGene,
    known_genes,
    known_proteins,
    read_made,
)
from genint.selftest.check import CURE_INSTALLATION, Finding, Places

if TYPE_CHECKING:
    from genint.model.evidence import SimilarityHit
    from genint.model.reference import ReferenceProtein

_TOLERANCE = 0.005
"""Of identity: an alignment may place a gap where residues were exchanged side by side."""


@dataclass(frozen=True, slots=True)
class SimilaritySearch:
    """Made-up reference proteins are indexed and searched with those of the genome."""

    name: str = "similarity search"
    cure: str = CURE_INSTALLATION

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        return await near.run(_search)


def _search() -> Finding:
    from genint.formats.proteins import read_proteins  # noqa: PLC0415 - lazy

    references = read_proteins(read_made(REFERENCES), REFERENCES)
    known, proteins = known_genes(), known_proteins()
    with tempfile.TemporaryDirectory(prefix="genint-selftest-") as folder:
        best = _nearest(proteins, references, Path(folder))
    ids = [gene_id for gene_id, _ in proteins]
    if wrong := misses(zip(known, (best.get(gene_id) for gene_id in ids), strict=True)):
        return Finding.failed("; ".join(wrong))
    near = sum(bool(gene.nearest) for gene in known)
    return Finding.ok(
        f"the nearest of {len(references)} made-up proteins and its identity for {near} genes, "
        f"none for the other {len(known) - near}"
    )


def _nearest(
    proteins: Sequence[tuple[str, str]], references: Iterable[ReferenceProtein], folder: Path
) -> dict[str, SimilarityHit]:
    """The best hit of each protein that has one."""
    from genint.knowledge.protein_index_build import build_index  # noqa: PLC0415 - lazy
    from genint.sources.similarity_search import (  # noqa: PLC0415
        ReferenceDatabase,
        search_similar,
    )

    index = build_index(references, folder)
    database = ReferenceDatabase(
        source=EvidenceSource.USER_PROTEINS, name=REFERENCES, folder=folder, digest=index.digest
    )
    best: dict[str, SimilarityHit] = {}
    for hit in search_similar(proteins, database):
        best.setdefault(hit.gene_id, hit)
    return best


def misses(pairs: Iterable[tuple[KnownGene, SimilarityHit | None]]) -> tuple[str, ...]:
    """Genes whose nearest protein is not the one that it has to be, in words."""
    wrong = []
    for gene, hit in pairs:
        found = "nothing" if hit is None else hit.entry.accession
        if found != (gene.nearest or "nothing"):
            wrong.append(f"{gene.words} found {found}, not {gene.nearest or 'nothing'}")
        elif hit and gene.identity and abs(hit.identity - gene.identity) > _TOLERANCE:
            wrong.append(
                f"{gene.words} is {hit.identity:.1%} identical to {found}, not {gene.identity:.1%}"
            )
    return tuple(wrong)
