"""Similarity search: which proteins of a reference are similar to a protein?

Three steps, each on far fewer proteins than the one before: shared seeds
(:mod:`genint.sources.similarity.prefilter`), Smith-Waterman scores
(:mod:`genint.sources.similarity.alignment`), and E-values corrected for composition
(:mod:`genint.sources.similarity.evalue`); what is reported is aligned in full.

Answers depend on the protein and the reference alone, never on the other proteins of a call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from genint.errors import WorkCancelled
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.protein_index import ProteinIndex, comparable, open_index
from genint.model.evidence import ReferenceEntry, SimilarityHit
from genint.model.vocabulary import EvidenceSource
from genint.sources.similarity import evalue as statistics
from genint.sources.similarity import prefilter
from genint.sources.similarity.alignment import Alignment, align_all
from genint.sources.similarity.evalue import Estimates, Query, adjusted_bits, estimate, query
from genint.sources.similarity.prefilter import Candidates

SEARCH_VERSION: Final = 5
"""Raised whenever an answer can change."""

MOST_EVALUE: Final = 1e-3
MOST_HITS: Final = 20
MOST_NAMED_HITS: Final = 5

_SURE_EVALUE: Final = 1e-15
"""Where near seeds lead to a hit this good, far ones are not looked up: the best hits are
found."""
_AT_ONCE: Final = 50
"""Candidates that are aligned in one go."""
_MORE_AROUND: Final = 100
"""Residues of a candidate on either side of its best diagonal, more than the protein has, that are
aligned at first: the longest of the candidates takes the time of all."""
_SCORED_AT_ONCE: Final = 10
"""Of those, how many are scored to the end before it is checked whether that is enough."""
_FIRST_AT_ONCE: Final = 32
"""Of those in the order of their alignments with gaps: where none of so many is alike, the others
are not looked at. As many as are aligned side by side in a vector unit of 256 bits."""
_CLOSE_SCORE: Final = 65
"""Of an alignment without gaps: below it near seeds find no close homologs. Of 413 proteins of
three genomes 156 have hits of 1e-15 by near seeds, and all of those score higher."""
_MOST_FOR_NAMES: Final = 150
"""Candidates that are aligned in search of names where the list is full without."""
_MOST_CANDIDATES: Final = 1_500
_ALIGNED_AT_ONCE: Final = MOST_HITS
_MOST_ALIGNED: Final = 400
"""Hits that are aligned in full for one protein while near-identical ones are left out."""
_UNINFORMATIVE: Final = frozenset({NameKind.PLACEHOLDER, NameKind.SYMBOL})

Protein = tuple[str, str]
"""Gene id and residues."""


@dataclass(frozen=True, slots=True)
class ReferenceDatabase:
    """Proteins to compare with; small, hashable and picklable.

    Attributes:
        source: What hits in it are cited as.
        name: With its release, such as ``Swiss-Prot 2026_03`` or ``mine.faa``.
        folder: Of its index.
        digest: Its identity.
    """

    source: EvidenceSource
    name: str
    folder: Path
    digest: str


class _Found(NamedTuple):
    """A protein of the reference that is alike, not yet aligned in full."""

    number: int
    length_aa: int
    evalue: float
    score_bits: float


def search_similar(
    proteins: Sequence[Protein],
    database: ReferenceDatabase,
    *,
    max_identity: float | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[SimilarityHit, ...]:
    """Proteins of a reference that are like the given ones, E-value at most 1e-3.

    Args:
        proteins: Gene ids with their residues. Whatever is no residue is searched as X; an
            empty protein has no hits.
        database: The reference.
        max_identity: Leave out hits that are at least so identical, 0..1, and look on
            behind them.
        is_cancelled: Called before every protein.

    Returns:
        In the order of ``proteins``, best first: for each the 20 best hits, and the 5 best
        of those whose name is informative.

    Raises:
        UnavailableError: the index is not there, damaged, or of another format.
        WorkCancelled: ``is_cancelled`` returned true.

    Cost: some 25 ms a protein against 84,000 proteins of 21 million residues; grows with the
    length of the protein and the size of the reference.
    """
    index = open_index(database.folder)
    hits: list[SimilarityHit] = []
    for gene_id, residues in proteins:
        if is_cancelled is not None and is_cancelled():
            raise WorkCancelled("the similarity search was cancelled")
        letters = comparable(residues[: prefilter.LONGEST_PROTEIN])
        if letters and len(index):
            hits.extend(_hits(gene_id, letters, index, database, max_identity))
    return tuple(hits)


def _hits(
    gene_id: str,
    letters: bytes,
    index: ProteinIndex,
    database: ReferenceDatabase,
    max_identity: float | None,
) -> Iterator[SimilarityHit]:
    """Hits of one protein."""
    wanted = _SearchLimits()
    if max_identity is not None:
        wanted = _SearchLimits(hits=_MOST_ALIGNED, thoroughly=True)
    found = _found(letters, index, wanted)
    kept = named = 0
    for first in range(0, len(found), _ALIGNED_AT_ONCE):
        chosen = _informative_ones(found[first : first + _ALIGNED_AT_ONCE], index, kept)
        targets = [index.protein(hit.number) for hit, _, _ in chosen]
        for (hit, entry, informative), alignment in zip(
            chosen, align_all(letters, targets), strict=True
        ):
            if max_identity is not None and alignment.identity >= max_identity:
                continue
            if kept >= MOST_HITS and (not informative or named >= MOST_NAMED_HITS):
                continue
            kept += 1
            named += informative
            yield _hit((gene_id, len(letters)), database, hit, entry, alignment)
        if kept >= MOST_HITS and named >= MOST_NAMED_HITS:
            return


def _informative_ones(
    found: Sequence[_Found], index: ProteinIndex, kept: int
) -> list[tuple[_Found, ReferenceEntry, bool]]:
    """With their entries, and whether their names are informative."""
    entries = [index.entry(hit.number) for hit in found]
    informative = [_is_informative(entry) for entry in entries]
    return [
        chosen
        for chosen in zip(found, entries, informative, strict=True)
        if kept < MOST_HITS or chosen[2]
    ]


def _hit(
    protein: tuple[str, int],
    database: ReferenceDatabase,
    found: _Found,
    entry: ReferenceEntry,
    alignment: Alignment,
) -> SimilarityHit:
    """What is reported, for a protein of which the gene and the length are given."""
    gene_id, protein_aa = protein
    return SimilarityHit(
        gene_id=gene_id,
        source=database.source,
        database=database.name,
        entry=entry,
        evalue=found.evalue,
        score_bits=found.score_bits,
        identity=round(alignment.identity, 4),
        protein_from=alignment.protein_from + 1,
        protein_to=alignment.protein_to,
        target_from=alignment.target_from + 1,
        target_to=alignment.target_to,
        protein_coverage=round((alignment.protein_to - alignment.protein_from) / protein_aa, 4),
        target_coverage=round((alignment.target_to - alignment.target_from) / found.length_aa, 4),
    )


def nearest_evalue(residues: str, index: ProteinIndex) -> float:
    """The best E-value of a protein whatever it is, for checking what E-values mean.

    Infinite where nothing shares a seed with it. (E-values far above 1 are not all found.)
    """
    letters = comparable(residues[: prefilter.LONGEST_PROTEIN])
    if not letters or not len(index):
        return math.inf
    found = _found(letters, index, _SearchLimits(most_evalue=1e3, hits=1))
    return found[0].evalue if found else math.inf


class _SearchLimits(NamedTuple):
    """Limits of a search.

    Attributes:
        most_evalue: Of a hit.
        hits: Hits after which no further candidates are looked at.
        thoroughly: With both kinds of seeds in any case.
        first_at_once: Where none of so many of the candidates aligned in one go is alike, the
            others are not looked at.
    """

    most_evalue: float = MOST_EVALUE
    hits: int = MOST_HITS
    thoroughly: bool = False
    first_at_once: int | None = None


def _found(letters: bytes, index: ProteinIndex, wanted: _SearchLimits) -> list[_Found]:
    """Proteins of the reference with a good E-value, best first, ties by accession."""
    protein = query(letters, index.info.residues, index.info.proteins)
    near = prefilter.near_diagonals(index, letters)
    found: dict[int, _Found] = {}
    if near.scores.max(initial=0) >= _CLOSE_SCORE:
        _add_similar(found, protein, index, prefilter.by_diagonal(index, near), wanted)
    best = min((hit.evalue for hit in found.values()), default=1.0)
    if wanted.thoroughly or best > _SURE_EVALUE:
        found.clear()
        both = (near, prefilter.far_diagonals(index, letters))
        ranked = prefilter.by_gapped_score(index, letters, both)
        wanted = wanted._replace(first_at_once=_FIRST_AT_ONCE)
        _add_similar(found, protein, index, ranked, wanted)
    return sorted(
        found.values(), key=lambda hit: (hit.evalue, -hit.score_bits, int(index.ranks[hit.number]))
    )


def _add_similar(
    found: dict[int, _Found],
    protein: Query,
    index: ProteinIndex,
    ranked: Candidates,
    wanted: _SearchLimits,
) -> None:
    """Put those of the candidates that are alike with what is found."""
    for first in range(0, min(len(ranked.proteins), _MOST_CANDIDATES), _AT_ONCE):
        chosen = ranked.part(first, first + _AT_ONCE)
        better = _evaluated(protein, index, chosen, wanted, found)
        if len(found) >= wanted.hits and (
            wanted.hits < MOST_HITS or first >= _MOST_FOR_NAMES or _enough_names(index, found)
        ):
            break
        if not better:
            break


def _enough_names(index: ProteinIndex, found: Iterable[int]) -> bool:
    """Whether enough of the proteins have an informative name."""
    named = (number for number in found if _is_informative(index.entry(number)))
    return sum(1 for _ in islice(named, MOST_NAMED_HITS)) >= MOST_NAMED_HITS


def _is_informative(entry: ReferenceEntry) -> bool:
    return classify_product(entry.name) not in _UNINFORMATIVE


def _evaluated(
    protein: Query,
    index: ProteinIndex,
    chosen: Candidates,
    wanted: _SearchLimits,
    found: dict[int, _Found],
) -> int:
    """Put those of the candidates that are alike with what is found; how many they are.

    Once enough are found, only those with informative names are scored to the end.
    """
    numbers = chosen.proteins
    estimates = _estimates(protein, index, chosen, wanted)
    before = len(found)
    for first in range(0, len(estimates.at), _SCORED_AT_ONCE):
        group = range(first, min(first + _SCORED_AT_ONCE, len(estimates.at)))
        if len(found) >= wanted.hits:
            if wanted.hits < MOST_HITS or _enough_names(index, found):
                break
            entries = {at: index.entry(int(numbers[estimates.at[at]])) for at in group}
            scored = [at for at, entry in entries.items() if _is_informative(entry)]
        else:
            scored = list(group)
        part = estimates.part(scored)
        for at, target, score in zip(
            part.at, part.targets, adjusted_bits(protein, part), strict=True
        ):
            evalue = statistics.evalue(float(score), protein.space)
            if evalue <= wanted.most_evalue:
                number = int(numbers[at])
                found[number] = _Found(number, len(target), evalue, float(score))
    return len(found) - before


def _estimates(
    protein: Query, index: ProteinIndex, chosen: Candidates, wanted: _SearchLimits
) -> Estimates:
    """Those of the candidates that may be alike."""
    return estimate(
        protein,
        prefilter.around(index, chosen, len(protein.letters) + _MORE_AROUND),
        lambda at: index.protein(int(chosen.proteins[at])),
        wanted.most_evalue,
        first=wanted.first_at_once,
    )
