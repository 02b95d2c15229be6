"""A built-in genome with known answers, and the checks that interpret it.

``data`` holds the genome, the answers, and made-up proteins that some of its genes are similar
to; ``training/selftest_genome.py`` made them.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from genint.compute import ProcessBackend
from genint.formats.proteins import read_proteins
from genint.model.interpretation import GeneResult, InterpretationSummary, Parameters
from genint.model.interval import Interval, Location, Strand
from genint.model.sequence import extract, translate_cds
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource
from genint.pipeline.conclude import conclude
from genint.pipeline.evidence import observe
from genint.pipeline.gene_calling import Payload, call, read
from genint.pipeline.library import render_report
from genint.pipeline.resources import Folders, Resources, held_open, load_resources
from genint.pipeline.searches import (
    SearchAnswer,
    SearchPlan,
    SearchTask,
    gather,
    plan_search,
    search,
)
from genint.selftest.check import CheckFailed, NotInstalled, Places

if TYPE_CHECKING:
    from genint.model.evidence import ReferenceProtein, SimilarityHit

COLUMNS: Final = ("first", "last", "strand", "name", "level", "nearest", "identity")
GENOME: Final = "genome.fasta"
REFERENCES: Final = "references.faa"
ANSWERS: Final = "answers.tsv"
_GENETIC_CODE: Final = 11
_IDENTITY_TOLERANCE: Final = 0.005
"""An alignment may place a gap where residues were exchanged side by side."""
_WORKERS: Final = 2
_BUNDLES: Final = 2
"""Bundles of searches that local mode is checked with: the package's own with the search for
similar proteins, and the first block of Pfam-A. To read all blocks takes 10 s from a slow disk;
``genint db verify`` checks them."""


@dataclass(frozen=True, slots=True)
class KnownGene:
    """One gene of the built-in genome.

    Attributes:
        first: 1-based first base on the forward strand.
        last: 1-based last base, inclusive.
        strand: On which it is read.
        name: Of the product; empty where it has to come out dark.
        level: Of confidence in offline mode.
        nearest: The most similar reference protein; empty where there is none.
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
        """Where it is."""
        return Location.simple(Interval.from_one_based(self.first, self.last), self.strand)

    @property
    def label(self) -> str:
        """Which gene this is, for people."""
        name = self.name or "the dark gene"
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


def read_data(name: str) -> bytes:
    """A file of the self-test.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    return files("genint.selftest").joinpath("data", name).read_bytes()


def known_genes() -> tuple[KnownGene, ...]:
    """The genes of the built-in genome, in the order of the genome."""
    lines = read_data(ANSWERS).decode("ascii").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
    return tuple(KnownGene.of(row) for row in rows[1:])


def known_proteins() -> tuple[tuple[str, str], ...]:
    """The proteins of those genes: ``<first>-<last>`` and residues."""
    lines = read_data(GENOME).decode("ascii").splitlines()
    bases = "".join(lines[1:])
    return tuple(
        (f"{gene.first}-{gene.last}", translate_cds(extract(bases, gene.location), _GENETIC_CODE))
        for gene in known_genes()
    )


def interpret_alone(places: Places) -> InterpretationSummary:
    """The built-in genome in offline mode with one worker, all computed anew."""
    return interpret_built_in(offline_resources(places))


Alone = Callable[[Places], InterpretationSummary]
"""What interprets the built-in genome with one worker, or did so before."""


def built_in_genome(places: Places, *, alone: Alone = interpret_alone) -> str:
    """Offline mode with one worker finds the genes, their names and levels."""
    summary = alone(places)
    known = known_genes()
    if wrong := differences(summary, known):
        raise CheckFailed("; ".join(wrong))
    return f"{len(known)} genes, all with the expected names and levels"


async def worker_processes(places: Places, *, alone: Alone = interpret_alone) -> str:
    """Two processes share the searches; every byte of the result is that of one worker."""
    pool = ProcessBackend(_WORKERS)
    try:
        run = await asyncio.to_thread(_Run, offline_resources(places))
        halves = _divided(run.plan.tasks, _WORKERS)
        async with asyncio.TaskGroup() as group:
            shared = [group.create_task(pool.run(search, task)) for task in halves]
            expected = render_report(await asyncio.to_thread(alone, places), "json")
        summary = run.concluded(answer for task in shared for answer in task.result())
    finally:
        await pool.close()
    if render_report(summary, "json") != expected:
        raise CheckFailed("two workers give another result than one")
    return f"two workers give the same {len(expected):,} characters as one"


def similarity_search(places: Places) -> str:
    """Made-up reference proteins are indexed and searched with those of the genome."""
    del places
    references = read_proteins(read_data(REFERENCES), REFERENCES)
    known, proteins = known_genes(), known_proteins()
    with tempfile.TemporaryDirectory(prefix="genint-selftest-") as folder:
        best = _best_hits(proteins, references, Path(folder))
    hits = (best.get(gene_id) for gene_id, _ in proteins)
    if wrong := wrong_hits(zip(known, hits, strict=True)):
        raise CheckFailed("; ".join(wrong))
    similar = sum(bool(gene.nearest) for gene in known)
    return (
        f"the most similar of {len(references)} made-up proteins and its identity for {similar} "
        f"genes, none for the other {len(known) - similar}"
    )


def local_mode(places: Places) -> str:
    """Local mode with the installed databases names the same genes.

    Names may be worded as the databases have them; a gene with a name has to keep one, and
    the dark gene has to stay dark. Of Pfam-A only the first block is searched.
    """
    folders = Folders(places.cache_folder, places.databases_folder, cache_limit_bytes=0)
    resources = load_resources(Parameters("local"), folders)
    if not resources.installed:
        raise NotInstalled("no database can be used", "run `genint db install all`")
    with held_open(resources):
        summary = interpret_built_in(resources, "local", bundles=_BUNDLES)
    used = ", ".join(resources.installed)
    if wrong := lost_names(summary, known_genes()):
        raise CheckFailed(f"with {used}: {'; '.join(wrong)}")
    return f"with {used}: {summary.interpreted_genes} genes named, none lost"


def offline_resources(places: Places) -> Resources:
    """What the package has, and no cache of results: everything is to be computed."""
    return load_resources(Parameters("offline"), Folders(places.cache_folder, cache_limit_bytes=0))


class _Run:
    """The built-in genome with its genes called and its searches planned."""

    def __init__(self, resources: Resources, mode: str = "offline") -> None:
        self.resources = resources
        self._parameters = Parameters(mode)
        annotated = read(Payload(read_data(GENOME), GENOME))
        self._called = call(annotated, self._parameters)
        self.plan: SearchPlan = plan_search(self._called, resources, self._parameters)

    def concluded(self, answers: Iterable[SearchAnswer]) -> InterpretationSummary:
        """The interpretation by these answers of the searches."""
        findings = gather(self._called, self.plan, list(answers))
        observed = observe(self._called, findings, self.resources)
        return conclude(observed, self._parameters, self.resources)


def interpret_built_in(
    resources: Resources, mode: str = "offline", *, bundles: int | None = None
) -> InterpretationSummary:
    """Interpret the built-in genome.

    Args:
        resources: What is searched.
        mode: Of the run.
        bundles: How many bundles of searches to run (see
            :class:`genint.pipeline.searches.SearchTask`); None for all.

    Raises:
        GenintError: as an interpretation does.

    Cost: 1.5 CPU s, the first time with a cache folder 5 s.
    """
    run = _Run(resources, mode)
    tasks = [task for task in run.plan.tasks if bundles is None or task.bundle < bundles]
    return run.concluded(answer for task in tasks for answer in search(task))


def _divided(tasks: Iterable[SearchTask], parts: int) -> Sequence[SearchTask]:
    """Each task as several, with every second, third, ... of its proteins each."""
    return [
        task._replace(proteins=proteins)
        for task in tasks
        for part in range(parts)
        if (proteins := task.proteins[part::parts])
    ]


def differences(summary: InterpretationSummary, known: Iterable[KnownGene]) -> tuple[str, ...]:
    """What is not as expected, gene by gene, in words."""
    found = {_place(result): result for result in summary.results}
    wrong: list[str] = []
    for gene in known:
        result = found.pop((gene.first, gene.last, gene.strand.symbol), None)
        if result is None:
            wrong.append(f"{gene.label} was not found")
        elif _name(result) != gene.name:
            wrong.append(f"{gene.label} was called {_name(result) or 'nothing'}")
        elif result.confidence_level is not gene.level:
            level = result.confidence_level.value
            wrong.append(f"{gene.label} is {level}, not {gene.level.value}")
    wrong += [f"unexpected gene at {first}..{last} ({strand})" for first, last, strand in found]
    return tuple(wrong)


def lost_names(summary: InterpretationSummary, known: Iterable[KnownGene]) -> tuple[str, ...]:
    """Genes without a name that should have one, or the other way round, in words."""
    names = {result.gene.location.span.end: _name(result) for result in summary.results}
    wrong = []
    for gene in known:
        name = names.get(gene.last)
        if name is None:
            wrong.append(f"{gene.label} was not found")
        elif bool(name) != bool(gene.name):
            wrong.append(f"{gene.label} was called {name or 'nothing'}")
    return tuple(wrong)


def wrong_hits(pairs: Iterable[tuple[KnownGene, SimilarityHit | None]]) -> tuple[str, ...]:
    """Genes whose most similar protein is not the expected one, in words."""
    wrong = []
    for gene, hit in pairs:
        found = "nothing" if hit is None else hit.entry.accession
        if found != (gene.nearest or "nothing"):
            wrong.append(f"{gene.label} found {found}, not {gene.nearest or 'nothing'}")
        elif hit and gene.identity and abs(hit.identity - gene.identity) > _IDENTITY_TOLERANCE:
            wrong.append(
                f"{gene.label} is {hit.identity:.1%} identical to {found}, not {gene.identity:.1%}"
            )
    return tuple(wrong)


def _best_hits(
    proteins: Sequence[tuple[str, str]], references: Iterable[ReferenceProtein], folder: Path
) -> dict[str, SimilarityHit]:
    """The best hit of each protein that has one."""
    from genint.knowledge.protein_index_build import build_index  # noqa: PLC0415 - loads numpy
    from genint.sources.similarity.search import ReferenceDatabase, search_similar  # noqa: PLC0415

    index = build_index(references, folder)
    database = ReferenceDatabase(
        source=EvidenceSource.USER_PROTEINS, name=REFERENCES, folder=folder, digest=index.digest
    )
    best: dict[str, SimilarityHit] = {}
    for hit in search_similar(proteins, database):
        best.setdefault(hit.gene_id, hit)
    return best


def _name(result: GeneResult) -> str:
    """The name of the leading hypothesis; empty for dark genes."""
    if result.interpretation is None:
        return ""
    return result.interpretation.hypotheses[0].subject


def _place(result: GeneResult) -> tuple[int, int, str]:
    """1-based first and last base, and strand."""
    span = result.gene.location.span
    return span.start + 1, span.end, result.gene.location.strand.symbol
