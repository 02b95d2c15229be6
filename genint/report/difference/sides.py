"""One side of a comparison: a result of genint, or an annotated file of any program.

Both become the same frozen values, so that a result can be held against the record that it was
made of, against another version's result, or against what another annotation program wrote.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from genint.knowledge.product_names import display_product
from genint.model.genome import Contig, Gene, Genome
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource, NameBasis
from genint.report.result import GeneItem, GenintResult, Record
from genint.report.result_gene import EvidenceItem

_UNKNOWN = "hypothetical protein"
_DIGEST_DIGITS = 16


class Observation(NamedTuple):
    """Evidence as it is compared: the same accession of one source is the same observation.

    Attributes:
        source: Family, domain, similar protein ..., as reports call it.
        accession: Empty where the source has none (the file's own name, neighbours).
        claim: What it says.
    """

    source: str
    accession: str
    claim: str

    @property
    def key(self) -> tuple[str, str]:
        """What two runs have in common of it, whatever it says."""
        return (self.source, self.accession or self.claim)

    def __str__(self) -> str:
        name = self.accession or self.source.replace("_", " ")
        return f"{name} “{self.claim}”"


@dataclass(frozen=True, slots=True)
class SideGene:
    """One protein-coding gene of one side.

    Attributes:
        id: Of the gene on its side.
        locus: Locus tag, or place.
        record: Id of its record.
        start: 1-based first base on the forward strand.
        end: 1-based last base; smaller than start over the origin.
        strand: ``+`` or ``-``.
        length_aa: Residues.
        name: Its function; None for dark genes, and where the file names none.
        level: None where the side is no result.
        score: 0..1; None likewise.
        basis: Of the name; None likewise, and for results before 1.7.
        classes: COG letter, category and GO terms, as one text each.
        observations: Evidence, strongest first; empty where the side is no result.
        own_place: Where its own side has it, if the record is turned in the comparison; else empty.
    """

    id: str
    locus: str
    record: str
    start: int
    end: int
    strand: str
    length_aa: int
    name: str | None
    level: ConfidenceLevel | None = None
    score: float | None = None
    basis: NameBasis | None = None
    classes: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    own_place: str = ""

    @property
    def place(self) -> str:
        """Record, 1-based span and strand."""
        return f"{self.record}:{self.start}-{self.end}({self.strand})"

    @property
    def is_tagged(self) -> bool:
        """Whether its locus is a tag, no place."""
        return self.locus != self.place

    @property
    def stop(self) -> int:
        """Base of the 3' end, which a gene keeps when its start moves."""
        return self.end if self.strand == "+" else self.start

    @property
    def first(self) -> int:
        """Base of the 5' end."""
        return self.start if self.strand == "+" else self.end


class SideRecord(NamedTuple):
    """One record of one side.

    Attributes:
        id: As the file has it.
        length_bp: Bases.
        digest: Of the bases; None where the result does not hold them.
        bases: Upper case; None likewise.
    """

    id: str
    length_bp: int
    digest: str | None
    bases: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One of two things that are compared.

    Attributes:
        label: What it is called: the name of its file.
        made_by: Program and version, or that it is a file.
        settings: What besides the genome decided it: mode, options, databases with versions.
        records: In the order of the file.
        genes: In the order of the file.
        is_result: It has levels and evidence.
    """

    label: str
    made_by: str
    settings: tuple[str, ...]
    records: tuple[SideRecord, ...]
    genes: tuple[SideGene, ...]
    is_result: bool


def side_of_result(result: GenintResult, label: str) -> Side:
    """A result as a side. Cost: 0.1 s for a bacterium."""
    used = result.parameters
    settings = [f"mode {used.mode}"]
    settings += ["annotations ignored"] if used.ignore_annotations else []
    settings += [f"genome taken for a {used.genome_kind}"] if used.genome_kind else []
    settings += [f"{one.name} {one.version}" for one in result.databases]
    return Side(
        label,
        f"genint {result.genint_version}",
        tuple(settings),
        tuple(map(_record, result.records)),
        tuple(map(_gene, result.genes)),
        is_result=True,
    )


def _record(record: Record) -> SideRecord:
    return _with_bases(record.id, record.length, record.sequence)


def _with_bases(id: str, length_bp: int, bases: str | None) -> SideRecord:
    if not bases:
        return SideRecord(id, length_bp, None)
    plain = bases.upper()
    digest = hashlib.sha256(plain.encode()).hexdigest()[:_DIGEST_DIGITS]
    return SideRecord(id, length_bp, digest, plain)


def _gene(gene: GeneItem) -> SideGene:
    classes = (gene.cog_category, gene.category, *(term.id for term in gene.go))
    return SideGene(
        gene.id,
        gene.locus,
        gene.record,
        gene.start,
        gene.end,
        gene.strand,
        gene.length_aa,
        None if gene.is_dark else gene.function,
        gene.confidence,
        gene.score,
        gene.basis,
        tuple(str(one) for one in classes if one),
        tuple(map(_observation, gene.evidence)),
    )


def _observation(item: EvidenceItem) -> Observation:
    own = item.source in (EvidenceSource.GENBANK, EvidenceSource.GENE_CONTEXT)
    return Observation(item.source.value, "" if own else item.accession or "", item.claim)


def side_of_genome(genome: Genome, label: str) -> Side:
    """An annotated file as a side: its genes by their products."""
    return Side(
        label,
        f"{genome.source.format.value} file",
        (),
        tuple(_with_bases(one.id, len(one), one.bases) for one in genome.contigs),
        tuple(_gene_of_file(one, contig) for contig in genome.contigs for one in contig.genes),
        is_result=False,
    )


def _gene_of_file(gene: Gene, contig: Contig) -> SideGene:
    first, last = gene.span.one_based(len(contig))
    product = display_product(gene.product) if gene.product else _UNKNOWN
    return SideGene(
        gene.id,
        gene.locus_tag or gene.id,
        contig.id,
        first,
        last,
        gene.strand.symbol,
        len(gene.protein),
        None if product == _UNKNOWN else product,
    )
