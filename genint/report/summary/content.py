"""What a summary of many results holds: genomes, their families, and their dark genes.

A result is read, reduced to a :class:`ResultContent`, and forgotten: what is kept of a phage
takes some 10 kB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from genint.model.overview import Outcome, Topic
from genint.model.vocabulary import EvidenceSource, GenomeKind
from genint.report.result import Counts, GeneItem, GenintResult
from genint.report.tsv import formula_safe
from genint.report.wording import shown_text

_FAMILY_SOURCES: Final = {
    EvidenceSource.GENINT_FAMILY: "genint family",
    EvidenceSource.PFAM: "Pfam",
}
_TRNA: Final = "tRNA"
_SAFETY: Final = frozenset({Topic.SAFETY, Topic.PATHOGENICITY})
_GC: Final = ("G", "C", "S")
_AMBIGUOUS: Final = "N"
_PERCENT: Final = 100


class Family(NamedTuple):
    """A family of proteins that genes were recognised by.

    Attributes:
        accession: Such as ``PF01343``.
        source: Whose family it is.
        name: What it says of a gene.
    """

    accession: str
    source: str
    name: str


class DarkGene(NamedTuple):
    """A gene without a function, and where it is.

    Attributes:
        genome: Label of its genome.
        start: 1-based first base; ``end`` below it means over the origin.
        residues: Its protein; empty where the result does not hold it.
        rank: 1 is the most promising dark gene of its genome.
    """

    genome: str
    id: str
    record: str
    start: int
    end: int
    strand: str
    residues: str
    rank: int | None


@dataclass(frozen=True, slots=True)
class GenomeSummary:
    """What is kept of a result.

    Attributes:
        label: By which the genome is called in all tables; no two have the same.
        file: Name of the file that was interpreted.
        sha256: Its digest.
        link: Path of its report, relative to the summary; None where there is none beside it.
        records: Of the file.
        length_bp: Of all records.
        gc_percent: Share of G and C; None where the result does not hold the bases.
        kind: What it was taken for.
        counts: Genes by level.
        rna_genes: tRNA genes included.
        warnings: Texts of the remarks on the input.
        genes_by_family: Accession -> genes that it recognised.
        settings: Version of genint, parameters and databases, in words: what makes results
            comparable.
        lifestyle: Of its records, each answer once; None where nothing is said of it, as in
            results before 1.10.
        completeness, host: Likewise.
        prophages: Regions; None where they were not looked for.
        safety: What the safety panel of phages found, or toxins and the like of bacteria; empty
            where that was nothing of what was searched.
    """

    label: str
    file: str
    sha256: str
    link: str | None
    records: int
    length_bp: int
    gc_percent: float | None
    kind: GenomeKind | None
    counts: Counts
    trna_genes: int
    rna_genes: int
    crispr_arrays: int
    warnings: tuple[str, ...]
    genes_by_family: Mapping[str, int]
    genint_version: str
    mode: str
    settings: tuple[str, ...]
    lifestyle: str | None
    completeness: str | None
    host: str | None
    prophages: int | None
    safety: str | None


class ResultContent(NamedTuple):
    """All that a summary takes of a result."""

    genome: GenomeSummary
    families: tuple[Family, ...]
    dark: tuple[DarkGene, ...]


def label_of(name: str) -> str:
    """A genome's name as all files of a summary have it, so that their rows can be joined.

    One line, and nothing that a spreadsheet would calculate.
    """
    return formula_safe(shown_text(name))


def summarise_result(result: GenintResult, label: str, link: str | None = None) -> ResultContent:
    """What a summary keeps of a result.

    Args:
        result: Of any schema.
        label: Of the genome, unlike those of all others.
        link: Path of its report, relative to the summary.

    Cost: 1 ms for a phage.
    """
    families: dict[str, Family] = {}
    genes_by_family: Counter[str] = Counter()
    for gene in result.genes:
        found = {one.accession: one for one in _families_of(gene)}
        genes_by_family.update(found.keys())
        families |= found
    genome = GenomeSummary(
        label=label,
        file=result.input.filename,
        sha256=result.input.sha256,
        link=link,
        records=len(result.records),
        length_bp=sum(record.length for record in result.records),
        gc_percent=_gc_percent(result),
        kind=result.parameters.genome_kind,
        counts=result.summary,
        trna_genes=sum(rna.kind == _TRNA for rna in result.rna_genes),
        rna_genes=len(result.rna_genes),
        crispr_arrays=len(result.crispr_arrays),
        warnings=tuple(one.text for one in result.warnings),
        genes_by_family=dict(genes_by_family),
        genint_version=result.genint_version,
        mode=result.parameters.mode,
        settings=tuple(_settings(result)),
        lifestyle=_answers(result, Topic.LIFESTYLE),
        completeness=_answers(result, Topic.COMPLETENESS),
        host=_answers(result, Topic.HOST),
        prophages=_regions(result, Topic.PROPHAGE),
        safety=_safety(result),
    )
    dark = (_dark_gene(gene, label) for gene in result.genes if gene.is_dark)
    return ResultContent(genome, tuple(families.values()), tuple(dark))


def _answers(result: GenintResult, topic: Topic) -> str | None:
    """Short answers of a topic, each once; None where nothing is said of it."""
    values = (one.value for one in result.overview if one.topic is topic)
    return ", ".join(dict.fromkeys(values)) or None


def _regions(result: GenintResult, topic: Topic) -> int | None:
    """Regions of a topic that were found; None where nothing is said of it."""
    said = [one for one in result.overview if one.topic is topic]
    return sum(one.outcome is Outcome.FOUND for one in said) if said else None


def _safety(result: GenintResult) -> str | None:
    """What the safety panel found, each subject once; empty: nothing of what was searched."""
    said = [one for one in result.overview if one.topic in _SAFETY]
    found = (one.subject for one in said if one.outcome is Outcome.FOUND)
    return ", ".join(dict.fromkeys(found)) if said else None


def _families_of(gene: GeneItem) -> Iterator[Family]:
    for one in gene.evidence:
        source = _FAMILY_SOURCES.get(one.source)
        if source is not None and one.accession:
            yield Family(one.accession, source, one.claim)


def _dark_gene(gene: GeneItem, genome: str) -> DarkGene:
    rank = None if gene.novelty is None else gene.novelty.rank
    place = (gene.record, gene.start, gene.end, gene.strand)
    return DarkGene(genome, gene.id, *place, gene.translation, rank)


def _gc_percent(result: GenintResult) -> float | None:
    """Of the bases that are known."""
    sequences = [record.sequence for record in result.records]
    if not sequences or None in sequences:
        return None
    bases = [one for one in sequences if one is not None]
    known = sum(len(one) - one.count(_AMBIGUOUS) for one in bases)
    strong = sum(one.count(letter) for one in bases for letter in _GC)
    return _PERCENT * strong / known if known else None


def _settings(result: GenintResult) -> Iterator[str]:
    """What makes results comparable, in words: versions and parameters."""
    yield f"genint {result.genint_version}"
    yield f"{result.parameters.mode} mode"
    if result.parameters.phage:
        yield "nested genes recovered"
    if result.parameters.ignore_annotations:
        yield "annotations ignored"
    for database in result.databases:
        yield f"{database.name} {database.version}"


class DarkCluster(NamedTuple):
    """Dark genes whose proteins are alike.

    Attributes:
        id: ``dark_0001`` is in the most genomes.
        genes: The representative first, the others by genome; with the identity with it and the
            smaller of the shares of both that are aligned, both 0..1.
    """

    id: str
    genes: tuple[tuple[DarkGene, float, float], ...]

    @property
    def representative(self) -> DarkGene:
        """The longest, with which the others were compared."""
        return self.genes[0][0]

    @property
    def genomes(self) -> int:
        """In how many genomes there is one."""
        return len({gene.genome for gene, *_ in self.genes})


def dark_clusters(
    genes: Sequence[DarkGene], members: Sequence[tuple[int, float, float]]
) -> tuple[DarkCluster, ...]:
    """Clusters with their names, those in most genomes first.

    Args:
        genes: With a protein.
        members: For each the position of the representative, the identity and the coverage.
    """
    by_representative: dict[int, list[tuple[DarkGene, float, float]]] = {}
    for at, (representative, identity, coverage) in enumerate(members):
        cluster = by_representative.setdefault(representative, [])
        cluster.insert(0 if at == representative else len(cluster), (genes[at], identity, coverage))
    found = sorted(
        (DarkCluster("", tuple(one)) for one in by_representative.values()),
        key=lambda one: (-one.genomes, -len(one.genes), one.representative[:2]),
    )
    digits = max(4, len(str(len(found))))
    return tuple(
        one._replace(id=f"dark_{number:0{digits}}") for number, one in enumerate(found, start=1)
    )


class ClusterLimits(NamedTuple):
    """What makes two dark genes one cluster, for those who read the summary."""

    identity: float
    coverage: float
    evalue: float


@dataclass(frozen=True)
class Summary:
    """Everything that is written of many results.

    Attributes:
        genomes: In the order of the files.
        families: By accession.
        clusters: Of dark genes.
        limits: Of these clusters.
        without_protein: Dark genes that could not be compared: their results hold no proteins.
    """

    genomes: tuple[GenomeSummary, ...]
    families: Mapping[str, Family]
    clusters: tuple[DarkCluster, ...]
    limits: ClusterLimits
    without_protein: int = 0

    @cached_property
    def genomes_by_family(self) -> Mapping[str, int]:
        """Accession -> genomes with such a gene, those in most genomes first."""
        counts = Counter(name for genome in self.genomes for name in genome.genes_by_family)
        return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    @cached_property
    def shared_clusters(self) -> tuple[DarkCluster, ...]:
        """Clusters with dark genes of several genomes."""
        return tuple(one for one in self.clusters if one.genomes > 1)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What stands in the way of comparing the genomes, in sentences."""
        return tuple(_remarks(self))


def _remarks(summary: Summary) -> Iterator[str]:
    genomes = summary.genomes
    kinds = Counter(genome.settings for genome in genomes)
    if len(kinds) > 1:
        shared = frozenset.intersection(*map(frozenset, kinds))
        usual = kinds.most_common(1)[0][0]
        others = sum(kinds.values()) - kinds[usual]
        names = sorted({name for one in kinds for name in one} - shared)
        yield (
            f"{others:,} of {len(genomes):,} results were made with other versions, parameters or "
            f"databases than the rest, so levels may differ for that alone: {', '.join(names)}."
        )
    same = [label for labels in _same_inputs(genomes) for label in labels]
    if same:
        yield f"The same file is there more than once: {', '.join(same)}."
    if summary.without_protein:
        yield (
            f"{summary.without_protein:,} dark genes were not compared: their results (schema "
            "below 1.1) hold no proteins."
        )


def _same_inputs(genomes: Sequence[GenomeSummary]) -> Iterator[list[str]]:
    labels: dict[str, list[str]] = {}
    for genome in genomes:
        labels.setdefault(genome.sha256, []).append(genome.label)
    yield from (one for one in labels.values() if len(one) > 1)
