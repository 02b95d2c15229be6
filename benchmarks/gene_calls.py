"""Gene finding measured against annotated genomes.

    python benchmarks/gene_calls.py [--genomes FOLDER] [--skip-bacteria]

For every genome the annotation is put aside: sequence and topology are all that the
gene finder gets. Three callers stand side by side: plain pyrodigal in meta mode on the
contig as a line (the baseline), genint, and genint with nested genes (``--phage``).

* stop recall: annotated genes whose stop codon is that of a call;
* exact: the start is right too;
* precision: calls whose stop codon is that of an annotated gene;
* F1: of calls and genes that cover one another by at least half, one to one.

Truth is what people or reviewed records annotated. Not used: SAOMS1 and microviruses100
(annotated by a pipeline built on the same gene finder), syn3A (edited by model authors),
the oddities. Pseudogenes count neither way. RefSeq annotates bacteria by a pipeline of
its own, so their figures say agreement rather than truth.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from genint.formats import read_genome
from genint.genes import call_genes, decide
from genint.model.genome import Contig, Genome, Topology
from genint.model.interval import Interval, Strand

GENOMES = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "genomes"
PHAGES = (
    "lambda_NC_001416.gb",
    "T7_NC_001604.gb",
    "phiX174_NC_001422.gb",
    "DE3_EU078592.gbk",
    "VT2Sakai_NC_000902.gbk",
    "L5_Z18946.gb",
    "phageK_NC_005880.gbk",
    "B3_NC_006548.gbk",
    "SodalisSO1_NC_013600.gbk",
    "Yersinia201_16_NC_070914.gbk",
    "AcinetobacterApostate_NC_049491.gbk",
    "SMA6_HG315669.gbk",
)
BACTERIA = (
    "E_coli_K12_MG1655_NC_000913.gbk.gz",
    "S_pyogenes_M1_NC_002737.gb.gz",
    "M_mycoides_GM12_NZ_CP001668.gbff.gz",
)
_MIN_COVER = 0.5
_BIN_BP = 10_000


class Span(NamedTuple):
    """A gene: outer span (unrolled over an origin) and strand."""

    interval: Interval
    strand: Strand


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one genome, or of several together."""

    genes: int
    stops: int
    exact: int
    calls: int
    right: int
    matched: int
    seconds: float

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)
        )

    @property
    def stop_recall(self) -> float:
        """Share of annotated genes whose stop codon was called."""
        return self.stops / max(1, self.genes)

    @property
    def exact_recall(self) -> float:
        """Share of annotated genes that were called with the same start too."""
        return self.exact / max(1, self.genes)

    @property
    def precision(self) -> float:
        """Share of calls with the stop codon of an annotated gene."""
        return self.right / max(1, self.calls)

    @property
    def f1(self) -> float:
        """Harmonic mean at 50 % reciprocal overlap."""
        return 2 * self.matched / max(1, self.genes + self.calls)


Caller = Callable[[Genome], list[list[Span]]]


def genint_calls(genome: Genome, *, phage: bool) -> list[list[Span]]:
    """Genes of every contig by genint, without evidence."""
    called = decide(call_genes(genome, phage=phage)).genome
    return [[Span(gene.span, gene.strand) for gene in contig.genes] for contig in called.contigs]


def plain_calls(genome: Genome) -> list[list[Span]]:
    """Genes of every contig by pyrodigal as it comes: meta mode, a line, open ends."""
    import pyrodigal  # noqa: PLC0415 - only the baseline needs it here

    finder = pyrodigal.GeneFinder(meta=True)
    return [
        [
            Span(Interval.from_one_based(gene.begin, gene.end), Strand(gene.strand))
            for gene in finder.find_genes(contig.bases)
        ]
        for contig in genome.contigs
    ]


CALLERS: dict[str, Caller] = {
    "pyrodigal": plain_calls,
    "genint": lambda genome: genint_calls(genome, phage=False),
    "genint --phage": lambda genome: genint_calls(genome, phage=True),
}


def measure(annotated: Genome, caller: Caller) -> Figures:
    """Figures of one caller on one genome whose annotation it does not see."""
    bare = replace(annotated, contigs=tuple(map(_bare, annotated.contigs)))
    started = time.process_time()
    calls = caller(bare)
    seconds = time.process_time() - started
    total = Figures(0, 0, 0, 0, 0, 0, seconds)
    for contig, found in zip(annotated.contigs, calls, strict=True):
        total += _compare(contig, found)
    return total


def _bare(contig: Contig) -> Contig:
    return replace(contig, genes=(), rna_genes=(), other_features=(), translation_table=None)


def _compare(contig: Contig, calls: Sequence[Span]) -> Figures:
    circle_bp = len(contig) if contig.topology is Topology.CIRCULAR else None
    genes = [Span(gene.span, gene.strand) for gene in contig.genes if not gene.pseudo]
    pseudo = {_stop(Span(g.span, g.strand), circle_bp) for g in contig.genes if g.pseudo}
    calls = [call for call in calls if _stop(call, circle_bp) not in pseudo]
    stops = {_stop(call, circle_bp): call for call in calls}
    known = {_stop(gene, circle_bp) for gene in genes}
    found = [gene for gene in genes if _stop(gene, circle_bp) in stops]
    return Figures(
        genes=len(genes),
        stops=len(found),
        exact=sum(len(stops[_stop(g, circle_bp)].interval) == len(g.interval) for g in found),
        calls=len(calls),
        right=sum(_stop(call, circle_bp) in known for call in calls),
        matched=_matched(genes, calls, len(contig)),
        seconds=0.0,
    )


def _stop(span: Span, circle_bp: int | None) -> tuple[int, Strand]:
    end = span.interval.end if span.strand is Strand.FORWARD else span.interval.start
    return (end % circle_bp if circle_bp else end), span.strand


def _matched(genes: Sequence[Span], calls: Sequence[Span], contig_bp: int) -> int:
    """Pairs that cover one another by half, best pairs first, each used once."""
    bins: dict[int, set[int]] = defaultdict(set)
    for index, call in enumerate(calls):
        for number in _bins(call.interval, contig_bp):
            bins[number].add(index)
    pairs = []
    for place, gene in enumerate(genes):
        for index in set().union(*(bins[number] for number in _bins(gene.interval, contig_bp))):
            call = calls[index]
            shared = gene.interval.overlap_on_circle_bp(call.interval, contig_bp)
            cover = shared / max(len(gene.interval), len(call.interval))
            if gene.strand is call.strand and cover >= _MIN_COVER:
                pairs.append((-cover, place, index))
    used_genes: set[int] = set()
    used_calls: set[int] = set()
    for _, place, index in sorted(pairs):
        if place not in used_genes and index not in used_calls:
            used_genes.add(place)
            used_calls.add(index)
    return len(used_genes)


def _bins(interval: Interval, contig_bp: int) -> Iterable[int]:
    for piece in interval.pieces(contig_bp):
        yield from range(piece.start // _BIN_BP, piece.end // _BIN_BP + 1)


def _table(title: str, files: Sequence[str], folder: Path) -> None:
    print(f"\n{title:<22}{'caller':<16}{'genes':>6}{'stops':>7}{'recall':>8}{'exact':>8}", end="")
    print(f"{'calls':>7}{'precision':>11}{'F1':>7}{'CPU s':>7}")
    pooled = dict.fromkeys(CALLERS, Figures(0, 0, 0, 0, 0, 0, 0.0))
    for file in files:
        genome = read_genome(folder / file)
        for name, caller in CALLERS.items():
            figures = measure(genome, caller)
            pooled[name] += figures
            _row(file.split(".")[0][:20], name, figures)
    for name, figures in pooled.items():
        _row("all", name, figures)


def _row(genome: str, caller: str, figures: Figures) -> None:
    print(
        f"{genome:<22}{caller:<16}{figures.genes:>6}{figures.stops:>7}"
        f"{figures.stop_recall:>8.3f}{figures.exact_recall:>8.3f}{figures.calls:>7}"
        f"{figures.precision:>11.3f}{figures.f1:>7.3f}{figures.seconds:>7.2f}"
    )


def main() -> int:
    """Print the tables; 1 where the folder of genomes is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--genomes", type=Path, default=GENOMES, help="folder of annotated genomes")
    parser.add_argument("--skip-bacteria", action="store_true", help="phages only")
    options = parser.parse_args()
    if not options.genomes.is_dir():
        print(f"no such folder: {options.genomes}", file=sys.stderr)
        return 1
    call_genes(read_genome(options.genomes / PHAGES[2]))  # imports are not what is measured
    _table("phage", PHAGES, options.genomes)
    if not options.skip_bacteria:
        _table("bacterium", BACTERIA, options.genomes)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
