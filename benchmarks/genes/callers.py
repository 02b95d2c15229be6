"""Gene finders of this process: pyrodigal, pyrodigal-gv, genint; and what all of them answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from benchmarks.genes.figures import Span
from benchmarks.genes.hidden import Start
from benchmarks.genes.panel import Subject
from genint.model.genome import CalledBy, Contig, Gene, Genome
from genint.model.interval import Interval, Strand

_RESCUED = {
    CalledBy.GENINT_NESTED,
    CalledBy.GENINT_OVERLAPPING,
    CalledBy.GENINT_INTERNAL_START,
}


class Call(NamedTuple):
    """A gene that was called.

    Attributes:
        rescued: It was added to what the finder underneath calls.
        internal: It shares its stop with another call.
        probability: That it is a gene, as told of rescued ones; None where nothing is told.
    """

    span: Span
    rescued: bool = False
    internal: bool = False
    probability: float | None = None


class Found(NamedTuple):
    """What a gene finder found.

    Attributes:
        calls: By contig.
        starts: Other starts of calls that were told of, by contig.
        cpu_s: Seconds of CPU.
    """

    calls: tuple[tuple[Call, ...], ...]
    starts: tuple[tuple[Start, ...], ...]
    cpu_s: float

    @property
    def spans(self) -> tuple[tuple[Span, ...], ...]:
        """Of the calls, by contig."""
        return tuple(tuple(call.span for call in calls) for calls in self.calls)


class Caller(NamedTuple):
    """A gene finder.

    Attributes:
        name: For tables.
        find: Searches a genome; raises ``ProgramFailed`` where it cannot.
        note: How it was run.
    """

    name: str
    find: Callable[[Subject], Found]
    note: str


def timed(work: Callable[[], Genome]) -> tuple[Genome, float]:
    """What a function returns, and the seconds of CPU that it took in this process."""
    started = time.process_time()
    value = work()
    return value, time.process_time() - started


def of_genome(called: Genome, cpu_s: float) -> Found:
    """What genint found."""
    return Found(
        calls=tuple(tuple(map(_call, contig.genes)) for contig in called.contigs),
        starts=tuple(tuple(_starts(contig)) for contig in called.contigs),
        cpu_s=cpu_s,
    )


def _call(gene: Gene) -> Call:
    rescued = gene.rescue is not None or gene.called_by in _RESCUED
    internal = gene.called_by is CalledBy.GENINT_INTERNAL_START
    probability = gene.rescue.probability if gene.rescue else None
    return Call(Span(gene.span, gene.strand), rescued, internal, probability)


def _starts(contig: Contig) -> Iterable[Start]:
    for start in contig.alternative_starts:
        yield Start(Span(start.interval, start.strand), start.probability)


def pyrodigal_caller() -> Caller:
    """Pyrodigal as it comes: meta mode, every contig a line, open ends."""
    import pyrodigal  # noqa: PLC0415 - native, loaded late

    finder = pyrodigal.GeneFinder(meta=True)
    return Caller("pyrodigal", lambda subject: _plain(subject.bare, finder), "meta mode, a line")


def viral_caller() -> Caller:
    """pyrodigal-gv as it comes: more models, every contig a line."""
    import pyrodigal_gv  # noqa: PLC0415 - native, loaded late

    finder = pyrodigal_gv.ViralGeneFinder(meta=True)
    return Caller("pyrodigal-gv", lambda subject: _plain(subject.bare, finder), "meta mode, a line")


def _plain(genome: Genome, finder: object) -> Found:
    started = time.process_time()
    calls = tuple(
        tuple(
            Call(Span(Interval.from_one_based(gene.begin, gene.end), Strand(gene.strand)))
            for gene in finder.find_genes(contig.bases)  # type: ignore[attr-defined]
        )
        for contig in genome.contigs
    )
    return Found(calls, tuple(() for _ in calls), time.process_time() - started)
