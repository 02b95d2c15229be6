"""Whether the built-in genome is interpreted as it has to be."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from genint.compute import Backend, ProcessBackend
from genint.model.interpretation import GeneResult, InterpretationSummary, Parameters
from genint.model.interval import Interval, Location, Strand
from genint.model.sequence import extract, translate_cds
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource
from genint.pipeline.conclude import conclude
from genint.pipeline.evidence import observe
from genint.pipeline.gene_calling import Payload, call, read
from genint.pipeline.library import render_report
from genint.pipeline.resources import Folders, Resources, held_open, load_resources
from genint.pipeline.searches import SearchTask, gather, plan_search, search
from genint.selftest.check import CURE_INSTALLATION, Finding, Places

if TYPE_CHECKING:
    from genint.model.evidence import ReferenceProtein, SimilarityHit


COLUMNS = ("first", "last", "strand", "name", "level", "nearest", "identity")
GENOME = "genome.fasta"
REFERENCES = "references.faa"
ANSWERS = "answers.tsv"
_CODE = 11
"""NCBI genetic code of the built-in genome."""


@dataclass(frozen=True, slots=True)
class KnownGene:
    """One gene of the built-in genome.

    Attributes:
        first: 1-based first base on the forward strand.
        last: 1-based last base, inclusive.
        strand: That it is read from.
        name: Of the product; empty where it has to come out dark.
        level: Of confidence in offline mode.
        nearest: The reference protein that is most like it; empty where none is.
        identity: Share of residues that the two have in common, 0..1.
    """

    first: int
    last: int
    strand: Strand
    name: str
    level: ConfidenceLevel = ConfidenceLevel.NONE
    nearest: str = ""
    identity: float | None = None

    @property
    def location(self) -> Location:
        """Where it lies."""
        return Location.simple(Interval.from_one_based(self.first, self.last), self.strand)

    @property
    def words(self) -> str:
        """Which gene this is, for people."""
        name = self.name or "the gene that is like nothing"
        return f"{name} at {self.first}..{self.last} ({self.strand.symbol})"

    @property
    def cells(self) -> tuple[str, ...]:
        """Its row of the table; see :data:`COLUMNS`."""
        identity = "" if self.identity is None else f"{self.identity:.4f}"
        place = (str(self.first), str(self.last), self.strand.symbol)
        return (*place, self.name, self.level.value, self.nearest, identity)

    @classmethod
    def of(cls, cells: tuple[str, ...]) -> KnownGene:
        """The gene of a row; ValueError where it is none."""
        first, last, strand, name, level, nearest, identity = cells
        return cls(
            int(first),
            int(last),
            Strand.FORWARD if strand == "+" else Strand.REVERSE,
            name,
            ConfidenceLevel(level),
            nearest,
            float(identity) if identity else None,
        )


def read_made(name: str) -> bytes:
    """A file that was made for the self-test.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    return resources.files("genint.selftest").joinpath("data", name).read_bytes()


def known_genes() -> tuple[KnownGene, ...]:
    """The genes of the built-in genome, in the order of the genome."""
    lines = read_made(ANSWERS).decode("ascii").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
    return tuple(KnownGene.of(row) for row in rows[1:])


def known_proteins() -> tuple[tuple[str, str], ...]:
    """The proteins of those genes: ``<first>-<last>`` and residues."""
    lines = read_made(GENOME).decode("ascii").splitlines()
    bases = "".join(lines[1:])
    return tuple(
        (f"{gene.first}-{gene.last}", translate_cds(extract(bases, gene.location), _CODE))
        for gene in known_genes()
    )


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
    from genint.sources.similarity.search import ReferenceDatabase, search_similar  # noqa: PLC0415

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


_POOL = 2
"""Processes that share the work in the check of the pool."""


@dataclass(frozen=True, slots=True)
class GenomeAlone:
    """The built-in genome in offline mode, one worker: genes, names and levels."""

    name: str = "built-in genome"
    cure: str = CURE_INSTALLATION

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        summary = await interpret_built_in(near, offline(places.cache_folder))
        known = known_genes()
        if wrong := differences(summary, known):
            return Finding.failed("; ".join(wrong))
        return Finding.ok(f"{len(known)} genes, all with the names and levels that they must have")


@dataclass(frozen=True, slots=True)
class GenomeInPool:
    """The same shared among processes: every byte of the result is equal."""

    name: str = "built-in genome, 2 workers"
    cure: str = "mend what failed above; if nothing did, run with --workers 1 and report this"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        equipment = offline(places.cache_folder)
        pool = ProcessBackend(_POOL)
        try:
            async with asyncio.TaskGroup() as group:
                alone = group.create_task(interpret_built_in(near, equipment))
                shared = group.create_task(interpret_built_in(near, equipment, pool=pool))
        finally:
            await pool.close()
        texts = [await near.run(_as_json, task.result()) for task in (alone, shared)]
        if texts[0] != texts[1]:
            return Finding.failed("two workers give another result than one")
        return Finding.ok(f"two workers give the same {len(texts[0]):,} bytes as one")


def _as_json(summary: InterpretationSummary) -> bytes:
    return render_report(summary, "json").encode()


def offline(cache_folder: Path) -> Resources:
    """What ships, and no cache of results: everything is to be computed."""
    return load_resources(Parameters("offline"), Folders(cache_folder, cache_limit_bytes=0))


async def interpret_built_in(
    near: Backend,
    equipment: Resources,
    mode: str = "offline",
    *,
    pool: ProcessBackend | None = None,
    most_bundles: int | None = None,
) -> InterpretationSummary:
    """Interpret the built-in genome, step by step.

    Args:
        near: Computes.
        equipment: What is searched.
        mode: Of the run.
        pool: Searches, half of the proteins in each of two processes; None: ``near`` does.
        most_bundles: How many bundles of searches to make (see
            :class:`genint.pipeline.searches.SearchTask`); None for all.

    Raises:
        GenintError: as an interpretation does.

    Cost: 1.5 CPU s, the first time with a cache folder 5 s.
    """
    parameters = Parameters(mode)
    annotated = await near.run(read, Payload(read_made(GENOME), GENOME))
    called = await near.run(call, annotated, parameters)
    plan = await near.run(plan_search, called, equipment, parameters)
    chosen = [task for task in plan.tasks if most_bundles is None or task.bundle < most_bundles]
    parts = chosen if pool is None else _divided(chosen, _POOL)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task((pool or near).run(search, task)) for task in parts]
    answers = [answer for task in tasks for answer in task.result()]
    findings = gather(called, plan, answers)
    observed = await near.run(observe, called, findings, equipment)
    return await near.run(conclude, observed, parameters, equipment)


def _divided(tasks: Iterable[SearchTask], parts: int) -> Sequence[SearchTask]:
    """Each task as several, with every second, third, ... of its proteins each."""
    return [
        task._replace(proteins=proteins)
        for task in tasks
        for part in range(parts)
        if (proteins := task.proteins[part::parts])
    ]


def differences(summary: InterpretationSummary, known: Iterable[KnownGene]) -> tuple[str, ...]:
    """What is not as it has to be, gene by gene, in words."""
    found = {_place(result): result for result in summary.results}
    wrong: list[str] = []
    for gene in known:
        result = found.pop((gene.first, gene.last, gene.strand.symbol), None)
        if result is None:
            wrong.append(f"{gene.words} was not found")
        elif name_of(result) != gene.name:
            wrong.append(f"{gene.words} was called {name_of(result) or 'nothing'}")
        elif result.confidence_level is not gene.level:
            level = result.confidence_level.value
            wrong.append(f"{gene.words} is {level}, not {gene.level.value}")
    wrong += [f"a gene at {first}..{last} ({strand}) is too many" for first, last, strand in found]
    return tuple(wrong)


def name_of(result: GeneResult) -> str:
    """The name of the leading hypothesis; empty for dark genes."""
    if result.interpretation is None:
        return ""
    return result.interpretation.hypotheses[0].subject


def _place(result: GeneResult) -> tuple[int, int, str]:
    """1-based first and last base, and strand."""
    span = result.gene.location.span
    return span.start + 1, span.end, result.gene.location.strand.symbol


_MOST_BUNDLES = 2
"""What ships with the search for similar proteins, and the first block of Pfam-A: to read all
blocks takes 10 s from a slow disk. The others are looked at by ``genint db verify``."""


@dataclass(frozen=True, slots=True)
class LocalMode:
    """The built-in genome with what is installed, of Pfam-A the first block.

    Names may be worded as the databases have them; a gene that has a name keeps one, and
    the gene that is like nothing stays dark.
    """

    name: str = "local mode"
    cure: str = "run `genint db verify`, then install again what it names"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        folders = Folders(places.cache_folder, places.databases_folder, cache_limit_bytes=0)
        equipment = await near.run(load_resources, Parameters("local"), folders)
        if not equipment.installed:
            return Finding.not_installed("no database can be used", "run `genint db install all`")
        with held_open(equipment):
            summary = await interpret_built_in(near, equipment, "local", most_bundles=_MOST_BUNDLES)
        used = ", ".join(equipment.installed)
        if wrong := lost(summary, known_genes()):
            return Finding.failed(f"with {used}: {'; '.join(wrong)}")
        return Finding.ok(f"with {used}: {summary.interpreted_genes} genes named, none lost")


def lost(summary: InterpretationSummary, known: Iterable[KnownGene]) -> tuple[str, ...]:
    """Genes without the name that they must have, or with one that they must not have."""
    names = {result.gene.location.span.end: name_of(result) for result in summary.results}
    wrong = []
    for gene in known:
        name = names.get(gene.last)
        if name is None:
            wrong.append(f"{gene.words} was not found")
        elif bool(name) != bool(gene.name):
            wrong.append(f"{gene.words} was called {name or 'nothing'}")
    return tuple(wrong)
