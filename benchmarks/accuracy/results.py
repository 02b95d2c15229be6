"""What a program told of a genome, held against the record; and several genomes together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from benchmarks.accuracy.figures import CogFigures, NameSummary, count_cog, summary_of
from benchmarks.accuracy.genomes import BenchGenome
from benchmarks.accuracy.usage import Usage
from benchmarks.genes.figures import Figures, Span, compare_genome
from genint.knowledge.products import ProductVocabulary
from genint.model.genome import Genome
from genint.model.interval import Strand
from genint.model.vocabulary import GenomeKind
from training.blind.truth import Row, ToldGene, hold_against

NO_CALLS = Figures()
POOLS = {GenomeKind.PHAGE: "phages", GenomeKind.BACTERIUM: "bacteria"}
ALL = "all"
PROPHAGES = "prophages"
"""Genes of bacteria that their record marks as those of prophages, together."""


class Contender(NamedTuple):
    """A program, and how it was run.

    Attributes:
        program: Its name.
        mode: Of genint; empty for others.
        regime: What it may know: ``novel`` or ``shipped``; others are as they ship.
    """

    program: str
    mode: str = ""
    regime: str = "shipped"

    @property
    def label(self) -> str:
        """For tables."""
        return f"{self.program} {self.mode}, {self.regime}" if self.mode else self.program


@dataclass(frozen=True, slots=True)
class Result:
    """Figures of one contender on one genome, or on several together.

    Attributes:
        contender: The program.
        genome: Its name, or what the genomes together are called.
        kind: Phage or bacterium; None of both together.
        rows: Genes of the record; empty where COG letters alone are judged.
        calls: Of gene finding.
        cog: Of COG letters.
        usage: Seconds summed up, and the highest peak.
        kept: Seconds and memory were measured in an earlier run of the bench.
        parameters: Of the confidence model, in plain words; empty for other programs.
    """

    contender: Contender
    genome: str
    kind: GenomeKind | None
    rows: tuple[Row, ...]
    calls: Figures
    cog: CogFigures
    usage: Usage
    kept: bool = False
    parameters: str = ""

    @property
    def names(self) -> NameSummary:
        """Figures of names. Cost: 10 ms per 1,000 genes, at every call."""
        return summary_of(self.rows)


class Told(NamedTuple):
    """What a run gave."""

    genes: tuple[ToldGene, ...]
    usage: Usage
    kept: bool = False
    parameters: str = ""


def judged(
    genome: BenchGenome, contender: Contender, told: Told, vocabulary: ProductVocabulary
) -> Result:
    """Hold what was told against the record."""
    rows = hold_against(genome.name, contender.label, genome.truth, told.genes, vocabulary)
    letters = (
        (genome.letters.get(row.gene.residues.rstrip("*"), ""), row.told.cog if row.told else "")
        for row in rows
    )
    return Result(
        contender=contender,
        genome=genome.name,
        kind=genome.kind,
        rows=rows,
        calls=_calls(genome.annotated, told.genes),
        cog=count_cog(letters),
        usage=told.usage,
        kept=told.kept,
        parameters=told.parameters,
    )


def _calls(annotated: Genome, told: Sequence[ToldGene]) -> Figures:
    """Of gene finding: F1 by overlap, and by stop codon."""
    spans: list[list[Span]] = [[] for _ in annotated.contigs]
    for one in told:
        if one.span is not None:
            strand = Strand(one.place.strand)
            spans[one.place.contig].append(Span(one.span, strand))
    return compare_genome(annotated, spans)


def letters_judged(
    genome: Genome, letters: Mapping[str, str], contender: Contender, told: Told, name: str
) -> Result:
    """COG letters alone, of a genome whose genes are given and not found."""
    letter_of = {one.place.stop: one.cog for one in told.genes}
    pairs = (
        (letters.get(gene.protein.rstrip("*"), ""), letter_of.get(gene.span.end, ""))
        for gene in genome.genes
    )
    return Result(
        contender,
        name,
        None,
        (),
        NO_CALLS,
        count_cog(pairs),
        told.usage,
        parameters=told.parameters,
    )


def pooled(results: Iterable[Result]) -> tuple[Result, ...]:
    """All genomes of a kind, all genomes, and genes of prophages together; by contender.

    Of the prophages only names are counted: their genes were found, and seconds spent, with the
    bacterium's.
    """
    listed = [result for result in results if result.rows]
    sums = []
    for contender in dict.fromkeys(result.contender for result in listed):
        own = [result for result in listed if result.contender == contender]
        pools: dict[str, tuple[GenomeKind | None, list[Result]]] = {
            title: (kind, [result for result in own if result.kind is kind])
            for kind, title in POOLS.items()
        }
        pools[ALL] = (None, own)
        sums += [
            _together(title, kind, some)
            for title, (kind, some) in pools.items()
            if some and (kind is None or len(some) < len(own))
        ]
        sums += _of_prophages(own)
    return tuple(sums)


def _of_prophages(results: Sequence[Result]) -> list[Result]:
    """Names of the genes that records mark as those of prophages; empty where none does."""
    marked = [
        replace(
            result,
            rows=tuple(row for row in result.rows if row.gene.in_prophage),
            calls=NO_CALLS,
            cog=CogFigures(),
            usage=Usage(0.0, 0.0, 0.0),
        )
        for result in results
    ]
    marked = [result for result in marked if result.rows]
    return [_together(PROPHAGES, None, marked)] if marked else []


def _together(title: str, kind: GenomeKind | None, results: Sequence[Result]) -> Result:
    usages = [result.usage for result in results]
    said = dict.fromkeys(result.parameters for result in results)
    return Result(
        contender=results[0].contender,
        genome=title,
        kind=kind,
        rows=tuple(row for result in results for row in result.rows),
        calls=sum((result.calls for result in results), NO_CALLS),
        cog=CogFigures(
            sum(result.cog.known for result in results),
            sum(result.cog.told for result in results),
            sum(result.cog.right for result in results),
        ),
        usage=Usage(
            wall_s=sum(usage.wall_s for usage in usages),
            cpu_s=sum(usage.cpu_s for usage in usages),
            peak_mib=max(usage.peak_mib for usage in usages),
        ),
        kept=any(result.kept for result in results),
        parameters=next(iter(said)) if len(said) == 1 else "fitted without each group",
    )
