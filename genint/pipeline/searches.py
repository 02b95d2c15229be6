"""What a run searches, in parts that may run anywhere: every protein, and the bases for RNA.

Each search of proteins has a name for its answers (``source``), which holds everything that
an answer depends on besides the protein: an answer kept under it is right for as long as the
name comes up again. Answers are kept as JSON, which gives every number back as it was.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.cache.info import sweep
from genint.cache.profiles import index_name, made_once
from genint.cache.search_results import ResultCache, protein_key
from genint.compute import balanced_chunks
from genint.errors import UnavailableError, WorkCancelled
from genint.model.evidence import ProfileHit, ReferenceEntry, SimilarityHit, by_gene
from genint.model.genome import Genome
from genint.model.interpretation import Parameters
from genint.model.kinds import with_kinds
from genint.model.overview import MarkerHit, MarkerMeaning
from genint.model.vocabulary import EvidenceSource, GenomeKind
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, Resources, load_resources
from genint.pipeline.rna import (
    RnaAnswer,
    RnaFindings,
    RnaPlan,
    RnaTask,
    gather_rna,
    plan_rna,
    search_rna,
)
from genint.version import __version__, library_version

if TYPE_CHECKING:
    from genint.sources.defence_profiles import DefenceProfiles
    from genint.sources.markers import MarkerDatabase
    from genint.sources.profiles import FamilyOrder, ProfileDatabase
    from genint.sources.similarity.search import ReferenceDatabase


Protein = tuple[str, str]
"""Gene id and residues."""
Hit = ProfileHit | SimilarityHit | MarkerHit
IsCancelled = Callable[[], bool] | None
_VERIFY = "it cannot be read; `genint db verify {name}` says what is wrong and what to do"
_CLEAR = "its index cannot be read; `genint cache clear --profiles`, then run again"


class Search(ABC):
    """One way to search for what a protein is like; frozen, hashable, picklable.

    Its hits are those of profiles unless it packs and unpacks others.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def source(self) -> str:
        """Everything besides the protein that an answer depends on."""

    @property
    def cure(self) -> str | None:
        """What to do where the files that it reads are damaged; None: they are rebuilt."""
        return None

    @property
    def packs(self) -> tuple[ProfileDatabase, ...]:
        """Profiles that are indexed before the tasks begin."""
        return ()

    def with_packs(self, packs: Sequence[ProfileDatabase]) -> Search:
        """The same with :attr:`packs` as they were made ready, in their order."""
        del packs
        return self

    def with_threads(self, threads: int) -> Search:
        """The same search, done by so many threads where it can be."""
        del threads
        return self

    @abstractmethod
    def find(self, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
        """Hits of proteins, in their order."""

    def pack(self, hits: Sequence[Hit]) -> str:
        """Hits of one protein as text, without its id."""
        return json.dumps([hit[1:] for hit in hits], separators=(",", ":"))

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """Hits of a gene from such a text."""
        return tuple(ProfileHit(gene_id, *row) for row in json.loads(text))


@dataclass(frozen=True, slots=True)
class ProfileSearch(Search):
    """All profiles of a pack, or of a block of an installed database."""

    database: ProfileDatabase

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        return f"profiles|{self.database.identity}|genint {__version__}"

    @property
    def cure(self) -> str | None:
        """See :class:`Search`."""
        if not self.database.is_installed:
            return None
        return f"{self.database.file}: {_VERIFY.format(name='pfam')}"

    @property
    def packs(self) -> tuple[ProfileDatabase, ...]:
        """See :class:`Search`."""
        return (self.database,)

    def with_packs(self, packs: Sequence[ProfileDatabase]) -> ProfileSearch:
        """See :class:`Search`."""
        (database,) = packs
        return ProfileSearch(database)

    def find(self, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.profiles import search_chunk  # noqa: PLC0415 - loads HMMER

        return search_chunk(proteins, self.database, is_cancelled=is_cancelled)


@dataclass(frozen=True, slots=True)
class FamilySearch(Search):
    """The families of genint's own, those that fit the genome first.

    Attributes:
        order: The packs.
        threads: That search; the answer does not depend on them.
    """

    order: FamilyOrder
    threads: int = 1

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        packs = f"{self.order.fitting.identity}|then|{self.order.other.identity}"
        return f"families|{packs}|genint {__version__}"

    @property
    def packs(self) -> tuple[ProfileDatabase, ...]:
        """See :class:`Search`; some protein of nearly every genome needs the other pack."""
        return (self.order.fitting, self.order.other)

    def with_packs(self, packs: Sequence[ProfileDatabase]) -> FamilySearch:
        """See :class:`Search`."""
        fitting, other = packs
        return replace(self, order=replace(self.order, fitting=fitting, other=other))

    def with_threads(self, threads: int) -> FamilySearch:
        """See :class:`Search`."""
        return replace(self, threads=threads)

    def find(self, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.profiles import search_families  # noqa: PLC0415 - loads HMMER

        return search_families(
            proteins, self.order, is_cancelled=is_cancelled, threads=self.threads
        )


@dataclass(frozen=True, slots=True)
class SimilaritySearch(Search):
    """The proteins of a reference.

    Attributes:
        database: The reference.
        max_identity: Share of identical positions from which its entries are left out.
    """

    database: ReferenceDatabase
    max_identity: float | None

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        from genint.sources.similarity.search import SEARCH_VERSION  # noqa: PLC0415 - loads numpy

        what = f"{self.database.digest}|below {self.max_identity}|{_aligner()}|{SEARCH_VERSION}"
        return f"similarity|{what}|genint {__version__}"

    @property
    def cure(self) -> str:
        """See :class:`Search`."""
        if self.database.source is EvidenceSource.SWISSPROT:
            return f"{self.database.name}: {_VERIFY.format(name='swissprot')}"
        return f"{self.database.name}: {_CLEAR}"

    def find(self, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.similarity.search import search_similar  # noqa: PLC0415 - loads numpy

        return search_similar(
            proteins, self.database, max_identity=self.max_identity, is_cancelled=is_cancelled
        )

    def pack(self, hits: Sequence[Hit]) -> str:
        """See :class:`Search`."""
        return json.dumps([hit[3:] for hit in hits], separators=(",", ":"))

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        source, name = self.database.source, self.database.name
        return tuple(
            SimilarityHit(gene_id, source, name, _entry(entry), *figures)
            for entry, *figures in json.loads(text)
        )


@dataclass(frozen=True, slots=True)
class MarkerSearch(Search):
    """A reference of markers, installed or the user's."""

    database: MarkerDatabase

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        from genint.sources import markers  # noqa: PLC0415 - loads numpy, HMMER
        from genint.sources.similarity.search import SEARCH_VERSION  # noqa: PLC0415

        what = f"{self.database.digest}|{_aligner()}|{SEARCH_VERSION}|{markers.SEARCH_VERSION}"
        return f"markers|{what}|genint {__version__}"

    @property
    def cure(self) -> str:
        """See :class:`Search`."""
        cure = _VERIFY.format(name="amr") if self.database.is_installed else _CLEAR
        return f"{self.database.name}: {cure}"

    def find(self, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.markers import search_markers  # noqa: PLC0415 - loads numpy, HMMER

        return search_markers(proteins, self.database, is_cancelled=is_cancelled)

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        hits = (MarkerHit(gene_id, *row) for row in json.loads(text))
        return tuple(
            hit._replace(
                database=self.database.name,
                means=MarkerMeaning(hit.means) if hit.means else None,
            )
            for hit in hits
        )


@dataclass(frozen=True, slots=True)
class DefenceSearch(Search):
    """The profiles of an installed PADLOC-DB, each with limits of its own."""

    database: DefenceProfiles

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        return f"defence|{self.database.identity}|genint {__version__}"

    @property
    def cure(self) -> str:
        """See :class:`Search`."""
        return f"{self.database.name}: {_VERIFY.format(name='padloc')}"

    def find(self, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.defence_profiles import search_defence  # noqa: PLC0415 - loads HMMER

        return search_defence(proteins, self.database, is_cancelled=is_cancelled)

    def pack(self, hits: Sequence[Hit]) -> str:
        """See :class:`Search`."""
        return json.dumps([hit[2:] for hit in hits], separators=(",", ":"))

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        name = self.database.name
        return tuple(MarkerHit(gene_id, name, *row) for row in json.loads(text))


def _aligner() -> str:
    return f"pyopal {library_version('pyopal')}"


def _entry(row: Sequence[object]) -> ReferenceEntry:
    """An entry whose tuples became lists on the way."""
    return ReferenceEntry(*(tuple(x) if isinstance(x, list) else x for x in row))  # type: ignore[arg-type]  # as they were packed


def indexed(database: ProfileDatabase, cache_folder: Path) -> ProfileDatabase:
    """The database with its index, where it is prefiltered and that can be kept.

    Cost: 0.01 s; 0.2 s a million positions for the first time with a cache folder.
    """
    from genint.knowledge.family_index import write_index  # noqa: PLC0415 - loads numpy

    if not database.is_prefiltered or not database.profiles or database.index is not None:
        return database
    index = made_once(
        cache_folder,
        index_name(database.digest),
        lambda folder: write_index(database.unpacked(), folder),
    )
    return replace(database, index=index)


_AT_ONCE = 2
"""Threads that make packs ready: much is done without the lock."""
FEWEST_RESIDUES = 40_000
"""Residues that a worker searches at a time at least: so many that reading the families, which
costs the same for few proteins as for many, costs little beside."""
MOST_RESIDUES = 350_000
"""At most, for the sake of memory and of quick progress: some 15 s of work."""
_SHARES = 4
"""Parts of a genome that is neither small nor large: as many as there are workers at most."""


class SearchTask(NamedTuple):
    """Searches to be made one after the other with some proteins: all that a worker needs.

    Attributes:
        bundle: Number of the bundle of searches; small searches share one.
        proteins: What to search with.
        searches: Of the bundle.
        folders: Where indexed profiles and results are kept.
        threads: That its searches may use: more than one where no other task is done beside it.
    """

    bundle: int
    proteins: tuple[Protein, ...]
    searches: tuple[Search, ...]
    folders: Folders
    threads: int = 1


class SearchAnswer(NamedTuple):
    """What a search found for a gene; never without hits.

    ``search`` is its place: number of the bundle, number in the bundle.
    """

    search: tuple[int, int]
    gene_id: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What is known of a genome's proteins, and what is to be searched.

    Attributes:
        tasks: May be done in any order.
        known: Answers from earlier runs.
        same_as: Gene -> the gene with the same protein that is searched for both.
    """

    tasks: tuple[SearchTask, ...]
    known: tuple[SearchAnswer, ...]
    same_as: Mapping[str, str]


def plan_search(called: Called, resources: Resources, parameters: Parameters) -> SearchPlan:
    """Look up what is known of the proteins and cut the rest into tasks.

    Raises:
        UnavailableError: a pack is not there or damaged.

    Cost: 0.1 s; 3 s for the first time with a cache folder.
    """
    folders = resources.folders
    distinct, same_as = _distinct(called.proteins)
    tasks: list[SearchTask] = []
    known: list[SearchAnswer] = []
    results = folders.results()
    for kind in called.annotated.kinds:
        of_kind = [protein for protein in distinct if called.kind_of(protein[0]) is kind]
        for bundle, searches in enumerate(searches_of(kind, resources, parameters)):
            lookup = _Lookup.of(of_kind, searches, results)
            left = [protein for protein in of_kind if not lookup.is_complete(protein)]
            complete = [protein for protein in of_kind if lookup.is_complete(protein)]
            known.extend(lookup.answers(complete, bundle))
            if left:
                prepared = _prepared(searches, folders.cache)
                tasks += (SearchTask(bundle, chunk, prepared, folders) for chunk in _chunks(left))
    if tasks and folders.cache.is_dir():
        sweep(folders.cache)  # what older versions left there; cheap beside a search
    if len(tasks) == 1:
        tasks = [tasks[0]._replace(threads=resources.threads_alone)]
    return SearchPlan(tuple(tasks), tuple(known), same_as)


def prepare(genome: Genome, resources: Resources, parameters: Parameters) -> None:
    """Index all profiles that a genome may need, so that later steps find them ready.

    Raises:
        UnavailableError: a pack is not there or damaged.
    """
    for kind in with_kinds(genome).kinds:
        for searches in searches_of(kind, resources, parameters):
            _prepared(searches, resources.folders.cache)


def prepare_profiles(folders: Folders) -> None:
    """Index the profiles that ship, so that the first run finds them ready.

    Raises:
        UnavailableError: a pack is not there or damaged.

    Cost: 0.5 s; 3 s for the first time with a cache folder.
    """
    parameters = Parameters()
    resources = load_resources(parameters, folders)
    for kind in GenomeKind:
        for searches in searches_of(kind, resources, parameters):
            _prepared(searches, folders.cache)


def searches_of(
    kind: GenomeKind, resources: Resources, parameters: Parameters
) -> tuple[tuple[Search, ...], ...]:
    """Searches of a run, in bundles: small ones together, blocks of a large one each alone.

    Args:
        kind: Of the records whose proteins are searched; says which families come first.
        resources: What there is to search.
        parameters: Options.
    """
    from genint.sources.profiles import FamilyOrder, ProfileDatabase  # noqa: PLC0415 - loads numpy

    families = FamilySearch(FamilyOrder.of(kind, resources.folders.families))
    similar = tuple(
        SimilaritySearch(reference, parameters.max_identity) for reference in resources.references
    )
    markers = tuple(MarkerSearch(database) for database in resources.marker_databases)
    defence = resources.defence_profiles
    alone = ((DefenceSearch(defence),),) if defence else ()
    blocks = resources.pfam_blocks
    if not blocks:
        first = (ProfileSearch(ProfileDatabase.shipped()), families, *similar, *markers)
        return (first, *alone)
    return ((families, *similar, *markers), *((ProfileSearch(block),) for block in blocks), *alone)


def _prepared(searches: Sequence[Search], cache_folder: Path) -> tuple[Search, ...]:
    """All of them made ready side by side: much of the work is done without the interpreter."""
    packs = tuple(pack for search in searches for pack in search.packs)
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        ready = iter(tuple(threads.map(lambda pack: indexed(pack, cache_folder), packs)))
    return tuple(search.with_packs([next(ready) for _ in search.packs]) for search in searches)


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
    share = -(-sum(lengths) // _SHARES)
    for chunk in balanced_chunks(lengths, min(max(share, FEWEST_RESIDUES), MOST_RESIDUES)):
        yield tuple(proteins[at] for at in chunk)


@dataclass(frozen=True, slots=True)
class _Lookup:
    """What the cache knows of proteins, search by search."""

    searches: tuple[Search, ...]
    keys: Mapping[str, bytes]
    known: tuple[Mapping[bytes, str], ...]

    @classmethod
    def of(
        cls, proteins: Sequence[Protein], searches: tuple[Search, ...], results: ResultCache
    ) -> _Lookup:
        keys = {gene_id: protein_key(residues) for gene_id, residues in proteins}
        known = tuple(results.known(search.source, keys.values()) for search in searches)
        return cls(searches, keys, known)

    def knows(self, at: int, protein: Protein) -> bool:
        """Whether the search at a place of the bundle was made with a protein before."""
        return self.keys[protein[0]] in self.known[at]

    def is_complete(self, protein: Protein) -> bool:
        """Whether all searches were."""
        return all(self.knows(at, protein) for at in range(len(self.searches)))

    def answers(self, proteins: Iterable[Protein], bundle: int) -> Iterator[SearchAnswer]:
        """What is known of proteins by the searches of a bundle."""
        for gene_id, _ in proteins:
            for at, search in enumerate(self.searches):
                text = self.known[at].get(self.keys[gene_id])
                hits = search.unpack(gene_id, text) if text is not None else ()
                if hits:
                    yield SearchAnswer((bundle, at), gene_id, hits)


def search(
    task: SearchTask, *, is_cancelled: Callable[[], bool] | None = None
) -> tuple[SearchAnswer, ...]:
    """Make the searches of a task, and keep what they find.

    Raises:
        WorkCancelled: ``is_cancelled`` returned True.
        UnavailableError: an installed database, or an index, is gone or damaged.
    """
    results = task.folders.results()
    lookup = _Lookup.of(task.proteins, task.searches, results)
    answers = list(lookup.answers(task.proteins, task.bundle))
    unknown = {
        at: left
        for at in range(len(task.searches))
        if (left := [protein for protein in task.proteins if not lookup.knows(at, protein)])
    }

    def found(at: int) -> dict[str, tuple[Hit, ...]]:
        one = task.searches[at].with_threads(task.threads)
        return by_gene(_found(one, unknown[at], is_cancelled))

    with ThreadPoolExecutor(task.threads) as pool:
        for at, hits_of in zip(unknown, pool.map(found, unknown), strict=True):
            one = task.searches[at]
            packed = {
                lookup.keys[gene_id]: one.pack(hits_of.get(gene_id, ()))
                for gene_id, _ in unknown[at]
            }
            results.keep(one.source, packed)
            answers.extend(
                SearchAnswer((task.bundle, at), gene_id, hits) for gene_id, hits in hits_of.items()
            )
    return tuple(answers)


def _found(one: Search, proteins: Sequence[Protein], is_cancelled: IsCancelled) -> tuple[Hit, ...]:
    """Hits of a search; an error of damaged files names the cure."""
    try:
        return one.find(proteins, is_cancelled)
    except (WorkCancelled, MemoryError):
        raise
    except Exception as problem:
        if one.cure is None:
            raise
        raise UnavailableError(one.cure) from problem


class Findings(NamedTuple):
    """All hits of a genome, in the order of its proteins.

    Attributes:
        profiles: Of profile searches.
        similar: Of searches for similar proteins.
        rna: RNA genes and CRISPR arrays.
        markers: Of references that say what a gene means for the genome.
    """

    profiles: tuple[ProfileHit, ...]
    similar: tuple[SimilarityHit, ...]
    rna: RnaFindings = RnaFindings()
    markers: tuple[MarkerHit, ...] = ()


def gather(called: Called, plan: SearchPlan, answers: Iterable[SearchAnswer]) -> Findings:
    """Put together what was known and what was found for proteins.

    Args:
        called: Whose proteins were searched.
        plan: What was known.
        answers: Of all tasks, in any order.
    """
    answered = by_gene((*plan.known, *answers))
    profiles: list[ProfileHit] = []
    similar: list[SimilarityHit] = []
    markers: list[MarkerHit] = []
    for gene_id, _ in called.proteins:
        searched = plan.same_as.get(gene_id, gene_id)
        for answer in sorted(answered.get(searched, ()), key=lambda answer: answer.search):
            for hit in answer.hits:
                match hit:
                    case ProfileHit():
                        profiles.append(hit._replace(gene_id=gene_id))
                    case MarkerHit():
                        markers.append(hit._replace(gene_id=gene_id))
                    case _:
                        similar.append(hit._replace(gene_id=gene_id))
    return Findings(tuple(profiles), tuple(similar), markers=tuple(markers))


SearchPart = SearchTask | RnaTask
PartAnswers = tuple[SearchAnswer, ...] | tuple[RnaAnswer, ...]


class Plan(NamedTuple):
    """The searches of a run, without their tasks."""

    proteins: SearchPlan
    rna: RnaPlan


def plan_parts(
    called: Called, resources: Resources, parameters: Parameters
) -> tuple[Plan, tuple[SearchPart, ...]]:
    """What is to be searched, and its parts, the costliest first.

    Raises:
        UnavailableError: a pack is not there or damaged.

    Cost: see :func:`plan_search` and :func:`genint.pipeline.rna.plan_rna`.
    """
    proteins, rna = plan_search(called, resources, parameters), plan_rna(called, resources)
    plan = Plan(replace(proteins, tasks=()), replace(rna, tasks=()))
    return plan, (*rna.tasks, *proteins.tasks)


def search_part(part: SearchPart, *, is_cancelled: Callable[[], bool] | None = None) -> PartAnswers:
    """Search one part; see :func:`search` and :func:`genint.pipeline.rna.search_rna`."""
    if isinstance(part, RnaTask):
        return search_rna(part, is_cancelled=is_cancelled)
    return search(part, is_cancelled=is_cancelled)


def gather_parts(called: Called, plan: Plan, *answers: PartAnswers) -> Findings:
    """All that was found for a genome, from the answers of all parts in any order."""
    found = [answer for part in answers for answer in part]
    proteins = [answer for answer in found if isinstance(answer, SearchAnswer)]
    rna = [answer for answer in found if isinstance(answer, RnaAnswer)]
    findings = gather(called, plan.proteins, proteins)
    return findings._replace(rna=gather_rna(plan.rna, rna))
