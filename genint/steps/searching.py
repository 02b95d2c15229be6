"""Third step: what the proteins are like.

What is known of a protein from an earlier run is looked up before anything is searched;
only the rest is cut into tasks for the workers. A worker keeps what it finds, so that a
run that was broken off goes on where it stopped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.compute.chunks import balanced_chunks
from genint.errors import UnavailableError, WorkCancelled
from genint.model.genome import Genome
from genint.model.interpretation import Parameters
from genint.steps.calling import Called
from genint.steps.equipment import Equipment
from genint.steps.searches import (
    FamilySearch,
    Hit,
    IsCancelled,
    ProfileSearch,
    Protein,
    Search,
    SimilaritySearch,
)

if TYPE_CHECKING:
    from genint.cache.results import ResultCache

CHUNK_RESIDUES = 40_000
"""Residues a worker searches at a time: small enough for a smooth progress bar and
quick cancelling (about a second), large enough that loading profiles costs little."""


class Task(NamedTuple):
    """Proteins that a worker is to make the searches of one bundle with."""

    bundle: int
    proteins: tuple[Protein, ...]


class Answer(NamedTuple):
    """What a search, by its number, found for a gene; never without hits."""

    search: int
    gene_id: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class SearchKit:
    """All that a worker needs to know of the searches of a run.

    Attributes:
        bundles: Searches that are made one after the other with the same proteins;
            each is numbered by its place in all bundles.
        cache_folder: Where pressed profiles and results are kept.
        cache_limit_bytes: How large the cache of results may grow; 0 for none.
    """

    bundles: tuple[tuple[Search, ...], ...]
    cache_folder: Path
    cache_limit_bytes: int

    def first_number(self, bundle: int) -> int:
        """Number of the first search of a bundle."""
        return sum(len(searches) for searches in self.bundles[:bundle])

    def results(self) -> ResultCache:
        """The cache of results."""
        from genint.cache.results import ResultCache  # noqa: PLC0415 - lazy

        kept = self.cache_folder if self.cache_limit_bytes else None
        return ResultCache(kept, limit_bytes=self.cache_limit_bytes)


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What is known of a genome's proteins, and what is to be searched.

    Attributes:
        kit: For the workers.
        tasks: May be done in any order.
        known: Answers from earlier runs.
        same_as: Gene -> the gene with the same protein that is searched for both.
    """

    kit: SearchKit
    tasks: tuple[Task, ...]
    known: tuple[Answer, ...]
    same_as: Mapping[str, str]


def plan_search(called: Called, equipment: Equipment, parameters: Parameters) -> SearchPlan:
    """Look up what is known of the proteins and cut the rest into tasks.

    Raises:
        UnavailableError: a pack is not there or damaged.

    Cost: 0.1 s; 3 s for the first time with a cache folder.
    """
    from genint.cache.upkeep import sweep  # noqa: PLC0415 - lazy

    folders = equipment.folders
    bundles = searches_of(called.annotated.length_bp, equipment, parameters)
    kit = SearchKit(bundles, folders.cache, folders.cache_limit_bytes)
    distinct, same_as = _distinct(called.proteins)
    tasks: list[Task] = []
    known: list[Answer] = []
    with kit.results() as results:
        for number, searches in enumerate(bundles):
            lookup = _Lookup.of(distinct, searches, results)
            left = [protein for protein in distinct if not lookup.is_complete(protein)]
            told = [protein for protein in distinct if lookup.is_complete(protein)]
            known.extend(lookup.answers(told, kit.first_number(number)))
            tasks.extend(Task(number, chunk) for chunk in _chunks(left))
    if tasks and folders.cache.is_dir():
        sweep(folders.cache)  # what older versions left there; cheap beside a search
    needed = {task.bundle for task in tasks}
    prepared = tuple(
        tuple(search.prepared(folders.cache) if at in needed else search for search in searches)
        for at, searches in enumerate(bundles)
    )
    kit = SearchKit(prepared, folders.cache, folders.cache_limit_bytes)
    return SearchPlan(kit, tuple(tasks), tuple(known), same_as)


def prepare(genome: Genome, equipment: Equipment, parameters: Parameters) -> None:
    """Press all profiles that a genome may need, so that later steps find them ready.

    Raises:
        UnavailableError: a pack is not there or damaged.
    """
    for searches in searches_of(genome.length_bp, equipment, parameters):
        for one in searches:
            one.prepared(equipment.folders.cache)


def searches_of(
    length_bp: int, equipment: Equipment, parameters: Parameters
) -> tuple[tuple[Search, ...], ...]:
    """Searches of a run, in bundles: small ones together, blocks of a large one each alone.

    Args:
        length_bp: Of the genome; says which families come first.
        equipment: What there is to search.
        parameters: Options.
    """
    from genint.sources.profile_database import ProfileDatabase  # noqa: PLC0415 - lazy
    from genint.sources.search_order import FamilyOrder  # noqa: PLC0415

    families = FamilySearch(FamilyOrder.of(length_bp, equipment.folders.families))
    similar = tuple(
        SimilaritySearch(reference, parameters.max_identity) for reference in equipment.references
    )
    blocks = equipment.pfam_blocks
    if not blocks:
        return ((ProfileSearch(ProfileDatabase.shipped()), families, *similar),)
    return ((families, *similar), *((ProfileSearch(block),) for block in blocks))


def _distinct(proteins: Iterable[Protein]) -> tuple[list[Protein], dict[str, str]]:
    """Each protein once, and which genes share one."""
    first: dict[str, str] = {}
    distinct, same_as = [], {}
    for gene_id, residues in proteins:
        known = first.setdefault(residues, gene_id)
        if known == gene_id:
            distinct.append((gene_id, residues))
        else:
            same_as[gene_id] = known
    return distinct, same_as


def _chunks(proteins: Sequence[Protein]) -> Iterator[tuple[Protein, ...]]:
    lengths = [len(residues) for _, residues in proteins]
    for chunk in balanced_chunks(lengths, CHUNK_RESIDUES):
        yield tuple(proteins[at] for at in chunk)


@dataclass(frozen=True, slots=True)
class _Lookup:
    """What the cache knows of proteins, search by search."""

    searches: tuple[Search, ...]
    keys: Mapping[str, bytes]
    told: tuple[Mapping[bytes, str], ...]

    @classmethod
    def of(
        cls, proteins: Sequence[Protein], searches: tuple[Search, ...], results: ResultCache
    ) -> _Lookup:
        from genint.cache.results import protein_key  # noqa: PLC0415 - lazy

        keys = {gene_id: protein_key(residues) for gene_id, residues in proteins}
        told = tuple(results.known(search.source, keys.values()) for search in searches)
        return cls(searches, keys, told)

    def knows(self, at: int, protein: Protein) -> bool:
        """Whether the search at a place of the bundle was made with a protein before."""
        return self.keys[protein[0]] in self.told[at]

    def is_complete(self, protein: Protein) -> bool:
        """Whether all searches were."""
        return all(self.knows(at, protein) for at in range(len(self.searches)))

    def answers(self, proteins: Iterable[Protein], first: int) -> Iterator[Answer]:
        """What is known of proteins; searches are numbered from ``first``."""
        for gene_id, _ in proteins:
            for at, search in enumerate(self.searches):
                text = self.told[at].get(self.keys[gene_id])
                hits = search.unpack(gene_id, text) if text is not None else ()
                if hits:
                    yield Answer(first + at, gene_id, hits)


def search(
    task: Task, kit: SearchKit, *, is_cancelled: Callable[[], bool] | None = None
) -> tuple[Answer, ...]:
    """Make the searches of a bundle with some proteins, and keep what they find.

    Raises:
        WorkCancelled: ``is_cancelled`` said so.
        UnavailableError: an installed database, or an index, is gone or damaged.
    """
    searches, first = kit.bundles[task.bundle], kit.first_number(task.bundle)
    answers: list[Answer] = []
    with kit.results() as results:
        lookup = _Lookup.of(task.proteins, searches, results)
        answers.extend(lookup.answers(task.proteins, first))
        for at, one in enumerate(searches):
            left = [protein for protein in task.proteins if not lookup.knows(at, protein)]
            if not left:
                continue
            by_gene = _by_gene(_found(one, left, kit.cache_folder, is_cancelled))
            results.keep(
                one.source,
                {lookup.keys[gene_id]: one.pack(by_gene.get(gene_id, ())) for gene_id, _ in left},
            )
            answers.extend(Answer(first + at, gene_id, hits) for gene_id, hits in by_gene.items())
    return tuple(answers)


def _found(
    one: Search, proteins: Sequence[Protein], cache_folder: Path, is_cancelled: IsCancelled
) -> tuple[Hit, ...]:
    """Hits of a search; whatever damaged files make of it is told with the cure."""
    try:
        return one.find(proteins, cache_folder, is_cancelled)
    except (WorkCancelled, MemoryError):
        raise
    except Exception as problem:
        if one.cure is None:
            raise
        raise UnavailableError(one.cure) from problem


def _by_gene(hits: Iterable[Hit]) -> dict[str, tuple[Hit, ...]]:
    grouped: defaultdict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        grouped[hit.gene_id].append(hit)
    return {gene_id: tuple(found) for gene_id, found in grouped.items()}
